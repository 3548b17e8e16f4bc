/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/database.h"
#include "library/run.h"

/* The run with its cells, figures, histograms, stalls, warnings and events, without samples. */
PltRun *plt_load_run(PltDatabase *database, gint64 id, GError **error);

/* Called for each stored chunk of samples in turn. */
typedef void (*PltChunkFunc)(const struct plt_sample *samples, guint n_samples, gpointer user);

/* Goes through the samples of a cell run, and ends with an error at the first damaged chunk. */
gboolean plt_load_chunks(PltDatabase *database, gint64 cell_run_id, PltChunkFunc func, gpointer user,
                         GError **error);

/* Appends the samples of a cell run to SAMPLES (GArray of struct plt_sample). */
gboolean plt_load_samples(PltDatabase *database, gint64 cell_run_id, GArray *samples, GError **error);

/* How many samples a cell run has. */
gboolean plt_load_n_samples(PltDatabase *database, gint64 cell_run_id, guint64 *n_samples, GError **error);

/* The uuid of a run, NULL and a USAGE error when there is none with ID. */
char *plt_load_uuid(PltDatabase *database, gint64 id, GError **error);
