/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/histogram.h"
#include "engine/sample.h"
#include "engine/workload.h"

/* Where a failure happened, so that the person can be told what to do about it. */
enum plt_phase {
    PLT_PHASE_NONE,
    PLT_PHASE_CHECK,  /* the workload does not fit the target */
    PLT_PHASE_MEMORY, /* buffers or threads could not be had */
    PLT_PHASE_RING,   /* io_uring could not be set up, and threads were not allowed */
    PLT_PHASE_IO,     /* a read, write or flush failed: op and offset say which */
    PLT_PHASE_DRAIN,  /* the target does not answer any more */
};

struct plt_engine_error {
    enum plt_phase phase;
    int code;        /* errno value, positive */
    enum plt_op op;  /* IO only */
    uint64_t offset; /* IO only: byte offset on the target's descriptor */
    uint64_t at_ns;  /* IO only: since the start of the load, ramp included */
};

enum plt_end {
    PLT_END_TIME,
    PLT_END_BYTES,
    PLT_END_CONDITION, /* the sample function asked for it */
    PLT_END_CANCELLED,
    PLT_END_ERROR,
};

/* Bits of plt_engine_result.notes: facts about how the figures came about that a reader must know. */
enum plt_engine_note {
    PLT_NOTE_THREADS_REFUSED = 1 << 0, /* io_uring refused: plain threads were used */
    PLT_NOTE_THREADS_IOWQ = 1 << 1,   /* io_uring falls into kernel worker threads: plain threads were used */
    PLT_NOTE_KERNEL_WORKERS = 1 << 2, /* some I/O went through io_uring's kernel worker threads */
    PLT_NOTE_PLAIN_BUFFERS = 1 << 3,  /* locked-memory limit: buffers are not registered */
    PLT_NOTE_HOST_LIMITED = 1 << 4,   /* the processor, not the target, set the pace */
    PLT_NOTE_CLOCK_SYSTEM = 1 << 5,   /* no usable cycle counter: clock_gettime is used */
    PLT_NOTE_TICKS_LATE = 1 << 6,     /* ticks had to be waited for: the receiver was too slow */
    PLT_NOTE_SUSPENDED = 1 << 7,      /* the computer was suspended meanwhile: the drive rested */
};

struct plt_engine_result {
    enum plt_end end;
    struct plt_engine_error error; /* phase NONE unless end is ERROR */
    uint64_t window_ns;            /* exact length of the measured window */
    uint64_t ticks;                /* samples delivered */
    uint64_t late_ios;             /* in flight at the window's end: not counted above */
    uint64_t late_max_ns;
    struct plt_sample_op total[PLT_N_OPS];
    struct plt_histogram
        *histogram[PLT_N_OPS];      /* owned by the engine object; NULL where no I/O of the kind */
    const struct plt_stall *stalls; /* owned by the engine object */
    size_t n_stalls;
    size_t n_stalls_dropped; /* beyond the list's limit of 65536 */
    enum plt_backend backend;
    unsigned submit_cap;
    unsigned notes;              /* enum plt_engine_note */
    double effective_queue;      /* mean I/Os in flight over the window, integrated over time */
    double busy;                 /* share of the window in which the threads ran or wanted to run, 0..1 */
    uint64_t user_ns, system_ns; /* processor time of the threads in the window */
};

struct plt_engine;

/*
 * Called for each closed tick, in order, on the thread that runs plt_engine_run. Must not block for long.
 * Returns false to end the load ("condition reached").
 */
typedef bool (*plt_sample_func)(const struct plt_sample *sample, void *user);

/*
 * Makes the threads' memory and buffers ready. NULL on failure with ERROR filled. WORKLOAD and TARGET are
 * copied; the descriptor stays the caller's, who may close it: the engine uses a duplicate, which it has
 * until plt_engine_free, or until the target has given back its I/O if that is later.
 */
struct plt_engine *plt_engine_new(const struct plt_workload *workload, const struct plt_engine_target *target,
                                  struct plt_engine_error *error);

void plt_engine_set_sample_func(struct plt_engine *engine, plt_sample_func func, void *user);

/*
 * Runs the load and returns when it has ended; RESULT is filled in every case. Once per object.
 * When the target has stopped answering it returns all the same, see plt_engine_drained.
 */
void plt_engine_run(struct plt_engine *engine, struct plt_engine_result *result);

/* How long the measured window has been running; 0 before it. For the sample function. */
uint64_t plt_engine_elapsed_ns(const struct plt_engine *engine);

/* Ends the load early, from any thread, also before plt_engine_run. Takes effect within 50 ms. */
void plt_engine_cancel(struct plt_engine *engine);

/* Adds what has completed so far of OP to HISTOGRAM: for a live view. From any thread while it runs. */
void plt_engine_peek(struct plt_engine *engine, enum plt_op op, struct plt_histogram *histogram);

/* False while the kernel still holds I/O of this engine: waits at most TIMEOUT_MS for it to finish. */
bool plt_engine_drained(struct plt_engine *engine, unsigned timeout_ms);

/*
 * Gives everything back. If the target still holds I/O, the memory that the kernel may write to is left
 * to the last worker thread, which frees it when the target answers.
 */
void plt_engine_free(struct plt_engine *engine);

/*
 * I/Os per second that this machine can issue at all with the queue, threads and block of WORKLOAD, measured
 * on no-operations for DURATION_NS; 0 where io_uring is not available.
 */
double plt_engine_ceiling(const struct plt_workload *workload, uint64_t duration_ns);

/* One English sentence about ERROR without a full stop, written to BUFFER. */
const char *plt_engine_error_text(const struct plt_engine_error *error, char *buffer, size_t size);

/* Short English name: "read", "write", "trim", "flush". */
const char *plt_op_name(enum plt_op op);
