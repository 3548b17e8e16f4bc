/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/clock.h"

#include "bed.h"
#include "tap.h"

/*
 * A computer that was suspended comes back with a cycle counter that ran on, or with one that began anew at
 * zero. No test can suspend the machine, so the clock's start is moved, which looks the same from inside.
 */

#define HOUR_NS UINT64_C(3600000000000)

static bool has_counter(void)
{
    plt_clock_init();
    if (!plt_clock_global.counter) {
        tap_skip("no cycle counter here");
    }
    return plt_clock_global.counter;
}

/* The counter is suddenly NS ahead; negative: behind, as after a new beginning. */
static void shift(int64_t ns)
{
    int64_t counts = (int64_t)((double)ns * 4294967296.0 / (double)plt_clock_global.mult);
    __atomic_fetch_sub(&plt_clock_global.base, (uint64_t)counts, __ATOMIC_RELAXED);
}

static uint64_t system_now_ns(void)
{
    return plt_clock_system_ns() - plt_clock_global.origin_ns;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static void test_agree(void)
{
    if (has_counter()) {
        uint64_t base = plt_clock_global.base;
        CHECK_INT(apart(plt_clock_verify(), system_now_ns()), <, PLT_CLOCK_DOUBT_NS);
        CHECK_INT(plt_clock_global.base, ==, base);
        shift(-20000000); /* less than what two clocks drift apart in a long run */
        base = plt_clock_global.base;
        plt_clock_verify();
        CHECK_INT(plt_clock_global.base, ==, base);
        shift(20000000);
    }
}

static void test_set_right(void)
{
    static const int64_t jumps[] = {(int64_t)HOUR_NS, -(int64_t)HOUR_NS, 2000000000, -2000000000};
    for (size_t i = 0; has_counter() && i < sizeof jumps / sizeof *jumps; i++) {
        uint64_t before = plt_clock_now_ns();
        shift(jumps[i]);
        CHECK_INT(apart(plt_clock_now_ns(), before), >=, 1500000000);
        uint64_t right = plt_clock_verify();
        CHECK_INT(apart(right, system_now_ns()), <, PLT_CLOCK_DOUBT_NS);
        CHECK_INT(apart(plt_clock_now_ns(), system_now_ns()), <, PLT_CLOCK_DOUBT_NS);
    }
}

static void test_doubt(void)
{
    if (has_counter()) {
        uint64_t now = plt_clock_now_ns();
        CHECK_INT(plt_clock_doubt(now, now), ==, now);
        CHECK_INT(plt_clock_doubt(now, now - 999999999), ==, now);
        shift((int64_t)HOUR_NS);
        CHECK_INT(plt_clock_doubt(plt_clock_now_ns(), now), <, now + HOUR_NS / 2);
    }
}

static void test_suspended(void)
{
    uint64_t once = plt_clock_suspended_ns();
    CHECK_INT(apart(plt_clock_suspended_ns(), once), <, 1000000000);
}

static void *shift_later(void *data)
{
    const struct timespec pause = {.tv_nsec = 230000000};
    nanosleep(&pause, NULL);
    shift(*(int64_t *)data);
    return NULL;
}

/* The time of the suspension is in no figure: not in the window, not in a latency, not as a stall. */
static void run_over_jump(enum plt_backend backend, int64_t jump)
{
    struct bed bed;
    pthread_t thread;
    const struct plt_engine_target target = {
        .fd = bed_file(NULL, 4 * BED_MIB), .length = 4 * BED_MIB, .logical_block = 512};
    memset(&bed, 0, sizeof bed);
    bed_init(&bed, &target);
    bed.load.backend = backend;
    bed.load.duration_ns = 600 * BED_MS;
    bed.load.tick_ns = 50 * BED_MS;
    CHECK(bed_make(&bed));
    CHECK(pthread_create(&thread, NULL, shift_later, &jump) == 0);
    bed_run(&bed);
    pthread_join(thread, NULL);
    bed_check(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_TIME);
    CHECK_INT(bed.result.window_ns, ==, 600 * BED_MS);
    CHECK_INT(bed.n_samples, ==, 12);
    CHECK_INT(bed.result.total[PLT_OP_READ].ios, >, 0);
    CHECK_INT(bed.result.total[PLT_OP_READ].lat_max_ns, <, HOUR_NS / 2);
    for (size_t i = 0; i < bed.result.n_stalls; i++) {
        CHECK_INT(bed.result.stalls[i].length_ns, <=, 600 * BED_MS);
    }
    bed_clear(&bed);
    close(target.fd);
}

static void test_load(void)
{
    if (has_counter()) {
        run_over_jump(PLT_BACKEND_RING, (int64_t)HOUR_NS);
        run_over_jump(PLT_BACKEND_RING, -(int64_t)HOUR_NS);
        run_over_jump(PLT_BACKEND_THREADS, (int64_t)HOUR_NS);
        run_over_jump(PLT_BACKEND_THREADS, -(int64_t)HOUR_NS);
    }
}

static const struct tap_case cases[] = {
    {"/engine/clock/agree", test_agree},         {"/engine/clock/set-right", test_set_right},
    {"/engine/clock/doubt", test_doubt},         {"/engine/clock/suspended", test_suspended},
    {"/engine/clock/load-over-jump", test_load},
};

TAP_MAIN(cases)
