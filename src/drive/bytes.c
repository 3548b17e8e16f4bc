/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/bytes.h"

#include <string.h>

guint64 plt_bytes_number(PltBytes bytes, gsize offset, guint count)
{
    guint64 value = 0;

    if (offset > bytes.size || bytes.size - offset < count)
        return 0;
    for (guint i = 0; i < count; i++)
        value |= (guint64)bytes.data[offset + i] << (8 * i);
    return value;
}

guint8 plt_bytes_u8(PltBytes bytes, gsize offset)
{
    return (guint8)plt_bytes_number(bytes, offset, 1);
}

guint16 plt_bytes_u16(PltBytes bytes, gsize offset)
{
    return (guint16)plt_bytes_number(bytes, offset, 2);
}

guint32 plt_bytes_u32(PltBytes bytes, gsize offset)
{
    return (guint32)plt_bytes_number(bytes, offset, 4);
}

PltBytes plt_bytes_part(PltBytes bytes, gsize offset, gsize length)
{
    if (offset > bytes.size || bytes.size - offset < length)
        return (PltBytes){NULL, 0};
    return (PltBytes){bytes.data + offset, length};
}

gboolean plt_bytes_are_zero(PltBytes bytes)
{
    for (gsize i = 0; i < bytes.size; i++) {
        if (bytes.data[i] != 0)
            return FALSE;
    }
    return TRUE;
}

char *plt_bytes_text(PltBytes bytes, gsize offset, gsize length)
{
    PltBytes part = plt_bytes_part(bytes, offset, length);
    char *text = g_new0(char, length + 1);

    for (gsize i = 0; i < part.size; i++) {
        char c = (char)part.data[i];

        if (g_ascii_isprint(c))
            text[i] = c;
        else
            text[i] = c == '\0' ? ' ' : '?';
    }
    return g_strstrip(text);
}

char *plt_bytes_hex(PltBytes bytes)
{
    static const char digits[] = "0123456789abcdef";
    char *text = g_new0(char, bytes.size * 2 + 1);

    for (gsize i = 0; i < bytes.size; i++) {
        text[2 * i] = digits[bytes.data[i] >> 4];
        text[2 * i + 1] = digits[bytes.data[i] & 15];
    }
    return text;
}

GBytes *plt_bytes_from_hex(const char *text, gsize size)
{
    gsize length = strlen(text);
    g_autofree guint8 *data = NULL;

    if (length % 2 != 0 || length / 2 > size)
        return NULL;
    data = g_malloc0(MAX(size, 1));
    for (gsize i = 0; i < length; i++) {
        int digit = g_ascii_xdigit_value(text[i]);

        if (digit < 0)
            return NULL;
        data[i / 2] = (guint8)(data[i / 2] << 4 | digit);
    }
    return g_bytes_new_take(g_steal_pointer(&data), size);
}
