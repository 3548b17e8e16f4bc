/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"

/* Cells side by side as people read them: what the tables of all text formats are made from. */

/* The cells of one workload: pattern, block, queue, threads and sync mode. */
typedef struct {
    const PltCellSpec *spec; /* of its first cell */
    GPtrArray *cells;        /* const PltCell; no two with the same operation and share of reads */
} PltExportRow;

/* In the order in which the workloads first come up: GPtrArray of PltExportRow. RUN must outlive it. */
GPtrArray *plt_export_rows(const PltRun *run);

/* NULL when the row has no such cell. READ_PERCENT counts for a mix only. */
const PltCell *plt_export_row_cell(const PltExportRow *row, PltCellOp op, guint read_percent);

/* The shares of reads of the run's mixed cells, each once: GArray of guint. */
GArray *plt_export_mixes(const PltRun *run);

gboolean plt_export_has_op(const PltRun *run, PltCellOp op);

/* Has a cell more than one run that counts, so that a median and a spread say something? */
gboolean plt_export_has_repeats(const PltRun *run);

/* How many runs of CELL count. */
guint plt_export_n_scored(const PltCell *cell);

/* Lowest and highest bandwidth of the runs that count; FALSE if there is none. */
gboolean plt_export_range(const PltCell *cell, double *low_bps, double *high_bps);

/* Are the latencies of MEASURE known? They are not when a window had no histogram and no samples. */
gboolean plt_export_latency_known(const struct plt_measure *measure);

/*
 * VALUE with DECIMALS after the point, "." in every locale; thousands set off by "," where GROUPED. "–" for
 * NAN.
 */
char *plt_export_number(double value, int decimals, gboolean grouped);

/* Figures as tables show them, with as many decimals as have a meaning; "–" where RUN is NULL or has none. */
char *plt_export_mbps(double bandwidth_bps);
char *plt_export_us(double ns);

/* The four columns of a cell in tables: MB/s, IOPS, mean and 99th percentile in µs. Each newly allocated. */
#define PLT_EXPORT_COLUMNS 4
void plt_export_columns(const PltCell *cell, char *columns[PLT_EXPORT_COLUMNS]);

/* "SEQ1M Q8T1 read" and, for a mix, "RND4K Q1T1 70 % read". */
char *plt_export_cell_title(const PltCell *cell);
