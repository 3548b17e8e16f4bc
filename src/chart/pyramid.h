/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * A series of values in order of X, with a pyramid over it: each level keeps minimum, maximum and median of
 * PLT_PYRAMID_FAN entries of the level below, so a picture of any width is made without reading the series.
 * Values can be appended at any time (a live chart); the cost per value is constant on average. A NAN is a
 * hole: it takes its place in X and counts for nothing.
 */
typedef struct plt_pyramid PltPyramid;

#define PLT_PYRAMID_FAN 16

/* Value I stands at X = START + I x STEP. */
PltPyramid *plt_pyramid_new(double start, double step);

/* Each value brings its own X, never smaller than the one before: plt_pyramid_append_at. */
PltPyramid *plt_pyramid_new_uneven(void);
void plt_pyramid_free(PltPyramid *pyramid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltPyramid, plt_pyramid_free)

void plt_pyramid_append(PltPyramid *pyramid, double value);
void plt_pyramid_append_at(PltPyramid *pyramid, double x, double value);

gsize plt_pyramid_length(const PltPyramid *pyramid);
double plt_pyramid_x(const PltPyramid *pyramid, gsize index);
double plt_pyramid_value(const PltPyramid *pyramid, gsize index);

/* The index of the first value at X or later; the length when there is none. */
gsize plt_pyramid_find(const PltPyramid *pyramid, double x);

typedef struct {
    gsize count; /* values that are no holes; with 0 the rest is meaningless */
    double min, max;
    double median;
} PltSpan;

/*
 * Values FIRST up to but without END. Minimum and maximum are exact. The median is exact for up to
 * PLT_PYRAMID_EXACT values; above, it is the weighted median of the medians of the pieces: a typical value,
 * within a few per cent of the middle rank for noise, without a bound for a series made to defeat it.
 */
PltSpan plt_pyramid_span(const PltPyramid *pyramid, gsize first, gsize end);

#define PLT_PYRAMID_EXACT 512

/* All values. */
PltSpan plt_pyramid_range(const PltPyramid *pyramid);
