/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/device.h"

#include <string.h>

#include "drive/identity.h"
#include "drive/sysfs.h"

char *plt_device_display_name(const char *name)
{
    return g_strdelimit(g_strdup(name), "!", '/');
}

const char *plt_device_bus(const char *root, const char *name)
{
    /* Parts of the device's place in the tree; the first that matches, since a USB bridge is SCSI as well. */
    static const struct {
        const char *part, *bus;
    } parts[] = {
        {"/usb", "usb"},       {"/nvme", "nvme"},     {"/ata", "sata"},     {"/virtio", "virtio"},
        {"/mmc_host/", "mmc"}, {"/vmbus", "hyperv"},  {"/VMBUS", "hyperv"}, {"/vbd-", "xen"},
        {"ufshc", "ufs"},      {"/session", "iscsi"}, {"/rport-", "fc"},    {"/end_device-", "sas"},
        {"/fw", "firewire"},   {"/ndbus", "nvdimm"},  {"/host", "scsi"},
    };
    static const struct {
        const char *prefix, *bus;
    } names[] = {
        {"nvme", "nvme"},  {"nbd", "network"}, {"rbd", "network"}, {"drbd", "network"},
        {"mmcblk", "mmc"}, {"pmem", "nvdimm"}, {"xvd", "xen"},
    };
    g_autofree char *path = plt_sysfs_resolve(root, "/sys/class/block/%s", name);

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_str_has_prefix(name, names[i].prefix))
            return names[i].bus;
    }
    for (gsize i = 0; path != NULL && i < G_N_ELEMENTS(parts); i++) {
        if (strstr(path, parts[i].part) != NULL)
            return parts[i].bus;
    }
    return NULL;
}

gboolean plt_device_is_gone(const char *root, const char *name)
{
    /* What the drivers of NVMe and SCSI call a device that takes no more commands. */
    static const char *const ends[] = {"dead",   "deleting", "deleting (no IO)",  "deleted",
                                       "cancel", "offline",  "transport-offline", NULL};
    g_autofree char *state = plt_sysfs_read(root, "/sys/class/block/%s/device/state", name);

    if (state != NULL)
        return g_strv_contains(ends, state);
    return plt_sysfs_exists(root, "/sys/class/block") && !plt_sysfs_exists(root, "/sys/class/block/%s", name);
}

static void add_text(JsonObject *object, const char *member, const char *text)
{
    if (text != NULL && text[0] != '\0')
        json_object_set_string_member(object, member, text);
}

static void add_file(JsonObject *object, const char *member, const char *root, const char *name,
                     const char *attribute)
{
    g_autofree char *text = plt_sysfs_read(root, "/sys/class/block/%s/%s", name, attribute);

    add_text(object, member, text);
}

static void add_number(JsonObject *object, const char *member, const char *root, const char *name,
                       const char *attribute)
{
    guint64 value;

    if (plt_sysfs_read_number(&value, root, "/sys/class/block/%s/%s", name, attribute))
        json_object_set_int_member(object, member, (gint64)value);
}

static void add_flag(JsonObject *object, const char *member, const char *root, const char *name,
                     const char *attribute)
{
    guint64 value;

    if (plt_sysfs_read_number(&value, root, "/sys/class/block/%s/%s", name, attribute))
        json_object_set_boolean_member(object, member, value != 0);
}

/* "none [mq-deadline] kyber": the one in brackets is used; a queue without a choice says just "none". */
static void add_scheduler(JsonObject *object, const char *root, const char *name)
{
    g_autofree char *text = plt_sysfs_read(root, "/sys/class/block/%s/queue/scheduler", name);
    char *start, *end;

    if (text == NULL)
        return;
    start = strchr(text, '[');
    end = start != NULL ? strchr(start, ']') : NULL;
    if (end != NULL) {
        *end = '\0';
        add_text(object, "scheduler", start + 1);
    } else {
        add_text(object, "scheduler", text);
    }
}

static void add_queue(JsonObject *object, const char *root, const char *name)
{
    guint64 discard;

    add_scheduler(object, root, name);
    add_number(object, "nr_requests", root, name, "queue/nr_requests");
    add_file(object, "write_cache", root, name, "queue/write_cache");
    add_flag(object, "fua", root, name, "queue/fua");
    add_flag(object, "rotational", root, name, "queue/rotational");
    add_number(object, "logical_block", root, name, "queue/logical_block_size");
    add_number(object, "physical_block", root, name, "queue/physical_block_size");
    add_number(object, "max_sectors_kb", root, name, "queue/max_sectors_kb");
    add_number(object, "max_hw_sectors_kb", root, name, "queue/max_hw_sectors_kb");
    add_number(object, "discard_granularity", root, name, "queue/discard_granularity");
    add_flag(object, "io_poll", root, name, "queue/io_poll");
    add_file(object, "zoned", root, name, "queue/zoned");
    add_number(object, "device_queue_depth", root, name, "device/queue_depth");
    if (plt_sysfs_read_number(&discard, root, "/sys/class/block/%s/queue/discard_max_bytes", name))
        json_object_set_boolean_member(object, "discard", discard > 0);
}

static gboolean add_hwmon(JsonObject *object, const char *root, const char *folder)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "%s", folder);
    static const struct {
        const char *file, *member;
    } limits[] = {{"temp1_max", "temperature_warning_c"}, {"temp1_crit", "temperature_critical_c"}};

    for (guint i = 0; names[i] != NULL; i++) {
        guint64 value;

        if (!g_str_has_prefix(names[i], "hwmon") ||
            !plt_sysfs_read_number(&value, root, "%s/%s/temp1_input", folder, names[i]))
            continue;
        json_object_set_double_member(object, "temperature_c", (double)value / 1000);
        for (gsize limit = 0; limit < G_N_ELEMENTS(limits); limit++) {
            if (plt_sysfs_read_number(&value, root, "%s/%s/%s", folder, names[i], limits[limit].file))
                json_object_set_double_member(object, limits[limit].member, (double)value / 1000);
        }
        return TRUE;
    }
    return FALSE;
}

/* NVMe: below the controller (older kernels: below its PCI device). SATA: below the SCSI device (drivetemp).
 */
static void add_temperature(JsonObject *object, const char *root, const char *name)
{
    g_autofree char *controller = plt_identity_controller(root, name);
    g_autofree char *scsi = g_strdup_printf("/sys/class/block/%s/device/hwmon", name);

    if (controller != NULL) {
        g_autofree char *own = g_strdup_printf("/sys/class/nvme/%s", controller);
        g_autofree char *own_hwmon = g_strdup_printf("%s/hwmon", own);
        g_autofree char *pci = g_strdup_printf("%s/device/hwmon", own);

        if (add_hwmon(object, root, own) || add_hwmon(object, root, own_hwmon) ||
            add_hwmon(object, root, pci))
            return;
    }
    add_hwmon(object, root, scsi);
}

static void add_nvme(JsonObject *object, const char *root, const char *name)
{
    g_autofree char *controller = plt_identity_controller(root, name);
    g_autofree char *transport = NULL;
    guint64 value;

    if (controller == NULL)
        return;
    transport = plt_sysfs_read(root, "/sys/class/nvme/%s/transport", controller);
    add_text(object, "controller", controller);
    add_text(object, "nvme_transport", transport);
    add_number(object, "nsid", root, name, "nsid");
    if (plt_sysfs_read_number(&value, root, "/sys/class/nvme/%s/queue_count", controller))
        json_object_set_int_member(object, "nvme_queues", (gint64)value);
    if (plt_sysfs_read_number(&value, root, "/sys/class/nvme/%s/sqsize", controller))
        json_object_set_int_member(object, "nvme_queue_size", (gint64)value);
}

JsonObject *plt_device_to_json(const char *root, const char *name)
{
    JsonObject *object = json_object_new();
    g_autofree char *shown = plt_device_display_name(name);
    guint64 sectors;

    json_object_set_string_member(object, "name", shown);
    plt_identity_add_members(root, name, object);
    /* The kernel's "size" is in units of 512 bytes whatever the drive's block is. */
    if (plt_sysfs_read_number(&sectors, root, "/sys/class/block/%s/size", name))
        json_object_set_int_member(object, "capacity", (gint64)(sectors * 512));
    add_text(object, "bus", plt_device_bus(root, name));
    add_flag(object, "removable", root, name, "removable");
    plt_link_add_members(root, name, object);
    add_nvme(object, root, name);
    add_queue(object, root, name);
    add_temperature(object, root, name);
    return object;
}
