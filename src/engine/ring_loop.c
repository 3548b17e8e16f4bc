/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <sys/prctl.h>

#include "engine/clock.h"
#include "engine/issuer.h"
#include "engine/private.h"
#include "engine/ring.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/*
 * One call submits and waits. Where the library's wrapper would cost more instructions than the rest of a
 * pass at depth 1, the system call is made in place.
 */
ALWAYS_INLINE int enter(const struct plt_ring *r, unsigned submit, unsigned wait)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    register long flags __asm__("r10") = (long)r->enter_flags;
    register long sig __asm__("r8") = 0;
    register long size __asm__("r9") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"((long)__NR_io_uring_enter), "D"((long)r->enter_fd), "S"((long)submit),
                       "d"((long)wait), "r"(flags), "r"(sig), "r"(size)
                     : "rcx", "r11", "memory");
    return (int)result;
#else
    return io_uring_enter2((unsigned)r->enter_fd, submit, wait, r->enter_flags, NULL, 0);
#endif
}

static bool is_passing(int error)
{
    return error == -EINTR || error == -EAGAIN || error == -EBUSY;
}

/* A worker's ring, found from the worker: one per thread, so it can live with the thread. */
static __thread struct plt_ring *thread_ring;

static void look_at_ring(struct plt_worker *w, uint64_t now, uint64_t since, struct plt_open_ios *open)
{
    const struct plt_ring *r = thread_ring;
    uint64_t first = now;
    uint8_t is_free[PLT_MAX_QUEUE] = {0};
    *open = (struct plt_open_ios){.count = plt_ring_inflight(r)};
    for (unsigned i = 0; i < r->n_free; i++) {
        is_free[r->free_slots[i]] = 1;
    }
    for (unsigned i = 0; i < r->queue; i++) {
        if (!is_free[i]) {
            uint64_t issued = r->issued_ns[i];
            first = issued < first ? issued : first;
            open->area_ns += now - (issued > since ? issued : since);
        }
    }
    open->oldest_ns = now - first;
}

static void on_tick(struct plt_ring *r, const struct io_uring_cqe *cqe)
{
    if (cqe->res == -EINVAL && r->multishot) {
        r->multishot = false; /* before 6.4: armed anew every time */
    }
    if (!(cqe->flags & IORING_CQE_F_MORE)) {
        r->timer_armed = false;
    }
}

static void free_slot(struct plt_ring *r, uint32_t slot)
{
    r->slots[slot].done = 0;
    r->free_slots[r->n_free++] = slot;
}

/*
 * Everything that is not a whole, normal completion: the tick, the wake-up, short and refused I/O, errors,
 * flushes, and what is left of a short one.
 */
static void on_unusual(struct plt_ring *r, const struct io_uring_cqe *cqe, uint64_t now)
{
    struct plt_worker *w = r->worker;
    if (cqe->user_data == PLT_USER_TICK) {
        on_tick(r, cqe);
        return;
    }
    if (cqe->user_data == PLT_USER_WAKE) {
        if (w->phase != PLT_WORKER_DRAIN) {
            plt_worker_take_stop(w);
        }
        return;
    }
    uint32_t slot = (uint32_t)cqe->user_data;
    struct plt_slot *s = &r->slots[slot];
    bool draining = w->phase == PLT_WORKER_DRAIN;
    uint32_t wanted = s->op == PLT_OP_FLUSH ? 0 : r->block;
    if (is_passing(cqe->res) && !draining) {
        plt_ring_resubmit(r, slot);
        return;
    }
    s->done += cqe->res > 0 ? (uint32_t)cqe->res : 0;
    /* A part that is no whole number of logical blocks is the last of the target: the rest cannot be asked
     * for. */
    if (cqe->res > 0 && s->done < wanted && s->done % w->engine->target.logical_block == 0 && !draining) {
        plt_ring_resubmit(r, slot);
        return;
    }
    bool whole = cqe->res >= 0 && s->done == wanted;
    if (draining) {
        w->late_ios++;
        w->late_max_ns =
            now - r->issued_ns[slot] > w->late_max_ns ? now - r->issued_ns[slot] : w->late_max_ns;
    } else if (whole) {
        plt_worker_count_one(w, s->op, now, now - r->issued_ns[slot]);
    } else {
        /* Nothing at all from inside the range is the end of a target that has shrunk. */
        plt_worker_fail(w, cqe->res < 0 ? -cqe->res : EIO, s->op, r->offset[slot] + s->done, now);
    }
    free_slot(r, slot);
}

/* Submits what on_unusual left to submit, and puts the templates back that it wrote over. */
static void submit_extra(struct plt_ring *r, enum plt_op op, bool restore)
{
    unsigned from = r->sq_tail - r->unsubmitted;
    while (r->unsubmitted > 0) {
        int error = plt_ring_enter(r, 0, 0);
        if (error != 0) {
            plt_worker_fail(r->worker, -error, op, 0, plt_clock_now_ns());
            return;
        }
    }
    for (unsigned i = from; restore && i != r->sq_tail; i++) {
        plt_ring_template(r, &r->sqes[i & r->sq_mask], op);
    }
}

/* The kernel took less than it was given, or refused for the moment: the rest goes with the next pass. */
static void on_partial_submit(struct plt_ring *r, int submitted, enum plt_op op, uint64_t now)
{
    if (submitted >= 0) {
        r->unsubmitted -= (unsigned)submitted;
    } else if (!is_passing(submitted)) {
        plt_worker_fail(r->worker, -submitted, op, 0, now);
    }
}

/*
 * The hot loop: one kind of I/O at full speed. RANDOM and WRITE are constants where it is expanded. Per I/O
 * it touches its SQE, its slot and one histogram bucket; everything else is per pass.
 */
ALWAYS_INLINE void fast_loop(struct plt_ring *r, const bool random, const bool write, const bool deep)
{
    struct plt_worker *w = r->worker;
    const enum plt_op op = write ? PLT_OP_WRITE : PLT_OP_READ;
    struct plt_histogram *h = w->histogram[op];
    struct plt_xoshiro rng = w->stream.rng;
    struct plt_pool_walk walk = w->walk;
    const uint64_t blocks = w->stream.blocks, base = w->stream.base, block = r->block;
    const unsigned char *pool = w->engine->pool.data;
    uint64_t *const issued = r->issued_ns;
    uint32_t *const free_slots = r->free_slots;
    uint64_t *const offset = r->offset;
    uint64_t *const address = r->address;
    const unsigned queue = deep ? r->queue : 1;
    const unsigned slack = plt_worker_slack(queue);
    unsigned n_free = queue, tail = r->sq_tail, head = r->cq_head;
    uint64_t cursor = 0, area = 0, last = w->engine->start_ns;

    for (;;) {
        unsigned n = deep ? plt_worker_batch(w, n_free, slack) : n_free;
        uint64_t submit_time = plt_clock_now_ns();
        area += (queue - n_free) * (submit_time - last);
        for (unsigned i = 0; deep ? i < n : i < 1 && n != 0; i++) {
            uint32_t slot = deep ? free_slots[--n_free] : --n_free;
            struct io_uring_sqe *sqe = &r->sqes[tail++ & r->sq_mask];
            uint64_t number = cursor;
            if (random) {
                number = plt_random_range(plt_xoshiro_next(&rng), blocks);
            } else {
                cursor = cursor + 1 == blocks ? 0 : cursor + 1;
            }
            sqe->off = base + number * block;
            sqe->user_data = slot;
            offset[slot] = sqe->off;
            if (write) {
                address[slot] = (uint64_t)(uintptr_t)(pool + plt_pool_walk_next(&walk));
            }
            sqe->addr = address[slot];
            issued[slot] = submit_time;
        }
        __atomic_store_n(r->ring.sq.ktail, tail, __ATOMIC_RELEASE);
        int submitted = enter(r, n + r->unsubmitted, n_free == 0);
        uint64_t now = plt_clock_now_ns();
        if (__builtin_expect(submitted != (int)n || r->unsubmitted != 0, 0)) {
            r->unsubmitted += n;
            on_partial_submit(r, submitted, op, now);
        }
        now = __builtin_expect(now >= w->edge, 0) ? plt_clock_doubt(now, w->edge) : now;
        area += (queue - n_free) * (now - submit_time);
        last = now;
        if (__builtin_expect(now >= w->edge, 0)) {
            r->n_free = n_free;
            w->area_ns += area;
            area = 0;
            if (plt_worker_edge(w, now)) {
                break;
            }
        }
        unsigned cq_tail = __atomic_load_n(r->ring.cq.ktail, __ATOMIC_ACQUIRE);
        uint64_t done = 0, sum = 0, min = UINT64_MAX, max = 0;
        bool unusual = false;
        for (; head != cq_tail; head++) {
            const struct io_uring_cqe *cqe = &r->cqes[head & r->cq_mask];
            if (__builtin_expect(cqe->res != r->expected, 0)) {
                r->n_free = n_free;
                r->sq_tail = tail;
                on_unusual(r, cqe, now);
                n_free = r->n_free;
                tail = r->sq_tail;
                unusual = true;
                continue;
            }
            uint32_t slot = deep ? (uint32_t)cqe->user_data : 0;
            uint64_t latency = now - issued[slot];
            if (deep) {
                free_slots[n_free] = slot;
            }
            n_free++;
            plt_worker_bucket(h, latency);
            sum += latency;
            min = latency < min ? latency : min;
            max = latency > max ? latency : max;
            done++;
        }
        __atomic_store_n(r->ring.cq.khead, head, __ATOMIC_RELEASE);
        if (__builtin_expect(done != 0, 1)) {
            plt_worker_count(w, op, done, now, sum, min, max);
        }
        if (__builtin_expect(unusual, 0)) {
            r->sq_tail = tail;
            plt_ring_arm(r);
            submit_extra(r, op, true);
            tail = r->sq_tail;
        }
    }
    r->sq_tail = tail;
    r->cq_head = head;
}

static void random_read_loop(struct plt_ring *r)
{
    fast_loop(r, true, false, true);
}

static void random_write_loop(struct plt_ring *r)
{
    fast_loop(r, true, true, true);
}

static void sequential_read_loop(struct plt_ring *r)
{
    fast_loop(r, false, false, true);
}

static void sequential_write_loop(struct plt_ring *r)
{
    fast_loop(r, false, true, true);
}

static void single_random_read_loop(struct plt_ring *r)
{
    fast_loop(r, true, false, false);
}

static void single_random_write_loop(struct plt_ring *r)
{
    fast_loop(r, true, true, false);
}

static void single_sequential_read_loop(struct plt_ring *r)
{
    fast_loop(r, false, false, false);
}

static void single_sequential_write_loop(struct plt_ring *r)
{
    fast_loop(r, false, true, false);
}

static void issue(struct plt_ring *r, enum plt_op op, uint64_t now)
{
    struct plt_worker *w = r->worker;
    uint32_t slot = r->free_slots[--r->n_free];
    struct io_uring_sqe *sqe = &r->sqes[r->sq_tail++ & r->sq_mask];
    plt_ring_template(r, sqe, op);
    r->slots[slot] = (struct plt_slot){.op = op};
    if (op == PLT_OP_READ) {
        r->address[slot] = (uint64_t)(uintptr_t)(r->buffers + slot * r->stride);
    } else if (op == PLT_OP_WRITE) {
        r->address[slot] = (uint64_t)(uintptr_t)(w->engine->pool.data + plt_pool_walk_next(&w->walk));
    } else {
        r->address[slot] = 0;
    }
    r->offset[slot] = op == PLT_OP_FLUSH ? 0 : plt_stream_offset(&w->stream);
    sqe->addr = r->address[slot];
    sqe->off = r->offset[slot];
    sqe->user_data = slot;
    r->issued_ns[slot] = now;
    r->unsubmitted++;
}

/* Issues what may be issued now; says how long to wait for. True when nothing will ever come any more. */
static bool issue_batch(struct plt_ring *r, struct plt_issuer *issuer, uint64_t now, unsigned *wait,
                        uint64_t *timeout_ns)
{
    *wait = 0;
    *timeout_ns = 0;
    for (unsigned n = plt_worker_batch(r->worker, r->n_free, plt_worker_slack(r->queue)); n > 0; n--) {
        enum plt_op op;
        uint64_t until;
        enum plt_next next = plt_issuer_next(issuer, now, plt_ring_inflight(r), &op, &until);
        if (next == PLT_NEXT_ISSUE) {
            issue(r, op, now);
            continue;
        }
        *wait = 1;
        if (next == PLT_NEXT_WAIT && until != UINT64_MAX) {
            *timeout_ns = until > now ? until - now : 1;
        }
        return next == PLT_NEXT_END && plt_ring_inflight(r) == 0;
    }
    *wait = r->n_free == 0;
    return false;
}

static void reap(struct plt_ring *r, uint64_t now)
{
    unsigned tail = __atomic_load_n(r->ring.cq.ktail, __ATOMIC_ACQUIRE);
    for (; r->cq_head != tail; r->cq_head++) {
        on_unusual(r, &r->cqes[r->cq_head & r->cq_mask], now);
    }
    __atomic_store_n(r->ring.cq.khead, r->cq_head, __ATOMIC_RELEASE);
}

/* Everything that the hot loop leaves out: mixed directions, limits by bytes, rates, pauses, flushes, shared
 * cursors. */
static void general_loop(struct plt_ring *r)
{
    struct plt_worker *w = r->worker;
    struct plt_issuer issuer;
    uint64_t last = w->engine->start_ns;
    plt_issuer_init(&issuer, w, w->engine->n_workers, last);
    for (;;) {
        unsigned wait;
        uint64_t timeout_ns;
        uint64_t submit_time = plt_clock_now_ns();
        w->area_ns += plt_ring_inflight(r) * (submit_time - last);
        if (issue_batch(r, &issuer, submit_time, &wait, &timeout_ns)) {
            plt_worker_end(w, last);
            return;
        }
        __atomic_store_n(r->ring.sq.ktail, r->sq_tail, __ATOMIC_RELEASE);
        int error = plt_ring_enter(r, wait, timeout_ns);
        uint64_t now = plt_clock_now_ns();
        if (error != 0) {
            plt_worker_fail(w, -error, PLT_OP_READ, 0, now);
        }
        now = now >= w->edge ? plt_clock_doubt(now, w->edge) : now;
        w->area_ns += plt_ring_inflight(r) * (now - submit_time);
        last = now;
        if (now >= w->edge && plt_worker_edge(w, now)) {
            return;
        }
        reap(r, now);
        plt_ring_arm(r);
    }
}

/* Takes back what is in flight at the window's end, uncounted. Ends when the kernel holds nothing any more.
 */
static void drain(struct plt_ring *r)
{
    while (plt_ring_inflight(r) > 0) {
        plt_ring_arm(r);
        int error = plt_ring_enter(r, 1, 0);
        if (error != 0) {
            return;
        }
        reap(r, plt_clock_now_ns());
    }
}

static bool fits_fast_loop(const struct plt_workload *w)
{
    bool one_way = w->read_percent == 0 || w->read_percent == 100;
    bool unlimited = w->bytes == 0 && w->rate_bps[0] == 0 && w->rate_bps[1] == 0 && w->think_every == 0;
    bool flushes = w->sync == PLT_SYNC_FSYNC || w->sync == PLT_SYNC_FDATASYNC;
    bool own_cursor = w->pattern == PLT_PATTERN_RANDOM || w->threads == 1 || w->separate_streams;
    return one_way && unlimited && !flushes && own_cursor && w->generator == PLT_GENERATOR_XOSHIRO256PP;
}

static void run_fast(struct plt_ring *r)
{
    static void (*const loops[2][2][2])(struct plt_ring *) = {
        {{single_sequential_read_loop, single_sequential_write_loop},
         {single_random_read_loop, single_random_write_loop}},
        {{sequential_read_loop, sequential_write_loop}, {random_read_loop, random_write_loop}},
    };
    const struct plt_workload *load = &r->worker->engine->workload;
    bool random = load->pattern == PLT_PATTERN_RANDOM;
    enum plt_op op = load->read_percent == 0 ? PLT_OP_WRITE : PLT_OP_READ;
    plt_ring_templates(r, op);
    for (unsigned i = 0; i < r->queue; i++) {
        r->slots[i].op = op;
        r->address[i] = op == PLT_OP_READ ? (uint64_t)(uintptr_t)(r->buffers + i * r->stride) : 0;
    }
    loops[r->queue > 1][random][op == PLT_OP_WRITE](r);
}

static void run_load(struct plt_ring *r)
{
    struct plt_worker *w = r->worker;
    plt_worker_start(w, w->engine->start_ns);
    uint64_t now = plt_clock_now_ns();
    if (now >= w->edge && plt_worker_edge(w, now)) {
        return; /* cancelled before it began: nothing is issued */
    }
    plt_ring_arm(r);
    submit_extra(r, PLT_OP_READ, false);
    if (fits_fast_loop(&w->engine->workload)) {
        run_fast(r);
    } else {
        general_loop(r);
    }
    drain(r);
}

void plt_ring_worker_run(struct plt_worker *w)
{
    struct plt_ring ring = {0};
    enum plt_phase phase;
    thread_ring = &ring;
    w->look = look_at_ring;
    prctl(PR_SET_TIMERSLACK, 1UL); /* rates are kept by short waits: 50 µs of slack would blur them */
    int error = plt_ring_init(&ring, w, &phase);
    if (error != 0) {
        w->error = (struct plt_engine_error){.phase = phase, .code = -error};
    }
    w->plain_buffers = error == 0 && !ring.fixed && !ring.nop;
    if (plt_engine_pass_gate(w->engine) && error == 0) {
        run_load(&ring);
    }
    plt_ring_clear(&ring);
}
