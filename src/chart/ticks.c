/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/format.h"
#include "chart/ticks.h"

/* A guard against an axis that was set to absurd ends: never more lines than pixels. */
#define MAX_TICKS 512

/* How an axis is printed: its values divided by DIVISOR, followed by NAME. */
struct printed_unit {
    double divisor;
    const char *name;
};

static struct printed_unit choose_unit(const PltAxis *axis)
{
    double most = MAX(fabs(axis->from), fabs(axis->to));

    switch (axis->unit) {
    case PLT_UNIT_BANDWIDTH:
        return (struct printed_unit){1e6, "MB/s"};
    case PLT_UNIT_IOPS:
        /* "k" from where the labels would have five digits. */
        return most >= 2e4 ? (struct printed_unit){1e3, "k IOPS"} : (struct printed_unit){1.0, "IOPS"};
    case PLT_UNIT_LATENCY:
        if (most < 2e3)
            return (struct printed_unit){1.0, "ns"};
        if (most < 2e7)
            return (struct printed_unit){1e3, "µs"};
        return most < 2e10 ? (struct printed_unit){1e6, "ms"} : (struct printed_unit){1e9, "s"};
    case PLT_UNIT_TIME:
        if (most <= 300.0)
            return (struct printed_unit){1.0, "s"};
        return most <= 4.0 * 3600.0 ? (struct printed_unit){60.0, "min"} : (struct printed_unit){3600.0, "h"};
    case PLT_UNIT_CAPACITY:
        if (most < 2e9)
            return (struct printed_unit){1e6, "MB"};
        return most < 1e13 ? (struct printed_unit){1e9, "GB"} : (struct printed_unit){1e12, "TB"};
    case PLT_UNIT_PERCENT:
        return (struct printed_unit){1.0, "%"};
    case PLT_UNIT_SHARE:
        return (struct printed_unit){0.01, "%"};
    case PLT_UNIT_CELSIUS:
        return (struct printed_unit){1.0, "°C"};
    case PLT_UNIT_BLOCK:
    case PLT_UNIT_NUMBER:
    default:
        return (struct printed_unit){1.0, ""};
    }
}

static double decimal_step(double raw)
{
    static const double steps[] = {1.0, 2.0, 2.5, 5.0, 10.0};
    double power = pow(10.0, floor(log10(raw)));

    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        if (raw <= steps[i] * power * (1.0 + 1e-9))
            return steps[i] * power;
    }
    return 10.0 * power;
}

/* Seconds: what a clock is divided into. */
static double clock_step(double raw)
{
    static const double steps[] = {1,   2,   5,    10,   15,   20,   30,    60,    120,   300,
                                   600, 900, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400};

    if (raw <= 1.0)
        return decimal_step(raw);
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        if (raw <= steps[i] * (1.0 + 1e-9))
            return steps[i];
    }
    return 86400.0 * decimal_step(raw / 86400.0);
}

double plt_ticks_step(PltUnit unit, double min, double max, guint most)
{
    double raw = (max - min) / MAX(1u, most);

    if (!(raw > 0.0) || !isfinite(raw))
        return 1.0;
    return unit == PLT_UNIT_TIME ? clock_step(raw) : decimal_step(raw);
}

static void add(PltTicks *ticks, double value, char *label)
{
    PltTick tick = {value, label};

    g_array_append_val(ticks->ticks, tick);
}

/* Decimals that tell neighbouring labels apart: 0, 2.5, 5.0 need one. */
static int decimals_for(double step)
{
    for (int decimals = 0; decimals < 6; decimals++) {
        double scaled = step * pow(10.0, decimals);

        if (fabs(scaled - round(scaled)) < 1e-6 * MAX(1.0, scaled))
            return decimals;
    }
    return 6;
}

static double axis_step(const PltAxis *axis, struct printed_unit unit, guint most)
{
    double step = plt_ticks_step(axis->unit, axis->from, axis->to, most - 1);

    /* 20 s are a good step, but not when they have to be printed as 0.333 min. */
    return axis->unit == PLT_UNIT_TIME && unit.divisor > 1.0 ? MAX(step, unit.divisor / 2.0) : step;
}

/*
 * A short stretch of a long time, "5:33:20", as one sees it after zooming in: neighbouring seconds cannot be
 * told apart in hours.
 */
static gboolean add_clock(PltTicks *ticks, const PltAxis *axis, guint most, double printed_step)
{
    double step = plt_ticks_step(axis->unit, axis->from, axis->to, most - 1);
    double last = floor(axis->to / step + 1e-6);
    int decimals = decimals_for(step);

    if (axis->unit != PLT_UNIT_TIME || step >= printed_step || (axis->to - axis->from) / printed_step >= 3.0)
        return FALSE;
    ticks->unit = axis->to < 3600.0 ? "min:s" : "h:min:s";
    for (double i = ceil(axis->from / step - 1e-6); i <= last && ticks->ticks->len < MAX_TICKS; i += 1.0)
        add(ticks, i * step, plt_format_clock(i * step, decimals));
    return TRUE;
}

static void add_linear(PltTicks *ticks, const PltAxis *axis, guint most)
{
    struct printed_unit unit = choose_unit(axis);
    double step = axis_step(axis, unit, most);
    double first = ceil(axis->from / step - 1e-6);
    double last = floor(axis->to / step + 1e-6);
    int decimals = decimals_for(step / unit.divisor);

    if (add_clock(ticks, axis, most, step))
        return;
    ticks->unit = unit.name;
    for (double i = first; i <= last && ticks->ticks->len < MAX_TICKS; i += 1.0)
        add(ticks, i * step,
            axis->unit == PLT_UNIT_BLOCK ? plt_format_block((guint64)MAX(0.0, i * step))
                                         : plt_format_number(i * step / unit.divisor, decimals));
}

/* Decades are labelled 1, 10, 100 of each unit. */
static char *latency_label(double ns)
{
    static const struct printed_unit units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1.0, "ns"}};
    PltQuantity quantity;
    guint i = 0;

    while (i + 1 < G_N_ELEMENTS(units) && ns < units[i].divisor * (1.0 - 1e-9))
        i++;
    quantity = (PltQuantity){plt_format_figures(ns / units[i].divisor, 1), units[i].name};
    return plt_quantity_join(&quantity);
}

/* On a logarithmic scale units change along the axis, so each label may carry its own. */
static char *log_label(const PltAxis *axis, double value)
{
    PltQuantity quantity;

    switch (axis->unit) {
    case PLT_UNIT_LATENCY:
        return latency_label(value);
    case PLT_UNIT_CAPACITY:
        quantity = plt_format_capacity(value);
        return plt_quantity_join(&quantity);
    case PLT_UNIT_TIME:
        quantity = plt_format_duration(value);
        return plt_quantity_join(&quantity);
    case PLT_UNIT_BLOCK:
        return plt_format_block((guint64)llround(value));
    default:
        value /= choose_unit(axis).divisor;
        return value >= 1.0 ? plt_format_number(value, 0) : plt_format_figures(value, 1);
    }
}

static gboolean labels_carry_unit(const PltAxis *axis)
{
    return axis->unit == PLT_UNIT_LATENCY || axis->unit == PLT_UNIT_CAPACITY || axis->unit == PLT_UNIT_TIME;
}

/* Every STRIDE-th whole step between FIRST and LAST has a label, so that at most MOST do. */
static int stride_for(double first, double last, guint most)
{
    return MAX(1, (int)ceil((last - first + 1.0) / most));
}

static void add_log10(PltTicks *ticks, const PltAxis *axis, guint most)
{
    double first = floor(log10(axis->from) + 1e-9), last = ceil(log10(axis->to) - 1e-9);
    int stride = stride_for(first, last, most);

    ticks->unit = labels_carry_unit(axis) ? "" : choose_unit(axis).name;
    for (double e = first; e <= last && ticks->ticks->len < MAX_TICKS; e += 1.0) {
        for (int digit = 1; digit <= 9; digit++) {
            double value = digit * pow(10.0, e);

            if (value < axis->from * (1.0 - 1e-9) || value > axis->to * (1.0 + 1e-9))
                continue;
            add(ticks, value, digit == 1 && (int)(e - first) % stride == 0 ? log_label(axis, value) : NULL);
        }
    }
}

static void add_log2(PltTicks *ticks, const PltAxis *axis, guint most)
{
    double first = ceil(log2(axis->from) - 1e-9), last = floor(log2(axis->to) + 1e-9);
    int stride = stride_for(first, last, most);

    ticks->unit = labels_carry_unit(axis) ? "" : choose_unit(axis).name;
    for (double e = first; e <= last && ticks->ticks->len < MAX_TICKS; e += 1.0)
        add(ticks, exp2(e), (int)(e - first) % stride == 0 ? log_label(axis, exp2(e)) : NULL);
}

static void add_nines(PltTicks *ticks, const PltAxis *axis, guint most)
{
    double first = ceil(-log10(1.0 - axis->from) - 1e-9), last = floor(-log10(1.0 - axis->to) + 1e-9);
    int stride = stride_for(first, last, most);

    ticks->unit = "";
    for (double n = first; n <= last && ticks->ticks->len < MAX_TICKS; n += 1.0) {
        g_autofree char *number = plt_format_number(100.0 - pow(10.0, 2.0 - n), (int)MAX(0.0, n - 2.0));

        add(ticks, 1.0 - pow(10.0, -n),
            (int)(n - first) % stride == 0 ? g_strconcat(number, " %", NULL) : NULL);
    }
}

static void add_categories(PltTicks *ticks, const PltAxis *axis)
{
    ticks->unit = "";
    for (guint i = 0; i < axis->categories->len && i < MAX_TICKS; i++)
        add(ticks, i, g_strdup(axis->categories->pdata[i]));
}

void plt_ticks_init(PltTicks *ticks, const PltAxis *axis, guint most)
{
    most = MAX(2u, most);
    ticks->ticks = g_array_new(FALSE, FALSE, sizeof(PltTick));
    ticks->unit = "";
    switch (axis->scale) {
    case PLT_SCALE_LOG10:
        add_log10(ticks, axis, most);
        break;
    case PLT_SCALE_LOG2:
        add_log2(ticks, axis, most);
        break;
    case PLT_SCALE_NINES:
        add_nines(ticks, axis, most);
        break;
    case PLT_SCALE_CATEGORY:
        add_categories(ticks, axis);
        break;
    case PLT_SCALE_LINEAR:
    default:
        add_linear(ticks, axis, most);
        break;
    }
}

void plt_ticks_clear(PltTicks *ticks)
{
    if (!ticks->ticks)
        return;
    for (guint i = 0; i < ticks->ticks->len; i++)
        g_free(g_array_index(ticks->ticks, PltTick, i).label);
    g_clear_pointer(&ticks->ticks, g_array_unref);
}
