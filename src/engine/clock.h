/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/*
 * The engine's clock: ns since an arbitrary start, monotonic over all processors. It reads the cycle counter
 * where the kernel itself trusts it as its clock source (constant, non-stop, synchronised), which costs 17 ns
 * less per reading than clock_gettime, and is calibrated against CLOCK_MONOTONIC_RAW. It stands still while
 * the computer is suspended, as that clock does.
 */
struct plt_clock {
    bool counter;       /* cycle counter in use */
    uint64_t base;      /* counter at the start; moved when the computer was suspended */
    uint64_t mult;      /* ns per count in 32.32 fixed point: at 1-5 GHz exact to 2^-30 */
    uint64_t origin_ns; /* the system's clock at the start */
};

extern struct plt_clock plt_clock_global;

/* Calibrates once per process (about 20 ms); later calls return at once. Thread-safe. */
void plt_clock_init(void);

static inline uint64_t plt_clock_system_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Only where plt_clock_global.counter says that there is one. */
static inline uint64_t plt_clock_counter_ns(void)
{
#if defined(__x86_64__)
    unsigned __int128 product =
        (unsigned __int128)(__rdtsc() - __atomic_load_n(&plt_clock_global.base, __ATOMIC_RELAXED)) *
        plt_clock_global.mult;
    return (uint64_t)(product >> 32);
#else
    return plt_clock_system_ns() - plt_clock_global.origin_ns;
#endif
}

static inline uint64_t plt_clock_now_ns(void)
{
    return __builtin_expect(plt_clock_global.counter, 1) ? plt_clock_counter_ns()
                                                         : plt_clock_system_ns() - plt_clock_global.origin_ns;
}

/* How much further than EXPECTED a reading may be before it is held against the system's clock. */
#define PLT_CLOCK_DOUBT_NS UINT64_C(1000000000)

/* Holds the counter against the system's clock, and sets it right where they differ. Returns the right time.
 */
uint64_t plt_clock_verify(void);

/*
 * NOW, which was to be about EXPECTED. A suspended computer comes back with a counter that ran on, or began
 * anew at zero (which makes NOW enormous): then the clock is set right, and what it says now is returned.
 */
static inline uint64_t plt_clock_doubt(uint64_t now, uint64_t expected)
{
    return __builtin_expect(now - expected < PLT_CLOCK_DOUBT_NS, 1) ? now : plt_clock_verify();
}

/* How long the computer has been suspended since it was started. */
uint64_t plt_clock_suspended_ns(void);
