/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/load.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "engine/engine.h"
#include "library/blob.h"
#include "library/store.h"

/* Binds ID to the only parameter of SQL. */
static sqlite3_stmt *prepare_for(PltDatabase *database, const char *sql, gint64 id, GError **error)
{
    sqlite3_stmt *statement = plt_database_prepare(database, sql, error);
    if (statement)
        sqlite3_bind_int64(statement, 1, id);
    return statement;
}

static gboolean no_such_run(gint64 id, GError **error)
{
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("There is no run %" PRId64 " in the library"), id);
    return FALSE;
}

static gboolean column_json(PltDatabase *database, sqlite3_stmt *statement, int column, JsonNode **node,
                            GError **error)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    if (!text)
        return TRUE;
    *node = json_from_string(text, NULL);
    return *node ? TRUE : plt_database_fail_damaged(database, "JSON", error);
}

static gboolean load_head(PltDatabase *database, PltRun *run, gint64 id, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        prepare_for(database,
                    "SELECT uuid, suite_id, suite_version, suite_name, chart, status, status_detail, "
                    "started_us, ended_us,"
                    " title, note, program, parameters, target, drive, platform FROM run WHERE id = ?1",
                    id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    if (!row)
        return no_such_run(id, error);

    run->id = id;
    run->uuid = plt_column_text(statement, 0);
    run->suite_id = plt_column_text(statement, 1);
    run->suite_version = (guint)sqlite3_column_int64(statement, 2);
    run->suite_name = plt_column_text(statement, 3);
    run->chart = plt_column_text(statement, 4);
    run->status_detail = plt_column_text(statement, 6);
    run->started_us = sqlite3_column_int64(statement, 7);
    run->ended_us = sqlite3_column_int64(statement, 8);
    run->title = plt_column_text(statement, 9);
    run->note = plt_column_text(statement, 10);
    run->program = plt_column_text(statement, 11);
    if (!plt_run_status_from_name((const char *)sqlite3_column_text(statement, 5), &run->status))
        return plt_database_fail_damaged(database, "status", error);
    return column_json(database, statement, 12, &run->parameters, error) &&
           column_json(database, statement, 13, &run->target, error) &&
           column_json(database, statement, 14, &run->drive, error) &&
           column_json(database, statement, 15, &run->platform, error);
}

static gboolean load_warnings(PltDatabase *database, PltRun *run, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = prepare_for(
        database, "SELECT warning_id, detail FROM warning WHERE run_id = ?1 ORDER BY id", run->id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        g_autofree char *id = plt_column_text(statement, 0);
        g_autofree char *detail = plt_column_text(statement, 1);
        g_ptr_array_add(run->warnings, plt_warning_new(id, detail));
        if (!plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean load_events(PltDatabase *database, PltRun *run, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = prepare_for(
        database, "SELECT at_us, kind, detail FROM event WHERE run_id = ?1 ORDER BY id", run->id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        g_autofree char *kind = plt_column_text(statement, 1);
        g_autofree char *detail = plt_column_text(statement, 2);
        g_ptr_array_add(run->events, plt_event_new(sqlite3_column_int64(statement, 0), kind, detail));
        if (!plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean op_from_name(const char *name, enum plt_op *op)
{
    for (int i = 0; name && i < PLT_N_OPS; i++) {
        if (strcmp(name, plt_op_name((enum plt_op)i)) == 0) {
            *op = (enum plt_op)i;
            return TRUE;
        }
    }
    return FALSE;
}

static double column_known(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL ? NAN
                                                                 : sqlite3_column_double(statement, column);
}

static struct plt_measure column_measure(sqlite3_stmt *statement)
{
    struct plt_measure measure = {
        .ios = (guint64)sqlite3_column_int64(statement, 1),
        .bytes = (guint64)sqlite3_column_int64(statement, 2),
        .seconds = sqlite3_column_double(statement, 3),
        .bandwidth_bps = sqlite3_column_double(statement, 4),
        .iops = sqlite3_column_double(statement, 5),
        .latency.min_ns = (guint64)sqlite3_column_int64(statement, 6),
        .latency.max_ns = (guint64)sqlite3_column_int64(statement, 7),
        .latency.mean_ns = column_known(statement, 8),
    };
    gint64 unreliable = sqlite3_column_int64(statement, 9);
    for (int p = 0; p < PLT_N_PERCENTILES; p++) {
        measure.latency.percentile_ns[p] = column_known(statement, 10 + p);
        measure.latency.reliable[p] = (unreliable & 1 << p) == 0 && !isnan(measure.latency.percentile_ns[p]);
    }
    return measure;
}

static gboolean load_figures(PltDatabase *database, PltCellRun *run, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        prepare_for(database,
                    "SELECT op, ios, bytes, seconds, bandwidth_bps, iops, lat_min_ns, lat_max_ns,"
                    " lat_mean_ns, unreliable, " PLT_STORE_PERCENTILES " FROM figure WHERE cell_run_id = ?1",
                    run->id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        enum plt_op op;
        if (g_strcmp0(name, PLT_STORE_TOTAL) == 0)
            run->total = column_measure(statement);
        else if (op_from_name(name, &op))
            run->op[op] = column_measure(statement);
        else
            return plt_database_fail_damaged(database, "figure", error);
        if (!plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean load_histograms(PltDatabase *database, PltCellRun *run, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        prepare_for(database, "SELECT op, data FROM histogram WHERE cell_run_id = ?1", run->id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        enum plt_op op;
        if (!op_from_name((const char *)sqlite3_column_text(statement, 0), &op))
            return plt_database_fail_damaged(database, "histogram", error);
        const guint8 *data = sqlite3_column_blob(statement, 1);
        gsize size = (gsize)sqlite3_column_bytes(statement, 1);
        g_clear_pointer(&run->histogram[op], g_free);
        run->histogram[op] = plt_blob_read_histogram(data, size, NULL);
        if (!run->histogram[op])
            return plt_database_fail_damaged(database, "histogram", error);
        if (!plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean load_stalls(PltDatabase *database, PltCellRun *run, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = prepare_for(
        database, "SELECT start_ns, length_ns, inflight FROM stall WHERE cell_run_id = ?1 ORDER BY start_ns",
        run->id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        struct plt_stall stall = {
            .start_ns = (guint64)sqlite3_column_int64(statement, 0),
            .length_ns = (guint64)sqlite3_column_int64(statement, 1),
            .inflight = (guint32)sqlite3_column_int64(statement, 2),
        };
        g_array_append_val(run->stalls, stall);
        if (!plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

gboolean plt_load_n_samples(PltDatabase *database, gint64 cell_run_id, guint64 *n_samples, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = prepare_for(
        database, "SELECT first + count FROM sample_chunk WHERE cell_run_id = ?1 ORDER BY first DESC LIMIT 1",
        cell_run_id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    *n_samples = row ? (guint64)sqlite3_column_int64(statement, 0) : 0;
    return TRUE;
}

static gboolean load_cell_run(PltDatabase *database, PltCellRun *run, GError **error)
{
    return plt_load_n_samples(database, run->id, &run->n_samples, error) &&
           load_figures(database, run, error) && load_histograms(database, run, error) &&
           load_stalls(database, run, error);
}

static gboolean load_cell_runs(PltDatabase *database, PltCell *cell, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = prepare_for(database,
                                                    "SELECT id, warmup, complete, started_us, tick_ns, "
                                                    "engine FROM cell_run WHERE cell_id = ?1 ORDER BY id",
                                                    cell->id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        PltCellRun *run = plt_cell_run_new();
        g_ptr_array_add(cell->runs, run);
        run->id = sqlite3_column_int64(statement, 0);
        run->warmup = sqlite3_column_int64(statement, 1) != 0;
        run->complete = sqlite3_column_int64(statement, 2) != 0;
        run->started_us = sqlite3_column_int64(statement, 3);
        run->tick_ns = (guint64)sqlite3_column_int64(statement, 4);
        if (!column_json(database, statement, 5, &run->engine, error) ||
            !load_cell_run(database, run, error) || !plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

/* The cell of a row of load_cells; NULL if a name in it is none. */
static PltCell *column_cell(sqlite3_stmt *statement)
{
    g_autofree char *id = plt_column_text(statement, 1), *label = plt_column_text(statement, 2);
    g_autofree char *role = plt_column_text(statement, 11);
    PltCellSpec spec = {
        .id = id,
        .label = label,
        .block = (guint32)sqlite3_column_int64(statement, 4),
        .queue = (guint)sqlite3_column_int64(statement, 5),
        .threads = (guint)sqlite3_column_int64(statement, 6),
        .read_percent = (guint)sqlite3_column_int64(statement, 8),
        .role = role,
    };
    PltScoreRule rule;
    if (!plt_cell_pattern_from_name((const char *)sqlite3_column_text(statement, 3), &spec.pattern) ||
        !plt_cell_op_from_name((const char *)sqlite3_column_text(statement, 7), &spec.op) ||
        !plt_cell_sync_from_name((const char *)sqlite3_column_text(statement, 9), &spec.sync) ||
        !plt_score_rule_from_name((const char *)sqlite3_column_text(statement, 10), &rule))
        return NULL;
    PltCell *cell = plt_cell_new(&spec, rule);
    cell->id = sqlite3_column_int64(statement, 0);
    return cell;
}

static gboolean load_cells(PltDatabase *database, PltRun *run, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = prepare_for(
        database,
        "SELECT id, cell_id, label, pattern, block, queue, threads, op, read_percent, sync, score_rule,"
        " role FROM cell WHERE run_id = ?1 ORDER BY id",
        run->id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        PltCell *cell = column_cell(statement);
        if (!cell)
            return plt_database_fail_damaged(database, "cell", error);
        g_ptr_array_add(run->cells, cell);
        if (!load_cell_runs(database, cell, error) || !plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean load_temperatures(PltDatabase *database, PltRun *run, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = prepare_for(
        database, "SELECT at_us, celsius FROM temperature WHERE run_id = ?1 ORDER BY at_us", run->id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        PltTemperature temperature = {sqlite3_column_int64(statement, 0),
                                      sqlite3_column_double(statement, 1)};
        g_array_append_val(run->temperatures, temperature);
        if (!plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

PltRun *plt_load_run(PltDatabase *database, gint64 id, GError **error)
{
    g_autoptr(PltRun) run = plt_run_new();
    /* One read transaction: a recorder may be writing this very run. */
    if (!plt_database_exec(database, "BEGIN", error))
        return NULL;
    gboolean loaded = load_head(database, run, id, error) && load_warnings(database, run, error) &&
                      load_events(database, run, error) && load_cells(database, run, error) &&
                      load_temperatures(database, run, error);
    plt_database_rollback(database);
    return loaded ? g_steal_pointer(&run) : NULL;
}

/* The row of plt_load_chunks as samples; FALSE unless it is exactly the chunk that comes next. */
static gboolean column_chunk(sqlite3_stmt *statement, gint64 expected, GArray *chunk)
{
    g_array_set_size(chunk, 0);
    return sqlite3_column_int64(statement, 0) == expected &&
           plt_blob_read_samples(sqlite3_column_blob(statement, 2), (gsize)sqlite3_column_bytes(statement, 2),
                                 chunk, NULL) &&
           sqlite3_column_int64(statement, 1) == chunk->len;
}

gboolean plt_load_chunks(PltDatabase *database, gint64 cell_run_id, PltChunkFunc func, gpointer user,
                         GError **error)
{
    g_autoptr(sqlite3_stmt) statement = prepare_for(
        database, "SELECT first, count, data FROM sample_chunk WHERE cell_run_id = ?1 ORDER BY first",
        cell_run_id, error);
    g_autoptr(GArray) chunk = g_array_new(FALSE, FALSE, sizeof(struct plt_sample));
    gint64 expected = 0;
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    while (row) {
        if (!column_chunk(statement, expected, chunk))
            return plt_database_fail_damaged(database, "samples", error);
        func(&g_array_index(chunk, struct plt_sample, 0), chunk->len, user);
        expected += chunk->len;
        if (!plt_database_step(database, statement, &row, error))
            return FALSE;
    }
    return TRUE;
}

static void append_chunk(const struct plt_sample *samples, guint n_samples, gpointer user)
{
    g_array_append_vals(user, samples, n_samples);
}

gboolean plt_load_samples(PltDatabase *database, gint64 cell_run_id, GArray *samples, GError **error)
{
    return plt_load_chunks(database, cell_run_id, append_chunk, samples, error);
}

char *plt_load_uuid(PltDatabase *database, gint64 id, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        prepare_for(database, "SELECT uuid FROM run WHERE id = ?1", id, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return NULL;
    if (!row) {
        no_such_run(id, error);
        return NULL;
    }
    return plt_column_text(statement, 0);
}
