/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/table.h"

static void test_width(void)
{
    g_assert_cmpuint(plt_cli_text_width(""), ==, 0);
    g_assert_cmpuint(plt_cli_text_width("abc"), ==, 3);
    g_assert_cmpuint(plt_cli_text_width("읽기"), ==, 4);
    g_assert_cmpuint(plt_cli_text_width("µs"), ==, 2);
    g_assert_cmpuint(plt_cli_text_width("e\xcc\x81"), ==, 1); /* e and a combining acute accent */
}

static void check_shorten(const char *text, guint width, const char *expected)
{
    g_autofree char *shortened = plt_text_shorten(text, width);

    g_assert_cmpstr(shortened, ==, expected);
    g_assert_cmpuint(plt_cli_text_width(shortened), <=, width);
}

static void test_shorten(void)
{
    check_shorten("Samsung", 7, "Samsung");
    check_shorten("Samsung", 6, "Samsu…");
    check_shorten("Samsung", 1, "…");
    check_shorten("Samsung", 0, "");
    check_shorten("한국어", 6, "한국어");
    check_shorten("한국어", 5, "한국…");
    check_shorten("한국어", 4, "한…"); /* two columns and a dot; a half character is none */
    check_shorten("a b c", 3, "a…");
}

static void test_format(void)
{
    g_autoptr(PltTable) table = plt_cli_table_new("rl");
    g_autofree char *text = NULL;

    plt_cli_table_add(table, "ID", "NAME");
    plt_cli_table_add(table, "7", "읽기");
    plt_cli_table_add(table, "123", NULL);
    text = plt_cli_table_format(table, 0);
    g_assert_cmpstr(text, ==, " ID  NAME\n  7  읽기\n123\n");
}

static void test_shrink(void)
{
    g_autoptr(PltTable) table = plt_cli_table_new("lff");
    g_autofree char *wide = NULL, *narrow = NULL, *tiny = NULL;

    plt_cli_table_add(table, "1", "a drive with a very long name", "a folder with a long name");
    wide = plt_cli_table_format(table, 80);
    narrow = plt_cli_table_format(table, 40);
    tiny = plt_cli_table_format(table, 10);
    g_assert_cmpstr(wide, ==, "1  a drive with a very long name  a folder with a long name\n");
    g_assert_cmpstr(narrow, ==, "1  a drive with a v…  a folder with a l…\n");
    /* Below the least width of a column the line may be too long, but each name still says something. */
    g_assert_cmpstr(tiny, ==, "1  a drive wit…  a folder wi…\n");
}

static void test_one_line(void)
{
    g_autoptr(PltTable) table = plt_cli_table_new("ll");
    g_autofree char *text = NULL;

    plt_cli_table_add(table, "two\nlines", "bad \xff byte");
    text = plt_cli_table_format(table, 0);
    g_assert_cmpstr(text, ==, "two lines  bad � byte\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/table/width", test_width);
    g_test_add_func("/cli/table/shorten", test_shorten);
    g_test_add_func("/cli/table/format", test_format);
    g_test_add_func("/cli/table/shrink", test_shrink);
    g_test_add_func("/cli/table/one-line", test_one_line);
    return g_test_run();
}
