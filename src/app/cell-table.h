/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "library/run.h"

/*
 * The figures of every cell as a table. Of one run: the score with its IOPS and latencies, percentiles (those
 * that too few I/Os stand behind are pale), all runs, median and spread. Of several: a column for each, with
 * the difference from the first.
 */
#define PLT_TYPE_CELL_TABLE (plt_cell_table_get_type())
G_DECLARE_FINAL_TYPE(PltCellTable, plt_cell_table, PLT, CELL_TABLE, AdwBin)

GtkWidget *plt_cell_table_new(void);

/* RUNS: GPtrArray of PltRun; a reference is kept. NULL takes them away. */
void plt_cell_table_set_runs(PltCellTable *table, GPtrArray *runs);
