/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/fill.h"
#include "analysis/thermal.h"
#include "library/library.h"

/*
 * The figures that no single cell has: caches, phases, what a rest brings back, curves over the share of
 * reads, throttling, maps. They are made from the stored samples, by the roles of the cells (docs/suites.md),
 * as one JSON document, `analysis` of plateau.run/1 (docs/run-format.md). A run that was stopped has them of
 * what there is.
 */

/* Raised when a figure is made in another way: a document of another version is made anew. */
#define PLT_ANALYSE_VERSION 1

/*
 * The document, newly made. NULL without an error when no cell of RUN has a role that there are such figures
 * of, NULL with one when samples are damaged. Samples that are loaded are taken as they are; others are read
 * from LIBRARY, chunk by chunk, so that a run of days needs a few MB.
 */
JsonNode *plt_analyse_run(PltLibrary *library, const PltRun *run, GError **error);

/*
 * Sets run->analysis: the one in the library, or a new one, which is then stored if the library can be
 * written. Nothing is set for a run that still goes on. FALSE only when samples are damaged.
 */
gboolean plt_library_analyse(PltLibrary *library, PltRun *run, GError **error);

/*
 * The same for RUN that was just recorded at PATH and still is in memory, with the id that the recorder gave
 * it; and its temperatures. It stays without both when the library cannot be read.
 */
void plt_library_analyse_recorded(const char *path, PltRun *run);

/* Adds samples to a series: bytes read and written. A PltSamplesFunc; USER is a struct plt_series. */
void plt_analyse_add_samples(const struct plt_sample *samples, guint n_samples, gpointer user);

/* The samples of CELL_RUN as a series. Clear it in any case; FALSE when they are damaged. */
gboolean plt_analyse_series(PltLibrary *library, const PltCellRun *cell_run, struct plt_series *series,
                            GError **error);

/*
 * plt_analysis_fill of the window of CELL_RUN. A fall of speed while the drive was at its limit is heat and
 * not the end of a cache: such a fill has no cliff.
 */
struct plt_fill plt_analyse_fill(const PltRun *run, const PltCellRun *cell_run,
                                 const struct plt_series *series);

/* What the sensor said, by the seconds of the window of CELL_RUN: GArray of struct plt_heat. */
GArray *plt_analyse_heat(const PltRun *run, const PltCellRun *cell_run);

/* °C from which the drive calls itself too warm; NAN when it is not known. */
double plt_analyse_warning_c(const PltRun *run);
