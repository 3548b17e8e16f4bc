/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/device-warnings.h"

#include <string.h>

#include "drive/device.h"

/* USB 3 begins at 5000 Mb/s; below it the link is slower than any SSD. */
#define USB_SLOW_MBPS 5000

/* Drives that slow down to cool do so some kelvins below their warning limit. */
#define HOT_MARGIN_C 10

static const char *text_of(JsonObject *drive, const char *member)
{
    return json_object_get_string_member_with_default(drive, member, NULL);
}

static gint64 number_of(JsonObject *drive, const char *member)
{
    return json_object_get_int_member_with_default(drive, member, 0);
}

static const char *title_of(JsonObject *drive)
{
    const char *model = text_of(drive, "model");

    return model != NULL ? model : text_of(drive, "name");
}

static void add_pcie(JsonObject *drive, GPtrArray *warnings)
{
    gint64 now = number_of(drive, "link_bandwidth_bps");
    gint64 drive_max = number_of(drive, "link_max_bandwidth_bps");
    gint64 slot_max = number_of(drive, "link_slot_max_bandwidth_bps");
    gint64 possible = slot_max > 0 ? MIN(slot_max, drive_max) : drive_max;

    if (now == 0 || drive_max == 0)
        return;
    if (now < possible) {
        g_autofree char *text =
            g_strdup_printf("%s < %s", text_of(drive, "link"),
                            text_of(drive, possible == drive_max ? "link_max" : "link_slot_max"));

        plt_warning_add(warnings, "link-below", text);
    }
    if (slot_max > 0 && slot_max < drive_max) {
        g_autofree char *text =
            g_strdup_printf("%s < %s", text_of(drive, "link_slot_max"), text_of(drive, "link_max"));

        plt_warning_add(warnings, "link-slot", text);
    }
}

static void add_usb(JsonObject *drive, GPtrArray *warnings)
{
    gint64 speed = number_of(drive, "usb_speed_mbps");
    const char *driver = text_of(drive, "usb_driver");
    g_autofree char *text =
        g_strdup_printf("%s%s%s", title_of(drive), driver != NULL ? ", " : "", driver != NULL ? driver : "");

    plt_warning_add(warnings, "usb-bridge", text);
    if (speed > 0 && speed < USB_SLOW_MBPS)
        plt_warning_add(warnings, "usb-slow", text_of(drive, "link"));
}

static void add_bus(JsonObject *drive, GPtrArray *warnings)
{
    static const char *const virtual_buses[] = {"virtio", "xen", "hyperv", NULL};
    static const char *const network_buses[] = {"network", "iscsi", "fc", NULL};
    static const char *const virtual_models[] = {"QEMU",   "VMware", "VBOX", "Virtual",
                                                 "Google", "Amazon", "Msft"};
    const char *bus = text_of(drive, "bus"), *model = text_of(drive, "model");
    const char *vendor = text_of(drive, "vendor"), *transport = text_of(drive, "nvme_transport");
    gboolean is_virtual = bus != NULL && g_strv_contains(virtual_buses, bus);

    for (gsize i = 0; i < G_N_ELEMENTS(virtual_models); i++)
        is_virtual |= (model != NULL && g_str_has_prefix(model, virtual_models[i])) ||
                      (vendor != NULL && g_str_has_prefix(vendor, virtual_models[i]));
    if (is_virtual)
        plt_warning_add(warnings, "virtual-drive", title_of(drive));
    if (bus != NULL && g_strv_contains(network_buses, bus))
        plt_warning_add(warnings, "network-drive", text_of(drive, "name"));
    else if (transport != NULL && !g_str_equal(transport, "pcie"))
        plt_warning_add(warnings, "network-drive", transport);
    if (g_strcmp0(bus, "usb") == 0)
        add_usb(drive, warnings);
    if (g_strcmp0(bus, "sata") == 0 && text_of(drive, "link") != NULL &&
        !g_str_has_prefix(text_of(drive, "link"), "SATA 6"))
        plt_warning_add(warnings, "sata-link", text_of(drive, "link") + strlen("SATA "));
}

static void add_queue(JsonObject *drive, GPtrArray *warnings)
{
    const char *scheduler = text_of(drive, "scheduler");
    const char *cache = text_of(drive, "write_cache"), *bus = text_of(drive, "bus");
    gboolean rotational = json_object_get_boolean_member_with_default(drive, "rotational", FALSE);
    /* Virtual and RAID drives answer "rotational" by habit. */
    gboolean real = bus != NULL && (g_str_equal(bus, "sata") || g_str_equal(bus, "usb") ||
                                    g_str_equal(bus, "sas") || g_str_equal(bus, "scsi"));

    if (rotational && real)
        plt_warning_add(warnings, "rotational", title_of(drive));
    if (g_strcmp0(bus, "nvme") == 0 && scheduler != NULL && !g_str_equal(scheduler, "none"))
        plt_warning_add(warnings, "scheduler", scheduler);
    /* "write through" is also what an NVMe drive with protected memory says: there nothing is off. */
    if (g_strcmp0(cache, "write through") == 0 && (g_strcmp0(bus, "sata") == 0 || g_strcmp0(bus, "sas") == 0))
        plt_warning_add(warnings, "write-cache-off", title_of(drive));
}

static void add_temperature(JsonObject *drive, GPtrArray *warnings)
{
    double now = json_object_get_double_member_with_default(drive, "temperature_c", 0);
    double limit = json_object_get_double_member_with_default(drive, "temperature_warning_c", 0);

    if (now > 0 && limit > 0 && now >= limit - HOT_MARGIN_C) {
        g_autofree char *text = g_strdup_printf("%.0f °C", now);

        plt_warning_add(warnings, "drive-hot", text);
    }
}

void plt_device_add_warnings(const char *root, GPtrArray *names, GPtrArray *warnings)
{
    for (guint i = 0; i < names->len; i++) {
        g_autoptr(JsonObject) drive = plt_device_to_json(root, g_ptr_array_index(names, i));

        if (g_strcmp0(text_of(drive, "bus"), "nvme") == 0)
            add_pcie(drive, warnings);
        add_bus(drive, warnings);
        add_queue(drive, warnings);
        add_temperature(drive, warnings);
    }
}
