/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include <math.h>

#include "app/chart-view-private.h"
#include "chart/readout.h"

/* The type of a chart's axes is 13 units; on the screen it is as large as a caption: 12 px at normal size. */
#define SCREEN_UNIT (12.0 / 13.0)

/* Around a chart, inside the widget. */
#define PADDING 12.0

/* The width of a strip of a growing chart, and how far beyond it lines are drawn: as far as they are thick.
 */
#define STRIP 96.0
#define STRIP_SLACK 8.0

/* The pages of pictures on the screen: what fills the widget behind a chart, libadwaita's view colour. */
static const PltColour light_ground = {1.0, 1.0, 1.0};
static const PltColour dark_ground = {0x1d / 255.0, 0x1d / 255.0, 0x20 / 255.0};

static PltColour mix(PltColour a, PltColour b, double share)
{
    return (PltColour){a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
                       a.blue + (b.blue - a.blue) * share};
}

/*
 * The colours of series are the exported pictures'; what is around them follows the desktop: its text colour,
 * and stronger lines where high contrast is asked for.
 */
void plt_chart_view_update_theme(PltChartView *view)
{
    AdwStyleManager *manager = adw_style_manager_get_default();
    gboolean dark = adw_style_manager_get_dark(manager),
             strong = adw_style_manager_get_high_contrast(manager);
    PltColour ground = dark ? dark_ground : light_ground, text;
    PangoContext *pango = gtk_widget_get_pango_context(GTK_WIDGET(view));
    double resolution = pango_cairo_context_get_resolution(pango);
    GdkRGBA colour;

    gtk_widget_get_color(GTK_WIDGET(view), &colour);
    /* The text colour of the desktop may let the ground shine through. */
    text = mix(ground, (PltColour){colour.red, colour.green, colour.blue}, strong ? 1.0 : colour.alpha);
    view->theme = *plt_theme_get(dark);
    view->theme.background = ground;
    view->theme.text = text;
    view->theme.secondary = mix(ground, text, strong ? 1.0 : 0.72);
    view->theme.surface = mix(ground, text, strong ? 0.12 : 0.08);
    view->theme.grid = mix(ground, text, strong ? 0.24 : 0.11);
    view->theme.axis = mix(ground, text, strong ? 0.9 : 0.35);
    view->unit = SCREEN_UNIT * (resolution > 0.0 ? resolution / 96.0 : 1.0);
}

/* A surface for what lies in RECT of the widget, at the resolution of the screen. */
static cairo_t *new_layer(PltChartView *view, const graphene_rect_t *rect)
{
    int width = (int)ceil(rect->size.width * view->scale),
        height = (int)ceil(rect->size.height * view->scale);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, MAX(1, width), MAX(1, height));
    cairo_t *cr = cairo_create(surface);

    cairo_surface_destroy(surface);
    cairo_scale(cr, view->scale, view->scale);
    cairo_translate(cr, -rect->origin.x, -rect->origin.y);
    return cr;
}

static void begin_canvas(PltChartView *view, PltCanvas *canvas, const graphene_rect_t *rect)
{
    plt_canvas_init(canvas, new_layer(view, rect), view->width, view->height, view->theme.dark,
                    view->language, NULL);
    canvas->theme = &view->theme;
    canvas->unit = view->unit;
}

/* Ends CR and makes a texture of what it drew: kept, it costs nothing when the widget is shown again. */
static GdkTexture *end_layer(cairo_t *cr)
{
    cairo_surface_t *surface = cairo_surface_reference(cairo_get_target(cr));
    g_autoptr(GBytes) bytes = NULL;
    gsize stride = (gsize)cairo_image_surface_get_stride(surface);
    int width = cairo_image_surface_get_width(surface), height = cairo_image_surface_get_height(surface);

    cairo_destroy(cr);
    cairo_surface_flush(surface);
    bytes = g_bytes_new_with_free_func(cairo_image_surface_get_data(surface), stride * (gsize)height,
                                       (GDestroyNotify)cairo_surface_destroy, surface);
    return gdk_memory_texture_new(width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}

static GdkTexture *end_canvas(PltCanvas *canvas)
{
    cairo_t *cr = canvas->cr;

    plt_canvas_clear(canvas);
    return end_layer(cr);
}

/* The size in the widget of a texture that was made for RECT: its pixels are whole ones. */
static graphene_rect_t texture_rect(PltChartView *view, GdkTexture *texture, const graphene_rect_t *rect)
{
    return GRAPHENE_RECT_INIT(rect->origin.x, rect->origin.y,
                              (float)(gdk_texture_get_width(texture) / view->scale),
                              (float)(gdk_texture_get_height(texture) / view->scale));
}

static PltRect chart_area(PltChartView *view)
{
    return (PltRect){PADDING, PADDING, view->width - 2.0 * PADDING, view->height - 2.0 * PADDING};
}

static graphene_rect_t whole_widget(PltChartView *view)
{
    return GRAPHENE_RECT_INIT(0.0f, 0.0f, (float)view->width, (float)view->height);
}

/* The plot and what a line at its edge needs beyond it, on whole pixels. */
static graphene_rect_t curves_rect(PltChartView *view)
{
    const PltRect *plot = &view->place.plot;
    double slack = 4.0 * MAX(1.0, view->unit), left = floor(plot->x - slack), top = floor(plot->y - slack);

    return GRAPHENE_RECT_INIT((float)left, (float)top, (float)(ceil(plot->x + plot->width + slack) - left),
                              (float)(ceil(plot->y + plot->height + slack) - top));
}

void plt_chart_view_forget(PltChartView *view)
{
    g_clear_object(&view->ground);
    g_ptr_array_set_size(view->curves, 0);
}

void plt_chart_view_forget_curves(PltChartView *view, double x)
{
    const PltRect *plot = &view->place.plot;
    /* The line to the new point begins at the one before, and is as thick as it is. */
    double from = plot->x + plot->width * plt_axis_place(&view->place.x, x) - STRIP_SLACK;
    double to = plot->x + plot->width * plt_axis_place(&view->place.x, view->newest) + STRIP_SLACK;

    if (isnan(x))
        to = NAN;
    for (guint i = 0; i < view->curves->len; i++) {
        double left = view->curves_at.origin.x + i * view->strip;

        /* Not a number, of all or of nothing, is no reason to keep one. */
        if (!(left + view->strip < from || left > to))
            g_clear_object((GdkTexture **)&view->curves->pdata[i]);
    }
}

/*
 * A chart that grows is kept in strips, of which a new value changes the last one; one that does not is
 * drawn as a whole.
 */
static void begin_curves(PltChartView *view)
{
    guint n;

    view->curves_at = curves_rect(view);
    view->strip = view->growing ? STRIP : MAX(1.0f, view->curves_at.size.width);
    n = (guint)ceil(view->curves_at.size.width / view->strip);
    g_ptr_array_set_size(view->curves, (int)n);
}

static graphene_rect_t strip_rect(PltChartView *view, guint index)
{
    double left = index * view->strip, width = MIN(view->strip, view->curves_at.size.width - left);

    return GRAPHENE_RECT_INIT((float)(view->curves_at.origin.x + left), view->curves_at.origin.y,
                              (float)width, view->curves_at.size.height);
}

/* The part of the plot that strip RECT shows, and a little more so that lines join: X with it. */
static PltChartPlace strip_place(PltChartView *view, const graphene_rect_t *rect)
{
    PltChartPlace place = view->place;
    const PltRect *plot = &view->place.plot;
    double left = MAX(plot->x, rect->origin.x - STRIP_SLACK);
    double right = MIN(plot->x + plot->width, rect->origin.x + rect->size.width + STRIP_SLACK);

    place.plot.x = left;
    place.plot.width = MAX(1.0, right - left);
    place.x.from = plt_axis_value(&view->place.x, (left - plot->x) / plot->width);
    place.x.to = plt_axis_value(&view->place.x, (left + place.plot.width - plot->x) / plot->width);
    return place;
}

static void draw_strip(PltChartView *view, const PltChart *seen, guint index)
{
    graphene_rect_t rect = strip_rect(view, index);
    PltChartPlace place = view->curves->len > 1 ? strip_place(view, &rect) : view->place;
    PltCanvas canvas;

    begin_canvas(view, &canvas, &rect);
    plt_chart_draw_curves(seen, &canvas, &place);
    view->curves->pdata[index] = end_canvas(&canvas);
}

static void draw_ground(PltChartView *view, const PltChart *seen)
{
    graphene_rect_t whole = whole_widget(view);
    PltCanvas canvas;

    begin_canvas(view, &canvas, &whole);
    if (plt_chart_has_layers(seen)) {
        plt_chart_draw_ground(seen, &canvas, chart_area(view), &view->place);
        begin_curves(view);
    } else {
        plt_chart_locate(seen, &canvas, chart_area(view), &view->place);
        plt_chart_draw(seen, &canvas, chart_area(view));
    }
    view->ground = end_canvas(&canvas);
    view->placed = TRUE;
}

static gboolean is_drawn(PltChartView *view)
{
    for (guint i = 0; i < view->curves->len; i++) {
        if (!view->curves->pdata[i])
            return FALSE;
    }
    return view->ground != NULL;
}

static void draw_chart(PltChartView *view)
{
    g_autoptr(PltChartExcerpt) excerpt = NULL;
    const PltChart *seen = NULL;
    PltAxis x, y, y2;

    if (is_drawn(view))
        return;
    plt_viewport_apply(&view->viewport, &view->x, &x);
    y = view->y;
    y2 = view->y2;
    if (!plt_viewport_is_whole(&view->viewport)) {
        y = view->chart->y;
        y2 = view->chart->y2;
        plt_chart_fit_stretch(view->chart, &x, &y, &y2);
    }
    excerpt = plt_chart_excerpt_new(view->chart, &x, &y, &y2);
    seen = plt_chart_excerpt_get(excerpt);
    if (!view->ground) {
        g_ptr_array_set_size(view->curves, 0);
        draw_ground(view, seen);
    }
    for (guint i = 0; i < view->curves->len; i++) {
        if (!view->curves->pdata[i])
            draw_strip(view, seen, i);
    }
}

/* A picture is laid out for the size that it has here; large text makes it as if it were smaller. */
static void draw_picture(PltChartView *view)
{
    double scale = MAX(1.0, view->unit / SCREEN_UNIT);
    graphene_rect_t whole = whole_widget(view);
    cairo_t *cr = NULL;

    if (view->ground)
        return;
    cr = new_layer(view, &whole);
    cairo_scale(cr, scale, scale);
    plt_picture_draw(view->picture, cr, view->width / scale, view->height / scale, view->theme.dark,
                     view->language, NULL);
    view->ground = end_layer(cr);
}

static void append_layer(PltChartView *view, GtkSnapshot *snapshot, GdkTexture *texture,
                         const graphene_rect_t *rect)
{
    graphene_rect_t at = texture_rect(view, texture, rect);

    gtk_snapshot_append_texture(snapshot, texture, &at);
}

static void append_column(GtkSnapshot *snapshot, double x, double width, const PltRect *plot, GdkRGBA colour)
{
    gtk_snapshot_append_color(
        snapshot, &colour, &GRAPHENE_RECT_INIT((float)x, (float)plot->y, (float)width, (float)plot->height));
}

static GdkRGBA accent(float alpha)
{
    GdkRGBA *colour = adw_style_manager_get_accent_color_rgba(adw_style_manager_get_default());
    GdkRGBA result = *colour;

    gdk_rgba_free(colour);
    result.alpha = alpha;
    return result;
}

static void append_dot(GtkSnapshot *snapshot, double x, double y, PltColour fill, PltColour ring)
{
    GdkRGBA inner = {(float)fill.red, (float)fill.green, (float)fill.blue, 1.0f};
    GdkRGBA outer = {(float)ring.red, (float)ring.green, (float)ring.blue, 1.0f};
    GskRoundedRect disc;
    GdkRGBA colours[4] = {outer, outer, outer, outer};
    const float widths[4] = {1.5f, 1.5f, 1.5f, 1.5f};

    gsk_rounded_rect_init_from_rect(
        &disc, &GRAPHENE_RECT_INIT((float)x - 5.0f, (float)y - 5.0f, 10.0f, 10.0f), 5.0f);
    gtk_snapshot_push_rounded_clip(snapshot, &disc);
    gtk_snapshot_append_color(snapshot, &inner, &disc.bounds);
    gtk_snapshot_pop(snapshot);
    gtk_snapshot_append_border(snapshot, &disc, widths, colours);
}

static void append_dots(PltChartView *view, GtkSnapshot *snapshot)
{
    const PltRect *plot = &view->place.plot;
    double pixel = plt_chart_view_pixel(view, view->marked);

    for (guint i = 0; i < view->chart->series->len; i++) {
        const PltSeries *series = view->chart->series->pdata[i];
        const PltAxis *axis = series->right ? &view->place.y2 : &view->place.y;
        PltReading reading;
        double up;

        if (!plt_chart_read(view->chart, i, view->marked, pixel / 2.0, pixel, &reading))
            continue;
        up = plt_axis_place(axis, reading.value);
        if (up >= 0.0 && up <= 1.0)
            append_dot(snapshot, plot->x + plot->width * plt_axis_place(&view->place.x, reading.x),
                       plot->y + plot->height * (1.0 - up), view->theme.series[series->style].colour,
                       view->theme.background);
    }
}

static void append_marked(PltChartView *view, GtkSnapshot *snapshot)
{
    const PltRect *plot = &view->place.plot;
    double along = plt_axis_place(&view->place.x, view->marked);

    if (!(along >= 0.0 && along <= 1.0) || view->chart->horizontal)
        return;
    append_column(snapshot, floor(plot->x + plot->width * along), 1.0, plot, accent(1.0f));
    append_dots(view, snapshot);
}

static void append_selection(PltChartView *view, GtkSnapshot *snapshot)
{
    const PltRect *plot = &view->place.plot;
    double left = MAX(plot->x, MIN(view->selecting_from, view->selecting_to));
    double right = MIN(plot->x + plot->width, MAX(view->selecting_from, view->selecting_to));

    if (!(right > left))
        return;
    append_column(snapshot, left, right - left, plot, accent(0.2f));
    append_column(snapshot, left, 1.0, plot, accent(1.0f));
    append_column(snapshot, right - 1.0, 1.0, plot, accent(1.0f));
}

static double surface_scale(PltChartView *view)
{
    GtkNative *native = gtk_widget_get_native(GTK_WIDGET(view));
    GdkSurface *surface = native ? gtk_native_get_surface(native) : NULL;

    return surface ? gdk_surface_get_scale(surface) : 1.0;
}

/* What was drawn for another size is of no use. */
static gboolean take_size(PltChartView *view)
{
    int width = gtk_widget_get_width(GTK_WIDGET(view)), height = gtk_widget_get_height(GTK_WIDGET(view));
    double scale = surface_scale(view);

    if (view->width != width || view->height != height || view->scale != scale) {
        view->width = width;
        view->height = height;
        view->scale = scale;
        plt_chart_view_forget(view);
    }
    return width > 0 && height > 0;
}

void plt_chart_view_draw(PltChartView *view, GtkSnapshot *snapshot)
{
    graphene_rect_t whole;

    if (!take_size(view) || (!view->chart && !view->picture))
        return;
    if (view->picture)
        draw_picture(view);
    else
        draw_chart(view);
    whole = whole_widget(view);
    append_layer(view, snapshot, view->ground, &whole);
    if (view->picture)
        return;
    for (guint i = 0; i < view->curves->len; i++) {
        graphene_rect_t rect = strip_rect(view, i);

        append_layer(view, snapshot, view->curves->pdata[i], &rect);
    }
    if (!isnan(view->marked))
        append_marked(view, snapshot);
    if (!isnan(view->selecting_from))
        append_selection(view, snapshot);
}
