/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/arguments.h"

static void check(const char *from, const char *to)
{
    g_auto(GStrv) words = g_strsplit(from, " ", -1);
    g_auto(GStrv) expanded = plt_arguments_expand(words);
    g_autofree char *joined = g_strjoinv(" ", expanded);

    g_assert_cmpstr(joined, ==, to);
}

static void test_several(void)
{
    check("run quick . --set size=1GiB runs=5 --json", "run quick . --set size=1GiB --set runs=5 --json");
    check("run --set a=1 b=2 quick .", "run --set a=1 --set b=2 quick .");
    check("run --set a=1 --set b=2 c=3 quick .", "run --set a=1 --set b=2 --set c=3 quick .");
    check("run --set=a=1 b=2 quick .", "run --set=a=1 --set b=2 quick .");
}

static void test_ends(void)
{
    /* A word that is no assignment ends the list, what follows is positional again. */
    check("run --set a=1 quick x=y", "run --set a=1 quick x=y");
    check("run quick x=y --set a=1", "run quick x=y --set a=1");
    check("run --set a=1 ./x=y quick", "run --set a=1 ./x=y quick");
    check("run --set a=1 =y quick", "run --set a=1 =y quick");
    check("run --set a=1 -- b=2", "run --set a=1 -- b=2");
    check("run -- --set a=1 b=2", "run -- --set a=1 b=2");
}

static void test_missing_value(void)
{
    check("run --set", "run --set");
    check("run --set --json", "run --set --json");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/arguments/several", test_several);
    g_test_add_func("/cli/arguments/ends", test_ends);
    g_test_add_func("/cli/arguments/missing-value", test_missing_value);
    return g_test_run();
}
