/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/chart-table.h"
#include "app/chart-view-private.h"
#include "chart/readout.h"

/* A point is read within this many pixels of the pointer. */
#define REACH 32.0

/* Zooming in ends with this many points on the screen. */
#define LEAST_POINTS 8.0

/* A picture is a little higher than the exported format where it is narrow: its texts need the room. */
#define WIDE 640
#define WIDE_RATIO (675.0 / 1200.0)
#define NARROW_RATIO 0.95

G_DEFINE_FINAL_TYPE(PltChartView, plt_chart_view, GTK_TYPE_WIDGET)

static gsize count_points(const PltChart *chart)
{
    gsize n = 0;

    for (guint i = 0; i < chart->series->len; i++)
        n += plt_pyramid_length(((const PltSeries *)chart->series->pdata[i])->data);
    return n;
}

gboolean plt_chart_view_has_place(PltChartView *view)
{
    return view->chart && view->placed && view->place.plot.width > 0.0;
}

double plt_chart_view_pixel(PltChartView *view, double x)
{
    double width = MAX(1.0, view->place.plot.width), along = plt_axis_place(&view->place.x, x);

    return fabs(plt_axis_value(&view->place.x, along + 0.5 / width) -
                plt_axis_value(&view->place.x, along - 0.5 / width));
}

static gboolean same_ends(const PltAxis *a, const PltAxis *b)
{
    return a->from == b->from && a->to == b->to;
}

/* Fits the axes to the data as it is now; TRUE when one of them has other ends than before. */
static gboolean fit_axes(PltChartView *view)
{
    PltAxis x = view->x, y = view->y, y2 = view->y2;

    plt_chart_fit(view->chart, &view->x, &view->y, &view->y2);
    view->newest = plt_chart_last(view->chart);
    if (view->growing && view->chart->x.unit == PLT_UNIT_TIME && isnan(view->chart->x.to))
        view->x.to = plt_viewport_room(view->x.from, view->x.to);
    return !same_ends(&x, &view->x) || !same_ends(&y, &view->y) || !same_ends(&y2, &view->y2);
}

/* The readout is one line in the plot, beside the pointer's column, where it covers the least. */
static void allocate_readout(PltChartView *view, int width)
{
    int natural, height, x;
    double along = plt_axis_place(&view->place.x, view->marked);
    double at = view->place.plot.x + view->place.plot.width * CLAMP(along, 0.0, 1.0);

    gtk_widget_measure(view->readout, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
    natural = MIN(natural, width);
    gtk_widget_measure(view->readout, GTK_ORIENTATION_VERTICAL, natural, NULL, &height, NULL, NULL);
    x = (int)at + 8;
    if (x + natural > width)
        x = (int)at - 8 - natural;
    x = CLAMP(x, 0, width - natural);
    gtk_widget_size_allocate(view->readout, &(GtkAllocation){x, (int)view->place.plot.y + 6, natural, height},
                             -1);
}

static void plt_chart_view_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
    PltChartView *view = PLT_CHART_VIEW(widget);

    if (gtk_widget_should_layout(view->readout))
        allocate_readout(view, width);
    if (view->menu)
        gtk_popover_present(GTK_POPOVER(view->menu));
}

static void show_readout(PltChartView *view, const char *text)
{
    if (g_strcmp0(gtk_label_get_text(GTK_LABEL(view->readout)), text ? text : "") != 0)
        gtk_label_set_text(GTK_LABEL(view->readout), text);
    gtk_widget_set_visible(view->readout, text != NULL);
    gtk_widget_queue_allocate(GTK_WIDGET(view));
    gtk_widget_queue_draw(GTK_WIDGET(view));
}

/* Reads every series at X and says it in one line; newly allocated, NULL when nothing is near. */
static char *read_at(PltChartView *view, double x, double *marked)
{
    double pixel = plt_chart_view_pixel(view, x);
    g_autofree PltReading *readings = g_new(PltReading, MAX(1u, view->chart->series->len));
    const char *section = NULL, *event = NULL;
    double step = pixel, closest = INFINITY;
    guint n = 0;

    for (guint i = 0; i < view->chart->series->len; i++) {
        if (!plt_chart_read(view->chart, i, x, pixel / 2.0, pixel * REACH, &readings[n]))
            continue;
        if (fabs(readings[n].x - x) < closest) {
            closest = fabs(readings[n].x - x);
            *marked = readings[n].x;
        }
        n++;
    }
    /* Another series counts only where it has a value at the same place. */
    for (guint i = 0; i < n;) {
        if (fabs(readings[i].x - *marked) <= pixel)
            i++;
        else
            readings[i] = readings[--n];
    }
    if (n == 0)
        return NULL;
    if (readings[0].count == 1) {
        double next = plt_chart_step(view->chart, *marked, 0.0, TRUE);

        step = isnan(next) ? *marked - plt_chart_step(view->chart, *marked, 0.0, FALSE) : next - *marked;
    }
    plt_chart_bands_at(view->chart, *marked, pixel * 2.0, &section, &event);
    return plt_chart_readout(view->chart, readings, n, step, section, event);
}

void plt_chart_view_update_readout(PltChartView *view)
{
    g_autofree char *text = NULL;
    double x = view->cursor;

    view->marked = NAN;
    if (!plt_chart_view_has_place(view) || view->chart->horizontal) {
        show_readout(view, NULL);
        return;
    }
    if (!isnan(view->pointer))
        x = plt_axis_value(&view->place.x, (view->pointer - view->place.plot.x) / view->place.plot.width);
    if (!isnan(x))
        text = read_at(view, x, &view->marked);
    show_readout(view, text);
}

void plt_chart_view_scrolled(PltChartView *view)
{
    PltAxis x;

    plt_chart_view_forget(view);
    /* The pointer reads the new stretch at once, before it has been drawn: the plot stays where it is. */
    if (view->chart) {
        plt_viewport_apply(&view->viewport, &view->x, &x);
        view->place.x = x;
    }
    gtk_widget_action_set_enabled(GTK_WIDGET(view), "chart.reset",
                                  view->chart && !plt_viewport_is_whole(&view->viewport));
    gtk_widget_queue_draw(GTK_WIDGET(view));
}

void plt_chart_view_data_changed(PltChartView *view, double x)
{
    PltAxis before = view->x, seen;
    PltViewport old = view->viewport;
    gboolean watching, moved;

    plt_viewport_apply(&view->viewport, &view->x, &seen);
    watching = view->newest <= seen.to;
    moved = fit_axes(view) || !plt_chart_has_layers(view->chart);
    plt_viewport_follow(&view->viewport, &before, &view->x, watching ? view->newest : NAN);
    /* What is seen of a chart that is zoomed fills the height: with its data that changes, too. */
    if (moved || !plt_viewport_is_whole(&view->viewport) || old.from != view->viewport.from)
        plt_chart_view_forget(view);
    else
        plt_chart_view_forget_curves(view, x);
    gtk_widget_queue_draw(GTK_WIDGET(view));
}

void plt_chart_view_all_changed(PltChartView *view)
{
    plt_chart_view_forget(view);
    plt_chart_view_update_theme(view);
    gtk_widget_queue_draw(GTK_WIDGET(view));
}

static void plt_chart_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
    PltChartView *view = PLT_CHART_VIEW(widget);

    plt_chart_view_draw(view, snapshot);
    gtk_widget_snapshot_child(widget, view->readout, snapshot);
}

static GtkSizeRequestMode plt_chart_view_get_request_mode(GtkWidget *widget)
{
    return PLT_CHART_VIEW(widget)->picture ? GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH
                                           : GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void plt_chart_view_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                                   int *natural, int *minimum_baseline, int *natural_baseline)
{
    PltChartView *view = PLT_CHART_VIEW(widget);

    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = 200;
        *natural = 720;
    } else if (view->picture) {
        int width = for_size > 0 ? for_size : 720;

        *minimum = *natural = (int)ceil(width * (width >= WIDE ? WIDE_RATIO : NARROW_RATIO));
    } else {
        /* The axes with their texts, and a plot that can be read. */
        *minimum = (int)ceil(180.0 * MAX(1.0, view->unit));
        *natural = (int)ceil(340.0 * MAX(1.0, view->unit));
    }
}

static void plt_chart_view_css_changed(GtkWidget *widget, GtkCssStyleChange *change)
{
    GTK_WIDGET_CLASS(plt_chart_view_parent_class)->css_changed(widget, change);
    plt_chart_view_all_changed(PLT_CHART_VIEW(widget));
}

static void plt_chart_view_system_setting_changed(GtkWidget *widget, GtkSystemSetting setting)
{
    GTK_WIDGET_CLASS(plt_chart_view_parent_class)->system_setting_changed(widget, setting);
    plt_chart_view_all_changed(PLT_CHART_VIEW(widget));
    gtk_widget_queue_resize(widget);
}

static void show_table(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltChartView *view = PLT_CHART_VIEW(widget);

    if (view->chart)
        adw_dialog_present(plt_chart_table_new(view->chart, view->label), widget);
}

static void reset(GtkWidget *widget, const char *name, GVariant *parameter)
{
    plt_chart_view_reset(PLT_CHART_VIEW(widget));
}

static void plt_chart_view_dispose(GObject *object)
{
    PltChartView *view = PLT_CHART_VIEW(object);

    g_clear_pointer(&view->readout, gtk_widget_unparent);
    g_clear_pointer(&view->menu, gtk_widget_unparent);
    plt_chart_view_forget(view);
    g_clear_pointer(&view->chart, plt_chart_free);
    g_clear_pointer(&view->picture, plt_picture_free);
    g_clear_pointer(&view->language, g_free);
    g_clear_pointer(&view->label, g_free);
    G_OBJECT_CLASS(plt_chart_view_parent_class)->dispose(object);
}

static void plt_chart_view_finalize(GObject *object)
{
    g_ptr_array_unref(PLT_CHART_VIEW(object)->curves);
    G_OBJECT_CLASS(plt_chart_view_parent_class)->finalize(object);
}

static void drop_texture(gpointer texture)
{
    g_clear_object((GdkTexture **)&texture);
}

static void plt_chart_view_class_init(PltChartViewClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_chart_view_dispose;
    G_OBJECT_CLASS(klass)->finalize = plt_chart_view_finalize;
    widget_class->snapshot = plt_chart_view_snapshot;
    widget_class->measure = plt_chart_view_measure;
    widget_class->get_request_mode = plt_chart_view_get_request_mode;
    widget_class->size_allocate = plt_chart_view_size_allocate;
    widget_class->css_changed = plt_chart_view_css_changed;
    widget_class->system_setting_changed = plt_chart_view_system_setting_changed;
    gtk_widget_class_set_css_name(widget_class, "chart");
    gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
    gtk_widget_class_install_action(widget_class, "chart.show-table", NULL, show_table);
    gtk_widget_class_install_action(widget_class, "chart.reset", NULL, reset);
    plt_chart_view_class_add_input(widget_class);
}

static void plt_chart_view_init(PltChartView *view)
{
    AdwStyleManager *manager = adw_style_manager_get_default();
    static const char *const signals[] = {"notify::dark", "notify::high-contrast",
                                          "notify::accent-color-rgba"};

    view->curves = g_ptr_array_new_with_free_func(drop_texture);
    view->pointer = view->cursor = view->marked = view->newest = NAN;
    view->selecting_from = view->selecting_to = NAN;
    view->scale = 1.0;
    view->unit = 1.0;
    plt_viewport_init(&view->viewport, 1.0);
    view->readout = gtk_label_new(NULL);
    gtk_label_set_ellipsize(GTK_LABEL(view->readout), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(view->readout, "readout");
    gtk_widget_add_css_class(view->readout, "numeric");
    gtk_widget_set_visible(view->readout, FALSE);
    gtk_widget_set_can_target(view->readout, FALSE);
    gtk_widget_set_parent(view->readout, GTK_WIDGET(view));
    /* Time runs from left to right in every language, on the screen as in the exported file. */
    gtk_widget_set_direction(GTK_WIDGET(view), GTK_TEXT_DIR_LTR);
    gtk_widget_set_direction(view->readout, GTK_TEXT_DIR_LTR);
    gtk_widget_set_overflow(GTK_WIDGET(view), GTK_OVERFLOW_HIDDEN);
    for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
        g_signal_connect_object(manager, signals[i], G_CALLBACK(plt_chart_view_all_changed), view,
                                G_CONNECT_SWAPPED);
    plt_chart_view_add_controllers(view);
    plt_chart_view_set_chart(view, NULL);
}

GtkWidget *plt_chart_view_new(void)
{
    return g_object_new(PLT_TYPE_CHART_VIEW, NULL);
}

static void show_nothing(PltChartView *view)
{
    g_clear_pointer(&view->picture, plt_picture_free);
    g_clear_pointer(&view->chart, plt_chart_free);
    view->pointer = view->cursor = view->marked = view->newest = NAN;
    view->selecting_from = view->selecting_to = NAN;
    view->growing = view->zoomable = view->placed = FALSE;
    gtk_widget_set_visible(view->readout, FALSE);
    plt_viewport_init(&view->viewport, 1.0);
}

static void take_over(PltChartView *view)
{
    gboolean chart = view->chart != NULL;

    gtk_widget_set_focusable(GTK_WIDGET(view), chart);
    gtk_widget_action_set_enabled(GTK_WIDGET(view), "chart.show-table", chart);
    gtk_widget_action_set_enabled(GTK_WIDGET(view), "chart.reset", FALSE);
    if (view->picture)
        gtk_widget_add_css_class(GTK_WIDGET(view), "picture");
    else
        gtk_widget_remove_css_class(GTK_WIDGET(view), "picture");
    plt_chart_view_all_changed(view);
    gtk_widget_queue_resize(GTK_WIDGET(view));
}

static void set_least(PltChartView *view)
{
    gsize n = count_points(view->chart);

    view->zoomable =
        view->chart->x.scale != PLT_SCALE_CATEGORY && !view->chart->horizontal && n > LEAST_POINTS;
    view->viewport.least = n > LEAST_POINTS ? LEAST_POINTS / (double)n : 1.0;
}

void plt_chart_view_set_chart(PltChartView *view, PltChart *chart)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    show_nothing(view);
    view->chart = chart;
    if (chart) {
        fit_axes(view);
        set_least(view);
    }
    take_over(view);
}

const PltChart *plt_chart_view_get_chart(PltChartView *view)
{
    g_return_val_if_fail(PLT_IS_CHART_VIEW(view), NULL);
    return view->chart;
}

static PltSeries *series_at(PltChartView *view, guint series)
{
    return view->chart && series < view->chart->series->len ? view->chart->series->pdata[series] : NULL;
}

void plt_chart_view_append(PltChartView *view, guint series, double x, double value)
{
    PltSeries *s = NULL;
    gsize n;

    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    s = series_at(view, series);
    g_return_if_fail(s != NULL);
    n = plt_pyramid_length(s->data);
    plt_pyramid_append_at(s->data, x, value);
    if (!view->growing)
        plt_chart_view_forget(view);
    view->growing = TRUE;
    set_least(view);
    plt_chart_view_data_changed(view, n > 0 ? plt_pyramid_x(s->data, n - 1) : x);
}

void plt_chart_view_replace(PltChartView *view, guint series, PltPyramid *data)
{
    PltSeries *s = NULL;

    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    s = series_at(view, series);
    g_return_if_fail(s != NULL);
    plt_pyramid_free(s->data);
    s->data = data;
    view->growing = TRUE;
    set_least(view);
    plt_chart_view_data_changed(view, NAN);
}

void plt_chart_view_add_band(PltChartView *view, double from, double to, PltTone tone, const char *label,
                             const char *detail)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view) && view->chart);
    plt_chart_add_band(view->chart, from, to, tone, label, detail);
    plt_chart_view_forget(view);
    plt_chart_view_data_changed(view, NAN);
}

void plt_chart_view_add_mark(PltChartView *view, gboolean vertical, double at, PltTone tone,
                             const char *label)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view) && view->chart);
    plt_chart_add_mark(view->chart, vertical, at, tone, label);
    plt_chart_view_forget(view);
    plt_chart_view_data_changed(view, NAN);
}

void plt_chart_view_set_range(PltChartView *view, double from, double to)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view) && view->chart);
    view->chart->x.from = from;
    view->chart->x.to = to;
    plt_chart_view_data_changed(view, NAN);
}

void plt_chart_view_set_picture(PltChartView *view, PltPicture *picture, const char *language)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    show_nothing(view);
    g_set_str(&view->language, language);
    view->picture = picture;
    take_over(view);
}

void plt_chart_view_set_label(PltChartView *view, const char *label)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    g_set_str(&view->label, label);
    if (label)
        gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    else
        gtk_accessible_reset_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

void plt_chart_view_set_description(PltChartView *view, const char *description)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    if (description)
        gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description,
                                       -1);
    else
        gtk_accessible_reset_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

void plt_chart_view_reset(PltChartView *view)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    if (view->chart && plt_viewport_reset(&view->viewport))
        plt_chart_view_scrolled(view);
    plt_chart_view_update_readout(view);
}
