/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/phases.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/statistics.h"

/* Slices in the medians that are split: 1 s. Shorter dips are no phase. */
#define STRIDE 10

/* Fewer medians have no two groups worth a name. */
#define MIN_MEDIANS 10

#define MIN_SHARE 0.05      /* of the bytes, in each phase */
#define MIN_DIFFERENCE 1.25 /* between their averages */
#define MIN_EXPLAINED 0.8   /* of the variance, by the split */

struct split {
    double threshold;
    double explained; /* 0..1 */
};

/* Medians of whole seconds; N of them, to be freed. NULL when there is no memory. */
static double *second_medians(const struct plt_series *series, size_t from, size_t n)
{
    double *medians = malloc(n * sizeof(*medians));

    for (size_t i = 0; medians != NULL && i < n; i++) {
        double rates[STRIDE];

        for (size_t k = 0; k < STRIDE; k++)
            rates[k] = plt_series_rate(series, from + i * STRIDE + k);
        plt_analysis_sort(rates, STRIDE);
        medians[i] = plt_analysis_median(rates, STRIDE);
    }
    return medians;
}

/* Otsu: the place among SORTED values at which the two sides' means lie farthest apart for their sizes. */
static struct split otsu(const double *sorted, size_t n)
{
    struct split split = {0};
    double mean = plt_analysis_mean(sorted, n), left = 0, best = 0, variance = 0;

    for (size_t i = 0; i < n; i++)
        variance += (sorted[i] - mean) * (sorted[i] - mean);
    for (size_t i = 1; i < n; i++) {
        double n_left = (double)i, n_right = (double)(n - i), distance = 0, between = 0;

        left += sorted[i - 1];
        distance = left / n_left - (mean * (double)n - left) / n_right;
        between = n_left * n_right / (double)n * distance * distance;
        if (between > best) {
            best = between;
            split.threshold = (left / n_left + (mean * (double)n - left) / n_right) / 2;
        }
    }
    split.explained = variance > 0 ? best / variance : 0;
    return split;
}

/* Of slice I and its two neighbours the middle one: one odd slice does not change the phase. */
static uint32_t smooth(const struct plt_series *series, size_t from, size_t to, size_t i)
{
    uint32_t a = series->units[i > from ? i - 1 : i], b = series->units[i];
    uint32_t c = series->units[i + 1 < to ? i + 1 : i];
    uint32_t low = a < b ? a : b, high = a < b ? b : a;

    return c < low ? low : c > high ? high : c;
}

/* N slices in UNITS, which are sorted. */
static struct plt_level level_of(uint32_t *units, size_t n)
{
    struct plt_level level = {.seconds = (double)n * (double)PLT_SERIES_SLICE_NS / 1e9};
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += units[i];
    level.bytes = (double)sum * PLT_SERIES_UNIT;
    level.average_bps = n > 0 ? level.bytes / level.seconds : 0;
    level.median_bps = plt_series_median(units, n);
    return level;
}

/* The slices FROM to TO - 1 on both sides of the threshold. ROOM has space for all of them. */
static void divide(const struct plt_series *series, size_t from, size_t to, uint32_t *room,
                   struct plt_phases *phases)
{
    double slice_s = (double)PLT_SERIES_SLICE_NS / 1e9;
    uint32_t threshold = (uint32_t)ceil(phases->threshold_bps * slice_s / PLT_SERIES_UNIT);
    size_t slow = 0, fast = to - from;

    for (size_t i = from; i < to; i++) {
        if (smooth(series, from, to, i) < threshold)
            room[slow++] = series->units[i];
        else
            room[--fast] = series->units[i];
    }
    phases->slow = level_of(room, slow);
    phases->fast = level_of(room + slow, to - from - slow);
}

static bool two(const struct plt_phases *phases)
{
    double least = MIN_SHARE * (phases->slow.bytes + phases->fast.bytes);

    return phases->slow.bytes >= least && phases->fast.bytes >= least &&
           phases->fast.average_bps > MIN_DIFFERENCE * phases->slow.average_bps;
}

struct plt_phases plt_analysis_phases(const struct plt_series *series, size_t from, size_t to)
{
    struct plt_phases phases = {0};
    size_t n = to > from && !series->failed ? (to - from) / STRIDE : 0;
    double *medians = n >= MIN_MEDIANS ? second_medians(series, from, n) : NULL;
    struct split split = {0};
    uint32_t *room = NULL;

    if (medians != NULL) {
        plt_analysis_sort(medians, n);
        split = otsu(medians, n);
    }
    free(medians);
    if (split.explained < MIN_EXPLAINED)
        return phases;
    room = malloc((to - from) * sizeof(*room));
    if (room == NULL)
        return phases;
    phases.threshold_bps = split.threshold;
    divide(series, from, to, room, &phases);
    phases.found = two(&phases);
    free(room);
    return phases.found ? phases : (struct plt_phases){0};
}
