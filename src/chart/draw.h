/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/chart.h"
#include "chart/ticks.h"

/* A chart while it is being drawn: shared by the draw-*.c files, nothing outside them. */
typedef struct {
    const PltChart *chart;
    PltCanvas *canvas;
    PltRect area;     /* all of the chart */
    PltRect plot;     /* inside the axes */
    PltAxis x, y, y2; /* fitted copies; texts belong to the chart */
    PltTicks x_ticks, y_ticks, y2_ticks;
    PltTextStyle tick, title, value;
    double strip_height; /* of one row of the strip of values; 0 = no strip */
    double strip_top;
    GArray *taken; /* PltRect: where labels already stand inside the plot */
} PltPlot;

/* Where X and a value stand on the picture, whichever way the chart lies. */
void plt_plot_point(const PltPlot *plot, const PltAxis *value_axis, double x, double value, double *px,
                    double *py);

/* The length in units along X from one bar group to the next. */
double plt_plot_group_pitch(const PltPlot *plot);

void plt_plot_draw_grid(PltPlot *plot);
void plt_plot_draw_axes(PltPlot *plot);
void plt_plot_draw_bands(PltPlot *plot);
void plt_plot_draw_marks(PltPlot *plot);
void plt_plot_draw_series(PltPlot *plot, guint index);
void plt_plot_draw_value_labels(PltPlot *plot, guint index);
void plt_plot_draw_strip(PltPlot *plot);

/* "Throughput, MB/s (log)": newly allocated; NULL when there is nothing to say. */
char *plt_plot_axis_title(const PltPlot *plot, const PltAxis *axis, const PltTicks *ticks);

/* A legend: its width in one row, its rows when they are at most WIDTH wide, and their height. */
double plt_legend_width(const PltChart *chart, PltCanvas *canvas);
guint plt_legend_rows(const PltChart *chart, PltCanvas *canvas, double width);
double plt_legend_row_height(PltCanvas *canvas);

/* The first MAX_ROWS rows from LEFT, TOP down. */
void plt_legend_draw(const PltChart *chart, PltCanvas *canvas, double left, double top, double width,
                     guint max_rows);

/*
 * Draws TEXT near X, Y at the first of the usual places (above, below, right, left) where it covers no other
 * label and stays inside the plot; FALSE when there is none.
 */
gboolean plt_plot_place_label(PltPlot *plot, const PltTextStyle *style, const char *text, double x, double y,
                              double distance);

/* The same for one given place: anchor as plt_text_show. */
gboolean plt_plot_try_label(PltPlot *plot, const PltTextStyle *style, const char *text, double x,
                            double baseline, double anchor);
