/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/line.h"
#include "suite/runner.h"

/* The progress line of a run on a terminal: one line that is drawn over itself. */
typedef struct plt_progress PltProgress;

/*
 * For PLAN on the terminal FD. A terminal that cannot redraw a line (TERM=dumb or unset) gets one plain line
 * for each cell instead; NO_COLOR takes the colours away.
 */
PltProgress *plt_progress_new(const PltPlan *plan, int fd);
void plt_progress_free(PltProgress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltProgress, plt_progress_free)

/* The runner's news: PltRunnerFunc, from any thread; USER is the PltProgress. */
void plt_progress_update(const PltRunnerProgress *now, const struct plt_sample *sample, gpointer user);

/* Draws the line as things stand; call it PLT_PROGRESS_HZ times a second from one thread. */
#define PLT_PROGRESS_HZ 5
void plt_progress_draw(PltProgress *progress);

/* Takes the line away, so that something else can be printed. */
void plt_progress_clear(PltProgress *progress);
