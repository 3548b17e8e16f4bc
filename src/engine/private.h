/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "engine/engine.h"
#include "engine/pool.h"
#include "engine/worker.h"

/* How long a target may take to give back its I/O after the window before it counts as not responding. */
#define PLT_DRAIN_LIMIT_MS 10000
#define PLT_CANCEL_LIMIT_MS 25

/* Workers set themselves up, then wait here, so that all start at one moment or none does. */
enum plt_gate {
    PLT_GATE_CLOSED,
    PLT_GATE_OPEN,
    PLT_GATE_ABORT,
};

struct plt_engine {
    struct plt_workload workload;
    struct plt_engine_target target; /* with a descriptor of its own */
    plt_sample_func sample_func;
    void *sample_user;

    struct plt_pool pool;
    struct plt_shared_counts *shared; /* 1 + threads of them */
    struct plt_worker *workers;
    unsigned n_workers;
    enum plt_backend backend;
    unsigned notes;

    int wake_fd;              /* eventfd in every ring: readable = look at stop_ns */
    _Atomic uint64_t stop_ns; /* new end of the window, UINT64_MAX = none */
    _Atomic bool cancelled;
    _Atomic bool condition;
    _Atomic bool failed;
    _Atomic bool silent;    /* the target has not answered for longer than anybody waits */
    _Atomic bool abandoned; /* nobody takes ticks any more */

    uint64_t start_ns, t0_ns;
    uint64_t suspended_ns; /* plt_clock_suspended_ns at the start */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* a worker's window is over, or it has finished */
    enum plt_gate gate;     /* under lock */
    unsigned n_ready;       /* under lock: workers that wait at the gate */
    unsigned n_finished;    /* under lock */
    unsigned changes; /* under lock: counts what `changed` was signalled for, so that no signal is missed */
    _Atomic unsigned references; /* the owner and every running worker */

    uint64_t ticks;
    struct plt_stall *stalls;
    size_t n_stalls, n_stalls_dropped;
    struct plt_histogram *merged[PLT_N_OPS];
};

/* What places of written data in the pool are multiples of. */
uint32_t plt_engine_pool_align(const struct plt_engine_target *target);

/* The window ends at NS unless it ends earlier anyway; wakes every worker. */
void plt_engine_stop_at(struct plt_engine *engine, uint64_t ns);

/* Signals `changed`; the caller does not hold the lock. */
void plt_engine_signal(struct plt_engine *engine);

/* A worker is set up: waits until all are. True when the load starts, false when it is called off. */
bool plt_engine_pass_gate(struct plt_engine *engine);

/* Delivers ticks until every worker's window is over, or has been given up. */
void plt_engine_sample_until_end(struct plt_engine *engine);

/* Waits for what is in flight after that, as long as a target may take; a cancel cuts it short. */
bool plt_engine_wait_drained(struct plt_engine *engine);

/* True when TARGET hands io_uring I/O to kernel worker threads even at queue depth 1. */
bool plt_engine_falls_into_iowq(const struct plt_engine_target *target);

/*
 * How many io_uring kernel worker threads serve the calling thread; in a container, where that cannot be told
 * apart, the whole process.
 */
unsigned plt_engine_count_kernel_workers(void);

/* True when THREAD of this process runs, or would if it had a processor: it is not held up in a call. */
bool plt_engine_is_runnable(int thread);

/* Processor time of the calling thread. */
void plt_engine_thread_time(uint64_t *user_ns, uint64_t *system_ns);

/*
 * Time in which the calling thread ran or wanted to run but had no processor (schedstat). On a loaded machine
 * it is this, not the processor time alone, that shows who sets the pace. Without schedstat: the processor
 * time.
 */
uint64_t plt_engine_thread_busy_ns(void);
