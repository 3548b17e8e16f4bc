/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/zones.h"
#include "maker.h"

/*
 * A hard disk: 200 MB/s outside, 100 inside, evenly over the bytes. A third that goes from a to b MB/s takes
 * as long as at (a - b) / ln(a / b).
 */
static void test_thirds(void)
{
    Maker maker;
    struct plt_zone zone[3];

    maker_init(&maker, 1, 0.1, 0);
    maker_slope(&maker, 900 * GB, 200 * MBPS, 100 * MBPS);
    maker_finish(&maker);
    plt_analysis_zones(&maker.series, zone, 3);
    assert_within(zone[0].average_bps, 182.82 * MBPS, 0.002);
    assert_within(zone[1].average_bps, 149.38 * MBPS, 0.002);
    assert_within(zone[2].average_bps, 115.87 * MBPS, 0.002);
    assert_within(zone[0].max_bps, 200 * MBPS, 0.001);
    assert_within(zone[0].min_bps, 166.7 * MBPS, 0.001);
    assert_within(zone[2].to_bytes, 900 * GB, 1e-4);
    assert_within(zone[0].seconds + zone[1].seconds + zone[2].seconds, (double)maker.series.n / 10, 1e-6);
    maker_clear(&maker);
}

/* A slow spot of 1 % is a slow part of the map, and a stall is a 0 in it. */
static void test_map(void)
{
    Maker maker;
    struct plt_zone zone[100];

    maker_init(&maker, 1, 0.1, 0);
    maker_write(&maker, 50 * GB, 1000 * MBPS);
    maker_write(&maker, 1 * GB, 100 * MBPS);
    maker_write(&maker, 29.5 * GB, 1000 * MBPS);
    maker_stall(&maker, 2);
    maker_write(&maker, 19.5 * GB, 1000 * MBPS);
    maker_finish(&maker);
    plt_analysis_zones(&maker.series, zone, 100);
    assert_within(zone[49].average_bps, 1000 * MBPS, 0.001);
    assert_within(zone[50].average_bps, 100 * MBPS, 0.01);
    assert_within(zone[51].average_bps, 1000 * MBPS, 0.001);
    g_assert_cmpfloat(zone[80].min_bps, ==, 0);
    assert_within(zone[80].average_bps, 1 * GB / 3, 0.01);
    maker_clear(&maker);
}

/* More parts than slices: neighbours share one, nothing divides by 0. */
static void test_few_slices(void)
{
    Maker maker;
    struct plt_zone zone[50];

    maker_init(&maker, 1, 0.1, 0);
    plt_analysis_zones(&maker.series, zone, 50);
    g_assert_cmpfloat(zone[49].average_bps, ==, 0);
    maker_write(&maker, 0.3 * GB, 1000 * MBPS);
    maker_finish(&maker);
    plt_analysis_zones(&maker.series, zone, 50);
    for (guint i = 0; i < 50; i++)
        assert_within(zone[i].average_bps, 1000 * MBPS, 0.001);
    maker_clear(&maker);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/zones/thirds", test_thirds);
    g_test_add_func("/analysis/zones/map", test_map);
    g_test_add_func("/analysis/zones/few-slices", test_few_slices);
    return g_test_run();
}
