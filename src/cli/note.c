/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/store.h"

static PltExit set_note(const char *library_path, const char *id, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = plt_store_open_existing(library_path, &error);
    gint64 found = library != NULL ? plt_library_find(library, id, &error) : 0;

    if (found == 0 || !plt_library_set_note(library, found, *text != '\0' ? text : NULL, &error))
        return plt_output_fail(error);
    plt_output_printf(*text != '\0' ? _("Run %" PRId64 " has the note.\n")
                                    : _("Run %" PRId64 " has no note now.\n"),
                      found);
    return PLT_EXIT_DONE;
}

static PltExit run_note(char **argv)
{
    g_autofree char *library = NULL;
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        plt_store_option(&library),
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_note, entries, argv, 2, 2, &words, &status))
        return status;
    if (!g_utf8_validate(words[1], -1, NULL)) {
        plt_output_error(_("the note is not valid UTF-8 text"));
        return PLT_EXIT_USAGE;
    }
    return set_note(library, words[0], words[1]);
}

const PltCommand plt_command_note = {
    .name = "note",
    .arguments = "ID TEXT",
    .summary = N_("Write a note to a run"),
    .details =
        N_("ID is a run's number, the beginning of its uuid, or “last”. An empty TEXT removes the note."),
    .run = run_note,
};
