/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/document.h"

#include <math.h>

JsonObject *plt_document_object(JsonNode *node)
{
    if (node && JSON_NODE_HOLDS_ARRAY(node)) {
        JsonArray *array = json_node_get_array(node);
        node = json_array_get_length(array) > 0 ? json_array_get_element(array, 0) : NULL;
    }
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

const char *plt_document_string(JsonNode *node, const char *member)
{
    JsonObject *object = plt_document_object(node);
    JsonNode *value = object ? json_object_get_member(object, member) : NULL;
    if (!value || !JSON_NODE_HOLDS_VALUE(value) || json_node_get_value_type(value) != G_TYPE_STRING)
        return NULL;
    const char *text = json_node_get_string(value);
    return text && *text ? text : NULL;
}

const char *plt_document_member_string(JsonNode *node, const char *object, const char *member)
{
    JsonObject *outer = plt_document_object(node);
    return outer ? plt_document_string(json_object_get_member(outer, object), member) : NULL;
}

gint64 plt_document_int(JsonNode *node, const char *member)
{
    JsonObject *object = plt_document_object(node);
    JsonNode *value = object ? json_object_get_member(object, member) : NULL;
    return value && JSON_NODE_HOLDS_VALUE(value) ? json_node_get_int(value) : 0;
}

/* A drive that does not say its model (a virtual one) is at least told by its name. */
static const char *model_of(JsonNode *drive)
{
    const char *model = plt_document_string(drive, "model");
    return model ? model : plt_document_string(drive, "name");
}

char *plt_document_drive(JsonNode *drive)
{
    if (!drive || !JSON_NODE_HOLDS_ARRAY(drive))
        return g_strdup(model_of(drive));

    g_autoptr(GString) models = g_string_new(NULL);
    JsonArray *array = json_node_get_array(drive);
    for (guint i = 0; i < json_array_get_length(array); i++) {
        const char *model = model_of(json_array_get_element(array, i));
        if (model)
            g_string_append_printf(models, "%s%s", models->len > 0 ? " + " : "", model);
    }
    return models->len > 0 ? g_strdup(models->str) : NULL;
}

char *plt_document_target(JsonNode *target)
{
    return g_strdup(plt_document_string(target, "path"));
}

static JsonNode *copy_object(JsonObject *object)
{
    JsonObject *copy = json_object_new();
    JsonObjectIter iter;
    const char *name;
    JsonNode *value;
    json_object_iter_init_ordered(&iter, object);
    while (json_object_iter_next_ordered(&iter, &name, &value))
        json_object_set_member(copy, name, plt_document_copy(value));
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(node, copy);
    return node;
}

static JsonNode *copy_array(JsonArray *array)
{
    JsonArray *copy = json_array_new();
    for (guint i = 0; i < json_array_get_length(array); i++)
        json_array_add_element(copy, plt_document_copy(json_array_get_element(array, i)));
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);
    json_node_take_array(node, copy);
    return node;
}

JsonNode *plt_document_copy(JsonNode *node)
{
    if (JSON_NODE_HOLDS_OBJECT(node))
        return copy_object(json_node_get_object(node));
    if (JSON_NODE_HOLDS_ARRAY(node))
        return copy_array(json_node_get_array(node));
    GType type = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_value_type(node) : G_TYPE_INVALID;
    if (type == G_TYPE_DOUBLE && !isfinite(json_node_get_double(node)))
        return json_node_new(JSON_NODE_NULL);
    if (type == G_TYPE_STRING) {
        g_autofree char *text = g_utf8_make_valid(json_node_get_string(node), -1);
        return json_node_init_string(json_node_alloc(), text);
    }
    return json_node_copy(node);
}

char *plt_document_text(JsonNode *node)
{
    if (!node)
        return NULL;
    g_autoptr(JsonNode) copy = plt_document_copy(node);
    g_autofree char *text = json_to_string(copy, FALSE);
    return g_utf8_make_valid(text, -1);
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
