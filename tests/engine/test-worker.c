/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/private.h"

#include "tap.h"

/* The time table of a worker, on a clock that the tests turn: no loop, no I/O. */

#define MS UINT64_C(1000000)
#define START (1000 * MS)

static struct plt_engine engine;
static struct plt_worker *worker;
static uint64_t open_since[8]; /* when what is in flight was issued */
static unsigned n_open;

static void look(struct plt_worker *w, uint64_t now, uint64_t since, struct plt_open_ios *open)
{
    *open = (struct plt_open_ios){.count = n_open};
    for (unsigned i = 0; i < n_open; i++) {
        uint64_t age = now - open_since[i];
        open->oldest_ns = age > open->oldest_ns ? age : open->oldest_ns;
        open->area_ns += now - (open_since[i] > since ? open_since[i] : since);
    }
}

static void make(uint64_t ramp_ns, uint64_t duration_ns)
{
    memset(&engine, 0, sizeof engine);
    n_open = 0;
    engine.workload = (struct plt_workload){.pattern = PLT_PATTERN_RANDOM,
                                            .block = 4096,
                                            .queue = 8,
                                            .threads = 1,
                                            .read_percent = 100,
                                            .ramp_ns = ramp_ns,
                                            .duration_ns = duration_ns,
                                            .tick_ns = 100 * MS,
                                            .submit_cap = 4};
    engine.target = (struct plt_engine_target){.length = 1 << 20, .logical_block = 512};
    engine.stop_ns = UINT64_MAX;
    engine.start_ns = START;
    engine.t0_ns = START + ramp_ns;
    engine.wake_fd = eventfd(0, EFD_NONBLOCK);
    engine.n_workers = 1;
    engine.shared = calloc(2, sizeof *engine.shared);
    worker = aligned_alloc(_Alignof(struct plt_worker), sizeof *worker);
    memset(worker, 0, sizeof *worker);
    engine.workers = worker;
    pthread_mutex_init(&engine.lock, NULL);
    pthread_cond_init(&engine.changed, NULL);
    CHECK(plt_worker_init(worker, &engine, 0, 0) == 0);
    worker->look = look;
    plt_worker_start(worker, START);
}

static void clear(void)
{
    plt_worker_clear(worker);
    free(worker);
    free(engine.shared);
    close(engine.wake_fd);
    pthread_mutex_destroy(&engine.lock);
    pthread_cond_destroy(&engine.changed);
}

/* What a loop does when it has reaped N reads of LATENCY at NOW. True when the window is over. */
static bool reap(uint64_t now, unsigned n, uint64_t latency)
{
    if (now >= worker->edge && plt_worker_edge(worker, now)) {
        return true;
    }
    for (unsigned i = 0; i < n; i++) {
        plt_worker_count_one(worker, PLT_OP_READ, now, latency);
    }
    return false;
}

static const struct plt_sample *tick(unsigned i)
{
    return &worker->tick[i];
}

static uint64_t n_ticks(void)
{
    return atomic_load(&worker->tick_head);
}

/* Ticks without a hole, all I/Os in them and in the histogram, and the window as long as the ticks. */
static void check_sums(uint64_t ios)
{
    const struct plt_histogram *h = worker->histogram[PLT_OP_READ];
    uint64_t sum = 0, buckets = 0, length = 0;
    for (unsigned i = 0; i < n_ticks(); i++) {
        CHECK_INT(tick(i)->index, ==, i);
        CHECK_INT(tick(i)->duration_ns, >, 0);
        if (tick(i)->op[PLT_OP_READ].ios > 0) {
            CHECK_INT(tick(i)->first_ns, >=, length);
            CHECK_INT(tick(i)->last_ns, <=, length + tick(i)->duration_ns);
        }
        length += tick(i)->duration_ns;
        sum += tick(i)->op[PLT_OP_READ].ios;
    }
    for (unsigned i = 0; i < PLT_HISTOGRAM_BUCKETS; i++) {
        buckets += h->bucket[i];
    }
    CHECK_INT(sum, ==, ios);
    CHECK_INT(h->count, ==, ios);
    CHECK_INT(buckets, ==, ios);
    CHECK(atomic_load(&worker->window_over));
    CHECK_INT(worker->phase, ==, PLT_WORKER_DRAIN);
    CHECK_INT(length, ==, worker->t_end > worker->t0 ? worker->t_end - worker->t0 : 0);
}

static void test_ticks(void)
{
    make(0, 250 * MS);
    CHECK(!reap(START + 1, 3, 1000));
    CHECK(!reap(START + 99 * MS, 2, 3000));
    CHECK_INT(n_ticks(), ==, 0);
    CHECK(!reap(START + 100 * MS, 5, 2000)); /* the first moment of the second tick */
    CHECK_INT(n_ticks(), ==, 1);
    CHECK(!reap(START + 249 * MS, 1, 500)); /* the second tick is closed though nothing came at its end */
    CHECK_INT(n_ticks(), ==, 2);
    CHECK(reap(START + 250 * MS, 7, 1)); /* what comes with the end is not counted */
    check_sums(11);
    CHECK_INT(n_ticks(), ==, 3);
    CHECK_INT(tick(0)->op[PLT_OP_READ].ios, ==, 5);
    CHECK_INT(tick(0)->op[PLT_OP_READ].bytes, ==, 5 * 4096);
    CHECK_INT(tick(0)->op[PLT_OP_READ].lat_sum_ns, ==, 9000);
    CHECK_INT(tick(0)->op[PLT_OP_READ].lat_min_ns, ==, 1000);
    CHECK_INT(tick(0)->op[PLT_OP_READ].lat_max_ns, ==, 3000);
    CHECK_INT(tick(0)->first_ns, ==, 1);
    CHECK_INT(tick(0)->last_ns, ==, 99 * MS);
    CHECK_INT(tick(1)->op[PLT_OP_READ].ios, ==, 5);
    CHECK_INT(tick(2)->op[PLT_OP_READ].ios, ==, 1);
    CHECK_INT(tick(2)->duration_ns, ==, 50 * MS);
    CHECK_INT(worker->histogram[PLT_OP_READ]->min_ns, ==, 500);
    CHECK_INT(worker->histogram[PLT_OP_READ]->max_ns, ==, 3000);
    clear();
}

/* A worker that comes back after a long time makes up for the ticks that went by. */
static void test_empty_ticks(void)
{
    make(0, 10000 * MS);
    open_since[0] = START + 20 * MS;
    n_open = 1;
    CHECK(!reap(START + 730 * MS, 1, 710 * MS));
    CHECK_INT(n_ticks(), ==, 7);
    for (unsigned i = 0; i < 7; i++) {
        CHECK_INT(tick(i)->op[PLT_OP_READ].ios, ==, 0);
        CHECK_INT(tick(i)->op[PLT_OP_READ].lat_min_ns, ==, 0);
        CHECK_INT(tick(i)->inflight, ==, 1);
        CHECK_INT(tick(i)->oldest_ns, ==, (i + 1) * 100 * MS - 20 * MS);
    }
    clear();
}

/* All of the window passes while the worker is held up before it: its ticks are there all the same. */
static void test_asleep_over_the_window(void)
{
    make(50 * MS, 250 * MS);
    open_since[0] = START + 10 * MS;
    n_open = 1;
    CHECK(!reap(START + 20 * MS, 4, 100)); /* of the ramp: not counted */
    worker->area_ns = 999 * MS;
    CHECK(reap(START + 900 * MS, 1, 890 * MS));
    check_sums(0);
    CHECK_INT(n_ticks(), ==, 3);
    CHECK_INT(worker->t_end, ==, START + 300 * MS);
    CHECK_INT(worker->area_ns, ==, 250 * MS);
    clear();
}

/* Area is what lies inside the window, of I/Os that began before it, in it and after its end. */
static void test_area(void)
{
    make(100 * MS, 100 * MS);
    open_since[0] = START + 40 * MS;
    n_open = 1;
    CHECK(!reap(START + 130 * MS, 0, 0));
    CHECK_INT(worker->area_ns, ==, 30 * MS);
    open_since[1] = START + 180 * MS;
    open_since[2] = START + 205 * MS;
    n_open = 3;
    worker->area_ns += (230 - 130) * MS + (230 - 180) * MS + (230 - 205) * MS; /* as the loops count it */
    CHECK(reap(START + 230 * MS, 0, 0));
    CHECK_INT(worker->area_ns, ==, 100 * MS + 20 * MS);
    check_sums(0);
    clear();
}

/*
 * A stop was decided in tick 0, and reaches the worker when it has delivered that tick and counted more: what
 * it counted stays in its samples and its histogram alike, and the window covers it.
 */
static void test_late_stop(void)
{
    make(0, 1000 * MS);
    CHECK(!reap(START + 50 * MS, 5, 100));
    CHECK(!reap(START + 130 * MS, 3, 100));
    CHECK_INT(n_ticks(), ==, 1);
    plt_engine_stop_at(&engine, START + 90 * MS);
    plt_worker_take_stop(worker);
    CHECK(reap(START + 131 * MS, 9, 100));
    check_sums(8);
    CHECK_INT(worker->t_end, ==, START + 130 * MS);
    clear();
}

static void test_late_stop_after_nothing(void)
{
    make(0, 1000 * MS);
    CHECK(!reap(START + 50 * MS, 5, 100));
    CHECK(!reap(START + 130 * MS, 0, 0));
    plt_engine_stop_at(&engine, START + 90 * MS);
    plt_worker_take_stop(worker);
    CHECK(reap(START + 131 * MS, 9, 100));
    check_sums(5);
    CHECK_INT(worker->t_end, ==, START + 100 * MS);
    clear();
}

/* Completions at the very start of a tick, and the limit by bytes is used up with them. */
static void test_end_at_a_tick(void)
{
    make(0, 1000 * MS);
    CHECK(!reap(START + 100 * MS, 6, 100));
    plt_worker_end(worker, START + 100 * MS);
    check_sums(6);
    CHECK_INT(worker->t_end, ==, START + 100 * MS + 1);
    clear();
}

/* The end is set back to the last completion, which lies in a tick that has been delivered since. */
static void test_end_before_a_tick(void)
{
    make(0, 0);
    CHECK(!reap(START + 60 * MS, 6, 100));
    CHECK(!reap(START + 210 * MS, 0, 0));
    plt_worker_end(worker, START + 60 * MS);
    check_sums(6);
    CHECK_INT(worker->t_end, ==, START + 200 * MS);
    clear();
}

static void test_stop_in_the_ramp(void)
{
    make(500 * MS, 1000 * MS);
    CHECK(!reap(START + 100 * MS, 10, 100));
    plt_engine_stop_at(&engine, START + 110 * MS);
    plt_worker_take_stop(worker);
    CHECK(reap(START + 112 * MS, 10, 100));
    check_sums(0);
    CHECK_INT(n_ticks(), ==, 0);
    CHECK_INT(worker->area_ns, ==, 0);
    clear();
}

static void test_error(void)
{
    make(500 * MS, 1000 * MS);
    CHECK(!reap(START + 510 * MS, 2, 100));
    plt_worker_fail(worker, 5, PLT_OP_READ, 12345 * 512, START + 530 * MS);
    plt_worker_fail(worker, 6, PLT_OP_WRITE, 0, START + 531 * MS); /* the first one counts */
    CHECK(reap(START + 531 * MS, 1, 100));
    check_sums(2);
    CHECK_INT(worker->error.phase, ==, PLT_PHASE_IO);
    CHECK_INT((unsigned)worker->error.code, ==, 5);
    CHECK_INT(worker->error.op, ==, PLT_OP_READ);
    CHECK_INT(worker->error.offset, ==, 12345 * 512);
    CHECK_INT(worker->error.at_ns, ==, 530 * MS);
    CHECK_INT(atomic_load(&engine.stop_ns), ==, START + 530 * MS);
    clear();
}

/* Another thread closes ticks for a worker that is held up; it ends the window only when it is given up. */
static void test_stand_in(void)
{
    make(100 * MS, 250 * MS);
    open_since[0] = START + 70 * MS;
    n_open = 1;
    plt_worker_stand_in(worker, START + 90 * MS, false);
    CHECK_INT(worker->phase, ==, PLT_WORKER_RAMP);
    plt_worker_stand_in(worker, START + 310 * MS, false);
    CHECK_INT(n_ticks(), ==, 2);
    CHECK_INT(tick(1)->oldest_ns, ==, 230 * MS);
    plt_worker_stand_in(worker, START + 360 * MS, false);
    CHECK_INT(n_ticks(), ==, 2);
    CHECK(!atomic_load(&worker->window_over));
    plt_worker_stand_in(worker, START + 360 * MS, true);
    CHECK_INT(n_ticks(), ==, 3);
    check_sums(0);
    clear();
}

/* What it closed is not closed again by the worker that comes back, and its I/O counts. */
static void test_stand_in_and_come_back(void)
{
    make(0, 1000 * MS);
    CHECK(!reap(START + 10 * MS, 1, 100));
    open_since[0] = START + 10 * MS;
    n_open = 1;
    plt_worker_stand_in(worker, START + 420 * MS, false);
    CHECK_INT(n_ticks(), ==, 4);
    n_open = 0;
    CHECK(!reap(START + 430 * MS, 1, 420 * MS));
    CHECK_INT(n_ticks(), ==, 4);
    CHECK(reap(START + 1000 * MS, 0, 0));
    check_sums(2);
    CHECK_INT(n_ticks(), ==, 10);
    CHECK_INT(tick(4)->op[PLT_OP_READ].ios, ==, 1);
    clear();
}

static const struct tap_case cases[] = {
    {"/engine/worker/ticks", test_ticks},
    {"/engine/worker/empty-ticks", test_empty_ticks},
    {"/engine/worker/asleep-over-the-window", test_asleep_over_the_window},
    {"/engine/worker/area", test_area},
    {"/engine/worker/late-stop", test_late_stop},
    {"/engine/worker/late-stop-after-nothing", test_late_stop_after_nothing},
    {"/engine/worker/end-at-a-tick", test_end_at_a_tick},
    {"/engine/worker/end-before-a-tick", test_end_before_a_tick},
    {"/engine/worker/stop-in-the-ramp", test_stop_in_the_ramp},
    {"/engine/worker/error", test_error},
    {"/engine/worker/stand-in", test_stand_in},
    {"/engine/worker/stand-in-and-come-back", test_stand_in_and_come_back},
};

TAP_MAIN(cases)
