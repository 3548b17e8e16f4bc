/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "suite/space.h"

#define MIB (G_GUINT64_CONSTANT(1) << 20)
#define GIB (G_GUINT64_CONSTANT(1) << 30)
#define BLOCK (128u << 10)

static guint64 sum(const PltSpacePlan *plan)
{
    guint64 total = 0;

    for (guint i = 0; i < plan->n_files; i++)
        total += plt_space_file_size(plan, i);
    return total;
}

static void test_one_file(void)
{
    PltSpacePlan plan;

    g_assert_true(plt_space_plan(100 * GIB + 77, GIB, plt_space_file_max("ext4"), BLOCK, &plan));
    g_assert_cmpuint(plan.n_files, ==, 1);
    g_assert_cmpuint(plan.total, ==, 99 * GIB);
    g_assert_cmpuint(sum(&plan), ==, plan.total);
}

/* A FAT file ends below 4 GiB, and every file begins and ends with a whole block. */
static void test_fat(void)
{
    PltSpacePlan plan;

    g_assert_true(plt_space_plan(64 * GIB + 12345, 64 * MIB, plt_space_file_max("vfat"), BLOCK, &plan));
    g_assert_cmpuint(sum(&plan), ==, plan.total);
    g_assert_cmpuint(plan.total, ==, 64 * GIB - 64 * MIB);
    for (guint i = 0; i < plan.n_files; i++) {
        g_assert_cmpuint(plt_space_file_size(&plan, i), <, 4 * GIB);
        g_assert_cmpuint(plt_space_file_size(&plan, i), >, 0);
        g_assert_cmpuint(plt_space_file_size(&plan, i) % BLOCK, ==, 0);
    }
}

static void test_exact(void)
{
    PltSpacePlan plan;

    g_assert_true(plt_space_plan(8 * MIB, 0, 2 * MIB, BLOCK, &plan));
    g_assert_cmpuint(plan.n_files, ==, 4);
    g_assert_cmpuint(plan.last_size, ==, 2 * MIB);
}

static void test_nothing_free(void)
{
    PltSpacePlan plan;

    g_assert_false(plt_space_plan(GIB, GIB, G_MAXINT64, BLOCK, &plan));
    g_assert_false(plt_space_plan(GIB + BLOCK - 1, GIB, G_MAXINT64, BLOCK, &plan));
    g_assert_false(plt_space_plan(0, GIB, G_MAXINT64, BLOCK, &plan));
    g_assert_false(plt_space_plan(GIB, 0, BLOCK - 1, BLOCK, &plan));
    g_assert_true(plt_space_plan(GIB + BLOCK, GIB, G_MAXINT64, BLOCK, &plan));
}

static void test_gives_way(void)
{
    g_assert_false(plt_space_is_short(GIB, GIB));
    g_assert_false(plt_space_is_short(GIB / 2, GIB));
    g_assert_true(plt_space_is_short(GIB / 2 - 1, GIB));
    g_assert_false(plt_space_is_short(0, 0));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/space/one-file", test_one_file);
    g_test_add_func("/suite/space/fat", test_fat);
    g_test_add_func("/suite/space/exact", test_exact);
    g_test_add_func("/suite/space/nothing-free", test_nothing_free);
    g_test_add_func("/suite/space/gives-way", test_gives_way);
    return g_test_run();
}
