/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/worker.h"

/* Decides what a worker issues next where that needs more than "the same again": limits, rates, pauses,
 * flushes. */
struct plt_issuer {
    struct plt_worker *worker;
    uint64_t interval_ns[2]; /* READ, WRITE: time between two I/Os of this worker at the asked rate, 0 = no
                                limit */
    uint64_t due_ns[2];
    uint64_t think_until_ns;
    unsigned since_think;
    unsigned writes_since_flush;
    bool thinking;
    bool held; /* held_op was drawn and counts as issued, and waits for its time */
    enum plt_op held_op;
    bool exhausted; /* the limit by bytes is used up */
};

enum plt_next {
    PLT_NEXT_ISSUE, /* OP, now */
    PLT_NEXT_WAIT,  /* nothing before UNTIL, or before something completes if UNTIL is UINT64_MAX */
    PLT_NEXT_END,   /* nothing any more */
};

/* N_SHARES: workers that share the workload's rates. */
void plt_issuer_init(struct plt_issuer *issuer, struct plt_worker *worker, unsigned n_shares, uint64_t now);

enum plt_next plt_issuer_next(struct plt_issuer *issuer, uint64_t now, unsigned inflight, enum plt_op *op,
                              uint64_t *until);
