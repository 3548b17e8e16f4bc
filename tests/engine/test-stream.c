/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/stream.h"

#include "tap.h"

#define OFFSET (UINT64_C(3) << 20)
#define BLOCKS 1000

static struct plt_workload load;
static struct plt_engine_target target;
static struct plt_shared_counts shared[9];

static void reset(enum plt_pattern pattern, unsigned threads)
{
    load = (struct plt_workload){
        .pattern = pattern, .block = 4096, .queue = 1, .threads = threads, .read_percent = 100, .seed = 5};
    target =
        (struct plt_engine_target){.offset = OFFSET, .length = BLOCKS * 4096 + 1024, .logical_block = 512};
    memset(shared, 0, sizeof shared);
}

static struct plt_stream make(unsigned index)
{
    struct plt_stream stream;
    memset(&stream, 0, sizeof stream);
    plt_stream_init(&stream, &load, &target, index, index, shared);
    return stream;
}

static uint64_t block_of(uint64_t offset)
{
    CHECK_INT(offset, >=, OFFSET);
    CHECK_INT((offset - OFFSET) % 4096, ==, 0);
    uint64_t block = (offset - OFFSET) / 4096;
    CHECK_INT(block, <, BLOCKS); /* the rest of 1024 bytes is not enough for one */
    return block < BLOCKS ? block : 0;
}

struct taker {
    struct plt_stream stream;
    unsigned n;
    unsigned count[BLOCKS];
};

static void *take(void *data)
{
    struct taker *t = data;
    for (unsigned i = 0; i < t->n; i++) {
        t->count[block_of(plt_stream_offset(&t->stream))]++;
    }
    return NULL;
}

static void test_shared_cursor(void)
{
    enum { THREADS = 8, EACH = 125 * 3 };
    pthread_t thread[THREADS];
    struct taker *takers = calloc(THREADS, sizeof *takers);
    reset(PLT_PATTERN_SEQUENTIAL, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        takers[i].stream = make(i);
        takers[i].n = EACH;
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&thread[i], NULL, take, &takers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
    }
    for (int b = 0; b < BLOCKS; b++) {
        unsigned sum = 0;
        for (int i = 0; i < THREADS; i++) {
            sum += takers[i].count[b];
        }
        CHECK_INT(sum, ==, 3); /* 8 x 375 = 3 rounds */
    }
    free(takers);
}

static void test_sequence(void)
{
    reset(PLT_PATTERN_SEQUENTIAL, 1);
    struct plt_stream stream = make(0);
    for (uint64_t i = 0; i < 2 * BLOCKS + 1; i++) {
        CHECK_INT(block_of(plt_stream_offset(&stream)), ==, i % BLOCKS);
    }
}

static void test_separate_streams(void)
{
    reset(PLT_PATTERN_SEQUENTIAL, 3);
    load.separate_streams = true;
    for (unsigned i = 0; i < 3; i++) {
        struct plt_stream stream = make(i);
        for (uint64_t n = 0; n < 700; n++) {
            CHECK_INT(block_of(plt_stream_offset(&stream)), ==, i * 333 + n % 333);
        }
    }
}

/* Plain threads of one stream share its cursor: 2 x queue 4 make each stream's blocks once. */
static void test_workers_of_a_stream(void)
{
    unsigned count[BLOCKS] = {0};
    reset(PLT_PATTERN_SEQUENTIAL, 2);
    load.separate_streams = true;
    struct plt_stream stream[8];
    for (unsigned i = 0; i < 8; i++) {
        plt_stream_init(&stream[i], &load, &target, i / 4, i, shared);
    }
    for (int n = 0; n < BLOCKS; n++) {
        count[block_of(plt_stream_offset(&stream[n % 8]))]++;
    }
    for (int b = 0; b < BLOCKS; b++) {
        CHECK_INT(count[b], ==, 1);
    }
}

static void test_slices(void)
{
    reset(PLT_PATTERN_RANDOM, 3);
    load.slices = true;
    for (unsigned i = 0; i < 3; i++) {
        struct plt_stream stream = make(i);
        uint64_t least = UINT64_MAX, most = 0;
        for (int n = 0; n < 20000; n++) {
            uint64_t block = block_of(plt_stream_offset(&stream));
            least = block < least ? block : least;
            most = block > most ? block : most;
        }
        CHECK_INT(least, ==, i * 333);
        CHECK_INT(most, ==, i * 333 + 332);
    }
}

static void test_whole_range(void)
{
    unsigned count[BLOCKS] = {0};
    reset(PLT_PATTERN_RANDOM, 2);
    struct plt_stream stream = make(1);
    for (int n = 0; n < 20 * BLOCKS; n++) {
        count[block_of(plt_stream_offset(&stream))]++;
    }
    for (int b = 0; b < BLOCKS; b++) {
        CHECK_INT(count[b], >, 0); /* not hit in 20 rounds: e^-20 */
    }
}

/* 2^33 blocks of 512 bytes, at the end of the largest file: all 33 bits of the number are used. */
static void test_far_offsets(void)
{
    reset(PLT_PATTERN_RANDOM, 1);
    load.block = 512;
    target.length = UINT64_C(4) << 40;
    target.offset = (UINT64_C(1) << 62) - target.length;
    struct plt_stream stream = make(0);
    uint64_t ones = 0, zeros = 0;
    for (int n = 0; n < 1000; n++) {
        uint64_t offset = plt_stream_offset(&stream);
        CHECK_INT(offset, >=, target.offset);
        CHECK_INT(offset, <=, target.offset + target.length - 512);
        CHECK_INT(offset % 512, ==, 0);
        ones |= (offset - target.offset) / 512;
        zeros |= ~((offset - target.offset) / 512);
    }
    CHECK_INT(ones, ==, (UINT64_C(1) << 33) - 1);
    CHECK_INT(zeros & ((UINT64_C(1) << 33) - 1), ==, (UINT64_C(1) << 33) - 1);
}

static unsigned count_equal(struct plt_stream a, struct plt_stream b)
{
    unsigned equal = 0;
    for (int n = 0; n < 1000; n++) {
        equal += plt_stream_offset(&a) == plt_stream_offset(&b);
    }
    return equal;
}

/* Of 1000 pairs of independent numbers below 2^32 none is equal, but for 2 runs in 10 million. */
static void check_seeds(enum plt_generator generator)
{
    reset(PLT_PATTERN_RANDOM, 4);
    load.generator = generator;
    target.length = UINT64_C(1) << 44;
    struct plt_stream first = make(0), same = make(0), second = make(1), third = make(2);
    load.seed++;
    struct plt_stream reseeded = make(0);
    CHECK_INT(count_equal(first, same), ==, 1000);
    CHECK_INT(count_equal(first, second), ==, 0);
    CHECK_INT(count_equal(second, third), ==, 0);
    CHECK_INT(count_equal(first, reseeded), ==, 0);
}

static void test_seeds(void)
{
    check_seeds(PLT_GENERATOR_XOSHIRO256PP);
    check_seeds(PLT_GENERATOR_TAUSWORTHE64);
}

/* A linear generator whose state shares words with another's runs in step with it in those words. */
static void test_no_common_state(void)
{
    reset(PLT_PATTERN_RANDOM, 4);
    struct plt_xoshiro state[8];
    for (unsigned i = 0; i < 8; i++) {
        load.seed = 5 + i / 4;
        state[i] = make(i % 4).rng;
    }
    for (unsigned i = 0; i < 8 * 4; i++) {
        for (unsigned k = i + 1; k < 8 * 4; k++) {
            CHECK(state[i / 4].s[i % 4] != state[k / 4].s[k % 4]);
        }
    }
}

static void test_generator(void)
{
    reset(PLT_PATTERN_RANDOM, 1);
    target.length = UINT64_C(1) << 44;
    struct plt_stream xoshiro = make(0);
    load.generator = PLT_GENERATOR_TAUSWORTHE64;
    struct plt_stream tausworthe = make(0);
    struct plt_tausworthe64 copy = tausworthe.tausworthe;
    uint64_t expected = plt_random_range(plt_tausworthe64_next(&copy), (UINT64_C(1) << 44) / 4096);
    CHECK_INT(count_equal(xoshiro, tausworthe), ==, 0);
    CHECK_INT(plt_stream_offset(&tausworthe), ==, OFFSET + expected * 4096);
}

/* 100000 picks of share p: deviation sqrt(p (1 - p) / 100000) <= 0.16 %; the seed is fixed. */
static void test_mix(void)
{
    static const unsigned shares[] = {0, 1, 30, 50, 70, 99, 100};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        reset(PLT_PATTERN_RANDOM, 1);
        load.read_percent = shares[i];
        struct plt_stream stream = make(0);
        int reads = 0;
        for (int n = 0; n < 100000; n++) {
            reads += plt_stream_op(&stream) == PLT_OP_READ;
        }
        double share = reads / 1000.0;
        bool exact = shares[i] == 0 || shares[i] == 100;
        CHECK_REAL(share, >=, shares[i] - (exact ? 0 : 0.6));
        CHECK_REAL(share, <=, shares[i] + (exact ? 0 : 0.6));
    }
}

static void *take_all(void *data)
{
    struct taker *t = data;
    while (plt_stream_take(&t->stream)) {
        t->n++;
    }
    for (int i = 0; i < 100; i++) {
        CHECK(!plt_stream_take(&t->stream)); /* and no more later */
    }
    return NULL;
}

static void test_limit(void)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    struct taker *takers = calloc(THREADS, sizeof *takers);
    unsigned sum = 0;
    reset(PLT_PATTERN_RANDOM, THREADS);
    load.bytes = UINT64_C(100001) * 4096;
    for (unsigned i = 0; i < THREADS; i++) {
        takers[i].stream = make(i);
        CHECK(pthread_create(&thread[i], NULL, take_all, &takers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        sum += takers[i].n;
    }
    CHECK_INT(sum, ==, 100001);
    free(takers);
}

static const struct tap_case cases[] = {
    {"/engine/stream/shared-cursor", test_shared_cursor},
    {"/engine/stream/sequence", test_sequence},
    {"/engine/stream/separate-streams", test_separate_streams},
    {"/engine/stream/workers-of-a-stream", test_workers_of_a_stream},
    {"/engine/stream/slices", test_slices},
    {"/engine/stream/whole-range", test_whole_range},
    {"/engine/stream/far-offsets", test_far_offsets},
    {"/engine/stream/seeds", test_seeds},
    {"/engine/stream/no-common-state", test_no_common_state},
    {"/engine/stream/generator", test_generator},
    {"/engine/stream/mix", test_mix},
    {"/engine/stream/limit", test_limit},
};

TAP_MAIN(cases)
