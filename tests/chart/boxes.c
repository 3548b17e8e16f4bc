/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <string.h>

#include "boxes.h"

GArray *plt_boxes_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(PltTextBox));
}

static const PltTextBox *box_at(const GArray *boxes, guint i)
{
    return &g_array_index(boxes, PltTextBox, i);
}

static gboolean overlap(const PltRect *a, const PltRect *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

void plt_boxes_check(const GArray *boxes, double width, double height, const char *name)
{
    for (guint i = 0; i < boxes->len; i++) {
        const PltRect *r = &box_at(boxes, i)->ink;

        if (r->x < 0.0 || r->y < 0.0 || r->x + r->width > width || r->y + r->height > height)
            g_error("%s: “%s” leaves the picture: %.1f, %.1f, %.1f x %.1f", name, box_at(boxes, i)->text,
                    r->x, r->y, r->width, r->height);
        for (guint j = 0; j < i; j++) {
            if (overlap(r, &box_at(boxes, j)->ink))
                g_error("%s: “%s” and “%s” overlap at %.1f, %.1f", name, box_at(boxes, j)->text,
                        box_at(boxes, i)->text, r->x, r->y);
        }
    }
}

gboolean plt_boxes_have(const GArray *boxes, const char *text)
{
    for (guint i = 0; i < boxes->len; i++) {
        if (g_str_has_prefix(box_at(boxes, i)->text, text))
            return TRUE;
    }
    return FALSE;
}

guint plt_boxes_shortened(const GArray *boxes)
{
    guint n = 0;

    for (guint i = 0; i < boxes->len; i++)
        n += box_at(boxes, i)->shortened;
    return n;
}

/* How many pixels differ from the first one. */
static gsize count_drawn(cairo_surface_t *surface)
{
    const guint32 *pixels = NULL;
    gsize n, drawn = 0;

    cairo_surface_flush(surface);
    pixels = (const guint32 *)(const void *)cairo_image_surface_get_data(surface);
    n = (gsize)cairo_image_surface_get_stride(surface) / 4 * (gsize)cairo_image_surface_get_height(surface);
    for (gsize i = 0; i < n; i++)
        drawn += pixels[i] != pixels[0];
    return drawn;
}

GArray *plt_boxes_draw(const PltPicture *picture, int width, int height, gboolean dark, const char *language,
                       const char *name)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *cr = cairo_create(surface);
    GArray *boxes = plt_boxes_new();

    plt_picture_draw(picture, cr, width, height, dark, language, boxes);
    g_assert_cmpint(cairo_status(cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_destroy(cr);
    g_assert_cmpuint(count_drawn(surface), >, (gsize)width * (gsize)height / 200);
    cairo_surface_destroy(surface);
    plt_boxes_check(boxes, width, height, name);
    return boxes;
}
