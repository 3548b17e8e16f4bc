/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/facts-private.h"

#include <glib/gi18n-lib.h>

#include "drive/ata.h"
#include "drive/drive-text.h"
#include "drive/scan.h"
#include "drive/smart-private.h"

static const char *text_of(JsonObject *object, const char *member)
{
    return json_object_get_string_member_with_default(object, member, NULL);
}

static void add_text(PltFactGroup *group, JsonObject *device, const char *title, const char *member)
{
    plt_fact_add(group, title, g_strdup(text_of(device, member)));
}

static void add_number(PltFactGroup *group, JsonObject *device, const char *title, const char *member)
{
    gint64 value = json_object_get_int_member_with_default(device, member, -1);

    if (value >= 0)
        plt_fact_add(group, title, g_strdup_printf("%" G_GINT64_FORMAT, value));
}

static char *version_text(PltInquiry *inquiry)
{
    JsonObject *udisks = plt_inquiry_object(inquiry, PLT_TOPIC_UDISKS);
    JsonObject *nvme = plt_json_object_member(udisks, "nvme");
    PltNvmeController controller;

    if (plt_fact_controller(inquiry, &controller))
        return plt_nvme_version_text(controller.version);
    return nvme != NULL ? g_strdup(text_of(nvme, "NVMeRevision")) : NULL;
}

static void add_nvme(PltFactGroup *group, PltInquiry *inquiry, JsonObject *device)
{
    g_autoptr(GArray) namespaces =
        plt_nvme_namespaces_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_NAMESPACES));
    g_autoptr(GString) list = g_string_new(NULL);
    PltNvmeController controller;

    plt_fact_add(group, _("NVMe version"), version_text(inquiry));
    add_text(group, device, _("Controller"), "controller");
    if (plt_fact_controller(inquiry, &controller))
        plt_fact_add(group, _("PCI vendor"),
                     g_strdup_printf("%04x, %s %04x", controller.vendor_id, _("subsystem"),
                                     controller.subsystem_vendor_id));
    add_number(group, device, _("Namespace"), "nsid");
    for (guint i = 0; i < namespaces->len; i++)
        g_string_append_printf(list, "%s%u", i > 0 ? ", " : "", g_array_index(namespaces, guint32, i));
    if (namespaces->len > 1)
        plt_fact_add(group, _("Namespaces of the controller"), g_strdup(list->str));
    add_number(group, device, _("I/O queues"), "nvme_queues");
    add_number(group, device, _("NUMA node"), "numa_node");
}

static void add_ata(PltFactGroup *group, PltInquiry *inquiry)
{
    PltAta ata;

    if (!plt_ata_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_ATA_IDENTIFY), &ata))
        return;
    if (ata.rotation > 1)
        plt_fact_add(group, _("Rotation"), g_strdup_printf(_("%u per minute"), ata.rotation));
    if (ata.standard > 0)
        plt_fact_add(group, _("ATA version"), g_strdup_printf("ACS-%u", ata.standard));
    if (ata.queue_depth > 1)
        plt_fact_add(group, _("Command queue"), g_strdup_printf("%u", ata.queue_depth));
}

static char *block_text(JsonObject *device)
{
    gint64 logical = json_object_get_int_member_with_default(device, "logical_block", 0);
    gint64 physical = json_object_get_int_member_with_default(device, "physical_block", 0);

    if (logical <= 0)
        return NULL;
    if (physical <= 0 || physical == logical)
        return g_strdup_printf(_("%d bytes"), (int)logical);
    return g_strdup_printf(_("%d bytes, physical %d bytes"), (int)logical, (int)physical);
}

/* Where its file systems are; what a recording is of is mounted somewhere else. */
static char *mounts_text(PltInquiry *inquiry)
{
    g_autoptr(GHashTable) mounts = NULL;
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_auto(GStrv) points = NULL;
    GPtrArray *own;

    if (plt_inquiry_is_replay(inquiry))
        return NULL;
    mounts = plt_scan_mounts(plt_inquiry_get_root(inquiry));
    own = g_hash_table_lookup(mounts, plt_inquiry_get_name(inquiry));
    for (guint i = 0; own != NULL && i < own->len; i++) {
        g_autofree char *point = g_utf8_make_valid(((PltMountState *)own->pdata[i])->point, -1);

        g_strv_builder_add(builder, point);
    }
    points = g_strv_builder_end(builder);
    return g_strjoinv(", ", points);
}

PltFactGroup *plt_drive_facts_drive(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_DEVICE);
    JsonObject *device = plt_answer_object(answer);
    PltFactGroup *group = plt_fact_group_new("drive", _("Drive"), answer);
    gint64 capacity;

    if (device == NULL)
        return group;
    capacity = json_object_get_int_member_with_default(device, "capacity", 0);
    add_text(group, device, _("Name"), "name");
    add_text(group, device, _("Vendor"), "vendor");
    add_text(group, device, _("Model"), "model");
    add_text(group, device, _("Serial number"), "serial");
    add_text(group, device, _("Firmware"), "firmware");
    if (capacity > 0)
        plt_fact_add(group, _("Capacity"), plt_fact_capacity_text((guint64)capacity));
    plt_fact_add(group, _("Bus"), plt_drive_bus_name(text_of(device, "bus")));
    if (plt_inquiry_is_nvme(inquiry))
        add_nvme(group, inquiry, device);
    else
        add_ata(group, inquiry);
    plt_fact_add(group, _("Block"), block_text(device));
    if (json_object_has_member(device, "discard"))
        plt_fact_add_flag(group, _("TRIM"),
                          json_object_get_boolean_member_with_default(device, "discard", FALSE));
    add_text(group, device, _("Write cache"), "write_cache");
    add_text(group, device, _("Scheduler"), "scheduler");
    plt_fact_add(group, _("Mounted"), mounts_text(inquiry));
    return group;
}

/* NULL for a number that stands for nothing. */
static const char *performance_text(guint performance)
{
    static const char *const texts[] = {N_("best"), N_("better"), N_("good"), N_("degraded")};

    return performance < G_N_ELEMENTS(texts) ? _(texts[performance]) : NULL;
}

static void add_format_row(PltFactGroup *group, guint index, guint data_size, guint metadata_size,
                           guint performance, gboolean active)
{
    g_autofree char *number = g_strdup_printf("%u", index);
    g_autofree char *data = g_strdup_printf("%u", data_size);
    g_autofree char *metadata = g_strdup_printf("%u", metadata_size);

    plt_fact_add_row(group, number, data, metadata, performance_text(performance), active ? _("in use") : "");
}

static void add_heading(PltFactGroup *group)
{
    plt_fact_add_heading(group, "rrrll", _("FORMAT"), _("DATA"), _("METADATA"), _("PERFORMANCE"), "");
}

static const char *deallocated_text(guint8 code)
{
    return code == 1 ? _("zeros") : code == 2 ? _("ones") : NULL;
}

/* What UDisks2 passes on: the formats, without the number of the active one. */
static PltFactGroup *formats_from_udisks(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_UDISKS);
    JsonObject *ns = plt_json_object_member(plt_answer_object(answer), "namespace");
    JsonNode *list = ns != NULL ? json_object_get_member(ns, "LBAFormats") : NULL;
    JsonNode *now = ns != NULL ? json_object_get_member(ns, "FormattedLBASize") : NULL;
    PltFactGroup *group;

    if (list == NULL || !JSON_NODE_HOLDS_ARRAY(list))
        return NULL;
    group = plt_fact_group_new("formats", _("LBA formats"), answer);
    add_heading(group);
    for (guint i = 0; i < MIN(json_array_get_length(json_node_get_array(list)), PLT_LBA_FORMATS_MAX); i++) {
        JsonNode *item = json_array_get_element(json_node_get_array(list), i);
        gint64 values[3] = {0};

        if (!JSON_NODE_HOLDS_ARRAY(item) || json_array_get_length(json_node_get_array(item)) != 3)
            continue;
        for (guint k = 0; k < 3; k++) {
            JsonNode *value = json_array_get_element(json_node_get_array(item), k);

            values[k] = JSON_NODE_HOLDS_VALUE(value) ? json_node_get_int(value) : 0;
        }
        /* UDisks2 counts the performance from 1; 0 is unknown. */
        add_format_row(group, i, (guint)values[0], (guint)values[1], (guint)values[2] - 1,
                       now != NULL && json_node_equal(item, now));
    }
    return group;
}

PltFactGroup *plt_drive_facts_formats(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_NAMESPACE);
    PltFactGroup *group;
    PltNvmeNamespace ns;
    guint block;

    if (!plt_nvme_namespace_decode(plt_answer_bytes(answer), &ns))
        return formats_from_udisks(inquiry);
    group = plt_fact_group_new("formats", _("LBA formats"), answer);
    block = ns.active < ns.n_formats ? ns.formats[ns.active].data_size : 0;
    if (block > 0 && ns.size <= G_MAXUINT64 / block && ns.used <= ns.size) {
        plt_fact_add(group, _("Size"), plt_fact_capacity_text(ns.size * block));
        plt_fact_add(group, _("In use, as the drive counts"), plt_fact_capacity_text(ns.used * block));
    }
    plt_fact_add(group, _("Trimmed blocks read as"), g_strdup(deallocated_text(ns.deallocated & 7)));
    if (block > 0 && ns.optimal_write_blocks > 1)
        plt_fact_add(group, _("Best unit to write"),
                     g_strdup_printf(_("%u bytes"), ns.optimal_write_blocks * block));
    if (ns.protection != 0)
        plt_fact_add(group, _("Protection information"), g_strdup_printf(_("type %u"), ns.protection));
    if (ns.eui64[0] != '\0')
        plt_fact_add(group, "EUI-64", g_strdup(ns.eui64));
    if (ns.nguid[0] != '\0')
        plt_fact_add(group, "NGUID", g_strdup(ns.nguid));
    add_heading(group);
    for (guint i = 0; i < ns.n_formats; i++) {
        if (ns.formats[i].data_size > 0)
            add_format_row(group, i, ns.formats[i].data_size, ns.formats[i].metadata_size,
                           ns.formats[i].performance, i == ns.active);
    }
    if (ns.active == ns.n_formats)
        plt_fact_add_note(group, g_strdup(_("The drive names an active format that it does not have.")));
    return group;
}
