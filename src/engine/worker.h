/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "engine/pool.h"
#include "engine/stream.h"

/*
 * What both kinds of worker share: the time table of a load, the counters of the open tick, and their
 * hand-over to the sampler. A worker owns all of it but for the two ring positions.
 *
 * Time table (engine clock, ns):  start …ramp… t0 …ticks… t_end …drain…
 * The loops compare the clock with `edge` once per pass, before they count what that pass reaped, and call
 * plt_worker_edge when it is reached: so a completion is counted in the tick in which it was reaped, and
 * nothing that was reaped after t_end is counted at all.
 */

/* Closed ticks between a worker and the sampler: 102 s at 100 ms, 10 s at 10 ms. A power of two. */
#define PLT_TICK_RING 1024

enum plt_worker_phase {
    PLT_WORKER_RAMP,
    PLT_WORKER_MEASURE,
    PLT_WORKER_DRAIN,
};

struct plt_tuner {
    uint64_t trial_end;
    uint64_t trial_length; /* 0: not tuning */
    uint64_t started_ns, started_busy_ns, started_ios;
    unsigned best;
    double best_rate;
    bool settled; /* the first trial only fills the queue */
};

/* What a loop has in flight at a moment. */
struct plt_open_ios {
    uint32_t count;
    uint64_t oldest_ns; /* age of the oldest */
    uint64_t area_ns;   /* time that they have been in flight since a moment before, summed up */
};

struct plt_worker {
    struct plt_engine *engine;
    unsigned index;
    int thread; /* the kernel's number of it */

    enum plt_worker_phase phase;
    uint64_t t0, t_end, edge;
    uint64_t tick_end;
    struct plt_sample open;
    struct plt_histogram *histogram[PLT_N_OPS];
    uint64_t area_ns; /* I/Os in flight integrated over the measured window */
    uint64_t last_completion_ns;
    uint64_t late_ios, late_max_ns;

    struct plt_stream stream;
    struct plt_pool_walk walk;
    struct plt_tuner tuner;
    unsigned cap; /* most SQEs per enter */

    uint64_t user_ns, system_ns; /* processor time in the window */
    uint64_t busy_ns;            /* plt_engine_thread_busy_ns of the window */
    bool timed;                  /* the three hold their value at the window's start */
    bool kernel_workers, ticks_late, plain_buffers;
    struct plt_engine_error error;

    /* Asks the loop what is in flight at NOW, with its area since SINCE. */
    void (*look)(struct plt_worker *worker, uint64_t now, uint64_t since, struct plt_open_ios *open);

    /*
     * Plain threads only: held all the time but while a call blocks, so that the sampler can stand in for a
     * worker that does not come back from one.
     */
    pthread_mutex_t lock;
    void *loop; /* the loop's own data */

    struct plt_sample *tick; /* PLT_TICK_RING of them */
    _Alignas(64) _Atomic uint64_t tick_head;
    _Alignas(64) _Atomic uint64_t tick_tail;
    _Atomic bool window_over; /* no more ticks will come, results may be read */
    _Atomic bool finished;    /* nothing in flight any more */
};

/* 0 or -errno. */
int plt_worker_init(struct plt_worker *worker, struct plt_engine *engine, unsigned index,
                    unsigned stream_index);
void plt_worker_clear(struct plt_worker *worker);

/*
 * How many of N_FREE slots to issue in one pass: the cap, or more where a slow pass would let the queue run
 * empty: what stays free is at most a quarter of the queue, or sixteen. Completions come in bunches, and a
 * bunch that is sent back whole waits as a whole: with half of these limits a disk at depth 32 gave 0.87
 * instead of 1.0 times fio's IOPS, while with none a loop device at depth 256 was kept at 0.9 of its depth.
 */
static inline unsigned plt_worker_batch(const struct plt_worker *w, unsigned n_free, unsigned slack)
{
    unsigned capped = n_free < w->cap ? n_free : w->cap;
    unsigned needed = n_free > slack ? n_free - slack : 0;
    return capped > needed ? capped : needed;
}

static inline unsigned plt_worker_slack(unsigned queue)
{
    return queue / 4 > 16 ? queue / 4 : 16;
}

/* Starts the time table at NOW. */
void plt_worker_start(struct plt_worker *worker, uint64_t now);

/*
 * NOW has reached worker->edge: closes ticks, begins the measured window, tunes the cap. True when the window
 * is over: the caller counts nothing any more and drains.
 */
bool plt_worker_edge(struct plt_worker *worker, uint64_t now);

/* The engine was told to stop: takes over the new end. */
void plt_worker_take_stop(struct plt_worker *worker);

/* Ends the window at NOW, because of an error or because the limit by bytes is used up. */
void plt_worker_end(struct plt_worker *worker, uint64_t now);

/*
 * Another thread that holds the worker's lock does for it what the time table asks until NOW, and if GIVE_UP
 * ends its window too, when its end has come. worker->area_ns must be up to date.
 */
void plt_worker_stand_in(struct plt_worker *worker, uint64_t now, bool give_up);

/* An I/O failed: notes it, and tells all workers to stop. */
void plt_worker_fail(struct plt_worker *worker, int code, enum plt_op op, uint64_t offset, uint64_t now);

/*
 * Counts N completions of OP at NOW, which a loop has already put into the histogram's buckets. This runs
 * once per pass, so it does the least: only the open tick grows. Its bytes and the histogram's sums follow
 * when the tick is closed.
 */
static inline void plt_worker_count(struct plt_worker *w, enum plt_op op, uint64_t n, uint64_t now,
                                    uint64_t sum, uint64_t min, uint64_t max)
{
    struct plt_sample *open = &w->open;
    struct plt_sample_op *o = &open->op[op];
    open->first_ns = now < open->first_ns ? now : open->first_ns;
    open->last_ns = now;
    o->lat_min_ns = min < o->lat_min_ns ? min : o->lat_min_ns;
    o->lat_max_ns = max > o->lat_max_ns ? max : o->lat_max_ns;
    o->ios += n;
    o->lat_sum_ns += sum;
}

/* plt_engine_peek reads the buckets while they grow, hence the relaxed stores, which compile to plain ones.
 */
static inline void plt_worker_bucket(struct plt_histogram *h, uint64_t ns)
{
    uint64_t *bucket = &h->bucket[plt_histogram_index(ns)];
    __atomic_store_n(bucket, *bucket + 1, __ATOMIC_RELAXED);
}

static inline void plt_worker_count_one(struct plt_worker *w, enum plt_op op, uint64_t now, uint64_t latency)
{
    plt_worker_bucket(w->histogram[op], latency);
    plt_worker_count(w, op, 1, now, latency, latency, latency);
}

/* The two loops; each runs on the worker's own thread from start to the end of the drain. */
void plt_ring_worker_run(struct plt_worker *worker);
void plt_thread_worker_run(struct plt_worker *worker);

/* Stands in for a worker whose thread is held up in a call; does nothing when it is not. From any thread. */
void plt_thread_worker_stand_in(struct plt_worker *worker, bool give_up);
