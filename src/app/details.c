/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/details.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/drive-words.h"
#include "chart/format.h"
#include "drive/drive-text.h"
#include "drive/sensor.h"

static void detail_free(PltDetail *detail)
{
    g_free(detail->title);
    g_free(detail->value);
    g_free(detail->reason);
    g_free(detail);
}

void plt_detail_group_free(PltDetailGroup *group)
{
    g_free(group->title);
    g_ptr_array_unref(group->details);
    g_free(group);
}

static PltDetailGroup *group_new(const char *title)
{
    PltDetailGroup *group = g_new0(PltDetailGroup, 1);

    group->title = g_strdup(title);
    group->details = g_ptr_array_new_with_free_func((GDestroyNotify)detail_free);
    return group;
}

/* Takes VALUE; one that is NULL or "" is left out unless there is a REASON for it. */
static void add(PltDetailGroup *group, const char *title, char *value, const char *reason)
{
    PltDetail *detail;

    if (value != NULL && value[0] == '\0')
        g_clear_pointer(&value, g_free);
    if (value == NULL && reason == NULL)
        return;
    detail = g_new0(PltDetail, 1);
    detail->title = g_strdup(title);
    detail->value = value;
    detail->reason = value == NULL ? g_strdup(reason) : NULL;
    g_ptr_array_add(group->details, detail);
}

static const char *text_of(JsonObject *device, const char *member)
{
    return json_object_get_string_member_with_default(device, member, NULL);
}

static void add_text(PltDetailGroup *group, JsonObject *device, const char *title, const char *member)
{
    add(group, title, g_strdup(text_of(device, member)), NULL);
}

static void add_number(PltDetailGroup *group, JsonObject *device, const char *title, const char *member)
{
    if (json_object_has_member(device, member))
        add(group, title, g_strdup_printf("%" G_GINT64_FORMAT, json_object_get_int_member(device, member)),
            NULL);
}

static void add_size(PltDetailGroup *group, JsonObject *device, const char *title, const char *member,
                     gint64 unit)
{
    gint64 size = json_object_get_int_member_with_default(device, member, 0) * unit;

    if (size > 0)
        add(group, title, g_format_size_full((guint64)size, G_FORMAT_SIZE_IEC_UNITS), NULL);
}

static void add_flag(PltDetailGroup *group, JsonObject *device, const char *title, const char *member)
{
    if (json_object_has_member(device, member))
        add(group, title, g_strdup(json_object_get_boolean_member(device, member) ? _("Yes") : _("No")),
            NULL);
}

static gboolean is_bus(JsonObject *device, const char *bus)
{
    return g_strcmp0(text_of(device, "bus"), bus) == 0;
}

/* Why a drive on this bus says nothing; NULL where nobody knows. */
static const char *reason_for_model(JsonObject *device)
{
    return is_bus(device, "virtio") ? _("A virtual drive has no model") : NULL;
}

static const char *reason_for_serial(JsonObject *device)
{
    if (is_bus(device, "virtio"))
        return _("The host of this virtual machine gives the drive none");
    return is_bus(device, "usb") ? _("The USB bridge does not pass it on") : NULL;
}

static const char *reason_for_link(JsonObject *device)
{
    return is_bus(device, "virtio") ? _("A virtual drive has no cable or slot") : NULL;
}

static const char *reason_for_temperature(JsonObject *device)
{
    if (is_bus(device, "sata"))
        return _("SATA drives show it when the kernel module “drivetemp” is loaded");
    if (is_bus(device, "usb"))
        return _("The kernel reads no sensors behind a USB bridge");
    if (is_bus(device, "nvme"))
        return _("This kernel was built without sensors of NVMe drives");
    return is_bus(device, "virtio") ? _("A virtual drive has no sensor") : NULL;
}

static char *capacity_text(PltDrive *drive)
{
    guint64 capacity = plt_drive_get_capacity(drive);
    g_autofree char *size = g_format_size(capacity);
    g_autofree char *bytes = plt_format_number((double)capacity, 0);

    /* Translators: a capacity, "2.0 TB (2,000,398,934,016 bytes)". */
    return g_strdup_printf(_("%s (%s bytes)"), size, bytes);
}

static char *device_path(PltDrive *drive)
{
    return g_strconcat("/dev/", plt_drive_get_name(drive), NULL);
}

static PltDetailGroup *identity_of(PltDrive *drive, JsonObject *device)
{
    PltDetailGroup *group = group_new(_("Identity"));

    add(group, _("Model"), g_strdup(text_of(device, "model")), reason_for_model(device));
    add_text(group, device, _("Vendor"), "vendor");
    add(group, _("Serial Number"), g_strdup(text_of(device, "serial")), reason_for_serial(device));
    add_text(group, device, _("Firmware"), "firmware");
    add(group, _("Capacity"), capacity_text(drive), NULL);
    add(group, _("Device"), device_path(drive), NULL);
    add(group, _("File"), g_strdup(plt_drive_get_file(drive)), NULL);
    /* virtio calls every drive one that turns unless the host says otherwise. */
    if (json_object_has_member(device, "rotational") && !is_bus(device, "virtio"))
        add(group, _("Type"),
            g_strdup(json_object_get_boolean_member(device, "rotational") ? _("Hard disk")
                                                                          : _("Solid-state drive")),
            NULL);
    add_flag(group, device, _("Removable"), "removable");
    return group;
}

/* "PCIe 4.0 ×4 (7.88 GB/s)": what the link carries after its line code, before packets' headers. */
static char *link_text(JsonObject *device, const char *member)
{
    g_autofree char *bandwidth_member = g_strconcat(member, "_bandwidth_bps", NULL);
    gint64 bandwidth = json_object_get_int_member_with_default(device, bandwidth_member, 0);
    g_autofree char *link = NULL;

    if (text_of(device, member) == NULL)
        return NULL;
    link = plt_drive_link_text(text_of(device, member));
    if (bandwidth <= 0)
        return g_steal_pointer(&link);
    /* Translators: a link and what it can carry. */
    return g_strdup_printf(_("%s (%.2f GB/s)"), link, (double)bandwidth / 1e9);
}

static PltDetailGroup *connection_of(JsonObject *device)
{
    PltDetailGroup *group = group_new(_("Connection"));

    add(group, _("Bus"), plt_drive_bus_name(text_of(device, "bus")), NULL);
    add(group, _("Link Now"), link_text(device, "link"), reason_for_link(device));
    add(group, _("Possible for the Drive"), link_text(device, "link_max"), NULL);
    add(group, _("Possible for the Slot"), link_text(device, "link_slot_max"), NULL);
    add_text(group, device, _("USB Driver"), "usb_driver");
    add_text(group, device, _("USB Identifier"), "usb_id");
    add_text(group, device, _("Controller"), "controller");
    add_text(group, device, _("Transport"), "nvme_transport");
    add_number(group, device, _("Namespace"), "nsid");
    /* -1: the machine has no NUMA nodes. */
    if (json_object_get_int_member_with_default(device, "numa_node", -1) >= 0)
        add_number(group, device, _("NUMA Node"), "numa_node");
    return group;
}

static PltDetailGroup *blocks_of(JsonObject *device)
{
    PltDetailGroup *group = group_new(_("Blocks"));

    add_size(group, device, _("Logical Block"), "logical_block", 1);
    add_size(group, device, _("Physical Block"), "physical_block", 1);
    add_size(group, device, _("Largest Request"), "max_sectors_kb", 1024);
    add_size(group, device, _("Largest Request of the Hardware"), "max_hw_sectors_kb", 1024);
    add_flag(group, device, _("TRIM"), "discard");
    add_size(group, device, _("TRIM Granularity"), "discard_granularity", 1);
    if (g_strcmp0(text_of(device, "zoned"), "none") != 0)
        add_text(group, device, _("Zones"), "zoned");
    return group;
}

static PltDetailGroup *queue_of(JsonObject *device)
{
    PltDetailGroup *group = group_new(_("Queue"));

    add_text(group, device, _("Scheduler"), "scheduler");
    add_number(group, device, _("Requests"), "nr_requests");
    add_number(group, device, _("Device Queue Depth"), "device_queue_depth");
    add_number(group, device, _("NVMe Queues"), "nvme_queues");
    add_number(group, device, _("NVMe Queue Size"), "nvme_queue_size");
    add_text(group, device, _("Write Cache"), "write_cache");
    add_flag(group, device, _("Forced Unit Access"), "fua");
    add_flag(group, device, _("Polling"), "io_poll");
    return group;
}

static char *sensor_text(const PltSensor *sensor)
{
    g_autofree char *now = plt_words_temperature(sensor->celsius);

    if (!isnan(sensor->warning) && !isnan(sensor->critical))
        /* Translators: a temperature now, and the drive's own limits. */
        return g_strdup_printf(_("%s (warning at %.0f °C, critical at %.0f °C)"), now, sensor->warning,
                               sensor->critical);
    if (!isnan(sensor->warning))
        return g_strdup_printf(_("%s (warning at %.0f °C)"), now, sensor->warning);
    return g_steal_pointer(&now);
}

static PltDetailGroup *sensors_of(PltDrive *drive, JsonObject *device)
{
    PltDetailGroup *group = group_new(_("Temperature"));
    GPtrArray *sensors = plt_drive_get_sensors(drive);

    for (guint i = 0; i < sensors->len; i++) {
        const PltSensor *sensor = sensors->pdata[i];
        g_autofree char *name = plt_words_sensor(sensor->label);

        add(group, name, sensor_text(sensor), NULL);
    }
    if (sensors->len == 0)
        add(group, _("Sensor"), NULL, reason_for_temperature(device));
    return group;
}

static PltDetailGroup *mounts_of(PltDrive *drive)
{
    PltDetailGroup *group = group_new(_("In Use As"));
    GListModel *folders = plt_drive_get_folders(drive);

    for (guint i = 0; i < g_list_model_get_n_items(folders); i++) {
        g_autoptr(PltMount) mount = g_list_model_get_item(folders, i);
        g_autofree char *layers = g_strjoinv(" → ", (char **)plt_mount_get_layers(mount));
        g_autofree char *free_text = g_format_size(plt_mount_get_free_bytes(mount));

        /* Translators: what a file system lies on, and its free space: "ext4 → LUKS → partition, 120 GB
         * free". */
        add(group, plt_mount_get_point(mount), g_strdup_printf(_("%s, %s free"), layers, free_text), NULL);
    }
    if (group->details->len == 0)
        add(group, _("File Systems"), NULL, _("Nothing is mounted from this drive"));
    return group;
}

GPtrArray *plt_details_of_drive(PltDrive *drive)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify)plt_detail_group_free);
    g_autoptr(JsonNode) node = plt_drive_to_json(drive);
    JsonObject *device = json_node_get_object(node);

    g_ptr_array_add(groups, identity_of(drive, device));
    g_ptr_array_add(groups, connection_of(device));
    g_ptr_array_add(groups, sensors_of(drive, device));
    g_ptr_array_add(groups, mounts_of(drive));
    g_ptr_array_add(groups, blocks_of(device));
    g_ptr_array_add(groups, queue_of(device));
    for (guint i = groups->len; i > 0; i--) {
        if (((PltDetailGroup *)groups->pdata[i - 1])->details->len == 0)
            g_ptr_array_remove_index(groups, i - 1);
    }
    return groups;
}

char *plt_details_to_text(GPtrArray *groups)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < groups->len; i++) {
        const PltDetailGroup *group = groups->pdata[i];

        g_string_append_printf(text, "%s%s\n", i > 0 ? "\n" : "", group->title);
        for (guint j = 0; j < group->details->len; j++) {
            const PltDetail *detail = group->details->pdata[j];

            if (detail->value != NULL)
                g_string_append_printf(text, "%s: %s\n", detail->title, detail->value);
        }
    }
    return g_string_free(text, FALSE);
}
