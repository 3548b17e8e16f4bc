/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/canvas.h"

/* Families of the same calm kind, and one with Hangul; fontconfig fills in what none of them has. */
#define FAMILIES "Adwaita Sans, Inter, Cantarell, Noto Sans, Noto Sans CJK KR, Sans"

static PangoLayout *new_layout(PltCanvas *canvas, const PltTextStyle *style, const char *text)
{
    PangoLayout *layout = pango_layout_new(canvas->pango);
    g_autoptr(PangoAttrList) attributes = pango_attr_list_new();
    PangoFontDescription *font = pango_font_description_new();
    g_autofree char *valid = g_utf8_make_valid(text, -1);

    pango_font_description_set_family_static(font, FAMILIES);
    pango_font_description_set_weight(font, style->weight);
    pango_font_description_set_absolute_size(font, style->size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    /* Figures of one width, so that columns of numbers stand under each other. */
    pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
    pango_layout_set_attributes(layout, attributes);
    /* A line feed in a drive's name is no reason for a second line. */
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_auto_dir(layout, FALSE);
    pango_layout_set_text(layout, valid, -1);
    return layout;
}

static PltRect to_rect(const PangoRectangle *r)
{
    return (PltRect){
        .x = (double)r->x / PANGO_SCALE,
        .y = (double)r->y / PANGO_SCALE,
        .width = (double)r->width / PANGO_SCALE,
        .height = (double)r->height / PANGO_SCALE,
    };
}

/* Notes where LAYOUT, drawn at X, TOP, has put ink: one box a line, in the picture's own coordinates. */
static void observe(PltCanvas *canvas, PangoLayout *layout, double x, double top)
{
    PangoLayoutIter *iter = NULL;

    if (!canvas->boxes)
        return;
    iter = pango_layout_get_iter(layout);
    do {
        PltTextBox box = {.shortened = pango_layout_is_ellipsized(layout)};
        PangoRectangle ink;

        pango_layout_iter_get_line_extents(iter, &ink, NULL);
        if (ink.width == 0 || ink.height == 0)
            continue;
        box.ink = to_rect(&ink);
        box.ink.x += x;
        box.ink.y += top;
        cairo_user_to_device(canvas->cr, &box.ink.x, &box.ink.y);
        cairo_user_to_device_distance(canvas->cr, &box.ink.width, &box.ink.height);
        g_strlcpy(box.text, pango_layout_get_text(layout), sizeof box.text);
        g_array_append_val(canvas->boxes, box);
    } while (pango_layout_iter_next_line(iter));
    pango_layout_iter_free(iter);
}

PltTextStyle plt_canvas_style(const PltCanvas *canvas, double design, PangoWeight weight, PltTone tone)
{
    return (PltTextStyle){
        .size = plt_canvas_type(canvas, design),
        .weight = weight,
        .colour = plt_theme_tone(canvas->theme, tone),
    };
}

double plt_text_width(PltCanvas *canvas, const PltTextStyle *style, const char *text)
{
    g_autoptr(PangoLayout) layout = new_layout(canvas, style, text);
    int width = 0;

    pango_layout_get_size(layout, &width, NULL);
    return (double)width / PANGO_SCALE;
}

double plt_text_line_height(PltCanvas *canvas, const PltTextStyle *style)
{
    g_autoptr(PangoLayout) layout = new_layout(canvas, style, "X");
    int height = 0;

    pango_layout_get_size(layout, NULL, &height);
    return (double)height / PANGO_SCALE;
}

double plt_text_ascent(PltCanvas *canvas, const PltTextStyle *style)
{
    g_autoptr(PangoLayout) layout = new_layout(canvas, style, "X");

    return (double)pango_layout_get_baseline(layout) / PANGO_SCALE;
}

PltRect plt_text_ink(PltCanvas *canvas, const PltTextStyle *style, const char *text)
{
    g_autoptr(PangoLayout) layout = new_layout(canvas, style, text);
    PangoRectangle ink;
    PltRect rect;

    pango_layout_get_extents(layout, &ink, NULL);
    rect = to_rect(&ink);
    rect.y -= (double)pango_layout_get_baseline(layout) / PANGO_SCALE;
    return rect;
}

double plt_text_show(PltCanvas *canvas, const PltTextStyle *style, const char *text, double x,
                     double baseline, double anchor, double max_width)
{
    g_autoptr(PangoLayout) layout = new_layout(canvas, style, text);
    double top, width;
    int size = 0;

    pango_layout_get_size(layout, &size, NULL);
    if (max_width > 0.0 && size > max_width * PANGO_SCALE) {
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        pango_layout_set_width(layout, (int)(max_width * PANGO_SCALE));
        pango_layout_get_size(layout, &size, NULL);
        size = MIN(size, (int)(max_width * PANGO_SCALE));
        pango_layout_set_width(layout, size);
    }
    width = (double)size / PANGO_SCALE;
    top = baseline - (double)pango_layout_get_baseline(layout) / PANGO_SCALE;
    cairo_move_to(canvas->cr, x - width * anchor, top);
    plt_canvas_colour(canvas, style->colour, 1.0);
    pango_cairo_show_layout(canvas->cr, layout);
    cairo_new_path(canvas->cr);
    observe(canvas, layout, x - width * anchor, top);
    return width;
}
