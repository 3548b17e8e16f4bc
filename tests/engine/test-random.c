/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "engine/random.h"

#include "tap.h"

/*
 * Expected values: from a second implementation in Python with unlimited integers masked to 64 bits, written
 * from the papers alone (Blackman and Vigna 2021, table 1 and listing; Steele, Lea, Flood 2014; L'Ecuyer
 * 1999, figure 1), for example for LFSR258:
 *
 *   P = [(1,53,10,~1), (24,50,5,~511), (3,23,29,~4095), (5,24,23,~131071), (3,33,8,~8388607)]
 *   def step(s):
 *       for i, (q, k, shift, mask) in enumerate(P):
 *           b = (((s[i] << q) & M) ^ s[i]) >> k
 *           s[i] = (((s[i] & mask & M) << shift) & M) ^ b
 *       return s[0] ^ s[1] ^ s[2] ^ s[3] ^ s[4]          # M = 2^64 - 1
 *
 * The first ten of xoshiro256++ from 1, 2, 3, 4 and the first five of splitmix64 from 1234567 are also those
 * that other implementations publish.
 */

static void test_splitmix(void)
{
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),  UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821),
    };
    uint64_t state = 1234567;
    for (int i = 0; i < 5; i++) {
        CHECK_INT(plt_splitmix64(&state), ==, expected[i]);
    }
}

static void test_xoshiro_vector(void)
{
    static const uint64_t expected[] = {
        UINT64_C(41943041),
        UINT64_C(58720359),
        UINT64_C(3588806011781223),
        UINT64_C(3591011842654386),
        UINT64_C(9228616714210784205),
        UINT64_C(9973669472204895162),
        UINT64_C(14011001112246962877),
        UINT64_C(12406186145184390807),
        UINT64_C(15849039046786891736),
        UINT64_C(10450023813501588000),
    };
    struct plt_xoshiro x = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++) {
        CHECK_INT(plt_xoshiro_next(&x), ==, expected[i]);
    }
}

static void check_seeded(uint64_t seed, const uint64_t first[4], uint64_t thousandth)
{
    struct plt_xoshiro x;
    uint64_t value = 0;
    plt_xoshiro_seed(&x, seed);
    for (int i = 0; i < 1000; i++) {
        value = plt_xoshiro_next(&x);
        if (i < 4) {
            CHECK_INT(value, ==, first[i]);
        }
    }
    CHECK_INT(value, ==, thousandth);
}

static void test_xoshiro_seeds(void)
{
    static const uint64_t from_0[] = {UINT64_C(0x53175d61490b23df), UINT64_C(0x61da6f3dc380d507),
                                      UINT64_C(0x5c0fdf91ec9a7bfc), UINT64_C(0x02eebf8c3bbe5e1a)};
    static const uint64_t from_42[] = {UINT64_C(0xd0764d4f4476689f), UINT64_C(0x519e4174576f3791),
                                       UINT64_C(0xfbe07cfb0c24ed8c), UINT64_C(0xb37d9f600cd835b8)};
    check_seeded(0, from_0, UINT64_C(0x376300fa032f6483));
    check_seeded(42, from_42, UINT64_C(0xa3ed059c1cc38790));
}

static void check_lfsr(struct plt_tausworthe64 t, const uint64_t *first, int n, uint64_t thousandth)
{
    uint64_t value = 0;
    for (int i = 0; i < 1000; i++) {
        value = plt_tausworthe64_next(&t);
        if (i < n) {
            CHECK_INT(value, ==, first[i]);
        }
    }
    CHECK_INT(value, ==, thousandth);
}

static void test_tausworthe_vectors(void)
{
    static const uint64_t equal[] = {UINT64_C(0x8a696e453c06b1b9), UINT64_C(0xeebef39d3ec1eb59),
                                     UINT64_C(0x302646c9c7a618ea), UINT64_C(0x7a0f3cd2a82ae9de),
                                     UINT64_C(0x5ad4a9c39d1ce67d)};
    static const uint64_t low[] = {UINT64_C(0x20800520000033), UINT64_C(0x11065080000c),
                                   UINT64_C(0x4849408000002700), UINT64_C(0x10014110044a006),
                                   UINT64_C(0x82200004cd1908)};
    static const uint64_t seeded[] = {UINT64_C(0x30024c6190a6c622), UINT64_C(0xa5d76b4848b8ffbc),
                                      UINT64_C(0x1037e4cf7938bbf9)};
    struct plt_tausworthe64 t;
    for (int i = 0; i < 5; i++) {
        t.s[i] = UINT64_C(123456789123456789);
    }
    check_lfsr(t, equal, 5, UINT64_C(0xa3d66100b9897cf3));
    for (unsigned i = 0; i < 5; i++) {
        t.s[i] = 0x1000000 + i;
    }
    check_lfsr(t, low, 5, UINT64_C(0x1a2b775897b3798d));
    plt_tausworthe64_seed(&t, 0);
    check_lfsr(t, seeded, 3, UINT64_C(0x79bced4d1577b463));
}

/* Below these a component's state would be cleared by its mask and stay zero for ever. */
static void test_tausworthe_seeds(void)
{
    static const uint64_t smallest[5] = {2, 512, 4096, 131072, 8388608};
    for (uint64_t seed = 0; seed < 100000; seed++) {
        struct plt_tausworthe64 t;
        plt_tausworthe64_seed(&t, seed);
        for (int i = 0; i < 5; i++) {
            CHECK_INT(t.s[i], >=, smallest[i]);
        }
    }
}

/*
 * Chi-square over 1000 cells with 999 degrees of freedom: mean 999, deviation 44.7, so [820, 1200] is 4 of
 * them; the seeds are fixed, so a value inside stays inside.
 */
static double chi_square(const uint64_t *cell, unsigned n, double expected)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++) {
        double off = (double)cell[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

static void check_uniform(uint64_t range, bool tausworthe)
{
    enum { CELLS = 1000, DRAWS = 1000000 };
    uint64_t *cell = calloc(CELLS, sizeof *cell);
    struct plt_xoshiro x;
    struct plt_tausworthe64 t;
    plt_xoshiro_seed(&x, 20261201);
    plt_tausworthe64_seed(&t, 20261201);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t random = tausworthe ? plt_tausworthe64_next(&t) : plt_xoshiro_next(&x);
        uint64_t value = plt_random_range(random, range);
        if (!CHECK_INT(value, <, range)) {
            break;
        }
        cell[(unsigned)((double)value / (double)range * CELLS)]++;
    }
    double chi = chi_square(cell, CELLS, (double)DRAWS / CELLS);
    CHECK_REAL(chi, >, 820);
    CHECK_REAL(chi, <, 1200);
    free(cell);
}

static void test_uniform(void)
{
    check_uniform(1000, false);
    check_uniform(1000, true);
    check_uniform(UINT64_C(262144), false);
    check_uniform(UINT64_C(2) << 40, false); /* blocks of 512 bytes on 1 PiB */
    check_uniform(UINT64_C(2) << 40, true);
    check_uniform(UINT64_C(46886239752),
                  false); /* 24 TB in blocks of 512 bytes: no power of two, above 2^32 */
}

/* A range that is not small against 2^64 is hit at both ends, and never left. */
static void test_range_ends(void)
{
    CHECK_INT(plt_random_range(0, 1), ==, 0);
    CHECK_INT(plt_random_range(UINT64_MAX, 1), ==, 0);
    CHECK_INT(plt_random_range(0, UINT64_MAX), ==, 0);
    CHECK_INT(plt_random_range(UINT64_MAX, UINT64_MAX), ==, UINT64_MAX - 1);
    CHECK_INT(plt_random_range(UINT64_MAX, UINT64_C(1) << 40), ==, (UINT64_C(1) << 40) - 1);
}

static const struct tap_case cases[] = {
    {"/engine/random/splitmix", test_splitmix},
    {"/engine/random/xoshiro-vector", test_xoshiro_vector},
    {"/engine/random/xoshiro-seeds", test_xoshiro_seeds},
    {"/engine/random/tausworthe-vectors", test_tausworthe_vectors},
    {"/engine/random/tausworthe-seeds", test_tausworthe_seeds},
    {"/engine/random/uniform", test_uniform},
    {"/engine/random/range-ends", test_range_ends},
};

TAP_MAIN(cases)
