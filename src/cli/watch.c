/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/watch.h"

#include <signal.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "cli/command.h"
#include "cli/inhibit.h"
#include "cli/output.h"
#include "cli/progress.h"

typedef struct {
    PltPlan *plan;
    PltTarget *target;
    const char *library_path;
    PltProgress *progress; /* NULL: nothing is shown */
    GCancellable *cancellable;
    GMainLoop *loop;
    PltRun *run;
    GError *error;
} Watch;

static gboolean quit_loop(gpointer user)
{
    g_main_loop_quit(user);
    return G_SOURCE_REMOVE;
}

static gpointer run_thread(gpointer user)
{
    Watch *watch = user;

    watch->run = plt_runner_execute(watch->plan, watch->target, watch->library_path,
                                    watch->progress != NULL ? plt_progress_update : NULL, watch->progress,
                                    watch->cancellable, &watch->error);
    g_idle_add(quit_loop, watch->loop);
    return NULL;
}

static gboolean on_signal(gpointer user)
{
    Watch *watch = user;

    if (watch->progress != NULL)
        plt_progress_clear(watch->progress);
    /* The samples of all but the last second are in the library; the next start finds the run there. */
    if (g_cancellable_is_cancelled(watch->cancellable))
        _exit(PLT_EXIT_STOPPED);
    if (watch->progress != NULL)
        plt_output_note(_("Stopping; what was measured is kept. Once more leaves at once."));
    g_cancellable_cancel(watch->cancellable);
    return G_SOURCE_CONTINUE;
}

static gboolean on_tick(gpointer user)
{
    Watch *watch = user;

    if (!g_cancellable_is_cancelled(watch->cancellable))
        plt_progress_draw(watch->progress);
    return G_SOURCE_CONTINUE;
}

static gboolean is_ignored(int number)
{
    struct sigaction action;

    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* A program under nohup goes on when its terminal closes. */
static guint watch_hangup(Watch *watch)
{
    return is_ignored(SIGHUP) ? 0 : g_unix_signal_add(SIGHUP, on_signal, watch);
}

PltRun *plt_watch_execute(PltPlan *plan, PltTarget *target, const char *library_path, gboolean show,
                          gboolean *stopped, GError **error)
{
    g_autoptr(PltProgress) progress = show ? plt_progress_new(plan, STDERR_FILENO) : NULL;
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
    Watch watch = {.plan = plan,
                   .target = target,
                   .library_path = library_path,
                   .progress = progress,
                   .cancellable = cancellable,
                   .loop = loop};
    guint sources[] = {
        g_unix_signal_add(SIGINT, on_signal, &watch),
        g_unix_signal_add(SIGTERM, on_signal, &watch),
        watch_hangup(&watch),
        show ? g_timeout_add(1000 / PLT_PROGRESS_HZ, on_tick, &watch) : 0,
    };
    int awake = plt_inhibit_sleep(_("A drive is being measured"));
    GThread *thread = g_thread_new("runner", run_thread, &watch);

    g_main_loop_run(loop);
    g_thread_join(thread);
    g_clear_fd(&awake, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(sources); i++)
        if (sources[i] != 0)
            g_source_remove(sources[i]);
    if (progress != NULL)
        plt_progress_clear(progress);
    *stopped = g_cancellable_is_cancelled(cancellable);
    if (watch.error != NULL)
        g_propagate_error(error, watch.error);
    return watch.run;
}
