/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/drive.h"
#include "cli/file.h"
#include "cli/output.h"
#include "cli/stack.h"
#include "cli/table.h"
#include "drive/facts.h"
#include "drive/replay.h"

typedef struct {
    char *save, *replay;
    gboolean json, mask;
} Options;

static void options_clear(Options *options)
{
    g_free(options->save);
    g_free(options->replay);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean save(PltInquiry *inquiry, const Options *options, GError **error)
{
    g_autoptr(JsonNode) node = plt_replay_record(inquiry, options->mask);
    g_autofree char *text = json_to_string(node, TRUE);
    g_autofree char *whole = g_strconcat(text, "\n", NULL);

    if (!plt_file_write_output(options->save, whole, strlen(whole), error))
        return FALSE;
    plt_output_note(options->mask ? _("Recorded in “%s”, without serial numbers.")
                                  : _("Recorded in “%s”, with the serial number; --mask leaves it out."),
                    options->save);
    return TRUE;
}

static void print_report(PltInquiry *inquiry)
{
    g_autoptr(GPtrArray) groups = plt_drive_facts_of(inquiry);
    guint width = plt_terminal_width(STDOUT_FILENO);
    const char *model = plt_inquiry_get_model(inquiry);

    plt_output_printf("%s\n", model != NULL ? model : plt_inquiry_get_name(inquiry));
    for (guint i = 0; i < groups->len; i++)
        plt_cli_print_group(groups->pdata[i], width);
    if (!plt_inquiry_is_replay(inquiry)) /* it was not recorded */
        plt_cli_print_stack(plt_inquiry_get_name(inquiry), width);
    plt_cli_print_missing(inquiry);
    plt_cli_print_circumstances(inquiry);
}

static PltExit show(const char *name, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltInquiry) inquiry = plt_cli_open_drive(name, options->replay, &error);

    if (inquiry == NULL)
        return plt_output_fail(error);
    /* A file that cannot be written is said before the report, not after it. */
    if (options->save != NULL && !save(inquiry, options, &error))
        return plt_output_fail(error);
    if (options->json) {
        g_autoptr(JsonNode) node = plt_drive_facts_to_json(inquiry);

        if (!plt_inquiry_is_replay(inquiry))
            plt_cli_add_stack(plt_inquiry_get_name(inquiry), node);
        plt_output_json(node);
    } else {
        print_report(inquiry);
    }
    return PLT_EXIT_DONE;
}

static PltExit run_show(char **argv)
{
    g_auto(Options) options = {0};
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.json,
         N_("Print the plateau.drive/1 document instead of the report"), NULL},
        {"save", 's', G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &options.save,
         N_("Also record everything in FILE, which --replay shows anywhere"), N_("FILE")},
        {"mask", 'm', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.mask,
         N_("Leave serial numbers and the like out of the recording"), NULL},
        {"replay", 'r', G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &options.replay,
         N_("Show the drive that FILE is a recording of"), N_("FILE")},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_show, entries, argv, 0, 1, &words, &status))
        return status;
    if (options.mask && options.save == NULL) {
        plt_output_error(_("--mask is about the recording: name its file with --save"));
        return PLT_EXIT_USAGE;
    }
    return show(words[0], &options);
}

const PltCommand plt_command_show = {
    .name = "show",
    .arguments = "[DRIVE]",
    .summary = N_("Show all that a drive says about itself"),
    .details = N_("DRIVE is a name from “plateau-cli list”, a path such as /dev/nvme0n1 or one below "
                  "/dev/disk,\nor a serial number. Nothing is written to the drive. Some things only root "
                  "can read; the\nreport ends with what is missing and how to get it."),
    .run = run_show,
};
