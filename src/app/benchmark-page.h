/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "drive/drive.h"

/*
 * Everything that starts from a drive's Benchmark tab: what to measure and where, the grid of the quick
 * suites, the run that is on its way, and the suites by purpose.
 *
 * Properties: "drive" (PltDrive). It finds the running job of that drive in the program's PltJobList by
 * itself, so a page that is made while a run is on its way shows it.
 *
 * Actions, for widgets inside and shortcuts: "benchmark.run" (s: a row or cell of the suite in the grid, "" =
 * all of it), "benchmark.stop", "benchmark.choose" (s: suite), "benchmark.start" (s: suite),
 * "benchmark.settings" (s: suite), "benchmark.show-result".
 */
#define PLT_TYPE_BENCHMARK_PAGE (plt_benchmark_page_get_type())
G_DECLARE_FINAL_TYPE(PltBenchmarkPage, plt_benchmark_page, PLT, BENCHMARK_PAGE, AdwBin)

GtkWidget *plt_benchmark_page_new(void);

PltDrive *plt_benchmark_page_get_drive(PltBenchmarkPage *page);
void plt_benchmark_page_set_drive(PltBenchmarkPage *page, PltDrive *drive);

/* Scrolls to the run that is on its way (for "win.show-job"). */
void plt_benchmark_page_show_job(PltBenchmarkPage *page);
