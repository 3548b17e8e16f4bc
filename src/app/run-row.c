/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-row.h"

#include <glib/gi18n-lib.h>

struct _PltRunRow {
    GtkWidget parent_instance;
    GtkRevealer *revealer;
    GtkCheckButton *check;
    GtkLabel *figure, *status;
    PltRunItem *item;
    gboolean selecting, selected;
};

typedef enum {
    PROP_ITEM = 1,
    PROP_SELECTING,
    PROP_SELECTED,
} RunRowProperty;

static GParamSpec *properties[PROP_SELECTED + 1];

enum { TOGGLED, MENU_ASKED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(PltRunRow, plt_run_row, GTK_TYPE_WIDGET)

/* "Quick look · 14 Mar 2026, 15:09"; of a run with a name of its own, its drive comes first. */
static char *join_details(PltRunRow *row, const char *title, const char *drive, const char *suite,
                          const char *date)
{
    const char *parts[] = {g_strcmp0(title, drive) != 0 ? drive : NULL, suite, date};
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i] == NULL || *parts[i] == '\0')
            continue;
        g_string_append_printf(text, "%s%s", text->len > 0 ? " · " : "", parts[i]);
    }
    return g_string_free_and_steal(text);
}

static gboolean has_text(PltRunRow *row, const char *text)
{
    return text && *text;
}

static void on_pressed(GtkGestureClick *gesture, int n, double x, double y, PltRunRow *row)
{
    if (row->selecting)
        gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void on_released(GtkGestureClick *gesture, int n, double x, double y, PltRunRow *row)
{
    if (row->selecting && gtk_widget_contains(GTK_WIDGET(row), x, y))
        g_signal_emit(row, signals[TOGGLED], 0);
}

static void on_secondary_pressed(GtkGestureClick *gesture, int n, double x, double y, PltRunRow *row)
{
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    g_signal_emit(row, signals[MENU_ASKED], 0, x, y);
}

static void on_long_pressed(GtkGestureLongPress *gesture, double x, double y, PltRunRow *row)
{
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    g_signal_emit(row, signals[MENU_ASKED], 0, x, y);
}

/* How it ended has a colour besides its word. */
static void update_status(PltRunRow *row)
{
    static const char *const classes[] = {
        [PLT_RUN_RUNNING] = "accent", [PLT_RUN_COMPLETE] = "success",    [PLT_RUN_STOPPED] = "warning",
        [PLT_RUN_FAILED] = "error",   [PLT_RUN_INTERRUPTED] = "warning",
    };

    for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
        gtk_widget_remove_css_class(GTK_WIDGET(row->status), classes[i]);
    if (row->item)
        gtk_widget_add_css_class(GTK_WIDGET(row->status),
                                 classes[plt_run_item_get_summary(row->item)->status]);
}

static void plt_run_row_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltRunRow *row = PLT_RUN_ROW(object);

    switch ((RunRowProperty)id) {
    case PROP_ITEM:
        g_value_set_object(value, row->item);
        break;
    case PROP_SELECTING:
        g_value_set_boolean(value, row->selecting);
        break;
    case PROP_SELECTED:
        g_value_set_boolean(value, row->selected);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_run_row_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    PltRunRow *row = PLT_RUN_ROW(object);

    switch ((RunRowProperty)id) {
    case PROP_ITEM:
        plt_run_row_set_item(row, g_value_get_object(value));
        break;
    case PROP_SELECTING:
        plt_run_row_set_selecting(row, g_value_get_boolean(value));
        break;
    case PROP_SELECTED:
        plt_run_row_set_selected(row, g_value_get_boolean(value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_run_row_dispose(GObject *object)
{
    GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(object));

    plt_run_row_set_item(PLT_RUN_ROW(object), NULL);
    g_clear_pointer(&child, gtk_widget_unparent);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_RUN_ROW);
    G_OBJECT_CLASS(plt_run_row_parent_class)->dispose(object);
}

static void plt_run_row_class_init(PltRunRowClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->get_property = plt_run_row_get_property;
    object_class->set_property = plt_run_row_set_property;
    object_class->dispose = plt_run_row_dispose;
    properties[PROP_ITEM] =
        g_param_spec_object("item", NULL, NULL, PLT_TYPE_RUN_ITEM,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    properties[PROP_SELECTING] = g_param_spec_boolean(
        "selecting", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    properties[PROP_SELECTED] = g_param_spec_boolean(
        "selected", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
    signals[TOGGLED] = g_signal_new("toggled", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 0);
    signals[MENU_ASKED] = g_signal_new("menu-asked", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                       NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
    gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_template_from_resource(widget_class, "/io/github/plateau_bench/Plateau/run-row.ui");
    gtk_widget_class_bind_template_child(widget_class, PltRunRow, revealer);
    gtk_widget_class_bind_template_child(widget_class, PltRunRow, check);
    gtk_widget_class_bind_template_child(widget_class, PltRunRow, figure);
    gtk_widget_class_bind_template_child(widget_class, PltRunRow, status);
    gtk_widget_class_bind_template_callback(widget_class, join_details);
    gtk_widget_class_bind_template_callback(widget_class, has_text);
    gtk_widget_class_bind_template_callback(widget_class, on_pressed);
    gtk_widget_class_bind_template_callback(widget_class, on_released);
    gtk_widget_class_bind_template_callback(widget_class, on_secondary_pressed);
    gtk_widget_class_bind_template_callback(widget_class, on_long_pressed);
}

static void plt_run_row_init(PltRunRow *row)
{
    gtk_widget_init_template(GTK_WIDGET(row));
    /* Figures and their units read from left to right in every language. */
    gtk_widget_set_direction(GTK_WIDGET(row->figure), GTK_TEXT_DIR_LTR);
}

GtkWidget *plt_run_row_new(void)
{
    return g_object_new(PLT_TYPE_RUN_ROW, NULL);
}

void plt_run_row_set_item(PltRunRow *row, PltRunItem *item)
{
    g_return_if_fail(PLT_IS_RUN_ROW(row));
    if (row->item == item)
        return;
    if (row->item)
        g_signal_handlers_disconnect_by_func(row->item, update_status, row);
    g_set_object(&row->item, item);
    if (item)
        g_signal_connect_swapped(item, "notify::status", G_CALLBACK(update_status), row);
    update_status(row);
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_ITEM]);
}

PltRunItem *plt_run_row_get_item(PltRunRow *row)
{
    g_return_val_if_fail(PLT_IS_RUN_ROW(row), NULL);
    return row->item;
}

void plt_run_row_set_selecting(PltRunRow *row, gboolean selecting)
{
    g_return_if_fail(PLT_IS_RUN_ROW(row));
    if (row->selecting == selecting)
        return;
    row->selecting = selecting;
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_SELECTING]);
}

void plt_run_row_set_selected(PltRunRow *row, gboolean selected)
{
    g_return_if_fail(PLT_IS_RUN_ROW(row));
    if (row->selected == selected)
        return;
    row->selected = selected;
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_SELECTED]);
}
