/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/blob.h"

#include <glib/gi18n-lib.h>

#include "drive/error.h"

/*
 * version, bits per octave, sum, minimum, maximum, number of filled buckets, then for each filled bucket how
 * many empty ones lie before it and its count less one. The whole count is the sum of the buckets.
 */
#define VERSION 1

GByteArray *plt_blob_write_histogram(const struct plt_histogram *histogram)
{
    guint filled = 0;
    for (guint i = 0; i < PLT_HISTOGRAM_BUCKETS; i++)
        filled += histogram->bucket[i] != 0;

    GByteArray *blob = g_byte_array_sized_new(64 + filled * 4);
    guint8 version = VERSION;
    g_byte_array_append(blob, &version, 1);
    plt_blob_put(blob, PLT_HISTOGRAM_BITS);
    plt_blob_put(blob, histogram->sum_ns);
    plt_blob_put(blob, histogram->min_ns);
    plt_blob_put(blob, histogram->max_ns);
    plt_blob_put(blob, filled);
    guint next = 0;
    for (guint i = 0; i < PLT_HISTOGRAM_BUCKETS; i++) {
        if (histogram->bucket[i] == 0)
            continue;
        plt_blob_put(blob, i - next);
        plt_blob_put(blob, histogram->bucket[i] - 1);
        next = i + 1;
    }
    plt_blob_put_crc(blob);
    return blob;
}

static void read_buckets(PltBlobReader *reader, struct plt_histogram *histogram)
{
    guint64 filled = plt_blob_get(reader);
    guint64 next = 0;
    for (guint64 i = 0; i < filled && !reader->bad; i++) {
        guint64 gap = plt_blob_get(reader);
        guint64 count = plt_blob_get(reader);
        if (gap >= PLT_HISTOGRAM_BUCKETS - next || count >= G_MAXUINT64 - histogram->count) {
            reader->bad = TRUE;
            return;
        }
        histogram->bucket[next + gap] = count + 1;
        histogram->count += count + 1;
        next += gap + 1;
    }
}

struct plt_histogram *plt_blob_read_histogram(const guint8 *data, gsize size, GError **error)
{
    g_autofree struct plt_histogram *histogram = g_new0(struct plt_histogram, 1);
    PltBlobReader reader = plt_blob_open(data, size, VERSION);
    if (plt_blob_get(&reader) != PLT_HISTOGRAM_BITS)
        reader.bad = TRUE;
    histogram->sum_ns = plt_blob_get(&reader);
    histogram->min_ns = plt_blob_get(&reader);
    histogram->max_ns = plt_blob_get(&reader);
    read_buckets(&reader, histogram);
    if (histogram->count > 0 && histogram->min_ns > histogram->max_ns)
        reader.bad = TRUE;
    if (reader.bad || reader.left > 0) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_FORMAT, _("A stored latency histogram is damaged"));
        return NULL;
    }
    return g_steal_pointer(&histogram);
}
