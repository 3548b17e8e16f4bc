/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <glib.h>

#include "analysis/statistics.h"

static void test_empty(void)
{
    struct plt_summary summary = plt_analysis_summarise(NULL, 0);

    g_assert_cmpuint(summary.n, ==, 0);
    g_assert_cmpfloat(summary.mean, ==, 0);
    g_assert_cmpfloat(summary.spread, ==, 0);
    g_assert_cmpfloat(plt_analysis_median(NULL, 0), ==, 0);
    g_assert_cmpfloat(plt_analysis_percentile(NULL, 0, 0.5), ==, 0);
    g_assert_cmpfloat(plt_analysis_slope(NULL, 0), ==, 0);
    g_assert_cmpfloat(plt_analysis_slope_snia_percent(NULL, 0), ==, 0);
    g_assert_cmpfloat(plt_analysis_consistency_percent(NULL, 0), ==, 0);
    g_assert_cmpfloat(plt_analysis_mixed_mean(NULL, 0), ==, 0);
    g_assert_cmpfloat(plt_analysis_average_rate(NULL, NULL, 0), ==, 0);
}

static void test_one(void)
{
    double value = 42;
    struct plt_summary summary = plt_analysis_summarise(&value, 1);

    g_assert_cmpfloat(summary.min, ==, 42);
    g_assert_cmpfloat(summary.max, ==, 42);
    g_assert_cmpfloat(summary.median, ==, 42);
    g_assert_cmpfloat(summary.p0_1, ==, 42);
    g_assert_cmpfloat(summary.stddev, ==, 0);
    g_assert_cmpfloat(plt_analysis_slope(&value, 1), ==, 0);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squares 32, so the sample deviation is sqrt(32 / 7). */
static void test_summary(void)
{
    double values[] = {9, 2, 5, 4, 7, 4, 5, 4};
    struct plt_summary summary = plt_analysis_summarise(values, G_N_ELEMENTS(values));

    g_assert_cmpfloat(values[0], ==, 2);
    g_assert_cmpfloat(values[7], ==, 9);
    g_assert_cmpuint(summary.n, ==, 8);
    g_assert_cmpfloat(summary.min, ==, 2);
    g_assert_cmpfloat(summary.max, ==, 9);
    g_assert_cmpfloat(summary.mean, ==, 5);
    g_assert_cmpfloat(summary.median, ==, 4.5);
    g_assert_cmpfloat_with_epsilon(summary.stddev, 2.138089935, 1e-9);
    g_assert_cmpfloat_with_epsilon(summary.variation, 0.427617987, 1e-9);
    g_assert_cmpfloat_with_epsilon(summary.spread, 7 / 4.5, 1e-12);
}

/* The deviation of 1, 2, 3 is 1 wherever they lie: a naive sum of squares loses it at 10^15. */
static void test_stddev_far_from_zero(void)
{
    double values[] = {1e15 + 1, 1e15 + 2, 1e15 + 3};

    g_assert_cmpfloat(plt_analysis_stddev(values, 3), ==, 1);
}

static void fill_upwards(double *values, gsize n)
{
    for (gsize i = 0; i < n; i++)
        values[i] = (double)(i + 1);
}

static void test_nearest_rank(void)
{
    g_autofree double *values = g_new(double, 3000);

    fill_upwards(values, 3000);
    /* methods.md 1.24: five minutes of 100 ms samples, the third smallest. */
    g_assert_cmpfloat(plt_analysis_percentile(values, 3000, 0.001), ==, 3);
    g_assert_cmpfloat(plt_analysis_percentile(values, 3000, 0.01), ==, 30);
    g_assert_cmpfloat(plt_analysis_percentile(values, 3000, 0), ==, 1);
    g_assert_cmpfloat(plt_analysis_percentile(values, 3000, 1), ==, 3000);
    g_assert_cmpfloat(plt_analysis_percentile(values, 3000, 0.00001), ==, 1);
    /* One sample more, and the rank is rounded up. */
    g_assert_cmpfloat(plt_analysis_percentile(values, 2999, 0.001), ==, 3);
    g_assert_cmpfloat(plt_analysis_percentile(values, 1001, 0.001), ==, 2);
    g_assert_cmpfloat(plt_analysis_percentile(values, 50, 0.01), ==, 1);
}

/* Every whole percentage of 100 values is that very value, although 0.07 x 100 is above 7 in binary. */
static void test_rank_is_exact(void)
{
    double values[1000];

    fill_upwards(values, 1000);
    for (int percent = 1; percent <= 100; percent++)
        g_assert_cmpfloat(plt_analysis_percentile(values, 100, percent / 100.0), ==, percent);
    for (int permille = 1; permille <= 1000; permille++)
        g_assert_cmpfloat(plt_analysis_percentile(values, 1000, permille / 1000.0), ==, permille);
}

static void test_reliable(void)
{
    static const struct {
        double share;
        guint64 least;
    } cases[] = {{0.5, 20},      {0.9, 100},       {0.95, 200},       {0.99, 1000},
                 {0.999, 10000}, {0.9999, 100000}, {0.99999, 1000000}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_true(plt_analysis_percentile_reliable(cases[i].least, cases[i].share));
        g_assert_false(plt_analysis_percentile_reliable(cases[i].least - 1, cases[i].share));
    }
    /* methods.md 0: 11k IOPS for 300 s carry P99.999 on 33 I/Os, P99.9999 only on 3. */
    g_assert_true(plt_analysis_percentile_reliable(3300000, 0.99999));
    g_assert_false(plt_analysis_percentile_reliable(3300000, 0.999999));
    g_assert_false(plt_analysis_percentile_reliable(0, 0.5));
}

/* methods.md 1.24: y = 100 … 109 over 10 samples. */
static void test_slope(void)
{
    double values[10];

    for (int i = 0; i < 10; i++)
        values[i] = 100 + i;
    g_assert_cmpfloat_with_epsilon(plt_analysis_slope(values, 10), 1, 1e-12);
    g_assert_cmpfloat_with_epsilon(plt_analysis_slope_fio_percent(values, 10), 0.957, 0.0005);
    g_assert_cmpfloat_with_epsilon(plt_analysis_slope_snia_percent(values, 10), 8.61, 0.005);
}

/* Falling values have a negative slope but the same percentage; an outlier weighs as least squares say. */
static void test_slope_sign(void)
{
    double falling[] = {109, 108, 107, 106, 105, 104, 103, 102, 101, 100};
    double bent[] = {0, 0, 3};

    g_assert_cmpfloat_with_epsilon(plt_analysis_slope(falling, 10), -1, 1e-12);
    g_assert_cmpfloat_with_epsilon(plt_analysis_slope_snia_percent(falling, 10), 900 / 104.5, 1e-9);
    g_assert_cmpfloat_with_epsilon(plt_analysis_slope(bent, 3), 1.5, 1e-12);
}

static void test_consistency(void)
{
    g_autofree double *values = g_new(double, 3000);
    double flat[] = {5, 5, 5, 5};

    /* Two dips are below the rank that counts, the third is not. */
    for (gsize i = 0; i < 3000; i++)
        values[i] = 1000;
    values[0] = values[1] = 0;
    g_assert_cmpfloat_with_epsilon(plt_analysis_consistency_percent(values, 3000), 100.0667, 0.0001);
    values[2] = 500;
    g_assert_cmpfloat_with_epsilon(plt_analysis_consistency_percent(values, 3000), 50.0417, 0.0001);
    g_assert_cmpfloat(plt_analysis_consistency_percent(flat, 4), ==, 100);
}

/* methods.md 1.24: 100, 200, 300 at QD 1, 2, 4. */
static void test_weighted(void)
{
    const double values[] = {100, 200, 300};
    const double newer[] = {0.80, 0.15, 0.05};
    const double older[] = {0.70, 0.20, 0.10};

    g_assert_cmpfloat_with_epsilon(plt_analysis_weighted(values, newer, 3), 125, 1e-9);
    g_assert_cmpfloat_with_epsilon(plt_analysis_weighted(values, older, 3), 140, 1e-9);
}

/* Eleven ratios leave nine. */
static void test_mixed_mean(void)
{
    const double values[] = {1e6, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1e6};
    const double two[] = {1, 2};

    g_assert_cmpfloat(plt_analysis_mixed_mean(values, 11), ==, 5);
    g_assert_cmpfloat(plt_analysis_mixed_mean(two, 2), ==, 0);
}

/* methods.md 1.24: the four parts of a review's two passes, in TB at MB/s, give 2613 MB/s. */
static void test_average_rate(void)
{
    const double bytes[] = {1.2e12, 2.8e12, 0.05e12, 3.95e12};
    const double rates[] = {6655e6, 1808e6, 6591e6, 2981e6};
    const double half_stalled[] = {0, 1808e6};

    g_assert_cmpfloat_with_epsilon(plt_analysis_average_rate(bytes, rates, 4) / 1e6, 2613, 0.5);
    g_assert_cmpfloat_with_epsilon(plt_analysis_average_rate(bytes, half_stalled, 2), 1808e6, 1);
}

static void test_queue_depth(void)
{
    /* 100k IOPS of 320 µs each: 32 in flight. */
    g_assert_cmpfloat_with_epsilon(plt_analysis_queue_depth(100000, 320000), 32, 1e-9);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/statistics/empty", test_empty);
    g_test_add_func("/analysis/statistics/one", test_one);
    g_test_add_func("/analysis/statistics/summary", test_summary);
    g_test_add_func("/analysis/statistics/stddev-far-from-zero", test_stddev_far_from_zero);
    g_test_add_func("/analysis/statistics/nearest-rank", test_nearest_rank);
    g_test_add_func("/analysis/statistics/rank-is-exact", test_rank_is_exact);
    g_test_add_func("/analysis/statistics/reliable", test_reliable);
    g_test_add_func("/analysis/statistics/slope", test_slope);
    g_test_add_func("/analysis/statistics/slope-sign", test_slope_sign);
    g_test_add_func("/analysis/statistics/consistency", test_consistency);
    g_test_add_func("/analysis/statistics/weighted", test_weighted);
    g_test_add_func("/analysis/statistics/mixed-mean", test_mixed_mean);
    g_test_add_func("/analysis/statistics/average-rate", test_average_rate);
    g_test_add_func("/analysis/statistics/queue-depth", test_queue_depth);
    return g_test_run();
}
