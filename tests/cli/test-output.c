/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output.h"

#include "drive/error.h"

static void check_clean(const char *text, const char *expected)
{
    g_autofree char *clean = plt_output_clean(text);

    g_assert_cmpstr(clean, ==, expected);
}

static void test_clean(void)
{
    check_clean("RND4K Q32T16 µs 읽기\n", "RND4K Q32T16 µs 읽기\n");
    check_clean("\033[2Jgone", "�[2Jgone");
    check_clean("back\b\b\rhead", "back���head");
    check_clean("c1 \xc2\x9b"
                "31m",
                "c1 �31m");
    check_clean("bad \xff byte", "bad � byte");
    check_clean("turned \xe2\x80\xae around", "turned � around");
}

static PltExit status_of(GQuark domain, int code)
{
    g_autoptr(GError) error = g_error_new_literal(domain, code, "text");

    return plt_output_target_status(error);
}

/* The table of the man page. */
static void test_status(void)
{
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_USAGE), ==, 2);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_REFUSED), ==, 3);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_READ_ONLY), ==, 3);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_NO_SPACE), ==, 3);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_PERMISSION), ==, 3);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_UNSUPPORTED), ==, 3);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_GONE), ==, 4);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_DEVICE), ==, 4);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_FORMAT), ==, 1);
    g_assert_cmpint(status_of(PLT_ERROR, PLT_ERROR_FAILED), ==, 1);
    g_assert_cmpint(status_of(G_FILE_ERROR, G_FILE_ERROR_IO), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/output/clean", test_clean);
    g_test_add_func("/cli/output/status", test_status);
    return g_test_run();
}
