/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/canvas.h"

/* The size at which the design sizes hold. */
#define DESIGN_WIDTH 1200.0
#define DESIGN_HEIGHT 675.0

/* Type below 9 units is not read on a blog; above four times the design it is a poster. */
#define MIN_TYPE 9.0
#define MAX_UNIT 4.0
#define MIN_UNIT 0.4

void plt_canvas_init(PltCanvas *canvas, cairo_t *cr, double width, double height, gboolean dark,
                     const char *language, GArray *boxes)
{
    /* Width counts more than height: columns run out of room before rows do. */
    double unit = pow(width / DESIGN_WIDTH, 0.6) * pow(height / DESIGN_HEIGHT, 0.4);
    g_autoptr(PangoFontMap) map = NULL;
    cairo_font_options_t *options = cairo_font_options_create();

    canvas->cr = cr;
    canvas->theme = plt_theme_get(dark);
    canvas->unit = CLAMP(unit, MIN_UNIT, MAX_UNIT);
    canvas->boxes = boxes;
    canvas->pango = pango_cairo_create_context(cr);
    /* Unhinted metrics give the same layout at every scale and in every format. */
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(canvas->pango, options);
    pango_context_set_round_glyph_positions(canvas->pango, FALSE);
    pango_context_set_language(canvas->pango, pango_language_from_string(language ? language : "en"));
    pango_context_set_base_dir(canvas->pango, PANGO_DIRECTION_LTR);
    cairo_font_options_destroy(options);
}

void plt_canvas_clear(PltCanvas *canvas)
{
    g_clear_object(&canvas->pango);
}

double plt_canvas_type(const PltCanvas *canvas, double design)
{
    return MAX(MIN_TYPE, design * canvas->unit);
}

double plt_canvas_space(const PltCanvas *canvas, double design)
{
    return design * canvas->unit;
}

void plt_canvas_colour(PltCanvas *canvas, PltColour colour, double alpha)
{
    cairo_set_source_rgba(canvas->cr, colour.red, colour.green, colour.blue, alpha);
}

void plt_canvas_round_rect(PltCanvas *canvas, PltRect rect, double radius)
{
    double r = MAX(0.0, MIN(radius, MIN(rect.width, rect.height) / 2.0));
    cairo_t *cr = canvas->cr;

    cairo_new_sub_path(cr);
    cairo_arc(cr, rect.x + rect.width - r, rect.y + r, r, -G_PI_2, 0.0);
    cairo_arc(cr, rect.x + rect.width - r, rect.y + rect.height - r, r, 0.0, G_PI_2);
    cairo_arc(cr, rect.x + r, rect.y + rect.height - r, r, G_PI_2, G_PI);
    cairo_arc(cr, rect.x + r, rect.y + r, r, G_PI, 3.0 * G_PI_2);
    cairo_close_path(cr);
}

void plt_canvas_fill_rect(PltCanvas *canvas, PltRect rect, double radius, PltColour colour, double alpha)
{
    if (rect.width <= 0.0 || rect.height <= 0.0)
        return;
    plt_canvas_round_rect(canvas, rect, radius);
    plt_canvas_colour(canvas, colour, alpha);
    cairo_fill(canvas->cr);
}

void plt_canvas_fill_bar(PltCanvas *canvas, PltRect rect, double radius, gboolean horizontal,
                         PltColour colour, double alpha)
{
    double r = MAX(0.0, MIN(radius, MIN(rect.width, rect.height) / 2.0));
    double right = rect.x + rect.width, bottom = rect.y + rect.height;
    cairo_t *cr = canvas->cr;

    cairo_new_path(cr);
    cairo_move_to(cr, rect.x, bottom);
    if (horizontal) {
        cairo_line_to(cr, rect.x, rect.y);
        cairo_arc(cr, right - r, rect.y + r, r, -G_PI_2, 0.0);
        cairo_arc(cr, right - r, bottom - r, r, 0.0, G_PI_2);
    } else {
        cairo_arc(cr, rect.x + r, rect.y + r, r, G_PI, 3.0 * G_PI_2);
        cairo_arc(cr, right - r, rect.y + r, r, -G_PI_2, 0.0);
        cairo_line_to(cr, right, bottom);
    }
    cairo_close_path(cr);
    plt_canvas_colour(canvas, colour, alpha);
    cairo_fill(cr);
}

static void marker_path(cairo_t *cr, PltShape shape, double x, double y, double r)
{
    cairo_new_path(cr);
    switch (shape) {
    case PLT_SHAPE_SQUARE:
        cairo_rectangle(cr, x - r * 0.88, y - r * 0.88, r * 1.76, r * 1.76);
        break;
    case PLT_SHAPE_DIAMOND:
        cairo_move_to(cr, x, y - r * 1.2);
        cairo_line_to(cr, x + r * 1.2, y);
        cairo_line_to(cr, x, y + r * 1.2);
        cairo_line_to(cr, x - r * 1.2, y);
        cairo_close_path(cr);
        break;
    case PLT_SHAPE_TRIANGLE:
        cairo_move_to(cr, x, y - r * 1.15);
        cairo_line_to(cr, x + r * 1.1, y + r * 0.85);
        cairo_line_to(cr, x - r * 1.1, y + r * 0.85);
        cairo_close_path(cr);
        break;
    case PLT_SHAPE_CIRCLE:
    default:
        cairo_arc(cr, x, y, r, 0.0, 2.0 * G_PI);
        break;
    }
}

void plt_canvas_marker(PltCanvas *canvas, const PltSeriesStyle *style, double x, double y, double size)
{
    marker_path(canvas->cr, style->shape, x, y, size / 2.0);
    plt_canvas_colour(canvas, style->hollow ? canvas->theme->background : style->colour, 1.0);
    cairo_fill_preserve(canvas->cr);
    plt_canvas_colour(canvas, style->hollow ? style->colour : canvas->theme->background, 1.0);
    cairo_set_line_width(canvas->cr, MAX(1.0, size * 0.18));
    cairo_stroke(canvas->cr);
}

void plt_canvas_warning_sign(PltCanvas *canvas, double x, double baseline, double size, PltTone tone)
{
    cairo_t *cr = canvas->cr;
    double h = size, w = size * 1.12;

    cairo_save(cr);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cr, size * 0.13);
    plt_canvas_colour(canvas, plt_theme_tone(canvas->theme, tone), 1.0);
    cairo_move_to(cr, x + w / 2.0, baseline - h * 0.94);
    cairo_line_to(cr, x + w * 0.96, baseline - h * 0.04);
    cairo_line_to(cr, x + w * 0.04, baseline - h * 0.04);
    cairo_close_path(cr);
    cairo_stroke(cr);
    cairo_move_to(cr, x + w / 2.0, baseline - h * 0.60);
    cairo_line_to(cr, x + w / 2.0, baseline - h * 0.40);
    cairo_stroke(cr);
    cairo_arc(cr, x + w / 2.0, baseline - h * 0.20, size * 0.075, 0.0, 2.0 * G_PI);
    cairo_fill(cr);
    cairo_restore(cr);
}
