/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/chart-view.h"
#include "chart/layer.h"
#include "chart/viewport.h"

/* Shared by the files chart-view*.c, nothing outside them. */
struct _PltChartView {
    GtkWidget parent_instance;
    GtkWidget *readout; /* GtkLabel: what stands under the pointer or the cursor */
    GtkWidget *menu;    /* made when it is first asked for */
    char *label;

    PltChart *chart;
    PltPicture *picture;
    char *language;
    gboolean growing; /* values have been appended: the time axis keeps room for more */
    gboolean zoomable;

    PltAxis x, y, y2; /* fitted, of the whole chart; their texts are the chart's */
    double newest;    /* the last X; NAN without data */
    PltViewport viewport;

    /* What was drawn last, and what it still holds for. */
    PltTheme theme;
    double unit; /* of the canvas: follows the text size */
    GdkTexture *ground;
    GPtrArray *curves; /* GdkTexture, upright strips from left to right; NULL where one has to be drawn */
    graphene_rect_t curves_at;
    double strip; /* the width of a strip */
    int width, height;
    double scale;        /* device pixels to one of the widget's */
    PltChartPlace place; /* where the chart stands in the widget, once it is PLACED */
    gboolean placed;

    double pointer;                      /* X in the widget; NAN = not over the plot */
    double cursor;                       /* X on the axis; NAN = no keyboard cursor */
    double selecting_from, selecting_to; /* X in the widget; NAN = nothing is being selected */
    double marked;                       /* X on the axis of the point that the readout is about */

    double drag_share;           /* how far a drag has already panned, in pixels */
    gboolean selecting;          /* the drag selects, it does not pan */
    gboolean armed;              /* the pointer has moved here: scrolling is meant for the chart */
    double entered_x, entered_y; /* where it came in, in the widget */
    double pinch;                /* the scale that a pinch has reached */
};

/* The data from X on changed: the curves are drawn anew there, and the rest if the axes changed with it. */
void plt_chart_view_data_changed(PltChartView *view, double x);

/* The stretch that is seen changed. */
void plt_chart_view_scrolled(PltChartView *view);

/* Something that everything depends on changed: chart, colours, text size. */
void plt_chart_view_all_changed(PltChartView *view);

/* The readout and what is marked, for the pointer or the cursor as they stand now. */
void plt_chart_view_update_readout(PltChartView *view);

/* The plot with its seen axis; FALSE before the first drawing or without a chart. */
gboolean plt_chart_view_has_place(PltChartView *view);

/* What one pixel is worth on the X axis at the place X of the axis. */
double plt_chart_view_pixel(PltChartView *view, double x);

/* chart-view-draw.c */
void plt_chart_view_forget(PltChartView *view);                  /* all that was drawn */
void plt_chart_view_forget_curves(PltChartView *view, double x); /* the curves from X on; NAN = all */
void plt_chart_view_draw(PltChartView *view, GtkSnapshot *snapshot);
void plt_chart_view_update_theme(PltChartView *view);

/* chart-view-input.c */
void plt_chart_view_class_add_input(GtkWidgetClass *klass);
void plt_chart_view_add_controllers(PltChartView *view);
