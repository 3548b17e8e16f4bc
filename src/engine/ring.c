/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/ring.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/memory.h"
#include "engine/private.h"

/* From <linux/io_uring.h> of 6.13, for older headers: a NOP that does a read's bookkeeping and returns LEN.
 */
#define NOP_INJECT_RESULT (1u << 0)
#define NOP_FIXED_FILE (1u << 2)
#define NOP_FIXED_BUFFER (1u << 3)
#define NOP_FILE (1u << 1)

/* SQEs that are no I/O: the tick, the wake-up, resubmissions on their way. */
#define SPARE_SQES 8

/*
 * Flags from the best to the plainest: the kernel answers EINVAL to what it does not know (NO_SQARRAY is
 * from 6.6, DEFER_TASKRUN from 6.1, SINGLE_ISSUER from 6.0, COOP_TASKRUN from 5.19).
 */
static const unsigned flag_ladder[] = {
    IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN |
        IORING_SETUP_NO_SQARRAY,
    IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN,
    IORING_SETUP_COOP_TASKRUN,
    0,
};

static int make_ring(struct io_uring *ring, unsigned entries, unsigned completions)
{
    int error = -EINVAL;
    for (size_t i = 0; i < sizeof flag_ladder / sizeof *flag_ladder && error == -EINVAL; i++) {
        struct io_uring_params params = {
            .flags = flag_ladder[i] | IORING_SETUP_CQSIZE,
            .cq_entries = completions,
        };
        error = io_uring_queue_init_params(entries, ring, &params);
    }
    return error;
}

static pthread_once_t available_once = PTHREAD_ONCE_INIT;
static bool available;

static void try_ring(void)
{
    struct io_uring ring;
    available = make_ring(&ring, 4, 8) == 0;
    if (available) {
        io_uring_queue_exit(&ring);
    }
}

bool plt_ring_available(void)
{
    pthread_once(&available_once, try_ring);
    return available;
}

static int allocate(struct plt_ring *r, const struct plt_workload *load)
{
    r->issued_ns = calloc(r->queue, sizeof *r->issued_ns);
    r->free_slots = calloc(r->queue, sizeof *r->free_slots);
    r->slots = calloc(r->queue, sizeof *r->slots);
    r->offset = calloc(r->queue, sizeof *r->offset);
    r->address = calloc(r->queue, sizeof *r->address);
    if (r->issued_ns == NULL || r->free_slots == NULL || r->slots == NULL || r->offset == NULL ||
        r->address == NULL) {
        return -ENOMEM;
    }
    for (unsigned i = 0; i < r->queue; i++) {
        r->free_slots[i] = i;
    }
    r->n_free = r->queue;
    if (load->read_percent > 0) {
        /* Buffers of small blocks share pages, as long as each keeps the alignment that the target asks for.
         */
        uint32_t align = r->worker->engine->target.memory_align;
        align = align < 512 ? 512 : align;
        r->stride = ((size_t)r->block + align - 1) & ~(size_t)(align - 1);
        r->buffers_length = r->stride * r->queue;
        r->buffers = plt_memory_alloc(&r->buffers_length);
        if (r->buffers == NULL) {
            return -ENOMEM;
        }
    }
    return 0;
}

/* A refusal (RLIMIT_MEMLOCK) is no failure: plain buffers do the same work with a little more kernel time. */
static void register_buffers(struct plt_ring *r)
{
    struct iovec iov[2];
    unsigned n = 0;
    if (r->buffers != NULL) {
        iov[n++] = (struct iovec){r->buffers, r->buffers_length};
    }
    if (r->worker->engine->pool.data != NULL) {
        iov[n++] = (struct iovec){r->worker->engine->pool.data, r->worker->engine->pool.length};
    }
    r->fixed = io_uring_register_buffers(&r->ring, iov, n) == 0;
}

static void template_nop(const struct plt_ring *r, struct io_uring_sqe *sqe)
{
    sqe->opcode = IORING_OP_NOP;
    sqe->len = r->block;
    if (r->expected != 0) {
        sqe->rw_flags = NOP_INJECT_RESULT | NOP_FILE | NOP_FIXED_FILE | (r->fixed ? NOP_FIXED_BUFFER : 0);
    }
}

/* Before 6.13 a NOP knows no flags, does less, and returns 0. */
static void find_nop_result(struct plt_ring *r)
{
    struct io_uring_cqe *cqe;
    struct io_uring_sqe *sqe = r->nop ? io_uring_get_sqe(&r->ring) : NULL;
    if (sqe == NULL) {
        return;
    }
    memset(sqe, 0, sizeof *sqe);
    template_nop(r, sqe);
    if (io_uring_submit_and_wait(&r->ring, 1) >= 0 && io_uring_peek_cqe(&r->ring, &cqe) == 0) {
        r->expected = cqe->res == (int32_t)r->block ? r->expected : 0;
        io_uring_cqe_seen(&r->ring, cqe);
    }
}

int plt_ring_init(struct plt_ring *r, struct plt_worker *worker, enum plt_phase *phase)
{
    const struct plt_workload *load = &worker->engine->workload;
    r->worker = worker;
    r->ring.ring_fd = -1;
    r->queue = load->queue;
    r->block = load->block;
    r->nop = load->nop;
    r->expected = (int32_t)load->block;
    r->multishot = true;
    r->write_flags = load->sync == PLT_SYNC_DSYNC ? RWF_DSYNC : load->sync == PLT_SYNC_SYNC ? RWF_SYNC : 0;
    r->tick.tv_nsec = (long long)load->tick_ns;
    *phase = PLT_PHASE_MEMORY;
    int error = allocate(r, load);
    if (error != 0) {
        return error;
    }
    *phase = PLT_PHASE_RING;
    error = make_ring(&r->ring, r->queue + SPARE_SQES, 2 * r->queue + 2 * SPARE_SQES);
    if (error != 0) {
        r->ring.ring_fd = -1;
        return error;
    }
    int fd = worker->engine->target.fd;
    error = io_uring_register_files(&r->ring, &fd, 1);
    if (error != 0) {
        return error;
    }
    register_buffers(r);
    r->enter_flags = IORING_ENTER_GETEVENTS;
    r->enter_fd = r->ring.ring_fd;
    if (io_uring_register_ring_fd(&r->ring) == 1) {
        r->enter_fd = r->ring.enter_ring_fd;
        r->enter_flags |= IORING_ENTER_REGISTERED_RING;
    }
    find_nop_result(r);
    r->sqes = r->ring.sq.sqes;
    r->cqes = r->ring.cq.cqes;
    r->sq_mask = r->ring.sq.ring_mask;
    r->cq_mask = r->ring.cq.ring_mask;
    r->sq_tail = *r->ring.sq.ktail;
    r->cq_head = *r->ring.cq.khead;
    return 0;
}

void plt_ring_clear(struct plt_ring *r)
{
    if (r->ring.ring_fd >= 0) {
        /* The kernel ends a ring some time later; the target and the locked memory are to be free at once. */
        io_uring_unregister_files(&r->ring);
        if (r->fixed) {
            io_uring_unregister_buffers(&r->ring);
        }
        io_uring_queue_exit(&r->ring);
    }
    plt_memory_free(r->buffers, r->buffers_length);
    free(r->issued_ns);
    free(r->free_slots);
    free(r->slots);
    free(r->offset);
    free(r->address);
}

void plt_ring_template(const struct plt_ring *r, struct io_uring_sqe *sqe, enum plt_op op)
{
    memset(sqe, 0, sizeof *sqe);
    if (r->nop) {
        template_nop(r, sqe);
        return;
    }
    sqe->flags = IOSQE_FIXED_FILE;
    if (op == PLT_OP_FLUSH) {
        sqe->opcode = IORING_OP_FSYNC;
        sqe->fsync_flags = r->worker->engine->workload.sync == PLT_SYNC_FDATASYNC ? IORING_FSYNC_DATASYNC : 0;
        return;
    }
    sqe->len = r->block;
    if (op == PLT_OP_READ) {
        sqe->opcode = r->fixed ? IORING_OP_READ_FIXED : IORING_OP_READ;
    } else {
        sqe->opcode = r->fixed ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE;
        sqe->rw_flags = r->write_flags;
        sqe->buf_index = r->buffers != NULL && r->fixed ? 1 : 0;
    }
}

void plt_ring_templates(struct plt_ring *r, enum plt_op op)
{
    for (unsigned i = 0; i <= r->sq_mask; i++) {
        plt_ring_template(r, &r->sqes[i], op);
    }
}

/* An SQE outside the templates; the caller publishes it with its next enter. The general loops refill all
 * fields of theirs. */
static struct io_uring_sqe *extra_sqe(struct plt_ring *r)
{
    struct io_uring_sqe *sqe = &r->sqes[r->sq_tail++ & r->sq_mask];
    memset(sqe, 0, sizeof *sqe);
    r->unsubmitted++;
    return sqe;
}

void plt_ring_arm(struct plt_ring *r)
{
    if (!r->timer_armed) {
        struct io_uring_sqe *sqe = extra_sqe(r);
        io_uring_prep_timeout(sqe, &r->tick, 0, r->multishot ? IORING_TIMEOUT_MULTISHOT : 0);
        sqe->user_data = PLT_USER_TICK;
        r->timer_armed = true;
    }
    if (!r->wake_armed) {
        struct io_uring_sqe *sqe = extra_sqe(r);
        io_uring_prep_poll_add(sqe, r->worker->engine->wake_fd, POLLIN);
        sqe->user_data = PLT_USER_WAKE;
        r->wake_armed = true;
    }
    __atomic_store_n(r->ring.sq.ktail, r->sq_tail, __ATOMIC_RELEASE);
}

void plt_ring_resubmit(struct plt_ring *r, uint32_t slot)
{
    const struct plt_slot *s = &r->slots[slot];
    struct io_uring_sqe *sqe = extra_sqe(r);
    plt_ring_template(r, sqe, s->op);
    sqe->addr = r->address[slot] + s->done;
    sqe->off = r->offset[slot] + s->done;
    sqe->len -= s->op == PLT_OP_FLUSH ? 0 : s->done;
    sqe->user_data = slot;
    __atomic_store_n(r->ring.sq.ktail, r->sq_tail, __ATOMIC_RELEASE);
}

int plt_ring_enter(struct plt_ring *r, unsigned wait, uint64_t timeout_ns)
{
    struct __kernel_timespec limit = {
        .tv_sec = (long long)(timeout_ns / 1000000000),
        .tv_nsec = (long long)(timeout_ns % 1000000000),
    };
    struct io_uring_getevents_arg arg = {.ts = (uint64_t)(uintptr_t)&limit};
    bool limited = timeout_ns != 0;
    int n = io_uring_enter2((unsigned)r->enter_fd, r->unsubmitted, wait,
                            r->enter_flags | (limited ? IORING_ENTER_EXT_ARG : 0),
                            limited ? (void *)&arg : NULL, limited ? sizeof arg : 0);
    if (n >= 0) {
        r->unsubmitted -= (unsigned)n;
        return 0;
    }
    return n == -EINTR || n == -EAGAIN || n == -EBUSY || n == -ETIME ? 0 : n;
}
