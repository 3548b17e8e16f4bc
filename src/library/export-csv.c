/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/export.h"

#include <math.h>

#include "analysis/fill-log.h"
#include "engine/engine.h"
#include "library/export-rows.h"
#include "library/export-stream.h"

/* RFC 4180: lines end with CR LF, a field is quoted when it holds a quote, a comma or a line break. */
#define LINE_END "\r\n"

static void add_comma(GString *line)
{
    if (line->len > 0 && line->str[line->len - 1] != '\n')
        g_string_append_c(line, ',');
}

static void add_text(GString *line, const char *text)
{
    add_comma(line);
    if (!text)
        return;
    if (!strpbrk(text, "\",\r\n")) {
        g_string_append(line, text);
        return;
    }
    g_string_append_c(line, '"');
    for (; *text; text++) {
        if (*text == '"')
            g_string_append_c(line, '"');
        g_string_append_c(line, *text);
    }
    g_string_append_c(line, '"');
}

static void add_int(GString *line, guint64 value)
{
    add_comma(line);
    g_string_append_printf(line, "%" G_GUINT64_FORMAT, value);
}

/* Empty for what is not known. */
static void add_number(GString *line, double value, int decimals)
{
    g_autofree char *text = isnan(value) ? NULL : plt_export_number(value, decimals, FALSE);
    add_text(line, text);
}

static void add_latency(GString *line, const struct plt_measure *measure)
{
    const struct plt_latency *latency = &measure->latency;
    gboolean known = plt_export_latency_known(measure);
    add_number(line, known ? (double)latency->min_ns : NAN, 0);
    add_number(line, known ? latency->mean_ns : NAN, 1);
    for (int p = 0; p < PLT_N_PERCENTILES; p++)
        add_number(line, known && latency->reliable[p] ? latency->percentile_ns[p] : NAN, 0);
    add_number(line, known ? (double)latency->max_ns : NAN, 0);
}

static void add_cell(GString *line, const PltRun *run, const PltCell *cell)
{
    const PltCellSpec *spec = &cell->spec;
    add_int(line, (guint64)run->id);
    add_text(line, run->uuid);
    add_text(line, run->suite_id);
    add_text(line, plt_run_status_name(run->status));
    add_text(line, spec->id);
    add_text(line, spec->label);
    add_text(line, plt_cell_pattern_name(spec->pattern));
    add_int(line, spec->block);
    add_int(line, spec->queue);
    add_int(line, spec->threads);
    add_text(line, plt_cell_op_name(spec->op));
    add_int(line, spec->read_percent);
    add_text(line, plt_cell_sync_name(spec->sync));
}

static void add_line(GString *csv, const PltRun *run, const PltCell *cell, guint number, const char *op,
                     const struct plt_measure *measure)
{
    const PltCellRun *cell_run = g_ptr_array_index(cell->runs, number);
    add_cell(csv, run, cell);
    add_int(csv, number);
    add_int(csv, cell_run->warmup ? 1 : 0);
    add_int(csv, cell_run->complete ? 1 : 0);
    add_int(csv, plt_cell_score(cell) == cell_run ? 1 : 0);
    add_int(csv, (guint64)cell_run->started_us);
    add_text(csv, op);
    add_number(csv, measure->bandwidth_bps, 0);
    add_number(csv, measure->iops, 2);
    add_int(csv, measure->ios);
    add_int(csv, measure->bytes);
    add_number(csv, measure->seconds, 9);
    add_latency(csv, measure);
    add_int(csv, cell_run->stalls->len);
    g_string_append(csv, LINE_END);
}

static void add_cell_run(GString *csv, const PltRun *run, const PltCell *cell, guint number)
{
    const PltCellRun *cell_run = g_ptr_array_index(cell->runs, number);
    guint n_ops = 0;
    for (int op = 0; op < PLT_OP_FLUSH; op++)
        n_ops += cell_run->op[op].ios > 0;
    if (n_ops != 1)
        add_line(csv, run, cell, number, "total", &cell_run->total);
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (cell_run->op[op].ios > 0)
            add_line(csv, run, cell, number, plt_op_name((enum plt_op)op), &cell_run->op[op]);
    }
}

char *plt_export_csv(const PltRun *run)
{
    GString *csv = g_string_new(
        "run_id,uuid,suite,status,cell,label,pattern,block,queues,threads,cell_op,read_percent,sync,"
        "run,warmup,complete,score,started_us,op,bandwidth_bps,iops,ios,bytes,seconds,"
        "latency_min_ns,latency_mean_ns");
    for (int p = 0; p < PLT_N_PERCENTILES; p++)
        g_string_append_printf(csv, ",latency_%s_ns", plt_percentile_key((enum plt_percentile)p));
    g_string_append(csv, ",latency_max_ns,stalls" LINE_END);
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(run->cells, i);
        for (guint k = 0; k < cell->runs->len; k++)
            add_cell_run(csv, run, cell, k);
    }
    return g_string_free(csv, FALSE);
}

static void add_sample(GString *csv, const PltCell *cell, guint number, const struct plt_sample *sample)
{
    add_text(csv, cell->spec.id);
    add_int(csv, number);
    add_int(csv, sample->index);
    add_int(csv, sample->duration_ns);
    add_int(csv, sample->inflight);
    add_int(csv, sample->oldest_ns);
    for (int op = 0; op < PLT_N_OPS; op++) {
        add_int(csv, sample->op[op].ios);
        add_int(csv, sample->op[op].bytes);
        add_int(csv, sample->op[op].lat_sum_ns);
        add_int(csv, sample->op[op].lat_min_ns);
        add_int(csv, sample->op[op].lat_max_ns);
    }
    g_string_append(csv, LINE_END);
}

static void add_samples(GString *csv, const PltCell *cell)
{
    for (guint k = 0; k < cell->runs->len; k++) {
        const PltCellRun *run = g_ptr_array_index(cell->runs, k);
        for (guint i = 0; run->samples && i < run->samples->len; i++)
            add_sample(csv, cell, k, &g_array_index(run->samples, struct plt_sample, i));
    }
}

static GString *samples_header(void)
{
    GString *csv = g_string_new("cell,run,tick,duration_ns,inflight,oldest_ns");
    for (int op = 0; op < PLT_N_OPS; op++) {
        const char *name = plt_op_name((enum plt_op)op);
        g_string_append_printf(csv, ",%s_ios,%s_bytes,%s_lat_sum_ns,%s_lat_min_ns,%s_lat_max_ns", name, name,
                               name, name, name);
    }
    g_string_append(csv, LINE_END);
    return csv;
}

char *plt_export_samples_csv(const PltRun *run)
{
    GString *csv = samples_header();
    for (guint i = 0; i < run->cells->len; i++)
        add_samples(csv, g_ptr_array_index(run->cells, i));
    return g_string_free(csv, FALSE);
}

/* A window that is on its way out. After a failure of FUNC what follows is dropped. */
typedef struct {
    const PltCell *cell;
    guint number;
    GString *text;
    struct plt_fill_log log;
    PltExportFunc func;
    gpointer user;
    GError *error;
} Stream;

static void hand_on(Stream *stream)
{
    if (!stream->error)
        stream->func(stream->text->str, stream->text->len, stream->user, &stream->error);
    g_string_truncate(stream->text, 0);
}

static void on_samples(const struct plt_sample *samples, guint n_samples, gpointer user)
{
    Stream *stream = user;
    for (guint i = 0; i < n_samples; i++)
        add_sample(stream->text, stream->cell, stream->number, &samples[i]);
    hand_on(stream);
}

static void add_entry(const struct plt_fill_log_entry *entry, void *user)
{
    Stream *stream = user;
    add_text(stream->text, stream->cell->spec.id);
    add_int(stream->text, stream->number);
    add_number(stream->text, entry->thousandth / 10.0, 1);
    add_number(stream->text, entry->seconds, 3);
    add_number(stream->text, entry->rate_bps, 0);
    g_string_append(stream->text, LINE_END);
}

static void on_log_samples(const struct plt_sample *samples, guint n_samples, gpointer user)
{
    Stream *stream = user;
    for (guint i = 0; i < n_samples; i++)
        plt_fill_log_add(&stream->log, samples[i].duration_ns,
                         samples[i].op[PLT_OP_READ].bytes + samples[i].op[PLT_OP_WRITE].bytes, add_entry,
                         stream);
    hand_on(stream);
}

/* Bytes that the window was to move, as the runner noted it, or moved. */
static guint64 planned_bytes(const PltCellRun *run)
{
    JsonObject *engine = run->engine ? json_node_get_object(run->engine) : NULL;
    JsonObject *space = engine && json_object_has_member(engine, "space")
                            ? json_object_get_object_member(engine, "space")
                            : NULL;
    return space ? (guint64)json_object_get_int_member_with_default(space, "planned", 0) : run->total.bytes;
}

static gboolean stream_cells(PltLibrary *library, const PltRun *run, Stream *stream, PltSamplesFunc func,
                             GError **error)
{
    hand_on(stream);
    for (guint i = 0; i < run->cells->len && !stream->error; i++) {
        stream->cell = g_ptr_array_index(run->cells, i);
        for (guint k = 0; k < stream->cell->runs->len && !stream->error; k++) {
            const PltCellRun *cell_run = g_ptr_array_index(stream->cell->runs, k);
            stream->number = k;
            stream->log = (struct plt_fill_log){.total = planned_bytes(cell_run)};
            if (!plt_library_each_samples(library, cell_run, func, stream, error)) {
                g_clear_error(&stream->error);
                return FALSE;
            }
        }
    }
    if (!stream->error)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&stream->error));
    return FALSE;
}

gboolean plt_export_stream_samples(PltLibrary *library, const PltRun *run, PltExportFunc func, gpointer user,
                                   GError **error)
{
    g_autoptr(GString) text = samples_header();
    Stream stream = {.text = text, .func = func, .user = user};
    return stream_cells(library, run, &stream, on_samples, error);
}

gboolean plt_export_stream_log(PltLibrary *library, const PltRun *run, PltExportFunc func, gpointer user,
                               GError **error)
{
    g_autoptr(GString) text = g_string_new("cell,run,percent,seconds,bandwidth_bps" LINE_END);
    Stream stream = {.text = text, .func = func, .user = user};
    return stream_cells(library, run, &stream, on_log_samples, error);
}
