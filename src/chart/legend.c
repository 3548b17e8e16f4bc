/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include "chart/draw.h"

struct walk {
    PltTextStyle text;
    double swatch, space, gap, row;
};

static struct walk make_walk(PltCanvas *canvas)
{
    PltTextStyle text = plt_canvas_style(canvas, 14.0, PANGO_WEIGHT_MEDIUM, PLT_TONE_NORMAL);

    return (struct walk){
        .text = text,
        .swatch = text.size * 1.7,
        .space = text.size * 0.5,
        .gap = text.size * 1.6,
        .row = plt_text_line_height(canvas, &text) * 1.15,
    };
}

static double item_width(PltCanvas *canvas, const struct walk *w, const PltSeries *series, double most)
{
    double width = plt_text_width(canvas, &w->text, series->name);

    return MIN(most, w->swatch + w->space + width);
}

static void draw_swatch(PltCanvas *canvas, const struct walk *w, const PltSeries *series, double x, double y)
{
    const PltSeriesStyle *style = &canvas->theme->series[series->style];
    cairo_t *cr = canvas->cr;

    if (series->kind == PLT_SERIES_BARS) {
        double side = w->text.size * 0.86;

        plt_canvas_fill_rect(canvas, (PltRect){x + w->swatch - side, y - side / 2.0, side, side}, side * 0.22,
                             style->colour, 1.0);
        return;
    }
    plt_canvas_colour(canvas, style->colour, 1.0);
    cairo_set_line_width(cr, 2.4 * MAX(0.6, canvas->unit));
    if (!series->solid && style->dash[0] > 0.0)
        cairo_set_dash(cr, style->dash, style->dash[2] > 0.0 ? 4 : 2, 0.0);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x + w->swatch, y);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);
    if (series->kind == PLT_SERIES_POINTS)
        plt_canvas_marker(canvas, style, x + w->swatch / 2.0, y, w->text.size * 0.62);
}

/* Goes over the items in rows; draws the first DRAW rows. Returns the number of rows. */
static guint walk_items(const PltChart *chart, PltCanvas *canvas, const struct walk *w, double left,
                        double top, double width, guint draw)
{
    double x = 0.0;
    guint rows = 0;

    for (guint i = 0; i < chart->series->len; i++) {
        const PltSeries *series = chart->series->pdata[i];
        double item, baseline;

        if (!series->name)
            continue;
        item = item_width(canvas, w, series, width);
        if (rows == 0 || x + item > width + 0.01) {
            rows++;
            x = 0.0;
        }
        baseline = top + w->row * (rows - 1) + plt_text_ascent(canvas, &w->text);
        if (rows <= draw) {
            draw_swatch(canvas, w, series, left + x, baseline - w->text.size * 0.34);
            plt_text_show(canvas, &w->text, series->name, left + x + w->swatch + w->space, baseline, 0.0,
                          item - w->swatch - w->space + 0.5);
        }
        x += item + w->gap;
    }
    return rows;
}

double plt_legend_width(const PltChart *chart, PltCanvas *canvas)
{
    struct walk w = make_walk(canvas);
    double width = 0.0;

    for (guint i = 0; i < chart->series->len; i++) {
        const PltSeries *series = chart->series->pdata[i];

        if (series->name)
            width += item_width(canvas, &w, series, G_MAXDOUBLE) + (width > 0.0 ? w.gap : 0.0);
    }
    return width;
}

guint plt_legend_rows(const PltChart *chart, PltCanvas *canvas, double width)
{
    struct walk w = make_walk(canvas);

    return walk_items(chart, canvas, &w, 0.0, 0.0, width, 0);
}

double plt_legend_row_height(PltCanvas *canvas)
{
    return make_walk(canvas).row;
}

void plt_legend_draw(const PltChart *chart, PltCanvas *canvas, double left, double top, double width,
                     guint max_rows)
{
    struct walk w = make_walk(canvas);

    walk_items(chart, canvas, &w, left, top, width, max_rows);
}
