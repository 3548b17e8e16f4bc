/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "app/run-item.h"
#include "chart/picture.h"
#include "report/report.h"

/*
 * The runs of the library, newest first: a GListModel of PltRunItem. All reading and writing happens in a
 * thread, with a library of its own; the calls return at once.
 *
 * Properties (read-only): "loading" b (nothing has been read yet), "error" s (one sentence why the library
 * cannot be read, or NULL). Signal "failed" (s): something that was asked for could not be done, in one
 * sentence.
 */
#define PLT_TYPE_RUN_STORE (plt_run_store_get_type())
G_DECLARE_FINAL_TYPE(PltRunStore, plt_run_store, PLT, RUN_STORE, GObject)

/* PATH of the library, NULL = the usual place. Starts to read. */
PltRunStore *plt_run_store_new(const char *path);

gboolean plt_run_store_is_loading(PltRunStore *store);
const char *plt_run_store_get_error(PltRunStore *store);

/* Where the library is; never NULL. */
const char *plt_run_store_get_path(PltRunStore *store);

/* The library's file or folder cannot be written: what was measured is shown, and nothing can be changed. */
gboolean plt_run_store_is_read_only(PltRunStore *store);

/* Reads again: a run was added, or ended. Calls while one is on its way are taken together. */
void plt_run_store_refresh(PltRunStore *store);

/* Belongs to the store; NULL if there is no such run in the list. */
PltRunItem *plt_run_store_find(PltRunStore *store, gint64 id);

/* Asks for the headline of ITEM, which notifies "figure" when it is known. */
void plt_run_store_need_figure(PltRunStore *store, PltRunItem *item);

/* Seen at once, written in the thread; NULL or "" takes it away. */
void plt_run_store_set_title(PltRunStore *store, gint64 id, const char *title);
void plt_run_store_set_note(PltRunStore *store, gint64 id, const char *note);

/*
 * Deletion in two steps, so that it can be undone: hidden runs are gone from the list and still in the
 * library. Hiding others deletes those before for good. Returns a ticket; a call with an older one, whose
 * runs are deleted already, does nothing.
 */
guint plt_run_store_hide(PltRunStore *store, const gint64 *ids, gsize n_ids);
void plt_run_store_unhide(PltRunStore *store, guint ticket);
void plt_run_store_expire(PltRunStore *store, guint ticket);

/* Deletes whatever is hidden. */
void plt_run_store_commit(PltRunStore *store);

/* Commits, and waits until everything asked for is on disk: before the program ends. */
void plt_run_store_flush(PltRunStore *store);

/* Whole runs in the order of IDS, with their samples if WITH_SAMPLES: GPtrArray of PltRun. */
void plt_run_store_load_async(PltRunStore *store, const gint64 *ids, gsize n_ids, gboolean with_samples,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
GPtrArray *plt_run_store_load_finish(PltRunStore *store, GAsyncResult *result, GError **error);

/*
 * The picture of RUNS (GPtrArray of PltRun without samples, which nobody changes) that OPTIONS ask for; texts
 * in OPTIONS are copied. Samples are read in chunks, however long a run is.
 */
void plt_run_store_draw_async(PltRunStore *store, GPtrArray *runs, const PltReportOptions *options,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
PltPicture *plt_run_store_draw_finish(PltRunStore *store, GAsyncResult *result, GError **error);
