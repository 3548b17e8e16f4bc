/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "suite/runner-private.h"

static void on_progress(double fraction, gpointer user)
{
    plt_runner_show(user, NULL);
}

static void keep_record(PltRunner *runner, JsonNode *record)
{
    g_autofree char *text = json_to_string(record, FALSE);

    plt_recorder_add_event(runner->recorder, "purge", text);
    g_ptr_array_add(runner->run->events, plt_event_new(g_get_real_time(), "purge", text));
}

PltLoadEnd plt_runner_purge(PltRunner *runner, const PltStep *step)
{
    PltBlock *block = plt_target_get_block(runner->target);
    g_autoptr(JsonNode) record = NULL;
    g_autoptr(GError) error = NULL;

    g_return_val_if_fail(block != NULL, PLT_LOAD_FAILED);
    plt_runner_set_phase(runner, PLT_RUNNER_PURGING, step->estimated_ms);
    if (plt_purge(block, step->purge_method, 0, on_progress, runner, runner->cancellable, &record, &error)) {
        keep_record(runner, record);
        return PLT_LOAD_DONE;
    }
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return PLT_LOAD_STOPPED;
    g_free(runner->run->status_detail);
    runner->run->status_detail = g_strdup(error->message);
    return PLT_LOAD_FAILED;
}
