/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "analysis/thermal.h"
#include "maker.h"

#define WARNING 80

typedef struct {
    Maker maker;
    GArray *heat; /* struct plt_heat */
    struct plt_thermal thermal;
} Drive;

static void drive_init(Drive *drive)
{
    maker_init(&drive->maker, 5, 0.1, 0.03);
    drive->heat = g_array_new(FALSE, FALSE, sizeof(struct plt_heat));
}

/* SECONDS at BPS while the sensor goes evenly from FROM to TO °C, in steps of 1 °C. */
static void drive_run(Drive *drive, guint seconds, double bps, double from, double to)
{
    for (guint i = 0; i < seconds; i++) {
        struct plt_heat heat = {drive->heat->len, floor(from + (to - from) * i / seconds)};

        g_array_append_val(drive->heat, heat);
        maker_write(&drive->maker, bps, bps);
    }
}

static const struct plt_thermal *drive_finish(Drive *drive, double from_s, double warning)
{
    maker_finish(&drive->maker);
    plt_analysis_thermal(&drive->maker.series, from_s, (const struct plt_heat *)drive->heat->data,
                         drive->heat->len, warning, &drive->thermal);
    return &drive->thermal;
}

static void drive_clear(Drive *drive)
{
    maker_clear(&drive->maker);
    g_array_unref(drive->heat);
}

static void test_throttles(void)
{
    Drive drive;
    const struct plt_thermal *thermal = NULL;

    drive_init(&drive);
    drive_run(&drive, 300, 3000 * MBPS, 40, 79);
    drive_run(&drive, 45, 1500 * MBPS, 80, 76);
    drive_run(&drive, 60, 3000 * MBPS, 76, 80);
    drive_run(&drive, 90, 1500 * MBPS, 80, 76);
    drive_run(&drive, 120, 3000 * MBPS, 70, 70);
    thermal = drive_finish(&drive, 0, WARNING);
    g_assert_cmpuint(thermal->n_events, ==, 2);
    assert_within(thermal->event[0].start_s, 300, 0.01);
    assert_within(thermal->event[0].length_s, 45, 0.05);
    assert_within(thermal->event[0].depth, 0.5, 0.03);
    assert_within(thermal->event[0].before_bps, 3000 * MBPS, 0.02);
    g_assert_cmpfloat(thermal->event[0].celsius, >=, 79);
    assert_within(thermal->throttled_s, 135, 0.03);
    g_assert_cmpfloat(thermal->limit_c, ==, 75);
    g_assert_cmpfloat(thermal->start_c, ==, 40);
    g_assert_cmpfloat(thermal->max_c, ==, 80);
    g_assert_cmpfloat(thermal->steady_c, ==, 70);
    assert_within(thermal->steady_since_s, 495, 0.01);
    drive_clear(&drive);
}

/* It slows down, but it is cool; or nobody knows what is hot; or the cache ends while it is hot. */
static void test_other_reasons(void)
{
    Drive drive;

    drive_init(&drive);
    drive_run(&drive, 120, 3000 * MBPS, 40, 50);
    drive_run(&drive, 120, 1500 * MBPS, 50, 55);
    g_assert_cmpuint(drive_finish(&drive, 0, WARNING)->n_events, ==, 0);
    g_assert_cmpuint(drive_finish(&drive, 0, NAN)->n_events, ==, 0);
    g_assert_true(isnan(drive.thermal.steady_c));
    drive_clear(&drive);

    drive_init(&drive);
    drive_run(&drive, 120, 6000 * MBPS, 40, 78);
    drive_run(&drive, 240, 1500 * MBPS, 78, 78);
    g_assert_cmpuint(drive_finish(&drive, 120, WARNING)->n_events, ==, 0);
    g_assert_cmpfloat(drive.thermal.steady_c, ==, 78);
    drive_clear(&drive);
}

/* A dip of two seconds is noise, and a sensor that stopped answering says nothing. */
static void test_noise(void)
{
    Drive drive;

    drive_init(&drive);
    drive_run(&drive, 120, 3000 * MBPS, 78, 78);
    drive_run(&drive, 2, 1000 * MBPS, 78, 78);
    drive_run(&drive, 60, 3000 * MBPS, 78, 78);
    for (guint i = 0; i < 60; i++)
        maker_write(&drive.maker, 1000 * MBPS, 1000 * MBPS);
    g_assert_cmpuint(drive_finish(&drive, 0, WARNING)->n_events, <=, 1);
    g_assert_cmpfloat(drive.thermal.throttled_s, <=, 5);
    drive_clear(&drive);
}

static void test_empty(void)
{
    struct plt_series series;
    struct plt_thermal thermal;

    plt_series_init(&series);
    plt_analysis_thermal(&series, 0, NULL, 0, WARNING, &thermal);
    g_assert_true(isnan(thermal.start_c));
    g_assert_true(isnan(thermal.max_c));
    g_assert_true(isnan(thermal.steady_c));
    g_assert_cmpuint(thermal.n_events, ==, 0);
    g_assert_true(isnan(plt_analysis_heat_at(NULL, 0, 3)));
}

static void test_heat_at(void)
{
    const struct plt_heat heat[] = {{-2, 40}, {0, 41}, {1, 42}, {20, 43}};

    g_assert_true(isnan(plt_analysis_heat_at(heat, 4, -3)));
    g_assert_cmpfloat(plt_analysis_heat_at(heat, 4, -1), ==, 40);
    g_assert_cmpfloat(plt_analysis_heat_at(heat, 4, 1), ==, 42);
    g_assert_cmpfloat(plt_analysis_heat_at(heat, 4, 6), ==, 42);
    g_assert_true(isnan(plt_analysis_heat_at(heat, 4, 7)));
    g_assert_cmpfloat(plt_analysis_heat_at(heat, 4, 25), ==, 43);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/thermal/throttles", test_throttles);
    g_test_add_func("/analysis/thermal/other-reasons", test_other_reasons);
    g_test_add_func("/analysis/thermal/noise", test_noise);
    g_test_add_func("/analysis/thermal/empty", test_empty);
    g_test_add_func("/analysis/thermal/heat-at", test_heat_at);
    return g_test_run();
}
