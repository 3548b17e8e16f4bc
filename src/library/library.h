/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/error.h"
#include "library/run.h"

/* The results kept: one SQLite file (WAL). Not thread-safe: one PltLibrary per thread. */
typedef struct plt_library PltLibrary;

/* $XDG_DATA_HOME/plateau/library.db, newly allocated; the folder is not made. */
char *plt_library_default_path(void);

/*
 * Opens, makes or migrates the library at PATH (NULL = default). A file of a newer program version, or one
 * that is no library, is refused and left as it is. One that cannot be written is opened to be read.
 */
PltLibrary *plt_library_open(const char *path, GError **error);

/* TRUE where file or folder cannot be written: it is read all the same, and every change fails. */
gboolean plt_library_is_read_only(PltLibrary *library);
void plt_library_close(PltLibrary *library);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltLibrary, plt_library_close)

/*
 * Marks as INTERRUPTED every run that says RUNNING and whose recorder is gone, keeps all its data, and makes
 * the figures of its unfinished cell run from the samples that were stored. Returns how many, -1 on error.
 */
int plt_library_recover(PltLibrary *library, GError **error);

/* What a list needs of a run. */
typedef struct {
    gint64 id;
    char *uuid, *suite_id, *suite_name, *title, *note, *drive_model, *target_text;
    PltRunStatus status;
    gint64 started_us, ended_us;
    guint n_cells;
} PltRunSummary;

void plt_run_summary_free(PltRunSummary *summary);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltRunSummary, plt_run_summary_free)

/* All runs, newest first: GPtrArray of PltRunSummary; NULL on error. */
GPtrArray *plt_library_list(PltLibrary *library, GError **error);

/* A whole run with its cells, figures, histograms and analysis (see analyse.h), without samples. */
PltRun *plt_library_load(PltLibrary *library, gint64 id, GError **error);

/*
 * By decimal id, a uuid or an unambiguous start of one, or "last". 0 and ERROR when there is none. Fewer than
 * eight digits without a letter are always an id.
 */
gint64 plt_library_find(PltLibrary *library, const char *text, GError **error);

/*
 * Goes through the samples of a cell run that plt_library_load gave, in chunks and in order: a long run has
 * more of them (208 bytes each) than one wants in memory at once. FALSE at the first damaged chunk.
 */
typedef void (*PltSamplesFunc)(const struct plt_sample *samples, guint n_samples, gpointer user);
gboolean plt_library_each_samples(PltLibrary *library, const PltCellRun *run, PltSamplesFunc func,
                                  gpointer user, GError **error);

/* Fills run->samples of a cell run that plt_library_load gave. */
gboolean plt_library_load_samples(PltLibrary *library, PltCellRun *run, GError **error);

gboolean plt_library_set_title(PltLibrary *library, gint64 id, const char *title, GError **error);
gboolean plt_library_set_note(PltLibrary *library, gint64 id, const char *note, GError **error);
gboolean plt_library_delete(PltLibrary *library, gint64 id, GError **error);
