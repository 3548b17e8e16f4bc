/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/chart-rows.h"

#include <math.h>

#include "chart/readout.h"

struct value {
    double x, value;
    guint series;
};

struct _PltChartRows {
    GObject parent_instance;
    GArray *values;   /* struct value, by X */
    GPtrArray *names; /* char *, by series */
    GArray *right;    /* gboolean, by series */
    PltAxis x, y, y2; /* with titles and categories of their own */
    double step;      /* the usual distance of two values in X */
};

struct _PltChartRow {
    GObject parent_instance;
    PltChartRows *rows;
    guint index;
};

static void list_model_init(GListModelInterface *iface);

G_DEFINE_FINAL_TYPE(PltChartRow, plt_chart_row, G_TYPE_OBJECT)
G_DEFINE_FINAL_TYPE_WITH_CODE(PltChartRows, plt_chart_rows, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static const struct value *value_of(PltChartRow *row)
{
    return &g_array_index(row->rows->values, struct value, row->index);
}

char *plt_chart_row_format_x(PltChartRow *row)
{
    return plt_axis_format(&row->rows->x, value_of(row)->x, row->rows->step);
}

char *plt_chart_row_format_value(PltChartRow *row)
{
    const struct value *value = value_of(row);
    gboolean right = g_array_index(row->rows->right, gboolean, value->series);

    return plt_axis_format(right ? &row->rows->y2 : &row->rows->y, value->value, 0.0);
}

const char *plt_chart_row_get_series(PltChartRow *row)
{
    const char *name = row->rows->names->pdata[value_of(row)->series];

    return name ? name : "";
}

static void plt_chart_row_finalize(GObject *object)
{
    g_object_unref(PLT_CHART_ROW(object)->rows);
    G_OBJECT_CLASS(plt_chart_row_parent_class)->finalize(object);
}

static void plt_chart_row_class_init(PltChartRowClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = plt_chart_row_finalize;
}

static void plt_chart_row_init(PltChartRow *row)
{
}

static GType get_item_type(GListModel *model)
{
    return PLT_TYPE_CHART_ROW;
}

static guint get_n_items(GListModel *model)
{
    return PLT_CHART_ROWS(model)->values->len;
}

static gpointer get_item(GListModel *model, guint position)
{
    PltChartRows *rows = PLT_CHART_ROWS(model);
    PltChartRow *row = NULL;

    if (position >= rows->values->len)
        return NULL;
    row = g_object_new(PLT_TYPE_CHART_ROW, NULL);
    row->rows = g_object_ref(rows);
    row->index = position;
    return row;
}

static void list_model_init(GListModelInterface *iface)
{
    iface->get_item_type = get_item_type;
    iface->get_n_items = get_n_items;
    iface->get_item = get_item;
}

static void plt_chart_rows_finalize(GObject *object)
{
    PltChartRows *rows = PLT_CHART_ROWS(object);

    g_array_unref(rows->values);
    g_array_unref(rows->right);
    g_ptr_array_unref(rows->names);
    plt_axis_clear(&rows->x);
    plt_axis_clear(&rows->y);
    plt_axis_clear(&rows->y2);
    G_OBJECT_CLASS(plt_chart_rows_parent_class)->finalize(object);
}

static void plt_chart_rows_class_init(PltChartRowsClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = plt_chart_rows_finalize;
}

static void plt_chart_rows_init(PltChartRows *rows)
{
    rows->values = g_array_new(FALSE, FALSE, sizeof(struct value));
    rows->right = g_array_new(FALSE, FALSE, sizeof(gboolean));
    rows->names = g_ptr_array_new_with_free_func(g_free);
}

static void copy_axis(const PltAxis *from, PltAxis *to)
{
    plt_axis_init(to, from->scale, from->unit, from->title);
    for (guint i = 0; from->categories && i < from->categories->len; i++)
        plt_axis_add_category(to, from->categories->pdata[i]);
}

static int compare_values(const void *a, const void *b)
{
    const struct value *left = a, *right = b;

    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    return left->series < right->series ? -1 : left->series > right->series;
}

PltChartRows *plt_chart_rows_new(const PltChart *chart)
{
    PltChartRows *rows = g_object_new(PLT_TYPE_CHART_ROWS, NULL);

    copy_axis(&chart->x, &rows->x);
    copy_axis(&chart->y, &rows->y);
    copy_axis(&chart->y2, &rows->y2);
    for (guint s = 0; s < chart->series->len; s++) {
        const PltSeries *series = chart->series->pdata[s];
        gsize n = plt_pyramid_length(series->data);

        g_ptr_array_add(rows->names, g_strdup(series->name));
        g_array_append_val(rows->right, series->right);
        if (n > 1)
            rows->step = plt_pyramid_x(series->data, 1) - plt_pyramid_x(series->data, 0);
        for (gsize i = 0; i < n; i++) {
            struct value value = {plt_pyramid_x(series->data, i), plt_pyramid_value(series->data, i), s};

            if (!isnan(value.value))
                g_array_append_val(rows->values, value);
        }
    }
    /* One series is in order already, and may be long. */
    if (chart->series->len > 1)
        g_array_sort(rows->values, compare_values);
    return rows;
}
