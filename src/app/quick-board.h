/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/quick-cell.h"
#include "app/suite-item.h"
#include "suite/job.h"

/*
 * The rows and columns of the quick view: which cells there are for a suite, and what the runs of a drive
 * have found for them. It fills two boxes of the view and follows the jobs that it is given.
 */
typedef struct plt_quick_board PltQuickBoard;

/* HEADINGS takes the titles of the columns, ROWS the rows; the first column is as wide as CORNER. */
PltQuickBoard *plt_quick_board_new(GtkBox *headings, GtkBox *rows, GtkWidget *corner);
void plt_quick_board_free(PltQuickBoard *board);

/* TRUE when the cells are others than before, and have no figures therefore. */
gboolean plt_quick_board_set_item(PltQuickBoard *board, PltSuiteItem *item);

void plt_quick_board_set_unit(PltQuickBoard *board, PltFigureUnit unit);
void plt_quick_board_set_narrow(PltQuickBoard *board, gboolean narrow);

/*
 * Shows what JOB has found and, while it runs, what it finds. A job of all cells makes the grid anew; a job
 * of some leaves the others as they are; a job of another suite changes nothing.
 */
void plt_quick_board_add_job(PltQuickBoard *board, PltJob *job);

/* No cell has a figure, and no job is followed. */
void plt_quick_board_clear(PltQuickBoard *board);

/* TRUE when JOB is of the suite that is shown. */
gboolean plt_quick_board_shows(PltQuickBoard *board, PltJob *job);
