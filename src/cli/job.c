/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/job.h"

#include <signal.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"

typedef struct {
    PltPlan *plan;
    PltFolder *folder;
    const char *library_path;
    PltProgress *progress; /* NULL: nothing is shown */
    GCancellable *cancellable;
    GMainLoop *loop;
    PltRun *run;
    GError *error;
} Job;

static gboolean quit_loop(gpointer user)
{
    g_main_loop_quit(user);
    return G_SOURCE_REMOVE;
}

static gpointer run_thread(gpointer user)
{
    Job *job = user;

    job->run = plt_runner_execute(job->plan, job->folder, job->library_path,
                                  job->progress != NULL ? plt_progress_update : NULL, job->progress,
                                  job->cancellable, &job->error);
    g_idle_add(quit_loop, job->loop);
    return NULL;
}

static gboolean on_signal(gpointer user)
{
    Job *job = user;

    if (job->progress != NULL)
        plt_progress_clear(job->progress);
    /* The samples of all but the last second are in the library; the next start finds the run there. */
    if (g_cancellable_is_cancelled(job->cancellable))
        _exit(PLT_EXIT_STOPPED);
    if (job->progress != NULL)
        plt_output_note(_("Stopping; what was measured is kept. Once more leaves at once."));
    g_cancellable_cancel(job->cancellable);
    return G_SOURCE_CONTINUE;
}

static gboolean on_tick(gpointer user)
{
    Job *job = user;

    if (!g_cancellable_is_cancelled(job->cancellable))
        plt_progress_draw(job->progress);
    return G_SOURCE_CONTINUE;
}

static gboolean is_ignored(int number)
{
    struct sigaction action;

    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* A program under nohup goes on when its terminal closes. */
static guint watch_hangup(Job *job)
{
    return is_ignored(SIGHUP) ? 0 : g_unix_signal_add(SIGHUP, on_signal, job);
}

PltRun *plt_job_execute(PltPlan *plan, PltFolder *folder, const char *library_path, gboolean show,
                        gboolean *stopped, GError **error)
{
    g_autoptr(PltProgress) progress = show ? plt_progress_new(plan, STDERR_FILENO) : NULL;
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
    Job job = {.plan = plan,
               .folder = folder,
               .library_path = library_path,
               .progress = progress,
               .cancellable = cancellable,
               .loop = loop};
    guint sources[] = {
        g_unix_signal_add(SIGINT, on_signal, &job),
        g_unix_signal_add(SIGTERM, on_signal, &job),
        watch_hangup(&job),
        show ? g_timeout_add(1000 / PLT_PROGRESS_HZ, on_tick, &job) : 0,
    };
    GThread *thread = g_thread_new("runner", run_thread, &job);

    g_main_loop_run(loop);
    g_thread_join(thread);
    for (guint i = 0; i < G_N_ELEMENTS(sources); i++)
        if (sources[i] != 0)
            g_source_remove(sources[i]);
    if (progress != NULL)
        plt_progress_clear(progress);
    *stopped = g_cancellable_is_cancelled(cancellable);
    if (job.error != NULL)
        g_propagate_error(error, job.error);
    return job.run;
}
