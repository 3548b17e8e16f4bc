/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/store.h"

#include "engine/engine.h"
#include "library/blob.h"
#include "library/document.h"

static gint64 insert(PltDatabase *database, sqlite3_stmt *statement, GError **error)
{
    if (!plt_database_done(database, statement, error))
        return 0;
    return sqlite3_last_insert_rowid(database->db);
}

static void bind_json(sqlite3_stmt *statement, int place, JsonNode *node)
{
    g_autofree char *text = plt_document_text(node);
    plt_bind_text(statement, place, text);
}

gint64 plt_store_add_run(PltDatabase *database, const PltRun *run, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        database,
        "INSERT INTO run (uuid, suite_id, suite_version, suite_name, chart, status, status_detail, "
        "started_us,"
        " ended_us, title, note, program, drive_model, target_text, parameters, target, drive, platform)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        error);
    if (!statement)
        return 0;
    g_autofree char *model = plt_document_drive(run->drive);
    g_autofree char *target = plt_document_target(run->target);
    plt_bind_text(statement, 1, run->uuid);
    plt_bind_text(statement, 2, run->suite_id ? run->suite_id : "");
    sqlite3_bind_int64(statement, 3, run->suite_version);
    plt_bind_text(statement, 4, run->suite_name ? run->suite_name : "");
    plt_bind_text(statement, 5, run->chart);
    plt_bind_text(statement, 6, plt_run_status_name(run->status));
    plt_bind_text(statement, 7, run->status_detail);
    sqlite3_bind_int64(statement, 8, run->started_us);
    sqlite3_bind_int64(statement, 9, run->ended_us);
    plt_bind_text(statement, 10, run->title);
    plt_bind_text(statement, 11, run->note);
    plt_bind_text(statement, 12, run->program);
    plt_bind_text(statement, 13, model);
    plt_bind_text(statement, 14, target);
    bind_json(statement, 15, run->parameters);
    bind_json(statement, 16, run->target);
    bind_json(statement, 17, run->drive);
    bind_json(statement, 18, run->platform);
    return insert(database, statement, error);
}

gint64 plt_store_add_cell(PltDatabase *database, gint64 run_id, const PltCellSpec *spec, PltScoreRule rule,
                          GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database,
                             "INSERT INTO cell (run_id, cell_id, label, pattern, block, queue, threads, op,"
                             " read_percent, sync, score_rule, role)"
                             " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                             error);
    if (!statement)
        return 0;
    sqlite3_bind_int64(statement, 1, run_id);
    plt_bind_text(statement, 2, spec->id ? spec->id : "");
    plt_bind_text(statement, 3, spec->label ? spec->label : "");
    plt_bind_text(statement, 4, plt_cell_pattern_name(spec->pattern));
    sqlite3_bind_int64(statement, 5, spec->block);
    sqlite3_bind_int64(statement, 6, spec->queue);
    sqlite3_bind_int64(statement, 7, spec->threads);
    plt_bind_text(statement, 8, plt_cell_op_name(spec->op));
    sqlite3_bind_int64(statement, 9, spec->read_percent);
    plt_bind_text(statement, 10, plt_cell_sync_name(spec->sync));
    plt_bind_text(statement, 11, plt_score_rule_name(rule));
    plt_bind_text(statement, 12, spec->role);
    return insert(database, statement, error);
}

gint64 plt_store_add_cell_run(PltDatabase *database, gint64 cell_id, gboolean warmup, gint64 started_us,
                              guint64 tick_ns, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database,
                             "INSERT INTO cell_run (cell_id, warmup, complete, started_us, tick_ns)"
                             " VALUES (?1, ?2, 0, ?3, ?4)",
                             error);
    if (!statement)
        return 0;
    sqlite3_bind_int64(statement, 1, cell_id);
    sqlite3_bind_int64(statement, 2, warmup ? 1 : 0);
    sqlite3_bind_int64(statement, 3, started_us);
    sqlite3_bind_int64(statement, 4, (gint64)tick_ns);
    return insert(database, statement, error);
}

gboolean plt_store_add_warning(PltDatabase *database, gint64 run_id, const char *id, const char *detail,
                               GError **error)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        database, "INSERT INTO warning (run_id, warning_id, detail) VALUES (?1, ?2, ?3)", error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, run_id);
    plt_bind_text(statement, 2, id);
    plt_bind_text(statement, 3, detail);
    return plt_database_done(database, statement, error);
}

gboolean plt_store_add_event(PltDatabase *database, gint64 run_id, gint64 at_us, const char *kind,
                             const char *detail, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        database, "INSERT INTO event (run_id, at_us, kind, detail) VALUES (?1, ?2, ?3, ?4)", error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, at_us);
    plt_bind_text(statement, 3, kind);
    plt_bind_text(statement, 4, detail);
    return plt_database_done(database, statement, error);
}

gboolean plt_store_add_temperature(PltDatabase *database, gint64 run_id, const PltTemperature *temperature,
                                   GError **error)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        database, "INSERT OR REPLACE INTO temperature (run_id, at_us, celsius) VALUES (?1, ?2, ?3)", error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, temperature->at_us);
    sqlite3_bind_double(statement, 3, temperature->celsius);
    return plt_database_done(database, statement, error);
}

gboolean plt_store_put_analysis(PltDatabase *database, gint64 run_id, int version, JsonNode *document,
                                GError **error)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        database, "INSERT OR REPLACE INTO analysis (run_id, version, document) VALUES (?1, ?2, ?3)", error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, version);
    bind_json(statement, 3, document);
    return plt_database_done(database, statement, error);
}

gboolean plt_store_put_samples(PltDatabase *database, gint64 cell_run_id, guint64 first,
                               const struct plt_sample *samples, gsize n_samples, guint64 tick_ns,
                               GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database,
                             "INSERT INTO sample_chunk (cell_run_id, first, count, data)"
                             " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (cell_run_id, first)"
                             " DO UPDATE SET count = excluded.count, data = excluded.data",
                             error);
    if (!statement)
        return FALSE;
    g_autoptr(GByteArray) blob = plt_blob_write_samples(samples, n_samples, tick_ns);
    sqlite3_bind_int64(statement, 1, cell_run_id);
    sqlite3_bind_int64(statement, 2, (gint64)first);
    sqlite3_bind_int64(statement, 3, (gint64)n_samples);
    sqlite3_bind_blob64(statement, 4, blob->data, blob->len, SQLITE_STATIC);
    return plt_database_done(database, statement, error);
}

gboolean plt_store_put_histogram(PltDatabase *database, gint64 cell_run_id, enum plt_op op,
                                 const GByteArray *blob, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database,
                             "INSERT INTO histogram (cell_run_id, op, data) VALUES (?1, ?2, ?3)"
                             " ON CONFLICT (cell_run_id, op) DO UPDATE SET data = excluded.data",
                             error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, cell_run_id);
    plt_bind_text(statement, 2, plt_op_name(op));
    sqlite3_bind_blob64(statement, 3, blob->data, blob->len, SQLITE_STATIC);
    return plt_database_done(database, statement, error);
}

static gboolean put_figure(PltDatabase *database, gint64 cell_run_id, const char *op,
                           const struct plt_measure *measure, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        database,
        "INSERT OR REPLACE INTO figure (cell_run_id, op, ios, bytes, seconds,"
        " bandwidth_bps, iops, lat_min_ns, lat_max_ns, lat_mean_ns,"
        " unreliable, " PLT_STORE_PERCENTILES ") VALUES"
        " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
        error);
    if (!statement)
        return FALSE;
    const struct plt_latency *latency = &measure->latency;
    gint64 unreliable = 0;
    sqlite3_bind_int64(statement, 1, cell_run_id);
    plt_bind_text(statement, 2, op);
    sqlite3_bind_int64(statement, 3, (gint64)measure->ios);
    sqlite3_bind_int64(statement, 4, (gint64)measure->bytes);
    sqlite3_bind_double(statement, 5, measure->seconds);
    sqlite3_bind_double(statement, 6, measure->bandwidth_bps);
    sqlite3_bind_double(statement, 7, measure->iops);
    sqlite3_bind_int64(statement, 8, (gint64)latency->min_ns);
    sqlite3_bind_int64(statement, 9, (gint64)latency->max_ns);
    sqlite3_bind_double(statement, 10, latency->mean_ns);
    for (int p = 0; p < PLT_N_PERCENTILES; p++) {
        sqlite3_bind_double(statement, 12 + p, latency->percentile_ns[p]); /* NAN becomes NULL */
        if (!latency->reliable[p])
            unreliable |= 1 << p;
    }
    sqlite3_bind_int64(statement, 11, unreliable);
    return plt_database_done(database, statement, error);
}

static gboolean put_stalls(PltDatabase *database, gint64 cell_run_id, const GArray *stalls, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database,
                             "INSERT OR REPLACE INTO stall (cell_run_id, start_ns, length_ns, inflight)"
                             " VALUES (?1, ?2, ?3, ?4)",
                             error);
    if (!statement)
        return FALSE;
    for (guint i = 0; i < stalls->len; i++) {
        const struct plt_stall *stall = &g_array_index(stalls, struct plt_stall, i);
        sqlite3_bind_int64(statement, 1, cell_run_id);
        sqlite3_bind_int64(statement, 2, (gint64)stall->start_ns);
        sqlite3_bind_int64(statement, 3, (gint64)stall->length_ns);
        sqlite3_bind_int64(statement, 4, stall->inflight);
        if (!plt_database_done(database, statement, error))
            return FALSE;
        sqlite3_reset(statement);
    }
    return TRUE;
}

static gboolean put_cell_run(PltDatabase *database, gint64 cell_run_id, const PltCellRun *run,
                             const char *engine, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database, "UPDATE cell_run SET complete = ?2, engine = ?3 WHERE id = ?1", error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, cell_run_id);
    sqlite3_bind_int64(statement, 2, run->complete ? 1 : 0);
    plt_bind_text(statement, 3, engine);
    return plt_database_done(database, statement, error);
}

gboolean plt_store_end_cell_run(PltDatabase *database, gint64 cell_run_id, const PltCellRun *run,
                                const char *engine, GError **error)
{
    if (!put_cell_run(database, cell_run_id, run, engine, error) ||
        !put_figure(database, cell_run_id, PLT_STORE_TOTAL, &run->total, error) ||
        !put_stalls(database, cell_run_id, run->stalls, error))
        return FALSE;
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (run->op[op].ios > 0 && !put_figure(database, cell_run_id, plt_op_name(op), &run->op[op], error))
            return FALSE;
    }
    return TRUE;
}

gboolean plt_store_end_run(PltDatabase *database, gint64 run_id, PltRunStatus status, const char *detail,
                           gint64 ended_us, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        database, "UPDATE run SET status = ?2, status_detail = ?3, ended_us = ?4 WHERE id = ?1", error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, run_id);
    plt_bind_text(statement, 2, plt_run_status_name(status));
    plt_bind_text(statement, 3, detail);
    sqlite3_bind_int64(statement, 4, ended_us);
    return plt_database_done(database, statement, error);
}
