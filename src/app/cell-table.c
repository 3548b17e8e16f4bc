/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/cell-table.h"

#include <glib/gi18n-lib.h>

#include "app/cell-figures.h"

struct _PltCellTable {
    AdwBin parent_instance;
    GtkColumnView *view;
};

G_DEFINE_FINAL_TYPE(PltCellTable, plt_cell_table, ADW_TYPE_BIN)

/* In the order in which a person asks: how fast, how it feels, how sure it is. */
static const guint columns_of_one[] = {
    PLT_FIGURE_CELL,
    PLT_FIGURE_OP,
    PLT_FIGURE_BANDWIDTH,
    PLT_FIGURE_IOPS,
    PLT_FIGURE_MEAN,
    PLT_FIGURE_MEDIAN_RUN,
    PLT_FIGURE_SPREAD,
    PLT_FIGURE_RUNS,
    PLT_FIGURE_MIN,
    PLT_FIGURE_PERCENTILE + PLT_P50,
    PLT_FIGURE_PERCENTILE + PLT_P90,
    PLT_FIGURE_PERCENTILE + PLT_P99,
    PLT_FIGURE_PERCENTILE + PLT_P99_9,
    PLT_FIGURE_PERCENTILE + PLT_P99_99,
    PLT_FIGURE_PERCENTILE + PLT_P99_999,
    PLT_FIGURE_MAX,
};

static guint figure_of(GtkSignalListItemFactory *factory)
{
    return GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(factory), "figure"));
}

static void set_up(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
    guint figure = figure_of(factory);
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_xalign(GTK_LABEL(label), figure <= PLT_FIGURE_OP ? 0.0f : 1.0f);
    gtk_label_set_single_line_mode(GTK_LABEL(label), TRUE);
    /* Figures and their units read from left to right in every language. */
    if (figure > PLT_FIGURE_OP)
        gtk_widget_set_direction(label, GTK_TEXT_DIR_LTR);
    if (figure == PLT_FIGURE_CELL || figure == PLT_FIGURE_BANDWIDTH)
        gtk_widget_add_css_class(label, "strong");
    gtk_widget_add_css_class(label, "numeric");
    gtk_list_item_set_child(item, label);
}

static void bind(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
    PltCellFigures *figures = gtk_list_item_get_item(item);
    GtkWidget *label = gtk_list_item_get_child(item);
    g_autofree char *text = plt_cell_figures_format(figures, figure_of(factory));
    gboolean reliable = plt_cell_figures_is_reliable(figures, figure_of(factory));

    gtk_label_set_text(GTK_LABEL(label), text);
    if (reliable)
        gtk_widget_remove_css_class(label, "dim-label");
    else
        gtk_widget_add_css_class(label, "dim-label");
    gtk_widget_set_tooltip_text(label,
                                reliable ? NULL : _("Too few I/Os stand behind this figure to rely on it."));
}

static void add_column(PltCellTable *table, guint figure, GPtrArray *runs)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_autofree char *title = plt_figure_title(figure, runs);
    g_autoptr(GtkColumnViewColumn) column = NULL;

    g_object_set_data(G_OBJECT(factory), "figure", GUINT_TO_POINTER(figure));
    g_signal_connect(factory, "setup", G_CALLBACK(set_up), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
    column = gtk_column_view_column_new(title, factory);
    gtk_column_view_column_set_expand(column, figure == PLT_FIGURE_CELL);
    gtk_column_view_append_column(table->view, column);
}

/* A column in which no cell has anything says nothing. */
static gboolean is_empty(GListModel *model, guint figure)
{
    for (guint i = 0; i < g_list_model_get_n_items(model); i++) {
        g_autoptr(PltCellFigures) figures = g_list_model_get_item(model, i);
        g_autofree char *text = plt_cell_figures_format(figures, figure);

        if (!g_str_equal(text, "—"))
            return FALSE;
    }
    return TRUE;
}

static void remove_columns(PltCellTable *table)
{
    GListModel *columns = gtk_column_view_get_columns(table->view);

    while (g_list_model_get_n_items(columns) > 0) {
        g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(columns, 0);

        gtk_column_view_remove_column(table->view, column);
    }
}

static void plt_cell_table_class_init(PltCellTableClass *klass)
{
}

static void plt_cell_table_init(PltCellTable *table)
{
    GtkWidget *scrolled = gtk_scrolled_window_new();

    table->view = GTK_COLUMN_VIEW(gtk_column_view_new(NULL));
    gtk_column_view_set_show_row_separators(table->view, TRUE);
    gtk_widget_add_css_class(GTK_WIDGET(table->view), "data-table");
    gtk_accessible_update_property(GTK_ACCESSIBLE(table->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("Figures of all cells"), -1);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
    /* A bar that stands says that there are more columns than fit. */
    gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(scrolled), FALSE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), GTK_WIDGET(table->view));
    gtk_widget_set_overflow(scrolled, GTK_OVERFLOW_HIDDEN);
    gtk_widget_add_css_class(scrolled, "card");
    adw_bin_set_child(ADW_BIN(table), scrolled);
}

GtkWidget *plt_cell_table_new(void)
{
    return g_object_new(PLT_TYPE_CELL_TABLE, NULL);
}

void plt_cell_table_set_runs(PltCellTable *table, GPtrArray *runs)
{
    g_autoptr(GtkNoSelection) selection = NULL;
    GListModel *model = NULL;

    g_return_if_fail(PLT_IS_CELL_TABLE(table));
    gtk_column_view_set_model(table->view, NULL);
    remove_columns(table);
    if (!runs || runs->len == 0)
        return;
    model = G_LIST_MODEL(plt_cell_figures_list(runs));
    selection = gtk_no_selection_new(model);
    for (guint i = 0; i < G_N_ELEMENTS(columns_of_one); i++) {
        if (runs->len > 1 && columns_of_one[i] > PLT_FIGURE_OP)
            break;
        if (!is_empty(model, columns_of_one[i]))
            add_column(table, columns_of_one[i], runs);
    }
    for (guint i = 0; runs->len > 1 && i < runs->len; i++)
        add_column(table, PLT_FIGURE_RUN + i, runs);
    gtk_column_view_set_model(table->view, GTK_SELECTION_MODEL(selection));
}
