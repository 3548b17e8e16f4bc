/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/drive.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/task.h"
#include "drive/self-test.h"

/* A short one takes up to two minutes: to look more often is of no use, and keeps a drive from resting. */
#define LOOKED_EACH_MS 2000

typedef struct {
    gboolean is_short, extended, abort, wait, json;
} Options;

typedef struct {
    PltSelfTest *test;
    gint64 started_us;
    gint done_percent; /* atomic */
    PltSelfTestState state;
    GError *error;
} Wait;

static void print_json(PltInquiry *inquiry, PltSelfTest *test, const PltSelfTestState *state)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);
    PltAnswer from = {.source = plt_self_test_source(test)};
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "schema", "plateau.self-test/1");
    json_object_set_string_member(object, "drive", plt_inquiry_get_name(inquiry));
    json_object_set_string_member(object, "source", plt_source_id(&from));
    json_object_set_boolean_member(object, "running", state->running);
    if (state->done_percent >= 0)
        json_object_set_int_member(object, "done_percent", state->done_percent);
    json_object_set_string_member(object, "last", plt_self_test_outcome_id(state->outcome));
    if (plt_self_test_minutes(test) > 0)
        json_object_set_int_member(object, "extended_minutes", plt_self_test_minutes(test));
    json_node_take_object(node, object);
    plt_output_json(node);
}

static void print_state(PltSelfTest *test, const PltSelfTestState *state)
{
    if (state->running && state->done_percent >= 0)
        plt_output_printf(_("A self-test is running: %d %%.\n"), state->done_percent);
    else if (state->running)
        plt_output_print(_("A self-test is running.\n"));
    if (state->text != NULL)
        plt_output_printf(_("The last self-test: %s.\n"), state->text);
    else if (!state->running)
        plt_output_print(_("There was no self-test so far, or the drive does not tell.\n"));
    if (plt_self_test_minutes(test) > 0)
        plt_output_printf(_("An extended one takes about %u min.\n"), plt_self_test_minutes(test));
}

static PltExit status_of(const PltSelfTestState *state)
{
    return !state->running && state->outcome == PLT_SELF_TEST_FAILED ? PLT_EXIT_DEVICE : PLT_EXIT_DONE;
}

static PltExit show(PltInquiry *inquiry, PltSelfTest *test, const PltSelfTestState *state,
                    const Options *options)
{
    if (options->json)
        print_json(inquiry, test, state);
    else
        print_state(test, state);
    return status_of(state);
}

static PltExit fail(const GError *error)
{
    plt_output_error("%s", error->message);
    return plt_output_target_status(error);
}

/* Until it has ended, or somebody has enough of waiting. */
static void wait_thread(GCancellable *cancellable, gpointer user)
{
    Wait *wait = user;
    GPollFD poll;

    if (!g_cancellable_make_pollfd(cancellable, &poll))
        return;
    do {
        g_poll(&poll, 1, LOOKED_EACH_MS);
        if (!plt_self_test_look(wait->test, &wait->state, &wait->error))
            break;
        g_atomic_int_set(&wait->done_percent, wait->state.done_percent);
    } while (wait->state.running && !g_cancellable_is_cancelled(cancellable));
    g_cancellable_release_fd(cancellable);
}

static char *draw(gpointer user)
{
    Wait *wait = user;
    gint percent = g_atomic_int_get(&wait->done_percent);
    g_autofree char *clock =
        plt_cli_format_clock((guint64)(g_get_monotonic_time() - wait->started_us) / 1000);

    return percent < 0 ? g_strdup_printf(_("Self-test  %s"), clock)
                       : g_strdup_printf(_("Self-test  %d %%  %s"), percent, clock);
}

static PltExit wait_for_end(PltInquiry *inquiry, PltSelfTest *test, const Options *options)
{
    static const PltTask task = {.work = wait_thread,
                                 .draw = draw,
                                 .stopping = N_("The self-test goes on in the drive; --abort ends it."),
                                 .may_leave = TRUE,
                                 .why = N_("A drive tests itself")};
    Wait wait = {.test = test, .started_us = g_get_monotonic_time(), .done_percent = -1};
    gboolean stopped = plt_task_run(&task, &wait);
    g_autoptr(GError) error = wait.error;
    PltExit status;

    if (error != NULL)
        return fail(error);
    status = show(inquiry, test, &wait.state, options);
    if (stopped && wait.state.running)
        return PLT_EXIT_STOPPED;
    return status != PLT_EXIT_DONE || wait.state.outcome == PLT_SELF_TEST_PASSED ? status : PLT_EXIT_FAILED;
}

static PltExit act(PltInquiry *inquiry, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSelfTest) test = plt_self_test_open(inquiry, &error);
    gboolean starts = options->is_short || options->extended;
    PltSelfTestState state;

    if (test == NULL)
        return fail(error);
    if (options->abort && !plt_self_test_abort(test, TRUE, &error))
        return fail(error);
    if (starts && !plt_self_test_start(test, options->is_short ? PLT_SELF_TEST_SHORT : PLT_SELF_TEST_EXTENDED,
                                       TRUE, &error))
        return fail(error);
    if (options->wait)
        return wait_for_end(inquiry, test, options);
    if (!plt_self_test_look(test, &state, &error))
        return fail(error);
    if (starts && !options->json)
        plt_output_note(
            _("The drive tests itself now; the same command without an option shows how far it is."));
    return show(inquiry, test, &state, options);
}

static PltExit run_self_test(char **argv)
{
    Options options = {0};
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(PltInquiry) inquiry = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"short", 's', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.is_short,
         N_("Begin the short test, of two minutes at most"), NULL},
        {"extended", 'e', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.extended,
         N_("Begin the extended test of the whole drive"), NULL},
        {"abort", 'a', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.abort, N_("End the test that runs"),
         NULL},
        {"wait", 'w', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.wait,
         N_("Wait for the end of the test"), NULL},
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.json,
         N_("Print the plateau.self-test/1 document"), NULL},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_self_test, entries, argv, 0, 1, &words, &status))
        return status;
    if (options.is_short + options.extended + options.abort > 1 || (options.abort && options.wait)) {
        plt_output_error(
            _("--short, --extended and --abort exclude each other, and --abort waits for nothing"));
        return PLT_EXIT_USAGE;
    }
    inquiry = plt_cli_open_drive(words[0], NULL, &error);
    return inquiry != NULL ? act(inquiry, &options) : plt_output_fail(error);
}

const PltCommand plt_command_self_test = {
    .name = "self-test",
    .arguments = "[DRIVE]",
    .summary = N_("Let a drive test itself, or show how the last test ended"),
    .details = N_("DRIVE as in “plateau-cli help show”. The data on it are left alone, but it is slower "
                  "meanwhile:\nmeasure before or after. NVMe drives are told by root or by UDisks2, SATA "
                  "drives by UDisks2 or,\nas root, by smartctl. Exit status 4: the test failed."),
    .run = run_self_test,
};
