/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "maker.h"

#include <math.h>

void maker_init(Maker *maker, guint32 seed, double tick_s, double noise)
{
    *maker = (Maker){.tick_ns = (guint64)llround(tick_s * 1e9), .noise = noise};
    plt_series_init(&maker->series);
    maker->rand = g_rand_new_with_seed(seed);
}

void maker_clear(Maker *maker)
{
    plt_series_clear(&maker->series);
    g_rand_free(maker->rand);
}

/* Near enough to a normal distribution: the sum of twelve even ones has a deviation of 1. */
static double normal(GRand *rand)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += g_rand_double(rand);
    return sum;
}

static void close_sample(Maker *maker)
{
    guint64 length = (guint64)llround(maker->open_s * 1e9);

    plt_series_add(&maker->series, length, (guint64)(maker->open_bytes / 512) * 512);
    maker->open_bytes -= floor(maker->open_bytes / 512) * 512;
    maker->open_s = 0;
}

static void step(Maker *maker, double bytes, double bps)
{
    double tick_s = (double)maker->tick_ns / 1e9;

    while (bytes > 0) {
        double rate = bps * fmax(0.05, 1 + maker->noise * normal(maker->rand));
        double part = fmin(bytes, rate * (tick_s - maker->open_s));

        maker->open_bytes += part;
        maker->open_s += part / rate;
        maker->seconds += part / rate;
        bytes -= part;
        if (maker->open_s > tick_s * (1 - 1e-9))
            close_sample(maker);
    }
}

void maker_write(Maker *maker, double bytes, double bps)
{
    step(maker, bytes, bps);
}

void maker_slope(Maker *maker, double bytes, double from_bps, double to_bps)
{
    const int steps = 1000;

    for (int i = 0; i < steps; i++)
        step(maker, bytes / steps, from_bps + (to_bps - from_bps) * (i + 0.5) / steps);
}

void maker_stall(Maker *maker, double seconds)
{
    double tick_s = (double)maker->tick_ns / 1e9;

    while (seconds > 0) {
        double part = fmin(seconds, tick_s - maker->open_s);

        maker->open_s += part;
        maker->seconds += part;
        seconds -= part;
        if (maker->open_s > tick_s * (1 - 1e-9))
            close_sample(maker);
    }
}

void maker_finish(Maker *maker)
{
    if (maker->open_s > 0)
        close_sample(maker);
}

void assert_within(double value, double wanted, double share)
{
    if (!(fabs(value - wanted) <= share * fabs(wanted)))
        g_error("%.6g is not within %.3g %% of %.6g", value, share * 100, wanted);
}
