/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/zones.h"

#define SLICE_S ((double)PLT_SERIES_SLICE_NS / 1e9)

/* BYTES at RATE, all or a part of a slice, into ZONE. */
static void add(struct plt_zone *zone, double bytes, double rate)
{
    if (zone->seconds == 0 || rate < zone->min_bps)
        zone->min_bps = rate;
    if (rate > zone->max_bps)
        zone->max_bps = rate;
    zone->seconds += rate > 0 ? bytes / rate : SLICE_S;
}

/* The bounds of N equal parts of BYTES. */
static void start(struct plt_zone *zones, size_t n, double bytes)
{
    for (size_t i = 0; i < n; i++) {
        zones[i] = (struct plt_zone){.from_bytes = bytes / (double)n * (double)i,
                                     .to_bytes = bytes / (double)n * (double)(i + 1)};
    }
}

void plt_analysis_zones(const struct plt_series *series, struct plt_zone *zones, size_t n)
{
    double total = series->failed ? 0 : plt_series_sum(series, 0, series->n), at = 0;
    size_t zone = 0;

    start(zones, n, total);
    for (size_t i = 0; total > 0 && i < series->n; i++) {
        double rate = plt_series_rate(series, i), left = rate * SLICE_S;

        while (zone + 1 < n && at + left >= zones[zone].to_bytes) {
            double part = zones[zone].to_bytes - at;

            if (part > 0)
                add(&zones[zone], part, rate);
            left -= part;
            at = zones[zone].to_bytes;
            zone++;
        }
        if (zone < n && (left > 0 || rate == 0))
            add(&zones[zone], left, rate);
        at += left;
    }
    for (size_t i = 0; total > 0 && i < n; i++)
        zones[i].average_bps =
            zones[i].seconds > 0 ? (zones[i].to_bytes - zones[i].from_bytes) / zones[i].seconds : 0;
}
