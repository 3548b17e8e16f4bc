/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/suite-item.h"
#include "app/target-row.h"
#include "suite/job.h"

/*
 * CrystalDiskMark's window as a part of ours: preset, runs, size and target at the top, the button that runs
 * all (and stops) in the corner of the grid, a button for each row that runs it alone, the figures of reads,
 * writes and mixes beside it. A row that is run alone leaves the figures of the others as they were.
 *
 * Its buttons activate "benchmark.run", "benchmark.click-stop", "benchmark.settings" and
 * "benchmark.show-result".
 *
 * Properties: "item" (PltSuiteItem, read-only, notifies: the preset that is chosen), "narrow" b.
 */
#define PLT_TYPE_QUICK_VIEW (plt_quick_view_get_type())
G_DECLARE_FINAL_TYPE(PltQuickView, plt_quick_view, PLT, QUICK_VIEW, AdwBin)

/* The presets (PltSuiteItem) and where the chosen unit is kept. */
void plt_quick_view_set_suites(PltQuickView *view, GListModel *items, GSettings *settings);

void plt_quick_view_select(PltQuickView *view, const char *suite_id);
PltSuiteItem *plt_quick_view_get_item(PltQuickView *view); /* NULL before there are suites */
PltTargetRow *plt_quick_view_get_target(PltQuickView *view);

/* The runs of the drive whose figures are shown, oldest first (PltJob): all of them, or one more. */
void plt_quick_view_set_jobs(PltQuickView *view, GPtrArray *jobs);
void plt_quick_view_add_job(PltQuickView *view, PltJob *job);

/* The grid with its buttons, without the lists above. */
GtkWidget *plt_quick_view_get_grid(PltQuickView *view);

/* The run of the library whose figures stand in the grid, the last one of several; 0 = none. */
gint64 plt_quick_view_get_run_id(PltQuickView *view);

/* A run is on its way on this drive: nothing can be changed, and the large button stops it. */
void plt_quick_view_set_running(PltQuickView *view, gboolean running);
