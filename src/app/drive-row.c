/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/drive-row.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/drive-words.h"

struct _PltDriveRow {
    GtkListBoxRow parent_instance;
    PltDrive *drive;
    gboolean running;
    GtkLabel *temperature;
    char *label; /* what it is called */
};

typedef enum {
    PROP_DRIVE = 1,
    PROP_RUNNING,
} PltDriveRowProperty;

static GParamSpec *properties[PROP_RUNNING + 1];

G_DEFINE_FINAL_TYPE(PltDriveRow, plt_drive_row, GTK_TYPE_LIST_BOX_ROW)

/* Closures of the template: what its expressions call. */
static char *icon_of(PltDriveRow *row, const char *bus, PltDrive *drive)
{
    return g_strdup(plt_words_drive_icon(bus, drive != NULL && plt_drive_is_rotational(drive)));
}

static char *subtitle_of(PltDriveRow *row, guint64 capacity, const char *bus_title)
{
    return plt_words_drive_subtitle(capacity, bus_title);
}

static char *temperature_of(PltDriveRow *row, double celsius)
{
    return plt_words_temperature(celsius);
}

static gboolean is_known(PltDriveRow *row, double celsius)
{
    return !isnan(celsius);
}

/* One sentence for the row, since its parts alone would be read as a list of numbers. */
static void update_label(PltDriveRow *row)
{
    double celsius = plt_drive_get_temperature(row->drive);
    g_autofree char *subtitle =
        plt_words_drive_subtitle(plt_drive_get_capacity(row->drive), plt_drive_get_bus_title(row->drive));
    g_autofree char *heat = plt_words_temperature(celsius);
    g_autofree char *label = g_strdup_printf("%s, %s%s%s", plt_drive_get_title(row->drive), subtitle,
                                             isnan(celsius) ? "" : ", ", heat);

    /* A temperature that moved by less than is shown is no news to whoever listens. */
    if (g_set_str(&row->label, label))
        gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   row->running ? _("A benchmark is running") : "", -1);
}

static void update_heat(PltDriveRow *row)
{
    double celsius = plt_drive_get_temperature(row->drive), warning = NAN;

    g_object_get(row->drive, "temperature-warning", &warning, NULL);
    /* False where either is not known. */
    if (celsius >= warning)
        gtk_widget_add_css_class(GTK_WIDGET(row->temperature), "warning");
    else
        gtk_widget_remove_css_class(GTK_WIDGET(row->temperature), "warning");
    update_label(row);
}

static void set_drive(PltDriveRow *row, PltDrive *drive)
{
    row->drive = g_object_ref(drive);
    g_signal_connect_object(drive, "notify::temperature", G_CALLBACK(update_heat), row, G_CONNECT_SWAPPED);
    g_signal_connect_object(drive, "notify::title", G_CALLBACK(update_label), row, G_CONNECT_SWAPPED);
    g_signal_connect_object(drive, "notify::capacity", G_CALLBACK(update_label), row, G_CONNECT_SWAPPED);
    g_signal_connect_object(drive, "notify::bus-title", G_CALLBACK(update_label), row, G_CONNECT_SWAPPED);
    update_label(row);
}

static void plt_drive_row_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltDriveRow *row = PLT_DRIVE_ROW(object);

    switch ((PltDriveRowProperty)id) {
    case PROP_DRIVE:
        g_value_set_object(value, row->drive);
        break;
    case PROP_RUNNING:
        g_value_set_boolean(value, row->running);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_drive_row_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    switch ((PltDriveRowProperty)id) {
    case PROP_DRIVE:
        set_drive(PLT_DRIVE_ROW(object), g_value_get_object(value));
        break;
    case PROP_RUNNING:
        plt_drive_row_set_running(PLT_DRIVE_ROW(object), g_value_get_boolean(value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_drive_row_dispose(GObject *object)
{
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_DRIVE_ROW);
    g_clear_object(&PLT_DRIVE_ROW(object)->drive);
    g_clear_pointer(&PLT_DRIVE_ROW(object)->label, g_free);
    G_OBJECT_CLASS(plt_drive_row_parent_class)->dispose(object);
}

static void plt_drive_row_class_init(PltDriveRowClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

    object_class->get_property = plt_drive_row_get_property;
    object_class->set_property = plt_drive_row_set_property;
    object_class->dispose = plt_drive_row_dispose;
    properties[PROP_DRIVE] =
        g_param_spec_object("drive", NULL, NULL, PLT_TYPE_DRIVE,
                            G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
    properties[PROP_RUNNING] = g_param_spec_boolean("running", NULL, NULL, FALSE, flags);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/drive-row.ui");
    gtk_widget_class_bind_template_child(widget_class, PltDriveRow, temperature);
    gtk_widget_class_bind_template_callback(widget_class, icon_of);
    gtk_widget_class_bind_template_callback(widget_class, subtitle_of);
    gtk_widget_class_bind_template_callback(widget_class, temperature_of);
    gtk_widget_class_bind_template_callback(widget_class, is_known);
}

static void plt_drive_row_init(PltDriveRow *row)
{
    gtk_widget_init_template(GTK_WIDGET(row));
}

GtkWidget *plt_drive_row_new(PltDrive *drive)
{
    PltDriveRow *row = g_object_new(PLT_TYPE_DRIVE_ROW, "drive", drive, NULL);

    update_heat(row);
    return GTK_WIDGET(row);
}

PltDrive *plt_drive_row_get_drive(PltDriveRow *row)
{
    return row->drive;
}

void plt_drive_row_set_running(PltDriveRow *row, gboolean running)
{
    if (row->running == running)
        return;
    row->running = running;
    update_label(row);
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_RUNNING]);
}
