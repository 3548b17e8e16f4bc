/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/private.h"

#include "tap.h"

/* Ticks of made-up workers, put together by the sampler. All windows are over, so nothing waits for a clock.
 */

#define MS UINT64_C(1000000)
#define MOST_WORKERS 4
#define MOST_SAMPLES 4000

static struct plt_engine engine;
static struct plt_worker workers[MOST_WORKERS];
static struct plt_sample samples[MOST_SAMPLES];
static unsigned n_samples, most_samples;

static bool keep(const struct plt_sample *sample, void *user)
{
    samples[n_samples++] = *sample;
    return n_samples < most_samples;
}

static void make(unsigned n_workers)
{
    plt_clock_init();
    memset(&engine, 0, sizeof engine);
    memset(workers, 0, sizeof workers);
    n_samples = 0;
    most_samples = MOST_SAMPLES;
    engine.workload =
        (struct plt_workload){.block = 4096, .queue = 8, .threads = n_workers, .tick_ns = 100 * MS};
    engine.backend = PLT_BACKEND_RING;
    engine.workers = workers;
    engine.n_workers = n_workers;
    engine.sample_func = keep;
    engine.stop_ns = UINT64_MAX;
    engine.t0_ns = plt_clock_now_ns();
    engine.wake_fd = eventfd(0, EFD_NONBLOCK);
    pthread_mutex_init(&engine.lock, NULL);
    pthread_cond_init(&engine.changed, NULL);
    for (unsigned i = 0; i < n_workers; i++) {
        workers[i].engine = &engine;
        workers[i].tick = calloc(PLT_TICK_RING, sizeof *workers[i].tick);
        workers[i].window_over = true;
    }
}

static void clear(void)
{
    for (unsigned i = 0; i < engine.n_workers; i++) {
        free(workers[i].tick);
    }
    free(engine.stalls);
    close(engine.wake_fd);
    pthread_mutex_destroy(&engine.lock);
    pthread_cond_destroy(&engine.changed);
}

/* A tick of worker W. N reads of LATENCY from FIRST to LAST ms after the window's start; IN_FLIGHT at its
 * end. */
static struct plt_sample *add(unsigned w, unsigned n, uint64_t latency, uint64_t first_ms, uint64_t last_ms,
                              uint32_t in_flight, uint64_t oldest_ms)
{
    uint64_t head = atomic_load(&workers[w].tick_head);
    struct plt_sample *tick = &workers[w].tick[head % PLT_TICK_RING];
    *tick = (struct plt_sample){
        .index = head,
        .duration_ns = 100 * MS,
        .first_ns = first_ms * MS,
        .last_ns = last_ms * MS,
        .oldest_ns = oldest_ms * MS,
        .inflight = in_flight,
    };
    if (n > 0) {
        tick->op[PLT_OP_READ] = (struct plt_sample_op){n, n * UINT64_C(4096), n * latency, latency, latency};
    }
    atomic_store(&workers[w].tick_head, head + 1);
    return tick;
}

static void test_merge(void)
{
    make(3);
    add(0, 4, 1000, 10, 90, 8, 5);
    add(1, 0, 0, 0, 0, 3, 400);
    add(2, 6, 700, 20, 95, 2, 1);
    workers[2].tick[0].op[PLT_OP_WRITE] = (struct plt_sample_op){1, 4096, 5000, 5000, 5000};
    plt_engine_sample_until_end(&engine);
    CHECK_INT(n_samples, ==, 1);
    CHECK_INT(engine.ticks, ==, 1);
    const struct plt_sample *s = &samples[0];
    CHECK_INT(s->index, ==, 0);
    CHECK_INT(s->duration_ns, ==, 100 * MS);
    CHECK_INT(s->first_ns, ==, 10 * MS);
    CHECK_INT(s->last_ns, ==, 95 * MS);
    CHECK_INT(s->inflight, ==, 13);
    CHECK_INT(s->oldest_ns, ==, 400 * MS);
    CHECK_INT(s->op[PLT_OP_READ].ios, ==, 10);
    CHECK_INT(s->op[PLT_OP_READ].bytes, ==, 40960);
    CHECK_INT(s->op[PLT_OP_READ].lat_sum_ns, ==, 8200);
    CHECK_INT(s->op[PLT_OP_READ].lat_min_ns, ==, 700);
    CHECK_INT(s->op[PLT_OP_READ].lat_max_ns, ==, 1000);
    CHECK_INT(s->op[PLT_OP_WRITE].ios, ==, 1);
    CHECK_INT(s->op[PLT_OP_WRITE].lat_min_ns, ==, 5000);
    clear();
}

/* One worker has ended before the other, in the middle of a tick. */
static void test_unequal_ends(void)
{
    make(2);
    add(0, 1, 10, 50, 50, 0, 0);
    add(0, 1, 10, 120, 120, 0, 0)->duration_ns = 30 * MS;
    for (unsigned i = 0; i < 4; i++) {
        add(1, 2, 10, i * 100 + 10, i * 100 + 20, 0, 0);
    }
    workers[1].tick[3].duration_ns = 25 * MS;
    plt_engine_sample_until_end(&engine);
    CHECK_INT(n_samples, ==, 4);
    CHECK_INT(samples[1].op[PLT_OP_READ].ios, ==, 3);
    CHECK_INT(samples[1].duration_ns, ==, 100 * MS);
    CHECK_INT(samples[2].op[PLT_OP_READ].ios, ==, 2);
    CHECK_INT(samples[3].duration_ns, ==, 25 * MS);
    clear();
}

static void check_stall(size_t i, uint64_t start_ms, uint64_t length_ms, uint32_t depth)
{
    if (CHECK_INT(i, <, engine.n_stalls)) {
        CHECK_INT(engine.stalls[i].start_ns, ==, start_ms * MS);
        CHECK_INT(engine.stalls[i].length_ns, ==, length_ms * MS);
        CHECK_INT(engine.stalls[i].inflight, ==, depth);
    }
}

static void test_stalls(void)
{
    make(1);
    add(0, 9, 10, 1, 30, 8, 0);
    add(0, 0, 0, 0, 0, 8, 170);
    add(0, 0, 0, 0, 0, 8, 270);
    add(0, 5, 10, 301, 399, 8, 0); /* 30 to 301: a stall */
    add(0, 0, 0, 0, 0, 8, 101);
    add(0, 5, 10, 599, 599, 8, 0); /* 399 to 599: 200 ms, just one */
    add(0, 0, 0, 0, 0, 8, 101);
    add(0, 5, 10, 798, 799, 8, 0); /* 599 to 798: not one */
    plt_engine_sample_until_end(&engine);
    CHECK_INT(engine.n_stalls, ==, 2);
    check_stall(0, 30, 271, 8);
    check_stall(1, 399, 200, 8);
    CHECK_INT(engine.n_stalls_dropped, ==, 0);
    clear();
}

/* From the window's start, and up to its end. */
static void test_stalls_at_the_ends(void)
{
    make(2);
    engine.workload.duration_ns = 700 * MS;
    engine.t0_ns = plt_clock_now_ns() - 800 * MS;
    add(0, 0, 0, 0, 0, 4, 150); /* issued in the ramp, 50 ms before the window */
    add(0, 0, 0, 0, 0, 4, 250);
    add(0, 4, 10, 210, 250, 4, 10);
    add(0, 0, 0, 0, 0, 4, 140);
    add(0, 0, 0, 0, 0, 4, 240);
    add(0, 0, 0, 0, 0, 4, 340);
    add(0, 0, 0, 0, 0, 4, 440);
    for (unsigned i = 0; i < 7; i++) {
        add(1, 0, 0, 0, 0, 1, (i + 1) * 100); /* a worker whose one I/O never comes back */
    }
    plt_engine_sample_until_end(&engine);
    CHECK_INT(engine.n_stalls, ==, 2);
    check_stall(0, 0, 210, 5);
    check_stall(1, 250, 450, 5);
    clear();
}

/* Nothing in flight is no stall, however long: a rate limit and a pause look like that. */
static void test_idle_is_no_stall(void)
{
    make(1);
    add(0, 1, 10, 5, 5, 0, 0);
    for (int i = 0; i < 8; i++) {
        add(0, 0, 0, 0, 0, 0, 0);
    }
    add(0, 1, 10, 905, 905, 0, 0);
    plt_engine_sample_until_end(&engine);
    CHECK_INT(engine.n_stalls, ==, 0);
    clear();
}

/* Idle, then an I/O that is in flight over one tick's end: it waited for 50 ms, not since the one before. */
static void test_waiting_begins_with_the_issue(void)
{
    make(1);
    add(0, 1, 10, 5, 5, 0, 0);
    add(0, 0, 0, 0, 0, 0, 0);
    add(0, 0, 0, 0, 0, 0, 0);
    add(0, 0, 0, 0, 0, 1, 10);
    add(0, 1, 50 * MS, 440, 440, 0, 0);
    add(0, 0, 0, 0, 0, 0, 0);
    add(0, 0, 0, 0, 0, 1, 20); /* and this one waits long enough, from 680 on */
    add(0, 0, 0, 0, 0, 1, 120);
    add(0, 0, 0, 0, 0, 1, 220);
    add(0, 1, 50 * MS, 950, 950, 0, 0);
    plt_engine_sample_until_end(&engine);
    CHECK_INT(engine.n_stalls, ==, 1);
    check_stall(0, 680, 270, 1);
    clear();
}

static bool keep_and_forget(const struct plt_sample *sample, void *user)
{
    n_samples++;
    /* Room for one more: two empty ticks, then one with a completion, over and over. */
    unsigned index = (unsigned)atomic_load(&workers[0].tick_head);
    if (index < 3 * 65536 + 30) {
        bool empty = index % 3 != 2;
        uint64_t at = index * 100 + 50;
        add(0, empty ? 0 : 1, 10, at, at, 1, empty ? 250 : 0);
    }
    return true;
}

/* The list ends at 65536 entries, and says how many it left out. */
static void test_most_stalls(void)
{
    make(1);
    engine.sample_func = keep_and_forget;
    add(0, 0, 0, 0, 0, 1, 100);
    plt_engine_sample_until_end(&engine);
    CHECK_INT(n_samples, ==, 3 * 65536 + 30);
    CHECK_INT(engine.n_stalls, ==, 65536);
    CHECK_INT(engine.n_stalls_dropped, ==, 10);
    clear();
}

/* The function is not called again after it has asked for the end, but all ticks are taken. */
static void test_condition(void)
{
    make(1);
    for (unsigned i = 0; i < 10; i++) {
        add(0, 1, 10, i * 100 + 10, i * 100 + 20, 0, 0);
    }
    most_samples = 3;
    plt_engine_sample_until_end(&engine);
    CHECK_INT(n_samples, ==, 3);
    CHECK_INT(engine.ticks, ==, 10);
    CHECK(atomic_load(&engine.condition));
    CHECK_INT(atomic_load(&engine.stop_ns), !=, UINT64_MAX);
    clear();
}

static const struct tap_case cases[] = {
    {"/engine/sampler/merge", test_merge},
    {"/engine/sampler/unequal-ends", test_unequal_ends},
    {"/engine/sampler/stalls", test_stalls},
    {"/engine/sampler/stalls-at-the-ends", test_stalls_at_the_ends},
    {"/engine/sampler/idle-is-no-stall", test_idle_is_no_stall},
    {"/engine/sampler/waiting-begins-with-the-issue", test_waiting_begins_with_the_issue},
    {"/engine/sampler/most-stalls", test_most_stalls},
    {"/engine/sampler/condition", test_condition},
};

TAP_MAIN(cases)
