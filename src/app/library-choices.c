/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/library-choices.h"

#include "app/run-item.h"

static guint n_items(gpointer model)
{
    return g_list_model_get_n_items(G_LIST_MODEL(model));
}

char *plt_library_choices_get(GtkDropDown *drop_down)
{
    GtkStringObject *object = gtk_drop_down_get_selected_item(drop_down);

    /* The first entry stands for all. */
    if (!object || gtk_drop_down_get_selected(drop_down) == 0)
        return NULL;
    return g_strdup(gtk_string_object_get_string(object));
}

GtkStringList *plt_library_choices_collect(GListModel *runs, const char *all, gboolean suites)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GList) keys = NULL;
    GtkStringList *list = gtk_string_list_new(NULL);

    for (guint i = 0; i < n_items(runs); i++) {
        g_autoptr(PltRunItem) item = g_list_model_get_item(runs, i);
        const char *text =
            suites ? plt_run_item_get_suite(item) : plt_run_item_get_summary(item)->drive_model;

        if (text && *text)
            g_hash_table_add(seen, g_strdup(text));
    }
    gtk_string_list_append(list, all);
    keys = g_list_sort(g_hash_table_get_keys(seen), (GCompareFunc)g_utf8_collate);
    for (GList *l = keys; l; l = l->next)
        gtk_string_list_append(list, l->data);
    return list;
}

static gboolean same_strings(GListModel *a, GListModel *b)
{
    if (!a || n_items(a) != n_items(b))
        return FALSE;
    for (guint i = 0; i < n_items(a); i++) {
        if (g_strcmp0(gtk_string_list_get_string(GTK_STRING_LIST(a), i),
                      gtk_string_list_get_string(GTK_STRING_LIST(b), i)) != 0)
            return FALSE;
    }
    return TRUE;
}

void plt_library_choices_fill(GtkDropDown *drop_down, GtkStringList *strings)
{
    g_autoptr(GtkStringList) owned = strings;
    g_autofree char *before = plt_library_choices_get(drop_down);
    guint position = 0;

    if (same_strings(gtk_drop_down_get_model(drop_down), G_LIST_MODEL(strings)))
        return;
    for (guint i = 1; before && i < n_items(strings); i++) {
        if (g_str_equal(gtk_string_list_get_string(strings, i), before))
            position = i;
    }
    gtk_drop_down_set_model(drop_down, G_LIST_MODEL(strings));
    gtk_drop_down_set_selected(drop_down, position);
}
