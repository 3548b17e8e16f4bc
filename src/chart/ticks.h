/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/axis.h"

typedef struct {
    double value;
    char *label; /* NULL: a minor tick, a line without words */
} PltTick;

/* The ticks of an axis and what they are counted in. */
typedef struct {
    GArray *ticks;    /* PltTick, upwards */
    const char *unit; /* to be printed once, at the axis: "MB/s"; "" when each label has its own or none */
} PltTicks;

/*
 * Ticks for AXIS (fitted), at most MOST of them labelled; MOST is at least 2. Linear steps are 1, 2, 2.5 or 5
 * times a power of ten; time steps are those of a clock.
 */
void plt_ticks_init(PltTicks *ticks, const PltAxis *axis, guint most);
void plt_ticks_clear(PltTicks *ticks);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PltTicks, plt_ticks_clear)

/* The distance of linear ticks for MIN..MAX with at most MOST intervals, in the axis's own values. */
double plt_ticks_step(PltUnit unit, double min, double max, guint most);
