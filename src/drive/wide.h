/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/bytes.h"

/* A count of 128 bits, as the NVMe health log keeps them. */
typedef struct {
    guint64 low, high;
} PltWide;

static inline PltWide plt_wide(guint64 value)
{
    return (PltWide){value, 0};
}

PltWide plt_wide_read(PltBytes bytes, gsize offset);
int plt_wide_compare(PltWide a, PltWide b);

/* The larger minus the smaller. */
PltWide plt_wide_distance(PltWide a, PltWide b);

/* The nearest double; a count above 2^53 loses its last digits. */
double plt_wide_to_double(PltWide value);

/* The count, or the largest 64-bit number when it is above. */
guint64 plt_wide_clamp(PltWide value);

/* All decimal digits; newly allocated. */
char *plt_wide_to_text(PltWide value);

/* FALSE when TEXT is anything but 1 to 39 digits that fit. */
gboolean plt_wide_from_text(const char *text, PltWide *value);
