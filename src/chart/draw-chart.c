/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/draw.h"

/* Names of categories down the left side take at most this share of the width. */
#define MAX_LEFT_SHARE 0.34

/* The plot itself keeps at least this share of the height. */
#define MIN_PLOT_SHARE 0.4

static double widest_tick(PltPlot *plot, const PltTicks *ticks)
{
    double widest = 0.0;

    for (guint i = 0; i < ticks->ticks->len; i++) {
        const char *label = g_array_index(ticks->ticks, PltTick, i).label;

        if (label)
            widest = MAX(widest, plt_text_width(plot->canvas, &plot->tick, label));
    }
    return widest;
}

static void remake_ticks(PltTicks *ticks, const PltAxis *axis, guint most)
{
    plt_ticks_clear(ticks);
    plt_ticks_init(ticks, axis, most);
}

static guint labelled(const PltTicks *ticks)
{
    guint n = 0;

    for (guint i = 0; i < ticks->ticks->len; i++)
        n += g_array_index(ticks->ticks, PltTick, i).label != NULL;
    return n;
}

/* Fewer labels until they fit side by side into LENGTH. Categories keep theirs: what touches is left out. */
static void thin_bottom(PltPlot *plot, PltTicks *ticks, const PltAxis *axis, double length)
{
    guint limit = axis->scale == PLT_SCALE_LINEAR ? 13u : 24u;
    guint most =
        CLAMP((guint)(length / (plot->tick.size * (axis->scale == PLT_SCALE_LINEAR ? 5.5 : 3.2))), 2u, limit);

    for (;;) {
        double each;

        remake_ticks(ticks, axis, most);
        each = widest_tick(plot, ticks) + plot->tick.size * 0.65;
        if (most <= 2 || axis->scale == PLT_SCALE_CATEGORY || each * labelled(ticks) <= length + each)
            return;
        most--;
    }
}

static gboolean has_strip_series(const PltSeries *series)
{
    return series->labels_always && series->labels && series->kind == PLT_SERIES_BARS;
}

static guint strip_rows(const PltChart *chart)
{
    guint rows = 0;

    for (guint i = 0; i < chart->series->len; i++)
        rows += has_strip_series(chart->series->pdata[i]);
    return rows;
}

/* The values under the axis, if they fit from one group to the next in a type that can be read. */
static void choose_strip(PltPlot *plot, double plot_width)
{
    double widest = 0.0, pitch, size;

    plot->strip_height = 0.0;
    if (plot->chart->horizontal || strip_rows(plot->chart) == 0)
        return;
    plot->plot.width = plot_width;
    pitch = plt_plot_group_pitch(plot);
    for (guint i = 0; i < plot->chart->series->len; i++) {
        const PltSeries *series = plot->chart->series->pdata[i];

        for (guint n = 0; has_strip_series(series) && n < series->labels->len; n++) {
            if (series->labels->pdata[n])
                widest = MAX(widest, plt_text_width(plot->canvas, &plot->value, series->labels->pdata[n]));
        }
    }
    size = plot->value.size * MIN(1.0, pitch / (widest + plot->value.size * 0.5));
    if (widest <= 0.0 || size < 9.0)
        return;
    plot->value.size = size;
    plot->strip_height = plt_text_line_height(plot->canvas, &plot->value) * 1.12;
}

/* The line over the plot in which sections are named. */
static double sections_height(PltPlot *plot)
{
    for (guint i = 0; i < plot->chart->bands->len; i++) {
        const PltBand *band = &g_array_index(plot->chart->bands, PltBand, i);

        if (band->label && (band->tone == PLT_TONE_NORMAL || band->tone == PLT_TONE_MUTED))
            return plt_text_line_height(plot->canvas, &plot->tick) * 2.1;
    }
    return 0.0;
}

struct around {
    char *top_title, *right_title, *bottom_title;
    double title_width; /* of those over the plot, side by side */
    guint legend_rows;
    gboolean legend_beside; /* in the line of the titles */
    double legend_height, top, bottom;
};

static void make_titles(PltPlot *plot, struct around *a)
{
    const PltChart *chart = plot->chart;

    a->top_title = chart->horizontal ? NULL : plt_plot_axis_title(plot, &plot->y, &plot->y_ticks);
    a->right_title = chart->has_y2 ? plt_plot_axis_title(plot, &plot->y2, &plot->y2_ticks) : NULL;
    a->bottom_title = chart->horizontal ? plt_plot_axis_title(plot, &plot->y, &plot->y_ticks)
                                        : plt_plot_axis_title(plot, &plot->x, &plot->x_ticks);
    if (a->top_title)
        a->title_width += plt_text_width(plot->canvas, &plot->title, a->top_title);
    if (a->right_title)
        a->title_width += plt_text_width(plot->canvas, &plot->title, a->right_title) + plot->title.size;
}

/* What the lines over and under the plot take, with as many rows of the legend as A says. */
static void measure_around(PltPlot *plot, struct around *a)
{
    PltCanvas *canvas = plot->canvas;
    double line = plt_text_line_height(canvas, &plot->title);

    a->legend_height = a->legend_rows * plt_legend_row_height(canvas);
    a->top = a->legend_beside ? MAX(line, a->legend_height) : a->legend_height;
    if (!a->legend_beside && (a->top_title || a->right_title))
        a->top += line + (a->legend_rows > 0 ? plt_canvas_space(canvas, 4.0) : 0.0);
    a->top += plt_canvas_space(canvas, 12.0) + sections_height(plot);
    a->bottom = plt_text_line_height(canvas, &plot->tick) + plot->tick.size * 0.55;
    a->bottom += plot->strip_height * strip_rows(plot->chart);
    if (a->bottom_title)
        a->bottom += line * 1.15;
}

/* A chart so small that its words would crowd out the plot loses them from the least telling one on. */
static void choose_around(PltPlot *plot, struct around *a)
{
    double legend = plt_legend_width(plot->chart, plot->canvas);

    make_titles(plot, a);
    a->legend_rows = plt_legend_rows(plot->chart, plot->canvas, plot->area.width);
    a->legend_beside = legend > 0.0 && !a->right_title &&
                       a->title_width + legend + 3.0 * plot->title.size <= plot->area.width;
    for (;;) {
        measure_around(plot, a);
        if (plot->area.height - a->top - a->bottom >= MIN_PLOT_SHARE * plot->area.height)
            return;
        if (plot->strip_height > 0.0)
            plot->strip_height = 0.0;
        else if (a->legend_rows > 0 && !a->legend_beside)
            a->legend_rows--;
        else if (a->bottom_title)
            g_clear_pointer(&a->bottom_title, g_free);
        else
            return;
    }
}

static void clear_around(struct around *a)
{
    g_free(a->top_title);
    g_free(a->right_title);
    g_free(a->bottom_title);
}

/* Width first (labels at the left and right), then what the bottom needs, then the ticks that fit. */
static void make_plot_rect(PltPlot *plot, struct around *a)
{
    const PltChart *chart = plot->chart;
    double gap = plot->tick.size * 0.7;
    guint most = CLAMP((guint)(plot->area.height / (plot->tick.size * 3.4)), 3u, 9u);
    PltTicks *left = chart->horizontal ? &plot->x_ticks : &plot->y_ticks;
    double left_width, right_width = 0.0;

    plt_ticks_init(&plot->x_ticks, &plot->x, 12);
    plt_ticks_init(&plot->y_ticks, &plot->y, most);
    plt_ticks_init(&plot->y2_ticks, &plot->y2, most);
    left_width = MIN(widest_tick(plot, left) + gap, plot->area.width * MAX_LEFT_SHARE);
    if (chart->has_y2)
        right_width = widest_tick(plot, &plot->y2_ticks) + gap;
    plot->plot.x = plot->area.x + left_width;
    plot->plot.width = plot->area.width - left_width - right_width - plt_canvas_space(plot->canvas, 4.0);
    choose_strip(plot, plot->plot.width);
    choose_around(plot, a);
    plot->plot.y = plot->area.y + a->top;
    plot->plot.height = MAX(1.0, plot->area.height - a->top - a->bottom);
    if (chart->horizontal)
        thin_bottom(plot, &plot->y_ticks, &plot->y, plot->plot.width);
    else
        thin_bottom(plot, &plot->x_ticks, &plot->x, plot->plot.width);
    plot->strip_top = plot->plot.y + plot->plot.height + plot->tick.size * 0.55 +
                      plt_text_line_height(plot->canvas, &plot->tick) * 1.06;
}

static void draw_around(PltPlot *plot, const struct around *a)
{
    PltCanvas *canvas = plot->canvas;
    double line = plt_text_line_height(canvas, &plot->title);
    double baseline = plt_text_ascent(canvas, &plot->title);
    double width = plt_legend_width(plot->chart, canvas);
    double top = plot->area.y + (a->legend_beside ? 0.0 : a->legend_height);
    double right = plot->area.x + plot->area.width;

    if (a->legend_beside)
        plt_legend_draw(plot->chart, canvas, right - width, plot->area.y, width + 1.0, 1);
    else if (a->legend_rows > 0)
        plt_legend_draw(plot->chart, canvas, plot->area.x, plot->area.y, plot->area.width, a->legend_rows);
    if (!a->legend_beside && a->legend_rows > 0)
        top += plt_canvas_space(canvas, 4.0);
    if (a->top_title)
        plt_text_show(canvas, &plot->title, a->top_title, plot->area.x, top + baseline, 0.0,
                      plot->area.width * (a->right_title ? 0.48 : 1.0));
    if (a->right_title)
        plt_text_show(canvas, &plot->title, a->right_title, right, top + baseline, 1.0,
                      plot->area.width * 0.48);
    if (a->bottom_title)
        plt_text_show(canvas, &plot->title, a->bottom_title, plot->plot.x + plot->plot.width / 2.0,
                      plot->area.y + plot->area.height - line + baseline, 0.5, plot->plot.width);
}

static void begin(PltPlot *plot, const PltChart *chart, PltCanvas *canvas, PltRect area,
                  struct around *around)
{
    *plot = (PltPlot){.chart = chart, .canvas = canvas, .area = area};
    plot->tick = plt_canvas_style(canvas, 13.0, PANGO_WEIGHT_NORMAL, PLT_TONE_MUTED);
    plot->title = plt_canvas_style(canvas, 13.0, PANGO_WEIGHT_NORMAL, PLT_TONE_MUTED);
    plot->value = plt_canvas_style(canvas, 13.0, PANGO_WEIGHT_NORMAL, PLT_TONE_NORMAL);
    plot->taken = g_array_new(FALSE, FALSE, sizeof(PltRect));
    plt_chart_fit(chart, &plot->x, &plot->y, &plot->y2);
    make_plot_rect(plot, around);
}

static void end(PltPlot *plot, struct around *around)
{
    clear_around(around);
    plt_ticks_clear(&plot->x_ticks);
    plt_ticks_clear(&plot->y_ticks);
    plt_ticks_clear(&plot->y2_ticks);
    g_array_unref(plot->taken);
}

void plt_chart_locate(const PltChart *chart, PltCanvas *canvas, PltRect area, PltChartPlace *place)
{
    struct around around = {0};
    PltPlot plot;

    begin(&plot, chart, canvas, area, &around);
    *place = (PltChartPlace){.plot = plot.plot, .x = plot.x, .y = plot.y, .y2 = plot.y2};
    end(&plot, &around);
}

void plt_chart_draw(const PltChart *chart, PltCanvas *canvas, PltRect area)
{
    struct around around = {0};
    PltPlot plot;

    begin(&plot, chart, canvas, area, &around);
    plt_plot_draw_grid(&plot);
    plt_plot_draw_bands(&plot);
    for (guint i = 0; i < chart->series->len; i++)
        plt_plot_draw_series(&plot, i);
    plt_plot_draw_axes(&plot);
    plt_plot_draw_strip(&plot);
    plt_plot_draw_marks(&plot);
    for (guint i = 0; i < chart->series->len; i++)
        plt_plot_draw_value_labels(&plot, i);
    draw_around(&plot, &around);
    end(&plot, &around);
}
