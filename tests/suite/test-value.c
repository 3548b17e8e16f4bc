/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "drive/error.h"
#include "suite/value.h"

static void assert_usage(GError *error, const char *part)
{
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, part));
    g_assert_null(strchr(error->message, '\n'));
    g_error_free(error);
}

static void test_sizes(void)
{
    static const struct {
        const char *text;
        guint64 bytes;
    } good[] = {
        {"512", 512},
        {"512B", 512},
        {"4K", 4096},
        {"4k", 4096},
        {"128KiB", 131072},
        {"1MiB", 1048576},
        {"1 MiB", 1048576},
        {"0.5K", 512},
        {"1.5G", 1610612736},
        {"1GiB", 1073741824},
        {"2T", G_GUINT64_CONSTANT(2199023255552)},
        {"0001K", 1024},
    };
    static const char *const bad[] = {"",
                                      "K",
                                      "-4K",
                                      "+4K",
                                      "4MB",
                                      "4 MB",
                                      "4KB",
                                      "4Ki",
                                      "0x10",
                                      "1e3",
                                      "4K4",
                                      " 4K",
                                      "4K ",
                                      "4  K",
                                      "1.K",
                                      ".5K",
                                      "1.2.3",
                                      "1.0001K",
                                      "1024.5",
                                      "0.3",
                                      "4,5K",
                                      "٤K",
                                      "18446744073709551616",
                                      "nan",
                                      "1 ",
                                      "0",
                                      "511",
                                      "65T",
                                      "99999999999999999999T",
                                      "\xff\xfe"};
    GError *error = NULL;
    guint64 bytes = 0;

    for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
        g_assert_true(plt_value_size(good[i].text, 512, G_GUINT64_CONSTANT(64) << 40, &bytes, &error));
        g_assert_no_error(error);
        g_assert_cmpuint(bytes, ==, good[i].bytes);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        bytes = 7;
        g_assert_false(plt_value_size(bad[i], 512, G_GUINT64_CONSTANT(64) << 40, &bytes, &error));
        g_assert_cmpuint(bytes, ==, 7);
        assert_usage(g_steal_pointer(&error), "from 512 B to 64 TiB");
    }
}

static void test_times(void)
{
    static const struct {
        const char *text;
        guint64 ms;
    } good[] = {{"5", 5000},     {"5s", 5000},       {"0.1", 100}, {"500ms", 500},     {"2min", 120000},
                {"1h", 3600000}, {"1.5 min", 90000}, {"0.001", 1}, {"86400", 86400000}};
    static const char *const bad[] = {"",       "s",     "5 seconds", "5m",      "0",  "-1",
                                      "0.0001", "0.5ms", "1.5ms",     "24.001h", "1e2"};
    GError *error = NULL;
    guint64 ms = 0;

    for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
        g_assert_true(plt_value_time(good[i].text, 1, 86400000, &ms, &error));
        g_assert_cmpuint(ms, ==, good[i].ms);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_false(plt_value_time(bad[i], 1, 86400000, &ms, &error));
        assert_usage(g_steal_pointer(&error), "from 1 ms to 24 h");
    }
}

static void test_rates(void)
{
    GError *error = NULL;
    guint64 rate = 0;

    g_assert_true(plt_value_rate("15MB/s", 1, G_MAXUINT32, &rate, &error));
    g_assert_cmpuint(rate, ==, 15000000);
    g_assert_true(plt_value_rate("1.5 GB/s", 1, G_MAXUINT32, &rate, &error));
    g_assert_cmpuint(rate, ==, 1500000000);
    g_assert_false(plt_value_rate("15", 1, G_MAXUINT32, &rate, &error));
    assert_usage(g_steal_pointer(&error), "MB/s");
    /* Megabits, or a slip: not guessed. */
    g_assert_false(plt_value_rate("15Mb/s", 1, G_MAXUINT32, &rate, &error));
    assert_usage(g_steal_pointer(&error), "“15Mb/s”");
}

static void test_counts(void)
{
    static const char *const bad[] = {"",   "0",  "65", "1.0",        "+1",
                                      " 1", "1 ", "1x", "4294967297", "99999999999999999999"};
    GError *error = NULL;
    guint count = 0;

    g_assert_true(plt_value_count("1", 1, 64, &count, &error));
    g_assert_cmpuint(count, ==, 1);
    g_assert_true(plt_value_count("64", 1, 64, &count, &error));
    g_assert_cmpuint(count, ==, 64);
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_false(plt_value_count(bad[i], 1, 64, &count, &error));
        assert_usage(g_steal_pointer(&error), "from 1 to 64");
    }
}

static void test_percent(void)
{
    GError *error = NULL;
    guint percent = 0;

    g_assert_true(plt_value_percent("70%", 1, 99, &percent, &error));
    g_assert_cmpuint(percent, ==, 70);
    g_assert_true(plt_value_percent("30", 1, 99, &percent, &error));
    g_assert_cmpuint(percent, ==, 30);
    g_assert_false(plt_value_percent("%", 1, 99, &percent, &error));
    assert_usage(g_steal_pointer(&error), "from 1 to 99");
    g_assert_false(plt_value_percent("100%", 1, 99, &percent, &error));
    assert_usage(g_steal_pointer(&error), "from 1 to 99");
    g_assert_false(plt_value_percent("7%0", 1, 99, &percent, &error));
    assert_usage(g_steal_pointer(&error), "“7%0”");
}

static void test_seed(void)
{
    static const char *const bad[] = {
        "", "0x", "-1", "1.5", "0xg", "ff", "18446744073709551616", "0x10000000000000000"};
    GError *error = NULL;
    guint64 seed = 0;

    g_assert_true(plt_value_seed("42", &seed, &error));
    g_assert_cmpuint(seed, ==, 42);
    g_assert_true(plt_value_seed("18446744073709551615", &seed, &error));
    g_assert_cmpuint(seed, ==, G_MAXUINT64);
    g_assert_true(plt_value_seed("0x00000000000000fF", &seed, &error));
    g_assert_cmpuint(seed, ==, 255);
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_false(plt_value_seed(bad[i], &seed, &error));
        assert_usage(g_steal_pointer(&error), "64-bit number");
    }
    g_assert_cmpuint(seed, ==, 255);
}

static void test_lists(void)
{
    static const char *const bad[] = {"", ",", "a,", ",a", "a,,b", " , "};
    g_auto(GStrv) items = NULL;
    GError *error = NULL;

    items = plt_value_list(" a, b,c ", 3, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(g_strv_length(items), ==, 3);
    g_assert_cmpstr(items[0], ==, "a");
    g_assert_cmpstr(items[1], ==, "b");
    g_assert_cmpstr(items[2], ==, "c");
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_null(plt_value_list(bad[i], 3, &error));
        assert_usage(g_steal_pointer(&error), "none of them empty");
    }
    g_assert_null(plt_value_list("a,b,c,d", 3, &error));
    assert_usage(g_steal_pointer(&error), "at most 3");
}

static void test_text(void)
{
    GError *error = NULL;
    g_autofree char *value = g_strdup("before");

    g_assert_true(plt_value_text("빠른 측정", 5, &value, &error));
    g_assert_cmpstr(value, ==, "빠른 측정");
    g_assert_false(plt_value_text("빠른 측정!", 5, &value, &error));
    assert_usage(g_steal_pointer(&error), "1 to 5");
    g_assert_false(plt_value_text("", 5, &value, &error));
    assert_usage(g_steal_pointer(&error), "1 to 5");
    g_assert_false(plt_value_text("a\tb", 5, &value, &error));
    assert_usage(g_steal_pointer(&error), "printable");
    g_assert_false(plt_value_text("\x1b[0m", 5, &value, &error));
    assert_usage(g_steal_pointer(&error), "printable");
    g_assert_cmpstr(value, ==, "빠른 측정");
}

/* What goes into a message can neither be endless nor move a terminal's cursor. */
static void test_quote(void)
{
    g_autofree char *control = plt_value_quote("a\x1b[31mb\n\xff");
    g_autofree char *text = g_strnfill(1000, 'x');
    g_autofree char *quoted = plt_value_quote(text);

    g_assert_true(g_utf8_validate(control, -1, NULL));
    g_assert_null(strchr(control, '\x1b'));
    g_assert_null(strchr(control, '\n'));
    g_assert_cmpint(g_utf8_strlen(quoted, -1), ==, 43);
}

static void test_names(void)
{
    static const struct {
        guint64 bytes;
        const char *name;
        const char *text;
    } cases[] = {{512, "512B", "512 B"},      {1024, "1K", "1 KiB"},    {1536, "1536B", "1536 B"},
                 {131072, "128K", "128 KiB"}, {1048576, "1M", "1 MiB"}, {12 * 1048576, "12M", "12 MiB"},
                 {1073741824, "1G", "1 GiB"}, {0, "0B", "0 B"}};
    static const struct {
        guint64 ms;
        const char *text;
    } times[] = {{0, "0 s"},      {500, "500 ms"},   {1500, "1.5 s"},   {5000, "5 s"},
                 {90000, "90 s"}, {120000, "2 min"}, {86400000, "24 h"}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = plt_value_block_name(cases[i].bytes);
        g_autofree char *text = plt_value_size_text(cases[i].bytes);

        g_assert_cmpstr(name, ==, cases[i].name);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
        g_autofree char *text = plt_value_time_text(times[i].ms);

        g_assert_cmpstr(text, ==, times[i].text);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/value/sizes", test_sizes);
    g_test_add_func("/suite/value/times", test_times);
    g_test_add_func("/suite/value/rates", test_rates);
    g_test_add_func("/suite/value/counts", test_counts);
    g_test_add_func("/suite/value/percent", test_percent);
    g_test_add_func("/suite/value/seed", test_seed);
    g_test_add_func("/suite/value/lists", test_lists);
    g_test_add_func("/suite/value/text", test_text);
    g_test_add_func("/suite/value/quote", test_quote);
    g_test_add_func("/suite/value/names", test_names);
    return g_test_run();
}
