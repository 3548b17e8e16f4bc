/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Something that takes a while and is not a run: a thread does it while the main one waits for signals. */

typedef struct {
    void (*work)(GCancellable *cancellable, gpointer user); /* on a thread of its own */
    char *(*draw)(
        gpointer user);   /* the progress line, newly allocated or NULL; on the main thread; may be NULL */
    const char *stopping; /* what a person is told at the first signal, N_(); may be NULL */
    gboolean may_leave;   /* a second signal leaves the program at once */
    const char *why;      /* shown to whoever tries to suspend the computer, N_() */
} PltTask;

/*
 * Does WORK to its end, also when SIGINT, SIGTERM or (without nohup) SIGHUP comes: that cancels CANCELLABLE,
 * which the work heeds as it can. TRUE when a signal came. The progress line is drawn where a person watches.
 */
gboolean plt_task_run(const PltTask *task, gpointer user);
