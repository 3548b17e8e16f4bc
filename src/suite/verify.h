/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/folder.h"
#include "engine/engine.h"
#include "suite/stamp.h"

/* What is written and read back: files that follow each other as one range. */
typedef struct {
    GArray *files;     /* PltTestFile; a reference is held */
    guint64 file_size; /* of each but the last */
    guint64 offset;    /* of the range in its file; 0 where there is more than one */
    guint64 total;     /* bytes from the first file's start on */
    guint64 seed;
} PltVerifyRange;

/*
 * One pass of verify-capacity over a range: some threads write stamped blocks of 1 MiB one after the other,
 * or read and compare them. Unlike the engine's loads this costs the processor a lot, since each block is
 * made and looked at; cards and sticks are slow enough for it. Errors of the drive are counted and passed
 * over.
 */
typedef struct plt_verify PltVerify;

#define PLT_VERIFY_BLOCK (UINT32_C(1) << 20)

/* Starts the pass with THREADS blocks in flight. */
PltVerify *plt_verify_start(const PltVerifyRange *range, enum plt_op op, guint threads);

/* Waits at most US. TRUE when the pass is over, because all is done or because it was stopped. */
gboolean plt_verify_wait(PltVerify *verify, gint64 us);

/* What has completed since the last call, as the next sample. */
void plt_verify_take_sample(PltVerify *verify, struct plt_sample *sample);

/* The rest is left out; takes effect when the blocks in flight are done. */
void plt_verify_stop(PltVerify *verify);

/* After the end. What RESULT points to belongs to VERIFY. */
void plt_verify_get_result(PltVerify *verify, struct plt_engine_result *result);
const PltStampTally *plt_verify_get_tally(PltVerify *verify);

/*
 * Where the pass ended before the range's end because no space was left, or the range's end; an error that
 * ends all (the drive is gone) is in the result instead.
 */
guint64 plt_verify_get_end(PltVerify *verify);

/* Threads that still wait for the drive keep what they need. */
void plt_verify_free(PltVerify *verify);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltVerify, plt_verify_free)
