/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/chart.h"

/*
 * A chart in two layers, for a view that keeps what it has drawn: a series that grows is drawn anew ten times
 * a second, its axes and texts are not. Only charts whose series are lines and steps can be drawn so; the two
 * layers together show what plt_chart_draw shows, but for lines that cross the curves, which lie under them.
 */
gboolean plt_chart_has_layers(const PltChart *chart);

/* All but the series, and where it was put. */
void plt_chart_draw_ground(const PltChart *chart, PltCanvas *canvas, PltRect area, PltChartPlace *place);

/* The series alone, at PLACE. */
void plt_chart_draw_curves(const PltChart *chart, PltCanvas *canvas, const PltChartPlace *place);

/*
 * Fits Y and Y2, copies of the chart's axes whose ends that are not set are NAN, to what is between the ends
 * of X (fitted): so that a short stretch fills the height. A logarithmic axis keeps the whole range.
 */
void plt_chart_fit_stretch(const PltChart *chart, const PltAxis *x, PltAxis *y, PltAxis *y2);

/*
 * A copy of CHART as it is seen between the ends of X, Y and Y2: without bands and marks that lie outside.
 * Texts and data stay CHART's, which must live longer; made for one drawing.
 */
typedef struct plt_chart_excerpt PltChartExcerpt;

PltChartExcerpt *plt_chart_excerpt_new(const PltChart *chart, const PltAxis *x, const PltAxis *y,
                                       const PltAxis *y2);
const PltChart *plt_chart_excerpt_get(const PltChartExcerpt *excerpt);
void plt_chart_excerpt_free(PltChartExcerpt *excerpt);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltChartExcerpt, plt_chart_excerpt_free)
