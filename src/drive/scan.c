/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/scan.h"

#include <string.h>

#include "drive/device.h"
#include "drive/sensor.h"
#include "drive/sysfs.h"

void plt_drive_state_free(PltDriveState *state)
{
    g_free(state->sysfs_name);
    g_free(state->file);
    json_object_unref(state->device);
    g_ptr_array_unref(state->sensors);
    g_free(state);
}

static gboolean is_numbered(const char *name, const char *prefix)
{
    return g_str_has_prefix(name, prefix) && g_ascii_isdigit(name[strlen(prefix)]);
}

static gboolean is_virtual(const char *name)
{
    return is_numbered(name, "loop") || is_numbered(name, "zram");
}

/* Built on other drives, or nothing that could be measured. */
static gboolean is_other(const char *name)
{
    static const char *const prefixes[] = {"ram", "dm-", "md", "bcache", "sr", "fd", "mtdblock", "zd"};

    for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (is_numbered(name, prefixes[i]))
            return TRUE;
    }
    /* Areas of an eMMC that hold the boot loader and keys. */
    return g_str_has_prefix(name, "mmcblk") &&
           (strstr(name, "boot") != NULL || strstr(name, "rpmb") != NULL || strstr(name, "gp") != NULL);
}

static gboolean is_drive(const char *root, const char *name, gboolean with_virtual)
{
    guint64 value;

    if (is_other(name) || (is_virtual(name) && !with_virtual))
        return FALSE;
    if (plt_sysfs_exists(root, "/sys/class/block/%s/partition", name))
        return FALSE;
    /* The single ways of an NVMe multipath drive. */
    if (plt_sysfs_read_number(&value, root, "/sys/class/block/%s/hidden", name) && value != 0)
        return FALSE;
    return plt_sysfs_read_number(&value, root, "/sys/class/block/%s/size", name) && value > 0;
}

static PltDriveState *read_drive(const char *root, const char *name)
{
    PltDriveState *state = g_new0(PltDriveState, 1);

    state->sysfs_name = g_strdup(name);
    state->device = plt_device_to_json(root, name);
    state->file = plt_sysfs_read(root, "/sys/class/block/%s/loop/backing_file", name);
    state->sensors = plt_sensors_read(root, name);
    plt_sysfs_read_number(&state->sequence, root, "/sys/class/block/%s/diskseq", name);
    if (is_virtual(name))
        json_object_set_string_member(state->device, "bus", name[0] == 'l' ? "loop" : "zram");
    return state;
}

/* 0: built in, 1: can be pulled out, 2: no hardware. */
static int rank(const PltDriveState *state)
{
    const char *bus = json_object_get_string_member_with_default(state->device, "bus", "");

    if (is_virtual(state->sysfs_name))
        return 2;
    return g_str_equal(bus, "usb") || g_str_equal(bus, "firewire") ||
           json_object_get_boolean_member_with_default(state->device, "removable", FALSE);
}

static int states_compare(gconstpointer a, gconstpointer b)
{
    const PltDriveState *one = *(const PltDriveState *const *)a, *other = *(const PltDriveState *const *)b;
    int order = rank(one) - rank(other);

    return order != 0 ? order : strverscmp(one->sysfs_name, other->sysfs_name);
}

GPtrArray *plt_scan_drives(const char *root, gboolean with_virtual)
{
    GPtrArray *states = g_ptr_array_new_with_free_func((GDestroyNotify)plt_drive_state_free);
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/class/block");

    for (guint i = 0; names[i] != NULL; i++) {
        if (is_drive(root, names[i], with_virtual))
            g_ptr_array_add(states, read_drive(root, names[i]));
    }
    g_ptr_array_sort(states, states_compare);
    return states;
}
