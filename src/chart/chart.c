/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/chart.h"

static void free_series(PltSeries *series)
{
    g_free(series->name);
    plt_pyramid_free(series->data);
    g_clear_pointer(&series->labels, g_ptr_array_unref);
    g_free(series);
}

static void clear_band(gpointer data)
{
    PltBand *band = data;

    g_free(band->label);
    g_free(band->detail);
}

static void clear_mark(gpointer data)
{
    g_free(((PltMark *)data)->label);
}

PltChart *plt_chart_new(PltScale x, PltUnit x_unit, const char *x_title, PltScale y, PltUnit y_unit,
                        const char *y_title)
{
    PltChart *chart = g_new0(PltChart, 1);

    plt_axis_init(&chart->x, x, x_unit, x_title);
    plt_axis_init(&chart->y, y, y_unit, y_title);
    plt_axis_init(&chart->y2, PLT_SCALE_LINEAR, PLT_UNIT_NUMBER, NULL);
    chart->log_word = g_strdup("log");
    chart->cut_word = g_strdup("cut");
    chart->series = g_ptr_array_new_with_free_func((GDestroyNotify)free_series);
    chart->bands = g_array_new(FALSE, FALSE, sizeof(PltBand));
    chart->marks = g_array_new(FALSE, FALSE, sizeof(PltMark));
    g_array_set_clear_func(chart->bands, clear_band);
    g_array_set_clear_func(chart->marks, clear_mark);
    return chart;
}

void plt_chart_free(PltChart *chart)
{
    if (!chart)
        return;
    plt_axis_clear(&chart->x);
    plt_axis_clear(&chart->y);
    plt_axis_clear(&chart->y2);
    g_free(chart->log_word);
    g_free(chart->cut_word);
    g_ptr_array_unref(chart->series);
    g_array_unref(chart->bands);
    g_array_unref(chart->marks);
    g_free(chart);
}

PltSeries *plt_chart_add_series(PltChart *chart, PltSeriesKind kind, const char *name, guint style,
                                PltPyramid *data)
{
    PltSeries *series = g_new0(PltSeries, 1);

    series->kind = kind;
    series->name = g_strdup(name);
    series->style = style % PLT_N_SERIES_STYLES;
    series->data = data;
    series->highlight = -1;
    g_ptr_array_add(chart->series, series);
    return series;
}

void plt_series_add_label(PltSeries *series, const char *label)
{
    if (!series->labels)
        series->labels = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(series->labels, g_strdup(label));
}

void plt_chart_add_band(PltChart *chart, double from, double to, PltTone tone, const char *label,
                        const char *detail)
{
    PltBand band = {from, to, tone, g_strdup(label), g_strdup(detail)};

    g_array_append_val(chart->bands, band);
}

PltMark *plt_chart_add_mark(PltChart *chart, gboolean vertical, double at, PltTone tone, const char *label)
{
    PltMark mark = {
        .vertical = vertical, .at = at, .from = NAN, .to = NAN, .tone = tone, .label = g_strdup(label)};

    g_array_append_val(chart->marks, mark);
    return &g_array_index(chart->marks, PltMark, chart->marks->len - 1);
}

static void widen(double *min, double *max, double low, double high)
{
    *min = isnan(*min) ? low : MIN(*min, low);
    *max = isnan(*max) ? high : MAX(*max, high);
}

/* The smallest value that a logarithmic axis can show; NAN when there is none. */
static double smallest_positive(const PltPyramid *data)
{
    double smallest = NAN;

    for (gsize i = 0; i < plt_pyramid_length(data); i++) {
        double value = plt_pyramid_value(data, i);

        if (value > 0.0 && !(value >= smallest))
            smallest = value;
    }
    return smallest;
}

static gboolean is_log(const PltAxis *axis)
{
    return axis->scale == PLT_SCALE_LOG10 || axis->scale == PLT_SCALE_LOG2;
}

/* The ends of the data in X, and in Y for the left (RIGHT FALSE) or the right axis; NAN where there is none.
 */
static void data_range(const PltChart *chart, gboolean right, double *x_min, double *x_max, double *y_min,
                       double *y_max)
{
    *y_min = *y_max = NAN;
    for (guint i = 0; i < chart->series->len; i++) {
        const PltSeries *series = chart->series->pdata[i];
        gsize n = plt_pyramid_length(series->data);
        PltSpan span = plt_pyramid_range(series->data);

        if (span.count > 0 && span.min <= 0.0 && is_log(right ? &chart->y2 : &chart->y)) {
            span.min = smallest_positive(series->data);
            span.count = isnan(span.min) ? 0 : span.count;
        }
        if (n > 0)
            widen(x_min, x_max, plt_pyramid_x(series->data, 0), plt_pyramid_x(series->data, n - 1));
        if (span.count > 0 && series->right == right)
            widen(y_min, y_max, span.min, span.max);
    }
}

/* Bars that lie have their figures at their ends, which want some room beyond the longest. */
static gboolean has_labelled_bars(const PltChart *chart)
{
    for (guint i = 0; i < chart->series->len; i++) {
        const PltSeries *series = chart->series->pdata[i];

        if (series->kind == PLT_SERIES_BARS && series->labels)
            return TRUE;
    }
    return FALSE;
}

/* A reference line is part of what has to be seen. */
static void include_marks(const PltChart *chart, gboolean right, double *y_min, double *y_max)
{
    for (guint i = 0; i < chart->marks->len; i++) {
        const PltMark *mark = &g_array_index(chart->marks, PltMark, i);

        if (!mark->vertical && mark->right == right)
            widen(y_min, y_max, mark->at, mark->at);
    }
}

void plt_chart_fit(const PltChart *chart, PltAxis *x, PltAxis *y, PltAxis *y2)
{
    double x_min = NAN, x_max = NAN, y_min, y_max;

    *x = chart->x;
    *y = chart->y;
    *y2 = chart->y2;
    data_range(chart, TRUE, &x_min, &x_max, &y_min, &y_max);
    include_marks(chart, TRUE, &y_min, &y_max);
    plt_axis_fit(y2, y_min, y_max);
    data_range(chart, FALSE, &x_min, &x_max, &y_min, &y_max);
    include_marks(chart, FALSE, &y_min, &y_max);
    if (chart->horizontal && has_labelled_bars(chart))
        y_max *= 1.1;
    plt_axis_fit(y, y_min, y_max);
    for (guint i = 0; i < chart->bands->len; i++) {
        const PltBand *band = &g_array_index(chart->bands, PltBand, i);

        widen(&x_min, &x_max, band->from, band->to);
    }
    plt_axis_fit(x, x_min, x_max);
}
