/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/cliff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/statistics.h"

/*
 * The series is cut into parts of equally many bytes, and the cliff is the first part at which all of these
 * hold. Over position a stall or a dip of many seconds is one slow part, a cache of 0.5 % of the drive is ten
 * parts however fast it was, and a fall counts by how much data it concerns.
 *
 * 2000 parts: ten for a cache of 10 GB of a 2 TB drive (review 004, second pass), twenty behind a cliff at 99
 * %. Fewer when there are fewer slices, because a slice has one speed only.
 */
#define MAX_PARTS 2000

/* A fall is one to less than 80 % of the median of all before it (methods.md 1.3). */
#define FALL 0.8

/*
 * Before: at least so many parts and half a second, or what the buffers of a controller or of a slow link
 * take in at once would be called a cache.
 */
#define MIN_BEFORE 5
#define MIN_BEFORE_S 0.5

/*
 * And behind it 0.5 % of the parts, two at least, and a second: a few slow slices at the very end are no new
 * level.
 */
#define MIN_BEHIND 0.005
#define MIN_BEHIND_PARTS 2
#define MIN_BEHIND_S 1.0

/* Behind: the median of so many parts, 1 % of the bytes, has fallen … */
#define SHORT 20

/* … and 90 % of so many, 5 % of the bytes, or of what is left. */
#define LONG 100
#define LASTING 0.9

/*
 * At once: against the level just before, not only against the median of everything, which a slope falls
 * below in the end as well. The two levels are taken 1 % of the bytes apart, so that a cache may end in
 * steps.
 */
#define GAP 20

/*
 * For good: at most a third of all bytes behind it are within 10 % of the level before. Dips of garbage
 * collection and a throttle that lets go again come back there.
 */
#define BACK 0.9
#define MAX_BACK (1.0 / 3)

/*
 * New: fewer slow parts before it than a quarter of those behind. The last of many dips is not the end of
 * anything, and a cache with a stall here and there still is one.
 */
#define MAX_SEEN 0.25

/* Clear of noise: the slowest quarter before is faster than the fastest quarter behind. */
#define QUARTER 0.25

struct parts {
    size_t n;
    double bytes;   /* of each */
    double *rate;   /* bytes/s of each; never 0 */
    double *sorted; /* of all parts before the one that is looked at, upwards */
    double buffer[LONG];
};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The parts of SERIES: for each the time that its bytes took. Within a slice the speed counts as even. */
static void cut(const struct plt_series *series, struct parts *parts)
{
    double slice_s = (double)PLT_SERIES_SLICE_NS / 1e9;
    double size = parts->bytes;
    double filled = 0, seconds = 0;
    size_t part = 0;

    for (size_t i = 0; i < series->n; i++) {
        double bytes = series->units[i] * PLT_SERIES_UNIT;
        double rate = bytes / slice_s;

        if (bytes == 0) {
            seconds += slice_s;
            continue;
        }
        while (part < parts->n && filled + bytes >= size * (1 - 1e-9)) {
            double need = size - filled;

            parts->rate[part++] = size / (seconds + need / rate);
            bytes -= need;
            filled = 0;
            seconds = 0;
        }
        filled += bytes;
        seconds += bytes / rate;
    }
    /* Rounding may leave the last part a byte short of whole. */
    if (part < parts->n && part > 0)
        parts->rate[part] = seconds > 0 ? filled / seconds : parts->rate[part - 1];
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The value that SHARE of the parts FROM to TO - 1 (at most LONG) reach. */
static double level(struct parts *parts, size_t from, size_t to, double share)
{
    size_t n = to - from;

    memcpy(parts->buffer, parts->rate + from, n * sizeof(double));
    qsort(parts->buffer, n, sizeof(double), compare);
    if (share == 0.5)
        return plt_analysis_median(parts->buffer, n);
    return plt_analysis_percentile(parts->buffer, n, share);
}

static bool falls(struct parts *parts, size_t k, double before)
{
    size_t to = min_size(k + LONG, parts->n);
    size_t low = 0;

    for (size_t i = k; i < to; i++)
        low += parts->rate[i] < FALL * before;
    if ((double)low < LASTING * (double)(to - k))
        return false;
    return level(parts, k, min_size(k + SHORT, parts->n), 0.5) < FALL * before;
}

static bool at_once(struct parts *parts, size_t k)
{
    double before = level(parts, k > SHORT ? k - SHORT : 0, k, 0.5);
    size_t from = k + GAP < parts->n ? k + GAP : k;

    return level(parts, from, min_size(from + SHORT, parts->n), 0.5) < FALL * before;
}

static bool for_good(const struct parts *parts, size_t k, double before)
{
    size_t back = 0;

    for (size_t i = k; i < parts->n; i++)
        back += parts->rate[i] > BACK * before;
    return (double)back <= MAX_BACK * (double)(parts->n - k);
}

static bool is_new(const struct parts *parts, size_t k, double before)
{
    size_t seen = 0;

    for (size_t i = 0; i < k; i++)
        seen += parts->rate[i] < FALL * before;
    return (double)seen <= MAX_SEEN * (double)(parts->n - k);
}

static bool clear_of_noise(struct parts *parts, size_t k)
{
    return level(parts, k > LONG ? k - LONG : 0, k, QUARTER) >
           level(parts, k, min_size(k + LONG, parts->n), 1 - QUARTER);
}

static void insert_sorted(double *sorted, size_t n, double value)
{
    size_t i = n;

    for (; i > 0 && sorted[i - 1] > value; i--)
        sorted[i] = sorted[i - 1];
    sorted[i] = value;
}

/* The part that a cliff may lie at last. */
static size_t last_place(const struct parts *parts)
{
    size_t behind = (size_t)ceil(MIN_BEHIND * (double)parts->n), n = 0;
    double seconds = 0;

    behind = behind > MIN_BEHIND_PARTS ? behind : MIN_BEHIND_PARTS;
    for (; n < parts->n && (n < behind || seconds < MIN_BEHIND_S); n++)
        seconds += parts->bytes / parts->rate[parts->n - 1 - n];
    return parts->n - n;
}

/* The first part that a cliff lies at, give or take a few; 0 when there is none. */
static size_t find(struct parts *parts)
{
    size_t last = last_place(parts);
    double seconds = 0;

    for (size_t k = 0; k <= last; k++) {
        double before = plt_analysis_median(parts->sorted, k);

        if (k >= MIN_BEFORE && seconds >= MIN_BEFORE_S && falls(parts, k, before) && at_once(parts, k) &&
            for_good(parts, k, before) && is_new(parts, k, before) && clear_of_noise(parts, k))
            return k;
        insert_sorted(parts->sorted, k, parts->rate[k]);
        seconds += parts->bytes / parts->rate[k];
    }
    return 0;
}

/* Slice in which BYTES have been moved. */
static size_t slice_at(const struct plt_series *series, double bytes)
{
    uint64_t units = 0;

    for (size_t i = 0; i < series->n; i++) {
        units += series->units[i];
        if ((double)units * PLT_SERIES_UNIT >= bytes)
            return i;
    }
    return series->n > 0 ? series->n - 1 : 0;
}

/* Splits FROM to TO - 1 in two so that the slices differ least from the means of their sides. */
static size_t best_split(const struct plt_series *series, size_t from, size_t to)
{
    double total = plt_series_sum(series, from, to), left = 0, best = -1;
    size_t at = from + 1;

    for (size_t i = from + 1; i < to; i++) {
        double n_left = (double)(i - from), n_right = (double)(to - i);
        double distance = 0, between = 0;

        left += series->units[i - 1] * PLT_SERIES_UNIT;
        distance = left / n_left - (total - left) / n_right;
        between = n_left * n_right * distance * distance;
        if (distance > 0 && between > best) {
            best = between;
            at = i;
        }
    }
    return at;
}

/*
 * The place between parts to a fraction of a slice: one of 100 ms is 1.3 GB at 13 GB/s, an eighth of the
 * cache in review 004's second pass. The slice in which the speed fell is on one side of the best split: so
 * the bytes of the slices on both sides say how long it was still fast.
 */
static void refine(const struct plt_series *series, const struct parts *parts, size_t part,
                   struct plt_cliff *cliff)
{
    double slice_s = (double)PLT_SERIES_SLICE_NS / 1e9;
    double size = parts->bytes;
    size_t middle = slice_at(series, size * (double)part);
    size_t first = slice_at(series, size * (part > SHORT ? (double)(part - SHORT) : 0));
    size_t last = slice_at(series, size * (double)min_size(part + SHORT, parts->n));
    size_t from = middle > MIN_BEFORE ? min_size(first, middle - MIN_BEFORE) : 0;
    size_t to = min_size((last > middle + MIN_BEFORE ? last : middle + MIN_BEFORE) + 1, series->n);
    size_t split = best_split(series, from, to);
    double before = plt_analysis_section(series, from, split).median_bps;
    double after = plt_analysis_section(series, split, to).median_bps;
    double both = plt_series_rate(series, split - 1) + plt_series_rate(series, split);
    double fast = before > after ? (both - 2 * after) / (before - after) : 1;

    fast = fast < 0 ? 0 : fast > 2 ? 2 : fast;
    cliff->seconds = ((double)(split - 1) + fast) * slice_s;
    cliff->bytes = plt_series_sum(series, 0, split - 1) + fast * before * slice_s;
    cliff->slice = split - 1 + (fast >= 1);
    cliff->after_bps = after;
    cliff->before_bps = plt_analysis_section(series, 0, cliff->slice).median_bps;
}

static bool make_parts(const struct plt_series *series, struct parts *parts)
{
    *parts = (struct parts){.n = min_size(series->n, MAX_PARTS)};
    parts->bytes = plt_series_sum(series, 0, series->n) / (double)parts->n;
    parts->rate = calloc(parts->n, sizeof(double));
    parts->sorted = calloc(parts->n, sizeof(double));
    if (parts->rate == NULL || parts->sorted == NULL)
        return false;
    cut(series, parts);
    return true;
}

struct plt_cliff plt_analysis_cliff(const struct plt_series *series)
{
    struct plt_cliff cliff = {.verdict = PLT_CLIFF_TOO_SHORT};
    struct parts parts;
    size_t part = 0;

    if (series->failed || series->n < PLT_CLIFF_MIN_SLICES || plt_series_sum(series, 0, series->n) <= 0)
        return cliff;
    if (make_parts(series, &parts)) {
        part = find(&parts);
        cliff.verdict = part > 0 ? PLT_CLIFF_FOUND : PLT_CLIFF_NONE;
    }
    if (cliff.verdict == PLT_CLIFF_FOUND)
        refine(series, &parts, part, &cliff);
    if (cliff.verdict == PLT_CLIFF_FOUND && cliff.seconds < MIN_BEFORE_S)
        cliff = (struct plt_cliff){.verdict = PLT_CLIFF_NONE};
    free(parts.rate);
    free(parts.sorted);
    return cliff;
}

const char *plt_cliff_verdict_name(enum plt_cliff_verdict verdict)
{
    static const char *const names[] = {
        [PLT_CLIFF_NONE] = "none",
        [PLT_CLIFF_FOUND] = "found",
        [PLT_CLIFF_TOO_SHORT] = "too-short",
    };

    return names[verdict];
}
