/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pangocairo.h>

#include "chart/theme.h"

typedef struct {
    double x, y, width, height;
} PltRect;

/* Where a text was drawn: what a test needs to see that no two overlap and none leaves the picture. */
typedef struct {
    PltRect ink; /* tight around the glyphs, in the picture's units */
    gboolean shortened;
    char text[160]; /* its beginning */
} PltTextBox;

/*
 * What everything draws with. Made for one drawing, on the stack; nothing in it outlives that. UNIT scales
 * type and spacing with the size of the picture; plt_canvas_size turns a design size (at 1200 x 675) into
 * the one to use.
 */
typedef struct {
    cairo_t *cr;
    const PltTheme *theme;
    double unit;
    PangoContext *pango;
    GArray *boxes; /* PltTextBox, or NULL; not owned */
} PltCanvas;

void plt_canvas_init(PltCanvas *canvas, cairo_t *cr, double width, double height, gboolean dark,
                     const char *language, GArray *boxes);
void plt_canvas_clear(PltCanvas *canvas);

/* Type sizes stop shrinking where they stop being readable; spacing does not. */
double plt_canvas_type(const PltCanvas *canvas, double design);
double plt_canvas_space(const PltCanvas *canvas, double design);

void plt_canvas_colour(PltCanvas *canvas, PltColour colour, double alpha);

/* A path of a rectangle with round corners; RADIUS is held to half the shorter side. */
void plt_canvas_round_rect(PltCanvas *canvas, PltRect rect, double radius);
void plt_canvas_fill_rect(PltCanvas *canvas, PltRect rect, double radius, PltColour colour, double alpha);

/* A bar whose end (the top, or the right one if HORIZONTAL) is round and whose foot is square. */
void plt_canvas_fill_bar(PltCanvas *canvas, PltRect rect, double radius, gboolean horizontal,
                         PltColour colour, double alpha);

/* The marker of a series style, filled or hollow, SIZE across. */
void plt_canvas_marker(PltCanvas *canvas, const PltSeriesStyle *style, double x, double y, double size);

/* A triangle with an exclamation mark, SIZE high, standing on BASELINE. */
void plt_canvas_warning_sign(PltCanvas *canvas, double x, double baseline, double size, PltTone tone);

typedef struct {
    double size; /* units, after plt_canvas_type */
    PangoWeight weight;
    PltColour colour;
} PltTextStyle;

PltTextStyle plt_canvas_style(const PltCanvas *canvas, double design, PangoWeight weight, PltTone tone);

double plt_text_width(PltCanvas *canvas, const PltTextStyle *style, const char *text);

/* From the top of a line to the top of the next one, and down to its baseline: for the style's own font. */
double plt_text_line_height(PltCanvas *canvas, const PltTextStyle *style);
double plt_text_ascent(PltCanvas *canvas, const PltTextStyle *style);

/* What the glyphs of TEXT cover when drawn at the origin with its baseline at 0. */
PltRect plt_text_ink(PltCanvas *canvas, const PltTextStyle *style, const char *text);

/*
 * One line; ANCHOR 0 = X is its left end, 0.5 its middle, 1 its right end; wider than MAX_WIDTH (0 = any
 * width) it ends in "…". Returns its width.
 */
double plt_text_show(PltCanvas *canvas, const PltTextStyle *style, const char *text, double x,
                     double baseline, double anchor, double max_width);
