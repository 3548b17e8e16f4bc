/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "analysis/ratio.h"

/* methods.md 1.24: 100, 200, 300 at queue depths 1, 2, 4 are 125 and 140. */
static void test_weights(void)
{
    const struct plt_ratio_point points[] = {{1, 70, 100}, {2, 70, 200}, {4, 70, 300}};
    struct plt_ratio ratio;
    double curve[PLT_RATIO_MAX_SHARES];

    plt_analysis_ratio(points, 3, &ratio);
    g_assert_cmpfloat_with_epsilon(plt_analysis_ratio_weighted(&ratio, &plt_ratio_weights_80_15_5, curve),
                                   125, 1e-9);
    g_assert_cmpfloat_with_epsilon(curve[0], 125, 1e-9);
    plt_analysis_ratio_weighted(&ratio, &plt_ratio_weights_70_20_10, curve);
    g_assert_cmpfloat_with_epsilon(curve[0], 140, 1e-9);
}

/* Eleven shares at three depths in a mixed-up order: nine of them are mixed. */
static void test_table(void)
{
    struct plt_ratio_point points[33];
    struct plt_ratio ratio;
    double curve[PLT_RATIO_MAX_SHARES], mean = 0;

    for (guint i = 0; i < 33; i++) {
        guint k = i * 7 % 33, share = k % 11 * 10, queue = 1u << k / 11;

        points[i] = (struct plt_ratio_point){queue, share, queue * 1000.0 + share};
    }
    plt_analysis_ratio(points, 33, &ratio);
    g_assert_cmpuint(ratio.n_queues, ==, 3);
    g_assert_cmpuint(ratio.queue[2], ==, 4);
    g_assert_cmpuint(ratio.n_shares, ==, 11);
    g_assert_cmpuint(ratio.read_percent[0], ==, 100);
    g_assert_cmpuint(ratio.read_percent[10], ==, 0);
    g_assert_cmpfloat(ratio.bps[1][3], ==, 2070);
    g_assert_cmpfloat_with_epsilon(ratio.mixed_bps[0], 1050, 1e-9);
    mean = plt_analysis_ratio_weighted(&ratio, &plt_ratio_weights_80_15_5, curve);
    g_assert_cmpfloat_with_epsilon(mean, 0.8 * 1050 + 0.15 * 2050 + 0.05 * 4050, 1e-9);
    g_assert_cmpfloat_with_epsilon(curve[10], 800 + 300 + 200, 1e-9);
}

/* What was not measured is not made up. */
static void test_gaps(void)
{
    const struct plt_ratio_point points[] = {{1, 100, 10}, {1, 50, 20}, {1, 0, 30}, {2, 100, 40}, {2, 0, 50}};
    struct plt_ratio ratio;
    double curve[PLT_RATIO_MAX_SHARES];

    plt_analysis_ratio(points, 5, &ratio);
    g_assert_true(isnan(ratio.bps[1][1]));
    g_assert_cmpfloat(ratio.mixed_bps[0], ==, 20);
    g_assert_true(isnan(ratio.mixed_bps[1]));
    g_assert_true(isnan(plt_analysis_ratio_weighted(&ratio, &plt_ratio_weights_80_15_5, curve)));
    g_assert_true(isnan(curve[0]));
    plt_analysis_ratio(NULL, 0, &ratio);
    g_assert_cmpuint(ratio.n_queues, ==, 0);
    g_assert_true(isnan(plt_analysis_ratio_weighted(&ratio, &plt_ratio_weights_80_15_5, curve)));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/ratio/weights", test_weights);
    g_test_add_func("/analysis/ratio/table", test_table);
    g_test_add_func("/analysis/ratio/gaps", test_gaps);
    return g_test_run();
}
