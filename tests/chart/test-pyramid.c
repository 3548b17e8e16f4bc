/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "chart/pyramid.h"

#define LONG 10000000

/* The same sequence on every machine. */
static double noise(guint64 *state)
{
    *state = *state * G_GUINT64_CONSTANT(6364136223846793005) + G_GUINT64_CONSTANT(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double true_median(const double *values, gsize n)
{
    g_autofree double *sorted = g_memdup2(values, n * sizeof *values);

    qsort(sorted, n, sizeof *sorted, compare);
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

static void test_small(void)
{
    g_autoptr(PltPyramid) pyramid = plt_pyramid_new(10.0, 0.5);
    static const double values[] = {5.0, NAN, 1.0, 9.0, 3.0};
    PltSpan span;

    for (guint i = 0; i < G_N_ELEMENTS(values); i++)
        plt_pyramid_append(pyramid, values[i]);
    g_assert_cmpuint(plt_pyramid_length(pyramid), ==, 5);
    g_assert_cmpfloat(plt_pyramid_x(pyramid, 3), ==, 11.5);
    g_assert_cmpuint(plt_pyramid_find(pyramid, 11.2), ==, 3);
    g_assert_cmpuint(plt_pyramid_find(pyramid, 0.0), ==, 0);
    g_assert_cmpuint(plt_pyramid_find(pyramid, 99.0), ==, 5);
    span = plt_pyramid_range(pyramid);
    g_assert_cmpuint(span.count, ==, 4);
    g_assert_cmpfloat(span.min, ==, 1.0);
    g_assert_cmpfloat(span.max, ==, 9.0);
    g_assert_cmpfloat(span.median, ==, 4.0);
    g_assert_cmpuint(plt_pyramid_span(pyramid, 1, 2).count, ==, 0);
    g_assert_cmpuint(plt_pyramid_span(pyramid, 4, 4).count, ==, 0);
    g_assert_cmpuint(plt_pyramid_span(pyramid, 3, 99).count, ==, 2);
}

/* Spans of every alignment against counting them out, while the series grows as in a live chart. */
static void test_every_span(void)
{
    g_autoptr(PltPyramid) pyramid = plt_pyramid_new(0.0, 1.0);
    g_autofree double *values = g_new(double, 9000);
    guint64 state = 1;

    for (guint n = 0; n < 9000; n++) {
        values[n] = noise(&state);
        plt_pyramid_append(pyramid, values[n]);
    }
    for (guint trial = 0; trial < 4000; trial++) {
        gsize a = (gsize)(noise(&state) * 9000.0), b = (gsize)(noise(&state) * 9001.0);
        gsize first = MIN(a, b), end = MAX(a, b);
        double min = INFINITY, max = -INFINITY;
        PltSpan span = plt_pyramid_span(pyramid, first, end);

        for (gsize i = first; i < end; i++) {
            min = MIN(min, values[i]);
            max = MAX(max, values[i]);
        }
        g_assert_cmpuint(span.count, ==, end - first);
        if (span.count == 0)
            continue;
        g_assert_cmpfloat(span.min, ==, min);
        g_assert_cmpfloat(span.max, ==, max);
        if (end - first <= PLT_PYRAMID_EXACT)
            g_assert_cmpfloat_with_epsilon(span.median, true_median(values + first, end - first), 1e-12);
        else
            g_assert_cmpfloat_with_epsilon(span.median, 0.5, 0.12);
    }
}

/* Ten million points: the one spike and the one dip are in their pixel columns and nowhere else. */
static void test_long(void)
{
    g_autoptr(PltPyramid) pyramid = plt_pyramid_new(0.0, 0.1);
    const gsize spike = 7654321, dip = 1234567, columns = 1100;
    guint64 state = 7;
    gsize counted = 0;

    for (gsize i = 0; i < LONG; i++)
        plt_pyramid_append(pyramid, i == spike ? 50.0 : i == dip ? -50.0 : noise(&state));
    for (gsize c = 0; c < columns; c++) {
        gsize first = LONG * c / columns, end = LONG * (c + 1) / columns;
        PltSpan span = plt_pyramid_span(pyramid, first, end);

        counted += span.count;
        g_assert_true((span.max == 50.0) == (spike >= first && spike < end));
        g_assert_true((span.min == -50.0) == (dip >= first && dip < end));
        g_assert_cmpfloat_with_epsilon(span.median, 0.5, 0.06);
    }
    g_assert_cmpuint(counted, ==, LONG);
    g_assert_cmpfloat(plt_pyramid_range(pyramid).max, ==, 50.0);
    g_assert_cmpfloat(plt_pyramid_range(pyramid).min, ==, -50.0);
}

static void test_holes(void)
{
    g_autoptr(PltPyramid) pyramid = plt_pyramid_new(0.0, 1.0);
    PltSpan span;

    for (guint i = 0; i < 5000; i++)
        plt_pyramid_append(pyramid, i < 4000 ? NAN : 2.0);
    span = plt_pyramid_range(pyramid);
    g_assert_cmpuint(span.count, ==, 1000);
    g_assert_cmpfloat(span.min, ==, 2.0);
    g_assert_cmpfloat(span.median, ==, 2.0);
    g_assert_cmpuint(plt_pyramid_span(pyramid, 0, 4000).count, ==, 0);
}

static void test_uneven(void)
{
    g_autoptr(PltPyramid) pyramid = plt_pyramid_new_uneven();

    plt_pyramid_append_at(pyramid, 1.0, 10.0);
    plt_pyramid_append_at(pyramid, 1.0, 11.0);
    plt_pyramid_append_at(pyramid, 4.0, 12.0);
    g_assert_cmpuint(plt_pyramid_find(pyramid, 1.0), ==, 0);
    g_assert_cmpuint(plt_pyramid_find(pyramid, 1.5), ==, 2);
    g_assert_cmpfloat(plt_pyramid_x(pyramid, 2), ==, 4.0);
    g_assert_cmpfloat(plt_pyramid_value(pyramid, 1), ==, 11.0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chart/pyramid/small", test_small);
    g_test_add_func("/chart/pyramid/every-span", test_every_span);
    g_test_add_func("/chart/pyramid/long", test_long);
    g_test_add_func("/chart/pyramid/holes", test_holes);
    g_test_add_func("/chart/pyramid/uneven", test_uneven);
    return g_test_run();
}
