/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "analysis/series.h"

#define MS G_GUINT64_CONSTANT(1000000)

static void test_empty(void)
{
    struct plt_series series;
    struct plt_section section;

    plt_series_init(&series);
    section = plt_analysis_section_all(&series);
    g_assert_cmpfloat(section.average_bps, ==, 0);
    g_assert_cmpfloat(section.p1_bps, ==, 0);
    g_assert_cmpfloat(plt_analysis_share_below_half(&series), ==, 0);
    plt_series_clear(&series);
}

/* Ten samples of 10 ms, or half a sample of 200 ms, are the slice that one of 100 ms is. */
static void test_slices_are_alike(void)
{
    struct plt_series fine, usual, coarse;

    plt_series_init(&fine);
    plt_series_init(&usual);
    plt_series_init(&coarse);
    for (guint i = 0; i < 40; i++)
        plt_series_add(&fine, 10 * MS, 4096);
    for (guint i = 0; i < 4; i++)
        plt_series_add(&usual, 100 * MS, 40960);
    for (guint i = 0; i < 2; i++)
        plt_series_add(&coarse, 200 * MS, 81920);
    g_assert_cmpuint(fine.n, ==, 4);
    g_assert_cmpmem(fine.units, fine.n * 4, usual.units, usual.n * 4);
    g_assert_cmpmem(coarse.units, coarse.n * 4, usual.units, usual.n * 4);
    g_assert_cmpfloat(plt_series_rate(&fine, 3), ==, 409600);
    plt_series_clear(&fine);
    plt_series_clear(&usual);
    plt_series_clear(&coarse);
}

/* Bytes that do not divide by anything are all there in the end. */
static void test_nothing_is_lost(void)
{
    struct plt_series series;
    struct plt_section section;

    plt_series_init(&series);
    for (guint i = 0; i < 1000; i++)
        plt_series_add(&series, 37 * MS + i, 1000003);
    plt_series_add(&series, 11 * MS, 5);
    section = plt_analysis_section_all(&series);
    g_assert_cmpfloat(section.bytes, ==, 1000.0 * 1000003 + 5);
    g_assert_cmpfloat_with_epsilon(plt_series_sum(&series, 0, series.n) + series.open_bytes, section.bytes,
                                   512);
    g_assert_cmpfloat_with_epsilon(section.seconds, 37.0114995, 1e-9);
    plt_series_clear(&series);
}

/* 3000 slices of 1, 2, … 3000 units: nearest rank from below, and a zero is a slice. */
static void test_percentiles(void)
{
    struct plt_series series;
    struct plt_section section;
    const double unit = 5120; /* bytes/s of 512 bytes in 100 ms */

    plt_series_init(&series);
    for (guint i = 0; i < 3000; i++)
        plt_series_add(&series, 100 * MS, ((i * 7919) % 3000 + 1) * 512);
    section = plt_analysis_section(&series, 0, series.n);
    g_assert_cmpfloat(section.p1_bps, ==, 30 * unit);
    g_assert_cmpfloat(section.p0_1_bps, ==, 3 * unit);
    g_assert_cmpfloat(section.median_bps, ==, 1500.5 * unit);
    g_assert_cmpfloat(section.min_bps, ==, unit);
    g_assert_cmpfloat(section.max_bps, ==, 3000 * unit);
    g_assert_cmpfloat_with_epsilon(section.average_bps, 1500.5 * unit, 1e-3);
    g_assert_cmpfloat_with_epsilon(plt_analysis_share_below_half(&series), 750.0 / 3000, 1e-9);
    plt_series_add(&series, 100 * MS, 0);
    g_assert_cmpfloat(plt_analysis_section(&series, 0, series.n).min_bps, ==, 0);
    plt_series_clear(&series);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/series/empty", test_empty);
    g_test_add_func("/analysis/series/slices-are-alike", test_slices_are_alike);
    g_test_add_func("/analysis/series/nothing-is-lost", test_nothing_is_lost);
    g_test_add_func("/analysis/series/percentiles", test_percentiles);
    return g_test_run();
}
