/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/check.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "suite/overrides.h"
#include "suite/value.h"

gboolean plt_check_cell(const PltItem *item, const struct plt_settings *settings, GError **error)
{
    const PltSection *section = item->section;
    guint64 parts = section->slices || section->separate_streams ? item->threads : 1;
    guint64 needed = item->block * parts;

    if (section->kind == PLT_SECTION_MEASURE && (settings->set & PLT_SETTING_SECONDS) == 0) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("[%s] has no time: set seconds= there or in [suite], as in seconds=5"), section->name);
        return FALSE;
    }
    if (needed > settings->size) {
        g_autofree char *size = plt_value_size_text(settings->size);
        g_autofree char *least = plt_value_size_text(needed);

        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("the test file of %s is too small for the cell %s, which needs size=%s or more"), size,
                    item->id, least);
        return FALSE;
    }
    return TRUE;
}

/* The share of reads that the mixed cell ITEM would have; 0 = off. */
static guint mix_of(const PltSuite *suite, const PltItem *item, const PltOverrides *overrides)
{
    struct plt_settings settings = suite->settings;

    plt_settings_merge(&settings, &item->section->settings);
    if (overrides != NULL)
        plt_settings_merge(&settings, &overrides->settings);
    return settings.mix_percent;
}

static gboolean is_off(const PltSuite *suite, const PltItem *item, const PltOverrides *overrides)
{
    return item->op == PLT_CELL_MIX && mix_of(suite, item, overrides) == 0;
}

/* By cell ("rnd4k-q1t1-read"), by row ("rnd4k-q1t1"), or by operation ("read"). */
static gboolean is_named(const PltItem *item, const char *name)
{
    return strcmp(item->id, name) == 0 || strcmp(item->row, name) == 0 ||
           strcmp(plt_cell_op_name(item->op), name) == 0;
}

static void fail_unknown(const PltSuite *suite, GPtrArray *items, const PltOverrides *overrides,
                         const char *name, GError **error)
{
    g_autofree char *quoted = plt_value_quote(name);
    g_autoptr(GString) known = g_string_new(NULL);

    for (guint i = 0; i < items->len; i++) {
        const PltItem *item = g_ptr_array_index(items, i);

        if (item->id != NULL && !is_off(suite, item, overrides))
            g_string_append_printf(known, "%s%s", known->len > 0 ? ", " : "", item->id);
    }
    g_set_error(
        error, PLT_ERROR, PLT_ERROR_USAGE,
        _("only: %s is no cell of the suite %s; there are: %s; or a row, as in seq1m-q8t1; or read, write, "
          "mix"),
        quoted, plt_suite_id(suite), known->str);
}

/* Marks what NAME means; the error says whether it is unknown or only switched off. */
static gboolean choose(const PltSuite *suite, GPtrArray *items, const PltOverrides *overrides,
                       const char *name, gboolean *chosen, GError **error)
{
    gboolean found = FALSE;
    gboolean off = FALSE;

    for (guint i = 0; i < items->len; i++) {
        const PltItem *item = g_ptr_array_index(items, i);

        if (item->id == NULL || !is_named(item, name))
            continue;
        if (is_off(suite, item, overrides)) {
            off = TRUE;
            continue;
        }
        chosen[i] = TRUE;
        found = TRUE;
    }
    if (found)
        return TRUE;
    if (!off)
        fail_unknown(suite, items, overrides, name, error);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("only: %s is a mixed cell, and mixed cells are off; set mix= too, as in mix=70"), name);
    return FALSE;
}

/* mix=70 on a suite without mixed cells would be taken and do nothing: a wish that is not met is an error. */
static gboolean check_mix(const PltSuite *suite, GPtrArray *items, const PltOverrides *overrides,
                          GError **error)
{
    if (overrides == NULL || (overrides->settings.set & PLT_SETTING_MIX) == 0 ||
        overrides->settings.mix_percent == 0)
        return TRUE;
    for (guint i = 0; i < items->len; i++) {
        const PltItem *item = g_ptr_array_index(items, i);

        if (item->id != NULL && item->op == PLT_CELL_MIX)
            return TRUE;
    }
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                _("mix: the suite %s has no mixed cells; only mix=off is allowed"), plt_suite_id(suite));
    return FALSE;
}

gboolean *plt_check_choice(const PltSuite *suite, GPtrArray *items, const PltOverrides *overrides,
                           GError **error)
{
    g_autofree gboolean *chosen = g_new0(gboolean, items->len + 1);
    GStrv only = overrides != NULL ? overrides->only : NULL;
    guint n_cells = 0;

    if (!check_mix(suite, items, overrides, error))
        return NULL;
    for (guint i = 0; only == NULL && i < items->len; i++) {
        const PltItem *item = g_ptr_array_index(items, i);

        chosen[i] = item->id == NULL || !is_off(suite, item, overrides);
    }
    for (guint i = 0; only != NULL && only[i] != NULL; i++) {
        if (!choose(suite, items, overrides, only[i], chosen, error))
            return NULL;
    }
    for (guint i = 0; i < items->len; i++)
        n_cells += chosen[i] && ((PltItem *)g_ptr_array_index(items, i))->id != NULL;
    if (n_cells == 0) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("the suite %s measures nothing: it has no cell that is on"), plt_suite_id(suite));
        return NULL;
    }
    return g_steal_pointer(&chosen);
}
