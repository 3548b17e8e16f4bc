/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/smart-private.h"

/* NVM Express Base Specification, SMART / Health Information: offset and bytes of each field. */
static const struct {
    const char *id;
    guint16 offset;
    guint8 size;
} fields[] = {
    {"critical_warning", 0, 1},
    {"temperature", 1, 2},
    {"avail_spare", 3, 1},
    {"spare_thresh", 4, 1},
    {"percent_used", 5, 1},
    {"endurance_grp_critical_warning_summary", 6, 1},
    {"data_units_read", 32, 16},
    {"data_units_written", 48, 16},
    {"host_read_commands", 64, 16},
    {"host_write_commands", 80, 16},
    {"controller_busy_time", 96, 16},
    {"power_cycles", 112, 16},
    {"power_on_hours", 128, 16},
    {"unsafe_shutdowns", 144, 16},
    {"media_errors", 160, 16},
    {"num_err_log_entries", 176, 16},
    {"warning_temp_time", 192, 4},
    {"critical_comp_time", 196, 4},
    {"thm_temp1_trans_count", 216, 4},
    {"thm_temp2_trans_count", 220, 4},
    {"thm_temp1_total_time", 224, 4},
    {"thm_temp2_total_time", 228, 4},
};

#define SENSORS_OFFSET 200
#define N_SENSORS 8

/* A sensor that the drive does not have is 0. */
static void add_sensor(PltSmart *smart, guint index, guint64 kelvin)
{
    g_autofree char *id = g_strdup_printf("temperature_sensor_%u", index + 1);

    if (kelvin != 0)
        plt_smart_add(smart, id, plt_wide(kelvin));
}

PltSmart *plt_smart_from_nvme_log(PltBytes bytes)
{
    PltSmart *smart;

    if (bytes.size < 512 || plt_bytes_are_zero(bytes))
        return NULL;
    smart = plt_smart_new(PLT_SMART_NVME);
    for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
        PltWide raw = fields[i].size == 16
                          ? plt_wide_read(bytes, fields[i].offset)
                          : plt_wide(plt_bytes_number(bytes, fields[i].offset, fields[i].size));

        plt_smart_add(smart, fields[i].id, raw);
    }
    for (guint i = 0; i < N_SENSORS; i++)
        add_sensor(smart, i, plt_bytes_u16(bytes, SENSORS_OFFSET + i * 2));
    return smart;
}

static gboolean number_member(JsonObject *object, const char *member, guint64 *value)
{
    JsonNode *node = json_object_get_member(object, member);

    if (node == NULL || !JSON_NODE_HOLDS_VALUE(node) ||
        (json_node_get_value_type(node) != G_TYPE_INT64 && json_node_get_value_type(node) != G_TYPE_DOUBLE))
        return FALSE;
    /* 2^63: what is above is no integer of JSON's any more. */
    if (!(json_node_get_double(node) >= 0) || json_node_get_double(node) >= 9223372036854775808.0)
        return FALSE;
    *value = json_node_get_value_type(node) == G_TYPE_INT64 ? (guint64)json_node_get_int(node)
                                                            : (guint64)json_node_get_double(node);
    return TRUE;
}

JsonObject *plt_json_object_member(JsonObject *object, const char *member)
{
    JsonNode *node = object != NULL ? json_object_get_member(object, member) : NULL;

    return node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

/* UDisks2 names the bits of the critical warning. */
static guint64 udisks_warnings(JsonObject *nvme)
{
    static const char *const names[] = {"spare",    "temperature",  "degraded",
                                        "readonly", "volatile_mem", "pmr_readonly"};
    JsonNode *node = json_object_get_member(nvme, "SmartCriticalWarning");
    JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    guint64 bits = 0;

    for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
        JsonNode *item = json_array_get_element(array, i);

        for (guint bit = 0; bit < G_N_ELEMENTS(names); bit++) {
            if (JSON_NODE_HOLDS_VALUE(item) && g_strcmp0(json_node_get_string(item), names[bit]) == 0)
                bits |= 1u << bit;
        }
    }
    return bits;
}

/* UDisks2 leaves out a count of bytes that is 0, and gives bytes where the log has units of 1000 x 512. */
static void add_udisks_bytes(PltSmart *smart, JsonObject *attributes, const char *key, const char *id)
{
    guint64 bytes = 0;

    number_member(attributes, key, &bytes);
    plt_smart_add(smart, id, plt_wide(bytes / 512000));
}

static void add_udisks_member(PltSmart *smart, JsonObject *object, const char *key, const char *id)
{
    guint64 value;

    if (object != NULL && number_member(object, key, &value))
        plt_smart_add(smart, id, plt_wide(value));
}

static void add_udisks_sensors(PltSmart *smart, JsonArray *sensors)
{
    for (guint i = 0; i < MIN(json_array_get_length(sensors), N_SENSORS); i++) {
        JsonNode *node = json_array_get_element(sensors, i);
        gint64 kelvin = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_int(node) : 0;

        add_sensor(smart, i, kelvin > 0 ? (guint64)kelvin : 0);
    }
}

static PltSmart *from_udisks_nvme(JsonObject *nvme)
{
    JsonObject *attributes = plt_json_object_member(nvme, "attributes");
    JsonNode *sensors = attributes != NULL ? json_object_get_member(attributes, "temp_sensors") : NULL;
    guint64 updated = 0;
    PltSmart *smart;

    if (attributes == NULL || !number_member(nvme, "SmartUpdated", &updated) || updated == 0)
        return NULL;
    smart = plt_smart_new(PLT_SMART_NVME);
    smart->taken_us = (gint64)MIN(updated, G_MAXINT64 / G_USEC_PER_SEC) * G_USEC_PER_SEC;
    plt_smart_add(smart, "critical_warning", plt_wide(udisks_warnings(nvme)));
    add_udisks_member(smart, nvme, "SmartTemperature", "temperature");
    add_udisks_member(smart, attributes, "avail_spare", "avail_spare");
    add_udisks_member(smart, attributes, "spare_thresh", "spare_thresh");
    add_udisks_member(smart, attributes, "percent_used", "percent_used");
    add_udisks_bytes(smart, attributes, "total_data_read", "data_units_read");
    add_udisks_bytes(smart, attributes, "total_data_written", "data_units_written");
    add_udisks_member(smart, attributes, "ctrl_busy_time", "controller_busy_time");
    add_udisks_member(smart, attributes, "power_cycles", "power_cycles");
    add_udisks_member(smart, nvme, "SmartPowerOnHours", "power_on_hours");
    add_udisks_member(smart, attributes, "unsafe_shutdowns", "unsafe_shutdowns");
    add_udisks_member(smart, attributes, "media_errors", "media_errors");
    add_udisks_member(smart, attributes, "num_err_log_entries", "num_err_log_entries");
    add_udisks_member(smart, attributes, "warning_temp_time", "warning_temp_time");
    add_udisks_member(smart, attributes, "critical_temp_time", "critical_comp_time");
    if (sensors != NULL && JSON_NODE_HOLDS_ARRAY(sensors))
        add_udisks_sensors(smart, json_node_get_array(sensors));
    return smart;
}

PltSmart *plt_smart_from_udisks(JsonObject *document)
{
    JsonObject *nvme = plt_json_object_member(document, "nvme"),
               *ata = plt_json_object_member(document, "ata");

    if (nvme != NULL)
        return from_udisks_nvme(nvme);
    return ata != NULL ? plt_smart_ata_from_udisks(ata) : NULL;
}

/* smartctl has names of its own, and degrees Celsius. */
static PltSmart *from_smartctl_nvme(JsonObject *log)
{
    static const struct {
        const char *key, *id;
    } names[] = {
        {"critical_warning", "critical_warning"},
        {"temperature", "temperature"},
        {"available_spare", "avail_spare"},
        {"available_spare_threshold", "spare_thresh"},
        {"percentage_used", "percent_used"},
        {"data_units_read", "data_units_read"},
        {"data_units_written", "data_units_written"},
        {"host_reads", "host_read_commands"},
        {"host_writes", "host_write_commands"},
        {"controller_busy_time", "controller_busy_time"},
        {"power_cycles", "power_cycles"},
        {"power_on_hours", "power_on_hours"},
        {"unsafe_shutdowns", "unsafe_shutdowns"},
        {"media_errors", "media_errors"},
        {"num_err_log_entries", "num_err_log_entries"},
        {"warning_temp_time", "warning_temp_time"},
        {"critical_comp_time", "critical_comp_time"},
    };
    PltSmart *smart = plt_smart_new(PLT_SMART_NVME);

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        guint64 value;

        if (!number_member(log, names[i].key, &value))
            continue;
        plt_smart_add(smart, names[i].id,
                      plt_wide(g_str_equal(names[i].id, "temperature") ? value + 273 : value));
    }
    if (smart->attributes->len == 0)
        g_clear_pointer(&smart, plt_smart_free);
    return smart;
}

PltSmart *plt_smart_from_smartctl(JsonObject *document)
{
    JsonObject *log = plt_json_object_member(document, "nvme_smart_health_information_log");
    JsonObject *status = plt_json_object_member(document, "smart_status");
    JsonObject *endurance = plt_json_object_member(document, "endurance_used");
    PltSmart *smart = log != NULL ? from_smartctl_nvme(log) : plt_smart_ata_from_smartctl(document);

    if (smart == NULL)
        return NULL;
    if (status != NULL && json_object_has_member(status, "passed"))
        smart->passed = json_object_get_boolean_member_with_default(status, "passed", TRUE);
    if (endurance != NULL)
        smart->endurance_used_percent =
            (int)CLAMP(json_object_get_int_member_with_default(endurance, "current_percent", -1), -1, 255);
    return smart;
}
