/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/choose.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli/match.h"

static gboolean is_known(GPtrArray *suites, const char *id)
{
    for (guint i = 0; i < suites->len; i++)
        if (g_str_equal(plt_suite_id(g_ptr_array_index(suites, i)), id))
            return TRUE;
    return FALSE;
}

static void set_unknown(GPtrArray *suites, const char *id, GError **error)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new();

    for (guint i = 0; i < suites->len; i++)
        g_ptr_array_add(ids, (gpointer)plt_suite_id(g_ptr_array_index(suites, i)));
    g_ptr_array_add(ids, NULL);

    g_autofree char *close = plt_match_close(id, (const char *const *)ids->pdata);

    if (close != NULL)
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("there is no suite “%s”; close to it: %s"), id,
                    close);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("there is no suite “%s”, “plateau-cli suites” lists them"), id);
}

PltSuite *plt_choose_suite(const char *text, GError **error)
{
    g_autoptr(GPtrArray) suites = NULL;
    g_autoptr(GPtrArray) errors = NULL;

    if (strchr(text, '/') != NULL || g_str_has_suffix(text, ".suite"))
        return plt_suite_load(text, error);

    errors = g_ptr_array_new_with_free_func(g_free);
    suites = plt_suite_list(errors);
    if (is_known(suites, text))
        return plt_suite_find(text, error);
    /* A file that does not parse has no id: its name tells that it is the one that was meant. */
    for (guint i = 0; i < errors->len; i++) {
        g_autofree char *file = g_strconcat(text, ".suite", NULL);

        if (strstr(g_ptr_array_index(errors, i), file) == NULL)
            continue;
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_FORMAT, g_ptr_array_index(errors, i));
        return NULL;
    }
    set_unknown(suites, text, error);
    return NULL;
}
