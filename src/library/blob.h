/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "engine/sample.h"
#include "engine/histogram.h"

/*
 * The compact forms in which samples and histograms lie in the library. Numbers are variable-length (7 bits a
 * byte, lowest first, the top bit says that more follow), differences are zigzag-coded. A blob starts with
 * its version and ends with the CRC-32 of all before it, so a flipped bit is an error and not a wrong figure.
 * Reading trusts nothing: every blob that is not exactly what writing makes is PLT_ERROR_FORMAT.
 */

/* The most samples in one blob: bounds what a hostile count can make a reader allocate. */
#define PLT_BLOB_MAX_SAMPLES 4096

/* N_SAMPLES (1 .. PLT_BLOB_MAX_SAMPLES) samples; TICK_NS is their usual length, which then costs nothing. */
GByteArray *plt_blob_write_samples(const struct plt_sample *samples, gsize n_samples, guint64 tick_ns);

/* Appends the samples in DATA to SAMPLES (GArray of struct plt_sample), or leaves it as it was and fails. */
gboolean plt_blob_read_samples(const guint8 *data, gsize size, GArray *samples, GError **error);

GByteArray *plt_blob_write_histogram(const struct plt_histogram *histogram);

/* A new histogram for g_free, NULL on error. */
struct plt_histogram *plt_blob_read_histogram(const guint8 *data, gsize size, GError **error);

/* What both forms are made of. */
typedef struct {
    const guint8 *next;
    gsize left;
    gboolean bad; /* once set it stays, and every number reads as 0 */
} PltBlobReader;

void plt_blob_put(GByteArray *blob, guint64 value);
void plt_blob_put_signed(GByteArray *blob, guint64 difference);
void plt_blob_put_crc(GByteArray *blob);

/* Starts to read DATA; bad if the version is not VERSION or the CRC does not fit. */
PltBlobReader plt_blob_open(const guint8 *data, gsize size, guint8 version);
guint64 plt_blob_get(PltBlobReader *reader);
guint64 plt_blob_get_signed(PltBlobReader *reader);

guint32 plt_blob_crc(const guint8 *data, gsize size);
