/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/reclaim.h"
#include "maker.h"

/* 60 s of writing: CACHE bytes at 6600 MB/s, the rest of the minute at 1700. */
static struct plt_fill minute(double cache)
{
    Maker maker;
    struct plt_fill fill;
    double seconds = cache / (6600 * MBPS);

    maker_init(&maker, 9, 0.1, 0.03);
    maker_write(&maker, cache, 6600 * MBPS);
    maker_write(&maker, (60 - seconds) * 1700 * MBPS, 1700 * MBPS);
    maker_finish(&maker);
    fill = plt_analysis_fill(&maker.series);
    maker_clear(&maker);
    return fill;
}

static void test_rests(void)
{
    static const double rests[] = {10, 30, 60, 120, 300, 600};
    static const double cache[] = {0, 12, 40, 120, 250, 396};
    struct plt_fill minutes[6];
    struct plt_reclaim reclaim[6];

    for (guint i = 0; i < 6; i++)
        minutes[i] = minute(cache[i] * GB);
    plt_analysis_reclaim(minutes, rests, 6, 0, reclaim);
    g_assert_cmpint(reclaim[0].verdict, ==, PLT_RECLAIM_NONE);
    g_assert_cmpfloat(reclaim[0].recovered_bytes, ==, 0);
    assert_within(reclaim[0].after_bps, 1700 * MBPS, 0.02);
    for (guint i = 1; i < 5; i++) {
        double seconds = cache[i] * GB / (6600 * MBPS);

        g_assert_cmpint(reclaim[i].verdict, ==, PLT_RECLAIM_PART);
        assert_within(reclaim[i].recovered_bytes, cache[i] * GB, 0.02);
        assert_within(reclaim[i].total_bytes, cache[i] * GB + (60 - seconds) * 1700 * MBPS, 0.001);
        assert_within(reclaim[i].cache_bps, 6600 * MBPS, 0.03);
        assert_within(reclaim[i].after_bps, 1700 * MBPS, 0.02);
        g_assert_cmpfloat(reclaim[i].rest_s, ==, rests[i]);
    }
    g_assert_cmpint(reclaim[5].verdict, ==, PLT_RECLAIM_AT_LEAST);
    assert_within(reclaim[5].recovered_bytes, 396 * GB, 0.001);
}

/* One speed all the time says nothing by itself; beside the speed of the cache it does. */
static void test_reference(void)
{
    static const double rest = 60;
    struct plt_fill slow = minute(0), fast = minute(396 * GB);
    struct plt_reclaim reclaim;

    plt_analysis_reclaim(&slow, &rest, 1, 0, &reclaim);
    g_assert_cmpint(reclaim.verdict, ==, PLT_RECLAIM_UNKNOWN);
    plt_analysis_reclaim(&slow, &rest, 1, 6600 * MBPS, &reclaim);
    g_assert_cmpint(reclaim.verdict, ==, PLT_RECLAIM_NONE);
    plt_analysis_reclaim(&fast, &rest, 1, 6600 * MBPS, &reclaim);
    g_assert_cmpint(reclaim.verdict, ==, PLT_RECLAIM_AT_LEAST);
}

static void test_empty(void)
{
    static const double rest = 10;
    struct plt_fill nothing = {.cliff = {.verdict = PLT_CLIFF_TOO_SHORT}};
    struct plt_reclaim reclaim;

    plt_analysis_reclaim(&nothing, &rest, 1, 6600 * MBPS, &reclaim);
    g_assert_cmpint(reclaim.verdict, ==, PLT_RECLAIM_UNKNOWN);
    g_assert_cmpfloat(reclaim.recovered_bytes, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/reclaim/rests", test_rests);
    g_test_add_func("/analysis/reclaim/reference", test_reference);
    g_test_add_func("/analysis/reclaim/empty", test_empty);
    return g_test_run();
}
