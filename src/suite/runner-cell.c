/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "suite/failure.h"
#include "suite/runner-private.h"
#include "suite/space.h"

/*
 * Before the first window of a cell the queue is filled and the submit cap tuned (five trials of 60 ms); the
 * windows after it keep that cap and only fill the queue.
 */
#define FIRST_RAMP_NS G_GUINT64_CONSTANT(360000000)
#define RAMP_NS G_GUINT64_CONSTANT(100000000)

/* The file is written as fast as the drive takes it, in blocks that no drive is slow with. */
#define PREPARE_BLOCK (G_GUINT64_CONSTANT(1) << 20)
#define PREPARE_QUEUE 8

/* How long a drive that was told to stop may take before the run says that it does not answer. */
#define RESPONSE_LIMIT_MS 2000

#define CEILING_NS G_GUINT64_CONSTANT(40000000)

/* Percentiles of the last second for the live view, once a second: they are worth no more of a processor. */
#define LOOK_NS G_GUINT64_CONSTANT(1000000000)

static void look_at_latency(PltRunner *runner, const struct plt_sample *sample)
{
    guint64 end_ns = (sample->index + 1) * sample->duration_ns;
    struct plt_histogram *since = runner->now;

    if (runner->func == NULL || end_ns < runner->next_look_ns)
        return;
    runner->next_look_ns = end_ns + LOOK_NS;
    plt_histogram_reset(since);
    plt_engine_peek(runner->engine, PLT_OP_READ, since);
    plt_engine_peek(runner->engine, PLT_OP_WRITE, since);
    plt_histogram_subtract(since, runner->seen);
    runner->progress.p50_ns = plt_histogram_percentile_ns(since, 0.5);
    runner->progress.p99_ns = plt_histogram_percentile_ns(since, 0.99);
    plt_histogram_merge(runner->seen, since);
}

/*
 * What an interrupted run will have its percentiles from. A histogram is written whole, a few KB, so not more
 * often than every other second.
 */
#define KEEP_NS G_GUINT64_CONSTANT(2000000000)

static void peek(PltRunner *runner, int op)
{
    plt_histogram_reset(runner->now);
    plt_engine_peek(runner->engine, op, runner->now);
    if (runner->sum != NULL && runner->sum->histograms[op] != NULL)
        plt_histogram_merge(runner->now, runner->sum->histograms[op]);
}

static void keep_latency(PltRunner *runner, const struct plt_sample *sample)
{
    guint64 end_ns = (sample->index + 1) * sample->duration_ns;

    if (!runner->recording || end_ns < runner->next_keep_ns)
        return;
    runner->next_keep_ns = end_ns + KEEP_NS;
    for (int op = PLT_OP_READ; op <= PLT_OP_WRITE; op++) {
        peek(runner, op);
        if (runner->now->count > 0)
            plt_recorder_set_histogram(runner->recorder, op, runner->now);
    }
}

/*
 * Setting up takes a while that nobody knows beforehand, so the beginning is told with the first sample,
 * which knows how long ago it was.
 */
static void begin_window(PltRunner *runner)
{
    PltCellRun *cell_run = g_steal_pointer(&runner->to_begin);
    gint64 ago_us = runner->engine != NULL ? (gint64)plt_engine_elapsed_ns(runner->engine) / 1000 : 0;

    if (cell_run == NULL)
        return;
    cell_run->started_us = g_get_real_time() - ago_us;
    plt_recorder_begin_cell_run(runner->recorder, cell_run->warmup, cell_run->started_us, cell_run->tick_ns);
}

/* What another program needs comes first: once a second is looked whether enough is left. */
static gboolean has_space(PltRunner *runner, const struct plt_sample *sample)
{
    guint64 end_ns = (sample->index + 1) * sample->duration_ns;

    if (runner->leave == 0 || end_ns < runner->next_space_ns)
        return TRUE;
    runner->next_space_ns = end_ns + LOOK_NS;
    runner->is_short =
        plt_space_is_short(plt_folder_free_bytes(plt_target_get_folder(runner->target)), runner->leave);
    return !runner->is_short;
}

gboolean plt_runner_take_sample(PltRunner *runner, const struct plt_sample *sample)
{
    double bytes = (double)(sample->op[PLT_OP_READ].bytes + sample->op[PLT_OP_WRITE].bytes);

    runner->progress.written += sample->op[PLT_OP_WRITE].bytes;
    runner->goal_done += sample->op[PLT_OP_READ].bytes + sample->op[PLT_OP_WRITE].bytes;
    runner->progress.bandwidth_bps = sample->duration_ns != 0 ? bytes * 1e9 / (double)sample->duration_ns : 0;
    if (runner->recording) {
        begin_window(runner);
        plt_recorder_add_sample(runner->recorder, sample);
    }
    if (runner->engine != NULL) {
        look_at_latency(runner, sample);
        keep_latency(runner, sample);
    }
    plt_runner_show(runner, sample);
    return has_space(runner, sample);
}

static bool on_sample(const struct plt_sample *sample, void *user)
{
    PltRunner *runner = user;
    struct plt_sample placed = *sample;

    if (runner->sum != NULL)
        plt_load_sum_place(runner->sum, &placed);
    return plt_runner_take_sample(runner, &placed);
}

static void on_cancelled(GCancellable *cancellable, gpointer engine)
{
    plt_engine_cancel(engine);
}

/*
 * A file system answers for a drive that is gone with a plain I/O error, and the kernel takes the drive off
 * its list a moment (0.1 s; some drivers 1 s) after the first one. A drive that was pulled before the load
 * has no bytes left, so that writing to it says "no space".
 */
static void name_unplugging(const PltRunner *runner, struct plt_engine_error *error)
{
    if (error->phase != PLT_PHASE_IO || (error->code != EIO && error->code != ENOSPC))
        return;
    for (guint i = 0; i < 20; i++) {
        if (plt_target_is_gone(runner->target)) {
            error->code = ENODEV;
            return;
        }
        g_usleep(50000);
    }
}

static void set_detail(PltRunner *runner, const struct plt_engine_error *error)
{
    g_free(runner->run->status_detail);
    runner->run->status_detail = plt_failure_text(error);
}

gboolean plt_runner_may_write(PltRunner *runner)
{
    g_autoptr(GError) error = NULL;

    if (plt_target_check_write(runner->target, &error))
        return TRUE;
    g_free(runner->run->status_detail);
    runner->run->status_detail = g_strdup(error->message);
    return FALSE;
}

PltLoadEnd plt_runner_load(PltRunner *runner, const struct plt_workload *workload, struct plt_engine **engine,
                           struct plt_engine_result *result)
{
    struct plt_engine_target target;
    struct plt_engine_error error;
    gulong handler;

    *engine = NULL;
    if (plt_workload_changes_data(workload) && !plt_runner_may_write(runner))
        return PLT_LOAD_FAILED;
    plt_target_get_engine(runner->target, workload->block, &target);
    *engine = runner->engine = plt_engine_new(workload, &target, &error);
    if (*engine == NULL) {
        set_detail(runner, &error);
        return PLT_LOAD_FAILED;
    }
    runner->next_look_ns = LOOK_NS;
    runner->next_keep_ns = KEEP_NS;
    runner->progress.p50_ns = runner->progress.p99_ns = 0;
    plt_histogram_reset(runner->seen);
    plt_engine_set_sample_func(*engine, on_sample, runner);
    handler = g_cancellable_connect(runner->cancellable, G_CALLBACK(on_cancelled), *engine, NULL);
    plt_engine_run(*engine, result);
    g_cancellable_disconnect(runner->cancellable, handler);

    if (result->end == PLT_END_ERROR) {
        name_unplugging(runner, &result->error);
        set_detail(runner, &result->error);
        return PLT_LOAD_FAILED;
    }
    if (result->end == PLT_END_CANCELLED && !plt_engine_drained(*engine, RESPONSE_LIMIT_MS))
        plt_runner_remark(runner, "no-response", _("when it was told to stop"));
    return result->end == PLT_END_CANCELLED ? PLT_LOAD_STOPPED : PLT_LOAD_DONE;
}

/* The largest power of two up to PREPARE_BLOCK that divides SIZE. */
static guint32 prepare_block(guint64 size)
{
    return (guint32)MIN(size & (~size + 1), PREPARE_BLOCK);
}

/* A write of the file is journalled by its end: what the file system still has to note must not fall into the
 * first cell. */
static gboolean settle(PltRunner *runner)
{
    struct plt_engine_target target;

    plt_target_get_engine(runner->target, 512, &target);
    if (fsync(target.fd) == 0)
        return TRUE;
    g_free(runner->run->status_detail);
    runner->run->status_detail =
        g_strdup_printf(_("the test file could not be stored: %s"), g_strerror(errno));
    return FALSE;
}

PltLoadEnd plt_runner_prepare(PltRunner *runner)
{
    const PltPlan *plan = runner->plan;
    struct plt_workload workload = {
        .pattern = PLT_PATTERN_SEQUENTIAL,
        .block = prepare_block(plan->size),
        .queue = PREPARE_QUEUE,
        .threads = 1,
        .read_percent = 0,
        .data = plan->data,
        .zero_percent = plan->data_zero_percent,
        .seed = (guint64)runner->run->started_us,
        .bytes = plan->size,
        .tick_ns = runner->tick_ns,
    };
    g_autofree struct plt_engine_result *result = g_new0(struct plt_engine_result, 1);
    struct plt_engine *engine = NULL;
    PltLoadEnd end;

    plt_runner_set_phase(runner, PLT_RUNNER_PREPARING, plan->size * 1000 / MAX(plan->speed_guess, 1));
    runner->goal_bytes = workload.bytes;
    end = plt_runner_load(runner, &workload, &engine, result);
    plt_engine_free(engine);
    runner->engine = NULL;
    if (end == PLT_LOAD_DONE && !settle(runner))
        return PLT_LOAD_FAILED;
    if (end == PLT_LOAD_DONE && !plt_target_is_written(runner->target))
        plt_runner_remark(runner, "not-written-extents",
                          plt_folder_fstype(plt_target_get_folder(runner->target)));
    return end;
}

/* I/Os per second that the machine does without a drive; measured once for each shape of queue. */
static double ceiling_for(PltRunner *runner, const struct plt_workload *workload)
{
    g_autofree char *key = g_strdup_printf("%u %u %u", workload->queue, workload->threads, workload->block);
    double *known = g_hash_table_lookup(runner->ceilings, key);

    if (known == NULL) {
        known = g_new(double, 1);
        *known = plt_engine_ceiling(workload, CEILING_NS);
        g_hash_table_insert(runner->ceilings, g_steal_pointer(&key), known);
    }
    return *known;
}

void plt_runner_open_window(PltRunner *runner, PltCellRun *cell_run)
{
    runner->recording = TRUE;
    runner->to_begin = cell_run;
}

void plt_runner_close_window(PltRunner *runner, PltCellRun *cell_run)
{
    runner->recording = FALSE;
    begin_window(runner); /* one that had no sample */
    if (cell_run == NULL)
        return;
    plt_recorder_end_cell_run(runner->recorder, cell_run);
    runner->progress.ended = cell_run;
    plt_runner_show(runner, NULL);
    runner->progress.ended = NULL;
}

static PltLoadEnd measure_window(PltRunner *runner, const PltStep *step, struct plt_workload *workload,
                                 PltCellRun *cell_run, double ceiling)
{
    g_autofree struct plt_engine_result *result = g_new0(struct plt_engine_result, 1);
    struct plt_engine *engine = NULL;
    PltLoadEnd end;

    cell_run->tick_ns = workload->tick_ns;
    plt_runner_open_window(runner, cell_run);
    runner->goal_bytes = workload->duration_ns == 0 ? workload->bytes : 0;
    end = plt_runner_load(runner, workload, &engine, result);
    if (engine != NULL) {
        plt_runner_take_result(cell_run, workload, result, end == PLT_LOAD_DONE, ceiling);
        plt_runner_remark_result(runner, step, result, ceiling);
        workload->submit_cap = result->submit_cap;
    }
    plt_runner_close_window(runner, engine != NULL ? cell_run : NULL);
    runner->engine = NULL;
    plt_engine_free(engine);
    return end;
}

PltLoadEnd plt_runner_measure(PltRunner *runner, const PltStep *step)
{
    PltCell *cell = plt_cell_new(&step->cell, step->score_rule);
    struct plt_workload workload = step->workload;
    double ceiling = ceiling_for(runner, &workload);
    guint n = step->warmup_runs + step->runs;
    PltLoadEnd end = PLT_LOAD_DONE;

    runner->lowest_queue = G_MAXDOUBLE;
    g_ptr_array_add(runner->run->cells, cell);
    plt_recorder_begin_cell(runner->recorder, &step->cell, step->score_rule);
    for (guint i = 0; i < n && end == PLT_LOAD_DONE; i++) {
        PltCellRun *cell_run = plt_cell_run_new();

        cell_run->warmup = i < step->warmup_runs;
        workload.seed = plt_step_run_seed(step, i);
        workload.ramp_ns = workload.bytes != 0 ? 0 : i == 0 ? FIRST_RAMP_NS : RAMP_NS;
        g_ptr_array_add(cell->runs, cell_run);
        runner->progress.run = i;
        plt_runner_set_phase(runner, cell_run->warmup ? PLT_RUNNER_WARMUP : PLT_RUNNER_MEASURING,
                             step->estimated_ms / n);
        end = measure_window(runner, step, &workload, cell_run, ceiling);
    }
    plt_runner_remark_cell(runner, step);
    return end;
}
