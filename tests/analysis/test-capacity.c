/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "analysis/capacity.h"

/* methods.md 1.24. */
static void test_over_provisioning(void)
{
    g_assert_cmpfloat_with_epsilon(plt_analysis_over_provisioning_percent(1024, 960), 6.7, 0.05);
    g_assert_cmpfloat_with_epsilon(plt_analysis_over_provisioning_percent(1024, 800), 28.0, 0.05);
    g_assert_cmpfloat_with_epsilon(plt_analysis_over_provisioning_percent(9792, 6400), 53.0, 0.05);
    g_assert_cmpfloat(plt_analysis_over_provisioning_percent(1024, 0), ==, 0);
}

/* methods.md 1.14: the capacitors of three drives. */
static void test_hold_up(void)
{
    double p4608 = plt_analysis_capacitor_energy_j(4, 330e-6, 35);
    double zet = plt_analysis_capacitor_energy_j(3, 270e-6, 35);
    double sz983 = plt_analysis_capacitor_energy_j(7, 47e-6, 35);

    g_assert_cmpfloat_with_epsilon(p4608, 0.8085, 1e-9);
    g_assert_cmpfloat_with_epsilon(1000 * plt_analysis_hold_up_s(p4608, 27, 1), 29.9, 0.05);
    g_assert_cmpfloat_with_epsilon(1000 * plt_analysis_hold_up_s(p4608, 10, 1), 80.9, 0.06);
    g_assert_cmpfloat_with_epsilon(zet, 0.496, 0.0005);
    g_assert_cmpfloat_with_epsilon(1000 * plt_analysis_hold_up_s(zet, 8, 1), 62, 0.5);
    g_assert_cmpfloat_with_epsilon(sz983, 0.2015, 0.00005);
    g_assert_cmpfloat_with_epsilon(1000 * plt_analysis_hold_up_s(sz983, 8, 1), 25.2, 0.05);
    g_assert_cmpfloat_with_epsilon(plt_analysis_hold_up_s(0.8, 8, 0.8), 0.08, 1e-12);
    g_assert_cmpfloat(plt_analysis_hold_up_s(0.8, 0, 1), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/capacity/over-provisioning", test_over_provisioning);
    g_test_add_func("/analysis/capacity/hold-up", test_hold_up);
    return g_test_run();
}
