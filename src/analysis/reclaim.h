/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/fill.h"

/* How much of a cache a rest has brought back: the minute of writing after it (methods.md 1.6). */
enum plt_reclaim_verdict {
    PLT_RECLAIM_NONE,     /* the minute began at the level after the cache */
    PLT_RECLAIM_PART,     /* the cache ended inside the minute: recovered_bytes is what it took */
    PLT_RECLAIM_AT_LEAST, /* it did not end: it took the whole minute, or more */
    PLT_RECLAIM_UNKNOWN,  /* too short, or one speed and nothing to compare it with */
};

struct plt_reclaim {
    double rest_s;
    enum plt_reclaim_verdict verdict;
    double recovered_bytes; /* at cache speed */
    double total_bytes;     /* in the minute */
    double cache_bps;       /* average at cache speed; 0 where none of it was seen */
    double after_bps;       /* median behind the cliff, or of the minute when there is no cache; else 0 */
};

/*
 * N minutes and the rests before them, in seconds, into RECLAIM. REFERENCE_BPS is the speed within the cache
 * that was seen elsewhere, such as in the first pass of a fill; 0 when unknown: then the fastest cache among
 * the minutes is it. A minute without a cliff is a whole one when it keeps 80 % of that speed.
 */
void plt_analysis_reclaim(const struct plt_fill *minutes, const double *rests_s, size_t n,
                          double reference_bps, struct plt_reclaim *reclaim);

/* "none", "part", "at-least", "unknown". */
const char *plt_reclaim_verdict_name(enum plt_reclaim_verdict verdict);
