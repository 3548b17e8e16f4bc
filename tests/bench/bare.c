/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plateau-bare QUEUE SECONDS: how many no-operations per second this machine does in the plainest io_uring
 * loop that liburing allows: nothing is timed, counted in a histogram or spread over offsets. The kernel does
 * the bookkeeping of a read (file and buffer are looked up), as for the engine's own no-operations. Prints
 * JSON.
 */
#include <liburing.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <fcntl.h>

/* <linux/io_uring.h> has these from 6.13; older kernels answer EINVAL and the loop says so. */
#define NOP_INJECT_RESULT (1u << 0)
#define NOP_FILE (1u << 1)
#define NOP_FIXED_FILE (1u << 2)
#define NOP_FIXED_BUFFER (1u << 3)

#define BLOCK 4096
#define MAX_QUEUE 4096

/* More per system call gains nothing measurable, and is not what a benchmark would do. */
#define MAX_BATCH 32

static volatile sig_atomic_t over;

static void on_alarm(int number)
{
    over = 1;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static int fail(const char *what, int error)
{
    fprintf(stderr, "plateau-bare: %s: %s\n", what, strerror(-error));
    return 1;
}

static int setup(struct io_uring *ring, unsigned queue, void *buffer)
{
    struct io_uring_params params = {
        .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN,
    };
    struct iovec iov = {buffer, (size_t)queue * BLOCK};
    int file = open("/dev/null", O_RDWR | O_CLOEXEC), e;

    if ((e = io_uring_queue_init_params(queue, ring, &params)) < 0)
        return e;
    if ((e = io_uring_register_ring_fd(ring)) < 0)
        return e;
    if ((e = io_uring_register_files(ring, &file, 1)) < 0)
        return e;
    return io_uring_register_buffers(ring, &iov, 1);
}

static void prepare(struct io_uring *ring, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
        io_uring_prep_nop(sqe);
        sqe->fd = 0;
        sqe->len = BLOCK;
        sqe->rw_flags = NOP_INJECT_RESULT | NOP_FILE | NOP_FIXED_FILE | NOP_FIXED_BUFFER;
    }
}

/* Keeps the queue full until the alarm. The number of completions, or -errno. */
static int64_t loop(struct io_uring *ring, unsigned queue)
{
    unsigned batch = queue < MAX_BATCH ? queue : MAX_BATCH, inflight = 0;
    int64_t done = 0;

    while (!over || inflight) {
        unsigned n = 0, room = queue - inflight - io_uring_sq_ready(ring), head;
        struct io_uring_cqe *cqe;
        int e;

        if (!over)
            prepare(ring, room < batch ? room : batch);
        e = io_uring_submit_and_wait(ring, 1);
        if (e < 0 && e != -EINTR)
            return e;
        inflight += e > 0 ? (unsigned)e : 0;
        io_uring_for_each_cqe(ring, head, cqe)
        {
            if (cqe->res < 0)
                return cqe->res;
            n++;
        }
        io_uring_cq_advance(ring, n);
        inflight -= n;
        done += n;
    }
    return done;
}

int main(int argc, char **argv)
{
    unsigned queue = argc == 3 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    double length = argc == 3 ? strtod(argv[2], NULL) : 0, start;
    struct itimerval timer = {
        .it_value = {(time_t)length, (suseconds_t)((length - (double)(time_t)length) * 1e6)}};
    struct rusage before, after;
    struct io_uring ring;
    int64_t done;
    void *buffer;
    int e;

    if (!queue || queue > MAX_QUEUE || !(length >= 0.01 && length <= 3600)) {
        fprintf(stderr, "Usage: plateau-bare QUEUE SECONDS, with a queue of 1 to %u\n", MAX_QUEUE);
        return 2;
    }
    buffer = aligned_alloc(BLOCK, (size_t)queue * BLOCK);
    if (!buffer || (e = setup(&ring, queue, buffer)) < 0)
        return fail("io_uring cannot be set up", buffer ? e : -ENOMEM);
    signal(SIGALRM, on_alarm);
    getrusage(RUSAGE_THREAD, &before);
    start = now_s();
    setitimer(ITIMER_REAL, &timer, NULL);
    done = loop(&ring, queue);
    length = now_s() - start;
    getrusage(RUSAGE_THREAD, &after);
    if (done <= 0)
        return fail("no-operation refused", (int)done);
    printf("{\"ios\": %lld, \"iops\": %.0f, \"user_ns_per_io\": %.3f, \"system_ns_per_io\": %.3f}\n",
           (long long)done, (double)done / length,
           (seconds(after.ru_utime) - seconds(before.ru_utime)) * 1e9 / (double)done,
           (seconds(after.ru_stime) - seconds(before.ru_stime)) * 1e9 / (double)done);
    io_uring_queue_exit(&ring);
    free(buffer);
    return 0;
}
