/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/blob.h"

#include <zlib.h>

#define CRC_SIZE 4

void plt_blob_put(GByteArray *blob, guint64 value)
{
    guint8 bytes[10];
    guint n = 0;
    while (value >= 0x80) {
        bytes[n++] = (guint8)(value | 0x80);
        value >>= 7;
    }
    bytes[n++] = (guint8)value;
    g_byte_array_append(blob, bytes, n);
}

/* DIFFERENCE is taken modulo 2^64, so that any two 64-bit values have one: small ones of either sign are
 * short. */
void plt_blob_put_signed(GByteArray *blob, guint64 difference)
{
    guint64 sign = difference >> 63 ? G_MAXUINT64 : 0;
    plt_blob_put(blob, (difference << 1) ^ sign);
}

guint64 plt_blob_get(PltBlobReader *reader)
{
    guint64 value = 0;
    for (guint shift = 0; shift < 64 && reader->left > 0; shift += 7) {
        guint8 byte = *reader->next++;
        reader->left--;
        /* The tenth byte holds the top bit only, and no number ends in a byte that adds nothing. */
        if ((shift == 63 && byte > 1) || (shift > 0 && byte == 0))
            break;
        value |= (guint64)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return reader->bad ? 0 : value;
    }
    reader->bad = TRUE;
    return 0;
}

guint64 plt_blob_get_signed(PltBlobReader *reader)
{
    guint64 value = plt_blob_get(reader);
    return (value >> 1) ^ (value & 1 ? G_MAXUINT64 : 0);
}

/* CRC-32 of IEEE 802.3 (reflected polynomial 0xEDB88320), which is zlib's. */
guint32 plt_blob_crc(const guint8 *data, gsize size)
{
    return (guint32)crc32_z(crc32_z(0, NULL, 0), data, size);
}

void plt_blob_put_crc(GByteArray *blob)
{
    guint32 crc = GUINT32_TO_LE(plt_blob_crc(blob->data, blob->len));
    g_byte_array_append(blob, (const guint8 *)&crc, CRC_SIZE);
}

PltBlobReader plt_blob_open(const guint8 *data, gsize size, guint8 version)
{
    PltBlobReader reader = {.bad = TRUE};
    if (!data || size < 1 + CRC_SIZE || data[0] != version)
        return reader;
    guint32 crc;
    memcpy(&crc, data + size - CRC_SIZE, CRC_SIZE);
    if (GUINT32_FROM_LE(crc) != plt_blob_crc(data, size - CRC_SIZE))
        return reader;
    return (PltBlobReader){.next = data + 1, .left = size - 1 - CRC_SIZE};
}
