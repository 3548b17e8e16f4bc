/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/format.h"

#include <glib/gi18n-lib.h>

char *plt_cli_format_clock(guint64 ms)
{
    guint64 s = ms / 1000;

    if (s >= 3600)
        return g_strdup_printf("%" G_GUINT64_FORMAT ":%02u:%02u", s / 3600, (guint)(s / 60 % 60),
                               (guint)(s % 60));
    return g_strdup_printf("%u:%02u", (guint)(s / 60), (guint)(s % 60));
}

char *plt_cli_format_duration(guint64 ms)
{
    guint64 s = (ms + 500) / 1000;

    if (s >= 3600)
        return g_strdup_printf(_("%u h %u min"), (guint)(s / 3600), (guint)(s / 60 % 60));
    if (s >= 60)
        return g_strdup_printf(_("%u min %u s"), (guint)(s / 60), (guint)(s % 60));
    return g_strdup_printf(_("%u s"), (guint)s);
}

char *plt_cli_format_speed(double bytes_per_second)
{
    double mbps = bytes_per_second / 1e6;
    int digits = mbps >= 99.95 ? 0 : mbps >= 9.995 ? 1 : 2;

    return g_strdup_printf("%.*f MB/s", digits, mbps);
}

char *plt_cli_format_bytes(guint64 bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    guint unit = 0;

    while (value >= 999.5 && unit < G_N_ELEMENTS(units) - 1) {
        value /= 1000;
        unit++;
    }
    return g_strdup_printf("%.*f %s", unit == 0 || value >= 99.95 ? 0 : 1, value, units[unit]);
}

char *plt_cli_format_size(guint64 bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    guint unit = 0;
    guint64 left = bytes;

    while (left >= 1024 && left % 1024 == 0 && unit < G_N_ELEMENTS(units) - 1) {
        left /= 1024;
        unit++;
    }
    if (left < 10240)
        return g_strdup_printf("%" G_GUINT64_FORMAT " %s", left, units[unit]);
    double value = (double)left;
    while (value >= 1024 && unit < G_N_ELEMENTS(units) - 1) {
        value /= 1024;
        unit++;
    }
    return g_strdup_printf("%.1f %s", value, units[unit]);
}

char *plt_cli_format_date(gint64 unix_us)
{
    g_autoptr(GDateTime) utc = NULL, local = NULL;

    if (unix_us <= 0)
        return g_strdup("");
    utc = g_date_time_new_from_unix_utc_usec(unix_us);
    local = utc != NULL ? g_date_time_to_local(utc) : NULL;
    return local != NULL ? g_date_time_format(local, "%Y-%m-%d %H:%M") : g_strdup("");
}

char *plt_cli_format_iso8601(gint64 unix_us)
{
    g_autoptr(GDateTime) utc = NULL;

    if (unix_us <= 0)
        return NULL;
    utc = g_date_time_new_from_unix_utc_usec(unix_us);
    return utc != NULL ? g_date_time_format_iso8601(utc) : NULL;
}
