/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/result-details.h"

#include <glib/gi18n-lib.h>

#include "app/run-facts.h"
#include "app/run-item.h"
#include "chart/readout.h"
#include "report/facts.h"

#define ROWS "plt-rows"
#define FACTS "plt-facts"

/* A preferences group does not say what was added to it. */
static void add_row(AdwPreferencesGroup *group, GtkWidget *row)
{
    GPtrArray *rows = g_object_get_data(G_OBJECT(group), ROWS);

    if (!rows) {
        rows = g_ptr_array_new();
        g_object_set_data_full(G_OBJECT(group), ROWS, rows, (GDestroyNotify)g_ptr_array_unref);
    }
    g_ptr_array_add(rows, row);
    adw_preferences_group_add(group, row);
}

void plt_result_clear(AdwPreferencesGroup *group)
{
    GPtrArray *rows = g_object_get_data(G_OBJECT(group), ROWS);

    for (guint i = 0; rows && i < rows->len; i++)
        adw_preferences_group_remove(group, rows->pdata[i]);
    g_object_set_data(G_OBJECT(group), ROWS, NULL);
}

/* Rows show what others have written, never as markup. */
static GtkWidget *new_row(const char *title, const char *subtitle)
{
    GtkWidget *row = adw_action_row_new();

    adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
    if (subtitle)
        adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
    return row;
}

void plt_result_fill_warnings(AdwPreferencesGroup *group, const PltRun *run)
{
    plt_result_clear(group);
    for (guint i = 0; i < run->warnings->len; i++) {
        g_autofree char *text = plt_warning_text(run->warnings->pdata[i]);
        GtkWidget *row = new_row(text, NULL), *icon = gtk_image_new_from_icon_name("dialog-warning-symbolic");

        gtk_accessible_update_state(GTK_ACCESSIBLE(icon), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
        gtk_widget_add_css_class(icon, "warning");
        adw_action_row_add_prefix(ADW_ACTION_ROW(row), icon);
        add_row(group, row);
    }
    gtk_widget_set_visible(GTK_WIDGET(group), run->warnings->len > 0);
}

static GtkWidget *fact_row(const PltRunFact *fact)
{
    GtkWidget *row = new_row(fact->title, fact->value);

    adw_action_row_set_subtitle_selectable(ADW_ACTION_ROW(row), TRUE);
    gtk_widget_add_css_class(row, "property");
    return row;
}

/* Some sixty rows that few look at are made when somebody does. */
static void on_expanded(AdwExpanderRow *row, GParamSpec *pspec, gpointer data)
{
    PltRunFactGroup *group = g_object_steal_data(G_OBJECT(row), FACTS);

    if (!group)
        return;
    for (guint i = 0; i < group->facts->len; i++)
        adw_expander_row_add_row(row, fact_row(group->facts->pdata[i]));
    plt_run_fact_group_free(group);
}

void plt_result_fill_details(AdwPreferencesGroup *group, const PltRun *run)
{
    g_autoptr(GPtrArray) groups = plt_run_facts(run);

    plt_result_clear(group);
    for (guint i = 0; i < groups->len; i++) {
        PltRunFactGroup *facts = groups->pdata[i];
        GtkWidget *row = adw_expander_row_new();

        adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
        adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), facts->title);
        adw_expander_row_set_subtitle(ADW_EXPANDER_ROW(row), facts->summary);
        g_object_set_data_full(G_OBJECT(row), FACTS, facts, (GDestroyNotify)plt_run_fact_group_free);
        g_signal_connect(row, "notify::expanded", G_CALLBACK(on_expanded), NULL);
        add_row(group, row);
    }
    gtk_widget_set_visible(GTK_WIDGET(group), groups->len > 0);
    /* The rows have taken them over. */
    g_ptr_array_set_free_func(groups, NULL);
}

void plt_result_fill_runs(AdwPreferencesGroup *group, GPtrArray *runs)
{
    plt_result_clear(group);
    for (guint i = 0; i < runs->len; i++) {
        const PltRun *run = runs->pdata[i];
        g_autofree char *drive = plt_facts_drive(run), *date = plt_run_date_text(run->started_us);
        g_autofree char *details =
            g_strjoin(" · ", plt_run_suite_title(run->suite_name, run->suite_id), date, NULL);
        const char *title = run->title && *run->title ? run->title : drive ? drive : _("Unknown drive");
        GtkWidget *row = new_row(title, details);

        adw_action_row_add_suffix(ADW_ACTION_ROW(row), gtk_image_new_from_icon_name("go-next-symbolic"));
        gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
        gtk_actionable_set_action_name(GTK_ACTIONABLE(row), "win.show-run");
        gtk_actionable_set_action_target(GTK_ACTIONABLE(row), "x", run->id);
        add_row(group, row);
    }
}

static void add_curve(GString *text, const PltChart *chart, const PltSeries *series)
{
    const PltAxis *axis = series->right ? &chart->y2 : &chart->y;
    PltSpan span = plt_pyramid_range(series->data);
    g_autofree char *min = NULL, *max = NULL, *median = NULL;

    if (span.count == 0)
        return;
    min = plt_axis_format(axis, span.min, 0.0);
    max = plt_axis_format(axis, span.max, 0.0);
    median = plt_axis_format(axis, span.median, 0.0);
    g_string_append_c(text, ' ');
    /* Translators: a curve of a chart, its lowest and highest value and its median */
    g_string_append_printf(text, _("%s: %s to %s, median %s."), series->name ? series->name : axis->title,
                           min, max, median);
}

static guint count_events(const PltChart *chart)
{
    guint n = 0;

    for (guint i = 0; i < chart->bands->len; i++) {
        PltTone tone = g_array_index(chart->bands, PltBand, i).tone;

        n += tone != PLT_TONE_NORMAL && tone != PLT_TONE_MUTED;
    }
    return n;
}

char *plt_result_describe_chart(const PltChart *chart, const char *title)
{
    GString *text = g_string_new(NULL);
    double end = 0.0;
    guint stalls = count_events(chart);
    g_autofree char *length = NULL;

    for (guint i = 0; i < chart->series->len; i++) {
        const PltPyramid *data = ((const PltSeries *)chart->series->pdata[i])->data;
        gsize n = plt_pyramid_length(data);

        end = n > 0 ? MAX(end, plt_pyramid_x(data, n - 1)) : end;
    }
    length = plt_axis_format(&chart->x, end, 1.0);
    /* Translators: what a chart shows, its title and the time that it spans */
    g_string_append_printf(text, _("Throughput over time of %s, %s long."), title, length);
    for (guint i = 0; i < chart->series->len; i++)
        add_curve(text, chart, chart->series->pdata[i]);
    if (stalls > 0) {
        g_string_append_c(text, ' ');
        g_string_append_printf(text, ngettext("%u stall.", "%u stalls.", stalls), stalls);
    }
    return g_string_free(text, FALSE);
}
