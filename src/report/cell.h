/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/score.h"
#include "analysis/statistics.h"
#include "library/run.h"

/* What a report takes from a cell. The returned figures belong to the cell. */

/* Figures of the direction that CELL is about in RUN; of both together for a mix. */
const struct plt_measure *plt_report_run_measure(const PltCell *cell, const PltCellRun *run);

/* The score's; NULL when no run was completed. */
const struct plt_measure *plt_report_cell_measure(const PltCell *cell);

/* What was measured before a cell without a score was cut short; NULL when that is nothing. */
const struct plt_measure *plt_report_cell_partial(const PltCell *cell);

/* Bandwidths in bytes/s of all complete runs that are no warm-up, summarised; returns how many. */
gsize plt_report_cell_runs(const PltCell *cell, struct plt_summary *summary);

/* A cell that is about latency: its figure is the time of one access. */
gboolean plt_report_cell_is_access_time(const PltCell *cell);

/* "Read", "Write" or "Mix", untranslated. */
const char *plt_report_op_word(PltCellOp op);

/* The untranslated word for a cell without a score in a run of STATUS; BEGUN: it was being measured. */
const char *plt_report_status_word(PltRunStatus status, gboolean begun);

/* FALSE when a figure that the score needs is missing. */
gboolean plt_report_score(const PltRun *run, struct plt_score *score);
