/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "engine/workload.h"

/*
 * What is written: made before the run, so that nothing is generated on the I/O path. A block is taken from
 * the pool at an offset that walks through it (struct plt_pool_walk): no two blocks of a worker are the same
 * until its walk closes, after PLT_POOL_SIZE / step blocks, which for 4 KiB blocks are 131072 (512 MiB), or
 * 16384 (64 MiB) where the target's logical block is 4096 bytes.
 * Workers of one run start evenly apart on the same walk, so together they repeat nothing for as many blocks.
 */
#define PLT_POOL_SIZE (UINT64_C(64) << 20)

struct plt_pool {
    unsigned char
        *data;     /* PLT_POOL_SIZE bytes, and its start once more for a block that begins near the end */
    size_t length; /* all of it */
    uint32_t step; /* offsets are multiples of it: a power of two */
};

/* MEMORY_ALIGN is a power of two up to 2 MiB. 0, or -errno. */
int plt_pool_init(struct plt_pool *pool, const struct plt_workload *workload, uint32_t memory_align);
void plt_pool_clear(struct plt_pool *pool);

/* Walks all multiples of the pool's step in an order without pattern, each once per round. */
struct plt_pool_walk {
    uint64_t position;
    uint64_t stride;
};

/* For worker INDEX of N_WORKERS. */
void plt_pool_walk_init(struct plt_pool_walk *walk, const struct plt_pool *pool, uint64_t seed,
                        unsigned index, unsigned n_workers);

static inline uint64_t plt_pool_walk_next(struct plt_pool_walk *walk)
{
    walk->position = (walk->position + walk->stride) & (PLT_POOL_SIZE - 1);
    return walk->position;
}
