/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/library-worker.h"
#include "report/report.h"

/* What the run store has done in the thread of the library. */

/* What a task is about; its task data. */
typedef struct {
    gint64 *ids;
    gsize n_ids;
    gboolean with_samples;
    GPtrArray *runs; /* PltRun, or NULL */
    char *text, *kind, *cell, *language;
    PltReportOptions options; /* its texts are kind, cell and language */
    gboolean (*set)(PltLibrary *library, gint64 id, const char *text, GError **error);
} PltStoreRequest;

/* A task of SOURCE with a request for IDS. */
GTask *plt_store_task_new(gpointer source, const gint64 *ids, gsize n_ids, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer data);
PltStoreRequest *plt_store_task_get(GTask *task);

void plt_store_list(GTask *task, PltLibrary *library);     /* -> GPtrArray of PltRunSummary */
void plt_store_headline(GTask *task, PltLibrary *library); /* the first id -> char * */
void plt_store_write(GTask *task, PltLibrary *library);    /* SET of the first id -> boolean */
void plt_store_delete(GTask *task,
                      PltLibrary *library);            /* -> boolean; the first error after all were tried */
void plt_store_load(GTask *task, PltLibrary *library); /* -> GPtrArray of PltRun */
void plt_store_draw(GTask *task, PltLibrary *library); /* RUNS as OPTIONS ask for -> PltPicture */
