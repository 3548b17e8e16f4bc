/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include "library/blob.h"

#define TICK_NS G_GUINT64_CONSTANT(100000000)

static GArray *new_samples(void)
{
    return g_array_new(FALSE, FALSE, sizeof(struct plt_sample));
}

static void assert_round_trip(const struct plt_sample *samples, gsize n)
{
    g_autoptr(GByteArray) blob = plt_blob_write_samples(samples, n, TICK_NS);
    g_autoptr(GArray) back = new_samples();
    g_autoptr(GError) error = NULL;
    g_assert_true(plt_blob_read_samples(blob->data, blob->len, back, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(back->len, ==, n);
    for (gsize i = 0; i < n; i++)
        fixture_assert_same_sample(&g_array_index(back, struct plt_sample, i), &samples[i]);
}

static void test_numbers(void)
{
    static const guint64 values[] = {0, 1, 127, 128, 16383, 16384, G_MAXUINT32, G_MAXINT64, G_MAXUINT64};
    static const guint8 expected[] = {0x00, 0xac, 0x02, 0x01, 0x02};
    g_autoptr(GByteArray) blob = g_byte_array_new();
    plt_blob_put(blob, 0);
    plt_blob_put(blob, 300);
    plt_blob_put_signed(blob, G_MAXUINT64); /* -1 */
    plt_blob_put_signed(blob, 1);
    g_assert_cmpmem(blob->data, blob->len, expected, sizeof(expected));

    g_byte_array_set_size(blob, 0);
    for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
        plt_blob_put(blob, values[i]);
        plt_blob_put_signed(blob, values[i]);
    }
    PltBlobReader reader = {.next = blob->data, .left = blob->len};
    for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
        g_assert_cmpuint(plt_blob_get(&reader), ==, values[i]);
        g_assert_cmpuint(plt_blob_get_signed(&reader), ==, values[i]);
    }
    g_assert_false(reader.bad);
    g_assert_cmpuint(reader.left, ==, 0);
    g_assert_cmpuint(plt_blob_get(&reader), ==, 0);
    g_assert_true(reader.bad);
}

static void test_numbers_refused(void)
{
    static const guint8 overlong[] = {0x80, 0x00};
    static const guint8 too_big[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    static const guint8 endless[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00};
    PltBlobReader reader = {.next = overlong, .left = sizeof(overlong)};
    plt_blob_get(&reader);
    g_assert_true(reader.bad);
    reader = (PltBlobReader){.next = too_big, .left = sizeof(too_big)};
    plt_blob_get(&reader);
    g_assert_true(reader.bad);
    reader = (PltBlobReader){.next = endless, .left = sizeof(endless)};
    plt_blob_get(&reader);
    g_assert_true(reader.bad);
}

static void test_crc(void)
{
    /* The check value that every description of CRC-32 (IEEE 802.3) gives. */
    g_assert_cmphex(plt_blob_crc((const guint8 *)"123456789", 9), ==, 0xcbf43926);
}

static void test_typical_samples(void)
{
    struct plt_sample samples[600];
    for (guint i = 0; i < G_N_ELEMENTS(samples); i++)
        samples[i] = fixture_sample(i);
    assert_round_trip(samples, G_N_ELEMENTS(samples));

    g_autoptr(GByteArray) blob = plt_blob_write_samples(samples, 256, TICK_NS);
    g_test_message("%.1f bytes a sample", blob->len / 256.0);
    g_assert_cmpuint(blob->len, <=, 256 * 30);
}

static void test_odd_samples(void)
{
    struct plt_sample samples[8] = {{0}};
    memset(&samples[1], 0xff, sizeof(samples[1]));
    samples[2] = fixture_sample(3);
    samples[3] = fixture_sample(2); /* index goes back */
    samples[4].index = 3;
    samples[4].duration_ns = 12345; /* the short last tick */
    samples[5] = fixture_sample(G_MAXUINT64);
    samples[5].op[PLT_OP_WRITE] = samples[5].op[PLT_OP_READ];
    samples[5].op[PLT_OP_TRIM].lat_max_ns = 1;
    samples[5].op[PLT_OP_FLUSH].ios = G_MAXUINT64;
    samples[6].inflight = G_MAXUINT32;
    samples[7].oldest_ns = 5000000000;
    assert_round_trip(samples, 8);
}

static struct plt_histogram *some_histogram(guint n)
{
    struct plt_histogram *histogram = g_new0(struct plt_histogram, 1);
    plt_histogram_reset(histogram);
    for (guint i = 0; i < n; i++)
        plt_histogram_add(histogram, fixture_sample(i).op[PLT_OP_READ].lat_max_ns);
    return histogram;
}

static void assert_histogram_round_trip(const struct plt_histogram *histogram)
{
    g_autoptr(GByteArray) blob = plt_blob_write_histogram(histogram);
    g_autoptr(GError) error = NULL;
    g_autofree struct plt_histogram *back = plt_blob_read_histogram(blob->data, blob->len, &error);
    g_assert_no_error(error);
    g_assert_cmpmem(back, sizeof(*back), histogram, sizeof(*histogram));
}

static void test_histograms(void)
{
    g_autofree struct plt_histogram *histogram = some_histogram(0);
    assert_histogram_round_trip(histogram);
    g_free(g_steal_pointer(&histogram));
    histogram = some_histogram(5000);
    assert_histogram_round_trip(histogram);
    plt_histogram_add(histogram, 0);
    plt_histogram_add(histogram, G_MAXUINT64);
    assert_histogram_round_trip(histogram);
}

/* TRUE when DATA is refused, properly; FALSE when it still is a whole blob. */
static gboolean refused(const guint8 *data, gsize size, gboolean histogram)
{
    g_autoptr(GError) error = NULL;
    /* An exact copy, so that a sanitizer sees a read one byte too far. */
    g_autofree guint8 *copy = g_memdup2(data, size);
    if (histogram) {
        g_autofree struct plt_histogram *back = plt_blob_read_histogram(copy, size, &error);
        g_assert_true((back == NULL) == (error != NULL));
    } else {
        g_autoptr(GArray) back = new_samples();
        gboolean whole = plt_blob_read_samples(copy, size, back, &error);
        g_assert_true(whole == (error == NULL));
        if (!whole)
            g_assert_cmpuint(back->len, ==, 0);
    }
    if (error)
        g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
    return error != NULL;
}

static void set_crc(guint8 *data, gsize size)
{
    guint32 crc = GUINT32_TO_LE(plt_blob_crc(data, size - 4));
    memcpy(data + size - 4, &crc, 4);
}

static void damage(const GByteArray *blob, gboolean histogram)
{
    for (gsize size = 0; size < blob->len; size++)
        g_assert_true(refused(blob->data, size, histogram));

    g_autofree guint8 *data = g_memdup2(blob->data, blob->len);
    for (gsize bit = 0; bit < blob->len * 8; bit++) {
        data[bit / 8] ^= (guint8)(1 << bit % 8);
        g_assert_true(refused(data, blob->len, histogram));
        data[bit / 8] ^= (guint8)(1 << bit % 8);
    }
    g_assert_false(refused(data, blob->len, histogram));
}

/* Damage that comes with a fitting CRC, as somebody who means harm would send it: any answer but a crash. */
static void attack(const GByteArray *blob, gboolean histogram)
{
    for (gsize size = 5; size < blob->len; size++) {
        g_autofree guint8 *data = g_memdup2(blob->data, size);
        set_crc(data, size);
        refused(data, size, histogram);
    }
    for (guint i = 0; i < 20000; i++) {
        gsize size = (gsize)g_test_rand_int_range(5, (gint32)blob->len + 20);
        g_autofree guint8 *data = g_malloc0(size);
        memcpy(data, blob->data, MIN(size, blob->len));
        for (int n = g_test_rand_int_range(1, 8); n > 0; n--)
            data[g_test_rand_int_range(1, (gint32)size)] = (guint8)g_test_rand_int_range(0, 256);
        set_crc(data, size);
        refused(data, size, histogram);
    }
}

static void test_damaged_samples(void)
{
    struct plt_sample samples[12];
    for (guint i = 0; i < G_N_ELEMENTS(samples); i++)
        samples[i] = fixture_sample(i);
    g_autoptr(GByteArray) blob = plt_blob_write_samples(samples, G_N_ELEMENTS(samples), TICK_NS);
    damage(blob, FALSE);
    attack(blob, FALSE);
}

static void test_damaged_histogram(void)
{
    g_autofree struct plt_histogram *histogram = some_histogram(40);
    g_autoptr(GByteArray) blob = plt_blob_write_histogram(histogram);
    damage(blob, TRUE);
    attack(blob, TRUE);
}

/* A head that promises more than there is. */
static void test_hostile_counts(void)
{
    g_autoptr(GByteArray) samples = g_byte_array_new(), histogram = g_byte_array_new();
    guint8 version = 1;
    g_byte_array_append(samples, &version, 1);
    plt_blob_put(samples, G_MAXUINT64);
    plt_blob_put(samples, TICK_NS);
    plt_blob_put(samples, 4096);
    plt_blob_put_crc(samples);
    g_assert_true(refused(samples->data, samples->len, FALSE));

    g_byte_array_append(histogram, &version, 1);
    plt_blob_put(histogram, PLT_HISTOGRAM_BITS);
    plt_blob_put(histogram, 0);
    plt_blob_put(histogram, 0);
    plt_blob_put(histogram, 1);
    plt_blob_put(histogram, 2);
    plt_blob_put(histogram, 0);
    plt_blob_put(histogram, G_MAXUINT64 - 1); /* the two counts add up to more than 64 bits hold */
    plt_blob_put(histogram, 0);
    plt_blob_put(histogram, 0);
    plt_blob_put_crc(histogram);
    g_assert_true(refused(histogram->data, histogram->len, TRUE));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library/blob/numbers", test_numbers);
    g_test_add_func("/library/blob/numbers-refused", test_numbers_refused);
    g_test_add_func("/library/blob/crc", test_crc);
    g_test_add_func("/library/blob/typical-samples", test_typical_samples);
    g_test_add_func("/library/blob/odd-samples", test_odd_samples);
    g_test_add_func("/library/blob/histograms", test_histograms);
    g_test_add_func("/library/blob/damaged-samples", test_damaged_samples);
    g_test_add_func("/library/blob/damaged-histogram", test_damaged_histogram);
    g_test_add_func("/library/blob/hostile-counts", test_hostile_counts);
    return g_test_run();
}
