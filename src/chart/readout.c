/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/format.h"
#include "chart/readout.h"

static void consider(const PltSeries *series, gsize i, double x, gsize *best, double *distance)
{
    double away = fabs(plt_pyramid_x(series->data, i) - x);

    if (isnan(plt_pyramid_value(series->data, i)) || away >= *distance)
        return;
    *best = i;
    *distance = away;
}

/* The value nearest to X that is no hole, within REACH. */
static gboolean nearest(const PltSeries *series, double x, double reach, gsize *index)
{
    gsize n = plt_pyramid_length(series->data);
    gsize at = plt_pyramid_find(series->data, x);
    double distance = nextafter(reach, INFINITY);

    *index = G_MAXSIZE;
    for (gsize i = at; i < n && plt_pyramid_x(series->data, i) - x <= reach; i++) {
        consider(series, i, x, index, &distance);
        if (*index != G_MAXSIZE)
            break;
    }
    for (gsize i = at; i-- > 0 && x - plt_pyramid_x(series->data, i) <= reach;) {
        gsize before = *index;

        consider(series, i, x, index, &distance);
        if (*index != before || !isnan(plt_pyramid_value(series->data, i)))
            break;
    }
    return *index != G_MAXSIZE;
}

gboolean plt_chart_read(const PltChart *chart, guint number, double x, double half, double reach,
                        PltReading *reading)
{
    const PltSeries *series = chart->series->pdata[number];
    gsize first = plt_pyramid_find(series->data, x - half);
    gsize end = plt_pyramid_find(series->data, nextafter(x + half, INFINITY));
    PltSpan span = plt_pyramid_span(series->data, first, end);
    gsize index;

    if (span.count > 1) {
        *reading = (PltReading){number, span.count, x, span.median, span.min, span.max};
        return TRUE;
    }
    if (!nearest(series, x, MAX(half, reach), &index))
        return FALSE;
    reading->series = number;
    reading->count = 1;
    reading->x = plt_pyramid_x(series->data, index);
    reading->value = reading->min = reading->max = plt_pyramid_value(series->data, index);
    return TRUE;
}

static double step_forward(const PltPyramid *data, double beyond)
{
    gsize n = plt_pyramid_length(data);

    for (gsize i = plt_pyramid_find(data, nextafter(beyond, INFINITY)); i < n; i++) {
        if (!isnan(plt_pyramid_value(data, i)))
            return plt_pyramid_x(data, i);
    }
    return NAN;
}

static double step_back(const PltPyramid *data, double beyond)
{
    for (gsize i = plt_pyramid_find(data, beyond); i-- > 0;) {
        if (!isnan(plt_pyramid_value(data, i)))
            return plt_pyramid_x(data, i);
    }
    return NAN;
}

double plt_chart_step(const PltChart *chart, double x, double least, gboolean forward)
{
    double best = NAN;

    for (guint i = 0; i < chart->series->len; i++) {
        const PltPyramid *data = ((const PltSeries *)chart->series->pdata[i])->data;
        double next = forward ? step_forward(data, x + least) : step_back(data, x - least);

        if (isnan(best) || (forward ? next < best : next > best))
            best = next;
    }
    return best;
}

double plt_chart_last(const PltChart *chart)
{
    double last = NAN;

    for (guint i = 0; i < chart->series->len; i++) {
        const PltPyramid *data = ((const PltSeries *)chart->series->pdata[i])->data;
        gsize n = plt_pyramid_length(data);

        if (n > 0 && !(last >= plt_pyramid_x(data, n - 1)))
            last = plt_pyramid_x(data, n - 1);
    }
    return last;
}

void plt_chart_bands_at(const PltChart *chart, double x, double slack, const char **section,
                        const char **event)
{
    *section = *event = NULL;
    for (guint i = 0; i < chart->bands->len; i++) {
        const PltBand *band = &g_array_index(chart->bands, PltBand, i);
        gboolean is_section = band->tone == PLT_TONE_NORMAL || band->tone == PLT_TONE_MUTED;

        if (is_section && x >= band->from && x < band->to)
            *section = band->label;
        else if (!is_section && x >= band->from - slack && x <= band->to + slack)
            *event = band->label;
    }
}

/* Half of STEP is still seen: the middles of 100 ms ticks end in 5 hundredths. */
static int time_decimals(double step)
{
    if (!(step > 0.0))
        return 1;
    return CLAMP((int)ceil(-log10(step / 2.0) - 1e-9), 0, 6);
}

static char *format_time(double seconds, double step)
{
    int decimals = time_decimals(step);
    double unit = pow(10.0, decimals);

    if (fabs(round(seconds * unit) / unit) < 60.0) {
        g_autofree char *number = plt_format_number(seconds, decimals);

        return g_strdup_printf("%s s", number);
    }
    return plt_format_clock(seconds, decimals);
}

static PltQuantity quantity_of(PltUnit unit, double value)
{
    switch (unit) {
    case PLT_UNIT_BANDWIDTH:
        return plt_format_bandwidth(value);
    case PLT_UNIT_IOPS:
        return plt_format_iops(value);
    case PLT_UNIT_LATENCY:
        return plt_format_latency(value);
    case PLT_UNIT_CAPACITY:
        return plt_format_capacity(value);
    case PLT_UNIT_PERCENT:
        return plt_format_percent(value);
    case PLT_UNIT_SHARE:
        return plt_format_percent(value * 100.0);
    case PLT_UNIT_CELSIUS:
        return (PltQuantity){plt_format_number(value, 1), "°C"};
    case PLT_UNIT_NUMBER:
    case PLT_UNIT_TIME:
    case PLT_UNIT_BLOCK:
    default:
        return (PltQuantity){plt_format_figures(value, 4), NULL};
    }
}

char *plt_axis_format(const PltAxis *axis, double value, double step)
{
    PltQuantity quantity;

    if (!isfinite(value))
        return g_strdup("—");
    if (axis->scale == PLT_SCALE_CATEGORY) {
        guint index = (guint)CLAMP(round(value), 0.0, (double)G_MAXINT);

        return g_strdup(index < axis->categories->len ? axis->categories->pdata[index] : "");
    }
    if (axis->unit == PLT_UNIT_TIME)
        return format_time(value, step);
    if (axis->unit == PLT_UNIT_BLOCK)
        return plt_format_block((guint64)MAX(0.0, round(value)));
    quantity = quantity_of(axis->unit, value);
    if (quantity.unit && *quantity.unit)
        return plt_quantity_join(&quantity);
    return quantity.number;
}

/* "Read 3,412 MB/s (1,200–3,800)"; the range has the value's unit unless that would differ. */
static void add_reading(GString *line, const PltChart *chart, const PltReading *reading)
{
    const PltSeries *series = chart->series->pdata[reading->series];
    const PltAxis *axis = series->right ? &chart->y2 : &chart->y;
    g_autofree char *value = plt_axis_format(axis, reading->value, 0.0);

    if (line->len > 0)
        g_string_append(line, " · ");
    if (series->name)
        g_string_append_printf(line, "%s ", series->name);
    g_string_append(line, value);
    if (reading->count > 1) {
        g_autofree char *min = plt_axis_format(axis, reading->min, 0.0);
        g_autofree char *max = plt_axis_format(axis, reading->max, 0.0);

        g_string_append_printf(line, " (%s – %s)", min, max);
    }
}

char *plt_chart_readout(const PltChart *chart, const PltReading *readings, guint n, double step,
                        const char *section, const char *event)
{
    g_autofree char *at = NULL;
    GString *line = NULL;

    if (n == 0)
        return NULL;
    at = plt_axis_format(&chart->x, readings[0].x, step);
    line = g_string_new(section);
    g_string_append_printf(line, "%s%s", line->len > 0 ? " · " : "", at);
    for (guint i = 0; i < n; i++)
        add_reading(line, chart, &readings[i]);
    if (event)
        g_string_append_printf(line, " · %s", event);
    return g_string_free(line, FALSE);
}
