/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/step-row.h"

struct _PltStepRow {
    AdwBin parent_instance;
    PltStepItem *item;
};

enum {
    PROP_ITEM = 1,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltStepRow, plt_step_row, ADW_TYPE_BIN)

static void set_class(PltStepRow *row, const char *name, gboolean on)
{
    if (on)
        gtk_widget_add_css_class(GTK_WIDGET(row), name);
    else
        gtk_widget_remove_css_class(GTK_WIDGET(row), name);
}

static void on_state_changed(PltStepRow *row)
{
    gboolean active = FALSE, failed = FALSE;

    if (row->item != NULL)
        g_object_get(row->item, "active", &active, "failed", &failed, NULL);
    set_class(row, "accent", active);
    set_class(row, "error", failed);
}

static void set_item(PltStepRow *row, PltStepItem *item)
{
    if (row->item == item)
        return;
    if (row->item != NULL)
        g_signal_handlers_disconnect_by_data(row->item, row);
    g_set_object(&row->item, item);
    if (item != NULL)
        g_signal_connect_object(item, "notify::icon-name", G_CALLBACK(on_state_changed), row,
                                G_CONNECT_SWAPPED);
    on_state_changed(row);
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_ITEM]);
}

static void plt_step_row_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    if (id == PROP_ITEM)
        g_value_set_object(value, PLT_STEP_ROW(object)->item);
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_step_row_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    if (id == PROP_ITEM)
        set_item(PLT_STEP_ROW(object), g_value_get_object(value));
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_step_row_dispose(GObject *object)
{
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_STEP_ROW);
    g_clear_object(&PLT_STEP_ROW(object)->item);
    G_OBJECT_CLASS(plt_step_row_parent_class)->dispose(object);
}

static void plt_step_row_class_init(PltStepRowClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->get_property = plt_step_row_get_property;
    object_class->set_property = plt_step_row_set_property;
    object_class->dispose = plt_step_row_dispose;
    properties[PROP_ITEM] =
        g_param_spec_object("item", NULL, NULL, PLT_TYPE_STEP_ITEM,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPS, properties);
    gtk_widget_class_set_template_from_resource(widget_class, "/io/github/plateau_bench/Plateau/step-row.ui");
}

static void plt_step_row_init(PltStepRow *row)
{
    gtk_widget_init_template(GTK_WIDGET(row));
}
