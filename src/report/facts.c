/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/format.h"
#include "report/facts.h"

static JsonObject *object_of(JsonNode *node)
{
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static JsonNode *value_of(JsonObject *object, const char *name)
{
    JsonNode *node = object ? json_object_get_member(object, name) : NULL;

    return node && JSON_NODE_HOLDS_VALUE(node) ? node : NULL;
}

static const char *text_of(JsonObject *object, const char *name)
{
    JsonNode *node = value_of(object, name);
    const char *text =
        node && json_node_get_value_type(node) == G_TYPE_STRING ? json_node_get_string(node) : NULL;

    return text && *text ? text : NULL;
}

static double number_of(JsonObject *object, const char *name)
{
    JsonNode *node = value_of(object, name);

    if (!node ||
        (json_node_get_value_type(node) != G_TYPE_INT64 && json_node_get_value_type(node) != G_TYPE_DOUBLE))
        return NAN;
    return json_node_get_double(node);
}

/* The drives of RUN: an array of objects, or a single one. */
static guint drive_count(const PltRun *run)
{
    if (run->drive && JSON_NODE_HOLDS_ARRAY(run->drive))
        return json_array_get_length(json_node_get_array(run->drive));
    return object_of(run->drive) ? 1 : 0;
}

static JsonObject *drive_at(const PltRun *run, guint i)
{
    if (run->drive && JSON_NODE_HOLDS_ARRAY(run->drive))
        return object_of(json_array_get_element(json_node_get_array(run->drive), i));
    return object_of(run->drive);
}

static const char *drive_name(JsonObject *drive)
{
    const char *model = text_of(drive, "model");

    return model ? model : text_of(drive, "name");
}

char *plt_facts_drive(const PltRun *run)
{
    guint n = drive_count(run);
    const char *first = n > 0 ? drive_name(drive_at(run, 0)) : NULL;
    gboolean alike = TRUE;
    GString *names = NULL;

    if (!first)
        return NULL;
    names = g_string_new(first);
    for (guint i = 1; i < n; i++) {
        const char *name = drive_name(drive_at(run, i));

        alike = alike && g_strcmp0(name, first) == 0;
        g_string_append_printf(names, " + %s", name ? name : "?");
    }
    if (n > 1 && alike)
        g_string_printf(names, "%u × %s", n, first);
    return g_string_free(names, FALSE);
}

static void take(GPtrArray *parts, char *text)
{
    if (text && *text)
        g_ptr_array_add(parts, text);
    else
        g_free(text);
}

char *plt_facts_drive_details(const PltRun *run, const PltLanguage *language)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    JsonObject *drive = drive_count(run) == 1 ? drive_at(run, 0) : NULL;
    const char *firmware = text_of(drive, "firmware");
    double capacity = number_of(drive, "capacity");
    PltQuantity size;

    if (firmware)
        take(parts, plt_language_format(language, N_("Firmware %s"), firmware, NULL));
    if (capacity > 0.0) {
        size = plt_format_capacity(capacity);
        take(parts, plt_quantity_join(&size));
    }
    take(parts, g_strdup(text_of(drive, "link")));
    take(parts, g_strdup(text_of(object_of(run->target), "filesystem")));
    if (parts->len == 0)
        return NULL;
    g_ptr_array_add(parts, NULL);
    return g_strjoinv(" · ", (char **)parts->pdata);
}

guint64 plt_facts_size(const PltRun *run)
{
    double size = number_of(object_of(run->parameters), "size");

    return size > 0.0 && size < 9e18 ? (guint64)size : 0;
}

/* The windows that were really measured; the parameters say it where a step gave its own length. */
double plt_facts_seconds(const PltRun *run)
{
    return number_of(object_of(run->parameters), "seconds");
}

guint plt_facts_runs(const PltRun *run)
{
    double runs = number_of(object_of(run->parameters), "runs");

    return runs >= 1.0 && runs < 1e6 ? (guint)runs : 0;
}

guint plt_facts_mix(const PltRun *run)
{
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = run->cells->pdata[i];

        if (cell->spec.op == PLT_CELL_MIX)
            return cell->spec.read_percent;
    }
    return 0;
}

const char *plt_facts_data(const PltRun *run)
{
    return text_of(object_of(run->parameters), "data");
}

char *plt_facts_date(const PltRun *run)
{
    g_autoptr(GDateTime) time = NULL;

    if (run->started_us <= 0)
        return NULL;
    time = g_date_time_new_from_unix_local(run->started_us / G_USEC_PER_SEC);
    return time ? g_date_time_format(time, "%Y-%m-%d %H:%M") : NULL;
}
