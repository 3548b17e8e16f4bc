/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <liburing.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/worker.h"

/* What a slot needs beside the arrays of the hot loop. */
struct plt_slot {
    uint32_t done; /* bytes, after a short completion */
    uint8_t op;
};

/*
 * A worker's io_uring with its buffers. The hot loop writes SQEs that were filled in before but for address,
 * offset and user_data, submits and waits in one io_uring_enter, and reads the completions where they lie
 * (engine.md 4.3).
 */
struct plt_ring {
    struct plt_worker *worker;
    struct io_uring ring;
    struct io_uring_sqe *sqes;
    struct io_uring_cqe *cqes;
    unsigned sq_mask, cq_mask;
    unsigned sq_tail, cq_head; /* ours; published to the kernel once per pass */
    unsigned unsubmitted;
    int enter_fd;
    unsigned enter_flags;

    /* Per slot; arrays of their own, because the hot loop writes them for every I/O. */
    uint64_t *issued_ns;
    uint64_t *offset;
    uint64_t *address; /* of the buffer that is in use now */
    uint32_t *free_slots;
    unsigned n_free, queue; /* what is not free is in flight */
    struct plt_slot *slots;

    bool fixed; /* buffers are registered */
    bool nop;
    int32_t expected; /* result of a normal completion */
    uint32_t block;
    unsigned char *buffers; /* for reads, queue x stride bytes */
    size_t buffers_length, stride;
    uint32_t write_flags; /* RWF_DSYNC, RWF_SYNC */

    struct __kernel_timespec tick; /* multishot, where the kernel has it */
    bool multishot;
    bool timer_armed, wake_armed;
};

static inline unsigned plt_ring_inflight(const struct plt_ring *ring)
{
    return ring->queue - ring->n_free;
}

#define PLT_USER_TICK UINT64_MAX
#define PLT_USER_WAKE (UINT64_MAX - 1)

/* Sets all up on the calling thread, which must be the one that uses the ring. 0 or -errno, with PHASE set.
 */
int plt_ring_init(struct plt_ring *ring, struct plt_worker *worker, enum plt_phase *phase);
void plt_ring_clear(struct plt_ring *ring);

/* Fills SQE for OP but for address, offset and user_data. */
void plt_ring_template(const struct plt_ring *ring, struct io_uring_sqe *sqe, enum plt_op op);

/* All SQEs for one OP: what the loops with one kind of I/O start from. */
void plt_ring_templates(struct plt_ring *ring, enum plt_op op);

/* Arms what is not armed of: the tick (a completion at least every tick), and the wake-up by the engine. */
void plt_ring_arm(struct plt_ring *ring);

/* Hands SLOT's operation to the kernel again from where it stands, after a short or refused completion. */
void plt_ring_resubmit(struct plt_ring *ring, uint32_t slot);

/* io_uring_enter: submits what is unsubmitted and waits for WAIT completions, at most TIMEOUT_NS (0: no
 * limit). 0 or -errno. */
int plt_ring_enter(struct plt_ring *ring, unsigned wait, uint64_t timeout_ns);

/* True where io_uring can be had at all: asked once per process. */
bool plt_ring_available(void);
