/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "suite/seed.h"

/* The published test vector of splitmix64 for the seed 1234567. */
static void test_splitmix64(void)
{
    static const guint64 expected[] = {
        G_GUINT64_CONSTANT(6457827717110365317), G_GUINT64_CONSTANT(3203168211198807973),
        G_GUINT64_CONSTANT(9817491932198370423), G_GUINT64_CONSTANT(4593380528125082431),
        G_GUINT64_CONSTANT(16408922859458223821)};

    for (gsize i = 0; i < G_N_ELEMENTS(expected); i++)
        g_assert_cmpuint(plt_seed_splitmix64(1234567, i), ==, expected[i]);
}

/* FNV-1a of "a" is 0xaf63dc4c8601ec8c (its authors' list), so a run seeded with that starts splitmix64 at 0.
 */
static void test_hash(void)
{
    g_assert_cmphex(plt_seed_for_cell(G_GUINT64_CONSTANT(0xaf63dc4c8601ec8c), "a"), ==,
                    G_GUINT64_CONSTANT(0xe220a8397b1dcdaf));
}

static void test_differs(void)
{
    g_assert_cmpuint(plt_seed_for_cell(1, "rnd4k-q1t1-read"), !=, plt_seed_for_cell(1, "rnd4k-q1t1-write"));
    g_assert_cmpuint(plt_seed_for_cell(1, "rnd4k-q1t1-read"), !=, plt_seed_for_cell(2, "rnd4k-q1t1-read"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/seed/splitmix64", test_splitmix64);
    g_test_add_func("/suite/seed/hash", test_hash);
    g_test_add_func("/suite/seed/differs", test_differs);
    return g_test_run();
}
