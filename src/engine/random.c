/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/random.h"

uint64_t plt_splitmix64(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void plt_xoshiro_seed(struct plt_xoshiro *x, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        x->s[i] = plt_splitmix64(&seed);
    }
}

void plt_tausworthe64_seed(struct plt_tausworthe64 *t, uint64_t seed)
{
    /* Each component's state must keep a bit above its mask's cleared ones: at least 2, 512, 4096, 2^17,
     * 2^23. */
    static const uint64_t smallest[5] = {UINT64_C(1) << 1, UINT64_C(1) << 9, UINT64_C(1) << 12,
                                         UINT64_C(1) << 17, UINT64_C(1) << 23};
    for (int i = 0; i < 5; i++) {
        do {
            t->s[i] = plt_splitmix64(&seed);
        } while (t->s[i] < smallest[i]);
    }
}

static uint64_t lfsr(uint64_t s, int a, int b, uint64_t mask, int c)
{
    return ((s & mask) << c) ^ (((s << a) ^ s) >> b);
}

uint64_t plt_tausworthe64_next(struct plt_tausworthe64 *t)
{
    uint64_t *s = t->s;
    s[0] = lfsr(s[0], 1, 53, ~UINT64_C(1), 10);
    s[1] = lfsr(s[1], 24, 50, ~UINT64_C(511), 5);
    s[2] = lfsr(s[2], 3, 23, ~UINT64_C(4095), 29);
    s[3] = lfsr(s[3], 5, 24, ~UINT64_C(131071), 23);
    s[4] = lfsr(s[4], 3, 33, ~UINT64_C(8388607), 8);
    return s[0] ^ s[1] ^ s[2] ^ s[3] ^ s[4];
}
