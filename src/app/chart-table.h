/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "chart/chart.h"

/*
 * The figures of CHART as a table in a dialog: what a screen reader, or a person who wants the exact number,
 * reads instead of the picture. The figures are copied; any number of rows is shown at once.
 */
AdwDialog *plt_chart_table_new(const PltChart *chart, const char *title);
