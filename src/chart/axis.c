/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/axis.h"
#include "chart/ticks.h"

/* Ticks that an axis is rounded for; the number really drawn depends on the room. */
#define FIT_TICKS 6

/* Closer to 1 than ten nines no run can tell shares apart: 10^10 I/Os would be needed. */
#define MAX_NINES 10.0

void plt_axis_init(PltAxis *axis, PltScale scale, PltUnit unit, const char *title)
{
    *axis = (PltAxis){.title = g_strdup(title), .scale = scale, .unit = unit, .from = NAN, .to = NAN};
    if (scale == PLT_SCALE_CATEGORY)
        axis->categories = g_ptr_array_new_with_free_func(g_free);
}

void plt_axis_clear(PltAxis *axis)
{
    g_clear_pointer(&axis->title, g_free);
    g_clear_pointer(&axis->categories, g_ptr_array_unref);
}

void plt_axis_add_category(PltAxis *axis, const char *name)
{
    g_ptr_array_add(axis->categories, g_strdup(name));
}

/* The value on the scale's own ruler, where equal distances are equal lengths; NAN where it has none. */
static double to_ruler(PltScale scale, double value)
{
    switch (scale) {
    case PLT_SCALE_LOG10:
        return value > 0.0 ? log10(value) : NAN;
    case PLT_SCALE_LOG2:
        return value > 0.0 ? log2(value) : NAN;
    case PLT_SCALE_NINES:
        if (!(value >= 0.0 && value <= 1.0))
            return NAN;
        return MIN(MAX_NINES, -log10(1.0 - value));
    case PLT_SCALE_LINEAR:
    case PLT_SCALE_CATEGORY:
    default:
        return value;
    }
}

static double from_ruler(PltScale scale, double ruler)
{
    switch (scale) {
    case PLT_SCALE_LOG10:
        return pow(10.0, ruler);
    case PLT_SCALE_LOG2:
        return exp2(ruler);
    case PLT_SCALE_NINES:
        return 1.0 - pow(10.0, -ruler);
    case PLT_SCALE_LINEAR:
    case PLT_SCALE_CATEGORY:
    default:
        return ruler;
    }
}

/* Time and categories end where the data ends; an amount gets a round end above the data. */
static gboolean wants_round_ends(const PltAxis *axis)
{
    return axis->unit != PLT_UNIT_TIME;
}

static void fit_linear(PltAxis *axis, double min, double max)
{
    double step;

    /* A temperature has no meaningful zero; every other amount starts there. */
    if (axis->unit != PLT_UNIT_CELSIUS)
        min = MIN(0.0, min);
    if (!(max > min))
        max = min + (min == 0.0 ? 1.0 : fabs(min) * 0.1);
    step = plt_ticks_step(axis->unit, min, max, FIT_TICKS);
    if (isnan(axis->from))
        axis->from = wants_round_ends(axis) ? floor(min / step + 1e-9) * step : min;
    if (isnan(axis->to))
        axis->to = wants_round_ends(axis) ? ceil(max / step - 1e-9) * step : max;
}

static void fit_log(PltAxis *axis, double min, double max)
{
    /* One step of the ruler: a decade, a doubling, a nine. */
    double low = floor(to_ruler(axis->scale, min) + 1e-9);
    double high = ceil(to_ruler(axis->scale, max) - 1e-9);

    if (!isfinite(low))
        low = isfinite(high) ? high - 1.0 : 0.0;
    if (!isfinite(high) || high <= low)
        high = low + 1.0;
    if (isnan(axis->from))
        axis->from = from_ruler(axis->scale, low);
    if (isnan(axis->to))
        axis->to = from_ruler(axis->scale, high);
}

void plt_axis_fit(PltAxis *axis, double min, double max)
{
    if (axis->scale == PLT_SCALE_CATEGORY) {
        axis->from = -0.5;
        axis->to = MAX(1u, axis->categories->len) - 0.5;
        return;
    }
    if (!isfinite(min) || !isfinite(max)) {
        min = axis->scale == PLT_SCALE_LINEAR || axis->scale == PLT_SCALE_NINES ? 0.0 : 1.0;
        max = axis->scale == PLT_SCALE_NINES ? 0.99 : min + 1.0;
    }
    if (axis->scale == PLT_SCALE_LINEAR)
        fit_linear(axis, min, max);
    else
        fit_log(axis, min, max);
    /* An end that was set can lie beyond the one that was found. */
    if (!(axis->to > axis->from))
        axis->to = axis->scale == PLT_SCALE_LINEAR
                       ? axis->from + 1.0
                       : from_ruler(axis->scale, to_ruler(axis->scale, axis->from) + 1.0);
}

double plt_axis_place(const PltAxis *axis, double value)
{
    double from = to_ruler(axis->scale, axis->from), to = to_ruler(axis->scale, axis->to);
    double place = (to_ruler(axis->scale, value) - from) / (to - from);

    return axis->reversed ? 1.0 - place : place;
}

double plt_axis_value(const PltAxis *axis, double place)
{
    double from = to_ruler(axis->scale, axis->from), to = to_ruler(axis->scale, axis->to);

    return from_ruler(axis->scale, from + (to - from) * (axis->reversed ? 1.0 - place : place));
}

gboolean plt_axis_cuts(const PltAxis *axis, double min, double max)
{
    double slack = (axis->to - axis->from) * 1e-9;

    return min < axis->from - slack || max > axis->to + slack;
}
