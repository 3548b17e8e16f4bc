/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/blob.h"

#include <glib/gi18n-lib.h>

#include "drive/error.h"

/*
 * version, count, tick, block, then each sample as a byte of flags and what the flags say follows. A sample
 * is written as its difference from what the one before it lets expect: the next index, the usual tick, as
 * many I/Os, bytes = I/Os x block, the same latencies; the first and last completion lie close to the tick's
 * ends. A busy tick with one kind of I/O comes to about 22 bytes where the structure has 208.
 */
#define VERSION 1

enum {
    FLAG_OP = 1 << 0, /* and the next three bits: this operation has figures */
    FLAG_DURATION = 1 << 4,
    FLAG_INDEX = 1 << 5,
    FLAG_INFLIGHT = 1 << 6,
    FLAG_TIMES = 1 << 7,
};

G_STATIC_ASSERT(PLT_N_OPS == 4);

typedef struct {
    guint64 tick_ns, block;
    struct plt_sample previous;
} Expected;

static gboolean op_has_figures(const struct plt_sample_op *op)
{
    return op->ios || op->bytes || op->lat_sum_ns || op->lat_min_ns || op->lat_max_ns;
}

static guint64 block_of(const struct plt_sample *samples, gsize n_samples)
{
    for (gsize i = 0; i < n_samples; i++) {
        for (int op = 0; op < PLT_N_OPS; op++) {
            if (samples[i].op[op].ios > 0 && samples[i].op[op].bytes > 0)
                return samples[i].op[op].bytes / samples[i].op[op].ios;
        }
    }
    return 0;
}

static guint8 flags_of(const struct plt_sample *sample, const Expected *expected)
{
    guint8 flags = 0;
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (op_has_figures(&sample->op[op]))
            flags |= FLAG_OP << op;
    }
    if (sample->duration_ns != expected->tick_ns)
        flags |= FLAG_DURATION;
    if (sample->index != expected->previous.index + 1)
        flags |= FLAG_INDEX;
    if (sample->inflight != expected->previous.inflight)
        flags |= FLAG_INFLIGHT;
    if (sample->first_ns || sample->last_ns || sample->oldest_ns)
        flags |= FLAG_TIMES;
    return flags;
}

static void put_op(GByteArray *blob, const struct plt_sample_op *op, struct plt_sample_op *previous,
                   guint64 block)
{
    plt_blob_put_signed(blob, op->ios - previous->ios);
    plt_blob_put_signed(blob, op->bytes - op->ios * block);
    plt_blob_put_signed(blob, op->lat_sum_ns - previous->lat_sum_ns);
    plt_blob_put_signed(blob, op->lat_min_ns - previous->lat_min_ns);
    plt_blob_put_signed(blob, op->lat_max_ns - previous->lat_max_ns);
    *previous = *op;
}

static void put_sample(GByteArray *blob, const struct plt_sample *sample, Expected *expected)
{
    struct plt_sample *previous = &expected->previous;
    guint8 flags = flags_of(sample, expected);
    guint64 start = sample->index * expected->tick_ns;

    g_byte_array_append(blob, &flags, 1);
    if (flags & FLAG_DURATION)
        plt_blob_put(blob, sample->duration_ns);
    if (flags & FLAG_INDEX)
        plt_blob_put_signed(blob, sample->index - previous->index - 1);
    if (flags & FLAG_INFLIGHT)
        plt_blob_put_signed(blob, (guint64)sample->inflight - previous->inflight);
    if (flags & FLAG_TIMES) {
        plt_blob_put_signed(blob, sample->first_ns - start);
        plt_blob_put_signed(blob, start + sample->duration_ns - sample->last_ns);
        plt_blob_put(blob, sample->oldest_ns);
    }
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (flags & FLAG_OP << op)
            put_op(blob, &sample->op[op], &previous->op[op], expected->block);
    }
    previous->index = sample->index;
    previous->inflight = sample->inflight;
}

GByteArray *plt_blob_write_samples(const struct plt_sample *samples, gsize n_samples, guint64 tick_ns)
{
    g_return_val_if_fail(n_samples > 0 && n_samples <= PLT_BLOB_MAX_SAMPLES, NULL);

    GByteArray *blob = g_byte_array_sized_new(64 + n_samples * 32);
    Expected expected = {
        .tick_ns = tick_ns,
        .block = block_of(samples, n_samples),
        .previous.index = G_MAXUINT64,
    };
    guint8 version = VERSION;
    g_byte_array_append(blob, &version, 1);
    plt_blob_put(blob, n_samples);
    plt_blob_put(blob, tick_ns);
    plt_blob_put(blob, expected.block);
    for (gsize i = 0; i < n_samples; i++)
        put_sample(blob, &samples[i], &expected);
    plt_blob_put_crc(blob);
    return blob;
}

static void get_op(PltBlobReader *reader, struct plt_sample_op *op, struct plt_sample_op *previous,
                   guint64 block)
{
    op->ios = previous->ios + plt_blob_get_signed(reader);
    op->bytes = op->ios * block + plt_blob_get_signed(reader);
    op->lat_sum_ns = previous->lat_sum_ns + plt_blob_get_signed(reader);
    op->lat_min_ns = previous->lat_min_ns + plt_blob_get_signed(reader);
    op->lat_max_ns = previous->lat_max_ns + plt_blob_get_signed(reader);
    *previous = *op;
}

static struct plt_sample get_sample(PltBlobReader *reader, Expected *expected)
{
    struct plt_sample *previous = &expected->previous;
    struct plt_sample sample = {0};
    guint8 flags = 0;
    if (reader->left > 0) {
        flags = *reader->next++;
        reader->left--;
    } else {
        reader->bad = TRUE;
    }

    sample.duration_ns = flags & FLAG_DURATION ? plt_blob_get(reader) : expected->tick_ns;
    sample.index = previous->index + 1 + (flags & FLAG_INDEX ? plt_blob_get_signed(reader) : 0);
    guint64 inflight = previous->inflight + (flags & FLAG_INFLIGHT ? plt_blob_get_signed(reader) : 0);
    if (inflight > G_MAXUINT32)
        reader->bad = TRUE;
    sample.inflight = (guint32)inflight;
    if (flags & FLAG_TIMES) {
        guint64 start = sample.index * expected->tick_ns;
        sample.first_ns = start + plt_blob_get_signed(reader);
        sample.last_ns = start + sample.duration_ns - plt_blob_get_signed(reader);
        sample.oldest_ns = plt_blob_get(reader);
    }
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (flags & FLAG_OP << op)
            get_op(reader, &sample.op[op], &previous->op[op], expected->block);
    }
    previous->index = sample.index;
    previous->inflight = sample.inflight;
    return sample;
}

gboolean plt_blob_read_samples(const guint8 *data, gsize size, GArray *samples, GError **error)
{
    guint length_before = samples->len;
    PltBlobReader reader = plt_blob_open(data, size, VERSION);
    guint64 count = plt_blob_get(&reader);
    Expected expected = {.previous.index = G_MAXUINT64};
    expected.tick_ns = plt_blob_get(&reader);
    expected.block = plt_blob_get(&reader);
    if (count == 0 || count > PLT_BLOB_MAX_SAMPLES)
        reader.bad = TRUE;

    for (guint64 i = 0; i < count && !reader.bad; i++) {
        struct plt_sample sample = get_sample(&reader, &expected);
        g_array_append_val(samples, sample);
    }
    if (reader.bad || reader.left > 0) {
        g_array_set_size(samples, length_before);
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_FORMAT, _("Stored samples are damaged"));
        return FALSE;
    }
    return TRUE;
}
