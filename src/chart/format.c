/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/format.h"

/* Beyond this a double no longer holds each integer, and digits would be invented. */
#define MAX_GROUPED 1e15

char *plt_format_number(double value, int decimals)
{
    char digits[64], format[8];
    GString *out = NULL;
    const char *start = NULL;
    gsize whole;

    if (!isfinite(value))
        return g_strdup("—");
    if (fabs(value) >= MAX_GROUPED)
        return g_strdup(g_ascii_formatd(digits, sizeof digits, "%.3g", value));
    g_snprintf(format, sizeof format, "%%.%df", CLAMP(decimals, 0, 9));
    g_ascii_formatd(digits, sizeof digits, format, fabs(value));
    out = g_string_new(NULL);
    if (value < 0.0 && strpbrk(digits, "123456789"))
        g_string_append(out, "−");
    start = digits;
    whole = strcspn(digits, ".");
    for (gsize i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            g_string_append_c(out, ',');
        g_string_append_c(out, start[i]);
    }
    g_string_append(out, digits + whole);
    return g_string_free(out, FALSE);
}

char *plt_format_figures(double value, int figures)
{
    double size = fabs(value);
    int digits = 1;

    if (!isfinite(value) || size == 0.0)
        return plt_format_number(value, 0);
    /* The rounding may carry into a new digit: 9.996 with three figures is 10.0, not 10.00. */
    digits = (int)floor(log10(size)) + 1;
    if (size >= pow(10.0, digits) - 0.5 * pow(10.0, digits - figures))
        digits++;
    return plt_format_number(value, CLAMP(figures - digits, 0, 9));
}

void plt_quantity_clear(PltQuantity *quantity)
{
    g_clear_pointer(&quantity->number, g_free);
    quantity->unit = "";
}

char *plt_quantity_join(PltQuantity *quantity)
{
    char *text = *quantity->unit ? g_strconcat(quantity->number, " ", quantity->unit, NULL)
                                 : g_strdup(quantity->number);

    plt_quantity_clear(quantity);
    return text;
}

PltQuantity plt_format_bandwidth(double bytes_per_second)
{
    double mb = bytes_per_second / 1e6;

    return (PltQuantity){fabs(mb) < 0.005 ? plt_format_number(mb, 0) : plt_format_figures(mb, 3), "MB/s"};
}

PltQuantity plt_format_iops(double iops)
{
    if (fabs(iops) >= 999999.5)
        return (PltQuantity){plt_format_figures(iops / 1e6, 3), "M IOPS"};
    return (PltQuantity){fabs(iops) < 0.005 ? plt_format_number(iops, 0) : plt_format_figures(iops, 3),
                         "IOPS"};
}

PltQuantity plt_format_latency(double ns)
{
    double size = fabs(ns);

    if (size < 999.5)
        return (PltQuantity){plt_format_figures(ns, 3), "ns"};
    /* Reviews compare in µs; only what is clearly slow goes over to ms. */
    if (size < 9999.5e3)
        return (PltQuantity){plt_format_figures(ns / 1e3, 3), "µs"};
    if (size < 9999.5e6)
        return (PltQuantity){plt_format_figures(ns / 1e6, 3), "ms"};
    return (PltQuantity){plt_format_figures(ns / 1e9, 3), "s"};
}

static char *clock_text(guint64 high, guint64 middle, gint64 low)
{
    return low < 0 ? g_strdup_printf("%" G_GUINT64_FORMAT ":%02" G_GUINT64_FORMAT, high, middle)
                   : g_strdup_printf("%" G_GUINT64_FORMAT ":%02" G_GUINT64_FORMAT ":%02" G_GINT64_FORMAT,
                                     high, middle, low);
}

char *plt_format_clock(double seconds, int decimals)
{
    double unit = pow(10.0, decimals), minutes, rest;
    const char *sign = seconds < 0.0 ? "−" : "";
    int width = decimals > 0 ? decimals + 3 : 2;

    if (!isfinite(seconds))
        return g_strdup("—");
    /* Rounded first: 59.999 must not become 0:60.0. */
    seconds = round(fabs(seconds) * unit) / unit;
    minutes = floor(seconds / 60.0);
    rest = seconds - minutes * 60.0;
    if (minutes < 60.0)
        return g_strdup_printf("%s%.0f:%0*.*f", sign, minutes, width, decimals, rest);
    return g_strdup_printf("%s%.0f:%02.0f:%0*.*f", sign, floor(minutes / 60.0), fmod(minutes, 60.0), width,
                           decimals, rest);
}

PltQuantity plt_format_duration(double seconds)
{
    guint64 whole;

    if (!isfinite(seconds) || seconds < 0.0)
        return (PltQuantity){g_strdup("—"), ""};
    if (seconds == 0.0)
        return (PltQuantity){g_strdup("0"), "s"};
    if (seconds < 0.9995)
        return (PltQuantity){plt_format_figures(seconds * 1e3, 3), "ms"};
    if (seconds < 99.95)
        return (PltQuantity){plt_format_number(seconds, seconds == floor(seconds) ? 0 : 1), "s"};
    whole = (guint64)llround(seconds);
    if (whole < 3600)
        return (PltQuantity){clock_text(whole / 60, whole % 60, -1), "min"};
    return (PltQuantity){clock_text(whole / 3600, whole / 60 % 60, (gint64)(whole % 60)), "h"};
}

/* The largest unit of which there is at least one; two places only where they say something. */
static PltQuantity scaled(double value, double base, const char *const *units, guint n)
{
    guint i = 0;
    double rounded;

    while (i + 1 < n && value >= base * (1.0 - 1e-9)) {
        value /= base;
        i++;
    }
    rounded = round(value * 100.0) / 100.0;
    if (rounded == floor(rounded))
        return (PltQuantity){plt_format_number(rounded, 0), units[i]};
    return (PltQuantity){plt_format_figures(value, 3), units[i]};
}

PltQuantity plt_format_size(guint64 bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    return scaled((double)bytes, 1024.0, units, G_N_ELEMENTS(units));
}

PltQuantity plt_format_capacity(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};

    if (!isfinite(bytes) || bytes < 0.0)
        return (PltQuantity){g_strdup("—"), ""};
    return scaled(bytes, 1000.0, units, G_N_ELEMENTS(units));
}

PltQuantity plt_format_percent(double percent)
{
    int decimals = fabs(percent) < 9.95 ? 1 : 0;

    return (PltQuantity){plt_format_number(percent, decimals), "%"};
}

char *plt_format_block(guint64 bytes)
{
    static const char units[] = "BKMGT";
    guint i = 0;

    while (bytes >= 1024 && bytes % 1024 == 0 && i + 1 < G_N_ELEMENTS(units) - 1) {
        bytes /= 1024;
        i++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT "%c", bytes, units[i]);
}
