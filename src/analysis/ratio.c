/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/ratio.h"

#include <math.h>
#include <stdbool.h>

#include "analysis/statistics.h"

const struct plt_ratio_weights plt_ratio_weights_80_15_5 = {3, {1, 2, 4}, {0.80, 0.15, 0.05}};
const struct plt_ratio_weights plt_ratio_weights_70_20_10 = {3, {1, 2, 4}, {0.70, 0.20, 0.10}};

/* Puts VALUE among the *N VALUES, which stand upwards or DOWN, unless it is there or there is no room. */
static void place(unsigned *values, size_t *n, size_t room, unsigned value, bool down)
{
    size_t at = 0;

    while (at < *n && (down ? values[at] > value : values[at] < value))
        at++;
    if ((at < *n && values[at] == value) || *n == room)
        return;
    for (size_t i = *n; i > at; i--)
        values[i] = values[i - 1];
    values[at] = value;
    (*n)++;
}

/* The place of VALUE, or N. */
static size_t find(const unsigned *values, size_t n, unsigned value)
{
    size_t i = 0;

    while (i < n && values[i] != value)
        i++;
    return i;
}

/* Mean without pure reads and writes, wherever these stand; NAN where a point lacks or there is none. */
static double mixed(const struct plt_ratio *ratio, const double *curve)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < ratio->n_shares; i++) {
        if (ratio->read_percent[i] == 100 || ratio->read_percent[i] == 0)
            continue;
        sum += curve[i];
        n++;
    }
    return n > 0 ? sum / (double)n : NAN;
}

void plt_analysis_ratio(const struct plt_ratio_point *points, size_t n, struct plt_ratio *ratio)
{
    ratio->n_queues = ratio->n_shares = 0;
    for (size_t i = 0; i < n; i++) {
        place(ratio->queue, &ratio->n_queues, PLT_RATIO_MAX_QUEUES, points[i].queue, false);
        place(ratio->read_percent, &ratio->n_shares, PLT_RATIO_MAX_SHARES, points[i].read_percent, true);
    }
    for (size_t q = 0; q < ratio->n_queues; q++) {
        for (size_t s = 0; s < ratio->n_shares; s++)
            ratio->bps[q][s] = NAN;
    }
    for (size_t i = 0; i < n; i++) {
        size_t q = find(ratio->queue, ratio->n_queues, points[i].queue);
        size_t s = find(ratio->read_percent, ratio->n_shares, points[i].read_percent);

        if (q < ratio->n_queues && s < ratio->n_shares)
            ratio->bps[q][s] = points[i].bps;
    }
    for (size_t q = 0; q < ratio->n_queues; q++)
        ratio->mixed_bps[q] = mixed(ratio, ratio->bps[q]);
}

double plt_analysis_ratio_weighted(const struct plt_ratio *ratio, const struct plt_ratio_weights *weights,
                                   double curve[PLT_RATIO_MAX_SHARES])
{
    for (size_t s = 0; s < ratio->n_shares; s++) {
        double values[PLT_RATIO_MAX_QUEUES];

        for (size_t w = 0; w < weights->n; w++) {
            size_t q = find(ratio->queue, ratio->n_queues, weights->queue[w]);

            values[w] = q < ratio->n_queues ? ratio->bps[q][s] : NAN;
        }
        curve[s] = plt_analysis_weighted(values, weights->weight, weights->n);
    }
    return mixed(ratio, curve);
}
