/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/export.h"

#include <math.h>

#include "engine/engine.h"
#include "library/document.h"
#include "library/export-rows.h"

#define SCHEMA "plateau.run/1"

/* NULL becomes null. */
static void set_text(JsonObject *object, const char *name, const char *text)
{
    if (text)
        json_object_set_string_member(object, name, text);
    else
        json_object_set_null_member(object, name);
}

/* NAN and infinity, which JSON has no word for, become null. */
static void set_number(JsonObject *object, const char *name, double value)
{
    if (isfinite(value))
        json_object_set_double_member(object, name, value);
    else
        json_object_set_null_member(object, name);
}

static void set_document(JsonObject *object, const char *name, JsonNode *node)
{
    if (node)
        json_object_set_member(object, name, plt_document_copy(node));
    else
        json_object_set_null_member(object, name);
}

/* ISO 8601 in UTC with microseconds; null for 0. */
static void set_time(JsonObject *object, const char *name, gint64 us)
{
    g_autoptr(GDateTime) seconds = us > 0 ? g_date_time_new_from_unix_utc(us / G_USEC_PER_SEC) : NULL;
    g_autofree char *text = seconds ? g_date_time_format(seconds, "%Y-%m-%dT%H:%M:%S") : NULL;
    g_autofree char *full = text ? g_strdup_printf("%s.%06dZ", text, (int)(us % G_USEC_PER_SEC)) : NULL;
    set_text(object, name, full);
}

static JsonObject *latency_object(const struct plt_measure *measure)
{
    const struct plt_latency *latency = &measure->latency;
    gboolean known = plt_export_latency_known(measure);
    JsonObject *object = json_object_new();
    if (known)
        json_object_set_int_member(object, "min", (gint64)latency->min_ns);
    else
        json_object_set_null_member(object, "min");
    set_number(object, "mean", known ? latency->mean_ns : NAN);
    for (int p = 0; p < PLT_N_PERCENTILES; p++)
        set_number(object, plt_percentile_key((enum plt_percentile)p),
                   known && latency->reliable[p] ? latency->percentile_ns[p] : NAN);
    if (known)
        json_object_set_int_member(object, "max", (gint64)latency->max_ns);
    else
        json_object_set_null_member(object, "max");
    return object;
}

static void set_measure(JsonObject *object, const struct plt_measure *measure)
{
    set_number(object, "bandwidth_bps", measure->bandwidth_bps);
    set_number(object, "iops", measure->iops);
    json_object_set_object_member(object, "latency_ns", latency_object(measure));
    json_object_set_int_member(object, "ios", (gint64)measure->ios);
    json_object_set_int_member(object, "bytes", (gint64)measure->bytes);
    set_number(object, "seconds", measure->seconds);
}

/* Each operation with the same figures as the whole, where more than one did any I/O: a mix, or with flushes.
 */
static void set_ops(JsonObject *object, const PltCellRun *run)
{
    JsonObject *ops = json_object_new();
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (run->op[op].ios == 0)
            continue;
        JsonObject *figures = json_object_new();
        set_measure(figures, &run->op[op]);
        json_object_set_object_member(ops, plt_op_name((enum plt_op)op), figures);
    }
    if (json_object_get_size(ops) > 1)
        json_object_set_object_member(object, "ops", ops);
    else
        json_object_unref(ops);
}

static JsonArray *stall_array(const GArray *stalls)
{
    JsonArray *array = json_array_sized_new(stalls->len);
    for (guint i = 0; i < stalls->len; i++) {
        const struct plt_stall *stall = &g_array_index(stalls, struct plt_stall, i);
        JsonObject *object = json_object_new();
        json_object_set_int_member(object, "start_ns", (gint64)stall->start_ns);
        json_object_set_int_member(object, "length_ns", (gint64)stall->length_ns);
        json_object_set_int_member(object, "inflight", stall->inflight);
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonArray *sample_columns(void)
{
    static const char *const figures[] = {"ios", "bytes", "lat_sum_ns", "lat_min_ns", "lat_max_ns"};
    JsonArray *columns = json_array_new();
    json_array_add_string_element(columns, "tick");
    json_array_add_string_element(columns, "duration_ns");
    json_array_add_string_element(columns, "inflight");
    json_array_add_string_element(columns, "oldest_ns");
    for (int op = 0; op < PLT_N_OPS; op++) {
        for (guint i = 0; i < G_N_ELEMENTS(figures); i++) {
            g_autofree char *name = g_strdup_printf("%s_%s", plt_op_name((enum plt_op)op), figures[i]);
            json_array_add_string_element(columns, name);
        }
    }
    return columns;
}

static JsonArray *sample_row(const struct plt_sample *sample)
{
    JsonArray *row = json_array_sized_new(4 + PLT_N_OPS * 5);
    json_array_add_int_element(row, (gint64)sample->index);
    json_array_add_int_element(row, (gint64)sample->duration_ns);
    json_array_add_int_element(row, sample->inflight);
    json_array_add_int_element(row, (gint64)sample->oldest_ns);
    for (int op = 0; op < PLT_N_OPS; op++) {
        json_array_add_int_element(row, (gint64)sample->op[op].ios);
        json_array_add_int_element(row, (gint64)sample->op[op].bytes);
        json_array_add_int_element(row, (gint64)sample->op[op].lat_sum_ns);
        json_array_add_int_element(row, (gint64)sample->op[op].lat_min_ns);
        json_array_add_int_element(row, (gint64)sample->op[op].lat_max_ns);
    }
    return row;
}

/* A table, because a name at each of millions of figures would be most of the document. */
static JsonObject *samples_object(const PltCellRun *run)
{
    JsonObject *object = json_object_new();
    JsonArray *rows = json_array_sized_new(run->samples->len);
    for (guint i = 0; i < run->samples->len; i++)
        json_array_add_array_element(rows, sample_row(&g_array_index(run->samples, struct plt_sample, i)));
    json_object_set_int_member(object, "tick_ns", (gint64)run->tick_ns);
    json_object_set_array_member(object, "columns", sample_columns());
    json_object_set_array_member(object, "rows", rows);
    return object;
}

/*
 * A node for each number of millions of samples would take gigabytes. So the text is made without them: where
 * a table belongs stands a word that is nowhere else in the document, and the table is put there afterwards.
 */
typedef struct {
    char *word;
    GPtrArray *runs; /* const PltCellRun whose tables are to come, in the order of the document */
} Later;

static void set_samples(JsonObject *object, const PltCellRun *run, Later *later)
{
    if (!run->samples)
        return;
    if (!later) {
        json_object_set_object_member(object, "samples", samples_object(run));
        return;
    }
    json_object_set_string_member(object, "samples", later->word);
    g_ptr_array_add(later->runs, (gpointer)run);
}

static JsonObject *cell_run_object(const PltCellRun *run, guint number, Later *later)
{
    JsonObject *object = json_object_new();
    json_object_set_int_member(object, "run", number);
    json_object_set_boolean_member(object, "warmup", run->warmup);
    json_object_set_boolean_member(object, "complete", run->complete);
    set_time(object, "started", run->started_us);
    set_measure(object, &run->total);
    set_ops(object, run);
    json_object_set_array_member(object, "stalls", stall_array(run->stalls));
    set_document(object, "engine", run->engine);
    json_object_set_int_member(object, "n_samples", (gint64)run->n_samples);
    set_samples(object, run, later);
    return object;
}

static JsonNode *score_node(const PltCell *cell)
{
    const PltCellRun *score = plt_cell_score(cell);
    guint number;
    if (!score || !g_ptr_array_find(cell->runs, score, &number))
        return json_node_new(JSON_NODE_NULL);
    JsonObject *object = json_object_new();
    json_object_set_int_member(object, "run", number);
    set_measure(object, &score->total);
    set_ops(object, score);
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(node, object);
    return node;
}

static JsonObject *cell_object(const PltCell *cell, Later *later)
{
    const PltCellSpec *spec = &cell->spec;
    JsonObject *object = json_object_new();
    JsonArray *runs = json_array_sized_new(cell->runs->len);
    for (guint i = 0; i < cell->runs->len; i++)
        json_array_add_object_element(runs, cell_run_object(g_ptr_array_index(cell->runs, i), i, later));
    set_text(object, "id", spec->id);
    set_text(object, "label", spec->label);
    set_text(object, "pattern", plt_cell_pattern_name(spec->pattern));
    json_object_set_int_member(object, "block", spec->block);
    json_object_set_int_member(object, "queues", spec->queue);
    json_object_set_int_member(object, "threads", spec->threads);
    set_text(object, "op", plt_cell_op_name(spec->op));
    json_object_set_int_member(object, "read_percent", spec->read_percent);
    set_text(object, "sync", plt_cell_sync_name(spec->sync));
    set_text(object, "role", spec->role);
    set_text(object, "score_rule", plt_score_rule_name(cell->score_rule));
    json_object_set_member(object, "score", score_node(cell));
    set_number(object, "median_bps", plt_cell_median_bps(cell));
    set_number(object, "spread_percent", plt_cell_spread_percent(cell));
    json_object_set_array_member(object, "runs", runs);
    return object;
}

static JsonArray *warning_array(const GPtrArray *warnings)
{
    JsonArray *array = json_array_sized_new(warnings->len);
    for (guint i = 0; i < warnings->len; i++) {
        const PltWarning *warning = g_ptr_array_index(warnings, i);
        g_autofree char *text = plt_warning_text(warning);
        JsonObject *object = json_object_new();
        set_text(object, "id", warning->id);
        set_text(object, "detail", warning->detail);
        set_text(object, "text", text);
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonArray *event_array(const GPtrArray *events)
{
    JsonArray *array = json_array_sized_new(events->len);
    for (guint i = 0; i < events->len; i++) {
        const PltEvent *event = g_ptr_array_index(events, i);
        JsonObject *object = json_object_new();
        set_time(object, "at", event->at_us);
        set_text(object, "kind", event->kind);
        set_text(object, "detail", event->detail);
        json_array_add_object_element(array, object);
    }
    return array;
}

/* Pairs: µs since 1970 and °C. */
static JsonArray *temperature_array(const GArray *temperatures)
{
    JsonArray *array = json_array_sized_new(temperatures->len);
    for (guint i = 0; i < temperatures->len; i++) {
        const PltTemperature *one = &g_array_index(temperatures, PltTemperature, i);
        JsonArray *pair = json_array_sized_new(2);
        json_array_add_int_element(pair, one->at_us);
        json_array_add_double_element(pair, one->celsius);
        json_array_add_array_element(array, pair);
    }
    return array;
}

static JsonObject *suite_object(const PltRun *run)
{
    JsonObject *object = json_object_new();
    set_text(object, "id", run->suite_id);
    json_object_set_int_member(object, "version", run->suite_version);
    set_text(object, "name", run->suite_name);
    return object;
}

static JsonNode *run_node(const PltRun *run, Later *later)
{
    JsonObject *object = json_object_new();
    JsonArray *cells = json_array_sized_new(run->cells->len);
    for (guint i = 0; i < run->cells->len; i++)
        json_array_add_object_element(cells, cell_object(g_ptr_array_index(run->cells, i), later));
    set_text(object, "schema", SCHEMA);
    json_object_set_int_member(object, "id", run->id);
    set_text(object, "uuid", run->uuid);
    set_text(object, "program", run->program);
    json_object_set_object_member(object, "suite", suite_object(run));
    set_text(object, "title", run->title);
    set_text(object, "note", run->note);
    set_text(object, "status", plt_run_status_name(run->status));
    set_text(object, "status_detail", run->status_detail);
    set_time(object, "started", run->started_us);
    set_time(object, "ended", run->ended_us);
    set_document(object, "parameters", run->parameters);
    set_document(object, "target", run->target);
    set_document(object, "drive", run->drive);
    set_document(object, "platform", run->platform);
    json_object_set_array_member(object, "warnings", warning_array(run->warnings));
    json_object_set_array_member(object, "events", event_array(run->events));
    json_object_set_array_member(object, "cells", cells);
    set_document(object, "analysis", run->analysis);
    json_object_set_array_member(object, "temperatures", temperature_array(run->temperatures));

    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(node, object);
    return node;
}

JsonNode *plt_export_json_node(const PltRun *run)
{
    return run_node(run, NULL);
}

static void append_row(GString *text, const struct plt_sample *sample)
{
    g_string_append_printf(text, "[%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%u,%" G_GUINT64_FORMAT,
                           sample->index, sample->duration_ns, sample->inflight, sample->oldest_ns);
    for (int op = 0; op < PLT_N_OPS; op++) {
        const struct plt_sample_op *figures = &sample->op[op];
        g_string_append_printf(text,
                               ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                               ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
                               figures->ios, figures->bytes, figures->lat_sum_ns, figures->lat_min_ns,
                               figures->lat_max_ns);
    }
    g_string_append_c(text, ']');
}

/* What samples_object makes, as text with a line for each sample. */
static void append_samples(GString *text, const PltCellRun *run)
{
    g_autoptr(JsonNode) columns = json_node_new(JSON_NODE_ARRAY);
    json_node_take_array(columns, sample_columns());
    g_autofree char *names = json_to_string(columns, FALSE);
    g_string_append_printf(text, "{\"tick_ns\":%" G_GUINT64_FORMAT ",\"columns\":%s,\"rows\":[", run->tick_ns,
                           names);
    for (guint i = 0; i < run->samples->len; i++) {
        g_string_append(text, i > 0 ? ",\n" : "\n");
        append_row(text, &g_array_index(run->samples, struct plt_sample, i));
    }
    g_string_append(text, "]}");
}

char *plt_export_json(const PltRun *run)
{
    g_autofree char *word = g_uuid_string_random();
    g_autofree char *quoted = g_strconcat("\"", word, "\"", NULL);
    g_autoptr(GPtrArray) runs = g_ptr_array_new();
    Later later = {word, runs};
    g_autoptr(JsonNode) node = run_node(run, &later);
    g_autofree char *raw = json_to_string(node, TRUE);
    g_autofree char *text = g_utf8_make_valid(raw, -1);

    GString *whole = g_string_new(NULL);
    const char *rest = text, *place;
    for (guint i = 0; i < runs->len && (place = strstr(rest, quoted)); i++) {
        g_string_append_len(whole, rest, place - rest);
        append_samples(whole, g_ptr_array_index(runs, i));
        rest = place + strlen(quoted);
    }
    g_string_append_printf(whole, "%s\n", rest);
    return g_string_free(whole, FALSE);
}
