/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/series.h"

/*
 * Where the speed of a long write falls for good: the end of a cache. Looked for over position, not time, in
 * parts of 0.05 % of the bytes; the rule and why each number in it is what it is stand in cliff.c and in
 * docs/methods.md. A series in which nothing falls for good has none, which is not to say that there is no
 * cache.
 */
enum plt_cliff_verdict {
    PLT_CLIFF_NONE,      /* no fall for good */
    PLT_CLIFF_FOUND,     /* there is one */
    PLT_CLIFF_TOO_SHORT, /* fewer than PLT_CLIFF_MIN_SLICES: nothing can be said */
};

#define PLT_CLIFF_MIN_SLICES 20

struct plt_cliff {
    enum plt_cliff_verdict verdict;
    double bytes;      /* written before it */
    double seconds;    /* from the start to it */
    size_t slice;      /* the slice in which it lies */
    double before_bps; /* median before it */
    double after_bps;  /* median of what follows at once (1 % of the bytes) */
};

struct plt_cliff plt_analysis_cliff(const struct plt_series *series);

/* "none", "found", "too-short": the names in files. */
const char *plt_cliff_verdict_name(enum plt_cliff_verdict verdict);
