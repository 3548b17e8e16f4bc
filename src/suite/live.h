/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "engine/sample.h"

/* A stretch of a measured window as a live chart shows it. Rates in bytes/s. */
typedef struct {
    double start_s, length_s; /* since the window's start */
    double mean_bps, min_bps, max_bps;
} PltLivePoint;

/*
 * The rate over time of one window in bounded memory: at most PLT_LIVE_POINTS points. When they are used up,
 * neighbours are merged and each point stands for twice the time; minimum and maximum are kept.
 */
#define PLT_LIVE_POINTS 4096

typedef struct {
    GArray *points;  /* PltLivePoint */
    guint per_point; /* samples in a full point */
    guint in_last;   /* samples in the last one */
} PltLiveSeries;

PltLiveSeries *plt_live_series_new(void);
void plt_live_series_free(PltLiveSeries *series);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltLiveSeries, plt_live_series_free)

/* Reads and writes of SAMPLE together. */
void plt_live_series_add(PltLiveSeries *series, const struct plt_sample *sample);

/* Latency of one second of a window, reads and writes together. */
typedef struct {
    double at_s; /* the second's end, since the run's start */
    double p50_ns, p99_ns;
    guint window; /* which one, in the order of the run */
} PltLiveLatency;

typedef struct {
    double at_s;    /* since the run's start */
    double celsius; /* NAN: the sensor had no answer */
} PltLiveTemperature;
