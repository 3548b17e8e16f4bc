/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/private.h"
#include "engine/random.h"

#include "bed.h"
#include "tap.h"

/* How loads end: when they should, when they are told to, and when that meets another end. */

static int file = -1;
static struct plt_engine_target target;

static void prepare(void)
{
    if (file < 0) {
        file = bed_file(NULL, 8 * BED_MIB);
    }
    target = (struct plt_engine_target){.fd = file, .length = 8 * BED_MIB, .logical_block = 512};
}

static const enum plt_backend backends[] = {PLT_BACKEND_RING, PLT_BACKEND_THREADS};

/* On a machine so busy that a worker did not run for 40 ms its figures are left out: nothing to compare then.
 */
static void check_unless_abandoned(const struct bed *bed)
{
    if (atomic_load(&bed->engine->abandoned)) {
        tap_note("a worker did not come to a processor within the limit: figures not compared");
    } else {
        bed_check(bed);
    }
}

static bool end_now(struct bed *bed, const struct plt_sample *sample)
{
    return false;
}

static bool end_at_third(struct bed *bed, const struct plt_sample *sample)
{
    return sample->index < 2;
}

static void run_condition(enum plt_backend backend, unsigned threads,
                          bool (*func)(struct bed *, const struct plt_sample *), uint64_t called)
{
    struct bed bed;
    bed_init(&bed, &target);
    bed.load.threads = threads;
    bed.load.duration_ns = 20000 * BED_MS;
    bed.load.backend = backend;
    bed.on_sample = func;
    if (CHECK(bed_make(&bed))) {
        bed_run(&bed);
        CHECK_INT(bed.result.end, ==, PLT_END_CONDITION);
        CHECK_INT(bed.n_samples, ==, called);
        CHECK_INT(bed.result.ticks, >=, called); /* the rest of the tick, and more on a busy machine */
        CHECK_INT(bed.result.window_ns, >=, called * bed.load.tick_ns);
        CHECK_INT(bed.result.window_ns, <, 15000 * BED_MS);
    }
    bed_clear(&bed);
}

static void test_condition(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        run_condition(backends[b], 1, end_now, 1);
        run_condition(backends[b], 4, end_at_third, 3);
    }
}

struct canceller {
    struct plt_engine *engine;
    uint64_t after_ns;
    uint64_t at_ns; /* when it did */
};

static void *cancel_later(void *data)
{
    struct canceller *c = data;
    const struct timespec pause = {.tv_sec = (time_t)(c->after_ns / 1000000000),
                                   .tv_nsec = (long)(c->after_ns % 1000000000)};
    nanosleep(&pause, NULL);
    c->at_ns = plt_clock_now_ns();
    plt_engine_cancel(c->engine);
    return NULL;
}

static void run_and_cancel(struct bed *bed, uint64_t after_ns)
{
    struct canceller canceller = {.engine = bed->engine, .after_ns = after_ns};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, cancel_later, &canceller) == 0);
    bed_run(bed);
    uint64_t returned_ns = plt_clock_now_ns();
    pthread_join(thread, NULL);
    if (returned_ns > canceller.at_ns) {
        bed->user = (void *)(uintptr_t)(returned_ns - canceller.at_ns);
    }
}

/* 50 ms is the promise; what is checked is that it is not seconds, which no busy machine makes of it. */
static void test_cancel(void)
{
    prepare();
    for (unsigned i = 0; i < 6; i++) {
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.threads = 2;
        bed.load.read_percent = 50;
        bed.load.duration_ns = 60000 * BED_MS;
        bed.load.ramp_ns = i / 2 == 1 ? 30000 * BED_MS : 0;
        bed.load.think_every = i / 2 == 2 ? 10 : 0;
        bed.load.think_ns = 30000 * BED_MS;
        bed.load.backend = backends[i % 2];
        CHECK(bed_make(&bed));
        run_and_cancel(&bed, 100 * BED_MS);
        CHECK_INT(bed.result.end, ==, PLT_END_CANCELLED);
        CHECK_INT((uint64_t)(uintptr_t)bed.user, <, 5000 * BED_MS);
        CHECK_INT(bed.result.window_ns, <, 5000 * BED_MS);
        CHECK(i / 2 != 1 || (bed.result.window_ns == 0 && bed_ios(&bed) == 0));
        check_unless_abandoned(&bed);
        bed_clear(&bed);
    }
}

/* Nothing is issued, so nothing is written. */
static void test_cancel_before(void)
{
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        close(file);
        file = -1;
        prepare();
        bed_init(&bed, &target);
        bed.load.read_percent = 0;
        bed.load.queue = 8;
        bed.load.threads = 2;
        bed.load.backend = backends[b];
        CHECK(bed_make(&bed));
        plt_engine_cancel(bed.engine);
        bed_run(&bed);
        CHECK_INT(bed.result.end, ==, PLT_END_CANCELLED);
        CHECK_INT(bed_ios(&bed), ==, 0);
        CHECK_INT(bed.result.late_ios, ==, 0);
        CHECK_INT(bed.n_samples, ==, 0);
        unsigned char *data = bed_read(file, 0, 8 * BED_MIB);
        for (uint64_t i = 0; i < 8 * BED_MIB && tap_failures() == 0; i++) {
            CHECK_INT(data[i], ==, BED_FILLING);
        }
        free(data);
        bed_clear(&bed);
    }
}

static bool cancel_now(struct bed *bed, const struct plt_sample *sample)
{
    plt_engine_cancel(bed->engine);
    plt_engine_cancel(bed->engine);
    return true;
}

static void test_cancel_in_the_sample(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.duration_ns = 60000 * BED_MS;
        bed.load.backend = backends[b];
        bed.on_sample = cancel_now;
        CHECK(bed_make(&bed));
        bed_run(&bed);
        CHECK_INT(bed.result.end, ==, PLT_END_CANCELLED);
        check_unless_abandoned(&bed);
        plt_engine_cancel(bed.engine); /* afterwards it is too late, and harmless */
        bed_clear(&bed);
    }
}

/* Short loads that end by time, by amount or by a cancel, whichever comes first, at all moments of their
 * lives. */
static void test_cancel_race(void)
{
    const int rounds = tap_sanitized() ? 150 : 500;
    unsigned ends[5] = {0};
    uint64_t state = 1;
    prepare();
    for (int i = 0; i < rounds && tap_failures() == 0; i++) {
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.queue = 1 + (unsigned)(plt_splitmix64(&state) % 8);
        bed.load.threads = 1 + (unsigned)(plt_splitmix64(&state) % 2);
        bed.load.pattern = i % 4 < 2 ? PLT_PATTERN_RANDOM : PLT_PATTERN_SEQUENTIAL;
        bed.load.duration_ns = 1 + plt_splitmix64(&state) % (4 * BED_MS);
        bed.load.bytes = i % 3 == 0 ? 4096 * (1 + plt_splitmix64(&state) % 64) : 0;
        bed.load.ramp_ns = i % 3 == 1 ? plt_splitmix64(&state) % BED_MS : 0;
        bed.load.tick_ns = BED_MS;
        bed.load.backend = backends[i % 2];
        if (!CHECK(bed_make(&bed))) {
            break;
        }
        run_and_cancel(&bed, plt_splitmix64(&state) % (5 * BED_MS));
        ends[bed.result.end]++;
        CHECK_INT(bed.result.end, !=, PLT_END_ERROR);
        check_unless_abandoned(&bed);
        bed_clear(&bed);
    }
    tap_note("%u by time, %u by bytes, %u cancelled", ends[PLT_END_TIME], ends[PLT_END_BYTES],
             ends[PLT_END_CANCELLED]);
    CHECK_INT(ends[PLT_END_CANCELLED], >, 0);
}

static void test_free_without_run(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.read_percent = 50;
        bed.load.threads = 4;
        bed.load.backend = backends[b];
        CHECK(bed_make(&bed));
        CHECK(plt_engine_drained(bed.engine, 0));
        bed_clear(&bed);
    }
    plt_engine_free(NULL);
}

/* When the engine is free, so is the target: nobody else has it open, or the lease would be refused. */
static void test_target_is_released(void)
{
    for (int i = 0; i < 20; i++) {
        struct bed bed;
        int used = bed_file(NULL, BED_MIB), other = bed_reopen(used, O_RDWR);
        const struct plt_engine_target small = {.fd = used, .length = BED_MIB, .logical_block = 512};
        bed_init(&bed, &small);
        bed.load.threads = 4;
        bed.load.read_percent = i % 4 < 2 ? 100 : 50;
        bed.load.duration_ns = 0;
        bed.load.bytes = 64 * 4096;
        bed.load.backend = backends[i % 2];
        bed_do(&bed);
        bed_clear(&bed);
        close(used);
        if (!CHECK(fcntl(other, F_SETLEASE, F_WRLCK) == 0)) {
            tap_note("%s", strerror(errno));
        }
        close(other);
    }
}

/* The caller may close its descriptor, and give its number to something else, as soon as there is an engine.
 */
static void test_own_descriptor(void)
{
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        int used = bed_file(NULL, BED_MIB), other = bed_file(NULL, 4096), kept = bed_reopen(used, O_RDONLY);
        const struct plt_engine_target small = {.fd = used, .length = BED_MIB, .logical_block = 512};
        bed_init(&bed, &small);
        bed.load.pattern = PLT_PATTERN_SEQUENTIAL;
        bed.load.read_percent = 0;
        bed.load.duration_ns = 0;
        bed.load.bytes = BED_MIB;
        bed.load.backend = backends[b];
        CHECK(bed_make(&bed));
        CHECK(dup2(other, used) == used);
        bed_run(&bed);
        bed_check(&bed);
        CHECK_INT(bed_ios(&bed), ==, 256);
        unsigned char *mine = bed_read(kept, 0, BED_MIB), *strange = bed_read(other, 0, 4096);
        for (unsigned i = 0; i < 4096 && tap_failures() == 0; i++) {
            CHECK_INT(strange[i], ==, BED_FILLING);
        }
        CHECK(memcmp(mine, strange, 4096) != 0);
        free(mine);
        free(strange);
        bed_clear(&bed);
        close(used);
        close(other);
        close(kept);
    }
}

static bool block_once(struct bed *bed, const struct plt_sample *sample)
{
    if (sample->index == 0) {
        const struct timespec pause = {.tv_sec = 1, .tv_nsec = 300000000};
        nanosleep(&pause, NULL);
    }
    return true;
}

/*
 * The receiver takes 1.3 s for a sample of 1 ms, and 1024 of them fit between: the workers wait for it, no
 * sample is lost, and the result says that they had to.
 */
static void test_late_receiver(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        bed_init(&bed, &target);
        bed.load.tick_ns = BED_MS;
        bed.load.duration_ns = 1500 * BED_MS;
        bed.load.backend = backends[b];
        bed.on_sample = block_once;
        bed_do(&bed);
        CHECK_INT(bed.result.end, ==, PLT_END_TIME);
        CHECK_INT(bed.n_samples, ==, 1500);
        CHECK(bed.result.notes & PLT_NOTE_TICKS_LATE);
        bed_clear(&bed);
    }
}

static bool block_some(struct bed *bed, const struct plt_sample *sample)
{
    const struct timespec pause = {.tv_nsec = 150000000};
    if (sample->index % 4 == 0) {
        nanosleep(&pause, NULL);
    }
    return true;
}

/* A receiver that is slow now and then costs nothing. */
static void test_slow_receiver(void)
{
    struct bed bed;
    prepare();
    bed_init(&bed, &target);
    bed.load.tick_ns = 10 * BED_MS;
    bed.load.duration_ns = 200 * BED_MS;
    bed.on_sample = block_some;
    bed_do(&bed);
    CHECK_INT(bed.n_samples, ==, 20);
    CHECK((bed.result.notes & PLT_NOTE_TICKS_LATE) == 0);
    bed_clear(&bed);
}

static void *run_bed(void *data)
{
    bed_do(data);
    return NULL;
}

static void test_two_engines(void)
{
    static struct bed bed[2];
    pthread_t thread;
    prepare();
    for (int i = 0; i < 2; i++) {
        bed_init(&bed[i], &target);
        bed[i].load.read_percent = i == 0 ? 100 : 0;
        bed[i].load.threads = 2;
        bed[i].load.duration_ns = 300 * BED_MS;
        bed[i].load.backend = backends[i];
    }
    CHECK(pthread_create(&thread, NULL, run_bed, &bed[0]) == 0);
    bed_do(&bed[1]);
    pthread_join(thread, NULL);
    CHECK_INT(bed[0].result.end, ==, PLT_END_TIME);
    CHECK_INT(bed[1].result.end, ==, PLT_END_TIME);
    CHECK_INT(bed[0].result.total[PLT_OP_WRITE].ios, ==, 0);
    CHECK_INT(bed[1].result.total[PLT_OP_READ].ios, ==, 0);
    bed_clear(&bed[0]);
    bed_clear(&bed[1]);
}

static _Atomic bool peeking;

static void *peek(void *data)
{
    struct plt_engine *engine = data;
    struct plt_histogram *h = malloc(sizeof *h);
    uint64_t most = 0;
    while (atomic_load(&peeking)) {
        plt_histogram_reset(h);
        plt_engine_peek(engine, PLT_OP_READ, h);
        CHECK(h->count == 0 || h->min_ns <= h->max_ns);
        most = h->count > most ? h->count : most;
        plt_histogram_reset(h);
        plt_engine_peek(engine, PLT_OP_TRIM, h); /* none of that kind */
        CHECK_INT(h->count, ==, 0);
    }
    free(h);
    return (void *)(uintptr_t)most;
}

/* A view from another thread, over the ramp's end too; afterwards it shows what the result has. */
static void test_peek(void)
{
    prepare();
    for (size_t b = 0; b < 2; b++) {
        struct bed bed;
        pthread_t thread;
        void *most;
        struct plt_histogram *h = malloc(sizeof *h);
        bed_init(&bed, &target);
        bed.load.ramp_ns = 60 * BED_MS;
        bed.load.backend = backends[b];
        CHECK(bed_make(&bed));
        atomic_store(&peeking, true);
        CHECK(pthread_create(&thread, NULL, peek, bed.engine) == 0);
        bed_run(&bed);
        atomic_store(&peeking, false);
        pthread_join(thread, &most);
        plt_histogram_reset(h);
        plt_engine_peek(bed.engine, PLT_OP_READ, h);
        CHECK_INT(h->count, ==, bed_ios(&bed));
        if (h->count > 0) {
            CHECK_INT(h->min_ns, <=, bed.result.total[PLT_OP_READ].lat_min_ns);
            CHECK_INT(h->max_ns, >=, bed.result.total[PLT_OP_READ].lat_max_ns);
        }
        free(h);
        bed_clear(&bed);
    }
}

static const struct tap_case cases[] = {
    {"/engine/end/condition", test_condition},
    {"/engine/end/cancel", test_cancel},
    {"/engine/end/cancel-before", test_cancel_before},
    {"/engine/end/cancel-in-the-sample", test_cancel_in_the_sample},
    {"/engine/end/cancel-race", test_cancel_race},
    {"/engine/end/free-without-run", test_free_without_run},
    {"/engine/end/target-is-released", test_target_is_released},
    {"/engine/end/own-descriptor", test_own_descriptor},
    {"/engine/end/late-receiver", test_late_receiver},
    {"/engine/end/slow-receiver", test_slow_receiver},
    {"/engine/end/two-engines", test_two_engines},
    {"/engine/end/peek", test_peek},
};

TAP_MAIN(cases)
