/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/series.h"

/* A temperature at a time of the series that it belongs to; before its start the time is negative. */
struct plt_heat {
    double seconds;
    double celsius;
};

/* The drive slowed down while it was hot. */
struct plt_throttle {
    double start_s; /* in the series */
    double length_s;
    double celsius; /* at its start */
    double before_bps;
    double during_bps; /* median inside it */
    double depth;      /* 0..1: 1 - during / before */
};

#define PLT_THERMAL_MAX_EVENTS 256

struct plt_thermal {
    double start_c, min_c, max_c; /* NAN without temperatures */
    double steady_c;              /* mean of the last minute, if it was steady; else NAN */
    double steady_since_s;        /* when it came within 1 °C of that and stayed; else NAN */
    double limit_c;               /* from here on a drop counts as throttling; NAN when it is not known */
    double base_bps;              /* the speed that drops are compared with; 0 when there is none */
    double throttled_s;           /* sum over all events, also those beyond the room */
    size_t n_events;              /* in all; the first PLT_THERMAL_MAX_EVENTS are kept */
    struct plt_throttle event[PLT_THERMAL_MAX_EVENTS];
};

/*
 * Throttling (methods.md 7.2): a second counts when its speed is below 85 % of the median of the 60 s that
 * follow FROM_S (the end of the cache; 0 without one), and the drive is at WARNING_C - 5 °C or more. Three
 * such seconds are an event; two events less than 5 s apart are one. WARNING_C is NAN when the drive names
 * none: then nothing is called throttling. HEAT is in the order of time.
 */
void plt_analysis_thermal(const struct plt_series *series, double from_s, const struct plt_heat *heat,
                          size_t n, double warning_c, struct plt_thermal *thermal);

/* °C from which a drop counts as throttling, for a drive that warns at WARNING_C. */
double plt_analysis_heat_limit(double warning_c);

/* °C at SECONDS: the last reading up to then that is not older than 5 s; NAN if there is none. */
double plt_analysis_heat_at(const struct plt_heat *heat, size_t n, double seconds);
