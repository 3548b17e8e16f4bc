/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/pool.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/memory.h"
#include "engine/random.h"

static void fill_random(unsigned char *data, size_t length, uint64_t seed)
{
    struct plt_xoshiro rng;
    plt_xoshiro_seed(&rng, seed);
    for (size_t i = 0; i < length; i += sizeof(uint64_t)) {
        uint64_t value = plt_xoshiro_next(&rng);
        memcpy(data + i, &value, sizeof value);
    }
}

/*
 * Zeroes the same share of every 4 KiB, the smallest unit that a compressing controller or file system works
 * on. The zeros stand at the end of the unit, so a shifted block still holds the same share.
 */
static void make_compressible(unsigned char *data, size_t length, unsigned zero_percent)
{
    const size_t unit = 4096;
    size_t zeros = unit * zero_percent / 100;
    for (size_t i = 0; i < length; i += unit) {
        memset(data + i + unit - zeros, 0, zeros);
    }
}

int plt_pool_init(struct plt_pool *pool, const struct plt_workload *workload, uint32_t memory_align)
{
    pool->step = memory_align < 512 ? 512 : memory_align;
    pool->length = PLT_POOL_SIZE + workload->block;
    pool->data = plt_memory_alloc(&pool->length);
    if (pool->data == NULL) {
        return -ENOMEM;
    }
    if (workload->data == PLT_DATA_ZERO) {
        memset(pool->data, 0, pool->length);
        return 0;
    }
    fill_random(pool->data, PLT_POOL_SIZE, workload->seed);
    if (workload->data == PLT_DATA_COMPRESSIBLE) {
        make_compressible(pool->data, PLT_POOL_SIZE, workload->zero_percent);
    }
    for (size_t done = PLT_POOL_SIZE; done < pool->length;) {
        size_t n = pool->length - done;
        n = n > PLT_POOL_SIZE ? PLT_POOL_SIZE : n;
        memcpy(pool->data + done, pool->data, n);
        done += n;
    }
    return 0;
}

void plt_pool_clear(struct plt_pool *pool)
{
    plt_memory_free(pool->data, pool->length);
    pool->data = NULL;
}

/*
 * An odd multiple of the step has no factor in common with the number of places, a power of two, so the walk
 * visits all of them. 0.618… of the pool (the golden section) keeps neighbours in time far apart in the pool.
 */
void plt_pool_walk_init(struct plt_pool_walk *walk, const struct plt_pool *pool, uint64_t seed,
                        unsigned index, unsigned n_workers)
{
    uint64_t places = PLT_POOL_SIZE / pool->step;
    uint64_t golden = (uint64_t)((double)places * 0.6180339887498949) | 1;
    walk->stride = golden * pool->step;
    uint64_t start = plt_random_range(plt_splitmix64(&seed), places) * pool->step;
    uint64_t steps_before = places * index / n_workers;
    walk->position = (start + steps_before * walk->stride) & (PLT_POOL_SIZE - 1);
}
