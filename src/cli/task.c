/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/task.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "cli/command.h"
#include "cli/inhibit.h"
#include "cli/output.h"
#include "cli/table.h"

#define DRAWN_EACH_MS 200

typedef struct {
    const PltTask *task;
    gpointer user;
    GCancellable *cancellable;
    GMainLoop *loop;
    gboolean drawn;
} State;

static void write_text(const char *text)
{
    /* A terminal that is gone has nobody left to tell. */
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        g_debug("the progress line could not be written");
}

static void clear_line(State *state)
{
    if (state->drawn)
        write_text("\r\033[K");
    state->drawn = FALSE;
}

static gboolean on_tick(gpointer user)
{
    State *state = user;
    guint width = plt_terminal_width(STDERR_FILENO);
    g_autofree char *text = NULL, *shown = NULL, *line = NULL;

    if (g_cancellable_is_cancelled(state->cancellable) || tcgetpgrp(STDERR_FILENO) != getpgrp())
        return G_SOURCE_CONTINUE;
    text = state->task->draw(state->user);
    if (text == NULL)
        return G_SOURCE_CONTINUE;
    /* The last column stays free: some terminals wrap as soon as it is written. */
    shown = plt_text_shorten(text, (width > 0 ? width : 80) - 1);
    line = g_strconcat("\r", shown, "\033[K", NULL);
    state->drawn = TRUE;
    write_text(line);
    return G_SOURCE_CONTINUE;
}

static gboolean on_signal(gpointer user)
{
    State *state = user;

    clear_line(state);
    if (g_cancellable_is_cancelled(state->cancellable)) {
        if (state->task->may_leave)
            _exit(PLT_EXIT_STOPPED);
        return G_SOURCE_CONTINUE;
    }
    if (state->task->stopping != NULL)
        plt_output_note("%s", _(state->task->stopping));
    g_cancellable_cancel(state->cancellable);
    return G_SOURCE_CONTINUE;
}

static gboolean quit_loop(gpointer loop)
{
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

static gpointer work_thread(gpointer user)
{
    State *state = user;

    state->task->work(state->cancellable, state->user);
    g_idle_add(quit_loop, state->loop);
    return NULL;
}

/* A program under nohup goes on when its terminal closes. */
static guint watch_hangup(State *state)
{
    struct sigaction action;

    return sigaction(SIGHUP, NULL, &action) == 0 && action.sa_handler == SIG_IGN
               ? 0
               : g_unix_signal_add(SIGHUP, on_signal, state);
}

static gboolean is_watched(const PltTask *task)
{
    const char *terminal = g_getenv("TERM");

    return task->draw != NULL && isatty(STDERR_FILENO) && terminal != NULL && !g_str_equal(terminal, "dumb");
}

gboolean plt_task_run(const PltTask *task, gpointer user)
{
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
    State state = {.task = task, .user = user, .cancellable = cancellable, .loop = loop};
    guint sources[] = {
        g_unix_signal_add(SIGINT, on_signal, &state),
        g_unix_signal_add(SIGTERM, on_signal, &state),
        watch_hangup(&state),
        is_watched(task) ? g_timeout_add(DRAWN_EACH_MS, on_tick, &state) : 0,
    };
    int awake = plt_inhibit_sleep(_(task->why));
    GThread *thread = g_thread_new("work", work_thread, &state);

    g_main_loop_run(loop);
    g_thread_join(thread);
    g_clear_fd(&awake, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(sources); i++)
        if (sources[i] != 0)
            g_source_remove(sources[i]);
    clear_line(&state);
    return g_cancellable_is_cancelled(cancellable);
}
