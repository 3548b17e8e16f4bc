/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/chart-view.h"

#include <adwaita.h>

struct _PltChartView {
    GtkWidget parent_instance;
    PltChart *chart;
    PltPicture *picture;
    char *language;
    GskRenderNode *node; /* what was drawn last, while it still holds */
    int node_width, node_height;
};

G_DEFINE_FINAL_TYPE(PltChartView, plt_chart_view, GTK_TYPE_WIDGET)

static void changed(PltChartView *view)
{
    g_clear_pointer(&view->node, gsk_render_node_unref);
    gtk_widget_queue_draw(GTK_WIDGET(view));
}

static gboolean is_dark(void)
{
    return adw_style_manager_get_dark(adw_style_manager_get_default());
}

static void draw(PltChartView *view, cairo_t *cr, int width, int height)
{
    PltCanvas canvas;

    if (view->picture) {
        plt_picture_draw(view->picture, cr, width, height, is_dark(), view->language, NULL);
        return;
    }
    plt_canvas_init(&canvas, cr, width, height, is_dark(), view->language, NULL);
    plt_chart_draw(view->chart, &canvas, (PltRect){0.0, 0.0, width, height});
    plt_canvas_clear(&canvas);
}

static void plt_chart_view_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
    PltChartView *view = PLT_CHART_VIEW(widget);
    int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);

    if (width <= 0 || height <= 0 || (!view->chart && !view->picture))
        return;
    if (!view->node || view->node_width != width || view->node_height != height) {
        cairo_t *cr = NULL;

        g_clear_pointer(&view->node, gsk_render_node_unref);
        view->node = gsk_cairo_node_new(&GRAPHENE_RECT_INIT(0, 0, width, height));
        cr = gsk_cairo_node_get_draw_context(view->node);
        draw(view, cr, width, height);
        cairo_destroy(cr);
        view->node_width = width;
        view->node_height = height;
    }
    gtk_snapshot_append_node(snapshot, view->node);
}

static void plt_chart_view_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                                   int *natural, int *minimum_baseline, int *natural_baseline)
{
    *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 160;
    *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 320;
}

static void plt_chart_view_dispose(GObject *object)
{
    PltChartView *view = PLT_CHART_VIEW(object);

    g_clear_pointer(&view->node, gsk_render_node_unref);
    g_clear_pointer(&view->chart, plt_chart_free);
    g_clear_pointer(&view->picture, plt_picture_free);
    g_clear_pointer(&view->language, g_free);
    G_OBJECT_CLASS(plt_chart_view_parent_class)->dispose(object);
}

static void plt_chart_view_class_init(PltChartViewClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_chart_view_dispose;
    widget_class->snapshot = plt_chart_view_snapshot;
    widget_class->measure = plt_chart_view_measure;
    gtk_widget_class_set_css_name(widget_class, "chart");
    gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void plt_chart_view_init(PltChartView *view)
{
    gtk_widget_set_overflow(GTK_WIDGET(view), GTK_OVERFLOW_HIDDEN);
    g_signal_connect_object(adw_style_manager_get_default(), "notify::dark", G_CALLBACK(changed), view,
                            G_CONNECT_SWAPPED);
}

GtkWidget *plt_chart_view_new(void)
{
    return g_object_new(PLT_TYPE_CHART_VIEW, NULL);
}

static PltSeries *series_at(PltChartView *view, guint series)
{
    return view->chart && series < view->chart->series->len ? view->chart->series->pdata[series] : NULL;
}

void plt_chart_view_set_chart(PltChartView *view, PltChart *chart)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    g_clear_pointer(&view->picture, plt_picture_free);
    g_clear_pointer(&view->chart, plt_chart_free);
    view->chart = chart;
    changed(view);
}

const PltChart *plt_chart_view_get_chart(PltChartView *view)
{
    g_return_val_if_fail(PLT_IS_CHART_VIEW(view), NULL);
    return view->chart;
}

void plt_chart_view_append(PltChartView *view, guint series, double x, double value)
{
    PltSeries *s = NULL;

    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    s = series_at(view, series);
    g_return_if_fail(s != NULL);
    plt_pyramid_append_at(s->data, x, value);
    changed(view);
}

void plt_chart_view_replace(PltChartView *view, guint series, PltPyramid *data)
{
    PltSeries *s = NULL;

    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    s = series_at(view, series);
    g_return_if_fail(s != NULL);
    plt_pyramid_free(s->data);
    s->data = data;
    changed(view);
}

void plt_chart_view_add_band(PltChartView *view, double from, double to, PltTone tone, const char *label,
                             const char *detail)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view) && view->chart);
    plt_chart_add_band(view->chart, from, to, tone, label, detail);
    changed(view);
}

void plt_chart_view_add_mark(PltChartView *view, gboolean vertical, double at, PltTone tone,
                             const char *label)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view) && view->chart);
    plt_chart_add_mark(view->chart, vertical, at, tone, label);
    changed(view);
}

void plt_chart_view_set_range(PltChartView *view, double from, double to)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view) && view->chart);
    view->chart->x.from = from;
    view->chart->x.to = to;
    changed(view);
}

void plt_chart_view_set_picture(PltChartView *view, PltPicture *picture, const char *language)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    g_clear_pointer(&view->picture, plt_picture_free);
    g_clear_pointer(&view->chart, plt_chart_free);
    g_set_str(&view->language, language);
    view->picture = picture;
    changed(view);
}

void plt_chart_view_set_label(PltChartView *view, const char *label)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void plt_chart_view_set_description(PltChartView *view, const char *description)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description,
                                   -1);
}

void plt_chart_view_reset(PltChartView *view)
{
    g_return_if_fail(PLT_IS_CHART_VIEW(view));
    changed(view);
}
