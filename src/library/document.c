/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/document.h"

static JsonObject *first_object(JsonNode *node)
{
    if (node && JSON_NODE_HOLDS_ARRAY(node)) {
        JsonArray *array = json_node_get_array(node);
        node = json_array_get_length(array) > 0 ? json_array_get_element(array, 0) : NULL;
    }
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

const char *plt_document_string(JsonNode *node, const char *member)
{
    JsonObject *object = first_object(node);
    JsonNode *value = object ? json_object_get_member(object, member) : NULL;
    if (!value || !JSON_NODE_HOLDS_VALUE(value) || json_node_get_value_type(value) != G_TYPE_STRING)
        return NULL;
    const char *text = json_node_get_string(value);
    return text && *text ? text : NULL;
}

const char *plt_document_member_string(JsonNode *node, const char *object, const char *member)
{
    JsonObject *outer = first_object(node);
    return outer ? plt_document_string(json_object_get_member(outer, object), member) : NULL;
}

gint64 plt_document_int(JsonNode *node, const char *member)
{
    JsonObject *object = first_object(node);
    JsonNode *value = object ? json_object_get_member(object, member) : NULL;
    return value && JSON_NODE_HOLDS_VALUE(value) ? json_node_get_int(value) : 0;
}

char *plt_document_drive(JsonNode *drive)
{
    if (!drive || !JSON_NODE_HOLDS_ARRAY(drive))
        return g_strdup(plt_document_string(drive, "model"));

    g_autoptr(GString) models = g_string_new(NULL);
    JsonArray *array = json_node_get_array(drive);
    for (guint i = 0; i < json_array_get_length(array); i++) {
        const char *model = plt_document_string(json_array_get_element(array, i), "model");
        if (model)
            g_string_append_printf(models, "%s%s", models->len > 0 ? " + " : "", model);
    }
    return models->len > 0 ? g_strdup(models->str) : NULL;
}

char *plt_document_target(JsonNode *target)
{
    return g_strdup(plt_document_string(target, "path"));
}

char *plt_document_size(guint64 bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    guint unit = 0;
    while (unit + 1 < G_N_ELEMENTS(units) && bytes > 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s", bytes, units[unit]);
}
