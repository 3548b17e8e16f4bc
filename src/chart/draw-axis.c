/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/draw.h"

/* A line of one unit lies on whole pixels when its middle lies between two of them. */
static double crisp(double v)
{
    return floor(v) + 0.5;
}

static const PltTick *tick_at(const PltTicks *ticks, guint i)
{
    return &g_array_index(ticks->ticks, PltTick, i);
}

/* The axis along the bottom and the one up the left side. */
static const PltAxis *bottom_axis(const PltPlot *plot, const PltTicks **ticks)
{
    *ticks = plot->chart->horizontal ? &plot->y_ticks : &plot->x_ticks;
    return plot->chart->horizontal ? &plot->y : &plot->x;
}

static const PltAxis *left_axis(const PltPlot *plot, const PltTicks **ticks)
{
    *ticks = plot->chart->horizontal ? &plot->x_ticks : &plot->y_ticks;
    return plot->chart->horizontal ? &plot->x : &plot->y;
}

/* Where a place 0..1 of the left axis is: upwards, but categories read down. */
static double left_position(const PltPlot *plot, double place)
{
    return plot->chart->horizontal ? plot->plot.y + plot->plot.height * place
                                   : plot->plot.y + plot->plot.height * (1.0 - place);
}

void plt_plot_point(const PltPlot *plot, const PltAxis *value_axis, double x, double value, double *px,
                    double *py)
{
    double along = plt_axis_place(&plot->x, x), up = plt_axis_place(value_axis, value);

    /* A value without a place on a logarithmic axis (zero) lies below it. */
    if (isnan(up) && !isnan(value))
        up = -1.0;
    *px = plot->plot.x + plot->plot.width * (plot->chart->horizontal ? up : along);
    *py = left_position(plot, plot->chart->horizontal ? along : up);
}

static void stroke_line(PltPlot *plot, double x0, double y0, double x1, double y1, PltColour colour,
                        double alpha)
{
    cairo_t *cr = plot->canvas->cr;

    plt_canvas_colour(plot->canvas, colour, alpha);
    cairo_set_line_width(cr, 1.0);
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

static void grid_across(PltPlot *plot, const PltAxis *axis, const PltTicks *ticks)
{
    for (guint i = 0; i < ticks->ticks->len; i++) {
        const PltTick *tick = tick_at(ticks, i);
        double y = crisp(left_position(plot, plt_axis_place(axis, tick->value)));

        stroke_line(plot, plot->plot.x, y, plot->plot.x + plot->plot.width, y, plot->canvas->theme->grid,
                    tick->label ? 1.0 : 0.45);
    }
}

static void grid_upright(PltPlot *plot, const PltAxis *axis, const PltTicks *ticks)
{
    for (guint i = 0; i < ticks->ticks->len; i++) {
        const PltTick *tick = tick_at(ticks, i);
        double x = crisp(plot->plot.x + plot->plot.width * plt_axis_place(axis, tick->value));

        stroke_line(plot, x, plot->plot.y, x, plot->plot.y + plot->plot.height, plot->canvas->theme->grid,
                    tick->label ? 1.0 : 0.45);
    }
}

void plt_plot_draw_grid(PltPlot *plot)
{
    const PltTicks *ticks = NULL;
    const PltAxis *axis = NULL;

    if (!plot->chart->horizontal) {
        axis = left_axis(plot, &ticks);
        grid_across(plot, axis, ticks);
    }
    axis = bottom_axis(plot, &ticks);
    if (plot->chart->horizontal || plot->chart->grid_x)
        grid_upright(plot, axis, ticks);
}

/* TRUE when a label at Y keeps clear of the one at *LAST, which then moves on; in a tiny plot not all do. */
static gboolean next_row(const PltPlot *plot, double y, double *last)
{
    if (fabs(y - *last) < plot->tick.size * 1.1)
        return FALSE;
    *last = y;
    return TRUE;
}

static void draw_left_labels(PltPlot *plot)
{
    const PltTicks *ticks = NULL;
    const PltAxis *axis = left_axis(plot, &ticks);
    double gap = plot->tick.size * 0.7, last = -G_MAXDOUBLE;
    double room = plot->plot.x - gap - plot->area.x;

    for (guint i = 0; i < ticks->ticks->len; i++) {
        const PltTick *tick = tick_at(ticks, i);
        double y = left_position(plot, plt_axis_place(axis, tick->value));

        if (tick->label && next_row(plot, y, &last))
            plt_text_show(plot->canvas, &plot->tick, tick->label, plot->plot.x - gap,
                          y + plot->tick.size * 0.36, 1.0, room + 0.5);
    }
}

static void draw_right_labels(PltPlot *plot)
{
    const PltTicks *ticks = &plot->y2_ticks;
    double x = plot->plot.x + plot->plot.width + plot->tick.size * 0.7, last = -G_MAXDOUBLE;

    for (guint i = 0; i < ticks->ticks->len; i++) {
        const PltTick *tick = tick_at(ticks, i);
        double y = left_position(plot, plt_axis_place(&plot->y2, tick->value));

        if (tick->label && next_row(plot, y, &last))
            plt_text_show(plot->canvas, &plot->tick, tick->label, x, y + plot->tick.size * 0.36, 0.0, 0.0);
    }
}

/*
 * Labels under the plot. Each is held inside the chart, and one that would touch its neighbour is left out:
 * the ticks were chosen to fit, so this happens only where a label is wider than expected at an end.
 */
static void draw_bottom_labels(PltPlot *plot)
{
    const PltTicks *ticks = NULL;
    const PltAxis *axis = bottom_axis(plot, &ticks);
    double baseline = plot->plot.y + plot->plot.height + plot->tick.size * 0.55 +
                      plt_text_ascent(plot->canvas, &plot->tick);
    double gap = plot->tick.size * 0.6, last = -G_MAXDOUBLE;
    gboolean backwards = axis->reversed;

    for (guint n = 0; n < ticks->ticks->len; n++) {
        const PltTick *tick = tick_at(ticks, backwards ? ticks->ticks->len - 1 - n : n);
        double x = plot->plot.x + plot->plot.width * plt_axis_place(axis, tick->value);
        double width, left;

        if (!tick->label)
            continue;
        width = plt_text_width(plot->canvas, &plot->tick, tick->label);
        left = CLAMP(x - width / 2.0, plot->area.x, plot->area.x + plot->area.width - width);
        if (left < last + gap)
            continue;
        plt_text_show(plot->canvas, &plot->tick, tick->label, left, baseline, 0.0, 0.0);
        last = left + width;
    }
}

void plt_plot_draw_axes(PltPlot *plot)
{
    const PltRect *p = &plot->plot;
    double y = crisp(p->y + p->height), x = crisp(p->x);

    if (plot->chart->horizontal)
        stroke_line(plot, x, p->y, x, p->y + p->height, plot->canvas->theme->axis, 1.0);
    else
        stroke_line(plot, p->x, y, p->x + p->width, y, plot->canvas->theme->axis, 1.0);
    draw_left_labels(plot);
    draw_bottom_labels(plot);
    if (plot->chart->has_y2)
        draw_right_labels(plot);
}

char *plt_plot_axis_title(const PltPlot *plot, const PltAxis *axis, const PltTicks *ticks)
{
    GString *title = g_string_new(axis->title);
    double min = INFINITY, max = -INFINITY;

    if (*ticks->unit)
        g_string_append_printf(title, "%s%s", title->len > 0 ? ", " : "", ticks->unit);
    for (guint i = 0; i < plot->chart->series->len; i++) {
        const PltSeries *series = plot->chart->series->pdata[i];
        PltSpan span = plt_pyramid_range(series->data);

        if (span.count > 0 && axis == (series->right ? &plot->y2 : &plot->y)) {
            /* Nothing (a stall) has no place on a logarithmic axis; it is marked by other means. */
            if (span.min > 0.0 || axis->scale == PLT_SCALE_LINEAR)
                min = MIN(min, span.min);
            max = MAX(max, span.max);
        }
    }
    if (axis->scale == PLT_SCALE_LOG10 || (axis->scale == PLT_SCALE_LOG2 && axis != &plot->x))
        g_string_append_printf(title, "%s(%s)", title->len > 0 ? " " : "", plot->chart->log_word);
    if (min <= max && plt_axis_cuts(axis, min, max))
        g_string_append_printf(title, "%s(%s)", title->len > 0 ? " " : "", plot->chart->cut_word);
    if (title->len == 0) {
        g_string_free(title, TRUE);
        return NULL;
    }
    return g_string_free(title, FALSE);
}
