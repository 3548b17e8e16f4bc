/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/random.h"
#include "engine/workload.h"

/* What workers that share a sequential stream, or a limit by bytes, count together. */
struct plt_shared_counts {
    _Alignas(64) _Atomic uint64_t cursor; /* blocks handed out of a sequential stream */
    _Alignas(64) _Atomic uint64_t issued; /* I/Os handed out of the limit by bytes */
};

/* Where a worker's next I/O goes, and which way. */
struct plt_stream {
    enum plt_pattern pattern;
    enum plt_generator generator;
    struct plt_xoshiro rng;
    struct plt_tausworthe64 tausworthe;
    uint64_t read_threshold; /* a random value below it is a read; UINT64_MAX: always, 0: never */
    uint64_t base;           /* byte offset of the worker's range */
    uint64_t blocks;         /* its length in blocks */
    uint32_t block;
    uint64_t limit;           /* I/Os of all workers together, UINT64_MAX = none */
    _Atomic uint64_t *cursor; /* sequential: the stream's, shared or the worker's own */
    _Atomic uint64_t *issued; /* of the limit */
};

/* STREAM_INDEX of N_STREAMS: which slice or own stream the worker belongs to; WORKER_INDEX seeds its
 * randomness. */
void plt_stream_init(struct plt_stream *stream, const struct plt_workload *workload,
                     const struct plt_engine_target *target, unsigned stream_index, unsigned worker_index,
                     struct plt_shared_counts *shared);

static inline uint64_t plt_stream_random(struct plt_stream *s)
{
    return s->generator == PLT_GENERATOR_TAUSWORTHE64 ? plt_tausworthe64_next(&s->tausworthe)
                                                      : plt_xoshiro_next(&s->rng);
}

/* READ or WRITE for the next I/O. */
static inline enum plt_op plt_stream_op(struct plt_stream *s)
{
    if (s->read_threshold == UINT64_MAX) {
        return PLT_OP_READ;
    }
    return s->read_threshold != 0 && plt_xoshiro_next(&s->rng) < s->read_threshold ? PLT_OP_READ
                                                                                   : PLT_OP_WRITE;
}

/* False when the limit by bytes is used up. */
static inline bool plt_stream_take(struct plt_stream *s)
{
    return s->limit == UINT64_MAX || atomic_fetch_add_explicit(s->issued, 1, memory_order_relaxed) < s->limit;
}

static inline uint64_t plt_stream_offset(struct plt_stream *s)
{
    uint64_t number;
    if (s->pattern == PLT_PATTERN_RANDOM) {
        number = plt_random_range(plt_stream_random(s), s->blocks);
    } else {
        number = atomic_fetch_add_explicit(s->cursor, 1, memory_order_relaxed) % s->blocks;
    }
    return s->base + number * s->block;
}
