/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/cell-list.h"

#include <glib/gi18n-lib.h>

#include "report/cell.h"

static gboolean same_id(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(a, b) == 0;
}

static gboolean has_samples(const PltCell *cell)
{
    for (guint i = 0; i < cell->runs->len; i++) {
        if (((const PltCellRun *)cell->runs->pdata[i])->n_samples > 0)
            return TRUE;
    }
    return FALSE;
}

static void add_cell(GtkStringList *names, GPtrArray *ids, const PltCell *cell)
{
    g_autofree char *name = NULL;

    if (!cell->spec.id || g_ptr_array_find_with_equal_func(ids, cell->spec.id, same_id, NULL))
        return;
    name = g_strdup_printf("%s, %s", cell->spec.label ? _(cell->spec.label) : cell->spec.id,
                           _(plt_report_op_word(cell->spec.op)));
    g_ptr_array_add(ids, g_strdup(cell->spec.id));
    gtk_string_list_append(names, name);
}

GtkStringList *plt_cell_list_new(GPtrArray *runs, gboolean samples, gboolean with_all, GPtrArray **ids)
{
    GtkStringList *names = gtk_string_list_new(NULL);

    *ids = g_ptr_array_new_with_free_func(g_free);
    for (guint r = 0; r < runs->len; r++) {
        const PltRun *run = runs->pdata[r];

        for (guint i = 0; i < run->cells->len; i++) {
            if (!samples || has_samples(run->cells->pdata[i]))
                add_cell(names, *ids, run->cells->pdata[i]);
        }
    }
    if (with_all && (*ids)->len > 1) {
        const char *all[] = {_("All cells"), NULL};

        gtk_string_list_splice(names, 0, 0, all);
        g_ptr_array_insert(*ids, 0, NULL);
    }
    return names;
}

guint plt_cell_list_find(GPtrArray *ids, const char *id)
{
    guint index = 0;

    return ids && g_ptr_array_find_with_equal_func(ids, id, same_id, &index) ? index : 0;
}
