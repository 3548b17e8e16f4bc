/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/store.h"
#include "library/export.h"

static PltExit show_result(const char *library_path, const char *id, gboolean json)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = plt_store_open_existing(library_path, &error);
    g_autoptr(PltRun) run = library != NULL ? plt_cli_store_load(library, id, &error) : NULL;

    g_autofree char *text = NULL;

    if (run == NULL)
        return plt_output_fail(error);
    text = json ? plt_export_json(run) : plt_export_terminal(run);
    if (json)
        plt_output_write(text, strlen(text));
    else
        plt_output_print(text);
    return PLT_EXIT_DONE;
}

static PltExit run_result(char **argv)
{
    gboolean json = FALSE;
    g_autofree char *library = NULL;
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &json,
         N_("Print the plateau.run/1 document, without samples"), NULL},
        plt_store_option(&library),
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_result, entries, argv, 1, 1, &words, &status))
        return status;
    return show_result(library, words[0], json);
}

const PltCommand plt_command_result = {
    .name = "result",
    .arguments = "ID",
    .summary = N_("Show one run"),
    .details = N_("ID is a run's number, the beginning of its uuid, or “last”."),
    .run = run_result,
};
