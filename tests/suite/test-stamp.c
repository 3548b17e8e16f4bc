/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "suite/stamp.h"

#define TOTAL (4u << 20)
#define REAL (1u << 20)
#define CHUNK 65536u
#define SEED G_GUINT64_CONSTANT(0x123456789abcdef1)

typedef enum {
    SOUND,
    WRAPS,  /* an address beyond REAL comes out at address mod REAL */
    LIMBO,  /* what is written beyond REAL is thrown away and reads as zero */
    GARBAGE /* likewise, and something comes back */
} Medium;

static guint64 place_of(Medium medium, guint64 at)
{
    return medium == WRAPS ? at % REAL : at;
}

static gboolean is_kept(Medium medium, guint64 at)
{
    return at < REAL || medium == SOUND || medium == WRAPS;
}

/* A model of a drive is written from start to end, then read. */
static guint8 *write_medium(Medium medium)
{
    guint8 *store = g_malloc0(TOTAL);

    for (guint64 at = REAL; medium == GARBAGE && at < TOTAL; at++)
        store[at] = (guint8)(at * 7 + at / 4096);
    for (guint64 at = 0; at < TOTAL; at += CHUNK)
        if (is_kept(medium, at))
            plt_stamp_fill(store + place_of(medium, at), CHUNK, at, SEED);
    return store;
}

static void read_medium(Medium medium, const guint8 *store, PltStampTally *tally)
{
    plt_stamp_tally_init(tally, TOTAL);
    for (guint64 at = 0; at < TOTAL; at += CHUNK)
        plt_stamp_check(store + place_of(medium, at), CHUNK, at, SEED, tally);
}

static void test_sound(void)
{
    g_autofree guint8 *store = write_medium(SOUND);
    PltStampTally tally;

    read_medium(SOUND, store, &tally);
    g_assert_cmpuint(tally.good, ==, TOTAL);
    g_assert_cmpuint(tally.first_bad, ==, G_MAXUINT64);
    g_assert_cmpint(plt_stamp_judge(&tally), ==, PLT_CAPACITY_GENUINE);
}

/* The last REAL bytes were written last: they are the ones that are there. */
static void test_wraps(void)
{
    g_autofree guint8 *store = write_medium(WRAPS);
    PltStampTally tally;

    read_medium(WRAPS, store, &tally);
    g_assert_cmpuint(tally.good, ==, REAL);
    g_assert_cmpuint(tally.moved, ==, TOTAL - REAL);
    g_assert_cmpuint(tally.first_bad, ==, 0);
    g_assert_cmpint(plt_stamp_judge(&tally), ==, PLT_CAPACITY_FAKE);
}

static void test_limbo(void)
{
    g_autofree guint8 *store = write_medium(LIMBO);
    PltStampTally tally;

    read_medium(LIMBO, store, &tally);
    g_assert_cmpuint(tally.good, ==, REAL);
    g_assert_cmpuint(tally.empty, ==, TOTAL - REAL);
    g_assert_cmpuint(tally.first_bad, ==, REAL);
    g_assert_cmpint(plt_stamp_judge(&tally), ==, PLT_CAPACITY_FAKE);
}

static void test_garbage(void)
{
    g_autofree guint8 *store = write_medium(GARBAGE);
    PltStampTally tally;

    read_medium(GARBAGE, store, &tally);
    g_assert_cmpuint(tally.good, ==, REAL);
    g_assert_cmpuint(tally.corrupted, ==, TOTAL - REAL);
    g_assert_cmpint(plt_stamp_judge(&tally), ==, PLT_CAPACITY_FAKE);
}

/* Faults here and there are damage, however they look, and say where they begin. */
static void test_damaged(void)
{
    g_autofree guint8 *store = write_medium(SOUND);
    PltStampTally tally;

    store[100 * 512 + 37] ^= 1;
    memset(store + 2000 * 512, 0xff, 512);
    memset(store + 3000 * 512, 0x5a, 1024);
    read_medium(SOUND, store, &tally);
    g_assert_cmpuint(tally.changed, ==, 512);
    g_assert_cmpuint(tally.empty, ==, 512);
    g_assert_cmpuint(tally.corrupted, ==, 1024);
    g_assert_cmpuint(tally.good, ==, TOTAL - 2048);
    g_assert_cmpuint(tally.first_bad, ==, 100 * 512);
    g_assert_cmpint(plt_stamp_judge(&tally), ==, PLT_CAPACITY_DAMAGED);
}

/* A bad last sector is no proof of a false size. */
static void test_bad_end(void)
{
    g_autofree guint8 *store = write_medium(SOUND);
    PltStampTally tally;

    memset(store + TOTAL - 512, 0, 512);
    read_medium(SOUND, store, &tally);
    g_assert_cmpint(plt_stamp_judge(&tally), ==, PLT_CAPACITY_DAMAGED);
}

/* What an earlier run left behind is not what this one has written elsewhere. */
static void test_other_run(void)
{
    g_autofree guint8 *store = write_medium(SOUND);
    PltStampTally tally;

    plt_stamp_fill(store + REAL, 512, 0, SEED + 1);
    read_medium(SOUND, store, &tally);
    g_assert_cmpuint(tally.moved, ==, 0);
    g_assert_cmpuint(tally.corrupted, ==, 512);
}

/* Errors of the drive behind a point mean the same as nothing stored there. */
static void test_failed_tail(void)
{
    g_autofree guint8 *store = write_medium(SOUND);
    PltStampTally tally, rest;

    plt_stamp_tally_init(&tally, TOTAL);
    plt_stamp_tally_init(&rest, TOTAL);
    plt_stamp_check(store, REAL, 0, SEED, &tally);
    plt_stamp_fail(&rest, TOTAL - REAL, REAL);
    plt_stamp_tally_add(&tally, &rest);
    g_assert_cmpuint(tally.failed, ==, TOTAL - REAL);
    g_assert_cmpuint(tally.first_bad, ==, REAL);
    g_assert_cmpint(plt_stamp_judge(&tally), ==, PLT_CAPACITY_FAKE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/stamp/sound", test_sound);
    g_test_add_func("/suite/stamp/wraps", test_wraps);
    g_test_add_func("/suite/stamp/limbo", test_limbo);
    g_test_add_func("/suite/stamp/garbage", test_garbage);
    g_test_add_func("/suite/stamp/damaged", test_damaged);
    g_test_add_func("/suite/stamp/bad-end", test_bad_end);
    g_test_add_func("/suite/stamp/other-run", test_other_run);
    g_test_add_func("/suite/stamp/failed-tail", test_failed_tail);
    return g_test_run();
}
