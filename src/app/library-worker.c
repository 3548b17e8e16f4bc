/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/library-worker.h"

struct plt_library_worker {
    GThreadPool *pool; /* of one thread: work is done in order */
    char *path;
    PltLibrary *library; /* used by the pool's thread only */
    GMutex mutex;
    GCond idle;
    guint waiting; /* pushed and not done, under MUTEX */
    int read_only; /* atomic */
};

struct work {
    GTask *task;
    PltLibraryWork function;
};

static gboolean open_library(PltLibraryWorker *worker, GError **error)
{
    g_autoptr(GError) recovery = NULL;

    if (worker->library || !g_file_test(worker->path, G_FILE_TEST_EXISTS))
        return TRUE;
    worker->library = plt_library_open(worker->path, error);
    if (!worker->library)
        return FALSE;
    g_atomic_int_set(&worker->read_only, plt_library_is_read_only(worker->library));
    /* What an earlier process left half done is closed; a library that can only be read is read all the same.
     */
    if (plt_library_recover(worker->library, &recovery) < 0)
        g_info("The library was not recovered: %s", recovery->message);
    return TRUE;
}

static gboolean drop_task(gpointer task)
{
    g_object_unref(task);
    return G_SOURCE_REMOVE;
}

/* What a task holds belongs to the main loop: its last reference must not be dropped in this thread. */
static void give_back(GTask *task)
{
    g_autoptr(GSource) source = g_idle_source_new();

    g_source_set_priority(source, G_PRIORITY_DEFAULT);
    g_source_set_callback(source, drop_task, task, NULL);
    g_source_attach(source, g_task_get_context(task));
}

static void do_work(gpointer data, gpointer user_data)
{
    PltLibraryWorker *worker = user_data;
    struct work *work = data;
    GError *error = NULL;

    if (!g_task_return_error_if_cancelled(work->task)) {
        if (open_library(worker, &error))
            work->function(work->task, worker->library);
        else
            g_task_return_error(work->task, error);
    }
    give_back(work->task);
    g_free(work);
    g_mutex_lock(&worker->mutex);
    if (--worker->waiting == 0)
        g_cond_broadcast(&worker->idle);
    g_mutex_unlock(&worker->mutex);
}

PltLibraryWorker *plt_library_worker_new(const char *path)
{
    PltLibraryWorker *worker = g_new0(PltLibraryWorker, 1);

    worker->path = path ? g_strdup(path) : plt_library_default_path();
    g_mutex_init(&worker->mutex);
    g_cond_init(&worker->idle);
    worker->pool = g_thread_pool_new(do_work, worker, 1, FALSE, NULL);
    return worker;
}

void plt_library_worker_free(PltLibraryWorker *worker)
{
    if (!worker)
        return;
    g_thread_pool_free(worker->pool, FALSE, TRUE);
    g_clear_pointer(&worker->library, plt_library_close);
    g_mutex_clear(&worker->mutex);
    g_cond_clear(&worker->idle);
    g_free(worker->path);
    g_free(worker);
}

void plt_library_worker_push(PltLibraryWorker *worker, GTask *task, PltLibraryWork function)
{
    struct work *work = g_new(struct work, 1);

    work->task = task;
    work->function = function;
    g_mutex_lock(&worker->mutex);
    worker->waiting++;
    g_mutex_unlock(&worker->mutex);
    g_thread_pool_push(worker->pool, work, NULL);
}

gboolean plt_library_worker_is_read_only(PltLibraryWorker *worker)
{
    return g_atomic_int_get(&worker->read_only);
}

void plt_library_worker_wait(PltLibraryWorker *worker)
{
    g_mutex_lock(&worker->mutex);
    while (worker->waiting > 0)
        g_cond_wait(&worker->idle, &worker->mutex);
    g_mutex_unlock(&worker->mutex);
}
