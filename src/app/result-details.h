/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "chart/chart.h"
#include "library/run.h"

/* Fills GROUP with the warnings of RUN, and shows it only if there are any. */
void plt_result_fill_warnings(AdwPreferencesGroup *group, const PltRun *run);

/* Fills GROUP with an expander for each kind of recorded fact. */
void plt_result_fill_details(AdwPreferencesGroup *group, const PltRun *run);

/* Fills GROUP with a row for each of RUNS (GPtrArray of PltRun) that opens it. */
void plt_result_fill_runs(AdwPreferencesGroup *group, GPtrArray *runs);

/* Takes away what the functions above have added. */
void plt_result_clear(AdwPreferencesGroup *group);

/* Sentences for a screen reader: what CHART shows, and the range and median of each of its curves. */
char *plt_result_describe_chart(const PltChart *chart, const char *title);
