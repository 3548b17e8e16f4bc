/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "analysis/series.h"

/* Makes series as a drive would: pieces of a given amount at a given speed, in samples of a given tick. */
typedef struct {
    struct plt_series series;
    guint64 tick_ns;
    double noise; /* standard deviation of a sample's speed, as a share of it */
    GRand *rand;
    double open_bytes; /* of the sample that is being filled */
    double open_s;
    double seconds; /* of all so far, with the noise that there was */
} Maker;

#define GB 1e9
#define TB 1e12
#define MBPS 1e6

void maker_init(Maker *maker, guint32 seed, double tick_s, double noise);
void maker_clear(Maker *maker);

/* BYTES at BPS; less than a tick is part of one sample with what comes next. */
void maker_write(Maker *maker, double bytes, double bps);

/* BYTES while the speed goes evenly (over the bytes) from FROM_BPS to TO_BPS. */
void maker_slope(Maker *maker, double bytes, double from_bps, double to_bps);

/* SECONDS in which nothing completes. */
void maker_stall(Maker *maker, double seconds);

/* Hands over the last sample, however short. */
void maker_finish(Maker *maker);

/* |VALUE - WANTED| <= SHARE x WANTED, with a message that has both. */
void assert_within(double value, double wanted, double share);
