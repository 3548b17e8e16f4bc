/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/match.h"

static const char *const names[] = {"cdm-default", "cdm-nvme", "cdm-peak", "cdm-peak-nvme", "quick", NULL};

static void test_distance(void)
{
    g_assert_cmpuint(plt_match_distance("", ""), ==, 0);
    g_assert_cmpuint(plt_match_distance("abc", ""), ==, 3);
    g_assert_cmpuint(plt_match_distance("", "abc"), ==, 3);
    g_assert_cmpuint(plt_match_distance("kitten", "sitting"), ==, 3);
    g_assert_cmpuint(plt_match_distance("flaw", "lawn"), ==, 2);
    g_assert_cmpuint(plt_match_distance("same", "same"), ==, 0);
    g_assert_cmpuint(plt_match_distance("rnu", "run"), ==, 1);
    g_assert_cmpuint(plt_match_distance("ca", "abc"), ==, 3); /* a swapped pair is not edited again */
}

static void test_close(void)
{
    g_autofree char *typo = plt_match_close("quik", names);
    g_autofree char *upper = plt_match_close("CDM-NVME", names);
    g_autofree char *part = plt_match_close("peak", names);
    g_autofree char *swapped = plt_match_close("cdm-nmve", names);

    g_assert_cmpstr(typo, ==, "quick");
    g_assert_true(g_str_has_prefix(upper, "cdm-nvme"));
    g_assert_cmpstr(part, ==, "cdm-peak, cdm-peak-nvme");
    g_assert_true(g_str_has_prefix(swapped, "cdm-nvme"));
}

static void test_far(void)
{
    g_autofree char *empty = plt_match_close("", names);
    g_autofree char *other = plt_match_close("something-else", names);
    g_autofree char *letters = g_strnfill(100000, 'q');
    g_autofree char *longest = plt_match_close(letters, names);

    g_assert_null(empty);
    g_assert_null(other);
    g_assert_null(longest);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/match/distance", test_distance);
    g_test_add_func("/cli/match/close", test_close);
    g_test_add_func("/cli/match/far", test_far);
    return g_test_run();
}
