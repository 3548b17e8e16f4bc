/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

typedef enum {
    PLT_SCALE_LINEAR,
    PLT_SCALE_LOG10,
    PLT_SCALE_LOG2,     /* queue depths, block sizes */
    PLT_SCALE_NINES,    /* a share 0..1 by its distance from 1: 90 %, 99 %, 99.9 % are equally far apart */
    PLT_SCALE_CATEGORY, /* 0, 1, 2 … stand for the categories of the axis */
} PltScale;

/* What the values of an axis are. The axis chooses the unit that it prints (µs or ms …) for all its ticks. */
typedef enum {
    PLT_UNIT_NUMBER,
    PLT_UNIT_BANDWIDTH, /* bytes per second, printed in MB/s */
    PLT_UNIT_IOPS,
    PLT_UNIT_LATENCY,  /* ns */
    PLT_UNIT_TIME,     /* seconds */
    PLT_UNIT_BLOCK,    /* bytes, printed as a block's name: 4K */
    PLT_UNIT_CAPACITY, /* bytes, printed in GB or TB */
    PLT_UNIT_PERCENT,  /* 0..100 */
    PLT_UNIT_SHARE,    /* 0..1, printed in % */
    PLT_UNIT_CELSIUS,
} PltUnit;

typedef struct {
    char *title; /* "Throughput"; the unit is added when it is drawn */
    PltScale scale;
    PltUnit unit;
    double from, to;       /* the ends; NAN until plt_axis_fit has chosen them from the data */
    gboolean reversed;     /* the larger value comes first: a read share 100..0 % */
    GPtrArray *categories; /* char *; CATEGORY only */
} PltAxis;

void plt_axis_init(PltAxis *axis, PltScale scale, PltUnit unit, const char *title);
void plt_axis_clear(PltAxis *axis);
void plt_axis_add_category(PltAxis *axis, const char *name);

/*
 * Chooses those ends of AXIS that are NAN, for data between MIN and MAX: round values around the data, whole
 * decades on a logarithmic scale, zero where a linear axis of amounts begins (a bar or an area that does not
 * start at zero lies). Data that is empty, of one value, or impossible on the scale gives a sound axis too.
 */
void plt_axis_fit(PltAxis *axis, double min, double max);

/* Where VALUE stands: 0 = the first end, 1 = the last, beyond either when outside; NAN when it has no place.
 */
double plt_axis_place(const PltAxis *axis, double value);

/* The value that stands at PLACE. */
double plt_axis_value(const PltAxis *axis, double place);

/* TRUE when data from MIN to MAX goes beyond the ends: the picture has to say that it is cut. */
gboolean plt_axis_cuts(const PltAxis *axis, double min, double max);
