/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct plt_clock plt_clock_global;

#if defined(__x86_64__)

/* The kernel demotes the TSC as soon as it drifts, stops or differs between processors. */
static bool kernel_trusts_counter(void)
{
    char name[32] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (file == NULL) {
        return false;
    }
    bool read = fgets(name, sizeof name, file) != NULL;
    fclose(file);
    return read && strncmp(name, "tsc", 3) == 0;
}

struct reading {
    uint64_t counter;
    uint64_t ns;
    uint64_t width; /* counts that the reading itself took: its uncertainty */
};

/* The tightest of a few readings: an interrupt between the two clocks would shift one against the other. */
static struct reading read_both(void)
{
    struct reading best = {.width = UINT64_MAX};
    for (int i = 0; i < 16; i++) {
        uint64_t before = __rdtsc();
        uint64_t ns = plt_clock_system_ns();
        uint64_t after = __rdtsc();
        if (after - before < best.width) {
            best =
                (struct reading){.counter = before + (after - before) / 2, .ns = ns, .width = after - before};
        }
    }
    return best;
}

/*
 * Both readings are good to about 20 ns, so over 20 ms the rate is good to 2 x 20 ns / 20 ms = 2 x 10^-6:
 * four orders of magnitude below anything that a figure shows.
 */
static bool calibrate(void)
{
    struct reading start = read_both();
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    struct reading end = read_both();
    if (end.counter <= start.counter || end.ns <= start.ns) {
        return false;
    }
    unsigned __int128 scaled = (unsigned __int128)(end.ns - start.ns) << 32;
    plt_clock_global.mult = (uint64_t)(scaled / (end.counter - start.counter));
    plt_clock_global.base = start.counter;
    plt_clock_global.origin_ns = start.ns;
    return plt_clock_global.mult != 0;
}

static bool start_counter(void)
{
    return kernel_trusts_counter() && calibrate();
}

/* Several threads may come here at once: each sets the same, but for what a reading takes. */
static uint64_t set_right(uint64_t ns)
{
    unsigned __int128 counts = ((unsigned __int128)ns << 32) / plt_clock_global.mult;
    __atomic_store_n(&plt_clock_global.base, __rdtsc() - (uint64_t)counts, __ATOMIC_RELAXED);
    return ns;
}

#else

static uint64_t set_right(uint64_t ns)
{
    return ns;
}

static bool start_counter(void)
{
    return false;
}

#endif

static void init_once(void)
{
    plt_clock_global.counter = start_counter();
    if (!plt_clock_global.counter) {
        plt_clock_global.origin_ns = plt_clock_system_ns();
    }
}

/*
 * The two may drift apart by the error of the calibration, 2 x 10^-6, which is 1.2 s in a week; nobody is
 * suspended for so short a time without a note from plt_clock_suspended_ns.
 */
#define DRIFT_PER_NS 1e-5
#define DRIFT_NS 100e6

uint64_t plt_clock_verify(void)
{
    uint64_t system = plt_clock_system_ns() - plt_clock_global.origin_ns;
    uint64_t now = plt_clock_now_ns();
    double apart = now > system ? (double)(now - system) : (double)(system - now);
    bool agree = apart <= DRIFT_NS + DRIFT_PER_NS * (double)system;
    return agree || !plt_clock_global.counter ? now : set_right(system);
}

static uint64_t read_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t plt_clock_suspended_ns(void)
{
    uint64_t running = read_ns(CLOCK_MONOTONIC);
    uint64_t all = read_ns(CLOCK_BOOTTIME);
    return all > running ? all - running : 0;
}

void plt_clock_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_once);
}
