/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>
#include <stdbool.h>

/*
 * A log-linear latency histogram in nanoseconds.
 *
 * Values below 2^PLT_HISTOGRAM_BITS have a bucket each. Above, every octave [2^m, 2^(m+1)) is cut into
 * 2^PLT_HISTOGRAM_BITS equal buckets of width 2^(m - BITS), so a bucket is at most 2^-BITS of any value in
 * it wide and reporting its middle is off by at most 2^-(BITS + 1) of the value: 2^-8 = 0.39 % with 7 bits.
 * Interpolating inside the bucket stays within one width, 2^-7 = 0.78 %, which is the bound that Plateau
 * states. 64-bit values all have a bucket; nothing is clamped.
 */
#define PLT_HISTOGRAM_BITS 7
#define PLT_HISTOGRAM_BUCKETS ((64 - PLT_HISTOGRAM_BITS + 1) << PLT_HISTOGRAM_BITS)

struct plt_histogram {
    uint64_t count;
    uint64_t sum_ns;
    uint64_t min_ns; /* exact; UINT64_MAX while count is 0 */
    uint64_t max_ns; /* exact */
    uint64_t bucket[PLT_HISTOGRAM_BUCKETS];
};

static inline unsigned plt_histogram_index(uint64_t ns)
{
    /* 63 ^ clz is 63 - clz, written so that x86 compilers use its bit scan as it is. */
    unsigned msb = 63 ^ (unsigned)__builtin_clzll(ns | (UINT64_C(1) << PLT_HISTOGRAM_BITS));
    unsigned shift = msb - PLT_HISTOGRAM_BITS;
    return (shift << PLT_HISTOGRAM_BITS) + (unsigned)(ns >> shift);
}

/* Smallest value that falls into bucket INDEX, and how many values do. */
uint64_t plt_histogram_lower_ns(unsigned index);
uint64_t plt_histogram_width_ns(unsigned index);

void plt_histogram_reset(struct plt_histogram *h);
void plt_histogram_add(struct plt_histogram *h, uint64_t ns);
void plt_histogram_merge(struct plt_histogram *into, const struct plt_histogram *from);

/*
 * Takes EARLIER, an older state of the same histogram, away from H: what was added since. Minimum and maximum
 * become the bounds of the outermost buckets that are left.
 */
void plt_histogram_subtract(struct plt_histogram *h, const struct plt_histogram *earlier);

double plt_histogram_mean_ns(const struct plt_histogram *h);

/* Standard deviation from the bucket middles, in ns; 0 for fewer than two values. */
double plt_histogram_stddev_ns(const struct plt_histogram *h);

/*
 * Value in ns that a share P (0..1) of all values does not exceed: nearest rank, ceil(P x count), placed
 * inside its bucket by linear interpolation and held inside [min, max]. 0 when the histogram is empty.
 */
double plt_histogram_percentile_ns(const struct plt_histogram *h, double p);
