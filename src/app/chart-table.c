/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/chart-table.h"

#include <glib/gi18n-lib.h>

#include "app/chart-rows.h"

typedef char *(*Format)(PltChartRow *row);

static char *format_series(PltChartRow *row)
{
    return g_strdup(plt_chart_row_get_series(row));
}

static void set_up(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_xalign(GTK_LABEL(label),
                         GPOINTER_TO_INT(g_object_get_data(G_OBJECT(factory), "end")) ? 1.0f : 0.0f);
    gtk_widget_add_css_class(label, "numeric");
    gtk_list_item_set_child(item, label);
}

static void bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
    Format format = (Format)g_object_get_data(G_OBJECT(factory), "format");
    g_autofree char *text = format(gtk_list_item_get_item(item));

    gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), text);
}

static void add_column(GtkColumnView *view, const char *title, Format format, gboolean end, gboolean expand)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_autoptr(GtkColumnViewColumn) column = NULL;

    g_object_set_data(G_OBJECT(factory), "format", (gpointer)format);
    g_object_set_data(G_OBJECT(factory), "end", GINT_TO_POINTER(end));
    g_signal_connect(factory, "setup", G_CALLBACK(set_up), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
    column = gtk_column_view_column_new(title, factory);
    gtk_column_view_column_set_expand(column, expand);
    gtk_column_view_append_column(view, column);
}

static gboolean has_names(const PltChart *chart)
{
    for (guint i = 0; i < chart->series->len; i++) {
        if (((const PltSeries *)chart->series->pdata[i])->name)
            return TRUE;
    }
    return FALSE;
}

static GtkWidget *make_table(const PltChart *chart)
{
    GtkSelectionModel *selection =
        GTK_SELECTION_MODEL(gtk_no_selection_new(G_LIST_MODEL(plt_chart_rows_new(chart))));
    GtkWidget *view = gtk_column_view_new(selection);

    add_column(GTK_COLUMN_VIEW(view), chart->x.title ? chart->x.title : "", plt_chart_row_format_x, TRUE,
               FALSE);
    if (has_names(chart))
        add_column(GTK_COLUMN_VIEW(view), _("Curve"), format_series, FALSE, TRUE);
    add_column(GTK_COLUMN_VIEW(view), chart->y.title ? chart->y.title : _("Value"),
               plt_chart_row_format_value, TRUE, !has_names(chart));
    gtk_column_view_set_show_row_separators(GTK_COLUMN_VIEW(view), TRUE);
    gtk_widget_add_css_class(view, "data-table");
    return view;
}

AdwDialog *plt_chart_table_new(const PltChart *chart, const char *title)
{
    AdwDialog *dialog = adw_dialog_new();
    GtkWidget *toolbar = adw_toolbar_view_new(), *scrolled = gtk_scrolled_window_new();

    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), make_table(chart));
    gtk_widget_set_vexpand(scrolled, TRUE);
    adw_toolbar_view_add_top_bar(ADW_TOOLBAR_VIEW(toolbar), adw_header_bar_new());
    adw_toolbar_view_set_content(ADW_TOOLBAR_VIEW(toolbar), scrolled);
    adw_dialog_set_title(dialog, title ? title : _("Figures of the Chart"));
    adw_dialog_set_content_width(dialog, 480);
    adw_dialog_set_content_height(dialog, 600);
    adw_dialog_set_child(dialog, toolbar);
    return dialog;
}
