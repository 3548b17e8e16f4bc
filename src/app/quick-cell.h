/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/run-words.h"

typedef enum {
    PLT_QUICK_EMPTY,   /* never measured */
    PLT_QUICK_WAITING, /* will be, in the run that is on its way */
    PLT_QUICK_ACTIVE,  /* is measured now */
    PLT_QUICK_DONE,
    PLT_QUICK_PARTIAL, /* stopped or failed inside: what there is, is less than planned */
    PLT_QUICK_FAILED,  /* without any figure */
} PltQuickState;

/* What a cell has found. Without KNOWN there is nothing yet. */
typedef struct {
    gboolean known;
    double bandwidth_bps, iops, mean_ns;
    guint n_runs; /* that count, with median and spread below where there are several */
    double median_bps, spread_percent;
    double p99_ns; /* 0 while not known */
} PltQuickFigures;

/*
 * One figure of the quick grid: a large number in the chosen unit over a bar that is filled on
 * CrystalDiskMark's logarithmic scale, and a small line below that says what happens or what else is known.
 *
 * CSS: node "quickcell" with the child "fill"; style classes "read", "write", "mix", and "waiting", "active",
 * "partial", "failed" by state.
 * Accessibility: role METER with the workload as its label, the figure as its value and best, median and
 * spread as its description; it takes the focus, so that the keyboard reaches its tooltip.
 * Text direction: the bar grows from the side where text begins.
 */
#define PLT_TYPE_QUICK_CELL (plt_quick_cell_get_type())
G_DECLARE_FINAL_TYPE(PltQuickCell, plt_quick_cell, PLT, QUICK_CELL, GtkWidget)

/* NAME is what a screen reader calls it: "RND4K Q32T16 Read". ACCESS_TIME: its figure is always in µs. */
GtkWidget *plt_quick_cell_new(const char *name, PltCellOp op, gboolean access_time);

void plt_quick_cell_set_unit(PltQuickCell *cell, PltFigureUnit unit);

/* In a narrow window the number is smaller, and the line below has less. */
void plt_quick_cell_set_narrow(PltQuickCell *cell, gboolean narrow);

/* NOTE is the small line, NULL for the other figures. */
void plt_quick_cell_set_state(PltQuickCell *cell, PltQuickState state, const char *note);
PltQuickState plt_quick_cell_get_state(PltQuickCell *cell);

void plt_quick_cell_set_figures(PltQuickCell *cell, const PltQuickFigures *figures);
