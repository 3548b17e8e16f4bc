/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Little-endian fields of what a drive answers. An answer may be shorter than its standard says, or random:
 * a field that does not lie wholly inside is 0, and no call ever reads outside of SIZE bytes.
 */
typedef struct {
    const guint8 *data;
    gsize size;
} PltBytes;

guint8 plt_bytes_u8(PltBytes bytes, gsize offset);
guint16 plt_bytes_u16(PltBytes bytes, gsize offset);
guint32 plt_bytes_u32(PltBytes bytes, gsize offset);

/* COUNT bytes (1 to 8) as one number. */
guint64 plt_bytes_number(PltBytes bytes, gsize offset, guint count);

/* LENGTH bytes from OFFSET, empty when they do not lie inside. */
PltBytes plt_bytes_part(PltBytes bytes, gsize offset, gsize length);

gboolean plt_bytes_are_zero(PltBytes bytes);

/*
 * LENGTH bytes of text without the blanks and zeros that pad it; what is no printable ASCII becomes "?".
 * Never NULL, newly allocated.
 */
char *plt_bytes_text(PltBytes bytes, gsize offset, gsize length);

/* Hexadecimal without blanks, newly allocated. */
char *plt_bytes_hex(PltBytes bytes);

/* What plt_bytes_hex wrote, padded with zeros to SIZE bytes; NULL when TEXT is no such thing or longer. */
GBytes *plt_bytes_from_hex(const char *text, gsize size);
