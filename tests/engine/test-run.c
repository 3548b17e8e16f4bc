/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/pool.h"
#include "engine/ring.h"

#include "bed.h"
#include "tap.h"

/* Whole loads on a real file: whatever they do, the figures agree with each other and only the range changes.
 */

#define GUARD BED_MIB
#define RANGE (16 * BED_MIB)

static int file = -1;
static struct plt_engine_target target;

static void prepare(void)
{
    if (file < 0) {
        file = bed_file(NULL, GUARD + RANGE + GUARD);
    }
    target = (struct plt_engine_target){.fd = file, .offset = GUARD, .length = RANGE, .logical_block = 512};
}

static const enum plt_backend backends[] = {PLT_BACKEND_RING, PLT_BACKEND_THREADS};

static void check_guards(void)
{
    for (int side = 0; side < 2; side++) {
        unsigned char *guard = bed_read(file, side == 0 ? 0 : GUARD + RANGE, GUARD);
        for (uint64_t i = 0; i < GUARD && tap_failures() == 0; i++) {
            CHECK_INT(guard[i], ==, BED_FILLING);
        }
        free(guard);
    }
}

struct shape {
    const char *name;
    enum plt_pattern pattern;
    uint32_t block;
    unsigned queue, threads, read_percent;
    uint64_t ramp_ms, tick_ms;
    bool separate;
    enum plt_generator generator;
};

static const struct shape shapes[] = {
    {"SEQ1M Q8T1 read", PLT_PATTERN_SEQUENTIAL, 1 << 20, 8, 1, 100, 0, 20, false, 0},
    {"SEQ128K Q32T1 write", PLT_PATTERN_SEQUENTIAL, 128 << 10, 32, 1, 0, 0, 20, false, 0},
    {"SEQ128K Q2T4 write, one cursor", PLT_PATTERN_SEQUENTIAL, 128 << 10, 2, 4, 0, 30, 20, false, 0},
    {"SEQ64K Q2T4 read, four streams", PLT_PATTERN_SEQUENTIAL, 64 << 10, 2, 4, 100, 30, 100, true, 0},
    {"RND4K Q1T1 read", PLT_PATTERN_RANDOM, 4096, 1, 1, 100, 0, 10, false, 0},
    {"RND4K Q1T1 write", PLT_PATTERN_RANDOM, 4096, 1, 1, 0, 40, 10, false, 0},
    {"RND4K Q32T1 read", PLT_PATTERN_RANDOM, 4096, 32, 1, 100, 60, 10, false, 0},
    {"RND4K Q4T8 write in slices", PLT_PATTERN_RANDOM, 4096, 4, 8, 0, 0, 20, true, 0},
    {"RND4K Q16T2 70/30", PLT_PATTERN_RANDOM, 4096, 16, 2, 70, 30, 20, false, 0},
    {"RND512 Q4T1 tausworthe", PLT_PATTERN_RANDOM, 512, 4, 1, 50, 0, 20, false, PLT_GENERATOR_TAUSWORTHE64},
    {"RND2560 Q3T3 write", PLT_PATTERN_RANDOM, 2560, 3, 3, 0, 0, 33, false, 0},
};

static void run_shape(const struct shape *s, enum plt_backend backend)
{
    unsigned before = tap_failures();
    struct bed bed;
    bed_init(&bed, &target);
    bed.load.pattern = s->pattern;
    bed.load.block = s->block;
    bed.load.queue = s->queue;
    bed.load.threads = s->threads;
    bed.load.read_percent = s->read_percent;
    bed.load.ramp_ns = s->ramp_ms * BED_MS;
    bed.load.tick_ns = s->tick_ms * BED_MS;
    bed.load.separate_streams = bed.load.slices = s->separate;
    bed.load.generator = s->generator;
    bed.load.backend = backend;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_TIME);
    CHECK_INT(bed.result.backend, ==, backend);
    CHECK(s->read_percent != 100 || bed.result.total[PLT_OP_WRITE].ios == 0);
    CHECK(s->read_percent != 0 || bed.result.total[PLT_OP_READ].ios == 0);
    CHECK_INT(bed.result.total[PLT_OP_FLUSH].ios, ==, 0);
    if (tap_failures() != before) {
        tap_note("that was %s on %s", s->name, backend == PLT_BACKEND_RING ? "a ring" : "threads");
    }
    bed_clear(&bed);
}

static void test_shapes(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            run_shape(&shapes[i], backends[b]);
        }
    }
    check_guards();
}

/* Where in the pool each block of it begins: what stands at every step is unlike all others by its 8 bytes.
 */
struct place {
    uint64_t word;
    uint32_t at;
};

static int by_word(const void *a, const void *b)
{
    uint64_t left = ((const struct place *)a)->word, right = ((const struct place *)b)->word;
    return (left > right) - (left < right);
}

static struct place *index_pool(const struct plt_pool *pool, size_t *n)
{
    *n = PLT_POOL_SIZE / pool->step;
    struct place *places = malloc(*n * sizeof *places);
    for (size_t i = 0; i < *n; i++) {
        places[i].at = (uint32_t)(i * pool->step);
        memcpy(&places[i].word, pool->data + places[i].at, sizeof places[i].word);
    }
    qsort(places, *n, sizeof *places, by_word);
    return places;
}

/* How many blocks of the range hold pool data, each of another place; the others must be untouched. */
static unsigned count_written(const struct plt_workload *load)
{
    struct plt_pool pool = {0};
    size_t n;
    unsigned written = 0;
    CHECK(plt_pool_init(&pool, load, 0) == 0);
    struct place *places = index_pool(&pool, &n);
    bool *used = calloc(n, sizeof *used);
    unsigned char *data = bed_read(file, GUARD, RANGE);
    unsigned char *untouched = malloc(load->block);
    memset(untouched, BED_FILLING, load->block);
    for (uint64_t at = 0; at < RANGE; at += load->block) {
        struct place wanted;
        memcpy(&wanted.word, data + at, sizeof wanted.word);
        const struct place *found = bsearch(&wanted, places, n, sizeof *places, by_word);
        if (found != NULL && memcmp(data + at, pool.data + found->at, load->block) == 0) {
            written++;
            CHECK(!used[found - places]);
            used[found - places] = true;
        } else {
            CHECK(memcmp(data + at, untouched, load->block) == 0);
        }
    }
    free(untouched);
    free(used);
    free(data);
    free(places);
    plt_pool_clear(&pool);
    return written;
}

static void refill(void)
{
    close(file);
    file = -1;
    prepare();
}

/* The amount exactly, by as many I/Os, each block once; the window ends with the last of them. */
static void run_bytes(enum plt_backend backend, unsigned queue, unsigned threads, uint32_t block,
                      uint64_t bytes)
{
    struct bed bed;
    refill();
    bed_init(&bed, &target);
    bed.load.pattern = PLT_PATTERN_SEQUENTIAL;
    bed.load.block = block;
    bed.load.queue = queue;
    bed.load.threads = threads;
    bed.load.read_percent = 0;
    bed.load.duration_ns = 0;
    bed.load.bytes = bytes;
    bed.load.backend = backend;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_BYTES);
    CHECK_INT(bed.result.total[PLT_OP_WRITE].bytes, ==, bytes);
    CHECK_INT(bed.result.total[PLT_OP_WRITE].ios, ==, bytes / block);
    CHECK_INT(bed.result.late_ios, ==, 0);
    if (CHECK(bed.n_samples > 0)) {
        CHECK_INT(bed.result.window_ns, ==, bed.samples[bed.n_samples - 1].last_ns);
    }
    CHECK_INT(count_written(&bed.load), ==, (bytes < RANGE ? bytes : RANGE) / block);
    check_guards();
    bed_clear(&bed);
}

static void test_bytes(void)
{
    for (size_t b = 0; b < 2; b++) {
        run_bytes(backends[b], 1, 1, 65536, 4 * BED_MIB);
        run_bytes(backends[b], 4, 4, 4096, 4095 * UINT64_C(4096));
        run_bytes(backends[b], 8, 8, 1 << 20, 3 * BED_MIB); /* fewer I/Os than would fit in flight */
        run_bytes(backends[b], 8, 2, 131072, 2 * RANGE);    /* twice round */
        run_bytes(backends[b], 1, 8, 512, 512);             /* seven of eight have nothing to do */
    }
}

/* Random writes leave pool data in blocks of the range, and all else as it was. */
static void test_written_data(void)
{
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        refill();
        bed_init(&bed, &target);
        bed.load.read_percent = 50;
        bed.load.duration_ns = 0;
        bed.load.queue = 16;
        bed.load.bytes = 2000 * UINT64_C(4096);
        bed.load.backend = backends[b];
        bed_do(&bed);
        CHECK_INT(bed_ios(&bed), ==, 2000);
        unsigned written = count_written(&bed.load);
        CHECK_INT(written, <=, bed.result.total[PLT_OP_WRITE].ios);
        /* 1000 of 4096 places, some of them twice: about 886 different ones. */
        CHECK_INT(written, >, 700);
        check_guards();
        bed_clear(&bed);
    }
}

/* A load by time has loops of its own for one I/O in flight and for several. What a block holds in the end is
 * of the last two rounds over the range, so no two are the same however fast the target is. */
static void test_written_data_by_time(void)
{
    for (unsigned i = 0; i < 4; i++) {
        struct bed bed;
        refill();
        bed_init(&bed, &target);
        bed.load.pattern = PLT_PATTERN_SEQUENTIAL;
        bed.load.read_percent = 0;
        bed.load.queue = i < 2 ? 1 : 8;
        bed.load.backend = backends[i % 2];
        bed_do(&bed);
        uint64_t issued = bed_ios(&bed) + bed.result.late_ios;
        CHECK_INT(count_written(&bed.load), ==, issued < RANGE / 4096 ? issued : RANGE / 4096);
        check_guards();
        bed_clear(&bed);
    }
}

static void run_sync(enum plt_backend backend, enum plt_sync sync, unsigned every, uint64_t flushes)
{
    struct bed bed;
    bed_init(&bed, &target);
    bed.load.read_percent = 0;
    bed.load.sync = sync;
    bed.load.flush_every = every;
    bed.load.queue = 1;
    bed.load.duration_ns = 0;
    bed.load.bytes = 40 * 4096;
    bed.load.backend = backend;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_BYTES);
    CHECK_INT(bed.result.total[PLT_OP_WRITE].ios, ==, 40);
    CHECK_INT(bed.result.total[PLT_OP_FLUSH].ios, ==, flushes);
    CHECK_INT(bed.result.total[PLT_OP_FLUSH].bytes, ==, 0);
    bed_clear(&bed);
}

static void test_sync(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        run_sync(backends[b], PLT_SYNC_DSYNC, 0, 0);
        run_sync(backends[b], PLT_SYNC_SYNC, 0, 0);
        run_sync(backends[b], PLT_SYNC_FSYNC, 8, 5);
        run_sync(backends[b], PLT_SYNC_FDATASYNC, 1, 40);
        run_sync(backends[b], PLT_SYNC_FDATASYNC, 41, 0);
    }
}

/* io_uring would hand every flush to a kernel thread, so the choice is plain threads, without a warning. */
static void test_flushes_choose_threads(void)
{
    prepare();
    run_sync(PLT_BACKEND_AUTO, PLT_SYNC_FDATASYNC, 4, 10);
    struct bed bed;
    bed_init(&bed, &target);
    bed.load.read_percent = 0;
    bed.load.sync = PLT_SYNC_FSYNC;
    bed.load.flush_every = 4;
    bed_do(&bed);
    CHECK_INT(bed.result.backend, ==, PLT_BACKEND_THREADS);
    CHECK((bed.result.notes & (PLT_NOTE_THREADS_IOWQ | PLT_NOTE_THREADS_REFUSED)) == 0);
    bed_clear(&bed);
}

/* 4 MB/s on two threads for 400 ms are 390 blocks; a late schedule makes up for it, a stalled disk may not.
 */
static void test_rate(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.threads = 2;
        bed.load.rate_bps[PLT_OP_READ] = 4000000;
        bed.load.duration_ns = 400 * BED_MS;
        bed.load.backend = backends[b];
        bed_do(&bed);
        CHECK_INT(bed.result.total[PLT_OP_READ].ios, <=, 390 + 2 * 4);
        bed_clear(&bed);
    }
}

/* Three pauses of 50 ms stand between four pairs of I/Os, and none behind the last. */
static void test_think(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.queue = 1;
        bed.load.think_every = 2;
        bed.load.think_ns = 50 * BED_MS;
        bed.load.duration_ns = 0;
        bed.load.bytes = 8 * 4096;
        bed.load.backend = backends[b];
        bed_do(&bed);
        CHECK_INT(bed.result.total[PLT_OP_READ].ios, ==, 8);
        CHECK_INT(bed.result.window_ns, >=, 150 * BED_MS);
        CHECK_INT(bed.result.window_ns, ==, bed.samples[bed.n_samples - 1].last_ns);
        CHECK_REAL(bed.result.effective_queue, <, 0.5);
        bed_clear(&bed);
    }
}

/* The deepest and the smallest that is allowed: 4 x 4096 of 512 bytes; plain threads are cut at 1024. */
static void test_deepest(void)
{
    prepare();
    struct bed bed;
    bed_init(&bed, &target);
    bed.load.block = 512;
    bed.load.queue = 4096;
    bed.load.threads = 4;
    bed.load.backend = PLT_BACKEND_RING;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_TIME);
    bed_clear(&bed);

    bed_init(&bed, &target);
    bed.load.block = 512;
    bed.load.queue = 4096;
    bed.load.threads = 4;
    bed.load.backend = PLT_BACKEND_THREADS;
    bed_do(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_TIME);
    CHECK_REAL(bed.result.effective_queue, <=, 1024);
    bed_clear(&bed);
}

static void test_largest(void)
{
    int large = bed_file(NULL, 128 * BED_MIB);
    struct plt_engine_target all = {.fd = large, .length = 128 * BED_MIB, .logical_block = 4096};
    for (size_t b = 0; b < 2; b++) {
        for (unsigned percent = 0; percent <= 100; percent += 100) {
            struct bed bed;
            bed_init(&bed, &all);
            bed.load.pattern = PLT_PATTERN_SEQUENTIAL;
            bed.load.block = 64 << 20;
            bed.load.queue = 2;
            bed.load.read_percent = percent;
            bed.load.duration_ns = 0;
            bed.load.bytes = 128 * BED_MIB;
            bed.load.backend = backends[b];
            bed_do(&bed);
            CHECK_INT(bed_ios(&bed), ==, 2);
            bed_clear(&bed);
        }
    }
    close(large);
}

/* Neither I/O nor time: a window of one ns is a whole result. */
static void test_shortest_window(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.duration_ns = 1;
        bed.load.backend = backends[b];
        bed_do(&bed);
        CHECK_INT(bed.result.end, ==, PLT_END_TIME);
        CHECK_INT(bed.result.window_ns, ==, 1);
        CHECK_INT(bed_ios(&bed), ==, 0);
        CHECK_INT(bed.n_samples, ==, 1);
        bed_clear(&bed);
    }
}

static void test_data_kinds(void)
{
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        uint64_t zeros = 0;
        refill();
        bed_init(&bed, &target);
        bed.load.pattern = PLT_PATTERN_SEQUENTIAL;
        bed.load.read_percent = 0;
        bed.load.data = b == 0 ? PLT_DATA_ZERO : PLT_DATA_COMPRESSIBLE;
        bed.load.zero_percent = 75;
        bed.load.duration_ns = 0;
        bed.load.bytes = RANGE;
        bed.load.backend = backends[b];
        bed_do(&bed);
        unsigned char *data = bed_read(file, GUARD, RANGE);
        for (uint64_t i = 0; i < RANGE; i++) {
            zeros += data[i] == 0;
        }
        double expected = b == 0 ? 1 : 0.75 + 0.25 / 256;
        CHECK_REAL((double)zeros / RANGE, >=, expected - 0.001);
        CHECK_REAL((double)zeros / RANGE, <=, expected + 0.001);
        free(data);
        bed_clear(&bed);
    }
}

static void test_ceiling(void)
{
    struct plt_workload load = {.block = 4096, .queue = 32, .threads = 2};
    if (!plt_ring_available()) {
        tap_skip("io_uring is not available here");
        return;
    }
    /* The slowest machine does a thousand, however busy, and none does a thousand million. */
    double rate = plt_engine_ceiling(&load, 200 * BED_MS);
    CHECK_REAL(rate, >, 1e3);
    CHECK_REAL(rate, <, 1e9);
    load.queue = 1;
    CHECK_REAL(plt_engine_ceiling(&load, 200 * BED_MS), >, 1e3);
}

static const struct tap_case cases[] = {
    {"/engine/run/shapes", test_shapes},
    {"/engine/run/bytes", test_bytes},
    {"/engine/run/written-data", test_written_data},
    {"/engine/run/written-data-by-time", test_written_data_by_time},
    {"/engine/run/sync", test_sync},
    {"/engine/run/flushes-choose-threads", test_flushes_choose_threads},
    {"/engine/run/rate", test_rate},
    {"/engine/run/think", test_think},
    {"/engine/run/deepest", test_deepest},
    {"/engine/run/largest", test_largest},
    {"/engine/run/shortest-window", test_shortest_window},
    {"/engine/run/data-kinds", test_data_kinds},
    {"/engine/run/ceiling", test_ceiling},
};

TAP_MAIN(cases)
