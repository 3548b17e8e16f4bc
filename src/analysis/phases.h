/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/series.h"

/*
 * Two speeds that take turns, as after a cache has run out: medians of 1 s are split where the two groups lie
 * farthest apart (Otsu). Two phases are reported only when each holds 5 % of the bytes or more, their
 * averages differ by more than 25 % of the slower one, and the split explains 80 % of the variance or more,
 * which the halves of one noisy level (64 %) or of a slope (75 %) do not.
 */
struct plt_level {
    double bytes;
    double seconds;
    double average_bps;
    double median_bps;
};

struct plt_phases {
    bool found;
    double threshold_bps;  /* between the two */
    struct plt_level slow; /* on drives with a folding cache: folding */
    struct plt_level fast; /* and: direct writes */
};

/* Of slices FROM to TO - 1. */
struct plt_phases plt_analysis_phases(const struct plt_series *series, size_t from, size_t to);
