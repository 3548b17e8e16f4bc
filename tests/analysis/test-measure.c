/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "analysis/measure.h"

#define SECOND G_GUINT64_CONSTANT(1000000000)

static struct plt_histogram *histogram_new(void)
{
    struct plt_histogram *histogram = g_new0(struct plt_histogram, 1);

    plt_histogram_reset(histogram);
    return histogram;
}

/* 1000 I/Os of 4 KiB in 5 s: 200 IOPS, 0.8192 MB/s. */
static void test_rates(void)
{
    struct plt_measure measure = plt_analysis_measure(1000, 4096000, 5 * SECOND, NULL);

    g_assert_cmpuint(measure.ios, ==, 1000);
    g_assert_cmpuint(measure.bytes, ==, 4096000);
    g_assert_cmpfloat(measure.seconds, ==, 5);
    g_assert_cmpfloat(measure.iops, ==, 200);
    g_assert_cmpfloat(measure.bandwidth_bps, ==, 819200);
    g_assert_cmpfloat(measure.latency.mean_ns, ==, 0);
    g_assert_false(measure.latency.reliable[PLT_P50]);
}

static void test_empty_window(void)
{
    g_autofree struct plt_histogram *histogram = histogram_new();
    struct plt_measure measure = plt_analysis_measure(0, 0, 0, histogram);

    g_assert_cmpfloat(measure.iops, ==, 0);
    g_assert_cmpfloat(measure.bandwidth_bps, ==, 0);
    /* The histogram's own minimum is UINT64_MAX then, which is no latency. */
    g_assert_cmpuint(measure.latency.min_ns, ==, 0);
    g_assert_cmpfloat(measure.latency.percentile_ns[PLT_P99], ==, 0);
}

/* 10,000 I/Os: 9,900 of 100 ns, 90 of 10 µs, 10 of 1 ms; nearest ranks 9900, 9990 and 9999. */
static void test_latency(void)
{
    g_autofree struct plt_histogram *histogram = histogram_new();
    struct plt_measure measure;

    for (int i = 0; i < 10000; i++)
        plt_histogram_add(histogram, i < 9900 ? 100 : i < 9990 ? 10000 : 1000000);
    measure = plt_analysis_measure(10000, 40960000, SECOND, histogram);

    g_assert_cmpuint(measure.latency.min_ns, ==, 100);
    g_assert_cmpuint(measure.latency.max_ns, ==, 1000000);
    g_assert_cmpfloat_with_epsilon(measure.latency.mean_ns, 99 + 90 + 1000, 1e-9);
    g_assert_cmpfloat(measure.latency.percentile_ns[PLT_P50], ==, 100);
    g_assert_cmpfloat(measure.latency.percentile_ns[PLT_P99], ==, 100);
    g_assert_cmpfloat_with_epsilon(measure.latency.percentile_ns[PLT_P99_9], 10000, 78);
    g_assert_cmpfloat_with_epsilon(measure.latency.percentile_ns[PLT_P99_99], 1000000, 7800);
    g_assert_true(measure.latency.reliable[PLT_P99_9]);
    g_assert_false(measure.latency.reliable[PLT_P99_99]);
}

/* A uniform spread over six decades: each percentile within the stated 0.78 % of the exact nearest rank. */
static void test_error_bound(void)
{
    static const double shares[] = {0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999};
    g_autofree struct plt_histogram *histogram = histogram_new();
    struct plt_measure measure;
    const guint64 n = 1000000;

    for (guint64 i = 1; i <= n; i++)
        plt_histogram_add(histogram, i * 1000);
    measure = plt_analysis_measure(n, n * 512, SECOND, histogram);
    for (int p = 0; p < PLT_N_PERCENTILES; p++) {
        double exact = shares[p] * (double)n * 1000;

        g_assert_cmpfloat_with_epsilon(measure.latency.percentile_ns[p], exact, exact / 128 + 1000);
        g_assert_true(measure.latency.reliable[p]);
    }
}

static void test_percentile_names(void)
{
    static const struct {
        double share;
        const char *key;
    } expected[] = {{0.5, "p50"},     {0.9, "p90"},       {0.95, "p95"},       {0.99, "p99"},
                    {0.999, "p99_9"}, {0.9999, "p99_99"}, {0.99999, "p99_999"}};

    g_assert_cmpint(G_N_ELEMENTS(expected), ==, PLT_N_PERCENTILES);
    for (int p = 0; p < PLT_N_PERCENTILES; p++) {
        g_assert_cmpfloat(plt_percentile_share((enum plt_percentile)p), ==, expected[p].share);
        g_assert_cmpstr(plt_percentile_key((enum plt_percentile)p), ==, expected[p].key);
    }
    g_assert_null(plt_percentile_key(PLT_N_PERCENTILES));
    g_assert_cmpfloat(plt_percentile_share(PLT_N_PERCENTILES), ==, 0);
}

/* methods.md 0 and 1.24. */
static void test_conversion(void)
{
    g_assert_cmpfloat_with_epsilon(plt_analysis_iops_to_mbps(2300e3, 4096), 9420.8, 1e-6);
    g_assert_cmpfloat_with_epsilon(plt_analysis_iops_to_mbps(2400e3, 4096), 9830.4, 1e-6);
    g_assert_cmpfloat_with_epsilon(plt_analysis_mbps_to_iops(9420.8, 4096), 2300e3, 1e-3);
    /* The CrystalDiskMark example: 3504.012 MB/s of 1 MiB are 3341.7 IOPS. */
    g_assert_cmpfloat_with_epsilon(plt_analysis_mbps_to_iops(3504.012, 1048576), 3341.7, 0.05);
    g_assert_cmpfloat(plt_analysis_mbps_to_iops(100, 0), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/measure/rates", test_rates);
    g_test_add_func("/analysis/measure/empty-window", test_empty_window);
    g_test_add_func("/analysis/measure/latency", test_latency);
    g_test_add_func("/analysis/measure/error-bound", test_error_bound);
    g_test_add_func("/analysis/measure/percentile-names", test_percentile_names);
    g_test_add_func("/analysis/measure/conversion", test_conversion);
    return g_test_run();
}
