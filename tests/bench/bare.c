/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plateau-bare QUEUE SECONDS [FILE]: how many I/Os per second this machine does in the plainest io_uring loop
 * that liburing allows: nothing is timed or counted in a histogram. Without FILE they are no-operations for
 * which the kernel does the bookkeeping of a read (file and buffer are looked up), as for the engine's own;
 * with FILE, random direct reads of 4 KiB. Prints JSON.
 */
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

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

static int setup(struct io_uring *ring, unsigned queue, void *buffer, int file)
{
    struct io_uring_params params = {
        .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN,
    };
    struct iovec iov = {buffer, (size_t)queue * BLOCK};
    int e;

    if ((e = io_uring_queue_init_params(queue, ring, &params)) < 0)
        return e;
    if ((e = io_uring_register_ring_fd(ring)) < 0)
        return e;
    if ((e = io_uring_register_files(ring, &file, 1)) < 0)
        return e;
    return io_uring_register_buffers(ring, &iov, 1);
}

/* Marsaglia's xorshift64: three shifts are random enough to miss every cache. */
static uint64_t next_random(void)
{
    static uint64_t x = UINT64_C(88172645463325252);

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

/* Where the next I/O goes, and which parts of the buffer no I/O has. */
struct load {
    unsigned char *buffer;
    uint64_t blocks; /* of the file; 0 = no-operations */
    unsigned free_parts[MAX_QUEUE], n_free;
};

static void prepare(struct io_uring *ring, struct load *load, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
        unsigned part = load->free_parts[--load->n_free];

        if (load->blocks) {
            io_uring_prep_read_fixed(sqe, 0, load->buffer + (size_t)part * BLOCK, BLOCK,
                                     next_random() % load->blocks * BLOCK, 0);
            sqe->flags |= IOSQE_FIXED_FILE;
        } else {
            io_uring_prep_nop(sqe);
            sqe->fd = 0;
            sqe->len = BLOCK;
            sqe->rw_flags = NOP_INJECT_RESULT | NOP_FILE | NOP_FIXED_FILE | NOP_FIXED_BUFFER;
        }
        sqe->user_data = part;
    }
}

/* Keeps the queue full until the alarm. The number of completions, or -errno. */
static int64_t loop(struct io_uring *ring, struct load *load, unsigned queue)
{
    unsigned batch = queue < MAX_BATCH ? queue : MAX_BATCH;
    int64_t done = 0;

    while (!over || load->n_free < queue) {
        unsigned n = 0, head;
        struct io_uring_cqe *cqe;
        int e;

        if (!over)
            prepare(ring, load, load->n_free < batch ? load->n_free : batch);
        e = io_uring_submit_and_wait(ring, 1);
        if (e < 0 && e != -EINTR)
            return e;
        io_uring_for_each_cqe(ring, head, cqe)
        {
            if (cqe->res < 0)
                return cqe->res;
            load->free_parts[load->n_free++] = (unsigned)cqe->user_data;
            n++;
        }
        io_uring_cq_advance(ring, n);
        done += n;
    }
    return done;
}

/* Opens what is read; the number of its blocks. Negative: -errno. */
static int64_t open_file(const char *path, int *fd)
{
    off_t size;

    *fd = open(path ? path : "/dev/null", (path ? O_RDONLY | O_DIRECT : O_RDWR) | O_CLOEXEC);
    if (*fd < 0)
        return -errno;
    if (!path)
        return 0;
    size = lseek(*fd, 0, SEEK_END);
    return size < 0 ? -errno : size < BLOCK ? -EINVAL : size / BLOCK;
}

int main(int argc, char **argv)
{
    static struct load load;
    bool usage = argc == 3 || argc == 4;
    unsigned queue = usage ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    double length = usage ? strtod(argv[2], NULL) : 0, start;
    struct itimerval timer = {
        .it_value = {(time_t)length, (suseconds_t)((length - (double)(time_t)length) * 1e6)}};
    struct rusage before, after;
    struct io_uring ring;
    int64_t done, blocks;
    int e, file;

    if (!queue || queue > MAX_QUEUE || !(length >= 0.01 && length <= 3600)) {
        fprintf(stderr, "Usage: plateau-bare QUEUE SECONDS [FILE], with a queue of 1 to %u\n", MAX_QUEUE);
        return 2;
    }
    blocks = open_file(argc == 4 ? argv[3] : NULL, &file);
    if (blocks < 0)
        return fail(argv[argc - 1], (int)blocks);
    load.blocks = (uint64_t)blocks;
    load.buffer = aligned_alloc(BLOCK, (size_t)queue * BLOCK);
    if (!load.buffer || (e = setup(&ring, queue, load.buffer, file)) < 0)
        return fail("io_uring cannot be set up", load.buffer ? e : -ENOMEM);
    for (; load.n_free < queue; load.n_free++)
        load.free_parts[load.n_free] = load.n_free;
    signal(SIGALRM, on_alarm);
    getrusage(RUSAGE_THREAD, &before);
    start = now_s();
    setitimer(ITIMER_REAL, &timer, NULL);
    done = loop(&ring, &load, queue);
    length = now_s() - start;
    getrusage(RUSAGE_THREAD, &after);
    if (done <= 0)
        return fail(argc == 4 ? "read failed" : "no-operation refused", (int)done);
    printf("{\"ios\": %lld, \"iops\": %.0f, \"user_ns_per_io\": %.3f, \"system_ns_per_io\": %.3f}\n",
           (long long)done, (double)done / length,
           (seconds(after.ru_utime) - seconds(before.ru_utime)) * 1e9 / (double)done,
           (seconds(after.ru_stime) - seconds(before.ru_stime)) * 1e9 / (double)done);
    io_uring_queue_exit(&ring);
    free(load.buffer);
    close(file);
    return 0;
}
