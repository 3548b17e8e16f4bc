/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/engine.h"
#include "library/recorder.h"
#include "suite/heat-log.h"
#include "suite/load-sum.h"
#include "suite/runner.h"

/* A run on its way. All of it belongs to the runner's thread. */
typedef struct {
    PltPlan *plan;
    PltTarget *target;
    PltRun *run;
    PltRecorder *recorder; /* NULL once all is recorded */
    PltHeatLog *heat;
    GCancellable *cancellable;
    PltRunnerFunc func;
    gpointer user;

    PltRunnerProgress progress;
    gint64 started_us;      /* monotonic */
    gint64 step_started_us; /* monotonic */
    guint64 left_after_ms;  /* estimate of what comes after the current part */
    guint64 part_ms;        /* estimate of the current part */
    guint64 tick_ns;        /* of the preparation */

    struct plt_engine *engine;          /* the load that runs now */
    struct plt_histogram *seen, *now;   /* latencies up to the last look, and scratch */
    guint64 next_look_ns, next_keep_ns; /* since the window's start */

    GArray *files;        /* PltTestFile: what a step over the free space has written; never NULL */
    guint64 verify_total; /* bytes that verify-capacity has written to them */
    guint64 verify_file_size, verify_offset, verify_seed;
    PltLoadSum *sum;       /* the loads of the current window so far; NULL while there is one alone */
    guint64 leave;         /* bytes that must stay free while a load runs; 0 = not watched */
    guint64 next_space_ns; /* when that is looked at next, since the window's start */
    gboolean is_short;     /* somebody else needs the space: the load was ended */
    guint64 goal_bytes;    /* of the current part, which ends by bytes; 0 = it ends by time */
    guint64 goal_done;     /* bytes of it that are done */

    gboolean recording;   /* samples of the current window go to the recorder */
    PltCellRun *to_begin; /* the window that is to come; NULL once the recorder knows when it began */
    GHashTable *remarks;  /* warning id -> GPtrArray of details, gathered over the cells */
    GHashTable *ceilings; /* "queue x threads x block" -> double *, NOP I/Os per second */
    double lowest_queue;  /* mean I/Os in flight, of the cell's windows so far */
    guint n_stalls;
    guint64 longest_stall_ns;
} PltRunner;

/* How a load ended, for the runner's decision to go on. */
typedef enum {
    PLT_LOAD_DONE,
    PLT_LOAD_STOPPED,
    PLT_LOAD_FAILED,
} PltLoadEnd;

/*
 * Runs WORKLOAD on the test file with the person's cancel attached and the progress shown. RESULT's pointers
 * live as long as *ENGINE, which the caller frees with plt_engine_free. FAILED sets run->status_detail.
 */
PltLoadEnd plt_runner_load(PltRunner *runner, const struct plt_workload *workload, struct plt_engine **engine,
                           struct plt_engine_result *result);

/* Writes all that the plan works on, so that nothing is ever read that was not written. */
PltLoadEnd plt_runner_prepare(PltRunner *runner);

/* Erases the drive as STEP says. */
PltLoadEnd plt_runner_purge(PltRunner *runner, const PltStep *step);

/* The guard, before anything changes data. FALSE sets run->status_detail. */
gboolean plt_runner_may_write(PltRunner *runner);

/* Measures a cell: its warm-ups, then its runs. */
PltLoadEnd plt_runner_measure(PltRunner *runner, const PltStep *step);

/* Fills the free space of the folder with files, once a run of the cell, and gives it back after each. */
PltLoadEnd plt_runner_fill(PltRunner *runner, const PltStep *step);

/* A pass of verify-capacity: the writing, or the reading of what was written. */
PltLoadEnd plt_runner_verify(PltRunner *runner, const PltStep *step);

/* A window that begins, and one that has its figures (NULL: its load could not begin). */
void plt_runner_open_window(PltRunner *runner, PltCellRun *cell_run);
void plt_runner_close_window(PltRunner *runner, PltCellRun *cell_run);

/* What a load says at the end of each tick; FALSE ends it. */
gboolean plt_runner_take_sample(PltRunner *runner, const struct plt_sample *sample);

/* Takes over the figures of RESULT. COMPLETE: the window ended as planned. */
void plt_runner_take_result(PltCellRun *cell_run, const struct plt_workload *workload,
                            const struct plt_engine_result *result, gboolean complete, double ceiling);

/* What the notes of RESULT mean for the person who reads the figures; DETAIL names the cell. */
void plt_runner_remark_result(PltRunner *runner, const PltStep *step, const struct plt_engine_result *result,
                              double ceiling);

/* What the windows of a cell, taken together, mean. */
void plt_runner_remark_cell(PltRunner *runner, const PltStep *step);

/* Gathers a remark; plt_runner_flush_remarks makes one warning of all with the same id. */
void plt_runner_remark(PltRunner *runner, const char *id, const char *detail);
void plt_runner_flush_remarks(PltRunner *runner);

void plt_runner_set_phase(PltRunner *runner, PltRunnerPhase phase, guint64 part_ms);
void plt_runner_show(PltRunner *runner, const struct plt_sample *sample);
