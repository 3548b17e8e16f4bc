/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/runner.h"

/*
 * Runs PLAN on TARGET into the library at LIBRARY_PATH (NULL = default) in a thread of its own, while this
 * one draws the progress line (with SHOW) and listens for SIGINT, SIGTERM and SIGHUP: the first ends the run
 * with what was measured kept and sets *STOPPED, the second leaves the program at once with status 130.
 * Returns as plt_runner_execute does.
 */
PltRun *plt_watch_execute(PltPlan *plan, PltTarget *target, const char *library_path, gboolean show,
                          gboolean *stopped, GError **error);
