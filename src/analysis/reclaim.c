/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/reclaim.h"

/* The same share of a level as makes a cliff. */
#define SAME_LEVEL 0.8

/* The fastest cache that was seen; REFERENCE_BPS when a cliff outside the minutes showed one. */
static double cache_speed(const struct plt_fill *minutes, size_t n, double reference_bps)
{
    double fastest = 0;

    if (reference_bps > 0)
        return reference_bps;
    for (size_t i = 0; i < n; i++) {
        if (minutes[i].cliff.verdict == PLT_CLIFF_FOUND && minutes[i].cache.median_bps > fastest)
            fastest = minutes[i].cache.median_bps;
    }
    return fastest;
}

static struct plt_reclaim reclaim_of(const struct plt_fill *minute, double rest_s, double fast_bps)
{
    struct plt_reclaim reclaim = {
        .rest_s = rest_s, .verdict = PLT_RECLAIM_UNKNOWN, .total_bytes = minute->all.bytes};

    if (minute->cliff.verdict == PLT_CLIFF_TOO_SHORT || fast_bps <= 0)
        return reclaim;
    if (minute->cliff.verdict == PLT_CLIFF_FOUND && minute->cache.median_bps >= SAME_LEVEL * fast_bps) {
        reclaim.verdict = PLT_RECLAIM_PART;
        reclaim.recovered_bytes = minute->cache.bytes;
        reclaim.cache_bps = minute->cache.average_bps;
        reclaim.after_bps = minute->after.median_bps;
    } else if (minute->cliff.verdict == PLT_CLIFF_NONE && minute->all.median_bps >= SAME_LEVEL * fast_bps) {
        reclaim.verdict = PLT_RECLAIM_AT_LEAST;
        reclaim.recovered_bytes = minute->all.bytes;
        reclaim.cache_bps = minute->all.average_bps;
    } else {
        reclaim.verdict = PLT_RECLAIM_NONE;
        reclaim.after_bps = minute->all.median_bps;
    }
    return reclaim;
}

void plt_analysis_reclaim(const struct plt_fill *minutes, const double *rests_s, size_t n,
                          double reference_bps, struct plt_reclaim *reclaim)
{
    double fast_bps = cache_speed(minutes, n, reference_bps);

    for (size_t i = 0; i < n; i++)
        reclaim[i] = reclaim_of(&minutes[i], rests_s[i], fast_bps);
}

const char *plt_reclaim_verdict_name(enum plt_reclaim_verdict verdict)
{
    static const char *const names[] = {
        [PLT_RECLAIM_NONE] = "none",
        [PLT_RECLAIM_PART] = "part",
        [PLT_RECLAIM_AT_LEAST] = "at-least",
        [PLT_RECLAIM_UNKNOWN] = "unknown",
    };

    return names[verdict];
}
