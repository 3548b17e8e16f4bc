/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/suite-groups.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "app/suite-row.h"

/* What the groups of suite files are for. A group of a later version has its own word as title. */
static const struct {
    const char *id, *title, *description;
} groups[] = {
    {"quick", N_("Quick"), N_("A first look at a drive, in minutes and on any folder")},
    {"fill", N_("Fill the Drive"), N_("How long it writes at full speed, and how fast after that")},
    {"client", N_("Everyday Use"), N_("What a drive does in a computer that somebody works with")},
    {"steady", N_("Steady State"), N_("What remains under a load that does not end")},
    {"tools", N_("Tools"), NULL},
};

GListStore *plt_suite_groups_load(GSettings *settings, GPtrArray *errors)
{
    g_autoptr(GPtrArray) suites = plt_suite_list(errors);
    GListStore *list = g_list_store_new(PLT_TYPE_SUITE_ITEM);

    for (guint i = 0; i < suites->len; i++) {
        g_autoptr(PltSuiteItem) item = plt_suite_item_new(suites->pdata[i], settings);

        g_list_store_append(list, item);
    }
    return list;
}

static gboolean is_in_group(gpointer item, gpointer group)
{
    return g_strcmp0(plt_suite_group(plt_suite_item_get_suite(item)), group) == 0;
}

static GtkWidget *row_for(gpointer item, gpointer user)
{
    return plt_suite_row_new(item);
}

static GtkWidget *group_new(const char *id)
{
    GtkWidget *group = adw_preferences_group_new();

    adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), id);
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
        if (g_strcmp0(groups[i].id, id) != 0)
            continue;
        adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), _(groups[i].title));
        if (groups[i].description != NULL)
            adw_preferences_group_set_description(ADW_PREFERENCES_GROUP(group), _(groups[i].description));
    }
    return group;
}

/* TITLE is what a screen reader calls it. */
static GtkWidget *boxed_list(GListModel *model, GtkListBoxCreateWidgetFunc func, const char *title)
{
    GtkWidget *list = gtk_list_box_new();

    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
    gtk_widget_add_css_class(list, "boxed-list");
    gtk_list_box_bind_model(GTK_LIST_BOX(list), model, func, NULL, NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(list), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    return list;
}

static void add_group(GtkBox *box, GListStore *suites, const char *id)
{
    GtkWidget *group = group_new(id);
    GtkCustomFilter *filter = gtk_custom_filter_new(is_in_group, g_strdup(id), g_free);
    g_autoptr(GtkFilterListModel) members =
        gtk_filter_list_model_new(G_LIST_MODEL(g_object_ref(suites)), GTK_FILTER(filter));

    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group),
                              boxed_list(G_LIST_MODEL(members), row_for,
                                         adw_preferences_group_get_title(ADW_PREFERENCES_GROUP(group))));
    gtk_box_append(box, group);
}

static GtkWidget *error_row(gpointer item, gpointer user)
{
    GtkWidget *row = adw_action_row_new();

    adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), gtk_string_object_get_string(item));
    adw_preferences_row_set_title_selectable(ADW_PREFERENCES_ROW(row), TRUE);
    return row;
}

static void add_errors(GtkBox *box, const GPtrArray *errors)
{
    GtkWidget *group = adw_preferences_group_new();
    g_autoptr(GtkStringList) texts = gtk_string_list_new(NULL);

    for (guint i = 0; i < errors->len; i++)
        gtk_string_list_append(texts, errors->pdata[i]);
    adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), _("Suite Files with Errors"));
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group),
                              boxed_list(G_LIST_MODEL(texts), error_row, _("Suite Files with Errors")));
    gtk_box_append(box, group);
}

void plt_suite_groups_fill(GtkBox *box, GListStore *suites, const GPtrArray *errors)
{
    guint n = g_list_model_get_n_items(G_LIST_MODEL(suites));
    const char *last = NULL;

    /* They come by group. */
    for (guint i = 0; i < n; i++) {
        g_autoptr(PltSuiteItem) item = g_list_model_get_item(G_LIST_MODEL(suites), i);
        const char *id = plt_suite_group(plt_suite_item_get_suite(item));

        if (g_strcmp0(id, last) != 0)
            add_group(box, suites, id);
        last = id;
    }
    if (errors->len > 0)
        add_errors(box, errors);
}
