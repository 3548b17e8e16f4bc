/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/series.h"

/* The speed in one of several equal parts of what a series has gone through: a map over position. */
struct plt_zone {
    double from_bytes; /* since the start of the series */
    double to_bytes;
    double seconds; /* that it took */
    double average_bps;
    double min_bps; /* slowest and fastest slice that lies in it or touches it */
    double max_bps;
};

/*
 * SERIES in N parts of equally many bytes into ZONES: three for the outer, middle and inner third of a linear
 * read, hundreds for a map. Within a slice the speed counts as even. All 0 for an empty series.
 */
void plt_analysis_zones(const struct plt_series *series, struct plt_zone *zones, size_t n);
