/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/draw.h"

/* From this many points in a pixel column on, a line through all of them is only a smear. */
#define DENSE 2.0

#define BAND_ALPHA 0.24
#define AREA_ALPHA 0.10

/* What a group of bars takes of the way to the next one. */
#define GROUP_SHARE 0.68

static const PltAxis *axis_of(const PltPlot *plot, const PltSeries *series)
{
    return series->right ? &plot->y2 : &plot->y;
}

static const PltSeriesStyle *style_of(const PltPlot *plot, const PltSeries *series)
{
    return &plot->canvas->theme->series[series->style];
}

static double line_width(const PltPlot *plot)
{
    return CLAMP(2.2 * plot->canvas->unit, 1.2, 6.0);
}

static void set_pen(PltPlot *plot, const PltSeries *series, gboolean dashed)
{
    const PltSeriesStyle *style = style_of(plot, series);
    cairo_t *cr = plot->canvas->cr;

    plt_canvas_colour(plot->canvas, style->colour, 1.0);
    cairo_set_line_width(cr, line_width(plot));
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    if (dashed && !series->solid && style->dash[0] > 0.0)
        cairo_set_dash(cr, style->dash, style->dash[2] > 0.0 ? 4 : 2, 0.0);
    else
        cairo_set_dash(cr, NULL, 0, 0.0);
}

/* The stretch of indices that is seen, with one more at each end so that lines run out of the plot. */
static void visible(const PltPlot *plot, const PltSeries *series, gsize *first, gsize *end)
{
    double low = MIN(plt_axis_value(&plot->x, 0.0), plt_axis_value(&plot->x, 1.0));
    double high = MAX(plt_axis_value(&plot->x, 0.0), plt_axis_value(&plot->x, 1.0));
    gsize n = plt_pyramid_length(series->data);

    *first = plt_pyramid_find(series->data, low);
    *end = plt_pyramid_find(series->data, high);
    if (*first > 0)
        (*first)--;
    *end = MIN(n, *end + 1);
}

/* The path through each value from FIRST to END; a hole lifts the pen. STEPS holds each value until the next.
 */
static void trace(PltPlot *plot, const PltSeries *series, gsize first, gsize end, gboolean steps)
{
    cairo_t *cr = plot->canvas->cr;
    gboolean down = FALSE;
    double last_y = 0.0;

    for (gsize i = first; i < end; i++) {
        double value = plt_pyramid_value(series->data, i), x, y;

        if (isnan(value)) {
            down = FALSE;
            continue;
        }
        plt_plot_point(plot, axis_of(plot, series), plt_pyramid_x(series->data, i), value, &x, &y);
        if (down && steps)
            cairo_line_to(cr, x, last_y);
        if (down)
            cairo_line_to(cr, x, y);
        else
            cairo_move_to(cr, x, y);
        down = TRUE;
        last_y = y;
    }
}

struct column {
    double x, top, bottom, middle;
};

/* One entry for each pixel column that has values; a column without any separates two stretches (x = NAN). */
static GArray *make_columns(PltPlot *plot, const PltSeries *series, guint n)
{
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(struct column));
    const PltAxis *axis = axis_of(plot, series);
    gsize from = plt_pyramid_find(series->data, plt_axis_value(&plot->x, 0.0));

    for (guint i = 0; i < n; i++) {
        double right = plt_axis_value(&plot->x, (i + 1.0) / n), nothing;
        gsize end = i + 1 < n ? plt_pyramid_find(series->data, right)
                              : plt_pyramid_find(series->data, nextafter(right, INFINITY));
        PltSpan span = plt_pyramid_span(series->data, from, end);
        struct column column = {.x = NAN};

        from = end;
        if (span.count > 0) {
            column.x = plot->plot.x + plot->plot.width * (i + 0.5) / n;
            plt_plot_point(plot, axis, plot->x.from, span.max, &nothing, &column.top);
            plt_plot_point(plot, axis, plot->x.from, span.min, &nothing, &column.bottom);
            plt_plot_point(plot, axis, plot->x.from, span.median, &nothing, &column.middle);
        }
        g_array_append_val(columns, column);
    }
    return columns;
}

/* Each column keeps its full width at the top and the bottom: a single low sample is as deep as it was. */
static void fill_band(PltPlot *plot, const struct column *columns, guint first, guint end, double half)
{
    cairo_t *cr = plot->canvas->cr;

    cairo_new_path(cr);
    for (guint i = first; i < end; i++) {
        cairo_line_to(cr, columns[i].x - half, columns[i].top);
        cairo_line_to(cr, columns[i].x + half, columns[i].top);
    }
    for (guint i = end; i-- > first;) {
        cairo_line_to(cr, columns[i].x + half, columns[i].bottom);
        cairo_line_to(cr, columns[i].x - half, columns[i].bottom);
    }
    cairo_close_path(cr);
    cairo_fill(cr);
}

static void draw_dense(PltPlot *plot, const PltSeries *series, guint n)
{
    g_autoptr(GArray) array = make_columns(plot, series, n);
    const struct column *columns = (const struct column *)array->data;
    cairo_t *cr = plot->canvas->cr;

    plt_canvas_colour(plot->canvas, style_of(plot, series)->colour, BAND_ALPHA);
    for (guint i = 0; i < array->len;) {
        guint end = i;

        while (end < array->len && !isnan(columns[end].x))
            end++;
        if (end > i)
            fill_band(plot, columns, i, end, plot->plot.width / n / 2.0);
        i = end + 1;
    }
    set_pen(plot, series, FALSE);
    cairo_set_line_width(cr, line_width(plot) * 0.75);
    for (guint i = 0; i < array->len; i++) {
        if (isnan(columns[i].x))
            continue;
        if (i == 0 || isnan(columns[i - 1].x))
            cairo_move_to(cr, columns[i].x - 0.5, columns[i].middle);
        cairo_line_to(cr, columns[i].x, columns[i].middle);
    }
    cairo_stroke(cr);
}

static guint pixel_columns(const PltPlot *plot)
{
    double x = 1.0, y = 0.0;

    cairo_user_to_device_distance(plot->canvas->cr, &x, &y);
    return CLAMP((guint)(plot->plot.width * MAX(1.0, hypot(x, y))), 16u, 8192u);
}

static void draw_line(PltPlot *plot, const PltSeries *series)
{
    guint columns = pixel_columns(plot);
    gsize first, end;

    visible(plot, series, &first, &end);
    if ((double)(end - first) > DENSE * columns && !plot->x.reversed) {
        draw_dense(plot, series, columns);
        return;
    }
    set_pen(plot, series, TRUE);
    trace(plot, series, first, end, FALSE);
    cairo_stroke(plot->canvas->cr);
    cairo_set_dash(plot->canvas->cr, NULL, 0, 0.0);
}

/* The ground under the steps in the path; a temperature on the right axis has none, its zero means nothing.
 */
static void fill_under(PltPlot *plot, const PltSeries *series)
{
    double x, y, base = plot->plot.y + plot->plot.height;
    cairo_t *cr = plot->canvas->cr;

    cairo_get_current_point(cr, &x, &y);
    cairo_line_to(cr, x, base);
    plt_plot_point(plot, axis_of(plot, series), plt_pyramid_x(series->data, 0), 0.0, &x, &y);
    cairo_line_to(cr, x, base);
    cairo_close_path(cr);
    plt_canvas_colour(plot->canvas, style_of(plot, series)->colour, AREA_ALPHA);
    cairo_fill(cr);
}

static void draw_steps(PltPlot *plot, const PltSeries *series)
{
    cairo_t *cr = plot->canvas->cr;
    cairo_path_t *path = NULL;

    trace(plot, series, 0, plt_pyramid_length(series->data), TRUE);
    if (!cairo_has_current_point(cr))
        return;
    path = cairo_copy_path(cr);
    if (!series->right)
        fill_under(plot, series);
    cairo_new_path(cr);
    set_pen(plot, series, TRUE);
    cairo_append_path(cr, path);
    cairo_stroke(cr);
    cairo_path_destroy(path);
    cairo_set_dash(cr, NULL, 0, 0.0);
}

static double marker_size(const PltPlot *plot)
{
    return CLAMP(8.0 * plot->canvas->unit, 5.0, 20.0);
}

static void draw_points(PltPlot *plot, const PltSeries *series)
{
    set_pen(plot, series, TRUE);
    trace(plot, series, 0, plt_pyramid_length(series->data), FALSE);
    cairo_stroke(plot->canvas->cr);
    cairo_set_dash(plot->canvas->cr, NULL, 0, 0.0);
}

/* Whole markers also where a point lies on the edge of the plot, none beyond it. No label may cover one. */
static void draw_markers(PltPlot *plot, const PltSeries *series)
{
    const PltRect *p = &plot->plot;
    double size = marker_size(plot);

    for (gsize i = 0; i < plt_pyramid_length(series->data); i++) {
        double value = plt_pyramid_value(series->data, i), x, y;
        PltRect taken;

        if (isnan(value))
            continue;
        plt_plot_point(plot, axis_of(plot, series), plt_pyramid_x(series->data, i), value, &x, &y);
        if (x < p->x - 0.5 || x > p->x + p->width + 0.5 || y < p->y - 0.5 || y > p->y + p->height + 0.5)
            continue;
        plt_canvas_marker(plot->canvas, style_of(plot, series), x, y, size);
        taken = (PltRect){x - size / 2.0, y - size / 2.0, size, size};
        g_array_append_val(plot->taken, taken);
    }
}

static guint bar_series(const PltPlot *plot, const PltSeries *series, guint *index)
{
    guint n = 0;

    for (guint i = 0; i < plot->chart->series->len; i++) {
        const PltSeries *other = plot->chart->series->pdata[i];

        if (other == series)
            *index = n;
        n += other->kind == PLT_SERIES_BARS;
    }
    return n;
}

double plt_plot_group_pitch(const PltPlot *plot)
{
    double length = plot->chart->horizontal ? plot->plot.height : plot->plot.width;
    double closest = 1.0;

    for (guint i = 0; i < plot->chart->series->len; i++) {
        const PltSeries *series = plot->chart->series->pdata[i];
        gsize n = plt_pyramid_length(series->data);

        for (gsize p = 1; series->kind == PLT_SERIES_BARS && p < n; p++) {
            double a = plt_axis_place(&plot->x, plt_pyramid_x(series->data, p - 1));
            double b = plt_axis_place(&plot->x, plt_pyramid_x(series->data, p));

            if (fabs(b - a) > 1e-9)
                closest = MIN(closest, fabs(b - a));
        }
    }
    return length * closest;
}

/* The rectangle of bar I of SERIES, cut to the plot. */
static gboolean bar_rect(const PltPlot *plot, const PltSeries *series, gsize i, PltRect *rect)
{
    guint index = 0, n = bar_series(plot, series, &index);
    double value = plt_pyramid_value(series->data, i), x, y, origin, nothing;
    double width = plt_plot_group_pitch(plot) * GROUP_SHARE / n;
    double offset = width * (index - n / 2.0);
    const PltAxis *axis = axis_of(plot, series);

    if (isnan(value))
        return FALSE;
    plt_plot_point(plot, axis, plt_pyramid_x(series->data, i), value, &x, &y);
    if (plot->chart->horizontal) {
        plt_plot_point(plot, axis, plt_pyramid_x(series->data, i), MAX(axis->from, 0.0), &origin, &nothing);
        x = CLAMP(x, plot->plot.x, plot->plot.x + plot->plot.width);
        origin = CLAMP(origin, plot->plot.x, plot->plot.x + plot->plot.width);
        *rect = (PltRect){MIN(x, origin), y + offset + width * 0.05, fabs(x - origin), width * 0.9};
        return TRUE;
    }
    plt_plot_point(plot, axis, plt_pyramid_x(series->data, i), MAX(axis->from, 0.0), &nothing, &origin);
    y = CLAMP(y, plot->plot.y, plot->plot.y + plot->plot.height);
    origin = CLAMP(origin, plot->plot.y, plot->plot.y + plot->plot.height);
    *rect = (PltRect){x + offset + width * 0.05, MIN(y, origin), width * 0.9, fabs(y - origin)};
    return TRUE;
}

static void draw_bars(PltPlot *plot, const PltSeries *series)
{
    for (gsize i = 0; i < plt_pyramid_length(series->data); i++) {
        gboolean pale = series->highlight >= 0 && (gsize)series->highlight != i;
        double radius;
        PltRect rect;

        if (!bar_rect(plot, series, i, &rect))
            continue;
        radius = MIN(4.0 * plot->canvas->unit, rect.width / 3.0);
        /* The grid does not show through a paler bar. */
        if (pale)
            plt_canvas_fill_bar(plot->canvas, rect, radius, plot->chart->horizontal,
                                plot->canvas->theme->background, 1.0);
        plt_canvas_fill_bar(plot->canvas, rect, radius, plot->chart->horizontal,
                            style_of(plot, series)->colour, pale ? 0.45 : 1.0);
    }
}

void plt_plot_draw_series(PltPlot *plot, guint index)
{
    const PltSeries *series = plot->chart->series->pdata[index];
    double slack = line_width(plot) / 2.0;
    cairo_t *cr = plot->canvas->cr;

    cairo_save(cr);
    cairo_rectangle(cr, plot->plot.x - slack, plot->plot.y - slack, plot->plot.width + 2.0 * slack,
                    plot->plot.height + slack);
    cairo_clip(cr);
    switch (series->kind) {
    case PLT_SERIES_STEPS:
        draw_steps(plot, series);
        break;
    case PLT_SERIES_BARS:
        draw_bars(plot, series);
        break;
    case PLT_SERIES_POINTS:
        draw_points(plot, series);
        break;
    case PLT_SERIES_LINE:
    default:
        draw_line(plot, series);
        break;
    }
    cairo_restore(cr);
    if (series->kind == PLT_SERIES_POINTS)
        draw_markers(plot, series);
}

/* At the end of a bar: beyond it, or inside it where the plot ends. */
static void label_bar(PltPlot *plot, const PltSeries *series, gsize i, const char *text)
{
    PltTextStyle style = plot->value;
    double width = plt_text_width(plot->canvas, &style, text), gap = style.size * 0.45;
    PltRect rect;

    if (!bar_rect(plot, series, i, &rect))
        return;
    if (series->highlight == (gint)i)
        style.weight = PANGO_WEIGHT_SEMIBOLD;
    if (plot->chart->horizontal) {
        double baseline = rect.y + rect.height / 2.0 + style.size * 0.36;

        if (rect.height >= style.size * 0.8 &&
            plt_plot_try_label(plot, &style, text, rect.x + rect.width + gap, baseline, 0.0))
            return;
        if (series->highlight < 0 || series->highlight == (gint)i)
            style.colour = plot->canvas->theme->background;
        if (rect.width > width + 2.0 * gap && rect.height >= style.size)
            plt_text_show(plot->canvas, &style, text, rect.x + rect.width - gap, baseline, 1.0, 0.0);
        return;
    }
    if (width <= rect.width * 1.12)
        plt_plot_try_label(plot, &style, text, rect.x + rect.width / 2.0, rect.y - gap, 0.5);
}

void plt_plot_draw_value_labels(PltPlot *plot, guint index)
{
    const PltSeries *series = plot->chart->series->pdata[index];
    gsize n = series->labels ? MIN(plt_pyramid_length(series->data), series->labels->len) : 0;

    if (series->labels_always && plot->strip_height > 0.0)
        return;
    for (gsize i = 0; i < n; i++) {
        const char *text = series->labels->pdata[i];
        double x, y;

        if (!text || isnan(plt_pyramid_value(series->data, i)))
            continue;
        if (series->kind == PLT_SERIES_BARS) {
            label_bar(plot, series, i, text);
            continue;
        }
        plt_plot_point(plot, axis_of(plot, series), plt_pyramid_x(series->data, i),
                       plt_pyramid_value(series->data, i), &x, &y);
        plt_plot_place_label(plot, &plot->value, text, x, y, marker_size(plot) * 0.7);
    }
}

void plt_plot_draw_strip(PltPlot *plot)
{
    double top = plot->strip_top;

    for (guint s = 0; plot->strip_height > 0.0 && s < plot->chart->series->len; s++) {
        const PltSeries *series = plot->chart->series->pdata[s];
        double baseline = top + plt_text_ascent(plot->canvas, &plot->value);
        double side = plot->value.size * 0.72;

        if (!series->labels_always || !series->labels)
            continue;
        plt_canvas_fill_rect(plot->canvas, (PltRect){plot->area.x, baseline - side, side, side}, side * 0.22,
                             style_of(plot, series)->colour, 1.0);
        for (gsize i = 0; i < MIN(plt_pyramid_length(series->data), series->labels->len); i++) {
            const char *text = series->labels->pdata[i];
            double place = plt_axis_place(&plot->x, plt_pyramid_x(series->data, i));

            if (text && place >= 0.0 && place <= 1.0)
                plt_text_show(plot->canvas, &plot->value, text, plot->plot.x + plot->plot.width * place,
                              baseline, 0.5, 0.0);
        }
        top += plot->strip_height;
    }
}
