/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "suite/live.h"

static void add(PltLiveSeries *series, guint64 read_bytes, guint64 write_bytes)
{
    struct plt_sample sample = {.duration_ns = 100000000};

    sample.op[PLT_OP_READ].bytes = read_bytes;
    sample.op[PLT_OP_WRITE].bytes = write_bytes;
    plt_live_series_add(series, &sample);
}

static const PltLivePoint *point(const PltLiveSeries *series, guint i)
{
    return &g_array_index(series->points, PltLivePoint, i);
}

static void test_rate(void)
{
    g_autoptr(PltLiveSeries) series = plt_live_series_new();

    add(series, 30, 70); /* 100 bytes in 0.1 s */
    add(series, 0, 0);
    g_assert_cmpuint(series->points->len, ==, 2);
    g_assert_cmpfloat_with_epsilon(point(series, 0)->mean_bps, 1000, 1e-9);
    g_assert_cmpfloat_with_epsilon(point(series, 1)->mean_bps, 0, 1e-9);
    g_assert_cmpfloat_with_epsilon(point(series, 1)->start_s, 0.1, 1e-12);
}

/* However long the window: bounded, without a hole, nothing lost of the extremes, and the bytes still add up.
 */
static void test_bounded(void)
{
    g_autoptr(PltLiveSeries) series = plt_live_series_new();
    const guint n = 100000;
    double bytes = 0, covered = 0, lowest = G_MAXDOUBLE, highest = 0;

    for (guint i = 0; i < n; i++)
        add(series, i == 54321 ? 0 : i == 98765 ? 900 : 500, 0);
    g_assert_cmpuint(series->points->len, <=, PLT_LIVE_POINTS);
    g_assert_cmpuint(series->points->len, >, PLT_LIVE_POINTS / 2);
    for (guint i = 0; i < series->points->len; i++) {
        const PltLivePoint *p = point(series, i);

        g_assert_cmpfloat_with_epsilon(p->start_s, covered, 1e-6);
        covered += p->length_s;
        bytes += p->mean_bps * p->length_s;
        lowest = MIN(lowest, p->min_bps);
        highest = MAX(highest, p->max_bps);
        g_assert_true(p->min_bps <= p->mean_bps + 1e-6 && p->mean_bps <= p->max_bps + 1e-6); /* rounding */
    }
    g_assert_cmpfloat_with_epsilon(covered, n * 0.1, 1e-3);
    g_assert_cmpfloat_with_epsilon(bytes, (double)(n - 2) * 500 + 900, 1);
    g_assert_cmpfloat_with_epsilon(lowest, 0, 1e-9);
    g_assert_cmpfloat_with_epsilon(highest, 9000, 1e-6);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/live/rate", test_rate);
    g_test_add_func("/suite/live/bounded", test_bounded);
    return g_test_run();
}
