/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/thermal.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/statistics.h"

#define SLICES 10       /* in a second */
#define BASE_S 60       /* whose median drops are compared with */
#define DROP 0.85       /* of it: below is a drop */
#define NEAR_C 5        /* below the drive's own warning it may already throttle */
#define MIN_EVENT_S 3   /* shorter is noise */
#define MIN_PAUSE_S 5   /* two events that are closer are one */
#define READING_S 5     /* a reading older than this says nothing */
#define STEADY_S 60     /* the last so many seconds … */
#define STEADY_C 1.0    /* … within this: sensors have steps of 1 °C */
#define MIN_STEADY_S 30 /* and readings over at least so long */

double plt_analysis_heat_limit(double warning_c)
{
    return warning_c - NEAR_C;
}

double plt_analysis_heat_at(const struct plt_heat *heat, size_t n, double seconds)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (heat[middle].seconds <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && seconds - heat[low - 1].seconds <= READING_S ? heat[low - 1].celsius : NAN;
}

static void find_range(const struct plt_heat *heat, size_t n, struct plt_thermal *thermal)
{
    thermal->start_c = thermal->min_c = thermal->max_c = n > 0 ? heat[0].celsius : NAN;
    for (size_t i = 0; i < n; i++) {
        thermal->min_c = fmin(thermal->min_c, heat[i].celsius);
        thermal->max_c = fmax(thermal->max_c, heat[i].celsius);
    }
}

static void find_steady(const struct plt_heat *heat, size_t n, struct plt_thermal *thermal)
{
    double low = INFINITY, high = -INFINITY, sum = 0;
    size_t first = n;

    thermal->steady_c = thermal->steady_since_s = NAN;
    while (first > 0 && heat[first - 1].seconds >= heat[n - 1].seconds - STEADY_S) {
        first--;
        low = fmin(low, heat[first].celsius);
        high = fmax(high, heat[first].celsius);
        sum += heat[first].celsius;
    }
    if (first == n || heat[n - 1].seconds - heat[first].seconds < MIN_STEADY_S || high - low > STEADY_C)
        return;
    thermal->steady_c = sum / (double)(n - first);
    while (first > 0 && fabs(heat[first - 1].celsius - thermal->steady_c) <= STEADY_C)
        first--;
    thermal->steady_since_s = heat[first].seconds;
}

/* Median of slices FROM to TO - 1, BASE_S seconds at most; 0 for none. */
static double median_rate(const struct plt_series *series, size_t from, size_t to)
{
    double rates[BASE_S * SLICES];
    size_t n = 0;

    for (size_t i = from; i < to && i < series->n && n < BASE_S * SLICES; i++)
        rates[n++] = plt_series_rate(series, i);
    plt_analysis_sort(rates, n);
    return plt_analysis_median(rates, n);
}

static double mean_rate(const struct plt_series *series, size_t second)
{
    return plt_series_sum(series, second * SLICES, (second + 1) * SLICES);
}

/* Puts the seconds FROM to TO - 1 down as an event. */
static void add_event(struct plt_thermal *thermal, const struct plt_series *series,
                      const struct plt_heat *heat, size_t n, size_t from, size_t to)
{
    struct plt_throttle *event = &thermal->event[thermal->n_events];

    if (to < from + MIN_EVENT_S)
        return;
    thermal->throttled_s += (double)(to - from);
    if (thermal->n_events++ >= PLT_THERMAL_MAX_EVENTS)
        return;
    event->start_s = (double)from;
    event->length_s = (double)(to - from);
    event->celsius = plt_analysis_heat_at(heat, n, (double)from + 1);
    event->before_bps = thermal->base_bps;
    event->during_bps = median_rate(series, from * SLICES, to * SLICES);
    event->depth = 1 - event->during_bps / event->before_bps;
}

/* Seconds from the end of the base on; an event ends when none of the next MIN_PAUSE_S belongs to it. */
static void find_events(const struct plt_series *series, size_t first, const struct plt_heat *heat, size_t n,
                        struct plt_thermal *thermal)
{
    size_t seconds = series->n / SLICES, from = 0, to = 0;

    for (size_t s = first; s < seconds; s++) {
        bool slow = mean_rate(series, s) < DROP * thermal->base_bps;

        if (!slow || !(plt_analysis_heat_at(heat, n, (double)s + 1) >= thermal->limit_c))
            continue;
        if (to == 0 || s >= to + MIN_PAUSE_S) {
            add_event(thermal, series, heat, n, from, to);
            from = s;
        }
        to = s + 1;
    }
    add_event(thermal, series, heat, n, from, to);
}

void plt_analysis_thermal(const struct plt_series *series, double from_s, const struct plt_heat *heat,
                          size_t n, double warning_c, struct plt_thermal *thermal)
{
    size_t first = from_s > 0 ? (size_t)ceil(from_s) : 0;

    *thermal = (struct plt_thermal){.limit_c = plt_analysis_heat_limit(warning_c)};
    find_range(heat, n, thermal);
    find_steady(heat, n, thermal);
    if (series->failed)
        return;
    thermal->base_bps = median_rate(series, first * SLICES, (first + BASE_S) * SLICES);
    if (n > 0 && thermal->base_bps > 0 && isfinite(warning_c))
        find_events(series, first, heat, n, thermal);
}
