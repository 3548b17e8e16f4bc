/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

/*
 * xoshiro256++ 1.0 (Blackman, Vigna 2019): period 2^256 - 1. Seeded through splitmix64, as its authors
 * advise, so that close seeds give unrelated streams and the state is never all zero.
 */
struct plt_xoshiro {
    uint64_t s[4];
};

void plt_xoshiro_seed(struct plt_xoshiro *x, uint64_t seed);

static inline uint64_t plt_rotl64(uint64_t value, int by)
{
    return (value << by) | (value >> (64 - by));
}

static inline uint64_t plt_xoshiro_next(struct plt_xoshiro *x)
{
    uint64_t *s = x->s;
    uint64_t result = plt_rotl64(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = plt_rotl64(s[3], 45);
    return result;
}

/* LFSR258 (L'Ecuyer 1999), which fio calls tausworthe64: period about 2^258. */
struct plt_tausworthe64 {
    uint64_t s[5];
};

void plt_tausworthe64_seed(struct plt_tausworthe64 *t, uint64_t seed);
uint64_t plt_tausworthe64_next(struct plt_tausworthe64 *t);

/* One step of splitmix64 (Steele, Lea, Flood 2014): advances *STATE. */
uint64_t plt_splitmix64(uint64_t *state);

/*
 * A 64-bit random value to [0, RANGE) by the high half of the product (Lemire 2019). Without its rejection
 * step a value's chance is off by at most RANGE / 2^64: for 2^40 blocks 6 x 10^-8, below what any run could
 * show.
 */
static inline uint64_t plt_random_range(uint64_t random, uint64_t range)
{
    return (uint64_t)(((unsigned __int128)random * range) >> 64);
}
