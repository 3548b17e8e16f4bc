/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "suite/live.h"
#include "suite/runner.h"
#include "suite/thermometer.h"

/*
 * A run on a thread of its own, as the main loop sees it. All of it is used from the thread that made it; the
 * runner's thread hands progress and samples over through a queue, with at most one main-loop source pending.
 * The job holds itself from start to end: dropping the last other reference never ends a run.
 *
 * Signals: "progress" (something changed; coalesced), "window-ended" (guint step: a window of that step has
 * its figures), "ended" (once).
 */
#define PLT_TYPE_JOB (plt_job_get_type())
G_DECLARE_FINAL_TYPE(PltJob, plt_job, PLT, JOB, GObject)

/* A measured window as it is shown while the run is on its way. */
typedef struct {
    guint step, run; /* index into plan->steps, and which run of the cell; warm-ups count */
    gboolean warmup;
    double start_s; /* of its first sample, since the run's start */
    PltLiveSeries *series;
    guint64 ios, bytes, duration_ns; /* reads and writes so far */
    guint64 lat_sum_ns;
} PltLiveWindow;

/* Takes PLAN and FOLDER. LIBRARY_PATH NULL = default. */
PltJob *plt_job_new(PltPlan *plan, PltTarget *target, const char *library_path);

/* Before the start: temperatures are read with FUNC once a second, of the target's first drive. */
void plt_job_set_thermometer(PltJob *job, PltThermometerFunc func);

void plt_job_start(PltJob *job);
void plt_job_stop(PltJob *job); /* keeps what was measured; "ended" follows */

gboolean plt_job_is_running(PltJob *job);
const PltPlan *plt_job_get_plan(PltJob *job);
PltTarget *plt_job_get_target(PltJob *job);
const PltRunnerProgress *plt_job_get_progress(PltJob *job); /* its `ended` is always NULL here */

/* PltLiveWindow of all windows so far, in order; the last is under way or has just ended. */
GPtrArray *plt_job_get_windows(PltJob *job);

/* The writing of the test file, before the first window. */
const PltLiveSeries *plt_job_get_preparation(PltJob *job);

/* PltLiveLatency of each second of the windows, and PltLiveTemperature of each second of the run; empty where
 * there is no thermometer or no sensor. They grow at the end. */
const GArray *plt_job_get_latencies(PltJob *job);
const GArray *plt_job_get_temperatures(PltJob *job);

/* PltWarning: those about place and machine from the start on, all of the run's after "ended". */
const GPtrArray *plt_job_get_warnings(PltJob *job);

/* The figures of STEP's windows so far: a PltCell with the runs that have ended; NULL for a step that is no
 * cell. */
const PltCell *plt_job_get_cell(PltJob *job, guint step);

/* After "ended": the whole run, or NULL with the error that kept it from starting. Both belong to the job. */
const PltRun *plt_job_get_run(PltJob *job);
const GError *plt_job_get_error(PltJob *job);
