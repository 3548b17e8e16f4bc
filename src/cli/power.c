/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/drive.h"
#include "cli/hold.h"
#include "cli/output.h"
#include "cli/table.h"

typedef struct {
    int state;    /* -1 = as it is */
    char *apst;   /* "on", "off", or NULL: as it is */
    double for_s; /* 0 = until a signal, or the command's end */
    char *replay;
} Options;

static void options_clear(Options *options)
{
    g_free(options->apst);
    g_free(options->replay);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static PltExit print_states(PltInquiry *inquiry)
{
    g_autoptr(GPtrArray) groups = plt_drive_facts_of(inquiry);
    const char *model = plt_inquiry_get_model(inquiry);
    g_autofree char *reason = NULL;

    for (guint i = 0; i < groups->len; i++) {
        const PltFactGroup *group = g_ptr_array_index(groups, i);

        if (!g_str_equal(group->id, "power"))
            continue;
        plt_output_printf("%s\n", model != NULL ? model : plt_inquiry_get_name(inquiry));
        plt_cli_print_group(group, plt_terminal_width(STDOUT_FILENO));
        plt_cli_print_circumstances(inquiry);
        return PLT_EXIT_DONE;
    }
    reason = plt_answer_reason(plt_inquiry_ask(inquiry, PLT_TOPIC_CONTROLLER));
    plt_output_error(_("the power states of %s are not known. %s."), plt_inquiry_get_name(inquiry),
                     reason != NULL ? reason : _("Only NVMe drives have some"));
    return PLT_EXIT_FAILED;
}

static PltExit hold(PltInquiry *inquiry, const Options *options, char **command)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPowerControl) control = plt_power_control_open(inquiry, &error);
    const PltHold wanted = {
        .state = options->state,
        .apst = options->apst == NULL              ? PLT_HOLD_APST_AS_IT_IS
                : g_str_equal(options->apst, "on") ? PLT_HOLD_APST_ON
                                                   : PLT_HOLD_APST_OFF,
        .for_s = options->for_s,
        .command = command,
    };

    if (control != NULL)
        return plt_hold_run(control, &wanted);
    plt_output_error("%s", error->message);
    return plt_output_target_status(error);
}

static gboolean check(const Options *options, gboolean has_command)
{
    gboolean sets = options->state != -1 || options->apst != NULL;

    if (options->apst != NULL && !g_str_equal(options->apst, "on") && !g_str_equal(options->apst, "off"))
        plt_output_error(_("--apst is “on” or “off”, not “%s”"), options->apst);
    else if (options->state < -1 || options->state > 31)
        plt_output_error(_("--state is the number of a power state, 0 to 31"));
    else if (!(options->for_s >= 0 && options->for_s < 1e7))
        plt_output_error(_("--for is a number of seconds"));
    else if (options->for_s > 0 && has_command)
        plt_output_error(_("--for and a command are two ways to say how long: give one of them"));
    else if (!sets && (options->for_s > 0 || has_command))
        plt_output_error(_("nothing is to be set: give --state or --apst"));
    else if (sets && options->replay != NULL)
        plt_output_error(_("a recording has no power state that could be set"));
    else
        return TRUE;
    return FALSE;
}

static PltExit run_power(char **argv)
{
    g_auto(Options) options = {.state = -1};
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(PltInquiry) inquiry = NULL;
    char **command;
    PltExit status;
    const GOptionEntry entries[] = {
        {"state", 's', G_OPTION_FLAG_NONE, G_OPTION_ARG_INT, &options.state,
         N_("Put the drive into this power state"), "N"},
        {"apst", 'a', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.apst,
         N_("Whether the drive changes its state by itself: on or off"), N_("on|off")},
        {"for", 'f', G_OPTION_FLAG_NONE, G_OPTION_ARG_DOUBLE, &options.for_s,
         N_("Restore what was before after so long"), N_("SECONDS")},
        {"replay", 'r', G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &options.replay,
         N_("Show the drive that FILE is a recording of"), N_("FILE")},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_power, entries, argv, 0, G_MAXUINT, &words, &status))
        return status;
    command = words[0] != NULL && words[1] != NULL ? words + 1 : NULL;
    if (!check(&options, command != NULL))
        return PLT_EXIT_USAGE;
    inquiry = plt_cli_open_drive(words[0], options.replay, &error);
    if (inquiry == NULL)
        return plt_output_fail(error);
    return options.state >= 0 || options.apst != NULL ? hold(inquiry, &options, command)
                                                      : print_states(inquiry);
}

const PltCommand plt_command_power = {
    .name = "power",
    .arguments = "[DRIVE] [-- COMMAND…]",
    .summary = N_("Show the power states of a drive, or hold it in one"),
    .details = N_(
        "DRIVE as in “plateau-cli help show”. What --state and --apst set is held while COMMAND runs, for\n"
        "the time of --for, or until Ctrl+C; then what was before is restored. That needs root. Nothing is\n"
        "saved in the drive. The exit status is that of COMMAND. Example:\n"
        "  plateau-cli power nvme0n1 --state 2 --apst off -- plateau-cli run quick /mnt/drive"),
    .run = run_power,
};
