/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>

#include "chart/axis.h"
#include "chart/ticks.h"

#define CLOSE 1e-9

static PltAxis fitted(PltScale scale, PltUnit unit, double min, double max)
{
    PltAxis axis;

    plt_axis_init(&axis, scale, unit, NULL);
    plt_axis_fit(&axis, min, max);
    return axis;
}

/* The labels of AXIS with at most MOST of them, joined by "|"; "," within a label stays. */
static char *labels(const PltAxis *axis, guint most)
{
    g_auto(PltTicks) ticks = {0};
    GString *text = g_string_new(NULL);

    plt_ticks_init(&ticks, axis, most);
    for (guint i = 0; i < ticks.ticks->len; i++) {
        const PltTick *tick = &g_array_index(ticks.ticks, PltTick, i);

        if (tick->label)
            g_string_append_printf(text, "%s%s", text->len ? "|" : "", tick->label);
    }
    if (*ticks.unit)
        g_string_append_printf(text, " %s", ticks.unit);
    return g_string_free(text, FALSE);
}

static void expect_labels(const PltAxis *axis, guint most, const char *wanted)
{
    g_autofree char *text = labels(axis, most);

    g_assert_cmpstr(text, ==, wanted);
}

static void test_linear(void)
{
    PltAxis axis = fitted(PLT_SCALE_LINEAR, PLT_UNIT_BANDWIDTH, 4200e6, 7012e6);

    g_assert_cmpfloat(axis.from, ==, 0.0);
    g_assert_cmpfloat(axis.to, ==, 8000e6);
    expect_labels(&axis, 5, "0|2,000|4,000|6,000|8,000 MB/s");
    g_assert_cmpfloat_with_epsilon(plt_axis_place(&axis, 2000e6), 0.25, CLOSE);
    g_assert_cmpfloat_with_epsilon(plt_axis_value(&axis, 0.25), 2000e6, 1.0);
}

static void test_linear_units(void)
{
    PltAxis iops = fitted(PLT_SCALE_LINEAR, PLT_UNIT_IOPS, 0.0, 1.2e6);
    PltAxis few = fitted(PLT_SCALE_LINEAR, PLT_UNIT_IOPS, 0.0, 950.0);
    PltAxis latency = fitted(PLT_SCALE_LINEAR, PLT_UNIT_LATENCY, 0.0, 47e3);
    PltAxis celsius = fitted(PLT_SCALE_LINEAR, PLT_UNIT_CELSIUS, 41.0, 72.0);
    PltAxis small = fitted(PLT_SCALE_LINEAR, PLT_UNIT_NUMBER, 0.0, 0.9);

    expect_labels(&iops, 7, "0|200|400|600|800|1,000|1,200 k IOPS");
    expect_labels(&few, 6, "0|200|400|600|800|1,000 IOPS");
    expect_labels(&latency, 6, "0|10|20|30|40|50 µs");
    expect_labels(&celsius, 5, "40|50|60|70|80 °C");
    expect_labels(&small, 6, "0.0|0.2|0.4|0.6|0.8|1.0");
}

static void test_time(void)
{
    PltAxis seconds = fitted(PLT_SCALE_LINEAR, PLT_UNIT_TIME, 0.0, 118.0);
    PltAxis minutes = fitted(PLT_SCALE_LINEAR, PLT_UNIT_TIME, 0.0, 1500.0);
    PltAxis hours = fitted(PLT_SCALE_LINEAR, PLT_UNIT_TIME, 0.0, 150000.0);

    /* Time ends where the data ends. */
    g_assert_cmpfloat(seconds.to, ==, 118.0);
    expect_labels(&seconds, 7, "0|20|40|60|80|100 s");
    expect_labels(&minutes, 7, "0|5|10|15|20|25 min");
    expect_labels(&hours, 8, "0|6|12|18|24|30|36 h");
}

static void test_log10(void)
{
    PltAxis axis = fitted(PLT_SCALE_LOG10, PLT_UNIT_BANDWIDTH, 87e6, 7012e6);
    PltAxis latency = fitted(PLT_SCALE_LOG10, PLT_UNIT_LATENCY, 8e3, 2e9);
    g_auto(PltTicks) ticks = {0};

    g_assert_cmpfloat_with_epsilon(axis.from, 10e6, 1e-3);
    g_assert_cmpfloat_with_epsilon(axis.to, 10000e6, 1.0);
    expect_labels(&axis, 9, "10|100|1,000|10,000 MB/s");
    expect_labels(&latency, 9, "1 µs|10 µs|100 µs|1 ms|10 ms|100 ms|1 s|10 s");
    g_assert_true(isnan(plt_axis_place(&axis, 0.0)));
    g_assert_cmpfloat_with_epsilon(plt_axis_place(&axis, 100e6), 1.0 / 3.0, CLOSE);
    plt_ticks_init(&ticks, &axis, 9);
    /* Three decades of nine lines each, and the last end. */
    g_assert_cmpuint(ticks.ticks->len, ==, 28);
}

static void test_log2(void)
{
    PltAxis axis = fitted(PLT_SCALE_LOG2, PLT_UNIT_BLOCK, 512, 64 << 20);
    PltAxis queue = fitted(PLT_SCALE_LOG2, PLT_UNIT_NUMBER, 1, 256);

    expect_labels(&axis, 18, "512B|1K|2K|4K|8K|16K|32K|64K|128K|256K|512K|1M|2M|4M|8M|16M|32M|64M");
    expect_labels(&axis, 9, "512B|2K|8K|32K|128K|512K|2M|8M|32M");
    expect_labels(&queue, 9, "1|2|4|8|16|32|64|128|256");
    g_assert_cmpfloat_with_epsilon(plt_axis_place(&queue, 16), 0.5, CLOSE);
}

static void test_nines(void)
{
    PltAxis axis = fitted(PLT_SCALE_NINES, PLT_UNIT_SHARE, 0.0, 0.99999);

    g_assert_cmpfloat_with_epsilon(plt_axis_place(&axis, 0.9), 0.2, 1e-6);
    g_assert_cmpfloat_with_epsilon(plt_axis_place(&axis, 0.999), 0.6, 1e-6);
    expect_labels(&axis, 9, "0 %|90 %|99 %|99.9 %|99.99 %|99.999 %");
    g_assert_true(isnan(plt_axis_place(&axis, 1.5)));
    g_assert_true(isfinite(plt_axis_place(&axis, 1.0)));
}

static void test_reversed(void)
{
    PltAxis axis;

    plt_axis_init(&axis, PLT_SCALE_LINEAR, PLT_UNIT_PERCENT, NULL);
    axis.reversed = TRUE;
    plt_axis_fit(&axis, 0.0, 100.0);
    g_assert_cmpfloat_with_epsilon(plt_axis_place(&axis, 100.0), 0.0, CLOSE);
    g_assert_cmpfloat_with_epsilon(plt_axis_value(&axis, 0.25), 75.0, CLOSE);
    expect_labels(&axis, 6, "0|20|40|60|80|100 %");
}

static void test_cut(void)
{
    PltAxis axis;

    plt_axis_init(&axis, PLT_SCALE_LINEAR, PLT_UNIT_IOPS, NULL);
    axis.to = 70000.0;
    plt_axis_fit(&axis, 0.0, 250000.0);
    g_assert_cmpfloat(axis.to, ==, 70000.0);
    g_assert_true(plt_axis_cuts(&axis, 0.0, 250000.0));
    g_assert_false(plt_axis_cuts(&axis, 0.0, 70000.0));
}

static void test_categories(void)
{
    PltAxis axis;

    plt_axis_init(&axis, PLT_SCALE_CATEGORY, PLT_UNIT_NUMBER, NULL);
    plt_axis_add_category(&axis, "One");
    plt_axis_add_category(&axis, "Two");
    plt_axis_fit(&axis, NAN, NAN);
    g_assert_cmpfloat_with_epsilon(plt_axis_place(&axis, 0), 0.25, CLOSE);
    expect_labels(&axis, 2, "One|Two");
    plt_axis_clear(&axis);
}

/* Whatever the data is, the ends are finite, in order, and there are labels. */
static void test_no_data(void)
{
    static const PltScale scales[] = {PLT_SCALE_LINEAR, PLT_SCALE_LOG10, PLT_SCALE_LOG2, PLT_SCALE_NINES};
    static const double data[][2] = {{NAN, NAN},    {0, 0},        {5, 5},        {-3, -3},   {-2, 7},
                                     {1e-12, 1e18}, {INFINITY, 1}, {0, INFINITY}, {0.3, 0.3}, {1, 1}};

    for (guint s = 0; s < G_N_ELEMENTS(scales); s++) {
        for (guint d = 0; d < G_N_ELEMENTS(data); d++) {
            PltAxis axis = fitted(scales[s], PLT_UNIT_NUMBER, data[d][0], data[d][1]);
            g_auto(PltTicks) ticks = {0};

            g_assert_true(isfinite(axis.from) && isfinite(axis.to) && axis.to > axis.from);
            plt_ticks_init(&ticks, &axis, 8);
            g_assert_cmpuint(ticks.ticks->len, >, 0);
            g_assert_cmpuint(ticks.ticks->len, <, 600);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chart/axis/linear", test_linear);
    g_test_add_func("/chart/axis/linear-units", test_linear_units);
    g_test_add_func("/chart/axis/time", test_time);
    g_test_add_func("/chart/axis/log10", test_log10);
    g_test_add_func("/chart/axis/log2", test_log2);
    g_test_add_func("/chart/axis/nines", test_nines);
    g_test_add_func("/chart/axis/reversed", test_reversed);
    g_test_add_func("/chart/axis/cut", test_cut);
    g_test_add_func("/chart/axis/categories", test_categories);
    g_test_add_func("/chart/axis/no-data", test_no_data);
    return g_test_run();
}
