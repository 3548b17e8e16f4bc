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
    return plt_clock_global.mult != 0;
}

static bool start_counter(void)
{
    return kernel_trusts_counter() && calibrate();
}

#else

static bool start_counter(void)
{
    return false;
}

#endif

static void init_once(void)
{
    plt_clock_global.counter = start_counter();
    if (!plt_clock_global.counter) {
        plt_clock_global.base = plt_clock_system_ns();
    }
}

void plt_clock_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, init_once);
}
