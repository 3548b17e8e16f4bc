/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "analysis/stall.h"

#define MS G_GUINT64_CONSTANT(1000000)
#define SECOND (1000 * MS)

static void test_none(void)
{
    struct plt_stall_summary summary = plt_analysis_stalls(NULL, 0, SECOND, 0);

    g_assert_cmpuint(summary.count, ==, 0);
    g_assert_cmpfloat(summary.share, ==, 0);
}

static void test_threshold(void)
{
    const struct plt_stall stalls[] = {
        {.start_ns = 0, .length_ns = 200 * MS},
        {.start_ns = SECOND, .length_ns = 999 * MS},
        {.start_ns = 3 * SECOND, .length_ns = 1000 * MS},
        {.start_ns = 5 * SECOND, .length_ns = 4300 * MS},
    };
    struct plt_stall_summary all = plt_analysis_stalls(stalls, 4, 10 * SECOND, PLT_STALL_MIN_NS);
    struct plt_stall_summary slow = plt_analysis_stalls(stalls, 4, 10 * SECOND, SECOND);

    g_assert_cmpuint(all.count, ==, 4);
    g_assert_cmpuint(all.total_ns, ==, 6499 * MS);
    g_assert_cmpuint(slow.count, ==, 2);
    g_assert_cmpuint(slow.total_ns, ==, 5300 * MS);
    g_assert_cmpuint(slow.longest_ns, ==, 4300 * MS);
    g_assert_cmpfloat_with_epsilon(slow.share, 0.53, 1e-12);
    g_assert_cmpfloat(plt_analysis_stalls(stalls, 4, 0, 0).share, ==, 0);
}

/* methods.md 1.24: 2800 … 4300 ms each, 21 min in all, in 150,000 s: 0.84 %. 360 stalls of 3.5 s are 21 min.
 */
static void test_review(void)
{
    g_autofree struct plt_stall *stalls = g_new0(struct plt_stall, 360);
    struct plt_stall_summary summary;

    for (gsize i = 0; i < 360; i++) {
        stalls[i].start_ns = i * 400 * SECOND;
        stalls[i].length_ns = i % 2 == 0 ? 2800 * MS : 4200 * MS;
    }
    summary = plt_analysis_stalls(stalls, 360, 150000 * SECOND, SECOND);
    g_assert_cmpuint(summary.total_ns, ==, 21 * 60 * SECOND);
    g_assert_cmpfloat_with_epsilon(100 * summary.share, 0.84, 1e-9);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/stall/none", test_none);
    g_test_add_func("/analysis/stall/threshold", test_threshold);
    g_test_add_func("/analysis/stall/review", test_review);
    return g_test_run();
}
