/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/inquiry.h"
#include "drive/nvme-command.h"

/*
 * The test that a drive makes of itself, which leaves the data alone: by commands to an NVMe drive (root), by
 * the UDisks2 service, or by the program smartctl (SATA, root). Used by one thread at a time; every call may
 * wait for the drive.
 */
typedef struct plt_self_test PltSelfTest;

typedef enum {
    PLT_SELF_TEST_SHORT, /* two minutes at most */
    PLT_SELF_TEST_EXTENDED,
} PltSelfTestKind;

typedef enum {
    PLT_SELF_TEST_NONE, /* there was none, or nobody says */
    PLT_SELF_TEST_PASSED,
    PLT_SELF_TEST_ABORTED,
    PLT_SELF_TEST_FAILED,
} PltSelfTestOutcome;

typedef struct {
    gboolean running;
    int done_percent;           /* of the one that runs; -1 = not said */
    PltSelfTestOutcome outcome; /* of the last one that ended */
    const char *text;           /* the same in the program's language; NULL with NONE; borrowed */
} PltSelfTestState;

/* The best way that there is. NULL with one sentence where there is none, or the drive has no self-test. */
PltSelfTest *plt_self_test_open(PltInquiry *inquiry, GError **error);
void plt_self_test_close(PltSelfTest *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltSelfTest, plt_self_test_close)

PltSource plt_self_test_source(PltSelfTest *test);

/* Minutes that an extended one takes, as the drive says; 0 = it does not. */
guint plt_self_test_minutes(PltSelfTest *test);

gboolean plt_self_test_look(PltSelfTest *test, PltSelfTestState *state, GError **error);

/*
 * Begins one; it goes on in the drive whatever happens to the program. MAY_ASK: a password may be asked for,
 * see drive/block.h. FALSE with one sentence, also when one runs already.
 */
gboolean plt_self_test_start(PltSelfTest *test, PltSelfTestKind kind, gboolean may_ask, GError **error);

/* Ends the one that runs; no error where none does. */
gboolean plt_self_test_abort(PltSelfTest *test, gboolean may_ask, GError **error);

/* "passed", "aborted", "failed", "none": a stable name. */
const char *plt_self_test_outcome_id(PltSelfTestOutcome outcome);
