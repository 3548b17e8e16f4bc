/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "chart/pyramid.h"

/* 16^8 = 4.3 x 10^9 values fit under the top; what is more is still right, only slower to read. */
#define MAX_LEVELS 8

/* The most pieces that a span falls into: at each level fewer than a fan's on the left and on the right. */
#define MAX_PIECES (2 * PLT_PYRAMID_FAN * (MAX_LEVELS + 1))

struct node {
    double min, max, median;
    gsize count;
};

struct plt_pyramid {
    gboolean uneven;
    double start, step;
    GArray *x; /* double; uneven only */
    GArray *values;
    GArray *levels[MAX_LEVELS]; /* struct node; level 0 has a node for each full fan of values */
};

/* A piece of a span: its median stands for COUNT values. */
struct piece {
    double median;
    gsize count;
};

static PltPyramid *new_pyramid(gboolean uneven)
{
    PltPyramid *pyramid = g_new0(PltPyramid, 1);

    pyramid->uneven = uneven;
    pyramid->values = g_array_new(FALSE, FALSE, sizeof(double));
    if (uneven)
        pyramid->x = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < MAX_LEVELS; i++)
        pyramid->levels[i] = g_array_new(FALSE, FALSE, sizeof(struct node));
    return pyramid;
}

PltPyramid *plt_pyramid_new(double start, double step)
{
    PltPyramid *pyramid = new_pyramid(FALSE);

    pyramid->start = start;
    pyramid->step = step;
    return pyramid;
}

PltPyramid *plt_pyramid_new_uneven(void)
{
    return new_pyramid(TRUE);
}

void plt_pyramid_free(PltPyramid *pyramid)
{
    if (!pyramid)
        return;
    for (guint i = 0; i < MAX_LEVELS; i++)
        g_array_unref(pyramid->levels[i]);
    g_clear_pointer(&pyramid->x, g_array_unref);
    g_array_unref(pyramid->values);
    g_free(pyramid);
}

static double value_at(const PltPyramid *pyramid, gsize i)
{
    return g_array_index(pyramid->values, double, i);
}

static const struct node *node_at(const PltPyramid *pyramid, guint level, gsize i)
{
    return &g_array_index(pyramid->levels[level], struct node, i);
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *pa = a, *pb = b;

    return (pa->median > pb->median) - (pa->median < pb->median);
}

/* Most medians are of one fan or little more, where the calls of qsort cost more than the sorting. */
static void sort_pieces(struct piece *pieces, gsize n)
{
    if (n > 4 * PLT_PYRAMID_FAN) {
        qsort(pieces, n, sizeof *pieces, compare_pieces);
        return;
    }
    for (gsize i = 1; i < n; i++) {
        struct piece piece = pieces[i];
        gsize at = i;

        for (; at > 0 && pieces[at - 1].median > piece.median; at--)
            pieces[at] = pieces[at - 1];
        pieces[at] = piece;
    }
}

/* Sorts PIECES; the mean of the two middle ones where the halves are equally heavy. */
static double weighted_median(struct piece *pieces, gsize n)
{
    gsize total = 0, below = 0;

    sort_pieces(pieces, n);
    for (gsize i = 0; i < n; i++)
        total += pieces[i].count;
    for (gsize i = 0; i < n; i++) {
        below += pieces[i].count;
        if (2 * below == total && i + 1 < n)
            return pieces[i].median / 2.0 + pieces[i + 1].median / 2.0;
        if (2 * below > total)
            return pieces[i].median;
    }
    return n > 0 ? pieces[n - 1].median : NAN;
}

static void take_value(PltSpan *span, struct piece *pieces, gsize *n, double value)
{
    if (isnan(value))
        return;
    span->min = span->count ? MIN(span->min, value) : value;
    span->max = span->count ? MAX(span->max, value) : value;
    span->count++;
    pieces[(*n)++] = (struct piece){value, 1};
}

static void take_node(PltSpan *span, struct piece *pieces, gsize *n, const struct node *node)
{
    if (node->count == 0)
        return;
    span->min = span->count ? MIN(span->min, node->min) : node->min;
    span->max = span->count ? MAX(span->max, node->max) : node->max;
    span->count += node->count;
    pieces[(*n)++] = (struct piece){node->median, node->count};
}

static struct node close_node(const PltSpan *span, struct piece *pieces, gsize n)
{
    return (struct node){.min = span->min,
                         .max = span->max,
                         .median = n ? weighted_median(pieces, n) : NAN,
                         .count = span->count};
}

/* The values have just become a multiple of the fan: closes a node, and one above wherever a fan is full. */
static void close_nodes(PltPyramid *pyramid)
{
    struct piece pieces[PLT_PYRAMID_FAN];
    PltSpan span = {0};
    gsize n = 0, length = pyramid->values->len;
    struct node node;

    for (gsize i = length - PLT_PYRAMID_FAN; i < length; i++)
        take_value(&span, pieces, &n, value_at(pyramid, i));
    node = close_node(&span, pieces, n);
    g_array_append_val(pyramid->levels[0], node);
    for (guint level = 1; level < MAX_LEVELS; level++) {
        gsize below = pyramid->levels[level - 1]->len;

        if (below % PLT_PYRAMID_FAN != 0)
            return;
        span = (PltSpan){0};
        n = 0;
        for (gsize i = below - PLT_PYRAMID_FAN; i < below; i++)
            take_node(&span, pieces, &n, node_at(pyramid, level - 1, i));
        node = close_node(&span, pieces, n);
        g_array_append_val(pyramid->levels[level], node);
    }
}

static void append_value(PltPyramid *pyramid, double value)
{
    g_array_append_val(pyramid->values, value);
    if (pyramid->values->len % PLT_PYRAMID_FAN == 0)
        close_nodes(pyramid);
}

void plt_pyramid_append(PltPyramid *pyramid, double value)
{
    g_return_if_fail(!pyramid->uneven);
    append_value(pyramid, value);
}

void plt_pyramid_append_at(PltPyramid *pyramid, double x, double value)
{
    g_return_if_fail(pyramid->uneven);
    g_return_if_fail(pyramid->x->len == 0 || x >= g_array_index(pyramid->x, double, pyramid->x->len - 1));
    g_array_append_val(pyramid->x, x);
    append_value(pyramid, value);
}

gsize plt_pyramid_length(const PltPyramid *pyramid)
{
    return pyramid->values->len;
}

double plt_pyramid_x(const PltPyramid *pyramid, gsize index)
{
    if (pyramid->uneven)
        return g_array_index(pyramid->x, double, index);
    return pyramid->start + (double)index * pyramid->step;
}

double plt_pyramid_value(const PltPyramid *pyramid, gsize index)
{
    return value_at(pyramid, index);
}

gsize plt_pyramid_find(const PltPyramid *pyramid, double x)
{
    gsize low = 0, high = pyramid->values->len;

    while (low < high) {
        gsize middle = low + (high - low) / 2;

        if (plt_pyramid_x(pyramid, middle) < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * The value of rank K (from 0) of VALUES, which are left with nothing larger before it and nothing smaller
 * behind it: C. A. R. Hoare's FIND. A frame of a panned chart takes some thousand medians; sorting for each
 * of them would take longer than the frame.
 */
static double select_rank(double *values, gssize n, gssize k)
{
    gssize low = 0, high = n - 1;

    while (low < high) {
        double pivot = values[k];
        gssize i = low, j = high;

        while (i <= j) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i <= j) {
                double value = values[i];

                values[i++] = values[j];
                values[j--] = value;
            }
        }
        if (j < k)
            low = i;
        if (k < i)
            high = j;
    }
    return values[k];
}

/* The middle one of VALUES, which it rearranges, or the mean of the two in the middle. */
static double exact_median(double *values, gsize n)
{
    double upper = select_rank(values, (gssize)n, (gssize)(n / 2)), lower = -INFINITY;

    if (n % 2 == 1)
        return upper;
    for (gsize i = 0; i < n / 2; i++)
        lower = MAX(lower, values[i]);
    return lower / 2.0 + upper / 2.0;
}

static PltSpan exact_span(const PltPyramid *pyramid, gsize first, gsize end)
{
    double values[PLT_PYRAMID_EXACT];
    PltSpan span = {0};

    for (gsize i = first; i < end; i++) {
        double value = value_at(pyramid, i);

        if (isnan(value))
            continue;
        span.min = span.count ? MIN(span.min, value) : value;
        span.max = span.count ? MAX(span.max, value) : value;
        values[span.count++] = value;
    }
    if (span.count > 0)
        span.median = exact_median(values, span.count);
    return span;
}

/*
 * Walks up from both ends: what does not fill a node is taken at the level below, the middle one level up.
 * LEVEL -1 are the values. Below each pass FIRST and END count entries of the level.
 */
PltSpan plt_pyramid_span(const PltPyramid *pyramid, gsize first, gsize end)
{
    struct piece pieces[MAX_PIECES];
    PltSpan span = {0};
    gsize n = 0;
    int level = -1;

    end = MIN(end, pyramid->values->len);
    if (first >= end)
        return span;
    if (end - first <= PLT_PYRAMID_EXACT)
        return exact_span(pyramid, first, end);
    for (; level + 1 < MAX_LEVELS && end - first > PLT_PYRAMID_FAN; level++) {
        for (; first % PLT_PYRAMID_FAN != 0; first++) {
            if (level < 0)
                take_value(&span, pieces, &n, value_at(pyramid, first));
            else
                take_node(&span, pieces, &n, node_at(pyramid, level, first));
        }
        for (; end % PLT_PYRAMID_FAN != 0; end--) {
            if (level < 0)
                take_value(&span, pieces, &n, value_at(pyramid, end - 1));
            else
                take_node(&span, pieces, &n, node_at(pyramid, level, end - 1));
        }
        first /= PLT_PYRAMID_FAN;
        end /= PLT_PYRAMID_FAN;
    }
    for (; first < end; first++)
        take_node(&span, pieces, &n, node_at(pyramid, level, first));
    if (n > 0)
        span.median = weighted_median(pieces, n);
    return span;
}

PltSpan plt_pyramid_range(const PltPyramid *pyramid)
{
    return plt_pyramid_span(pyramid, 0, pyramid->values->len);
}
