/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include <string.h>

#include "drive/device-warnings.h"
#include "drive/sysfs.h"

#define WATCH_MS 100

/* The tenth number of "stat": milliseconds in which at least one I/O was on its way. */
static guint64 busy_ms(const char *root, const char *name)
{
    g_autofree char *text = plt_sysfs_read(root, "/sys/class/block/%s/stat", name);
    g_auto(GStrv) fields = NULL;
    guint found = 0;

    if (text == NULL)
        return 0;
    fields = g_strsplit_set(text, " \t", -1);
    for (guint i = 0; fields[i] != NULL; i++) {
        if (fields[i][0] != '\0' && ++found == 10)
            return g_ascii_strtoull(fields[i], NULL, 10);
    }
    return 0;
}

double plt_device_busy(const char *root, GPtrArray *names)
{
    g_autofree guint64 *before = g_new0(guint64, names->len + 1);
    gint64 start = g_get_monotonic_time();
    double most = 0;

    if (root[0] != '\0' || names->len == 0)
        return 0;
    for (guint i = 0; i < names->len; i++)
        before[i] = busy_ms(root, g_ptr_array_index(names, i));
    g_usleep(WATCH_MS * 1000);
    for (guint i = 0; i < names->len; i++) {
        double passed = (double)(g_get_monotonic_time() - start) / 1000;
        double busy = (double)(busy_ms(root, g_ptr_array_index(names, i)) - before[i]) / passed;

        most = MAX(most, busy);
    }
    return MIN(most, 1);
}

guint64 plt_device_waiting(const char *root)
{
    g_autofree char *text = plt_sysfs_read(root, "/proc/meminfo");
    g_auto(GStrv) lines = text != NULL ? g_strsplit(text, "\n", -1) : NULL;
    guint64 bytes = 0;

    for (guint i = 0; lines != NULL && lines[i] != NULL; i++) {
        if (g_str_has_prefix(lines[i], "Dirty:") || g_str_has_prefix(lines[i], "Writeback:"))
            bytes += g_ascii_strtoull(strchr(lines[i], ':') + 1, NULL, 10) * 1024;
    }
    return bytes;
}
