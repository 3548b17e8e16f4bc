/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/overrides.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "suite/cells.h"
#include "suite/value.h"

PltOverrides *plt_overrides_new(void)
{
    return g_new0(PltOverrides, 1);
}

void plt_overrides_free(PltOverrides *overrides)
{
    if (overrides == NULL)
        return;
    g_strfreev(overrides->only);
    g_free(overrides);
}

static gboolean set_only(PltOverrides *overrides, const char *value, GError **error)
{
    GStrv only = plt_value_list(value, PLT_CELLS_MAX, error);

    if (only == NULL)
        return FALSE;
    g_strfreev(overrides->only);
    overrides->only = only;
    return TRUE;
}

static gboolean set_seed(PltOverrides *overrides, const char *value, GError **error)
{
    if (!plt_value_seed(value, &overrides->seed, error))
        return FALSE;
    overrides->has_seed = TRUE;
    return TRUE;
}

static void refuse_key(const char *key, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *quoted = plt_value_quote(key);
    g_autofree char *all = NULL;

    plt_settings_add_keys(names, PLT_SETTINGS_ALL);
    g_ptr_array_add(names, (gpointer) "seed");
    g_ptr_array_add(names, (gpointer) "only");
    g_ptr_array_add(names, NULL);
    all = g_strjoinv(", ", (char **)names->pdata);
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("%s cannot be set; what can: %s"), quoted, all);
}

gboolean plt_overrides_set(PltOverrides *overrides, const char *assignment, GError **error)
{
    const char *equals = strchr(assignment, '=');
    struct plt_settings settings = overrides->settings;
    g_autofree char *key = NULL;
    g_autofree char *value = NULL;
    gboolean ok;

    if (equals == NULL) {
        g_autofree char *quoted = plt_value_quote(assignment);

        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("%s is no setting: write KEY=VALUE, such as size=4GiB"), quoted);
        return FALSE;
    }
    key = g_strstrip(g_strndup(assignment, (gsize)(equals - assignment)));
    value = g_strstrip(g_strdup(equals + 1));
    if (strcmp(key, "only") == 0) {
        ok = set_only(overrides, value, error);
    } else if (strcmp(key, "seed") == 0) {
        ok = set_seed(overrides, value, error);
    } else if (plt_settings_has_key(key, PLT_SETTINGS_ALL)) {
        ok = plt_settings_read(&settings, key, value, error);
    } else {
        refuse_key(key, error);
        return FALSE;
    }
    if (!ok) {
        g_prefix_error(error, "%s: ", key);
        return FALSE;
    }
    overrides->settings = settings;
    return TRUE;
}
