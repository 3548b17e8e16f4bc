/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "library/run.h"

/* One workload and operation in one or several runs: a row of the table of figures. */
#define PLT_TYPE_CELL_FIGURES (plt_cell_figures_get_type())
G_DECLARE_FINAL_TYPE(PltCellFigures, plt_cell_figures, PLT, CELL_FIGURES, GObject)

/* What a column of the table shows. Percentiles follow PLT_FIGURE_PERCENTILE in the order of their enum. */
typedef enum {
    PLT_FIGURE_CELL,
    PLT_FIGURE_OP,
    PLT_FIGURE_BANDWIDTH,
    PLT_FIGURE_IOPS,
    PLT_FIGURE_MEAN,
    PLT_FIGURE_MEDIAN_RUN,
    PLT_FIGURE_SPREAD,
    PLT_FIGURE_RUNS,
    PLT_FIGURE_MIN,
    PLT_FIGURE_PERCENTILE,
    PLT_FIGURE_MAX = PLT_FIGURE_PERCENTILE + PLT_N_PERCENTILES,
    PLT_FIGURE_RUN, /* the score in run number FIGURE - PLT_FIGURE_RUN, of several */
} PltFigure;

/* GListStore of PltCellFigures for all cells of RUNS (GPtrArray of PltRun, kept), in the order of measuring.
 */
GListStore *plt_cell_figures_list(GPtrArray *runs);

/* The heading of FIGURE with its unit; newly allocated. */
char *plt_figure_title(guint figure, GPtrArray *runs);

/* The figure as text, "—" where there is none; newly allocated. */
char *plt_cell_figures_format(PltCellFigures *figures, guint figure);

/* FALSE: fewer than ten I/Os stand behind the percentile, or it comes from a run that did not end well. */
gboolean plt_cell_figures_is_reliable(PltCellFigures *figures, guint figure);
