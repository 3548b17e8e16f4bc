/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * What verify-capacity writes and looks for, after f3 (peers.md 4.9): every 512 bytes carry their own
 * position and the run's seed, and the rest of them follows from both. So a block that holds what was written
 * elsewhere, one that was never stored and one that was changed can be told apart.
 */
#define PLT_STAMP_SECTOR 512

/* Parts of what is tested in which the good sectors are counted. */
#define PLT_STAMP_SLOTS 1000

/* What was found. All but the positions in bytes. */
typedef struct {
    guint64 total;     /* of what is tested; set before */
    guint64 good;      /* as written */
    guint64 changed;   /* at most two words of 8 bytes differ: bits fell over */
    guint64 moved;     /* what was written at another position: addresses wrap around */
    guint64 empty;     /* all 0x00 or all 0xff: never stored, or erased */
    guint64 corrupted; /* anything else */
    guint64 failed;    /* could not be written or read: the drive reported an error */
    guint64 first_bad; /* position of the first sector that is not good; G_MAXUINT64: none */
    guint64 slot_good[PLT_STAMP_SLOTS];
} PltStampTally;

/* An empty tally for TOTAL bytes. */
void plt_stamp_tally_init(PltStampTally *tally, guint64 total);
void plt_stamp_tally_add(PltStampTally *tally, const PltStampTally *more);

/* Fills SIZE bytes (whole sectors) for POSITION. */
void plt_stamp_fill(guint8 *buffer, gsize size, guint64 position, guint64 seed);

/* Looks at SIZE bytes (whole sectors) that were read at POSITION. */
void plt_stamp_check(const guint8 *buffer, gsize size, guint64 position, guint64 seed, PltStampTally *tally);

/* SIZE bytes at POSITION could not be written or read. */
void plt_stamp_fail(PltStampTally *tally, gsize size, guint64 position);

typedef enum {
    PLT_CAPACITY_GENUINE, /* all of it is there */
    PLT_CAPACITY_FAKE, /* less than announced: addresses wrap around, or nothing is stored behind a point */
    PLT_CAPACITY_DAMAGED, /* data was lost here and there */
} PltCapacity;

/*
 * FAKE when anything was found at another position, which no sound drive does, or when from the first bad
 * sector on less than 1 % is good and that part is at least 1 % of the whole. Otherwise any bad byte is
 * damage.
 */
PltCapacity plt_stamp_judge(const PltStampTally *tally);

const char *plt_capacity_name(PltCapacity capacity); /* "genuine", "fake", "damaged" */
