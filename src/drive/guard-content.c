/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <blkid/blkid.h>
#include <string.h>

#include "drive/guard-private.h"
#include "drive/sysfs.h"

static void take(char **field, const char *text)
{
    if (*field == NULL && text != NULL && text[0] != '\0')
        *field = g_utf8_validate(text, -1, NULL) ? g_strdup(text) : g_utf8_make_valid(text, -1);
}

/* What udev has found on it: everybody may read that. FALSE when udev does not know the device. */
static gboolean read_udev(const char *root, PltGuardDevice *device)
{
    g_autofree char *number = plt_sysfs_read(root, "/sys/class/block/%s/dev", device->name);
    g_autofree char *text = number != NULL ? plt_sysfs_read(root, "/run/udev/data/b%s", number) : NULL;
    g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);
    const char *table = NULL, *partition = NULL;

    for (guint i = 0; lines[i] != NULL; i++) {
        const char *value = strchr(lines[i], '=') != NULL ? strchr(lines[i], '=') + 1 : "";

        if (g_str_has_prefix(lines[i], "E:ID_FS_TYPE="))
            take(&device->content, value);
        else if (g_str_has_prefix(lines[i], "E:ID_FS_LABEL="))
            take(&device->label, value);
        else if (g_str_has_prefix(lines[i], "E:ID_PART_TABLE_TYPE="))
            table = value;
        else if (g_str_has_prefix(lines[i], "E:ID_PART_ENTRY_NAME="))
            partition = value;
    }
    /* Every partition has the type of its table too. */
    if (device->parent == NULL)
        take(&device->content, table);
    take(&device->label, partition);
    return text != NULL;
}

static void read_value(blkid_probe probe, const char *name, char **field)
{
    const char *value = NULL;

    if (blkid_probe_lookup_value(probe, name, &value, NULL) == 0)
        take(field, value);
}

static void read_device(PltGuardDevice *device)
{
    g_autofree char *path = g_strconcat("/dev/", device->name, NULL);
    blkid_probe probe;

    g_strdelimit(path, "!", '/');
    probe = blkid_new_probe_from_filename(path);
    if (probe == NULL)
        return;
    blkid_probe_enable_superblocks(probe, 1);
    blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL);
    blkid_probe_enable_partitions(probe, 1);
    if (blkid_do_safeprobe(probe) == 0) {
        read_value(probe, "TYPE", &device->content);
        read_value(probe, "PTTYPE", &device->content);
        read_value(probe, "LABEL", &device->label);
    }
    blkid_free_probe(probe);
}

void plt_guard_look_for_content(const char *root, PltGuardDevice *device)
{
    if (!read_udev(root, device) && root[0] == '\0')
        read_device(device);
}
