/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/issuer.h"
#include "engine/memory.h"
#include "engine/private.h"

/*
 * The plain way: one blocking pread, pwrite or fsync at a time, queue x threads of these threads. For systems
 * that refuse io_uring, and for targets where it would only add a kernel thread to each I/O.
 */

/* A pause looks at the stop flag at least this often. */
#define LONGEST_NAP_NS UINT64_C(10000000)

struct thread_io {
    struct plt_worker *worker;
    unsigned char *buffer; /* for reads */
    size_t buffer_length;
    int write_flags;
    uint64_t issued_ns;  /* 0: idle */
    uint64_t settled_ns; /* until when the I/O in flight is in the worker's area */
};

static void look_at_thread(struct plt_worker *w, uint64_t now, uint64_t since, struct plt_open_ios *open)
{
    const struct thread_io *io = w->loop;
    *open = (struct plt_open_ios){0};
    if (io->issued_ns != 0) {
        open->count = 1;
        open->oldest_ns = now - io->issued_ns;
        open->area_ns = now - (io->issued_ns > since ? io->issued_ns : since);
    }
}

static void settle(struct thread_io *io, uint64_t now)
{
    if (io->issued_ns != 0) {
        io->worker->area_ns += now - io->settled_ns;
        io->settled_ns = now;
    }
}

static ssize_t transfer(struct thread_io *io, enum plt_op op, unsigned char *data, size_t length,
                        uint64_t offset)
{
    int fd = io->worker->engine->target.fd;
    struct iovec iov = {data, length};
    if (op == PLT_OP_READ) {
        return pread(fd, data, length, (off_t)offset);
    }
    return io->write_flags == 0 ? pwrite(fd, data, length, (off_t)offset)
                                : pwritev2(fd, &iov, 1, (off_t)offset, io->write_flags);
}

static bool past_end(const struct plt_worker *w)
{
    return plt_clock_now_ns() >= atomic_load(&w->engine->stop_ns);
}

/* All of one block. 0, or the errno, with *DONE bytes transferred before it. */
static int transfer_whole(struct thread_io *io, enum plt_op op, unsigned char *data, uint64_t offset,
                          uint32_t *done)
{
    uint32_t block = io->worker->engine->workload.block;
    while (*done < block) {
        ssize_t n = transfer(io, op, data + *done, block - *done, offset + *done);
        if (n == 0) {
            return EIO;
        }
        if (n < 0 && errno != EINTR && errno != EAGAIN) {
            return errno;
        }
        if (n < 0 && past_end(io->worker)) {
            return errno;
        }
        *done += n > 0 ? (uint32_t)n : 0;
        /* As in a ring: this was the last of the target. */
        if (*done < block && *done % io->worker->engine->target.logical_block != 0) {
            return EIO;
        }
    }
    return 0;
}

static int flush(const struct thread_io *io)
{
    int fd = io->worker->engine->target.fd;
    int result = io->worker->engine->workload.sync == PLT_SYNC_FDATASYNC ? fdatasync(fd) : fsync(fd);
    return result == 0 ? 0 : errno;
}

static void nap(struct plt_worker *w, uint64_t now, uint64_t until)
{
    uint64_t length = until > now ? until - now : 0;
    length = length > LONGEST_NAP_NS ? LONGEST_NAP_NS : length;
    struct timespec pause = {.tv_nsec = (long)length};
    pthread_mutex_unlock(&w->lock);
    nanosleep(&pause, NULL);
    pthread_mutex_lock(&w->lock);
}

/* The call itself, without the lock. 0, or the errno, with *DONE bytes transferred before it. */
static int call(struct thread_io *io, enum plt_op op, uint64_t offset, uint32_t *done)
{
    struct plt_worker *w = io->worker;
    unsigned char *data =
        op == PLT_OP_WRITE ? w->engine->pool.data + plt_pool_walk_next(&w->walk) : io->buffer;
    io->issued_ns = io->settled_ns = plt_clock_now_ns();
    pthread_mutex_unlock(&w->lock);
    int error = op == PLT_OP_FLUSH ? flush(io) : transfer_whole(io, op, data, offset, done);
    pthread_mutex_lock(&w->lock);
    return error;
}

/* Performs one operation; counts it if it ended inside the window. True when the window is over. */
static bool perform(struct thread_io *io, enum plt_op op)
{
    struct plt_worker *w = io->worker;
    uint32_t done = 0;
    uint64_t offset = op == PLT_OP_FLUSH ? 0 : plt_stream_offset(&w->stream);
    int error = call(io, op, offset, &done);
    uint64_t now = plt_clock_now_ns();
    now = now >= w->edge ? plt_clock_doubt(now, w->edge) : now;
    uint64_t latency = now - io->issued_ns;
    bool over = w->phase == PLT_WORKER_DRAIN; /* the sampler has given up waiting */
    if (!over) {
        settle(io, now);
        plt_worker_take_stop(w);
        over = now >= w->edge && plt_worker_edge(w, now);
    }
    io->issued_ns = 0;
    if (over) {
        w->late_ios++;
        w->late_max_ns = latency;
        return true;
    }
    if (error != 0) {
        plt_worker_fail(w, error, op, offset + done, now);
        plt_worker_end(w, now);
        return true;
    }
    plt_worker_count_one(w, op, now, latency);
    w->last_completion_ns = now;
    return false;
}

static void loop(struct thread_io *io)
{
    struct plt_worker *w = io->worker;
    struct plt_issuer issuer;
    plt_issuer_init(&issuer, w, w->engine->n_workers, w->engine->start_ns);
    for (;;) {
        enum plt_op op;
        uint64_t until;
        uint64_t now = plt_clock_now_ns();
        now = now >= w->edge ? plt_clock_doubt(now, w->edge) : now;
        plt_worker_take_stop(w);
        /* Before the edge, which may close the tick of the last completion: the window ends with that. */
        enum plt_next next = plt_issuer_next(&issuer, now, 0, &op, &until);
        if (next == PLT_NEXT_END) {
            plt_worker_end(w, w->phase == PLT_WORKER_MEASURE ? w->last_completion_ns : w->t0);
            return;
        }
        if (now >= w->edge && plt_worker_edge(w, now)) {
            return;
        }
        if (next == PLT_NEXT_ISSUE && perform(io, op)) {
            return;
        }
        if (next == PLT_NEXT_WAIT) {
            nap(w, now, until);
        }
        if (w->phase == PLT_WORKER_DRAIN) {
            return;
        }
    }
}

void plt_thread_worker_stand_in(struct plt_worker *w, bool give_up)
{
    if (pthread_mutex_trylock(&w->lock) != 0) {
        return;
    }
    if (w->phase != PLT_WORKER_DRAIN) {
        uint64_t now = plt_clock_now_ns();
        now = now >= w->edge ? plt_clock_doubt(now, w->edge) : now;
        settle(w->loop, now);
        plt_worker_stand_in(w, now, give_up);
    }
    pthread_mutex_unlock(&w->lock);
}

void plt_thread_worker_run(struct plt_worker *w)
{
    const struct plt_workload *load = &w->engine->workload;
    struct thread_io io = {.worker = w, .buffer_length = load->block};
    w->loop = &io;
    w->look = look_at_thread;
    io.write_flags = load->sync == PLT_SYNC_DSYNC ? RWF_DSYNC : load->sync == PLT_SYNC_SYNC ? RWF_SYNC : 0;
    prctl(PR_SET_TIMERSLACK, 1UL);
    io.buffer = plt_memory_alloc(&io.buffer_length);
    if (io.buffer == NULL) {
        w->error = (struct plt_engine_error){.phase = PLT_PHASE_MEMORY, .code = ENOMEM};
    }
    pthread_mutex_lock(&w->lock);
    if (plt_engine_pass_gate(w->engine) && io.buffer != NULL) {
        plt_worker_start(w, w->engine->start_ns);
        loop(&io);
    }
    pthread_mutex_unlock(&w->lock);
    plt_memory_free(io.buffer, io.buffer_length);
}
