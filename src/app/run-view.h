/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "suite/job.h"

/*
 * A run while it is on its way, and what came of it: what is measured now, elapsed and remaining time, bytes
 * written, the charts that grow, the steps, and what a reader of the figures has to know. It shows a job; it
 * does not own it.
 *
 * Properties: "job" (PltJob, may be NULL), "steps-expanded" b (the list of steps is open), "embedded" b (the
 * place around it has the buttons to stop and to see the result), "narrow" b, "warnings-title" s (read-only:
 * what a banner says while the run is on its way, or "").
 * Actions: "run.stop", "run.show-warnings".
 */
#define PLT_TYPE_RUN_VIEW (plt_run_view_get_type())
G_DECLARE_FINAL_TYPE(PltRunView, plt_run_view, PLT, RUN_VIEW, AdwBin)

PltJob *plt_run_view_get_job(PltRunView *view);
void plt_run_view_set_job(PltRunView *view, PltJob *job);

/* Ends the run, with what it has measured; one that takes long is not ended by a slip: a question is asked.
 */
void plt_run_view_stop(PltRunView *view);

/* All that a reader of the figures has to know, in a dialog. */
void plt_run_view_show_warnings(PltRunView *view);
