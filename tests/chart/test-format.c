/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <locale.h>
#include <math.h>

#include "chart/format.h"

static void expect(char *text, const char *wanted)
{
    g_assert_cmpstr(text, ==, wanted);
    g_free(text);
}

static void expect_quantity(PltQuantity quantity, const char *wanted)
{
    expect(plt_quantity_join(&quantity), wanted);
}

static void test_number(void)
{
    expect(plt_format_number(0.0, 0), "0");
    expect(plt_format_number(999.0, 0), "999");
    expect(plt_format_number(1000.0, 0), "1,000");
    expect(plt_format_number(1234567.891, 2), "1,234,567.89");
    expect(plt_format_number(999999.9, 0), "1,000,000");
    expect(plt_format_number(-1234.5, 1), "−1,234.5");
    expect(plt_format_number(-0.04, 1), "0.0");
    expect(plt_format_number(NAN, 0), "—");
    expect(plt_format_number(INFINITY, 3), "—");
}

static void test_figures(void)
{
    expect(plt_format_figures(0.0, 3), "0");
    expect(plt_format_figures(7012.4, 3), "7,012");
    expect(plt_format_figures(87.43, 3), "87.4");
    expect(plt_format_figures(0.6184, 3), "0.618");
    expect(plt_format_figures(0.0123456, 3), "0.0123");
    expect(plt_format_figures(253.1, 3), "253");
}

/* 9.996 rounds to ten, which has three figures with one decimal and not with two. */
static void test_figures_carry(void)
{
    expect(plt_format_figures(9.996, 3), "10.0");
    expect(plt_format_figures(9.994, 3), "9.99");
    expect(plt_format_figures(99.96, 3), "100");
    expect(plt_format_figures(0.9999, 3), "1.00");
}

static void test_bandwidth(void)
{
    expect_quantity(plt_format_bandwidth(7012.4e6), "7,012 MB/s");
    expect_quantity(plt_format_bandwidth(14512e6), "14,512 MB/s");
    expect_quantity(plt_format_bandwidth(87.43e6), "87.4 MB/s");
    expect_quantity(plt_format_bandwidth(0.0), "0 MB/s");
    expect_quantity(plt_format_bandwidth(NAN), "— MB/s");
}

static void test_iops(void)
{
    expect_quantity(plt_format_iops(21340.2), "21,340 IOPS");
    expect_quantity(plt_format_iops(1234567.0), "1.23 M IOPS");
    expect_quantity(plt_format_iops(999499.0), "999,499 IOPS");
    expect_quantity(plt_format_iops(999999.6), "1.00 M IOPS");
    expect_quantity(plt_format_iops(14.62), "14.6 IOPS");
}

static void test_latency(void)
{
    expect_quantity(plt_format_latency(350.0), "350 ns");
    expect_quantity(plt_format_latency(45300.0), "45.3 µs");
    expect_quantity(plt_format_latency(999.7), "1.00 µs");
    expect_quantity(plt_format_latency(1195400.0), "1,195 µs");
    expect_quantity(plt_format_latency(12.43e6), "12.4 ms");
    expect_quantity(plt_format_latency(4300e6), "4,300 ms");
    expect_quantity(plt_format_latency(12e9), "12.0 s");
}

static void test_duration(void)
{
    expect_quantity(plt_format_duration(0.0), "0 s");
    expect_quantity(plt_format_duration(0.2), "200 ms");
    expect_quantity(plt_format_duration(5.0), "5 s");
    expect_quantity(plt_format_duration(2.14), "2.1 s");
    expect_quantity(plt_format_duration(750.0), "12:30 min");
    expect_quantity(plt_format_duration(3599.7), "1:00:00 h");
    expect_quantity(plt_format_duration(11100.0), "3:05:00 h");
    expect_quantity(plt_format_duration(-1.0), "—");
}

static void test_sizes(void)
{
    expect_quantity(plt_format_size(512), "512 B");
    expect_quantity(plt_format_size(G_GUINT64_CONSTANT(1) << 30), "1 GiB");
    expect_quantity(plt_format_size(1572864), "1.50 MiB");
    expect_quantity(plt_format_capacity(4000787030016.0), "4 TB");
    expect_quantity(plt_format_capacity(250059350016.0), "250 GB");
    expect_quantity(plt_format_capacity(0.0), "0 B");
    expect_quantity(plt_format_percent(0.43), "0.4 %");
    expect_quantity(plt_format_percent(45.3), "45 %");
    expect(plt_format_block(512), "512B");
    expect(plt_format_block(4096), "4K");
    expect(plt_format_block(1u << 20), "1M");
    expect(plt_format_block(64u << 20), "64M");
    expect(plt_format_block(1536), "1536B");
    expect(plt_format_block(0), "0B");
}

/* A picture looks the same whatever the desktop's locale writes as decimal point. */
static void test_locale(void)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        g_test_skip("the locale de_DE.UTF-8 is not installed");
        return;
    }
    expect_quantity(plt_format_bandwidth(87.43e6), "87.4 MB/s");
    expect(plt_format_number(1234.5, 1), "1,234.5");
    setlocale(LC_ALL, "C.UTF-8");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chart/format/number", test_number);
    g_test_add_func("/chart/format/figures", test_figures);
    g_test_add_func("/chart/format/figures-carry", test_figures_carry);
    g_test_add_func("/chart/format/bandwidth", test_bandwidth);
    g_test_add_func("/chart/format/iops", test_iops);
    g_test_add_func("/chart/format/latency", test_latency);
    g_test_add_func("/chart/format/duration", test_duration);
    g_test_add_func("/chart/format/sizes", test_sizes);
    g_test_add_func("/chart/format/locale", test_locale);
    return g_test_run();
}
