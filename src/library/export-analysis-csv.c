/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/export.h"

/* RFC 4180, as the other tables. */
#define LINE_END "\r\n"

static void add_node(GString *csv, const char *path, JsonNode *node);

static void add_text(GString *csv, const char *text)
{
    if (!strpbrk(text, "\",\r\n")) {
        g_string_append(csv, text);
        return;
    }
    g_auto(GStrv) parts = g_strsplit(text, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(csv, "\"%s\"", doubled);
}

static void add_value(GString *csv, const char *path, JsonNode *node)
{
    g_string_append_printf(csv, "%s,", path);
    if (json_node_get_value_type(node) == G_TYPE_STRING) {
        add_text(csv, json_node_get_string(node));
    } else if (json_node_get_value_type(node) == G_TYPE_DOUBLE) {
        char buffer[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append(csv, g_ascii_formatd(buffer, sizeof(buffer), "%.10g", json_node_get_double(node)));
    } else {
        g_string_append_printf(csv, "%" G_GINT64_FORMAT,
                               json_node_get_value_type(node) == G_TYPE_BOOLEAN ? json_node_get_boolean(node)
                                                                                : json_node_get_int(node));
    }
    g_string_append(csv, LINE_END);
}

static void add_object(GString *csv, const char *path, JsonObject *object)
{
    JsonObjectIter iter;
    const char *name;
    JsonNode *node;
    json_object_iter_init_ordered(&iter, object);
    while (json_object_iter_next_ordered(&iter, &name, &node)) {
        g_autofree char *inner = *path ? g_strdup_printf("%s.%s", path, name) : g_strdup(name);
        add_node(csv, inner, node);
    }
}

static void add_array(GString *csv, const char *path, JsonArray *array)
{
    for (guint i = 0; i < json_array_get_length(array); i++) {
        g_autofree char *inner = g_strdup_printf("%s.%u", path, i);
        add_node(csv, inner, json_array_get_element(array, i));
    }
}

/* What is null has no line. The document has a fixed depth. */
static void add_node(GString *csv, const char *path, JsonNode *node)
{
    switch (json_node_get_node_type(node)) {
    case JSON_NODE_OBJECT:
        add_object(csv, path, json_node_get_object(node));
        break;
    case JSON_NODE_ARRAY:
        add_array(csv, path, json_node_get_array(node));
        break;
    case JSON_NODE_VALUE:
        add_value(csv, path, node);
        break;
    case JSON_NODE_NULL:
        break;
    }
}

char *plt_export_analysis_csv(const PltRun *run)
{
    GString *csv = g_string_new("figure,value" LINE_END);
    if (run->analysis)
        add_node(csv, "", run->analysis);
    return g_string_free(csv, FALSE);
}
