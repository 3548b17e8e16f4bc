/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/cliff.h"
#include "analysis/phases.h"
#include "analysis/series.h"

/* One pass of writing over a drive, or any long write (methods.md 1.3). */
struct plt_fill {
    struct plt_section all;
    struct plt_cliff cliff;
    struct plt_section cache; /* before the cliff; all 0 without one */
    struct plt_section after; /* behind it; all 0 without one */
    struct plt_phases phases; /* behind the cliff, or of the whole pass without one */
    double below_half;        /* share, 0..1, of the slices below half the average */
};

struct plt_fill plt_analysis_fill(const struct plt_series *series);

/*
 * Average of several passes: all bytes by all time. 1.2 TB at 6655, 2.8 TB at 1808, 0.05 TB at 6591 and
 * 3.95 TB at 2981 MB/s are 2613 MB/s.
 */
double plt_analysis_fill_average(const struct plt_fill *passes, size_t n);
