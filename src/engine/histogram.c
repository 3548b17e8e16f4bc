/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/histogram.h"

#include <float.h>
#include <math.h>
#include <string.h>

uint64_t plt_histogram_lower_ns(unsigned index)
{
    unsigned octave = index >> PLT_HISTOGRAM_BITS;
    if (octave < 2) {
        return index;
    }
    /* index = (shift << BITS) + (ns >> shift), and ns >> shift is in [2^BITS, 2^(BITS + 1)). */
    unsigned shift = octave - 1;
    return (uint64_t)(index - (shift << PLT_HISTOGRAM_BITS)) << shift;
}

uint64_t plt_histogram_width_ns(unsigned index)
{
    unsigned octave = index >> PLT_HISTOGRAM_BITS;
    return octave < 2 ? 1 : UINT64_C(1) << (octave - 1);
}

void plt_histogram_reset(struct plt_histogram *h)
{
    memset(h, 0, sizeof *h);
    h->min_ns = UINT64_MAX;
}

void plt_histogram_add(struct plt_histogram *h, uint64_t ns)
{
    h->count++;
    h->sum_ns += ns;
    h->min_ns = ns < h->min_ns ? ns : h->min_ns;
    h->max_ns = ns > h->max_ns ? ns : h->max_ns;
    h->bucket[plt_histogram_index(ns)]++;
}

void plt_histogram_merge(struct plt_histogram *into, const struct plt_histogram *from)
{
    if (from->count == 0) {
        return;
    }
    into->count += from->count;
    into->sum_ns += from->sum_ns;
    into->min_ns = from->min_ns < into->min_ns ? from->min_ns : into->min_ns;
    into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
    for (unsigned i = 0; i < PLT_HISTOGRAM_BUCKETS; i++) {
        into->bucket[i] += from->bucket[i];
    }
}

void plt_histogram_subtract(struct plt_histogram *h, const struct plt_histogram *earlier)
{
    h->count -= earlier->count;
    h->sum_ns -= earlier->sum_ns;
    h->min_ns = UINT64_MAX;
    h->max_ns = 0;
    for (unsigned i = 0; i < PLT_HISTOGRAM_BUCKETS; i++) {
        h->bucket[i] -= earlier->bucket[i];
        if (h->bucket[i] == 0) {
            continue;
        }
        h->min_ns = h->min_ns == UINT64_MAX ? plt_histogram_lower_ns(i) : h->min_ns;
        h->max_ns = plt_histogram_lower_ns(i) + plt_histogram_width_ns(i) - 1;
    }
}

double plt_histogram_mean_ns(const struct plt_histogram *h)
{
    return h->count == 0 ? 0 : (double)h->sum_ns / (double)h->count;
}

double plt_histogram_stddev_ns(const struct plt_histogram *h)
{
    if (h->count < 2) {
        return 0;
    }
    double mean = plt_histogram_mean_ns(h);
    double squares = 0;
    for (unsigned i = 0; i < PLT_HISTOGRAM_BUCKETS; i++) {
        if (h->bucket[i] != 0) {
            double middle = (double)plt_histogram_lower_ns(i) + (double)(plt_histogram_width_ns(i) - 1) / 2;
            squares += (double)h->bucket[i] * (middle - mean) * (middle - mean);
        }
    }
    return sqrt(squares / (double)(h->count - 1));
}

static double place_in_bucket(const struct plt_histogram *h, unsigned index, uint64_t rank_in_bucket)
{
    uint64_t width = plt_histogram_width_ns(index);
    double value = (double)plt_histogram_lower_ns(index);
    if (width > 1) {
        value += (double)width * ((double)rank_in_bucket - 0.5) / (double)h->bucket[index];
    }
    value = value < (double)h->min_ns ? (double)h->min_ns : value;
    return value > (double)h->max_ns ? (double)h->max_ns : value;
}

double plt_histogram_percentile_ns(const struct plt_histogram *h, double p)
{
    if (h->count == 0) {
        return 0;
    }
    if (p >= 1) {
        return (double)h->max_ns;
    }
    /* P comes as 0.07, which no double is: 7 of 100 must not become 8 because the product
     * is 7.000000000000001. */
    double exact = ceil(p * (double)h->count * (1 - 4 * DBL_EPSILON));
    uint64_t rank = exact < 1 ? 1 : (uint64_t)exact;
    rank = rank > h->count ? h->count : rank;
    uint64_t below = 0;
    for (unsigned i = 0; i < PLT_HISTOGRAM_BUCKETS; i++) {
        if (below + h->bucket[i] >= rank) {
            return place_in_bucket(h, i, rank - below);
        }
        below += h->bucket[i];
    }
    return (double)h->max_ns;
}
