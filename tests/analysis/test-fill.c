/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "analysis/fill.h"
#include "maker.h"

static const double ticks[] = {0.01, 0.1};

static struct plt_fill finish(Maker *maker)
{
    maker_finish(maker);
    return plt_analysis_fill(&maker->series);
}

static void assert_none(Maker *maker)
{
    struct plt_fill fill = finish(maker);

    if (fill.cliff.verdict == PLT_CLIFF_FOUND)
        g_error("a cliff at %.3f GB that is none", fill.cliff.bytes / GB);
    g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_NONE);
    g_assert_cmpfloat(fill.cache.bytes, ==, 0);
    maker_clear(maker);
}

/*
 * Review 000, first pass: 1.2 TB at 6655 MB/s, then 2.8 TB at 1808 on average, made of sections at 1650
 * (folding) and at 3000. At the average of 1808 the fast sections have 181 of 1549 seconds.
 */
static void write_first_pass(Maker *maker)
{
    const double sections = 60, seconds = 2.8 * TB / (1808 * MBPS);
    const double fast = seconds * (1808.0 - 1650) / (3000 - 1650) / sections;
    const double slow = seconds / sections - fast;

    maker_write(maker, 1.2 * TB, 6655 * MBPS);
    for (int i = 0; i < (int)sections; i++) {
        maker_write(maker, slow * 1650 * MBPS, 1650 * MBPS);
        maker_write(maker, fast * 3000 * MBPS, 3000 * MBPS);
    }
}

static void test_review_first_pass(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(ticks); i++) {
        Maker maker;
        struct plt_fill fill;

        maker_init(&maker, 1 + i, ticks[i], 0.03);
        write_first_pass(&maker);
        fill = finish(&maker);
        g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_FOUND);
        assert_within(fill.cache.bytes, 1.2 * TB, 0.001);
        assert_within(fill.cache.average_bps, 6655 * MBPS, 0.005);
        assert_within(fill.cache.median_bps, 6655 * MBPS, 0.01);
        assert_within(fill.after.average_bps, 1808 * MBPS, 0.005);
        g_assert_true(fill.phases.found);
        assert_within(fill.phases.slow.average_bps, 1650 * MBPS, 0.02);
        assert_within(fill.phases.fast.average_bps, 3000 * MBPS, 0.02);
        assert_within(fill.all.bytes, 4 * TB, 1e-6);
        maker_clear(&maker);
    }
}

/* Its second pass: 50 GB at 6591, then 2981 on average; both passes 2610 in the review, 2613 by its parts. */
static void test_review_second_pass(void)
{
    struct plt_fill pass[2];

    for (guint i = 0; i < 2; i++) {
        Maker maker;

        maker_init(&maker, 7 + i, 0.1, 0.03);
        if (i == 0) {
            write_first_pass(&maker);
        } else {
            maker_write(&maker, 50 * GB, 6591 * MBPS);
            maker_write(&maker, 3950 * GB, 2981 * MBPS);
        }
        pass[i] = finish(&maker);
        maker_clear(&maker);
    }
    g_assert_cmpint(pass[1].cliff.verdict, ==, PLT_CLIFF_FOUND);
    assert_within(pass[1].cache.bytes, 50 * GB, 0.01);
    assert_within(pass[1].cache.average_bps, 6591 * MBPS, 0.01);
    assert_within(pass[1].after.average_bps, 2981 * MBPS, 0.005);
    assert_within(pass[1].after.median_bps, 2981 * MBPS, 0.01);
    /* normal noise of 3 %: 1 % of the slices lie 2.33 deviations below */
    assert_within(pass[1].after.p1_bps, 2981 * MBPS * (1 - 2.33 * 0.03), 0.01);
    g_assert_false(pass[1].phases.found);
    assert_within(plt_analysis_fill_average(pass, 2), 2613 * MBPS, 0.002);
}

/* Review 003: no cache. Average 1256, and 99 % of the slices reach 1071 MB/s: a deviation of 6.3 %. */
static void test_review_no_cache(void)
{
    Maker maker;
    struct plt_fill fill;

    maker_init(&maker, 3, 0.1, 0.0633);
    maker_write(&maker, 6.4 * TB, 1256 * MBPS);
    fill = finish(&maker);
    g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_NONE);
    g_assert_false(fill.phases.found);
    assert_within(fill.all.average_bps, 1256 * MBPS, 0.003);
    assert_within(fill.all.p1_bps, 1071 * MBPS, 0.01);
    maker_clear(&maker);
}

/* Review 004: 500 GB at 12 to 14.7 GB/s, then 1890 MB/s; second pass 10 GB (0.5 %), then 5000 MB/s. */
static void test_review_fast_drive(void)
{
    Maker maker;
    struct plt_fill fill;

    maker_init(&maker, 4, 0.1, 0.02);
    maker_write(&maker, 150 * GB, 14700 * MBPS);
    maker_write(&maker, 350 * GB, 12000 * MBPS);
    maker_write(&maker, 1500 * GB, 1890 * MBPS);
    fill = finish(&maker);
    g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_FOUND);
    assert_within(fill.cache.bytes, 500 * GB, 0.002);
    assert_within(fill.after.average_bps, 1890 * MBPS, 0.005);
    maker_clear(&maker);

    for (guint i = 0; i < G_N_ELEMENTS(ticks); i++) {
        maker_init(&maker, 5, ticks[i], 0.02);
        maker_write(&maker, 10 * GB, 13000 * MBPS);
        maker_write(&maker, 1990 * GB, 5000 * MBPS);
        fill = finish(&maker);
        g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_FOUND);
        assert_within(fill.cache.bytes, 10 * GB, 0.03);
        assert_within(fill.cache.average_bps, 13000 * MBPS, 0.03);
        assert_within(fill.after.average_bps, 5000 * MBPS, 0.005);
        maker_clear(&maker);
    }
}

/* A stick of 16 GB and a drive of 30 TB, cliffs at 0.5 % and at 99 %. */
static void test_sizes_and_places(void)
{
    const double size[] = {16 * GB, 30 * TB}, before[] = {200 * MBPS, 7000 * MBPS},
                 behind[] = {20 * MBPS, 4000 * MBPS}, place[] = {0.01, 0.2, 0.5, 0.99};

    for (guint i = 0; i < G_N_ELEMENTS(size); i++) {
        for (guint k = 0; k < G_N_ELEMENTS(place); k++) {
            Maker maker;
            struct plt_fill fill;

            maker_init(&maker, 11 + k, 0.1, 0.03);
            maker_write(&maker, size[i] * place[k], before[i]);
            maker_write(&maker, size[i] * (1 - place[k]), behind[i]);
            fill = finish(&maker);
            g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_FOUND);
            assert_within(fill.cache.bytes, size[i] * place[k], 0.02);
            assert_within(fill.after.average_bps, behind[i], 0.02);
            maker_clear(&maker);
        }
    }
}

/* The end of a cache that takes 0.5 % of the drive, as controllers do that slow down before it is full. */
static void test_soft_cliff(void)
{
    Maker maker;
    struct plt_fill fill;

    maker_init(&maker, 21, 0.1, 0.03);
    maker_write(&maker, 200 * GB, 5000 * MBPS);
    maker_slope(&maker, 5 * GB, 5000 * MBPS, 1000 * MBPS);
    maker_write(&maker, 795 * GB, 1000 * MBPS);
    fill = finish(&maker);
    g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_FOUND);
    assert_within(fill.cache.bytes, 202.5 * GB, 0.02);
    maker_clear(&maker);
}

static void test_stalls_and_a_cliff(void)
{
    Maker maker;
    struct plt_fill fill;

    maker_init(&maker, 22, 0.1, 0.05);
    for (int i = 0; i < 6; i++) {
        maker_write(&maker, 40 * GB, 5000 * MBPS);
        maker_stall(&maker, 3);
    }
    for (int i = 0; i < 40; i++) {
        maker_write(&maker, 19 * GB, 1200 * MBPS);
        maker_stall(&maker, 2.8);
    }
    fill = finish(&maker);
    g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_FOUND);
    assert_within(fill.cache.bytes, 240 * GB, 0.01);
    assert_within(fill.after.median_bps, 1200 * MBPS, 0.02);
    maker_clear(&maker);
}

/* The first 20 or 300 ms at several times the speed: the buffer of a controller, no cache. */
static void test_burst_is_no_cliff(void)
{
    static const double seconds[] = {0.02, 0.1, 0.15, 0.3};

    for (guint i = 0; i < G_N_ELEMENTS(seconds); i++) {
        static const double size[] = {1, 40, 2000};

        for (guint k = 0; k < G_N_ELEMENTS(size); k++) {
            Maker maker;

            maker_init(&maker, 25, 0.1, 0.05);
            maker_write(&maker, seconds[i] * 1200 * MBPS, 1200 * MBPS);
            maker_write(&maker, size[k] * GB, 300 * MBPS);
            assert_none(&maker);
        }
    }
}

static void test_slopes_are_no_cliffs(void)
{
    static const double ends[] = {0.75, 0.4, 0.1};

    for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
        Maker maker;

        maker_init(&maker, 31, 0.1, 0.05);
        maker_slope(&maker, 1000 * GB, 2000 * MBPS, ends[i] * 2000 * MBPS);
        assert_none(&maker);

        maker_init(&maker, 32, 0.1, 0.05);
        maker_write(&maker, 300 * GB, 2000 * MBPS);
        maker_slope(&maker, 700 * GB, 2000 * MBPS, ends[i] * 2000 * MBPS);
        assert_none(&maker);

        /* a hard disk: fast outside, slow inside; and one that becomes faster */
        maker_init(&maker, 33, 0.1, 0.02);
        maker_slope(&maker, 1000 * GB, ends[i] * 200 * MBPS, 200 * MBPS);
        assert_none(&maker);
    }
}

/* From even to so rough that a second of it is anything. */
static void test_noise_is_no_cliff(void)
{
    for (guint32 seed = 0; seed < 60; seed++) {
        Maker maker;

        maker_init(&maker, 1000 + seed, seed % 2 ? 0.1 : 0.01, 0.02 + 0.01 * (seed % 30));
        maker_write(&maker, 20 * GB * (1 + seed % 60), 1500 * MBPS);
        assert_none(&maker);
    }
}

static void test_single_stall_is_no_cliff(void)
{
    static const double at[] = {0.003, 0.01, 0.5, 0.99, 1};

    for (guint i = 0; i < G_N_ELEMENTS(at); i++) {
        Maker maker;

        maker_init(&maker, 41 + i, 0.1, 0.05);
        maker_write(&maker, 500 * GB * at[i], 2500 * MBPS);
        maker_stall(&maker, 60);
        maker_write(&maker, 500 * GB * (1 - at[i]), 2500 * MBPS);
        assert_none(&maker);
    }
}

/* Garbage collection each 20 GB, each time for many seconds; also one that begins late. */
static void test_dips_are_no_cliff(void)
{
    static const double share[] = {0.05, 0.2, 0.4};

    for (guint i = 0; i < G_N_ELEMENTS(share); i++) {
        for (int start = 0; start < 30; start += 10) {
            Maker maker;

            maker_init(&maker, 51, 0.1, 0.05);
            maker_write(&maker, start * 20 * GB, 3000 * MBPS);
            for (int k = start; k < 50; k++) {
                maker_write(&maker, 20 * GB * (1 - share[i]), 3000 * MBPS);
                maker_write(&maker, 20 * GB * share[i], 600 * MBPS);
            }
            assert_none(&maker);
        }
    }
}

/* It throttles and lets go again: a minute fast, a minute at half the speed. */
static void test_throttling_is_no_cliff(void)
{
    Maker maker;

    maker_init(&maker, 61, 0.1, 0.03);
    maker_write(&maker, 400 * GB, 5000 * MBPS);
    for (int i = 0; i < 8; i++) {
        maker_write(&maker, 150 * GB, 2500 * MBPS);
        maker_write(&maker, 300 * GB, 5000 * MBPS);
    }
    assert_none(&maker);
}

static void test_short(void)
{
    for (int slices = 0; slices < 19; slices++) {
        Maker maker;
        struct plt_fill fill;

        maker_init(&maker, 71, 0.1, 0);
        maker_write(&maker, slices * 100e6, 1000 * MBPS);
        fill = finish(&maker);
        g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_TOO_SHORT);
        assert_within(fill.all.bytes, slices * 100e6, 1e-5);
        maker_clear(&maker);
    }
}

static void test_nothing_completed(void)
{
    Maker maker;

    maker_init(&maker, 72, 0.1, 0);
    maker_stall(&maker, 60);
    g_assert_cmpint(finish(&maker).cliff.verdict, ==, PLT_CLIFF_TOO_SHORT);
    maker_clear(&maker);
}

/* One level, however rough, and a slope have no two phases. */
static void test_one_phase(void)
{
    Maker maker;

    maker_init(&maker, 81, 0.1, 0.3);
    maker_write(&maker, 500 * GB, 1000 * MBPS);
    g_assert_false(finish(&maker).phases.found);
    maker_clear(&maker);
    maker_init(&maker, 82, 0.1, 0.05);
    maker_slope(&maker, 500 * GB, 3000 * MBPS, 1000 * MBPS);
    g_assert_false(finish(&maker).phases.found);
    maker_clear(&maker);
    /* the fast one has 3 % of the bytes: not a phase */
    maker_init(&maker, 83, 0.1, 0.05);
    for (int i = 0; i < 20; i++) {
        maker_write(&maker, 29.1 * GB, 1000 * MBPS);
        maker_write(&maker, 0.9 * GB, 3000 * MBPS);
    }
    g_assert_false(finish(&maker).phases.found);
    maker_clear(&maker);
}

typedef struct {
    double size, share, fast, slow, direct, noise, tick_s;
    gboolean phases;
} Random;

static Random random_drive(guint32 seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    Random drive = {.size = 64 * GB * pow(2, g_rand_double_range(rand, 0, 8)),
                    .share = g_rand_double_range(rand, 0.01, 0.99),
                    .fast = g_rand_double_range(rand, 0.5, 12) * GB,
                    .noise = g_rand_double_range(rand, 0, 0.08),
                    .tick_s = g_rand_boolean(rand) ? 0.1 : 0.01,
                    .phases = g_rand_boolean(rand)};

    /* A second at least: what is over sooner may be a buffer. */
    drive.share = MAX(drive.share, drive.fast / drive.size);
    drive.slow = drive.fast * g_rand_double_range(rand, 0.1, 0.45);
    drive.direct = drive.phases ? drive.slow * g_rand_double_range(rand, 1.5, 1.7) : drive.slow;
    return drive;
}

/* What was put in must come out; the averages as they came to be with the noise. */
static void check_random(guint32 seed)
{
    Random drive = random_drive(seed);
    double part = drive.size * (1 - drive.share) / 40, cache_s = 0, slow_s = 0, direct_s = 0;
    struct plt_fill fill;
    Maker maker;

    maker_init(&maker, seed + 1, drive.tick_s, drive.noise);
    maker_write(&maker, drive.size * drive.share, drive.fast);
    cache_s = maker.seconds;
    for (int i = 0; i < 20; i++) {
        slow_s -= maker.seconds;
        maker_write(&maker, part, drive.slow);
        slow_s += maker.seconds;
        direct_s -= maker.seconds;
        maker_write(&maker, part, drive.direct);
        direct_s += maker.seconds;
    }
    fill = finish(&maker);
    g_test_message("seed %u: %.0f GB, %.1f %% at %.0f MB/s, then %.0f and %.0f, noise %.1f %%", seed,
                   drive.size / GB, drive.share * 100, drive.fast / MBPS, drive.slow / MBPS,
                   drive.direct / MBPS, drive.noise * 100);
    g_assert_cmpint(fill.cliff.verdict, ==, PLT_CLIFF_FOUND);
    assert_within(fill.cache.bytes, drive.size * drive.share, 0.01);
    assert_within(fill.cache.average_bps, drive.size * drive.share / cache_s, 0.01);
    assert_within(fill.after.average_bps, 40 * part / (slow_s + direct_s), 0.01);
    /* A section of under five seconds is mostly its own edges. */
    if (drive.phases && direct_s / 20 > 5) {
        g_assert_true(fill.phases.found);
        assert_within(fill.phases.slow.average_bps, 20 * part / slow_s, 0.03);
        assert_within(fill.phases.fast.average_bps, 20 * part / direct_s, 0.03);
    } else if (!drive.phases) {
        g_assert_false(fill.phases.found);
    }
    maker_clear(&maker);
}

static void test_random(void)
{
    for (guint32 seed = 1; seed <= 60; seed++)
        check_random(seed);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/fill/review-first-pass", test_review_first_pass);
    g_test_add_func("/analysis/fill/review-second-pass", test_review_second_pass);
    g_test_add_func("/analysis/fill/review-no-cache", test_review_no_cache);
    g_test_add_func("/analysis/fill/review-fast-drive", test_review_fast_drive);
    g_test_add_func("/analysis/fill/sizes-and-places", test_sizes_and_places);
    g_test_add_func("/analysis/fill/soft-cliff", test_soft_cliff);
    g_test_add_func("/analysis/fill/stalls-and-a-cliff", test_stalls_and_a_cliff);
    g_test_add_func("/analysis/fill/burst-is-no-cliff", test_burst_is_no_cliff);
    g_test_add_func("/analysis/fill/slopes-are-no-cliffs", test_slopes_are_no_cliffs);
    g_test_add_func("/analysis/fill/noise-is-no-cliff", test_noise_is_no_cliff);
    g_test_add_func("/analysis/fill/single-stall-is-no-cliff", test_single_stall_is_no_cliff);
    g_test_add_func("/analysis/fill/dips-are-no-cliff", test_dips_are_no_cliff);
    g_test_add_func("/analysis/fill/throttling-is-no-cliff", test_throttling_is_no_cliff);
    g_test_add_func("/analysis/fill/short", test_short);
    g_test_add_func("/analysis/fill/nothing-completed", test_nothing_completed);
    g_test_add_func("/analysis/fill/one-phase", test_one_phase);
    g_test_add_func("/analysis/fill/random", test_random);
    return g_test_run();
}
