/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/viewport.h"

void plt_viewport_init(PltViewport *viewport, double least)
{
    *viewport = (PltViewport){.from = 0.0, .to = 1.0, .least = CLAMP(least, 1e-9, 1.0)};
}

gboolean plt_viewport_is_whole(const PltViewport *viewport)
{
    return viewport->from <= 0.0 && viewport->to >= 1.0;
}

/* Takes FROM and WIDTH over, held inside the axis. */
static gboolean set(PltViewport *viewport, double from, double width)
{
    double old_from = viewport->from, old_to = viewport->to;

    width = CLAMP(width, viewport->least, 1.0);
    from = CLAMP(from, 0.0, 1.0 - width);
    viewport->from = from;
    viewport->to = width >= 1.0 ? 1.0 : MIN(1.0, from + width);
    return viewport->from != old_from || viewport->to != old_to;
}

gboolean plt_viewport_reset(PltViewport *viewport)
{
    return set(viewport, 0.0, 1.0);
}

gboolean plt_viewport_zoom(PltViewport *viewport, double about, double factor)
{
    double width = viewport->to - viewport->from;
    double after = 0.0;

    if (!(factor > 0.0) || !isfinite(about))
        return FALSE;
    about = CLAMP(about, 0.0, 1.0);
    after = CLAMP(width / factor, viewport->least, 1.0);
    return set(viewport, viewport->from + about * (width - after), after);
}

gboolean plt_viewport_pan(PltViewport *viewport, double share)
{
    double width = viewport->to - viewport->from;

    return isfinite(share) && set(viewport, viewport->from + share * width, width);
}

gboolean plt_viewport_select(PltViewport *viewport, double a, double b)
{
    double width = viewport->to - viewport->from;
    double low = CLAMP(MIN(a, b), 0.0, 1.0), high = CLAMP(MAX(a, b), 0.0, 1.0);
    double middle = viewport->from + (low + high) / 2.0 * width;
    double wanted = MAX(viewport->least, (high - low) * width);

    return set(viewport, middle - wanted / 2.0, wanted);
}

gboolean plt_viewport_reveal(PltViewport *viewport, double place)
{
    double width = viewport->to - viewport->from;

    if (!(place < viewport->from || place > viewport->to))
        return FALSE;
    return set(viewport, place < viewport->from ? place : place - width, width);
}

void plt_viewport_follow(PltViewport *viewport, const PltAxis *before, const PltAxis *after, double newest)
{
    double place = plt_axis_place(after, newest);
    double from = 0.0, width = 0.0;

    if (plt_viewport_is_whole(viewport))
        return;
    from = plt_axis_place(after, plt_axis_value(before, viewport->from));
    width = plt_axis_place(after, plt_axis_value(before, viewport->to)) - from;
    if (place > from + width)
        from = place - width * 0.75;
    /* On a longer axis the same stretch is a smaller part of it. */
    viewport->least = MIN(viewport->least, width);
    set(viewport, from, width);
}

void plt_viewport_apply(const PltViewport *viewport, const PltAxis *whole, PltAxis *seen)
{
    double a = plt_axis_value(whole, viewport->from), b = plt_axis_value(whole, viewport->to);

    *seen = *whole;
    /* The ends themselves, not what comes back from two conversions. */
    if (plt_viewport_is_whole(viewport))
        return;
    seen->from = MIN(a, b);
    seen->to = MAX(a, b);
}

double plt_viewport_room(double from, double to)
{
    static const double steps[] = {10,  15,  20,  30,  45,  60,   90,   120,
                                   180, 300, 420, 600, 900, 1200, 1800, 2700};
    double length = to - from, hours = 1.0;

    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        if (length <= steps[i])
            return from + steps[i];
    }
    while (length > hours * 3600.0)
        hours *= 1.5;
    return from + ceil(hours) * 3600.0;
}
