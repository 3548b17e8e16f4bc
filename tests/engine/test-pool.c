/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "engine/private.h"

#include "tap.h"

static struct plt_pool make(enum plt_data data, unsigned zero_percent, uint32_t block, uint32_t align)
{
    struct plt_workload load = {.block = block, .data = data, .zero_percent = zero_percent, .seed = 11};
    struct plt_pool pool = {0};
    CHECK(plt_pool_init(&pool, &load, align) == 0);
    return pool;
}

struct content {
    uint64_t hash;
    const unsigned char *data;
};

/* FNV-1a in 64-bit words: equal blocks are found by it and then compared. */
static uint64_t hash(const unsigned char *data, size_t length)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, sizeof word);
        value = (value ^ word) * UINT64_C(0x100000001b3);
    }
    return value;
}

static int by_hash(const void *a, const void *b)
{
    uint64_t left = ((const struct content *)a)->hash, right = ((const struct content *)b)->hash;
    return (left > right) - (left < right);
}

/* How many of the N blocks of 4 KiB that WORKERS workers write in turn were written before. */
static unsigned count_repeats(const struct plt_pool *pool, unsigned n, unsigned n_workers)
{
    struct plt_pool_walk walk[16];
    struct content *seen = malloc(n * sizeof *seen);
    unsigned repeats = 0;
    for (unsigned w = 0; w < n_workers; w++) {
        plt_pool_walk_init(&walk[w], pool, 99, w, n_workers);
    }
    for (unsigned i = 0; i < n; i++) {
        const unsigned char *block = pool->data + plt_pool_walk_next(&walk[i % n_workers]);
        seen[i] = (struct content){hash(block, 4096), block};
    }
    qsort(seen, n, sizeof *seen, by_hash);
    for (unsigned i = 1; i < n; i++) {
        repeats += seen[i].hash == seen[i - 1].hash && memcmp(seen[i].data, seen[i - 1].data, 4096) == 0;
    }
    free(seen);
    return repeats;
}

static void test_no_repeats(void)
{
    struct plt_pool pool = make(PLT_DATA_RANDOM, 0, 4096, 0);
    CHECK_INT(pool.step, ==, 512);
    CHECK_INT(count_repeats(&pool, 131072, 1), ==, 0);
    /* The walk is closed then: this shows that the count can find something. */
    CHECK_INT(count_repeats(&pool, 131073, 1), ==, 1);
    plt_pool_clear(&pool);
}

/* Workers that start close together on the walk would write the same blocks a moment after each other. */
static void test_no_repeats_between_workers(void)
{
    struct plt_pool pool = make(PLT_DATA_RANDOM, 0, 4096, 0);
    CHECK_INT(count_repeats(&pool, 131072, 2), ==, 0);
    CHECK_INT(count_repeats(&pool, 131072, 16), ==, 0);
    CHECK_INT(count_repeats(&pool, 100000, 7), ==, 0);
    plt_pool_clear(&pool);
}

/* Every place is inside the pool, aligned, and has a whole block behind it. */
static void check_walk(uint32_t block, uint32_t align)
{
    struct plt_pool pool = make(PLT_DATA_RANDOM, 0, block, align);
    uint64_t places = PLT_POOL_SIZE / pool.step;
    unsigned char *visited = calloc(places, 1);
    struct plt_pool_walk walk;
    plt_pool_walk_init(&walk, &pool, 5, 3, 4);
    for (uint64_t i = 0; i < places; i++) {
        uint64_t place = plt_pool_walk_next(&walk);
        CHECK_INT(place % (align < 512 ? 512 : align), ==, 0);
        CHECK_INT(place + block, <=, pool.length);
        CHECK_INT((uintptr_t)(pool.data + place) % (align < 512 ? 512 : align), ==, 0);
        CHECK_INT(visited[place / pool.step]++, ==, 0);
    }
    /* What stands behind the pool is its start once more, so a block over the end is pool data too. */
    CHECK(memcmp(pool.data, pool.data + PLT_POOL_SIZE, block) == 0);
    free(visited);
    plt_pool_clear(&pool);
}

static void test_walk(void)
{
    check_walk(512, 0);
    check_walk(4096, 4096);
    check_walk(1 << 20, 4);
    check_walk(64 << 20, 2 << 20);
}

/* A drive of 4096-byte blocks that takes buffers at any address still wants whole blocks in every page. */
static void test_whole_blocks(void)
{
    struct plt_engine_target target = {.logical_block = 4096, .memory_align = 4};
    CHECK_INT(plt_engine_pool_align(&target), ==, 4096);
    check_walk(1 << 20, plt_engine_pool_align(&target));
    target = (struct plt_engine_target){.logical_block = 512, .memory_align = 4};
    CHECK_INT(plt_engine_pool_align(&target), ==, 512);
    target.memory_align = 4096;
    CHECK_INT(plt_engine_pool_align(&target), ==, 4096);
    target.memory_align = 0;
    CHECK_INT(plt_engine_pool_align(&target), ==, 512);
}

static unsigned count_zeros(const unsigned char *data, size_t length)
{
    unsigned zeros = 0;
    for (size_t i = 0; i < length; i++) {
        zeros += data[i] == 0;
    }
    return zeros;
}

/* Of random bytes every 256th is zero too. 20 places, 64 KiB each; the seed is fixed. */
static void check_share(unsigned percent)
{
    struct plt_pool pool = make(PLT_DATA_COMPRESSIBLE, percent, 65536, 0);
    struct plt_pool_walk walk;
    plt_pool_walk_init(&walk, &pool, 1, 0, 1);
    for (int i = 0; i < 20; i++) {
        const unsigned char *block = pool.data + plt_pool_walk_next(&walk);
        double share = (double)count_zeros(block, 65536) / 65536;
        double expected = percent / 100.0 + (1 - percent / 100.0) / 256;
        CHECK_REAL(share, >, expected - 0.002);
        CHECK_REAL(share, <, expected + 0.002);
        for (int unit = 0; unit < 16; unit++) {
            share = (double)count_zeros(block + unit * 4096, 4096) / 4096;
            CHECK_REAL(share, >, expected - 0.01);
            CHECK_REAL(share, <, expected + 0.01);
        }
    }
    plt_pool_clear(&pool);
}

static void test_compressible(void)
{
    check_share(0);
    check_share(1);
    check_share(46);
    check_share(50);
    check_share(100);
}

static void test_zero(void)
{
    struct plt_pool pool = make(PLT_DATA_ZERO, 0, 4096, 0);
    CHECK_INT(count_zeros(pool.data, PLT_POOL_SIZE + 4096), ==, PLT_POOL_SIZE + 4096);
    plt_pool_clear(&pool);
}

/* All byte values are equally frequent: 2^26 bytes, chi-square with 255 degrees of freedom, 255 ± 4 x 22.6.
 */
static void test_random_bytes(void)
{
    struct plt_pool pool = make(PLT_DATA_RANDOM, 0, 4096, 0);
    uint64_t count[256] = {0};
    double chi = 0, expected = (double)PLT_POOL_SIZE / 256;
    for (size_t i = 0; i < PLT_POOL_SIZE; i++) {
        count[pool.data[i]]++;
    }
    for (int i = 0; i < 256; i++) {
        chi += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    }
    CHECK_REAL(chi, >, 165);
    CHECK_REAL(chi, <, 345);
    plt_pool_clear(&pool);
}

static void test_seed(void)
{
    struct plt_workload load = {.block = 4096, .seed = 1};
    struct plt_pool one = {0}, same = {0}, other = {0};
    CHECK(plt_pool_init(&one, &load, 0) == 0 && plt_pool_init(&same, &load, 0) == 0);
    load.seed = 2;
    CHECK(plt_pool_init(&other, &load, 0) == 0);
    CHECK(memcmp(one.data, same.data, PLT_POOL_SIZE) == 0);
    CHECK(memcmp(one.data, other.data, 4096) != 0);
    plt_pool_clear(&one);
    plt_pool_clear(&same);
    plt_pool_clear(&other);
}

static const struct tap_case cases[] = {
    {"/engine/pool/no-repeats", test_no_repeats},
    {"/engine/pool/no-repeats-between-workers", test_no_repeats_between_workers},
    {"/engine/pool/walk", test_walk},
    {"/engine/pool/whole-blocks", test_whole_blocks},
    {"/engine/pool/compressible", test_compressible},
    {"/engine/pool/zero", test_zero},
    {"/engine/pool/random-bytes", test_random_bytes},
    {"/engine/pool/seed", test_seed},
};

TAP_MAIN(cases)
