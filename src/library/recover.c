/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/recover.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "library/load.h"
#include "library/lock.h"
#include "library/store.h"

/* What the samples of an unfinished cell run say. */
typedef struct {
    struct plt_sample_op op[PLT_N_OPS];
    guint64 window_ns;
} Sum;

static void add_op(struct plt_sample_op *sum, const struct plt_sample_op *op)
{
    if (op->ios == 0)
        return;
    sum->lat_min_ns = sum->ios == 0 ? op->lat_min_ns : MIN(sum->lat_min_ns, op->lat_min_ns);
    sum->lat_max_ns = MAX(sum->lat_max_ns, op->lat_max_ns);
    sum->lat_sum_ns += op->lat_sum_ns;
    sum->bytes += op->bytes;
    sum->ios += op->ios;
}

static void add_chunk(const struct plt_sample *samples, guint n_samples, gpointer user)
{
    Sum *sum = user;
    for (guint i = 0; i < n_samples; i++) {
        for (int op = 0; op < PLT_N_OPS; op++)
            add_op(&sum->op[op], &samples[i].op[op]);
        sum->window_ns += samples[i].duration_ns;
    }
}

/*
 * Rates, mean, minimum and maximum are the samples' own; the percentiles are those of the histogram that was
 * stored last, which may be a little older, or unknown if there was none.
 */
static struct plt_measure measure_of(const struct plt_sample_op *op, guint64 window_ns,
                                     const struct plt_histogram *histogram)
{
    struct plt_measure measure = plt_analysis_measure(op->ios, op->bytes, window_ns, histogram);
    measure.latency.min_ns = op->lat_min_ns;
    measure.latency.max_ns = op->lat_max_ns;
    measure.latency.mean_ns = op->ios > 0 ? (double)op->lat_sum_ns / (double)op->ios : 0;
    for (int p = 0; p < PLT_N_PERCENTILES; p++) {
        if (!histogram || histogram->count == 0) {
            measure.latency.percentile_ns[p] = NAN;
            measure.latency.reliable[p] = FALSE;
        }
    }
    return measure;
}

/* Figures over reads, writes and trims; flushes are no I/O of the workload (run.h). */
static void measure_total(PltCellRun *run, const Sum *sum)
{
    struct plt_sample_op total = {0};
    g_autofree struct plt_histogram *all = g_new0(struct plt_histogram, 1);
    plt_histogram_reset(all);
    for (int op = 0; op < PLT_OP_FLUSH; op++) {
        add_op(&total, &sum->op[op]);
        if (run->histogram[op])
            plt_histogram_merge(all, run->histogram[op]);
    }
    run->total = measure_of(&total, sum->window_ns, all);
}

static gboolean finish_cell_run(PltDatabase *database, PltCellRun *run, GError **error)
{
    g_autoptr(GError) damage = NULL;
    Sum sum = {0};
    /* Whatever can be read is kept: a damaged chunk ends the series, it does not lose what came before. */
    if (!plt_load_chunks(database, run->id, add_chunk, &sum, &damage) &&
        !g_error_matches(damage, PLT_ERROR, PLT_ERROR_FORMAT)) {
        g_propagate_error(error, g_steal_pointer(&damage));
        return FALSE;
    }
    for (int op = 0; op < PLT_N_OPS; op++)
        run->op[op] = measure_of(&sum.op[op], sum.window_ns, run->histogram[op]);
    measure_total(run, &sum);
    return plt_store_end_cell_run(database, run->id, run, NULL, error);
}

/* A cell run that was ended has its figures; one that was only begun has none, not even of no I/O. */
static gboolean is_unfinished(PltDatabase *database, gint64 cell_run_id, gboolean *unfinished, GError **error)
{
    g_autofree char *sql = g_strdup_printf("SELECT count(*) FROM figure WHERE op = '" PLT_STORE_TOTAL
                                           "' AND cell_run_id = %" G_GINT64_FORMAT,
                                           cell_run_id);
    gint64 figures = 0;
    if (!plt_database_number(database, sql, &figures, error))
        return FALSE;
    *unfinished = figures == 0;
    return TRUE;
}

static gint64 end_of(const PltCellRun *run)
{
    return run->started_us + (gint64)llround(run->total.seconds * 1e6);
}

/* Gives every unfinished cell run its figures; ENDED_US is when the last thing of the run was recorded. */
static gboolean finish_cells(PltDatabase *database, PltRun *run, gint64 *ended_us, GError **error)
{
    *ended_us = run->started_us;
    for (guint i = 0; i < run->cells->len; i++) {
        PltCell *cell = g_ptr_array_index(run->cells, i);
        for (guint k = 0; k < cell->runs->len; k++) {
            PltCellRun *cell_run = g_ptr_array_index(cell->runs, k);
            gboolean unfinished;
            if (!is_unfinished(database, cell_run->id, &unfinished, error) ||
                (unfinished && !finish_cell_run(database, cell_run, error)))
                return FALSE;
            *ended_us = MAX(*ended_us, end_of(cell_run));
        }
    }
    for (guint i = 0; i < run->events->len; i++) {
        const PltEvent *event = g_ptr_array_index(run->events, i);
        *ended_us = MAX(*ended_us, event->at_us);
    }
    return TRUE;
}

static gboolean interrupt_run(PltDatabase *database, gint64 id, gboolean *done, GError **error)
{
    g_autoptr(PltRun) run = plt_load_run(database, id, error);
    if (!run)
        return FALSE;
    if (run->status != PLT_RUN_RUNNING)
        return TRUE;

    gint64 ended_us;
    if (!plt_database_begin(database, error))
        return FALSE;
    if (!finish_cells(database, run, &ended_us, error) ||
        !plt_store_end_run(database, id, PLT_RUN_INTERRUPTED, NULL, ended_us, error) ||
        !plt_store_add_event(database, id, g_get_real_time(), "recovered", NULL, error)) {
        plt_database_rollback(database);
        return FALSE;
    }
    *done = plt_database_commit(database, error);
    return *done;
}

static GArray *running_ids(PltDatabase *database, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database, "SELECT id FROM run WHERE status = 'running' ORDER BY id", error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return NULL;
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(gint64));
    while (row) {
        gint64 id = sqlite3_column_int64(statement, 0);
        g_array_append_val(ids, id);
        if (!plt_database_step(database, statement, &row, error))
            return NULL;
    }
    return g_steal_pointer(&ids);
}

/* A run that cannot be read any more stays as it is, but does not say for ever that it is being measured. */
static gboolean close_damaged_run(PltDatabase *database, gint64 id, gboolean *done, GError **error)
{
    g_autofree char *sql = g_strdup_printf("SELECT started_us FROM run WHERE id = %" G_GINT64_FORMAT, id);
    gint64 started_us = 0;
    *done = plt_database_begin(database, error) && plt_database_number(database, sql, &started_us, error) &&
            plt_store_end_run(database, id, PLT_RUN_INTERRUPTED, NULL, started_us, error) &&
            plt_store_add_event(database, id, g_get_real_time(), "damaged", NULL, error) &&
            plt_database_commit(database, error);
    if (!*done)
        plt_database_rollback(database);
    return *done;
}

static gboolean recover_run(PltDatabase *database, gint64 id, gboolean *done, GError **error)
{
    g_autofree char *uuid = plt_load_uuid(database, id, error);
    if (!uuid)
        return FALSE;
    /* MISSING: it has ended since the list was made, or its lock file was removed by hand. Either way the
     * status, read once more, decides. */
    g_autoptr(PltLock) lock = NULL;
    if (plt_lock_try(database->path, uuid, &lock) == PLT_LOCK_HELD)
        return TRUE;
    g_autoptr(GError) failure = NULL;
    if (interrupt_run(database, id, done, &failure))
        return TRUE;
    if (g_error_matches(failure, PLT_ERROR, PLT_ERROR_FORMAT))
        return close_damaged_run(database, id, done, error);
    g_propagate_error(error, g_steal_pointer(&failure));
    return FALSE;
}

/* Lock files whose recorder was killed before its run was in the library, or after it was finished. */
static void remove_stale_locks(PltDatabase *database)
{
    g_auto(GStrv) uuids = plt_lock_list(database->path);
    for (guint i = 0; uuids[i]; i++) {
        g_autoptr(PltLock) lock = NULL;
        plt_lock_try(database->path, uuids[i], &lock);
    }
}

int plt_recover_runs(PltDatabase *database, GError **error)
{
    g_autoptr(GArray) ids = running_ids(database, error);
    if (!ids)
        return -1;
    int n_recovered = 0;
    for (guint i = 0; i < ids->len; i++) {
        gboolean done = FALSE;
        if (!recover_run(database, g_array_index(ids, gint64, i), &done, error))
            return -1;
        n_recovered += done ? 1 : 0;
    }
    remove_stale_locks(database);
    return n_recovered;
}
