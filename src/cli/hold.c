/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/hold.h"

#include <signal.h>

#include <glib/gi18n-lib.h>

#include "cli/output.h"
#include "cli/task.h"

/* How long a program that got Ctrl+C with us may take to end by itself before it is told to. */
#define GRACE_MS 5000

typedef struct {
    PltPowerControl *control;
    const PltHold *hold;
    PltExit status; /* of the command */
    GError *error;  /* of the setting or the command */
    GError *restore_error;
} State;

static gboolean apply(State *state)
{
    const PltHold *hold = state->hold;

    if (hold->apst != PLT_HOLD_APST_AS_IT_IS &&
        !plt_power_control_set_apst(state->control, hold->apst == PLT_HOLD_APST_ON, &state->error))
        return FALSE;
    return hold->state < 0 || plt_power_control_set_state(state->control, (guint)hold->state, &state->error);
}

/* What a person must know of what was set. */
static void announce(State *state)
{
    const PltHold *hold = state->hold;
    gboolean on = FALSE;

    plt_power_control_get_apst(state->control, &on, NULL);
    if (hold->state >= 0) {
        plt_output_note(_("The drive was put into PS%d."), hold->state);
        if (!plt_power_control_is_operational(state->control, (guint)hold->state))
            plt_output_note(_("It rests in that state: the first request wakes it."));
        else if (on)
            plt_output_note(_("It still rests by itself when it is idle (APST); --apst off prevents that."));
    }
    if (hold->apst != PLT_HOLD_APST_AS_IT_IS)
        plt_output_note("%s", on ? _("It changes its state by itself (APST).")
                                 : _("It does not change its state by itself (no APST)."));
    if (hold->command == NULL && hold->for_s <= 0)
        plt_output_note(_("Ctrl+C restores what was before."));
}

/* Until SECONDS have gone by (0 = for ever) or CANCELLABLE says so. */
static void wait_for(GCancellable *cancellable, double seconds)
{
    gint64 until = g_get_monotonic_time() + (gint64)(seconds * 1e6);
    GPollFD poll;

    if (!g_cancellable_make_pollfd(cancellable, &poll))
        return;
    while (!g_cancellable_is_cancelled(cancellable)) {
        gint64 left_us = until - g_get_monotonic_time();

        if (seconds > 0 && left_us <= 0)
            break;
        g_poll(&poll, 1, seconds > 0 ? (gint)MIN(left_us / 1000 + 1, 60000) : -1);
    }
    g_cancellable_release_fd(cancellable);
}

/* A limit on the size of files is the command's own business again. */
static void prepare_child(gpointer user)
{
    signal(SIGXFSZ, SIG_DFL);
}

/* Ended by itself, or told to after a grace: while it works the drive stays as it is. */
static void wait_for_command(GSubprocess *process, GCancellable *cancellable)
{
    gint64 until;

    if (g_subprocess_wait(process, cancellable, NULL))
        return;
    until = g_get_monotonic_time() + GRACE_MS * 1000;
    /* Its identifier is NULL once it has ended. */
    while (g_subprocess_get_identifier(process) != NULL && g_get_monotonic_time() < until)
        g_usleep(20000);
    if (g_subprocess_get_identifier(process) != NULL)
        g_subprocess_send_signal(process, SIGTERM);
    g_subprocess_wait(process, NULL, NULL);
}

static void run_command(State *state, GCancellable *cancellable)
{
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDIN_INHERIT);
    g_autoptr(GSubprocess) process = NULL;

    g_subprocess_launcher_set_child_setup(launcher, prepare_child, NULL, NULL);
    process =
        g_subprocess_launcher_spawnv(launcher, (const char *const *)state->hold->command, &state->error);
    if (process == NULL)
        return;
    wait_for_command(process, cancellable);
    state->status = (PltExit)(g_subprocess_get_if_exited(process) ? g_subprocess_get_exit_status(process)
                                                                  : 128 + g_subprocess_get_term_sig(process));
}

static void hold_thread(GCancellable *cancellable, gpointer user)
{
    State *state = user;

    if (apply(state)) {
        announce(state);
        if (state->hold->command != NULL)
            run_command(state, cancellable);
        else
            wait_for(cancellable, state->hold->for_s);
    }
    plt_power_control_restore(state->control, &state->restore_error);
}

static PltExit status_of(const GError *error)
{
    plt_output_error("%s", error->message);
    return error->domain == PLT_ERROR ? plt_output_target_status(error) : PLT_EXIT_FAILED;
}

PltExit plt_hold_run(PltPowerControl *control, const PltHold *hold)
{
    static const PltTask task = {.work = hold_thread, .why = N_("A drive is held in a power state")};
    State state = {.control = control, .hold = hold};
    gboolean stopped = plt_task_run(&task, &state);
    g_autoptr(GError) error = state.error, restore_error = state.restore_error;
    PltExit status = state.status;

    if (error != NULL)
        status = status_of(error);
    if (restore_error != NULL)
        return status_of(restore_error);
    if (error != NULL)
        return status;
    plt_output_note(_("What was before is restored."));
    /* Without a time or a command a signal is how it is meant to end. */
    return stopped && (hold->command != NULL || hold->for_s > 0) ? PLT_EXIT_STOPPED : status;
}
