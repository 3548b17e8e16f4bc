/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "engine/histogram.h"
#include "engine/random.h"

#include "tap.h"

/* The bound that the program states, and the half of it that a bucket's middle keeps. */
#define BOUND (1.0 / 128)

static struct plt_histogram *make(void)
{
    struct plt_histogram *h = malloc(sizeof *h);
    plt_histogram_reset(h);
    return h;
}

static void check_bucket_of(uint64_t ns)
{
    unsigned index = plt_histogram_index(ns);
    if (!CHECK_INT(index, <, PLT_HISTOGRAM_BUCKETS)) {
        return;
    }
    uint64_t lower = plt_histogram_lower_ns(index), width = plt_histogram_width_ns(index);
    CHECK_INT(lower, <=, ns);
    CHECK_INT(ns - lower, <, width);
}

/* The buckets lie side by side from 0 to 2^64 - 1, and each is as narrow as it is said to be. */
static void test_bounds(void)
{
    uint64_t next = 0;
    for (unsigned i = 0; i < PLT_HISTOGRAM_BUCKETS && tap_failures() == 0; i++) {
        uint64_t lower = plt_histogram_lower_ns(i), width = plt_histogram_width_ns(i);
        CHECK_INT(lower, ==, next);
        CHECK_INT(width, >=, 1);
        CHECK_INT(plt_histogram_index(lower), ==, i);
        CHECK_INT(plt_histogram_index(lower + width - 1), ==, i);
        if (lower >= 128) {
            CHECK_INT(width, <=, lower / 128);
        } else {
            CHECK_INT(width, ==, 1);
        }
        next = lower + width;
    }
    CHECK_INT(next, ==, 0); /* 2^64, wrapped */
}

static void test_every_octave(void)
{
    for (int m = 0; m < 64; m++) {
        uint64_t first = UINT64_C(1) << m;
        check_bucket_of(first - 1);
        check_bucket_of(first);
        check_bucket_of(first + 1);
        check_bucket_of(first + (first >> 1));
    }
    check_bucket_of(UINT64_MAX);
    CHECK_INT(plt_histogram_index(UINT64_MAX), ==, PLT_HISTOGRAM_BUCKETS - 1);
    CHECK_INT(plt_histogram_index(0), ==, 0);
}

static void test_random_values(void)
{
    uint64_t state = 1;
    for (int i = 0; i < 1000000 && tap_failures() == 0; i++) {
        uint64_t random = plt_splitmix64(&state);
        check_bucket_of(random >> (plt_splitmix64(&state) & 63));
    }
}

static void test_empty(void)
{
    struct plt_histogram *h = make();
    CHECK_INT(h->count, ==, 0);
    CHECK_INT(h->min_ns, ==, UINT64_MAX);
    CHECK_INT(h->max_ns, ==, 0);
    CHECK_REAL(plt_histogram_mean_ns(h), ==, 0);
    CHECK_REAL(plt_histogram_stddev_ns(h), ==, 0);
    CHECK_REAL(plt_histogram_percentile_ns(h, 0.5), ==, 0);
    CHECK_REAL(plt_histogram_percentile_ns(h, 1), ==, 0);
    free(h);
}

static void test_one_value(void)
{
    struct plt_histogram *h = make();
    plt_histogram_add(h, 123456789);
    CHECK_REAL(plt_histogram_mean_ns(h), ==, 123456789);
    CHECK_REAL(plt_histogram_stddev_ns(h), ==, 0);
    for (int p = 0; p <= 100; p++) {
        CHECK_REAL(plt_histogram_percentile_ns(h, p / 100.0), ==, 123456789);
    }
    free(h);
}

/* Values below 128 have a bucket each, so every rank comes out exactly, and p x count is no rounding trap. */
static void test_exact_ranks(void)
{
    struct plt_histogram *h = make();
    for (unsigned ns = 1; ns <= 100; ns++) {
        plt_histogram_add(h, ns);
    }
    for (unsigned percent = 1; percent <= 100; percent++) {
        CHECK_REAL(plt_histogram_percentile_ns(h, percent / 100.0), ==, percent);
    }
    CHECK_REAL(plt_histogram_percentile_ns(h, 0), ==, 1);
    CHECK_REAL(plt_histogram_percentile_ns(h, 0.001), ==, 1);
    CHECK_REAL(plt_histogram_percentile_ns(h, 0.011), ==, 2);
    CHECK_REAL(plt_histogram_mean_ns(h), ==, 50.5);
    /* Variance of 1..n over n - 1 is n (n + 1) / 12. */
    CHECK_REAL(fabs(plt_histogram_stddev_ns(h) - sqrt(100.0 * 101 / 12)), <, 1e-9);
    free(h);
}

static double uniform(uint64_t *state)
{
    return (double)(plt_splitmix64(state) >> 11) / (double)(UINT64_C(1) << 53);
}

static uint64_t draw_flat(uint64_t *state)
{
    return 50000 + (uint64_t)(uniform(state) * 100000);
}

static uint64_t draw_exponential(uint64_t *state)
{
    return 8000 + (uint64_t)(-80000 * log(1 - uniform(state)));
}

/* The long tail of a drive that cleans up: 1 of 1000 takes 50-5000 times as long. */
static uint64_t draw_tail(uint64_t *state)
{
    double scale = uniform(state) < 0.001 ? pow(10, 1.7 + 2 * uniform(state)) : 1;
    return (uint64_t)(scale * (double)draw_exponential(state));
}

static uint64_t draw_two_modes(uint64_t *state)
{
    return uniform(state) < 0.7 ? 11000 + plt_splitmix64(state) % 500 : 92000 + plt_splitmix64(state) % 4000;
}

static uint64_t draw_all_octaves(uint64_t *state)
{
    return (uint64_t)exp2(36 * uniform(state)); /* 1 ns to 68 s */
}

static int ascending(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void check_against_sorted(uint64_t (*draw)(uint64_t *))
{
    enum { N = 200000 };
    static const unsigned ranks[] = {1,      2,      20,     1000,   50000,  100000, 140000, 140001,
                                     180000, 190000, 198000, 199800, 199980, 199999, 200000};
    uint64_t *values = malloc(N * sizeof *values);
    uint64_t state = 2026;
    struct plt_histogram *h = make();
    uint64_t sum = 0;
    for (int i = 0; i < N; i++) {
        values[i] = draw(&state);
        sum += values[i];
        plt_histogram_add(h, values[i]);
    }
    qsort(values, N, sizeof *values, ascending);
    CHECK_INT(h->count, ==, N);
    CHECK_INT(h->sum_ns, ==, sum);
    CHECK_INT(h->min_ns, ==, values[0]);
    CHECK_INT(h->max_ns, ==, values[N - 1]);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        double exact = (double)values[ranks[i] - 1];
        double shown = plt_histogram_percentile_ns(h, (double)ranks[i] / N);
        tap_check(fabs(shown - exact) <= exact * BOUND, __FILE__, __LINE__, "rank %u: %f for %f", ranks[i],
                  shown, exact);
    }
    CHECK_REAL(plt_histogram_percentile_ns(h, 1), ==, (double)values[N - 1]);
    free(values);
    free(h);
}

static void test_percentiles(void)
{
    check_against_sorted(draw_flat);
    check_against_sorted(draw_exponential);
    check_against_sorted(draw_tail);
    check_against_sorted(draw_two_modes);
    check_against_sorted(draw_all_octaves);
}

/* The deviation from bucket middles against the one from the values, over a spread as drives have it. */
static void test_stddev(void)
{
    enum { N = 100000 };
    struct plt_histogram *h = make();
    uint64_t state = 7;
    double mean = 0, squares = 0;
    for (int i = 1; i <= N; i++) {
        double value = (double)draw_exponential(&state), step = value - mean;
        plt_histogram_add(h, (uint64_t)value);
        mean += step / i;
        squares += step * (value - mean);
    }
    double exact = sqrt(squares / (N - 1));
    CHECK_REAL(fabs(plt_histogram_stddev_ns(h) - exact), <, exact * BOUND);
    CHECK_REAL(fabs(plt_histogram_mean_ns(h) - mean), <, mean * 1e-9);
    free(h);
}

static void test_merge(void)
{
    struct plt_histogram *all = make(), *even = make(), *odd = make(), *none = make();
    uint64_t state = 3;
    for (int i = 0; i < 10000; i++) {
        uint64_t value = draw_all_octaves(&state);
        plt_histogram_add(all, value);
        plt_histogram_add(i % 2 == 0 ? even : odd, value);
    }
    plt_histogram_merge(even, odd);
    plt_histogram_merge(even, none);
    CHECK_INT(even->count, ==, all->count);
    CHECK_INT(even->sum_ns, ==, all->sum_ns);
    CHECK_INT(even->min_ns, ==, all->min_ns);
    CHECK_INT(even->max_ns, ==, all->max_ns);
    for (unsigned i = 0; i < PLT_HISTOGRAM_BUCKETS && tap_failures() == 0; i++) {
        CHECK_INT(even->bucket[i], ==, all->bucket[i]);
    }
    plt_histogram_merge(none, odd);
    CHECK_INT(none->min_ns, ==, odd->min_ns);
    CHECK_INT(none->count, ==, odd->count);
    free(all);
    free(even);
    free(odd);
    free(none);
}

static const struct tap_case cases[] = {
    {"/engine/histogram/bounds", test_bounds},
    {"/engine/histogram/every-octave", test_every_octave},
    {"/engine/histogram/random-values", test_random_values},
    {"/engine/histogram/empty", test_empty},
    {"/engine/histogram/one-value", test_one_value},
    {"/engine/histogram/exact-ranks", test_exact_ranks},
    {"/engine/histogram/percentiles", test_percentiles},
    {"/engine/histogram/stddev", test_stddev},
    {"/engine/histogram/merge", test_merge},
};

TAP_MAIN(cases)
