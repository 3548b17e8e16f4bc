/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/suite-row.h"

#include <glib/gi18n-lib.h>

struct _PltSuiteRow {
    AdwActionRow parent_instance;
    PltSuiteItem *item;
    GtkWidget *erases;
    GtkWidget *settings_button, *start_button;
};

enum {
    PROP_ITEM = 1,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltSuiteRow, plt_suite_row, ADW_TYPE_ACTION_ROW)

static char *subtitle(GObject *row, const char *description, const char *summary)
{
    return g_strdup_printf("%s\n%s", description != NULL ? description : "", summary != NULL ? summary : "");
}

/* "Start" alone says nothing to a screen reader that goes from button to button. */
static void name_button(GtkWidget *button, const char *format_text)
{
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, format_text, -1);
}

static void show_item(PltSuiteRow *row)
{
    const char *id = plt_suite_item_get_id(row->item);
    const char *name = plt_suite_item_get_name(row->item);
    g_autofree char *settings = g_strdup_printf(_("Settings of %s"), name);
    g_autofree char *start = g_strdup_printf(_("Start %s"), name);

    gtk_actionable_set_action_target(GTK_ACTIONABLE(row), "s", id);
    gtk_actionable_set_action_target(GTK_ACTIONABLE(row->settings_button), "s", id);
    gtk_actionable_set_action_target(GTK_ACTIONABLE(row->start_button), "s", id);
    name_button(row->settings_button, settings);
    name_button(row->start_button, start);
    gtk_widget_set_visible(row->erases, plt_suite_erases(plt_suite_item_get_suite(row->item)));
}

static void plt_suite_row_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    if (id == PROP_ITEM)
        g_value_set_object(value, PLT_SUITE_ROW(object)->item);
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_suite_row_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    if (id == PROP_ITEM)
        PLT_SUITE_ROW(object)->item = g_value_dup_object(value);
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_suite_row_dispose(GObject *object)
{
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_SUITE_ROW);
    g_clear_object(&PLT_SUITE_ROW(object)->item);
    G_OBJECT_CLASS(plt_suite_row_parent_class)->dispose(object);
}

static void plt_suite_row_class_init(PltSuiteRowClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->get_property = plt_suite_row_get_property;
    object_class->set_property = plt_suite_row_set_property;
    object_class->dispose = plt_suite_row_dispose;
    properties[PROP_ITEM] =
        g_param_spec_object("item", NULL, NULL, PLT_TYPE_SUITE_ITEM,
                            G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPS, properties);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/suite-row.ui");
    gtk_widget_class_bind_template_child(widget_class, PltSuiteRow, erases);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteRow, settings_button);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteRow, start_button);
    gtk_widget_class_bind_template_callback(widget_class, subtitle);
}

static void plt_suite_row_init(PltSuiteRow *row)
{
    gtk_widget_init_template(GTK_WIDGET(row));
}

GtkWidget *plt_suite_row_new(PltSuiteItem *item)
{
    PltSuiteRow *row = g_object_new(PLT_TYPE_SUITE_ROW, "item", item, NULL);

    show_item(row);
    return GTK_WIDGET(row);
}
