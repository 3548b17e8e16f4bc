/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/draw.h"
#include "chart/layer.h"

struct plt_chart_excerpt {
    PltChart chart;
};

gboolean plt_chart_has_layers(const PltChart *chart)
{
    for (guint i = 0; i < chart->series->len; i++) {
        const PltSeries *series = chart->series->pdata[i];

        if ((series->kind != PLT_SERIES_LINE && series->kind != PLT_SERIES_STEPS) || series->labels)
            return FALSE;
    }
    return TRUE;
}

/* The chart with its names and axes and without a value: what is left to draw is the ground. */
void plt_chart_draw_ground(const PltChart *chart, PltCanvas *canvas, PltRect area, PltChartPlace *place)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(PltPyramid) nothing = plt_pyramid_new(0.0, 1.0);
    PltChart ground = *chart;

    plt_chart_fit(chart, &ground.x, &ground.y, &ground.y2);
    for (guint i = 0; i < chart->series->len; i++) {
        PltSeries *series = g_memdup2(chart->series->pdata[i], sizeof *series);

        series->data = nothing;
        g_ptr_array_add(all, series);
    }
    ground.series = all;
    plt_chart_locate(&ground, canvas, area, place);
    plt_chart_draw(&ground, canvas, area);
}

void plt_chart_draw_curves(const PltChart *chart, PltCanvas *canvas, const PltChartPlace *place)
{
    PltPlot plot = {
        .chart = chart, .canvas = canvas, .plot = place->plot, .x = place->x, .y = place->y, .y2 = place->y2};

    for (guint i = 0; i < chart->series->len; i++)
        plt_plot_draw_series(&plot, i);
}

static GArray *bands_between(const PltChart *chart, double from, double to)
{
    GArray *bands = g_array_new(FALSE, FALSE, sizeof(PltBand));

    for (guint i = 0; i < chart->bands->len; i++) {
        const PltBand *band = &g_array_index(chart->bands, PltBand, i);

        if (band->to >= from && band->from <= to)
            g_array_append_vals(bands, band, 1);
    }
    return bands;
}

static GArray *marks_between(const PltChart *chart, double from, double to)
{
    GArray *marks = g_array_new(FALSE, FALSE, sizeof(PltMark));

    for (guint i = 0; i < chart->marks->len; i++) {
        const PltMark *mark = &g_array_index(chart->marks, PltMark, i);
        gboolean outside =
            mark->vertical ? mark->at < from || mark->at > to : mark->to < from || mark->from > to;

        if (!outside)
            g_array_append_vals(marks, mark, 1);
    }
    return marks;
}

static void widen(double *min, double *max, double low, double high)
{
    *min = isnan(*min) ? low : MIN(*min, low);
    *max = isnan(*max) ? high : MAX(*max, high);
}

/* What the series and levels of one side reach between FROM and TO. */
static void stretch_range(const PltChart *chart, gboolean right, double from, double to, double *min,
                          double *max)
{
    *min = *max = NAN;
    for (guint i = 0; i < chart->series->len; i++) {
        const PltSeries *series = chart->series->pdata[i];
        gsize first = plt_pyramid_find(series->data, from);
        /* One more at each side: its line runs into the plot. */
        PltSpan span =
            plt_pyramid_span(series->data, first > 0 ? first - 1 : 0, plt_pyramid_find(series->data, to) + 1);

        if (series->right == right && span.count > 0)
            widen(min, max, span.min, span.max);
    }
    for (guint i = 0; i < chart->marks->len; i++) {
        const PltMark *mark = &g_array_index(chart->marks, PltMark, i);

        if (!mark->vertical && mark->right == right && !(mark->to < from || mark->from > to))
            widen(min, max, mark->at, mark->at);
    }
}

void plt_chart_fit_stretch(const PltChart *chart, const PltAxis *x, PltAxis *y, PltAxis *y2)
{
    PltAxis whole_x, whole_y, whole_y2;
    double min, max;

    plt_chart_fit(chart, &whole_x, &whole_y, &whole_y2);
    stretch_range(chart, FALSE, x->from, x->to, &min, &max);
    if (y->scale == PLT_SCALE_LINEAR && !isnan(min))
        plt_axis_fit(y, min, max);
    else
        *y = whole_y;
    stretch_range(chart, TRUE, x->from, x->to, &min, &max);
    if (y2->scale == PLT_SCALE_LINEAR && !isnan(min))
        plt_axis_fit(y2, min, max);
    else
        *y2 = whole_y2;
}

PltChartExcerpt *plt_chart_excerpt_new(const PltChart *chart, const PltAxis *x, const PltAxis *y,
                                       const PltAxis *y2)
{
    PltChartExcerpt *excerpt = g_new(PltChartExcerpt, 1);

    excerpt->chart = *chart;
    excerpt->chart.x = *x;
    excerpt->chart.y = *y;
    excerpt->chart.y2 = *y2;
    excerpt->chart.bands = bands_between(chart, x->from, x->to);
    excerpt->chart.marks = marks_between(chart, x->from, x->to);
    return excerpt;
}

const PltChart *plt_chart_excerpt_get(const PltChartExcerpt *excerpt)
{
    return &excerpt->chart;
}

void plt_chart_excerpt_free(PltChartExcerpt *excerpt)
{
    if (!excerpt)
        return;
    g_array_unref(excerpt->chart.bands);
    g_array_unref(excerpt->chart.marks);
    g_free(excerpt);
}
