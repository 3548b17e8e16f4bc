/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "report/surface.h"

#define DEFAULT_WIDTH 1200
#define DEFAULT_HEIGHT 675

/* Below this not even a heading and four numbers can be told apart. */
#define MIN_WIDTH 240
#define MIN_HEIGHT 160

/* Cairo's image surfaces end at 32767 pixels a side; the area bounds the memory to 4 B x 2^28 = 1 GiB. */
#define MAX_SIDE 32767.0
#define MAX_AREA 268435456.0

gboolean plt_surface_size_for(const PltReportOptions *options, struct plt_surface_size *size, GError **error)
{
    size->width = options->width ? options->width : DEFAULT_WIDTH;
    size->height = options->height ? options->height : DEFAULT_HEIGHT;
    size->scale = options->scale != 0.0 ? options->scale : 1.0;

    if (!(size->scale >= 0.1 && size->scale <= 16.0)) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("The scale of a picture must be between 0.1 and 16."));
        return FALSE;
    }
    if (size->width < MIN_WIDTH || size->height < MIN_HEIGHT) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("A picture of %d × %d is too small to be read: choose at least %d × %d."), size->width,
                    size->height, MIN_WIDTH, MIN_HEIGHT);
        return FALSE;
    }
    if (ceil(size->width * size->scale) > MAX_SIDE || ceil(size->height * size->scale) > MAX_SIDE ||
        size->width * size->scale * size->height * size->scale > MAX_AREA) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("A picture of %d × %d at this scale is too large: choose a smaller size or scale."),
                    size->width, size->height);
        return FALSE;
    }
    return TRUE;
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned int length)
{
    g_byte_array_append(closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *new_surface(PltReportFormat format, const struct plt_surface_size *size,
                                    GByteArray *bytes)
{
    cairo_surface_t *surface = NULL;

    switch (format) {
    case PLT_REPORT_SVG:
        surface = cairo_svg_surface_create_for_stream(append, bytes, size->width, size->height);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
        return surface;
    case PLT_REPORT_PDF:
        return cairo_pdf_surface_create_for_stream(append, bytes, size->width, size->height);
    case PLT_REPORT_PNG:
    default:
        surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)round(size->width * size->scale),
                                             (int)round(size->height * size->scale));
        cairo_surface_set_device_scale(surface, size->scale, size->scale);
        return surface;
    }
}

static void describe_pdf(cairo_surface_t *surface, const PltPicture *picture, const char *description)
{
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, picture->title ? picture->title : "");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, description ? description : "");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Plateau " PLT_VERSION);
}

/* Puts <title> and <desc> behind the opening <svg …>, which is where screen readers look for them. */
static void describe_svg(GByteArray *bytes, const PltPicture *picture, const char *description)
{
    g_autofree char *text =
        g_markup_printf_escaped("\n<title>%s</title>\n<desc>%s</desc>", picture->title ? picture->title : "",
                                description ? description : "");
    g_autofree guint8 *tail = NULL;
    char *start = g_strstr_len((const char *)bytes->data, bytes->len, "<svg");
    char *end = start ? memchr(start, '>', bytes->len - (gsize)(start - (char *)bytes->data)) : NULL;
    gsize head, tail_length;

    if (!end)
        return;
    head = (gsize)(end + 1 - (char *)bytes->data);
    tail_length = bytes->len - head;
    tail = g_memdup2(bytes->data + head, tail_length);
    g_byte_array_set_size(bytes, (guint)head);
    g_byte_array_append(bytes, (const guint8 *)text, (guint)strlen(text));
    g_byte_array_append(bytes, tail, (guint)tail_length);
}

GByteArray *plt_surface_render(const PltPicture *picture, PltReportFormat format,
                               const struct plt_surface_size *size, gboolean dark, const char *language,
                               const char *description, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    cairo_surface_t *surface = new_surface(format, size, bytes);
    cairo_t *cr = cairo_create(surface);
    cairo_status_t status;

    if (format == PLT_REPORT_PDF)
        describe_pdf(surface, picture, description);
    plt_picture_draw(picture, cr, size->width, size->height, dark, language, NULL);
    status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS && format == PLT_REPORT_PNG)
        status = cairo_surface_write_to_png_stream(surface, append, bytes);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED, _("The picture could not be drawn: %s."),
                    cairo_status_to_string(status));
        return NULL;
    }
    if (format == PLT_REPORT_SVG)
        describe_svg(bytes, picture, description);
    return g_steal_pointer(&bytes);
}
