/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/store-work.h"

#include <glib/gi18n-lib.h>

#include "app/run-item.h"
#include "report/build.h"

static void free_request(gpointer data)
{
    PltStoreRequest *request = data;

    g_clear_pointer(&request->runs, g_ptr_array_unref);
    g_free(request->ids);
    g_free(request->text);
    g_free(request->kind);
    g_free(request->cell);
    g_free(request->language);
    g_free(request);
}

GTask *plt_store_task_new(gpointer source, const gint64 *ids, gsize n_ids, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer data)
{
    PltStoreRequest *request = g_new0(PltStoreRequest, 1);
    GTask *task = g_task_new(source, cancellable, callback, data);

    request->ids = g_memdup2(ids, n_ids * sizeof *ids);
    request->n_ids = n_ids;
    g_task_set_task_data(task, request, free_request);
    return task;
}

PltStoreRequest *plt_store_task_get(GTask *task)
{
    return g_task_get_task_data(task);
}

void plt_store_list(GTask *task, PltLibrary *library)
{
    GError *error = NULL;
    GPtrArray *list = library ? plt_library_list(library, &error) : g_ptr_array_new();

    if (list)
        g_task_return_pointer(task, list, (GDestroyNotify)g_ptr_array_unref);
    else
        g_task_return_error(task, error);
}

static void fail_without_library(GTask *task)
{
    g_task_return_new_error(task, PLT_ERROR, PLT_ERROR_USAGE, "%s",
                            _("The library holds no run: it was moved or deleted."));
}

void plt_store_headline(GTask *task, PltLibrary *library)
{
    const PltStoreRequest *request = plt_store_task_get(task);
    g_autoptr(PltRun) run = NULL;
    GError *error = NULL;

    if (library)
        run = plt_library_load(library, request->ids[0], &error);
    if (run)
        g_task_return_pointer(task, plt_run_headline(run), g_free);
    else if (error)
        g_task_return_error(task, error);
    else
        fail_without_library(task);
}

void plt_store_write(GTask *task, PltLibrary *library)
{
    const PltStoreRequest *request = plt_store_task_get(task);
    GError *error = NULL;

    if (!library)
        fail_without_library(task);
    else if (request->set(library, request->ids[0], request->text, &error))
        g_task_return_boolean(task, TRUE);
    else
        g_task_return_error(task, error);
}

void plt_store_delete(GTask *task, PltLibrary *library)
{
    const PltStoreRequest *request = plt_store_task_get(task);
    GError *first = NULL;

    for (gsize i = 0; library && i < request->n_ids; i++) {
        GError *error = NULL;

        if (plt_library_delete(library, request->ids[i], &error))
            continue;
        if (first)
            g_error_free(error);
        else
            first = error;
    }
    if (first)
        g_task_return_error(task, first);
    else
        g_task_return_boolean(task, TRUE);
}

static gboolean load_samples(PltLibrary *library, PltRun *run, GError **error)
{
    for (guint i = 0; i < run->cells->len; i++) {
        PltCell *cell = run->cells->pdata[i];

        for (guint r = 0; r < cell->runs->len; r++) {
            if (!plt_library_load_samples(library, cell->runs->pdata[r], error))
                return FALSE;
        }
    }
    return TRUE;
}

void plt_store_load(GTask *task, PltLibrary *library)
{
    const PltStoreRequest *request = plt_store_task_get(task);
    g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify)plt_run_free);
    GError *error = NULL;

    if (!library) {
        fail_without_library(task);
        return;
    }
    for (gsize i = 0; i < request->n_ids; i++) {
        PltRun *run = plt_library_load(library, request->ids[i], &error);

        if (run)
            g_ptr_array_add(runs, run);
        if (!run || (request->with_samples && !load_samples(library, run, &error))) {
            g_task_return_error(task, error);
            return;
        }
    }
    g_task_return_pointer(task, g_steal_pointer(&runs), (GDestroyNotify)g_ptr_array_unref);
}

static gboolean each_samples(gpointer library, const PltCellRun *run, PltSamplesFunc func, gpointer user,
                             GError **error)
{
    return plt_library_each_samples(library, run, func, user, error);
}

void plt_store_draw(GTask *task, PltLibrary *library)
{
    const PltStoreRequest *request = plt_store_task_get(task);
    GError *error = NULL;
    g_autoptr(PltLanguage) language = plt_language_new(request->language, &error);
    PltSampleSource source = {each_samples, library};
    PltPicture *picture = NULL;

    if (language)
        picture = plt_report_build_from((const PltRun *const *)request->runs->pdata, request->runs->len,
                                        &request->options, language, library ? &source : NULL, &error);
    if (picture)
        g_task_return_pointer(task, picture, (GDestroyNotify)plt_picture_free);
    else
        g_task_return_error(task, error);
}
