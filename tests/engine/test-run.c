/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/ring.h"

#include "bed.h"
#include "tap.h"

/* Whole loads on a real file: whatever they do, the figures agree with each other and only the range changes.
 */

static int file = -1;
static struct plt_engine_target target;

static void prepare(void)
{
    target = bed_guarded_target(&file);
}

static const enum plt_backend backends[] = {PLT_BACKEND_RING, PLT_BACKEND_THREADS};

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
    bed_check_guards(file);
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

static bool check_elapsed(struct bed *bed, const struct plt_sample *sample)
{
    uint64_t called = *(const uint64_t *)bed->user;
    uint64_t elapsed = plt_engine_elapsed_ns(bed->engine);
    /* The tick is over, and the window began no earlier than the ramp after the call. */
    CHECK(elapsed >= sample->index * bed->load.tick_ns + sample->duration_ns);
    CHECK(elapsed + bed->load.ramp_ns <= plt_clock_now_ns() - called);
    return true;
}

static void test_elapsed(void)
{
    struct bed bed;
    uint64_t called;
    prepare();
    bed_init(&bed, &target);
    bed.load.ramp_ns = 30 * BED_MS;
    bed.load.tick_ns = 10 * BED_MS;
    bed.on_sample = check_elapsed;
    bed.user = &called;
    CHECK(bed_make(&bed));
    CHECK_INT(plt_engine_elapsed_ns(bed.engine), ==, 0);
    called = plt_clock_now_ns();
    bed_run(&bed);
    CHECK_INT(bed.n_samples, ==, 15);
    bed_check(&bed);
    bed_clear(&bed);
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
    {"/engine/run/shapes", test_shapes},   {"/engine/run/rate", test_rate},
    {"/engine/run/think", test_think},     {"/engine/run/deepest", test_deepest},
    {"/engine/run/largest", test_largest}, {"/engine/run/shortest-window", test_shortest_window},
    {"/engine/run/elapsed", test_elapsed}, {"/engine/run/ceiling", test_ceiling},
};

TAP_MAIN(cases)
