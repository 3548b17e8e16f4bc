/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/smart-private.h"

/* A raw value has six bytes. */
#define RAW_MAX ((G_GUINT64_CONSTANT(1) << 48) - 1)

static JsonObject *object_at(JsonArray *array, guint index)
{
    JsonNode *node = json_array_get_element(array, index);

    return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static int small(gint64 value)
{
    return value >= 0 && value <= 255 ? (int)value : -1;
}

/* Element INDEX of a tuple as a number, as udisks.c makes it of a(ysqiiixia{sv}); -1 for anything else. */
static gint64 tuple_number(JsonArray *tuple, guint index)
{
    JsonNode *node = json_array_get_element(tuple, index);

    if (!JSON_NODE_HOLDS_VALUE(node) || json_node_get_value_type(node) != G_TYPE_INT64)
        return -1;
    return json_node_get_int(node);
}

/*
 * UDisks2 gives no raw value but one with a unit: 2 = milliseconds, 4 = millikelvins, others are counts. It
 * is brought back to what the drive most often means: hours and degrees Celsius.
 */
static guint64 raw_of_pretty(gint64 pretty, gint64 unit)
{
    if (pretty < 0)
        return 0;
    if (unit == 2)
        return (guint64)pretty / 3600000;
    if (unit == 4)
        return (guint64)MAX(pretty - 273150, 0) / 1000;
    return (guint64)pretty;
}

static void add_udisks_attribute(PltSmart *smart, JsonArray *tuple)
{
    JsonNode *name;
    g_autofree char *id = NULL;
    PltSmartAttribute *attribute;

    if (json_array_get_length(tuple) < 8 || tuple_number(tuple, 0) < 1 || tuple_number(tuple, 0) > 255)
        return;
    name = json_array_get_element(tuple, 1);
    id = g_strdup_printf("ata_%d", (int)tuple_number(tuple, 0));
    attribute =
        plt_smart_add(smart, id, plt_wide(raw_of_pretty(tuple_number(tuple, 6), tuple_number(tuple, 7))));
    if (JSON_NODE_HOLDS_VALUE(name) && json_node_get_value_type(name) == G_TYPE_STRING)
        attribute->name = g_strdup(json_node_get_string(name));
    attribute->prefail = (MAX(tuple_number(tuple, 2), 0) & 1) != 0;
    attribute->value = small(tuple_number(tuple, 3));
    attribute->worst = small(tuple_number(tuple, 4));
    attribute->threshold = small(tuple_number(tuple, 5));
}

PltSmart *plt_smart_ata_from_udisks(JsonObject *ata)
{
    JsonNode *node = json_object_get_member(ata, "attributes");
    JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    gint64 updated = json_object_get_int_member_with_default(ata, "SmartUpdated", 0);
    g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_ATA);

    for (guint i = 0; array != NULL && i < json_array_get_length(array); i++) {
        JsonNode *tuple = json_array_get_element(array, i);

        if (JSON_NODE_HOLDS_ARRAY(tuple))
            add_udisks_attribute(smart, json_node_get_array(tuple));
    }
    if (smart->attributes->len == 0 || updated <= 0)
        return NULL;
    smart->taken_us = MIN(updated, G_MAXINT64 / G_USEC_PER_SEC) * G_USEC_PER_SEC;
    smart->passed = !json_object_get_boolean_member_with_default(ata, "SmartFailing", FALSE);
    return g_steal_pointer(&smart);
}

static void add_smartctl_attribute(PltSmart *smart, JsonObject *row)
{
    gint64 number = json_object_get_int_member_with_default(row, "id", 0);
    JsonObject *raw = plt_json_object_member(row, "raw"), *flags = plt_json_object_member(row, "flags");
    gint64 value = raw != NULL ? json_object_get_int_member_with_default(raw, "value", 0) : 0;
    const char *failed = json_object_get_string_member_with_default(row, "when_failed", "");
    g_autofree char *id = NULL;
    PltSmartAttribute *attribute;

    if (number < 1 || number > 255)
        return;
    id = g_strdup_printf("ata_%d", (int)number);
    attribute = plt_smart_add(smart, id, plt_wide((guint64)MAX(value, 0) & RAW_MAX));
    attribute->name = g_strdup(json_object_get_string_member_with_default(row, "name", NULL));
    attribute->value = small(json_object_get_int_member_with_default(row, "value", -1));
    attribute->worst = small(json_object_get_int_member_with_default(row, "worst", -1));
    attribute->threshold = small(json_object_get_int_member_with_default(row, "thresh", -1));
    attribute->prefail =
        flags != NULL && json_object_get_boolean_member_with_default(flags, "prefailure", FALSE);
    attribute->failed_before = g_strcmp0(failed, "past") == 0;
}

PltSmart *plt_smart_ata_from_smartctl(JsonObject *document)
{
    JsonObject *attributes = plt_json_object_member(document, "ata_smart_attributes");
    JsonNode *node = attributes != NULL ? json_object_get_member(attributes, "table") : NULL;
    JsonArray *table = node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    g_autoptr(PltSmart) smart = plt_smart_new(PLT_SMART_ATA);

    for (guint i = 0; table != NULL && i < json_array_get_length(table); i++) {
        JsonObject *row = object_at(table, i);

        if (row != NULL)
            add_smartctl_attribute(smart, row);
    }
    return smart->attributes->len > 0 ? g_steal_pointer(&smart) : NULL;
}
