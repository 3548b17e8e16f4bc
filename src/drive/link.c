/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/device.h"

#include <stdlib.h>
#include <string.h>

#include "drive/identity.h"
#include "drive/sysfs.h"

/*
 * PCI Express Base Specification: transfer rate per lane and line code of each generation. 64 GT/s moves
 * fixed-size flits, of whose 256 bytes 236 carry data.
 */
static const struct {
    double rate; /* GT/s */
    const char *name;
    double efficiency;
} generations[] = {
    {2.5, "1.0", 8.0 / 10},   {5, "2.0", 8.0 / 10},     {8, "3.0", 128.0 / 130},
    {16, "4.0", 128.0 / 130}, {32, "5.0", 128.0 / 130}, {64, "6.0", 236.0 / 256},
};

char *plt_link_text(const char *speed, guint64 width, guint64 *bytes)
{
    double rate = speed != NULL ? g_ascii_strtod(speed, NULL) : 0;

    for (gsize i = 0; width > 0 && i < G_N_ELEMENTS(generations); i++) {
        if (ABS(rate - generations[i].rate) > 0.1)
            continue;
        if (bytes != NULL)
            *bytes = (guint64)(rate * 1e9 * generations[i].efficiency / 8 * (double)width);
        return g_strdup_printf("PCIe %s x%" G_GUINT64_FORMAT, generations[i].name, width);
    }
    return NULL;
}

/* MEMBER = "link", MEMBER_bandwidth_bps. FALSE when PATH says nothing about a link, or that it is down. */
static gboolean add_pcie(JsonObject *object, const char *root, const char *path, const char *which,
                         const char *member)
{
    g_autofree char *speed = plt_sysfs_read(root, "%s/%s_link_speed", path, which);
    g_autofree char *text = NULL, *bandwidth = g_strconcat(member, "_bandwidth_bps", NULL);
    guint64 width = 0, bytes = 0;

    plt_sysfs_read_number(&width, root, "%s/%s_link_width", path, which);
    text = plt_link_text(speed, width, &bytes);
    if (text == NULL)
        return FALSE;
    json_object_set_string_member(object, member, text);
    json_object_set_int_member(object, bandwidth, (gint64)bytes);
    return TRUE;
}

/* What the drive can do, what the port above it can do, and what they agreed on. */
static void add_nvme_link(JsonObject *object, const char *root, const char *controller)
{
    g_autofree char *path = plt_sysfs_resolve(root, "/sys/class/nvme/%s/device", controller);
    g_autofree char *port = path != NULL ? g_path_get_dirname(path) : NULL;
    guint64 node;

    if (path == NULL)
        return;
    add_pcie(object, root, path, "current", "link");
    add_pcie(object, root, path, "max", "link_max");
    add_pcie(object, root, port, "max", "link_slot_max");
    if (plt_sysfs_read_number(&node, root, "%s/numa_node", path))
        json_object_set_int_member(object, "numa_node", (gint64)node);
}

/* The first folder upwards from PATH that holds FILE; NULL when none does. */
static char *find_upwards(const char *root, const char *path, const char *file)
{
    g_autofree char *folder = g_strdup(path);

    while (strlen(folder) > strlen("/sys")) {
        char *up;

        if (plt_sysfs_exists(root, "%s/%s", folder, file))
            return g_steal_pointer(&folder);
        up = g_path_get_dirname(folder);
        g_free(folder);
        folder = up;
    }
    return NULL;
}

static void add_usb_link(JsonObject *object, const char *root, const char *path)
{
    g_autofree char *device = find_upwards(root, path, "idVendor");
    g_autofree char *vendor = NULL, *product = NULL, *driver = NULL, *interface = NULL;
    guint64 speed;

    if (device == NULL)
        return;
    vendor = plt_sysfs_read(root, "%s/idVendor", device);
    product = plt_sysfs_read(root, "%s/idProduct", device);
    if (plt_sysfs_read_number(&speed, root, "%s/speed", device)) {
        g_autofree char *text = g_strdup_printf("USB %" G_GUINT64_FORMAT " Mb/s", speed);

        json_object_set_int_member(object, "usb_speed_mbps", (gint64)speed);
        json_object_set_string_member(object, "link", text);
        json_object_set_int_member(object, "link_bandwidth_bps", (gint64)(speed * 1000000 / 8));
    }
    if (vendor != NULL && product != NULL) {
        g_autofree char *id = g_strconcat(vendor, ":", product, NULL);

        json_object_set_string_member(object, "usb_id", id);
    }
    interface = find_upwards(root, path, "bInterfaceNumber");
    driver = interface != NULL ? plt_sysfs_resolve(root, "%s/driver", interface) : NULL;
    if (driver != NULL) {
        g_autofree char *name = g_path_get_basename(driver);

        json_object_set_string_member(object, "usb_driver", name);
    }
}

/* ".../ata3/link3/dev3.0/…" has "ata3/link3/ata_link/link3/sata_spd". */
static void add_sata_link(JsonObject *object, const char *root, const char *path)
{
    g_autoptr(GRegex) regex = g_regex_new("^(.*/ata(\\d+))/", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_autofree char *port = NULL, *number = NULL, *speed = NULL, *text = NULL;
    double rate;

    if (!g_regex_match(regex, path, 0, &match))
        return;
    port = g_match_info_fetch(match, 1);
    number = g_match_info_fetch(match, 2);
    speed = plt_sysfs_read(root, "%s/link%s/ata_link/link%s/sata_spd", port, number, number);
    rate = speed != NULL ? g_ascii_strtod(speed, NULL) : 0;
    if (rate <= 0)
        return;
    text = g_strdup_printf("SATA %s", speed);
    json_object_set_string_member(object, "link", text);
    /* Serial ATA sends 10 bits for every byte. */
    json_object_set_int_member(object, "link_bandwidth_bps", (gint64)(rate * 1e9 / 10));
}

void plt_link_add_members(const char *root, const char *name, JsonObject *object)
{
    g_autofree char *path = plt_sysfs_resolve(root, "/sys/class/block/%s", name);
    g_autofree char *controller = plt_identity_controller(root, name);
    const char *bus = plt_device_bus(root, name);

    if (controller != NULL)
        add_nvme_link(object, root, controller);
    else if (path != NULL && g_strcmp0(bus, "usb") == 0)
        add_usb_link(object, root, path);
    else if (path != NULL && g_strcmp0(bus, "sata") == 0)
        add_sata_link(object, root, path);
}
