/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "chart/chart.h"
#include "chart/picture.h"

/*
 * A chart, or a whole picture of a report, on the screen. It draws with the code that exports pictures, keeps
 * what it has drawn, and draws anew only what has changed.
 *
 * Shortcuts and gestures (charts only): scroll or pinch zooms about the pointer, drag pans, Shift and drag
 * zooms into a stretch, double click or 0 shows all. Left and Right move a cursor from point to point (with
 * Ctrl they pan), Home and End go to the ends, + and - zoom, T opens the table of the figures, Esc takes the
 * cursor away. The readout line names the point under the pointer or the cursor.
 *
 * CSS: node name "chart"; style class "picture" while a picture is shown.
 * Accessibility: role IMG with a label and a description; the same figures as a table by the action
 * "chart.show-table", which the context menu and T reach too. What the keyboard cursor stands at is
 * announced.
 * Text direction: time runs from left to right in every language, as in the pictures that are exported.
 */
#define PLT_TYPE_CHART_VIEW (plt_chart_view_get_type())
G_DECLARE_FINAL_TYPE(PltChartView, plt_chart_view, PLT, CHART_VIEW, GtkWidget)

GtkWidget *plt_chart_view_new(void);

/*
 * Shows CHART, which the view takes over, as an interactive chart; NULL shows nothing. An X axis whose ends
 * are NAN follows the data while it grows. The view may be asked for the chart, to look at; only the
 * functions below change it.
 */
void plt_chart_view_set_chart(PltChartView *view, PltChart *chart);
const PltChart *plt_chart_view_get_chart(PltChartView *view);

/* A new value at the end of series number SERIES, whose data is plt_pyramid_new_uneven's; NAN lifts the pen.
 */
void plt_chart_view_append(PltChartView *view, guint series, double x, double value);

/* Other values for series number SERIES; takes DATA. */
void plt_chart_view_replace(PltChartView *view, guint series, PltPyramid *data);

/* As plt_chart_add_band and plt_chart_add_mark, while it is shown. */
void plt_chart_view_add_band(PltChartView *view, double from, double to, PltTone tone, const char *label,
                             const char *detail);
void plt_chart_view_add_mark(PltChartView *view, gboolean vertical, double at, PltTone tone,
                             const char *label);

/* Ends of the X axis: NAN, NAN = follow the data. */
void plt_chart_view_set_range(PltChartView *view, double from, double to);

/* Shows PICTURE (taken over) in LANGUAGE (a tag for shaping, NULL = "en"), as it will be exported. */
void plt_chart_view_set_picture(PltChartView *view, PltPicture *picture, const char *language);

/* What a screen reader says: the name of the chart, and a sentence with its main figures. */
void plt_chart_view_set_label(PltChartView *view, const char *label);
void plt_chart_view_set_description(PltChartView *view, const char *description);

/* All of X is shown again. */
void plt_chart_view_reset(PltChartView *view);
