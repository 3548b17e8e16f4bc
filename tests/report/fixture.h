/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"

/* Runs with figures as drives of 2023 give them, made without any I/O. */

/* An empty run of SUITE that is complete, on a 4 TB NVMe drive, with all documents and no warnings. */
PltRun *plt_fixture_run(const char *suite_id, const char *suite_name, const char *chart);

/* Adds a cell with N_RUNS complete runs of 5 s whose best has BPS bytes/s. */
PltCell *plt_fixture_add_cell(PltRun *run, const char *label, enum plt_pattern pattern, guint32 block,
                              guint queue, guint threads, PltCellOp op, double bps, guint n_runs);

/* Gives each run of CELL samples of 100 ms; run STALL_RUN (-1 = none) stands still for a second. */
void plt_fixture_add_samples(PltCell *cell, int stall_run);

PltRun *plt_fixture_nvme(gboolean mix); /* four rows, three runs each */
PltRun *plt_fixture_rows(guint rows);   /* 1 to 16 rows, one run each */
PltRun *plt_fixture_as_ssd(void);       /* five rows, score 5,104 */
PltRun *plt_fixture_blocks(void);       /* 512 B to 64 MiB */
PltRun *plt_fixture_stopped(void);      /* the third row was being measured */
PltRun *plt_fixture_failed(void);       /* the drive went away while writing */
PltRun *plt_fixture_long_names(void);   /* names, warnings and rows longer than any picture is wide */
PltRun *plt_fixture_bare(void);         /* an old document: nothing known but the figures */
