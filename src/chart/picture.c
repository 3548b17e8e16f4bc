/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/chart.h"
#include "chart/picture.h"
#include "chart/table.h"

/* The share of the height that the lines around the body leave to it. */
#define MIN_BODY_SHARE 0.54

struct frame {
    double width, height, margin;
    PltTextStyle title, subtitle, corner, notice, caption, source, badge;
    double body_top, body_bottom;
    guint captions;                    /* how many are shown */
    guint notice_rows, notice_columns; /* the room that notices have */
    gboolean subtitle_shown;
};

PltPicture *plt_picture_new(void)
{
    PltPicture *picture = g_new0(PltPicture, 1);

    picture->notices = g_ptr_array_new_with_free_func(g_free);
    picture->captions = g_ptr_array_new_with_free_func(g_free);
    picture->charts = g_ptr_array_new_with_free_func((GDestroyNotify)plt_chart_free);
    picture->columns = 1;
    return picture;
}

void plt_picture_free(PltPicture *picture)
{
    if (!picture)
        return;
    g_free(picture->title);
    g_free(picture->subtitle);
    g_free(picture->badge);
    g_free(picture->corner);
    g_free(picture->figure);
    g_free(picture->figure_label);
    g_free(picture->source);
    g_ptr_array_unref(picture->notices);
    g_ptr_array_unref(picture->captions);
    g_ptr_array_unref(picture->charts);
    plt_table_free(picture->table);
    g_free(picture);
}

static double head_height(PltCanvas *canvas, const PltPicture *picture, const struct frame *f)
{
    double height = plt_text_line_height(canvas, &f->title);

    if (f->subtitle_shown && picture->subtitle)
        height += plt_text_line_height(canvas, &f->subtitle) + plt_canvas_space(canvas, 3.0);
    return height + plt_canvas_space(canvas, 22.0);
}

static double notices_height(PltCanvas *canvas, const struct frame *f)
{
    if (f->notice_rows == 0)
        return 0.0;
    return plt_text_line_height(canvas, &f->notice) * 1.15 * f->notice_rows + plt_canvas_space(canvas, 6.0);
}

/* Lines under the body: notices, captions beside the source. The source needs a line even without captions.
 */
static double foot_height(PltCanvas *canvas, const struct frame *f)
{
    double height = 0.0;

    height += notices_height(canvas, f);
    height += plt_text_line_height(canvas, &f->caption) * 1.12 * MAX(1u, f->captions);
    return height + plt_canvas_space(canvas, 18.0);
}

static void make_frame(const PltPicture *picture, PltCanvas *canvas, double width, double height,
                       struct frame *f)
{
    *f = (struct frame){.width = width, .height = height};
    f->margin = MAX(12.0, plt_canvas_space(canvas, 48.0));
    f->title = plt_canvas_style(canvas, 30.0, PANGO_WEIGHT_SEMIBOLD, PLT_TONE_NORMAL);
    f->subtitle = plt_canvas_style(canvas, 16.0, PANGO_WEIGHT_NORMAL, PLT_TONE_MUTED);
    f->corner = plt_canvas_style(canvas, 14.0, PANGO_WEIGHT_NORMAL, PLT_TONE_MUTED);
    f->notice = plt_canvas_style(canvas, 13.0, PANGO_WEIGHT_NORMAL, PLT_TONE_NORMAL);
    f->caption = plt_canvas_style(canvas, 13.0, PANGO_WEIGHT_NORMAL, PLT_TONE_MUTED);
    f->source = plt_canvas_style(canvas, 13.0, PANGO_WEIGHT_MEDIUM, PLT_TONE_MUTED);
    f->badge = plt_canvas_style(canvas, 13.0, PANGO_WEIGHT_SEMIBOLD, picture->badge_tone);
    f->subtitle_shown = picture->subtitle != NULL;
    f->captions = picture->captions->len;
    /* Many notices stand in two columns, where each of them is still wide enough for a sentence. */
    f->notice_columns = picture->notices->len > 2 && width - 2.0 * f->margin > f->notice.size * 60.0 ? 2 : 1;
    f->notice_rows = (picture->notices->len + f->notice_columns - 1) / f->notice_columns;
    for (;;) {
        f->body_top = f->margin * 0.8 + head_height(canvas, picture, f);
        f->body_bottom = height - f->margin * 0.62 - foot_height(canvas, f);
        if (f->body_bottom - f->body_top >= height * MIN_BODY_SHARE)
            return;
        if (f->notice_rows > 2)
            f->notice_rows--;
        else if (f->captions > 1)
            f->captions--;
        else if (f->notice_rows > 1)
            f->notice_rows--;
        else if (f->subtitle_shown && height < 320.0)
            f->subtitle_shown = FALSE;
        else
            return;
    }
}

/* "Stopped" in a pill, its right end at X; returns its left end. */
static double draw_badge(PltCanvas *canvas, const PltPicture *picture, const struct frame *f, double x,
                         double baseline)
{
    PltColour colour = plt_theme_tone(canvas->theme, picture->badge_tone);
    double pad = f->badge.size * 0.8;
    double width = plt_text_width(canvas, &f->badge, picture->badge) + 2.0 * pad;
    PltRect pill = {x - width, baseline - f->badge.size * 1.22, width, f->badge.size * 1.72};

    plt_canvas_fill_rect(canvas, pill, pill.height, colour, 0.14);
    plt_text_show(canvas, &f->badge, picture->badge, x - width + pad, baseline, 0.0, 0.0);
    return pill.x;
}

/* A long name is set smaller before it is shortened: what stands at its end, the capacity, matters. */
static void draw_title(PltCanvas *canvas, const struct frame *f, const char *title, double baseline,
                       double room)
{
    PltTextStyle style = f->title;
    double width = plt_text_width(canvas, &style, title);

    if (width > room)
        style.size *= MAX(0.7, room / width * 0.995);
    plt_text_show(canvas, &style, title, f->margin, baseline, 0.0, room);
}

static void draw_head(const PltPicture *picture, PltCanvas *canvas, const struct frame *f)
{
    double baseline = f->margin * 0.8 + plt_text_ascent(canvas, &f->title);
    double second = f->margin * 0.8 + plt_text_line_height(canvas, &f->title) +
                    plt_canvas_space(canvas, 3.0) + plt_text_ascent(canvas, &f->subtitle);
    double right = f->width - f->margin, left_of = right, left_of_second = right;

    if (picture->figure) {
        left_of -= plt_text_show(canvas, &f->title, picture->figure, right, baseline, 1.0, f->width * 0.35);
        left_of -= f->title.size * 0.6;
        if (picture->figure_label && f->subtitle_shown)
            left_of_second -= plt_text_show(canvas, &f->corner, picture->figure_label, right, second, 1.0,
                                            f->width * 0.35) +
                              f->corner.size;
    } else if (picture->corner) {
        double width = plt_text_width(canvas, &f->corner, picture->corner);

        if (width < f->width * 0.35) {
            plt_text_show(canvas, &f->corner, picture->corner, right, baseline, 1.0, 0.0);
            left_of = right - width - f->corner.size;
        }
    }
    if (picture->badge)
        left_of = draw_badge(canvas, picture, f, left_of, baseline) - f->badge.size;
    if (picture->title)
        draw_title(canvas, f, picture->title, baseline, left_of - f->margin);
    if (f->subtitle_shown)
        plt_text_show(canvas, &f->subtitle, picture->subtitle, f->margin, second, 0.0,
                      left_of_second - f->margin);
}

/* Down the first column, then the second; the last place says how many have no room: "+ 2". */
static void draw_notices(const PltPicture *picture, PltCanvas *canvas, const struct frame *f, double top)
{
    double gap = plt_canvas_space(canvas, 32.0), sign = f->notice.size * 1.5;
    double width = (f->width - 2.0 * f->margin - gap * (f->notice_columns - 1)) / f->notice_columns;
    guint places = f->notice_rows * f->notice_columns, n = picture->notices->len;
    guint shown = n <= places ? n : places - 1;

    for (guint i = 0; i < MIN(n, places); i++) {
        g_autofree char *rest = i == shown ? g_strdup_printf("+ %u", n - shown) : NULL;
        double x = f->margin + (width + gap) * (i / f->notice_rows);
        double baseline = top + plt_text_line_height(canvas, &f->notice) * 1.15 * (i % f->notice_rows) +
                          plt_text_ascent(canvas, &f->notice);

        plt_canvas_warning_sign(canvas, x, baseline, f->notice.size * 0.88, PLT_TONE_WARNING);
        plt_text_show(canvas, &f->notice, rest ? rest : picture->notices->pdata[i], x + sign, baseline, 0.0,
                      width - sign);
    }
}

static void draw_foot(const PltPicture *picture, PltCanvas *canvas, const struct frame *f)
{
    double y = f->body_bottom + plt_canvas_space(canvas, 18.0);
    double room = f->width - 2.0 * f->margin;
    double source_width = 0.0;

    draw_notices(picture, canvas, f, y);
    y += notices_height(canvas, f);
    if (picture->source) {
        double last = y + plt_text_line_height(canvas, &f->caption) * 1.12 * (MAX(1u, f->captions) - 1);

        source_width = plt_text_show(canvas, &f->source, picture->source, f->width - f->margin,
                                     last + plt_text_ascent(canvas, &f->source), 1.0, room * 0.5);
        source_width += f->source.size * 1.5;
    }
    for (guint i = 0; i < f->captions; i++) {
        gboolean last = i + 1 == f->captions;

        plt_text_show(canvas, &f->caption, picture->captions->pdata[i], f->margin,
                      y + plt_text_ascent(canvas, &f->caption), 0.0, last ? room - source_width : room);
        y += plt_text_line_height(canvas, &f->caption) * 1.12;
    }
}

static void draw_charts(const PltPicture *picture, PltCanvas *canvas, PltRect body)
{
    guint columns = CLAMP(picture->columns, 1u, MAX(1u, picture->charts->len));
    guint rows = (picture->charts->len + columns - 1) / columns;
    double gap = plt_canvas_space(canvas, 32.0);

    for (guint i = 0; i < picture->charts->len; i++) {
        double width = (body.width - gap * (columns - 1)) / columns;
        double height = (body.height - gap * (rows - 1)) / rows;
        PltRect area = {body.x + (i % columns) * (width + gap),
                        body.y + (double)(i / columns) * (height + gap), width, height};

        plt_chart_draw(picture->charts->pdata[i], canvas, area);
    }
}

void plt_picture_draw(const PltPicture *picture, cairo_t *cr, double width, double height, gboolean dark,
                      const char *language, GArray *boxes)
{
    PltCanvas canvas;
    struct frame f;
    PltRect body;

    cairo_save(cr);
    plt_canvas_init(&canvas, cr, width, height, dark, language, boxes);
    make_frame(picture, &canvas, width, height, &f);
    cairo_rectangle(cr, 0.0, 0.0, width, height);
    plt_canvas_colour(&canvas, canvas.theme->background, 1.0);
    cairo_fill(cr);
    draw_head(picture, &canvas, &f);
    draw_foot(picture, &canvas, &f);
    body = (PltRect){f.margin, f.body_top, width - 2.0 * f.margin, f.body_bottom - f.body_top};
    if (picture->table)
        plt_table_draw(picture->table, &canvas, body);
    else
        draw_charts(picture, &canvas, body);
    plt_canvas_clear(&canvas);
    cairo_restore(cr);
}
