/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/sensor-row.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/drive-words.h"

/* The cool end of the level: a drive in a living room does not get colder, and a bar needs an end. */
#define LEVEL_FROM_C 20

struct _PltSensorRow {
    AdwPreferencesRow parent_instance;
    GtkLabel *name, *now, *range, *limits;
    GtkLevelBar *level;
    double lowest, highest; /* since the row was made */
};

G_DEFINE_FINAL_TYPE(PltSensorRow, plt_sensor_row, ADW_TYPE_PREFERENCES_ROW)

static void plt_sensor_row_dispose(GObject *object)
{
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_SENSOR_ROW);
    G_OBJECT_CLASS(plt_sensor_row_parent_class)->dispose(object);
}

static void plt_sensor_row_class_init(PltSensorRowClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_sensor_row_dispose;
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/sensor-row.ui");
    gtk_widget_class_bind_template_child(widget_class, PltSensorRow, name);
    gtk_widget_class_bind_template_child(widget_class, PltSensorRow, now);
    gtk_widget_class_bind_template_child(widget_class, PltSensorRow, range);
    gtk_widget_class_bind_template_child(widget_class, PltSensorRow, limits);
    gtk_widget_class_bind_template_child(widget_class, PltSensorRow, level);
}

static void plt_sensor_row_init(PltSensorRow *row)
{
    gtk_widget_init_template(GTK_WIDGET(row));
    row->lowest = NAN;
    row->highest = NAN;
}

GtkWidget *plt_sensor_row_new(void)
{
    return g_object_new(PLT_TYPE_SENSOR_ROW, NULL);
}

static void set_class(GtkWidget *widget, const char *name, gboolean on)
{
    if (on)
        gtk_widget_add_css_class(widget, name);
    else
        gtk_widget_remove_css_class(widget, name);
}

/* Above its warning limit a drive slows itself down or is about to; without limits no level is drawn. */
static void update_level(PltSensorRow *row, const PltSensor *sensor)
{
    double end = !isnan(sensor->critical) ? sensor->critical : sensor->warning;
    gboolean critical = sensor->celsius >= sensor->critical;
    gboolean warm = !critical && sensor->celsius >= sensor->warning;

    gtk_widget_set_visible(GTK_WIDGET(row->level), !isnan(end) && end > LEVEL_FROM_C);
    if (isnan(end) || end <= LEVEL_FROM_C)
        return;
    gtk_level_bar_set_value(row->level,
                            CLAMP((sensor->celsius - LEVEL_FROM_C) / (end - LEVEL_FROM_C), 0.0, 1.0));
    set_class(GTK_WIDGET(row->level), "warm", warm);
    set_class(GTK_WIDGET(row->level), "critical", critical);
}

static char *limits_text(const PltSensor *sensor)
{
    if (!isnan(sensor->warning) && !isnan(sensor->critical))
        /* Translators: limits that the drive names for its temperature. */
        return g_strdup_printf(_("Warning at %.0f °C, critical at %.0f °C"), sensor->warning,
                               sensor->critical);
    if (!isnan(sensor->warning))
        return g_strdup_printf(_("Warning at %.0f °C"), sensor->warning);
    if (!isnan(sensor->critical))
        return g_strdup_printf(_("Critical at %.0f °C"), sensor->critical);
    return g_strdup(_("The drive names no limits"));
}

/* Compared as they are printed: "42 – 42" says nothing. */
static char *range_text(const PltSensorRow *row)
{
    if (rint(row->lowest) == rint(row->highest))
        /* Translators: the temperature has been this since the window was opened. */
        return g_strdup_printf(_("%.0f °C so far"), row->highest);
    /* Translators: lowest and highest temperature since the window was opened. */
    return g_strdup_printf(_("%.0f – %.0f °C so far"), row->lowest, row->highest);
}

void plt_sensor_row_update(PltSensorRow *row, const PltSensor *sensor)
{
    g_autofree char *name = plt_words_sensor(sensor->label);
    g_autofree char *now = plt_words_temperature(sensor->celsius);
    g_autofree char *limits = limits_text(sensor);
    g_autofree char *range = NULL, *label = NULL;

    row->lowest = fmin(row->lowest, sensor->celsius);
    row->highest = fmax(row->highest, sensor->celsius);
    range = range_text(row);
    gtk_label_set_label(row->name, name);
    gtk_label_set_label(row->now, now);
    gtk_label_set_label(row->range, range);
    gtk_label_set_label(row->limits, limits);
    update_level(row, sensor);
    label = g_strdup_printf("%s, %s, %s", name, now, limits);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}
