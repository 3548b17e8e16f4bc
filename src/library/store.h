/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/database.h"
#include "library/run.h"

/* Rows of a run, one call a table: what the recorder and recovery write. All within the caller's transaction.
 */

/* The columns of the table figure in the order of enum plt_percentile; also the reader's. */
#define PLT_STORE_PERCENTILES "p50_ns, p90_ns, p95_ns, p99_ns, p99_9_ns, p99_99_ns, p99_999_ns"

/* The name of the figures over all operations. */
#define PLT_STORE_TOTAL "total"

/* The new id of the row, 0 on error. The run's cells are not written. */
gint64 plt_store_add_run(PltDatabase *database, const PltRun *run, GError **error);
gint64 plt_store_add_cell(PltDatabase *database, gint64 run_id, const PltCellSpec *spec, PltScoreRule rule,
                          GError **error);
gint64 plt_store_add_cell_run(PltDatabase *database, gint64 cell_id, gboolean warmup, gint64 started_us,
                              guint64 tick_ns, GError **error);

gboolean plt_store_add_warning(PltDatabase *database, gint64 run_id, const char *id, const char *detail,
                               GError **error);
gboolean plt_store_add_event(PltDatabase *database, gint64 run_id, gint64 at_us, const char *kind,
                             const char *detail, GError **error);

gboolean plt_store_add_temperature(PltDatabase *database, gint64 run_id, const PltTemperature *temperature,
                                   GError **error);

/* Writes, or writes anew, the analysis of a run, made by VERSION (PLT_ANALYSE_VERSION). */
gboolean plt_store_put_analysis(PltDatabase *database, gint64 run_id, int version, JsonNode *document,
                                GError **error);

/* Writes, or writes anew, the chunk that begins with sample FIRST of the cell run. */
gboolean plt_store_put_samples(PltDatabase *database, gint64 cell_run_id, guint64 first,
                               const struct plt_sample *samples, gsize n_samples, guint64 tick_ns,
                               GError **error);

/* A blob that plt_blob_write_histogram made. */
gboolean plt_store_put_histogram(PltDatabase *database, gint64 cell_run_id, enum plt_op op,
                                 const GByteArray *blob, GError **error);

/* How a cell run ended: all of RUN but its histograms and samples. ENGINE is JSON or NULL. */
gboolean plt_store_end_cell_run(PltDatabase *database, gint64 cell_run_id, const PltCellRun *run,
                                const char *engine, GError **error);

gboolean plt_store_end_run(PltDatabase *database, gint64 run_id, PltRunStatus status, const char *detail,
                           gint64 ended_us, GError **error);
