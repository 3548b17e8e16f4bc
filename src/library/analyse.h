/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/fill.h"
#include "analysis/ratio.h"
#include "analysis/reclaim.h"
#include "analysis/thermal.h"
#include "analysis/zones.h"
#include "library/library.h"

/*
 * The figures that no single cell has: caches, phases, what a rest brings back, curves over the share of
 * reads, throttling. They are made from the stored samples, by the roles of the cells (docs/suites.md), as
 * one JSON document, `analysis` of plateau.run/1 (docs/run-format.md). A run that was stopped has them of
 * what there is.
 */

/* Raised when a figure is made in another way: a document of another version is made anew. */
#define PLT_ANALYSE_VERSION 1

/* The document, newly made; NULL with an error when samples are damaged. RUN is one of plt_library_load. */
JsonNode *plt_analyse_run(PltLibrary *library, const PltRun *run, GError **error);

/*
 * Sets run->analysis: the one in the library, or a new one, which is then stored if the library may be
 * written. Nothing is set for a run that still goes on. FALSE only when samples are damaged.
 */
gboolean plt_library_analyse(PltLibrary *library, PltRun *run, GError **error);

/* The number that ROLE has behind PREFIX ("fill-pass-2" behind "fill-pass-": 2); FALSE when it has none. */
gboolean plt_role_number(const char *role, const char *prefix, guint *number);

/* "ratio-q2-r70": queue depth 2 with 70 % reads. */
gboolean plt_role_ratio(const char *role, guint *queue, guint *read_percent);

/* "reclaim-30s", "reclaim-5min": the rest before it, in seconds. */
gboolean plt_role_reclaim(const char *role, double *rest_s);

/* What the sensor said, by the seconds of the window of CELL_RUN: GArray of struct plt_heat. */
GArray *plt_analyse_heat(const PltRun *run, const PltCellRun *cell_run);

/* Adds samples to a series: bytes read and written. A PltSamplesFunc; USER is a struct plt_series. */
void plt_analyse_add_samples(const struct plt_sample *samples, guint n_samples, gpointer user);
