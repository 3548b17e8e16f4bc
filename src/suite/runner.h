/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "suite/plan.h"
#include "suite/target.h"

typedef enum {
    PLT_RUNNER_PREPARING, /* the test file is written */
    PLT_RUNNER_WARMUP,
    PLT_RUNNER_MEASURING,
    PLT_RUNNER_RESTING,
    PLT_RUNNER_PURGING,
    PLT_RUNNER_ENDED,
} PltRunnerPhase;

/* What a view shows right now. */
typedef struct {
    PltRunnerPhase phase;
    guint step;      /* index into plan->steps */
    guint run;       /* which run of the cell, from 0; warm-ups count */
    double fraction; /* of the whole plan, 0..1 */
    guint64 elapsed_ms, left_ms;
    guint64 window_ns; /* with a sample: how long its window has been measured, the sample's delivery too */
    guint64 written;   /* bytes written to the target so far */
    double bandwidth_bps;  /* last tick */
    double p50_ns, p99_ns; /* latency of the last second, reads and writes together; 0 while not known */
    const PltCellRun
        *ended; /* a window that has just ended, with its figures; valid during the call; else NULL */
    const GPtrArray
        *warnings; /* the first call only: PltWarning about place and machine; valid during the call */
} PltRunnerProgress;

/*
 * Called on the runner's own thread: copy and return. SAMPLE is NULL for a change of phase.
 */
typedef void (*PltRunnerFunc)(const PltRunnerProgress *progress, const struct plt_sample *sample,
                              gpointer user);

/*
 * Fits PLAN to TARGET and executes it in the calling thread, records it into the library at LIBRARY_PATH
 * (NULL = default) and returns the whole run (never NULL once the target could be opened), complete or not:
 * its status says how it ended. NULL with ERROR only when it could not start (refused target, no space,
 * library not writable). CANCELLABLE ends it within 100 ms with what was measured kept.
 */
PltRun *plt_runner_execute(PltPlan *plan, PltTarget *target, const char *library_path, PltRunnerFunc func,
                           gpointer user, GCancellable *cancellable, GError **error);
