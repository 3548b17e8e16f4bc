/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "analysis/fill-log.h"

#define TICK_NS G_GUINT64_CONSTANT(100000000)

static void keep(const struct plt_fill_log_entry *entry, void *user)
{
    g_array_append_vals(user, entry, 1);
}

static GArray *log_of(guint64 total, const guint64 *bytes, gsize n)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(struct plt_fill_log_entry));
    struct plt_fill_log log = {.total = total};

    for (gsize i = 0; i < n; i++)
        plt_fill_log_add(&log, TICK_NS, bytes[i], keep, entries);
    return entries;
}

static struct plt_fill_log_entry entry_of(GArray *entries, guint i)
{
    return g_array_index(entries, struct plt_fill_log_entry, i);
}

/* 1000 MB in two ticks: each of the 1000 entries is 1 MB, 500 of them in each tick. */
static void test_several_in_a_sample(void)
{
    const guint64 bytes[] = {500000000, 500000000};
    g_autoptr(GArray) entries = log_of(1000000000, bytes, 2);

    g_assert_cmpuint(entries->len, ==, 1000);
    g_assert_cmpuint(entry_of(entries, 999).thousandth, ==, 1000);
    g_assert_cmpfloat_with_epsilon(entry_of(entries, 999).seconds, 0.2, 1e-9);
    for (guint i = 0; i < entries->len; i++)
        g_assert_cmpfloat_with_epsilon(entry_of(entries, i).rate_bps, 5e9, 1);
}

/* 0.1 % are 40 bytes, in ticks of 10, of which one in between had none: 40 bytes in 0.5 s. */
static void test_several_samples(void)
{
    const guint64 bytes[] = {10, 10, 0, 10, 10, 40};
    g_autoptr(GArray) entries = log_of(40000, bytes, G_N_ELEMENTS(bytes));

    g_assert_cmpuint(entries->len, ==, 2);
    g_assert_cmpfloat_with_epsilon(entry_of(entries, 0).rate_bps, 80, 1e-9);
    g_assert_cmpfloat_with_epsilon(entry_of(entries, 1).rate_bps, 400, 1e-9);
}

/* What was planned but not reached has no entries, what is more than planned adds none. */
static void test_ends(void)
{
    const guint64 part[] = {499, 1, 0};
    const guint64 more[] = {1000, 1000};
    g_autoptr(GArray) half = log_of(1000, part, G_N_ELEMENTS(part));
    g_autoptr(GArray) whole = log_of(1000, more, G_N_ELEMENTS(more));
    g_autoptr(GArray) nothing = log_of(0, more, G_N_ELEMENTS(more));

    g_assert_cmpuint(half->len, ==, 500);
    g_assert_cmpuint(whole->len, ==, 1000);
    g_assert_cmpuint(nothing->len, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/fill-log/several-in-a-sample", test_several_in_a_sample);
    g_test_add_func("/analysis/fill-log/several-samples", test_several_samples);
    g_test_add_func("/analysis/fill-log/ends", test_ends);
    return g_test_run();
}
