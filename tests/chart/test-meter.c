/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>
#include <math.h>

#include "chart/meter.h"

#define EPSILON 1e-12

static void test_bandwidth(void)
{
    g_assert_cmpfloat(plt_meter_bandwidth(0), ==, 0);
    g_assert_cmpfloat(plt_meter_bandwidth(NAN), ==, 0);
    g_assert_cmpfloat(plt_meter_bandwidth(1), ==, 0);
    g_assert_cmpfloat_with_epsilon(plt_meter_bandwidth(1e5), 0, EPSILON);
    g_assert_cmpfloat_with_epsilon(plt_meter_bandwidth(1e6), 1 / 6.0, EPSILON);
    g_assert_cmpfloat_with_epsilon(plt_meter_bandwidth(1e8), 0.5, EPSILON);
    g_assert_cmpfloat_with_epsilon(plt_meter_bandwidth(1e11), 1, EPSILON);
    g_assert_cmpfloat(plt_meter_bandwidth(1e13), ==, 1);
}

static void test_latency(void)
{
    g_assert_cmpfloat(plt_meter_latency(0), ==, 0);
    g_assert_cmpfloat(plt_meter_latency(NAN), ==, 0);
    g_assert_cmpfloat(plt_meter_latency(10), ==, 1);
    g_assert_cmpfloat_with_epsilon(plt_meter_latency(1e3), 1, EPSILON);
    g_assert_cmpfloat_with_epsilon(plt_meter_latency(1e6), 0.5, EPSILON);
    g_assert_cmpfloat_with_epsilon(plt_meter_latency(1e9), 0, EPSILON);
    g_assert_cmpfloat(plt_meter_latency(1e12), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chart/meter/bandwidth", test_bandwidth);
    g_test_add_func("/chart/meter/latency", test_latency);
    return g_test_run();
}
