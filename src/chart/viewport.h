/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/axis.h"

/*
 * Which stretch of an axis is seen, as places on the whole axis: 0 and 1 show all of it. Working in places
 * makes zooming feel the same on linear and logarithmic scales. The calls return TRUE when something changed.
 */
typedef struct {
    double from, to;
    double least; /* the shortest stretch that zooming in stops at */
} PltViewport;

void plt_viewport_init(PltViewport *viewport, double least);
gboolean plt_viewport_is_whole(const PltViewport *viewport);
gboolean plt_viewport_reset(PltViewport *viewport);

/* What stands at ABOUT (0..1 of what is seen) stays there; FACTOR > 1 shows less of the axis. */
gboolean plt_viewport_zoom(PltViewport *viewport, double about, double factor);

/* Moves by SHARE of what is seen, to larger places when positive; stops at the ends. */
gboolean plt_viewport_pan(PltViewport *viewport, double share);

/* Shows what is between A and B, 0..1 of what is seen now. */
gboolean plt_viewport_select(PltViewport *viewport, double a, double b);

/* Moves so that PLACE on the whole axis is seen. */
gboolean plt_viewport_reveal(PltViewport *viewport, double place);

/*
 * The whole axis has other ends now (AFTER instead of BEFORE, both fitted): the same values stay in view.
 * With NEWEST not NAN it moves on when that value lies beyond what is seen, by a quarter of its width more
 * than it had to, so that a chart that grows is not drawn anew with every value.
 */
void plt_viewport_follow(PltViewport *viewport, const PltAxis *before, const PltAxis *after, double newest);

/* The ends of SEEN, a copy of WHOLE (fitted), become those of the viewport. */
void plt_viewport_apply(const PltViewport *viewport, const PltAxis *whole, PltAxis *seen);

/*
 * The end of a time axis that begins at FROM and has to hold TO, for a chart that grows: a round time with
 * room ahead (10 s, 15 s, 20 s, 30 s, 45 s, 1 min …), so that the axis stays the same for a while.
 */
double plt_viewport_room(double from, double to);
