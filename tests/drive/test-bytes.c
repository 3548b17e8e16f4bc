/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "drive/size.h"
#include "drive/wide.h"

static void test_numbers(void)
{
    static const guint8 data[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};
    PltBytes bytes = {data, sizeof data};

    g_assert_cmpuint(plt_bytes_u8(bytes, 7), ==, 0x88);
    g_assert_cmpuint(plt_bytes_u16(bytes, 0), ==, 0x0201);
    g_assert_cmpuint(plt_bytes_u32(bytes, 1), ==, 0x05040302);
    g_assert_cmpuint(plt_bytes_number(bytes, 0, 8), ==, G_GUINT64_CONSTANT(0x8807060504030201));
    g_assert_cmpuint(plt_bytes_number(bytes, 2, 3), ==, 0x050403);
    /* What does not lie wholly inside is 0, wherever it begins. */
    g_assert_cmpuint(plt_bytes_u16(bytes, 7), ==, 0);
    g_assert_cmpuint(plt_bytes_u8(bytes, 8), ==, 0);
    g_assert_cmpuint(plt_bytes_u32(bytes, G_MAXSIZE - 1), ==, 0);
    g_assert_cmpuint(plt_bytes_part(bytes, 4, 5).size, ==, 0);
    g_assert_cmpuint(plt_bytes_part(bytes, 4, 4).size, ==, 4);
    g_assert_cmpuint(plt_bytes_part(bytes, 4, G_MAXSIZE).size, ==, 0);
}

static void test_text(void)
{
    static const guint8 data[] = "  ab\x1b\xc3\xa4 c\0\0 ";
    PltBytes bytes = {data, 12};
    g_autofree char *text = plt_bytes_text(bytes, 0, 12), *outside = plt_bytes_text(bytes, 8, 8);

    g_assert_cmpstr(text, ==, "ab??? c");
    g_assert_cmpstr(outside, ==, "");
}

static void test_hex(void)
{
    static const guint8 data[] = {0x00, 0xff, 0x1a};
    g_autofree char *hex = plt_bytes_hex((PltBytes){data, 3});
    g_autoptr(GBytes) back = plt_bytes_from_hex("00FF1a", 5);

    g_assert_cmpstr(hex, ==, "00ff1a");
    g_assert_cmpmem(g_bytes_get_data(back, NULL), g_bytes_get_size(back), "\x00\xff\x1a\x00\x00", 5);
    g_assert_null(plt_bytes_from_hex("00ff", 1));
    g_assert_null(plt_bytes_from_hex("0", 4));
    g_assert_null(plt_bytes_from_hex("0g", 4));
}

/* Powers of two from a table, not from the code that is tried. */
static void test_wide_text(void)
{
    static const struct {
        PltWide value;
        const char *text;
    } cases[] = {
        {{0, 0}, "0"},
        {{9, 0}, "9"},
        {{10, 0}, "10"},
        {{G_MAXUINT64, 0}, "18446744073709551615"},
        {{0, 1}, "18446744073709551616"},
        {{0, G_GUINT64_CONSTANT(1) << 63}, "170141183460469231731687303715884105728"},
        {{G_MAXUINT64, G_MAXUINT64}, "340282366920938463463374607431768211455"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = plt_wide_to_text(cases[i].value);
        PltWide back;

        g_assert_cmpstr(text, ==, cases[i].text);
        g_assert_true(plt_wide_from_text(text, &back));
        g_assert_cmpint(plt_wide_compare(back, cases[i].value), ==, 0);
    }
}

static void test_wide_refuses(void)
{
    PltWide value;

    g_assert_false(plt_wide_from_text("", &value));
    g_assert_false(plt_wide_from_text("-1", &value));
    g_assert_false(plt_wide_from_text("1.5", &value));
    g_assert_false(plt_wide_from_text("340282366920938463463374607431768211456", &value));
    g_assert_false(plt_wide_from_text("9999999999999999999999999999999999999999", &value));
}

static void test_wide_arithmetic(void)
{
    PltWide a = {0, 1}, b = {1, 0}, distance = plt_wide_distance(a, b);

    g_assert_cmpint(plt_wide_compare(a, b), ==, 1);
    g_assert_cmpint(plt_wide_compare(b, a), ==, -1);
    g_assert_cmpuint(distance.low, ==, G_MAXUINT64);
    g_assert_cmpuint(distance.high, ==, 0);
    distance = plt_wide_distance(b, a);
    g_assert_cmpuint(distance.low, ==, G_MAXUINT64);
    g_assert_cmpfloat(plt_wide_to_double(a), ==, 18446744073709551616.0);
    g_assert_cmpuint(plt_wide_clamp(a), ==, G_MAXUINT64);
    g_assert_cmpuint(plt_wide_clamp(b), ==, 1);
}

static void test_amount(void)
{
    static const struct {
        double bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},       {999, "999 B"},       {1000, "1 kB"},          {512000, "512 kB"},
        {999960, "1 MB"}, {1.28e12, "1.28 TB"}, {2000398934016, "2 TB"}, {274877906944, "274.9 GB"},
        {3e18, "3 EB"},   {5e22, "5e+04 EB"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = plt_size_amount_text(cases[i].bytes);

        g_assert_cmpstr(text, ==, cases[i].text);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/bytes/numbers", test_numbers);
    g_test_add_func("/drive/bytes/text", test_text);
    g_test_add_func("/drive/bytes/hex", test_hex);
    g_test_add_func("/drive/wide/text", test_wide_text);
    g_test_add_func("/drive/wide/refuses", test_wide_refuses);
    g_test_add_func("/drive/wide/arithmetic", test_wide_arithmetic);
    g_test_add_func("/drive/size/amount", test_amount);
    return g_test_run();
}
