/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/runner.h"

/* How the window writes what a run is and does. All return newly allocated text unless they say otherwise. */

/* "About 3:15 min · writes about 41 GB". */
char *plt_words_plan(const PltPlan *plan);

/* "3:15 min" */
char *plt_words_time(guint64 ms);

/* "41.2 GB" */
char *plt_words_bytes(guint64 bytes);

/* "Read", "Write", "Mix"; static. */
const char *plt_words_op(PltCellOp op);

/* LABEL of a cell in the program's language, where it has one; belongs to whom LABEL belongs, or static. */
const char *plt_words_label(const char *label);

/* "RND4K Q32T16 Read" */
char *plt_words_cell(const PltCellSpec *spec);

/* What happens now, in a few words: "Writing the test file", "Warm-up", "Run 2 of 3", "Resting". */
char *plt_words_phase(const PltPlan *plan, const PltRunnerProgress *progress);

/* What figures of a cell are shown in. */
typedef enum {
    PLT_FIGURE_MBPS,
    PLT_FIGURE_GBPS,
    PLT_FIGURE_IOPS,
    PLT_FIGURE_US,
} PltFigureUnit;

#define PLT_N_FIGURE_UNITS 4

/* As the unit is written ("µs"), and as settings have it ("us"); static. */
const char *plt_words_unit(PltFigureUnit unit);
const char *plt_words_unit_id(PltFigureUnit unit);
PltFigureUnit plt_words_unit_from_id(const char *id);

/* The number alone: "3,504", "3.504", "855,471", "58.4"; "—" for what is not known. */
char *plt_words_figure(PltFigureUnit unit, double bandwidth_bps, double iops, double mean_ns);
