/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/format.h"

/* Takes TEXT. */
static void check(char *text, const char *expected)
{
    g_assert_cmpstr(text, ==, expected);
    g_free(text);
}

static void test_clock(void)
{
    check(plt_cli_format_clock(0), "0:00");
    check(plt_cli_format_clock(999), "0:00");
    check(plt_cli_format_clock(5000), "0:05");
    check(plt_cli_format_clock(200000), "3:20");
    check(plt_cli_format_clock(3599999), "59:59");
    check(plt_cli_format_clock(3723000), "1:02:03");
}

static void test_duration(void)
{
    check(plt_cli_format_duration(400), "0 s");
    check(plt_cli_format_duration(59400), "59 s");
    check(plt_cli_format_duration(59600), "1 min 0 s");
    check(plt_cli_format_duration(200000), "3 min 20 s");
    check(plt_cli_format_duration(7380000), "2 h 3 min");
}

static void test_speed(void)
{
    check(plt_cli_format_speed(0), "0.00 MB/s");
    check(plt_cli_format_speed(4096 * 85.0), "0.35 MB/s");
    check(plt_cli_format_speed(9.994e6), "9.99 MB/s");
    check(plt_cli_format_speed(9.996e6), "10.0 MB/s");
    check(plt_cli_format_speed(99.96e6), "100 MB/s");
    check(plt_cli_format_speed(7123.4e6), "7123 MB/s");
}

static void test_sizes(void)
{
    check(plt_cli_format_bytes(0), "0 B");
    check(plt_cli_format_bytes(999), "999 B");
    check(plt_cli_format_bytes(1000), "1.0 kB");
    check(plt_cli_format_bytes(G_GUINT64_CONSTANT(24100000000)), "24.1 GB");
    check(plt_cli_format_bytes(999999), "1.0 MB");
    check(plt_cli_format_bytes(G_MAXUINT64), "18.4 EB");
    check(plt_cli_format_size(G_GUINT64_CONSTANT(1) << 30), "1 GiB");
    check(plt_cli_format_size(256 << 20), "256 MiB");
    check(plt_cli_format_size((G_GUINT64_CONSTANT(3) << 30) / 2), "1536 MiB");
    check(plt_cli_format_size(4097), "4097 B");
    check(plt_cli_format_size((G_GUINT64_CONSTANT(100) << 30) + 1), "100.0 GiB");
}

static void test_iso8601(void)
{
    check(plt_cli_format_iso8601(G_GINT64_CONSTANT(1700000000250000)), "2023-11-14T22:13:20.250000Z");
    check(plt_cli_format_iso8601(0), NULL);
    check(plt_cli_format_date(0), "");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/format/clock", test_clock);
    g_test_add_func("/cli/format/duration", test_duration);
    g_test_add_func("/cli/format/speed", test_speed);
    g_test_add_func("/cli/format/sizes", test_sizes);
    g_test_add_func("/cli/format/iso8601", test_iso8601);
    return g_test_run();
}
