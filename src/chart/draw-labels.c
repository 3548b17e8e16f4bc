/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/draw.h"

/* Between two labels, and between a label and the edge of the plot. */
#define CLEARANCE 2.0

static gboolean overlap(const PltRect *a, const PltRect *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

static gboolean is_free(const PltPlot *plot, const PltRect *rect)
{
    const PltRect *p = &plot->plot;

    if (rect->x < p->x || rect->y < p->y || rect->x + rect->width > p->x + p->width ||
        rect->y + rect->height > p->y + p->height)
        return FALSE;
    for (guint i = 0; i < plot->taken->len; i++) {
        if (overlap(rect, &g_array_index(plot->taken, PltRect, i)))
            return FALSE;
    }
    return TRUE;
}

gboolean plt_plot_try_label(PltPlot *plot, const PltTextStyle *style, const char *text, double x,
                            double baseline, double anchor)
{
    PltRect ink = plt_text_ink(plot->canvas, style, text);
    double width = plt_text_width(plot->canvas, style, text);
    PltRect rect = {
        .x = x - width * anchor - CLEARANCE,
        .y = baseline + ink.y - CLEARANCE,
        .width = width + 2.0 * CLEARANCE,
        .height = ink.height + 2.0 * CLEARANCE,
    };

    if (!is_free(plot, &rect))
        return FALSE;
    /* Lines may run behind a label; they must not run through its letters. */
    plt_canvas_fill_rect(plot->canvas, rect, 3.0, plot->canvas->theme->background, 0.82);
    plt_text_show(plot->canvas, style, text, x, baseline, anchor, 0.0);
    g_array_append_val(plot->taken, rect);
    return TRUE;
}

gboolean plt_plot_place_label(PltPlot *plot, const PltTextStyle *style, const char *text, double x, double y,
                              double distance)
{
    double cap = style->size * 0.74;

    return plt_plot_try_label(plot, style, text, x, y - distance - CLEARANCE, 0.5) ||
           plt_plot_try_label(plot, style, text, x, y + distance + cap + CLEARANCE, 0.5) ||
           plt_plot_try_label(plot, style, text, x + distance + CLEARANCE, y + cap / 2.0, 0.0) ||
           plt_plot_try_label(plot, style, text, x - distance - CLEARANCE, y + cap / 2.0, 1.0) ||
           plt_plot_try_label(plot, style, text, x + distance, y - distance, 0.0) ||
           plt_plot_try_label(plot, style, text, x - distance, y - distance, 1.0);
}

static gboolean is_section(const PltBand *band)
{
    return band->tone == PLT_TONE_NORMAL || band->tone == PLT_TONE_MUTED;
}

/*
 * A section's name over the plot: the name and its detail under each other; in a narrow section the name on
 * two lines instead, cut at its last space; in a narrower one its beginning; none where that says nothing.
 */
static void draw_section_name(PltPlot *plot, const PltBand *band, double left, double right)
{
    PltTextStyle style = plot->tick;
    double line = plt_text_line_height(plot->canvas, &style);
    double room = right - left - style.size * 0.2;
    double last = plot->plot.y - line * 0.12 - line + plt_text_ascent(plot->canvas, &style);
    const char *space = band->label ? strrchr(band->label, ' ') : NULL;
    g_autofree char *head = space ? g_strndup(band->label, (gsize)(space - band->label)) : NULL;

    if (!band->label || room < style.size * 2.4)
        return;
    if (plt_text_width(plot->canvas, &style, band->label) <= room) {
        gboolean both = band->detail && plt_text_width(plot->canvas, &style, band->detail) <= room;
        PltTextStyle name = style;

        name.colour = plot->canvas->theme->text;
        plt_text_show(plot->canvas, &name, band->label, left, both ? last - line : last, 0.0, room);
        if (both)
            plt_text_show(plot->canvas, &style, band->detail, left, last, 0.0, room);
    } else if (head && plt_text_width(plot->canvas, &style, head) <= room) {
        plt_text_show(plot->canvas, &style, head, left, last - line, 0.0, room);
        plt_text_show(plot->canvas, &style, space + 1, left, last, 0.0, room);
    } else {
        plt_text_show(plot->canvas, &style, band->label, left, last, 0.0, room);
    }
}

static void draw_event(PltPlot *plot, const PltBand *band, double left, double right)
{
    const PltRect *p = &plot->plot;
    PltColour colour = plt_theme_tone(plot->canvas->theme, band->tone);
    PltTextStyle style = plot->tick;
    double width = MAX(2.0, right - left), height = plot->tick.size * 0.34;
    double baseline = p->y + height + plt_text_ascent(plot->canvas, &style);

    plt_canvas_fill_rect(plot->canvas, (PltRect){left, p->y, width, p->height}, 0.0, colour, 0.16);
    /* A cap on top: seen without colour, and also where the band is a hair's breadth. */
    plt_canvas_fill_rect(plot->canvas, (PltRect){left - 1.0, p->y, width + 2.0, height}, 1.0, colour, 1.0);
    if (!band->label)
        return;
    style.colour = colour;
    for (guint row = 0; row < 3; row++) {
        double y = baseline + row * plt_text_line_height(plot->canvas, &style);

        if (plt_plot_try_label(plot, &style, band->label, left + width + style.size * 0.4, y, 0.0) ||
            plt_plot_try_label(plot, &style, band->label, left - style.size * 0.4, y, 1.0))
            return;
    }
}

void plt_plot_draw_bands(PltPlot *plot)
{
    const PltRect *p = &plot->plot;

    /* Sections lie under what happened in them. */
    for (guint pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < plot->chart->bands->len; i++) {
            const PltBand *band = &g_array_index(plot->chart->bands, PltBand, i);
            double left = p->x + p->width * CLAMP(plt_axis_place(&plot->x, band->from), 0.0, 1.0);
            double right = p->x + p->width * CLAMP(plt_axis_place(&plot->x, band->to), 0.0, 1.0);

            if (is_section(band) != (pass == 0) || plot->chart->horizontal)
                continue;
            if (!is_section(band)) {
                draw_event(plot, band, MIN(left, right), MAX(left, right));
                continue;
            }
            if (band->tone == PLT_TONE_MUTED)
                plt_canvas_fill_rect(plot->canvas, (PltRect){left, p->y, right - left, p->height}, 0.0,
                                     plot->canvas->theme->surface, 0.55);
            draw_section_name(plot, band, left, right);
        }
    }
}

static void stroke_mark(PltPlot *plot, const PltMark *mark, double x0, double y0, double x1, double y1)
{
    static const double dash[] = {4.0, 3.0};
    cairo_t *cr = plot->canvas->cr;

    plt_canvas_colour(plot->canvas, plt_theme_tone(plot->canvas->theme, mark->tone),
                      mark->tone == PLT_TONE_MUTED ? 0.55 : 0.85);
    cairo_set_line_width(cr, 1.0);
    cairo_set_dash(cr, dash, 2, 0.0);
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);
}

static PltTextStyle mark_style(const PltPlot *plot, const PltMark *mark)
{
    PltTextStyle style = plot->tick;

    style.colour = plt_theme_tone(plot->canvas->theme, mark->tone);
    style.weight = PANGO_WEIGHT_MEDIUM;
    return style;
}

static void draw_upright_mark(PltPlot *plot, const PltMark *mark)
{
    const PltRect *p = &plot->plot;
    PltTextStyle style = mark_style(plot, mark);
    double x = p->x + p->width * plt_axis_place(&plot->x, mark->at);
    double line = plt_text_line_height(plot->canvas, &style);

    if (!(x >= p->x && x <= p->x + p->width))
        return;
    stroke_mark(plot, mark, x, p->y, x, p->y + p->height);
    for (guint row = 0; mark->label && row < 4; row++) {
        double baseline = p->y + plt_text_ascent(plot->canvas, &style) + line * row;

        if (plt_plot_try_label(plot, &style, mark->label, x + style.size * 0.5, baseline, 0.0) ||
            plt_plot_try_label(plot, &style, mark->label, x - style.size * 0.5, baseline, 1.0))
            return;
    }
}

static void draw_level_mark(PltPlot *plot, const PltMark *mark)
{
    const PltRect *p = &plot->plot;
    const PltAxis *axis = mark->right ? &plot->y2 : &plot->y;
    PltTextStyle style = mark_style(plot, mark);
    double y = p->y + p->height * (1.0 - plt_axis_place(axis, mark->at));
    double from = isnan(mark->from) ? 0.0 : CLAMP(plt_axis_place(&plot->x, mark->from), 0.0, 1.0);
    double to = isnan(mark->to) ? 1.0 : CLAMP(plt_axis_place(&plot->x, mark->to), 0.0, 1.0);
    double left = p->x + p->width * MIN(from, to), right = p->x + p->width * MAX(from, to);
    double above = y - style.size * 0.4, below = y + style.size * 1.15;

    if (!(y >= p->y - 0.5 && y <= p->y + p->height + 0.5))
        return;
    stroke_mark(plot, mark, left, y, right, y);
    if (!mark->label)
        return;
    if (plt_plot_try_label(plot, &style, mark->label, right - CLEARANCE, above, 1.0) ||
        plt_plot_try_label(plot, &style, mark->label, right - CLEARANCE, below, 1.0) ||
        plt_plot_try_label(plot, &style, mark->label, left + CLEARANCE, above, 0.0) ||
        plt_plot_try_label(plot, &style, mark->label, left + CLEARANCE, below, 0.0))
        return;
    plt_plot_try_label(plot, &style, mark->label, (left + right) / 2.0, above, 0.5);
}

static void draw_plumb_mark(PltPlot *plot, const PltMark *mark)
{
    const PltRect *p = &plot->plot;
    PltTextStyle style = mark_style(plot, mark);
    double x = p->x + p->width * plt_axis_place(&plot->y, mark->at);

    if (!(x >= p->x && x <= p->x + p->width + 0.5))
        return;
    stroke_mark(plot, mark, x, p->y, x, p->y + p->height);
    if (mark->label && !plt_plot_try_label(plot, &style, mark->label, x + style.size * 0.5,
                                           p->y + p->height - style.size, 0.0))
        plt_plot_try_label(plot, &style, mark->label, x - style.size * 0.5, p->y + p->height - style.size,
                           1.0);
}

void plt_plot_draw_marks(PltPlot *plot)
{
    for (guint i = 0; i < plot->chart->marks->len; i++) {
        const PltMark *mark = &g_array_index(plot->chart->marks, PltMark, i);

        if (plot->chart->horizontal && !mark->vertical)
            draw_plumb_mark(plot, mark);
        else if (!plot->chart->horizontal && mark->vertical)
            draw_upright_mark(plot, mark);
        else if (!plot->chart->horizontal)
            draw_level_mark(plot, mark);
    }
}
