/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include <errno.h>

#include <glib/gi18n-lib.h>

#include "suite/runner-private.h"
#include "suite/seed.h"
#include "suite/space.h"

/* One pass over the free space. */
typedef struct {
    const PltStep *step;
    struct plt_workload workload;
    PltSpacePlan plan;
    PltCellRun *cell_run;
} Pass;

/* No space where there should have been some: somebody else took it, which ends the pass and is no failure.
 */
static gboolean is_space_error(const struct plt_engine_result *result)
{
    return result->end == PLT_END_ERROR && result->error.phase == PLT_PHASE_IO &&
           (result->error.code == ENOSPC || result->error.code == EDQUOT);
}

static PltLoadEnd load_file(PltRunner *runner, const Pass *pass, guint i)
{
    g_autofree struct plt_engine_result *result = g_new0(struct plt_engine_result, 1);
    struct plt_workload workload = pass->workload;
    struct plt_engine *engine = NULL;
    PltLoadEnd end;

    workload.bytes = plt_space_file_size(&pass->plan, i);
    workload.seed = plt_seed_splitmix64(pass->workload.seed, i);
    plt_target_lend_file(runner->target, &g_array_index(runner->files, PltTestFile, i));
    end = plt_runner_load(runner, &workload, &engine, result);
    plt_target_lend_file(runner->target, NULL);
    if (engine != NULL)
        plt_load_sum_add(runner->sum, result);
    plt_engine_free(engine);
    runner->engine = NULL;
    if (end != PLT_LOAD_FAILED || !is_space_error(result))
        return end;
    runner->is_short = TRUE;
    g_clear_pointer(&runner->run->status_detail, g_free);
    return PLT_LOAD_DONE;
}

/* Makes the next file and writes it. */
static PltLoadEnd fill_file(PltRunner *runner, const Pass *pass, guint i)
{
    g_autoptr(GError) error = NULL;
    PltTestFile file;

    if (plt_folder_make_test_file(plt_target_get_folder(runner->target), plt_space_file_size(&pass->plan, i),
                                  pass->workload.block, &file, &error)) {
        g_array_append_val(runner->files, file);
        return load_file(runner, pass, i);
    }
    if (i > 0 && g_error_matches(error, PLT_ERROR, PLT_ERROR_NO_SPACE)) {
        runner->is_short = TRUE;
        return PLT_LOAD_DONE;
    }
    g_set_str(&runner->run->status_detail, error->message);
    return PLT_LOAD_FAILED;
}

static PltLoadEnd fill_files(PltRunner *runner, const Pass *pass)
{
    PltLoadEnd end = PLT_LOAD_DONE;

    runner->is_short = FALSE;
    runner->leave = plt_target_get_margin(runner->target, runner->plan);
    runner->next_space_ns = 0;
    for (guint i = 0; i < pass->plan.n_files && end == PLT_LOAD_DONE && !runner->is_short; i++)
        end = fill_file(runner, pass, i);
    runner->leave = 0;
    return end;
}

/* What of the space was filled, beside how the figures were made. */
static void note_space(PltRunner *runner, const Pass *pass)
{
    JsonObject *space = json_object_new();

    json_object_set_int_member(space, "planned", (gint64)pass->plan.total);
    json_object_set_int_member(space, "filled", (gint64)pass->cell_run->total.bytes);
    json_object_set_int_member(space, "files", (gint64)runner->files->len);
    json_object_set_boolean_member(space, "gave_way", runner->is_short);
    json_object_set_object_member(json_node_get_object(pass->cell_run->engine), "space", space);
}

static void remark_end(PltRunner *runner, const Pass *pass)
{
    double share = 100.0 * (double)pass->cell_run->total.bytes / (double)pass->plan.total;
    g_autofree char *text = g_strdup_printf("%.1f %%", share);

    if (runner->is_short)
        plt_runner_remark(runner, "space-taken", text);
}

static PltLoadEnd fill_pass(PltRunner *runner, Pass *pass)
{
    const struct plt_engine_result *result;
    PltLoadEnd end;

    pass->cell_run->tick_ns = pass->workload.tick_ns;
    runner->goal_bytes = pass->plan.total;
    runner->sum = plt_load_sum_new();
    plt_runner_open_window(runner, pass->cell_run);
    end = fill_files(runner, pass);
    result = &runner->sum->result;
    plt_runner_take_result(pass->cell_run, &pass->workload, result, end == PLT_LOAD_DONE, 0);
    plt_runner_remark_result(runner, pass->step, result, 0);
    note_space(runner, pass);
    remark_end(runner, pass);
    plt_runner_close_window(runner, pass->cell_run);
    g_clear_pointer(&runner->sum, plt_load_sum_free);
    plt_space_give_back(plt_target_get_folder(runner->target), runner->files);
    return end;
}

/* FALSE with the reason in the run when there is nothing to fill. */
static gboolean plan_pass(PltRunner *runner, Pass *pass)
{
    PltFolder *folder = plt_target_get_folder(runner->target);
    guint64 margin = plt_target_get_margin(runner->target, runner->plan);
    guint64 free_bytes = MIN(plt_folder_free_bytes(folder), runner->plan->size + margin);

    if (plt_space_plan(free_bytes, margin, plt_space_file_max(plt_folder_fstype(folder)),
                       pass->workload.block, &pass->plan))
        return TRUE;
    g_set_str(&runner->run->status_detail, _("no space is left to fill: somebody else has taken it"));
    return FALSE;
}

PltLoadEnd plt_runner_fill(PltRunner *runner, const PltStep *step)
{
    PltCell *cell = plt_cell_new(&step->cell, step->score_rule);
    guint n = step->warmup_runs + step->runs;
    PltLoadEnd end = PLT_LOAD_DONE;

    g_ptr_array_add(runner->run->cells, cell);
    plt_recorder_begin_cell(runner->recorder, &step->cell, step->score_rule);
    for (guint i = 0; i < n && end == PLT_LOAD_DONE; i++) {
        Pass pass = {.step = step, .workload = step->workload};

        pass.workload.seed = plt_step_run_seed(step, i);
        if (!plan_pass(runner, &pass))
            return PLT_LOAD_FAILED;
        pass.cell_run = plt_cell_run_new();
        pass.cell_run->warmup = i < step->warmup_runs;
        g_ptr_array_add(cell->runs, pass.cell_run);
        runner->progress.run = i;
        plt_runner_set_phase(runner, pass.cell_run->warmup ? PLT_RUNNER_WARMUP : PLT_RUNNER_MEASURING,
                             step->estimated_ms / n);
        end = fill_pass(runner, &pass);
    }
    return end;
}
