/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "chart/chart.h"

/* One value of a chart: its place in X and what it is, as texts. */
#define PLT_TYPE_CHART_ROW (plt_chart_row_get_type())
G_DECLARE_FINAL_TYPE(PltChartRow, plt_chart_row, PLT, CHART_ROW, GObject)

char *plt_chart_row_format_x(PltChartRow *row);
char *plt_chart_row_format_value(PltChartRow *row);
const char *plt_chart_row_get_series(PltChartRow *row);

/*
 * The values of all series of a chart in order of X, holes left out: a GListModel of PltChartRow that are
 * made when they are asked for, so that a million of them cost what is seen.
 */
#define PLT_TYPE_CHART_ROWS (plt_chart_rows_get_type())
G_DECLARE_FINAL_TYPE(PltChartRows, plt_chart_rows, PLT, CHART_ROWS, GObject)

/* Copies the values of CHART, which may change or go away afterwards. */
PltChartRows *plt_chart_rows_new(const PltChart *chart);
