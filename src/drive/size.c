/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/size.h"

char *plt_size_text(guint64 bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    guint unit = 0;

    while (value >= 1024 && unit + 1 < G_N_ELEMENTS(units)) {
        value /= 1024;
        unit++;
    }
    if (value >= 100 || ABS(value - (double)(guint64)value) < 0.05)
        return g_strdup_printf("%.0f %s", value, units[unit]);
    return g_strdup_printf("%.1f %s", value, units[unit]);
}

char *plt_size_amount_text(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    guint unit = 0;

    /* What would be rounded up to 1000 is one of the next unit. */
    while (bytes >= 999.95 && unit + 1 < G_N_ELEMENTS(units)) {
        bytes /= 1000;
        unit++;
    }
    g_ascii_formatd(number, sizeof number, "%.4g", bytes);
    return g_strdup_printf("%s %s", number, units[unit]);
}
