/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/platform-private.h"

#include "drive/sysfs.h"

struct supply {
    gboolean mains, battery, discharging;
    guint64 percent;
};

static void look_at_supply(const char *root, const char *name, struct supply *supply)
{
    g_autofree char *type = plt_sysfs_read(root, "/sys/class/power_supply/%s/type", name);
    g_autofree char *scope = plt_sysfs_read(root, "/sys/class/power_supply/%s/scope", name);
    g_autofree char *status = plt_sysfs_read(root, "/sys/class/power_supply/%s/status", name);
    guint64 online = 0;

    /* A mouse or a headset has a battery too. */
    if (type == NULL || g_strcmp0(scope, "Device") == 0)
        return;
    if (!g_str_equal(type, "Battery")) {
        if (plt_sysfs_read_number(&online, root, "/sys/class/power_supply/%s/online", name) && online > 0)
            supply->mains = TRUE;
        return;
    }
    supply->battery = TRUE;
    plt_sysfs_read_number(&supply->percent, root, "/sys/class/power_supply/%s/capacity", name);
    if (g_strcmp0(status, "Discharging") == 0)
        supply->discharging = TRUE;
}

void plt_power_add_members(const char *root, JsonObject *platform)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/class/power_supply");
    g_autofree char *profile = plt_sysfs_read(root, "/sys/firmware/acpi/platform_profile");
    struct supply supply = {0};

    for (guint i = 0; names[i] != NULL; i++)
        look_at_supply(root, names[i], &supply);
    if (supply.battery || supply.mains)
        json_object_set_string_member(platform, "power",
                                      supply.discharging && !supply.mains ? "battery" : "mains");
    if (supply.battery && supply.percent > 0)
        json_object_set_int_member(platform, "battery_percent", (gint64)supply.percent);
    if (profile != NULL)
        json_object_set_string_member(platform, "power_profile", profile);
}
