/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "drive/size.h"
#include "suite/failure.h"
#include "suite/runner-private.h"
#include "suite/space.h"
#include "suite/verify.h"

/* How long a drive that was told to stop may take before the run says that it does not answer. */
#define RESPONSE_LIMIT_US 2000000

/* A drive is one file for all that follows; the descriptor is a copy, which is closed with the files. */
static gboolean take_drive(PltRunner *runner, const PltStep *step)
{
    struct plt_engine_target engine;
    PltTestFile file = {0};

    if (!plt_runner_may_write(runner))
        return FALSE;
    plt_target_get_engine(runner->target, PLT_STAMP_SECTOR, &engine);
    file.fd = fcntl(engine.fd, F_DUPFD_CLOEXEC, 0);
    file.size = engine.length;
    if (file.fd < 0) {
        g_set_str(&runner->run->status_detail, g_strerror(errno));
        return FALSE;
    }
    g_array_append_val(runner->files, file);
    runner->verify_offset = engine.offset;
    runner->verify_total = runner->verify_file_size = engine.length;
    runner->verify_seed = step->workload.seed;
    return TRUE;
}

/* Takes all the free space in files, so that nobody else gets any of it while it is being tested. */
static gboolean take_folder(PltRunner *runner, const PltStep *step)
{
    PltFolder *folder = plt_target_get_folder(runner->target);
    guint64 margin = plt_target_get_margin(runner->target, runner->plan);
    guint64 free_bytes = MIN(plt_folder_free_bytes(folder), runner->plan->size + margin);
    g_autoptr(GError) error = NULL;
    PltSpacePlan plan;

    if (!plt_space_plan(free_bytes, margin, plt_space_file_max(plt_folder_fstype(folder)), PLT_VERIFY_BLOCK,
                        &plan)) {
        g_set_str(&runner->run->status_detail, _("no space is left to fill: somebody else has taken it"));
        return FALSE;
    }
    for (guint i = 0; i < plan.n_files; i++) {
        PltTestFile file;

        if (!plt_folder_make_test_file(folder, plt_space_file_size(&plan, i), PLT_VERIFY_BLOCK, &file,
                                       &error)) {
            g_set_str(&runner->run->status_detail, error->message);
            return FALSE;
        }
        g_array_append_val(runner->files, file);
    }
    runner->verify_total = plan.total;
    runner->verify_file_size = plan.file_size;
    runner->verify_seed = step->workload.seed;
    return TRUE;
}

static gboolean take_space(PltRunner *runner, const PltStep *step)
{
    return plt_target_get_folder(runner->target) != NULL ? take_folder(runner, step)
                                                         : take_drive(runner, step);
}

/* What was written has to come from the drive: nothing of it may stay in memory. */
static void let_go(PltRunner *runner)
{
    for (guint i = 0; i < runner->files->len; i++) {
        int fd = g_array_index(runner->files, PltTestFile, i).fd;

        if (fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
            g_debug("a file could not be flushed: what is lost shows when it is read");
    }
}

/* A tick each 100 ms until the end, or until the person wants no more. */
static PltLoadEnd watch_pass(PltRunner *runner, const PltStep *step, PltVerify *verify)
{
    gint64 tick_us = (gint64)step->workload.tick_ns / 1000;
    struct plt_sample sample;
    gboolean over = FALSE;

    while (!over && !g_cancellable_is_cancelled(runner->cancellable)) {
        over = plt_verify_wait(verify, tick_us);
        plt_verify_take_sample(verify, &sample);
        if (!plt_runner_take_sample(runner, &sample))
            plt_verify_stop(verify);
    }
    if (over)
        return PLT_LOAD_DONE;
    plt_verify_stop(verify);
    if (!plt_verify_wait(verify, RESPONSE_LIMIT_US))
        plt_runner_remark(runner, "no-response", _("when it was told to stop"));
    return PLT_LOAD_STOPPED;
}

static JsonObject *tally_to_json(const PltStampTally *tally, guint64 tested)
{
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "verdict", plt_capacity_name(plt_stamp_judge(tally)));
    json_object_set_int_member(object, "tested", (gint64)tested);
    json_object_set_int_member(object, "good", (gint64)tally->good);
    json_object_set_int_member(object, "changed", (gint64)tally->changed);
    json_object_set_int_member(object, "moved", (gint64)tally->moved);
    json_object_set_int_member(object, "empty", (gint64)tally->empty);
    json_object_set_int_member(object, "corrupted", (gint64)tally->corrupted);
    json_object_set_int_member(object, "failed", (gint64)tally->failed);
    if (tally->first_bad != G_MAXUINT64)
        json_object_set_int_member(object, "first_bad", (gint64)tally->first_bad);
    return object;
}

static void remark_verdict(PltRunner *runner, const PltStampTally *tally)
{
    g_autofree char *all = plt_size_amount_text((double)tally->total);
    g_autofree char *good = plt_size_amount_text((double)tally->good);
    g_autofree char *lost = plt_size_amount_text((double)(tally->total - tally->good));
    g_autofree char *text = NULL;

    switch (plt_stamp_judge(tally)) {
    case PLT_CAPACITY_GENUINE:
        text = g_strdup_printf(_("%s were written and came back as they were"), all);
        plt_runner_remark(runner, "capacity-genuine", text);
        break;
    case PLT_CAPACITY_FAKE:
        text =
            g_strdup_printf(_("of %s that were written only %s came back, the first loss at byte %" PRIu64),
                            all, good, tally->first_bad);
        plt_runner_remark(runner, "capacity-fake", text);
        break;
    case PLT_CAPACITY_DAMAGED:
        text = g_strdup_printf(_("%s of %s did not come back as written, the first at byte %" PRIu64), lost,
                               all, tally->first_bad);
        plt_runner_remark(runner, "capacity-damaged", text);
        break;
    }
}

static void judge(PltRunner *runner, PltCellRun *cell_run, PltVerify *verify)
{
    const PltStampTally *tally = plt_verify_get_tally(verify);
    guint64 tested =
        tally->good + tally->changed + tally->moved + tally->empty + tally->corrupted + tally->failed;

    json_object_set_object_member(json_node_get_object(cell_run->engine), "capacity",
                                  tally_to_json(tally, tested));
    if (cell_run->complete)
        remark_verdict(runner, tally);
}

static PltLoadEnd run_pass(PltRunner *runner, const PltStep *step, PltCellRun *cell_run)
{
    enum plt_op op = step->cell.op == PLT_CELL_WRITE ? PLT_OP_WRITE : PLT_OP_READ;
    PltVerifyRange range = {.files = runner->files,
                            .file_size = runner->verify_file_size,
                            .offset = runner->verify_offset,
                            .total = runner->verify_total,
                            .seed = runner->verify_seed};
    struct plt_engine_result result;
    g_autoptr(PltVerify) verify = NULL;
    PltLoadEnd end;

    cell_run->tick_ns = step->workload.tick_ns;
    runner->goal_bytes = range.total;
    plt_runner_open_window(runner, cell_run);
    verify = plt_verify_start(&range, op, step->workload.queue);
    end = watch_pass(runner, step, verify);
    plt_verify_get_result(verify, &result);
    if (result.end == PLT_END_ERROR) {
        end = PLT_LOAD_FAILED;
        g_free(runner->run->status_detail);
        runner->run->status_detail = plt_failure_text(&result.error);
    }
    plt_runner_take_result(cell_run, &step->workload, &result, end == PLT_LOAD_DONE, 0);
    plt_runner_remark_result(runner, step, &result, 0);
    runner->verify_total = plt_verify_get_end(verify);
    if (op == PLT_OP_READ)
        judge(runner, cell_run, verify);
    else
        let_go(runner);
    plt_runner_close_window(runner, cell_run);
    return end;
}

static void give_back(PltRunner *runner)
{
    PltFolder *folder = plt_target_get_folder(runner->target);

    if (folder != NULL)
        plt_space_give_back(folder, runner->files);
    g_array_set_size(runner->files, 0);
}

PltLoadEnd plt_runner_verify(PltRunner *runner, const PltStep *step)
{
    PltCell *cell = plt_cell_new(&step->cell, step->score_rule);
    PltCellRun *cell_run = plt_cell_run_new();
    PltLoadEnd end;

    g_ptr_array_add(runner->run->cells, cell);
    g_ptr_array_add(cell->runs, cell_run);
    plt_recorder_begin_cell(runner->recorder, &step->cell, step->score_rule);
    plt_runner_set_phase(runner, PLT_RUNNER_MEASURING, step->estimated_ms);
    if (step->cell.op == PLT_CELL_WRITE && !take_space(runner, step))
        return PLT_LOAD_FAILED;
    if (runner->files->len == 0) {
        g_set_str(&runner->run->status_detail, _("only what was written can be verified: leave out only="));
        return PLT_LOAD_FAILED;
    }
    end = run_pass(runner, step, cell_run);
    if (step->cell.op == PLT_CELL_READ || end != PLT_LOAD_DONE)
        give_back(runner);
    return end;
}
