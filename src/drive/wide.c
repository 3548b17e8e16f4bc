/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/wide.h"

#include <math.h>

PltWide plt_wide_read(PltBytes bytes, gsize offset)
{
    PltBytes part = plt_bytes_part(bytes, offset, 16);

    return (PltWide){plt_bytes_number(part, 0, 8), plt_bytes_number(part, 8, 8)};
}

int plt_wide_compare(PltWide a, PltWide b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    if (a.low != b.low)
        return a.low < b.low ? -1 : 1;
    return 0;
}

PltWide plt_wide_distance(PltWide a, PltWide b)
{
    PltWide large = plt_wide_compare(a, b) >= 0 ? a : b, small = plt_wide_compare(a, b) >= 0 ? b : a;

    return (PltWide){large.low - small.low, large.high - small.high - (large.low < small.low ? 1 : 0)};
}

double plt_wide_to_double(PltWide value)
{
    return ldexp((double)value.high, 64) + (double)value.low;
}

guint64 plt_wide_clamp(PltWide value)
{
    return value.high != 0 ? G_MAXUINT64 : value.low;
}

/* Divides the four 32-bit digits (most significant first) by 10; the remainder. */
static guint divide_by_ten(guint32 limbs[4])
{
    guint64 rest = 0;

    for (guint i = 0; i < 4; i++) {
        guint64 part = rest << 32 | limbs[i];

        limbs[i] = (guint32)(part / 10);
        rest = part % 10;
    }
    return (guint)rest;
}

char *plt_wide_to_text(PltWide value)
{
    guint32 limbs[4] = {(guint32)(value.high >> 32), (guint32)value.high, (guint32)(value.low >> 32),
                        (guint32)value.low};
    /* 2^128 has 39 decimal digits. */
    char text[40] = "";
    guint at = sizeof text - 1;

    do {
        text[--at] = (char)('0' + divide_by_ten(limbs));
    } while (limbs[0] != 0 || limbs[1] != 0 || limbs[2] != 0 || limbs[3] != 0);
    return g_strdup(text + at);
}

/* FALSE on overflow. */
static gboolean append_digit(guint32 limbs[4], guint digit)
{
    guint64 carry = digit;

    for (guint i = 4; i-- > 0;) {
        guint64 part = (guint64)limbs[i] * 10 + carry;

        limbs[i] = (guint32)part;
        carry = part >> 32;
    }
    return carry == 0;
}

gboolean plt_wide_from_text(const char *text, PltWide *value)
{
    guint32 limbs[4] = {0};

    if (text[0] == '\0')
        return FALSE;
    for (const char *p = text; *p != '\0'; p++) {
        if (!g_ascii_isdigit(*p) || !append_digit(limbs, (guint)g_ascii_digit_value(*p)))
            return FALSE;
    }
    *value = (PltWide){(guint64)limbs[2] << 32 | limbs[3], (guint64)limbs[0] << 32 | limbs[1]};
    return TRUE;
}
