/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/stamp.h"

#include <string.h>

#include "engine/random.h"

#define WORDS (PLT_STAMP_SECTOR / sizeof(guint64))

/* f3's border between a sector that was changed and one that is something else. */
#define CHANGED_WORDS 2

/* The share of a tail that may be good although nothing is stored there: what a cache still holds. */
#define TAIL_SHARE 0.01

/* Words 0 and 1 are position and seed in little endian, the rest is random by both. */
static void make_sector(guint64 *sector, guint64 position, guint64 seed)
{
    struct plt_xoshiro random;

    plt_xoshiro_seed(&random, seed ^ (position / PLT_STAMP_SECTOR * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)));
    sector[0] = GUINT64_TO_LE(position);
    sector[1] = GUINT64_TO_LE(seed);
    for (gsize i = 2; i < WORDS; i++)
        sector[i] = GUINT64_TO_LE(plt_xoshiro_next(&random));
}

void plt_stamp_tally_init(PltStampTally *tally, guint64 total)
{
    *tally = (PltStampTally){.total = total, .first_bad = G_MAXUINT64};
}

void plt_stamp_tally_add(PltStampTally *tally, const PltStampTally *more)
{
    tally->good += more->good;
    tally->changed += more->changed;
    tally->moved += more->moved;
    tally->empty += more->empty;
    tally->corrupted += more->corrupted;
    tally->failed += more->failed;
    tally->first_bad = MIN(tally->first_bad, more->first_bad);
    for (guint i = 0; i < PLT_STAMP_SLOTS; i++)
        tally->slot_good[i] += more->slot_good[i];
}

void plt_stamp_fill(guint8 *buffer, gsize size, guint64 position, guint64 seed)
{
    guint64 sector[WORDS];

    for (gsize at = 0; at < size; at += PLT_STAMP_SECTOR) {
        make_sector(sector, position + at, seed);
        memcpy(buffer + at, sector, sizeof sector);
    }
}

static gboolean is_empty(const guint64 *found)
{
    for (gsize i = 1; i < WORDS; i++)
        if (found[i] != found[0])
            return FALSE;
    return found[0] == 0 || found[0] == G_MAXUINT64;
}

/* Whole and of this run, but written for another position. */
static gboolean is_moved(const guint64 *found, guint64 position, guint64 seed)
{
    guint64 own[WORDS];

    if (GUINT64_FROM_LE(found[1]) != seed || GUINT64_FROM_LE(found[0]) == position)
        return FALSE;
    make_sector(own, GUINT64_FROM_LE(found[0]), seed);
    return memcmp(own, found, sizeof own) == 0;
}

static guint count_differences(const guint64 *found, const guint64 *expected)
{
    guint n = 0;

    for (gsize i = 0; i < WORDS; i++)
        n += found[i] != expected[i];
    return n;
}

static guint slot_of(const PltStampTally *tally, guint64 position)
{
    double share = tally->total > 0 ? (double)position / (double)tally->total : 0;

    return MIN((guint)(share * PLT_STAMP_SLOTS), PLT_STAMP_SLOTS - 1);
}

static void check_sector(const guint64 *found, guint64 position, guint64 seed, PltStampTally *tally)
{
    guint64 expected[WORDS];

    make_sector(expected, position, seed);
    if (memcmp(found, expected, sizeof expected) == 0) {
        tally->good += PLT_STAMP_SECTOR;
        tally->slot_good[slot_of(tally, position)] += PLT_STAMP_SECTOR;
        return;
    }
    tally->first_bad = MIN(tally->first_bad, position);
    if (is_empty(found))
        tally->empty += PLT_STAMP_SECTOR;
    else if (is_moved(found, position, seed))
        tally->moved += PLT_STAMP_SECTOR;
    else if (count_differences(found, expected) <= CHANGED_WORDS)
        tally->changed += PLT_STAMP_SECTOR;
    else
        tally->corrupted += PLT_STAMP_SECTOR;
}

void plt_stamp_check(const guint8 *buffer, gsize size, guint64 position, guint64 seed, PltStampTally *tally)
{
    guint64 sector[WORDS];

    for (gsize at = 0; at < size; at += PLT_STAMP_SECTOR) {
        memcpy(sector, buffer + at, sizeof sector);
        check_sector(sector, position + at, seed, tally);
    }
}

void plt_stamp_fail(PltStampTally *tally, gsize size, guint64 position)
{
    tally->failed += size;
    tally->first_bad = MIN(tally->first_bad, position);
}

/* Bytes that are good behind the slot of the first bad one. */
static guint64 good_behind(const PltStampTally *tally)
{
    guint64 good = 0;

    for (guint i = slot_of(tally, tally->first_bad) + 1; i < PLT_STAMP_SLOTS; i++)
        good += tally->slot_good[i];
    return good;
}

PltCapacity plt_stamp_judge(const PltStampTally *tally)
{
    double tail;

    if (tally->first_bad == G_MAXUINT64)
        return PLT_CAPACITY_GENUINE;
    if (tally->moved > 0)
        return PLT_CAPACITY_FAKE;
    tail = (double)(tally->total - MIN(tally->first_bad, tally->total));
    if (tail >= TAIL_SHARE * (double)tally->total && (double)good_behind(tally) < TAIL_SHARE * tail)
        return PLT_CAPACITY_FAKE;
    return PLT_CAPACITY_DAMAGED;
}

const char *plt_capacity_name(PltCapacity capacity)
{
    static const char *const names[] = {
        [PLT_CAPACITY_GENUINE] = "genuine", [PLT_CAPACITY_FAKE] = "fake", [PLT_CAPACITY_DAMAGED] = "damaged"};

    return names[capacity];
}
