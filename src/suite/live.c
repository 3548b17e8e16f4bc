/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/live.h"

PltLiveSeries *plt_live_series_new(void)
{
    PltLiveSeries *series = g_new0(PltLiveSeries, 1);

    series->points = g_array_new(FALSE, FALSE, sizeof(PltLivePoint));
    series->per_point = 1;
    return series;
}

void plt_live_series_free(PltLiveSeries *series)
{
    if (series == NULL)
        return;
    g_array_unref(series->points);
    g_free(series);
}

static void merge(PltLivePoint *into, const PltLivePoint *next)
{
    double length = into->length_s + next->length_s;

    if (length > 0)
        into->mean_bps = (into->mean_bps * into->length_s + next->mean_bps * next->length_s) / length;
    into->length_s = length;
    into->min_bps = MIN(into->min_bps, next->min_bps);
    into->max_bps = MAX(into->max_bps, next->max_bps);
}

static void halve(PltLiveSeries *series)
{
    PltLivePoint *points = (PltLivePoint *)(void *)series->points->data;
    guint n = series->points->len / 2;

    for (guint i = 0; i < n; i++) {
        PltLivePoint point = points[2 * i];

        merge(&point, &points[2 * i + 1]);
        points[i] = point;
    }
    g_array_set_size(series->points, n);
    series->per_point *= 2;
    series->in_last = series->per_point;
}

void plt_live_series_add(PltLiveSeries *series, const struct plt_sample *sample)
{
    double length_s = (double)sample->duration_ns / 1e9;
    double bytes = (double)(sample->op[PLT_OP_READ].bytes + sample->op[PLT_OP_WRITE].bytes);
    double bps = length_s > 0 ? bytes / length_s : 0;
    PltLivePoint point = {.length_s = length_s, .mean_bps = bps, .min_bps = bps, .max_bps = bps};

    if (series->points->len > 0) {
        PltLivePoint *last = &g_array_index(series->points, PltLivePoint, series->points->len - 1);

        if (series->in_last < series->per_point) {
            merge(last, &point);
            series->in_last++;
            return;
        }
        point.start_s = last->start_s + last->length_s;
    }
    if (series->points->len == PLT_LIVE_POINTS)
        halve(series);
    g_array_append_val(series->points, point);
    series->in_last = 1;
}
