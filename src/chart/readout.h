/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/chart.h"

/* What a series shows at a place: one value, or several that lie in the same pixel column. */
typedef struct {
    guint series;
    gsize count;  /* values that it stands for */
    double x;     /* of the value; of the place that was asked for when there are several */
    double value; /* the value; the median of several */
    double min, max;
} PltReading;

/*
 * What series number SERIES of CHART shows at X. When more than one value lies within HALF of X they are
 * summed up; else it is the nearest value, if that is within REACH. FALSE when there is none.
 */
gboolean plt_chart_read(const PltChart *chart, guint series, double x, double half, double reach,
                        PltReading *reading);

/*
 * The X of the first value of any series beyond X by more than LEAST, forward or back; NAN when there is
 * none. From -INFINITY forward it is the first value, from INFINITY back the last.
 */
double plt_chart_step(const PltChart *chart, double x, double least, gboolean forward);

/* The last X of all series; NAN without data. */
double plt_chart_last(const PltChart *chart);

/* The labels of the section and of the event at X (within SLACK of it); NULL where there is none. */
void plt_chart_bands_at(const PltChart *chart, double x, double slack, const char **section,
                        const char **event);

/* VALUE with its unit; a category's name. STEP is what two neighbours differ by, for times; 0 = not known. */
char *plt_axis_format(const PltAxis *axis, double value, double step);

/*
 * One line for READINGS, all of the same X: "12.35 s · Read 3,412 MB/s (1,200–3,800)", with the section
 * before and the event after. NULL when there is nothing to read.
 */
char *plt_chart_readout(const PltChart *chart, const PltReading *readings, guint n, double step,
                        const char *section, const char *event);
