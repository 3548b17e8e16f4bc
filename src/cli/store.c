/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/store.h"

#include <glib/gi18n-lib.h>

#include "cli/output.h"
#include "drive/error.h"

PltLibrary *plt_store_open(const char *path, gboolean make, GError **error)
{
    g_autofree char *file = path != NULL ? g_strdup(path) : plt_library_default_path();
    g_autoptr(PltLibrary) library = NULL;
    g_autoptr(GError) recover_error = NULL;
    int recovered;

    if (!make && !g_file_test(file, G_FILE_TEST_EXISTS)) {
        if (path != NULL)
            g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("there is no library at “%s”"), path);
        return NULL;
    }
    library = plt_library_open(file, error);
    if (library == NULL)
        return NULL;
    recovered = plt_library_recover(library, &recover_error);
    /* A library that can only be read can be read all the same. */
    if (recovered < 0)
        plt_output_note("%s", recover_error->message);
    if (recovered > 0)
        plt_output_note(g_dngettext(GETTEXT_PACKAGE, "Recovered %d run that was cut short; its data is kept.",
                                    "Recovered %d runs that were cut short; their data is kept.",
                                    (gulong)recovered),
                        recovered);
    return g_steal_pointer(&library);
}

PltLibrary *plt_store_open_existing(const char *path, GError **error)
{
    g_autoptr(GError) open_error = NULL;
    PltLibrary *library = plt_store_open(path, FALSE, &open_error);

    if (library == NULL && open_error == NULL)
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("there are no results yet: “plateau-cli run quick FOLDER” makes the first"));
    else if (library == NULL)
        g_propagate_error(error, g_steal_pointer(&open_error));
    return library;
}

PltRun *plt_cli_store_load(PltLibrary *library, const char *text, GError **error)
{
    gint64 id = plt_library_find(library, text, error);

    return id != 0 ? plt_library_load(library, id, error) : NULL;
}

gboolean plt_cli_store_load_samples(PltLibrary *library, PltRun *run, const char *cell, GError **error)
{
    for (guint i = 0; i < run->cells->len; i++) {
        PltCell *one = g_ptr_array_index(run->cells, i);

        if (cell != NULL && !g_str_equal(one->spec.id, cell))
            continue;
        for (guint j = 0; j < one->runs->len; j++)
            if (!plt_library_load_samples(library, g_ptr_array_index(one->runs, j), error))
                return FALSE;
    }
    return TRUE;
}

GOptionEntry plt_store_option(char **library)
{
    return (GOptionEntry){"library",
                          'L',
                          G_OPTION_FLAG_NONE,
                          G_OPTION_ARG_FILENAME,
                          library,
                          N_("Keep and look for results in FILE instead of the person's own library"),
                          N_("FILE")};
}
