/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/fill.h"

/* Bytes, time and average of SECTION as they are to a fraction of a slice; the slices give the rest. */
static void set_exact(struct plt_section *section, double bytes, double seconds)
{
    section->bytes = bytes;
    section->seconds = seconds;
    section->average_bps = seconds > 0 ? bytes / seconds : 0;
}

struct plt_fill plt_analysis_fill(const struct plt_series *series)
{
    struct plt_fill fill = {.all = plt_analysis_section_all(series), .cliff = plt_analysis_cliff(series)};
    size_t behind = 0;

    fill.below_half = plt_analysis_share_below_half(series);
    if (fill.cliff.verdict == PLT_CLIFF_FOUND) {
        behind = fill.cliff.slice + 1;
        fill.cache = plt_analysis_section(series, 0, fill.cliff.slice);
        fill.after = plt_analysis_section(series, behind, series->n);
        set_exact(&fill.cache, fill.cliff.bytes, fill.cliff.seconds);
        set_exact(&fill.after, fill.all.bytes - fill.cliff.bytes, fill.all.seconds - fill.cliff.seconds);
    }
    fill.phases = plt_analysis_phases(series, behind, series->n);
    return fill;
}

double plt_analysis_fill_average(const struct plt_fill *passes, size_t n)
{
    double bytes = 0, seconds = 0;

    for (size_t i = 0; i < n; i++) {
        bytes += passes[i].all.bytes;
        seconds += passes[i].all.seconds;
    }
    return seconds > 0 ? bytes / seconds : 0;
}
