/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/runner.h"

#include <glib/gi18n-lib.h>

#include "drive/drive.h"
#include "drive/platform.h"
#include "library/analyse.h"
#include "suite/runner-private.h"

/* Between two readings of the temperature. */
#define HEAT_MS 1000

static guint64 elapsed_ms(gint64 since_us)
{
    return (guint64)(g_get_monotonic_time() - since_us) / 1000;
}

void plt_runner_show(PltRunner *runner, const struct plt_sample *sample)
{
    PltRunnerProgress *p = &runner->progress;
    guint64 in_part = elapsed_ms(runner->step_started_us);
    guint64 total;

    p->elapsed_ms = elapsed_ms(runner->started_us);
    if (runner->goal_bytes > 0 && runner->goal_done > 0) {
        double part = (double)in_part * (double)runner->goal_bytes / (double)runner->goal_done;

        runner->part_ms = (guint64)part;
    }
    p->left_ms = runner->left_after_ms + (in_part < runner->part_ms ? runner->part_ms - in_part : 0);
    total = p->elapsed_ms + p->left_ms;
    p->window_ns = 0;
    if (sample != NULL)
        p->window_ns = runner->engine != NULL ? plt_engine_elapsed_ns(runner->engine)
                                              : (sample->index + 1) * sample->duration_ns;
    p->fraction = total > 0 ? (double)p->elapsed_ms / (double)total : 0;
    if (runner->recorder != NULL)
        plt_heat_log_pass(runner->heat, runner->recorder);
    if (runner->func != NULL)
        runner->func(p, sample, runner->user);
    p->warnings = NULL;
}

/* PART_MS of what was left is now under way. */
void plt_runner_set_phase(PltRunner *runner, PltRunnerPhase phase, guint64 part_ms)
{
    runner->progress.phase = phase;
    runner->progress.bandwidth_bps = 0;
    runner->goal_bytes = runner->goal_done = 0;
    runner->part_ms = part_ms;
    runner->left_after_ms -= MIN(runner->left_after_ms, part_ms);
    runner->step_started_us = g_get_monotonic_time();
    plt_runner_show(runner, NULL);
}

/* Of several drives under a folder the first one's temperature is recorded. */
static PltHeatLog *log_heat(PltTarget *target)
{
    g_auto(GStrv) drives = plt_target_get_drives(target);

    return plt_heat_log_new(drives != NULL ? drives[0] : NULL, plt_drive_read_temperature, HEAT_MS);
}

static PltRun *make_run(const PltPlan *plan, PltTarget *target)
{
    PltRun *run = plt_run_new();

    run->uuid = g_uuid_string_random();
    run->suite_id = g_strdup(plt_suite_id(plan->suite));
    run->suite_version = plt_suite_version(plan->suite);
    run->suite_name = g_strdup(plt_suite_original_name(plan->suite));
    run->chart = g_strdup(plt_suite_chart(plan->suite));
    run->status = PLT_RUN_RUNNING;
    run->started_us = g_get_real_time();
    run->program = g_strdup("Plateau " PLT_VERSION);
    run->parameters = json_node_copy(plan->parameters);
    run->target = plt_target_to_json(target);
    run->drive = plt_target_drives_to_json(target);
    run->platform = plt_platform_to_json();
    plt_target_add_warnings(target, plan, run->warnings);
    plt_platform_add_warnings(run->warnings);
    return run;
}

/*
 * Interruptible, so that a stop takes effect at once. By the wall's clock: a computer that sleeps meanwhile
 * has rested for that long too.
 */
static PltLoadEnd rest(PltRunner *runner, guint64 ms)
{
    gint64 until = g_get_real_time() + (gint64)ms * 1000;
    gint64 now;

    plt_runner_set_phase(runner, PLT_RUNNER_RESTING, ms);
    while ((now = g_get_real_time()) < until) {
        /* A clock that was set back must not make the rest longer than it was to be. */
        gint64 left_ms = MIN((until - now) / 1000 + 1, (gint64)ms);
        GPollFD poll_fd = {.events = G_IO_IN};
        gboolean can_wait = g_cancellable_make_pollfd(runner->cancellable, &poll_fd);

        until = MIN(until, now + (gint64)ms * 1000);
        g_poll(&poll_fd, can_wait ? 1 : 0, (gint)MIN(left_ms, 100));
        if (can_wait)
            g_cancellable_release_fd(runner->cancellable);
        if (g_cancellable_is_cancelled(runner->cancellable))
            return PLT_LOAD_STOPPED;
        plt_runner_show(runner, NULL);
    }
    return PLT_LOAD_DONE;
}

static gboolean fits_block(const PltRunner *runner, const PltStep *step)
{
    return step->kind != PLT_STEP_MEASURE ||
           step->workload.block % plt_target_get_logical_block(runner->target) == 0;
}

/* A suite may sweep over blocks that this drive cannot do; cells that it insists on must all be possible
 * before the start. */
static gboolean check_blocks(const PltRunner *runner, GError **error)
{
    for (guint i = 0; i < runner->plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(runner->plan->steps, i);

        if (step->optional || fits_block(runner, step))
            continue;
        g_set_error(
            error, PLT_ERROR, PLT_ERROR_REFUSED,
            _("%s has blocks of %u bytes, which is no multiple of this drive's %u; choose a suite with other "
              "blocks, or another folder"),
            step->cell.label, step->workload.block, plt_target_get_logical_block(runner->target));
        return FALSE;
    }
    return TRUE;
}

static PltLoadEnd measure(PltRunner *runner, const PltStep *step)
{
    if (step->work == PLT_WORK_VERIFY)
        return plt_runner_verify(runner, step);
    if (step->work == PLT_WORK_FILL_FREE && plt_target_get_folder(runner->target) != NULL)
        return plt_runner_fill(runner, step);
    if (fits_block(runner, step))
        return plt_runner_measure(runner, step);
    plt_runner_remark(runner, "cells-skipped", step->cell.label);
    return PLT_LOAD_DONE;
}

static PltLoadEnd run_step(PltRunner *runner, const PltStep *step)
{
    switch (step->kind) {
    case PLT_STEP_REST:
        return rest(runner, step->rest_ms);
    case PLT_STEP_PURGE:
        return plt_runner_purge(runner, step);
    case PLT_STEP_MEASURE:
        return measure(runner, step);
    }
    g_return_val_if_reached(PLT_LOAD_FAILED);
}

static PltLoadEnd run_steps(PltRunner *runner)
{
    PltLoadEnd end = runner->plan->prepare ? plt_runner_prepare(runner) : PLT_LOAD_DONE;

    for (guint i = 0; i < runner->plan->steps->len && end == PLT_LOAD_DONE; i++) {
        runner->progress.step = i;
        runner->progress.run = 0;
        end = run_step(runner, g_ptr_array_index(runner->plan->steps, i));
    }
    return end;
}

static PltRunStatus status_of(PltLoadEnd end)
{
    switch (end) {
    case PLT_LOAD_DONE:
        return PLT_RUN_COMPLETE;
    case PLT_LOAD_STOPPED:
        return PLT_RUN_STOPPED;
    case PLT_LOAD_FAILED:
        return PLT_RUN_FAILED;
    }
    g_return_val_if_reached(PLT_RUN_FAILED);
}

/* The figures are in hand even where they could not be kept: the person is told, not robbed of them. */
static void finish_recording(PltRunner *runner)
{
    PltRun *run = runner->run;
    g_autoptr(GError) error = NULL;

    if (plt_recorder_finish(g_steal_pointer(&runner->recorder), run->status, run->status_detail,
                            run->ended_us, &error))
        return;
    if (run->status == PLT_RUN_COMPLETE)
        run->status = PLT_RUN_FAILED;
    g_free(run->status_detail);
    run->status_detail = g_strdup_printf(_("the result could not be stored: %s"), error->message);
}

static void execute(PltRunner *runner)
{
    PltRun *run = runner->run;

    runner->started_us = g_get_monotonic_time();
    runner->left_after_ms = runner->plan->estimated_ms;
    runner->progress.warnings = run->warnings;
    runner->tick_ns = G_GUINT64_CONSTANT(100000000);
    run->status = status_of(run_steps(runner));
    run->ended_us = g_get_real_time();
    plt_runner_flush_remarks(runner);
    finish_recording(runner);
    runner->left_after_ms = 0;
    plt_runner_set_phase(runner, PLT_RUNNER_ENDED, 0);
}

static void clear_file(gpointer file)
{
    plt_test_file_close(file);
}

PltRun *plt_runner_execute(PltPlan *plan, PltTarget *target, const char *library_path, PltRunnerFunc func,
                           gpointer user, GCancellable *cancellable, GError **error)
{
    g_autofree char *default_path = library_path == NULL ? plt_library_default_path() : NULL;
    const char *path = library_path != NULL ? library_path : default_path;
    g_autoptr(GCancellable) own_cancellable =
        cancellable != NULL ? g_object_ref(cancellable) : g_cancellable_new();
    g_autoptr(PltRun) run = NULL;
    PltRunner runner = {
        .plan = plan, .target = target, .func = func, .user = user, .cancellable = own_cancellable};
    /* Flushing the library each second would itself be load on the drive that is measured. */
    gboolean shared = plt_target_shares_drive(target, path);

    plt_plan_fit(plan, plt_target_get_room(target, plan), plt_target_get_folder(target) == NULL);
    if (!plt_target_open(target, plan, own_cancellable, error))
        return NULL;
    if (!check_blocks(&runner, error)) {
        plt_target_close(target);
        return NULL;
    }
    run = make_run(plan, target);
    if (shared)
        plt_warning_add(run->warnings, "library-shares-drive", NULL);
    runner.run = run;
    runner.recorder = plt_recorder_new(path, run, !shared, error);
    if (runner.recorder == NULL) {
        plt_target_close(target);
        return NULL;
    }
    run->id = plt_recorder_run_id(runner.recorder);
    runner.heat = log_heat(target);
    runner.remarks =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    runner.seen = g_new(struct plt_histogram, 1);
    runner.now = g_new(struct plt_histogram, 1);
    runner.files = g_array_new(FALSE, FALSE, sizeof(PltTestFile));
    g_array_set_clear_func(runner.files, clear_file);
    runner.ceilings = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    execute(&runner);
    plt_library_analyse_recorded(path, run);
    plt_heat_log_free(runner.heat);
    g_hash_table_unref(runner.remarks);
    g_hash_table_unref(runner.ceilings);
    g_array_unref(runner.files);
    g_free(runner.seen);
    g_free(runner.now);
    plt_target_close(target);
    return g_steal_pointer(&run);
}
