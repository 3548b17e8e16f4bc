/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

/* Speed over the share of reads at several queue depths (methods.md 1.5). */
#define PLT_RATIO_MAX_QUEUES 16
#define PLT_RATIO_MAX_SHARES 101

/* One measured point, in any order. */
struct plt_ratio_point {
    unsigned queue;
    unsigned read_percent;
    double bps;
};

/* Weights of queue depths 1, 2, 4 …: "80/15/5". */
struct plt_ratio_weights {
    size_t n;
    unsigned queue[PLT_RATIO_MAX_QUEUES];
    double weight[PLT_RATIO_MAX_QUEUES]; /* 0..1 */
};

/* 80/15/5 and 70/20/10 for queue depths 1, 2, 4 (methods.md 0). */
extern const struct plt_ratio_weights plt_ratio_weights_80_15_5;
extern const struct plt_ratio_weights plt_ratio_weights_70_20_10;

struct plt_ratio {
    size_t n_queues;
    unsigned queue[PLT_RATIO_MAX_QUEUES]; /* upwards */
    size_t n_shares;
    unsigned read_percent[PLT_RATIO_MAX_SHARES];            /* downwards: 100 … 0 */
    double bps[PLT_RATIO_MAX_QUEUES][PLT_RATIO_MAX_SHARES]; /* NAN where nothing was measured */
    double mixed_bps[PLT_RATIO_MAX_QUEUES]; /* mean without pure reads and writes; NAN where a point lacks */
};

/* The points as a table. Of two for the same place the later counts; what is beyond the room is left out. */
void plt_analysis_ratio(const struct plt_ratio_point *points, size_t n, struct plt_ratio *ratio);

/*
 * The curve weighted over the queue depths, in the order of ratio->read_percent; NAN where a point of a
 * weighted depth lacks. Returns its mean without the two pure ends, NAN where one of these lacks.
 */
double plt_analysis_ratio_weighted(const struct plt_ratio *ratio, const struct plt_ratio_weights *weights,
                                   double curve[PLT_RATIO_MAX_SHARES]);
