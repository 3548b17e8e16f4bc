/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "cli/command.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/store.h"

static PltExit delete_result(const char *library_path, const char *id)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = plt_store_open_existing(library_path, &error);
    g_autoptr(PltRun) run = library != NULL ? plt_cli_store_load(library, id, &error) : NULL;
    g_autofree char *date = NULL;

    if (run == NULL)
        return plt_output_fail(error);
    if (run->status == PLT_RUN_RUNNING) {
        plt_output_error(_("run %" PRId64 " is still being measured, stop it first"), run->id);
        return PLT_EXIT_REFUSED;
    }
    if (!plt_library_delete(library, run->id, &error))
        return plt_output_fail(error);
    date = plt_cli_format_date(run->started_us);
    plt_output_printf(_("Deleted run %" PRId64 " (%s, %s).\n"), run->id, run->suite_id, date);
    return PLT_EXIT_DONE;
}

static PltExit run_delete(char **argv)
{
    g_autofree char *library = NULL;
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        plt_store_option(&library),
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_delete, entries, argv, 1, 1, &words, &status))
        return status;
    return delete_result(library, words[0]);
}

const PltCommand plt_command_delete = {
    .name = "delete",
    .arguments = "ID",
    .summary = N_("Delete one run for good"),
    .details = N_("ID is a run's number, the beginning of its uuid, or “last”."),
    .run = run_delete,
};
