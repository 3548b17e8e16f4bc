/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "chart/chart.h"
#include "chart/format.h"
#include "report/build.h"
#include "report/cell.h"

#define N_OPS 2

/* From the block size on where this share of the best is reached, larger blocks gain nothing that is felt. */
#define SATURATED 0.95

struct stair {
    guint32 block;
    double bps[N_OPS]; /* NAN where it was not measured */
};

static int compare_stairs(gconstpointer a, gconstpointer b)
{
    guint32 x = ((const struct stair *)a)->block, y = ((const struct stair *)b)->block;

    return (x > y) - (x < y);
}

static gboolean same_load(const PltCellSpec *a, const PltCellSpec *b)
{
    return a->pattern == b->pattern && a->queue == b->queue && a->threads == b->threads;
}

static struct stair *stair_for(GArray *stairs, guint32 block)
{
    struct stair fresh = {block, {NAN, NAN}};

    for (guint i = 0; i < stairs->len; i++) {
        if (g_array_index(stairs, struct stair, i).block == block)
            return &g_array_index(stairs, struct stair, i);
    }
    g_array_append_val(stairs, fresh);
    return &g_array_index(stairs, struct stair, stairs->len - 1);
}

/* The block sizes of the cells that load the drive as LIKE does; the first of two cells alike counts. */
static GArray *stairs_like(const PltRun *run, const PltCellSpec *like)
{
    GArray *stairs = g_array_new(FALSE, FALSE, sizeof(struct stair));

    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = run->cells->pdata[i];
        const struct plt_measure *measure = plt_report_cell_measure(cell);
        struct stair *stair = NULL;

        if (cell->spec.op >= N_OPS || cell->spec.block == 0 || !same_load(&cell->spec, like))
            continue;
        stair = stair_for(stairs, cell->spec.block);
        if (measure && isnan(stair->bps[cell->spec.op]))
            stair->bps[cell->spec.op] = measure->bandwidth_bps;
    }
    g_array_sort(stairs, compare_stairs);
    return stairs;
}

/* The longest staircase of RUN: sizes of one load only, since queue depths differ more than sizes do. */
static GArray *make_stairs(const PltRun *run)
{
    GArray *longest = g_array_new(FALSE, FALSE, sizeof(struct stair));

    for (guint i = 0; i < run->cells->len; i++) {
        GArray *stairs = stairs_like(run, &((const PltCell *)run->cells->pdata[i])->spec);

        if (stairs->len > longest->len) {
            g_array_unref(longest);
            longest = stairs;
        } else {
            g_array_unref(stairs);
        }
    }
    return longest;
}

static gsize measured(const GArray *stairs, guint op)
{
    gsize n = 0;

    for (guint i = 0; i < stairs->len; i++)
        n += !isnan(g_array_index(stairs, struct stair, i).bps[op]);
    return n;
}

static void add_bars(PltChart *chart, const GArray *stairs, guint op, const char *name)
{
    PltPyramid *data = plt_pyramid_new_uneven();
    PltSeries *series = NULL;

    for (guint i = 0; i < stairs->len; i++) {
        const struct stair *stair = &g_array_index(stairs, struct stair, i);

        plt_pyramid_append_at(data, stair->block, stair->bps[op]);
    }
    series = plt_chart_add_series(chart, PLT_SERIES_BARS, name, op, data);
    series->labels_always = TRUE;
    for (guint i = 0; i < stairs->len; i++) {
        PltQuantity quantity = plt_format_bandwidth(g_array_index(stairs, struct stair, i).bps[op]);

        plt_series_add_label(series, quantity.number);
        plt_quantity_clear(&quantity);
    }
}

/* "Read: 95 % of its best, 7,012 MB/s, from 128K on" */
static char *saturation(const GArray *stairs, guint op, const char *name, const PltLanguage *language)
{
    g_autofree char *best_text = NULL, *block = NULL;
    double best = 0.0;
    PltQuantity quantity;

    for (guint i = 0; i < stairs->len; i++) {
        double bps = g_array_index(stairs, struct stair, i).bps[op];

        best = bps > best ? bps : best;
    }
    quantity = plt_format_bandwidth(best);
    best_text = plt_quantity_join(&quantity);
    for (guint i = 0; i < stairs->len && !block; i++) {
        if (g_array_index(stairs, struct stair, i).bps[op] >= SATURATED * best)
            block = plt_format_block(g_array_index(stairs, struct stair, i).block);
    }
    return plt_language_format(language, N_("%s: best %s, 95 %% of it from %s on"), name, best_text, block,
                               NULL);
}

/* The ends half a step beyond the first and the last size, so that their bars stand inside. */
static void set_ends(PltAxis *axis, const GArray *stairs)
{
    axis->from = g_array_index(stairs, struct stair, 0).block * M_SQRT1_2;
    axis->to = g_array_index(stairs, struct stair, stairs->len - 1).block * M_SQRT2;
}

static PltChart *make_chart(const GArray *stairs, PltPicture *picture, const PltLanguage *language)
{
    PltChart *chart =
        plt_chart_new(PLT_SCALE_LOG2, PLT_UNIT_BLOCK, plt_language_text(language, N_("Block size")),
                      PLT_SCALE_LINEAR, PLT_UNIT_BANDWIDTH, plt_language_text(language, N_("Throughput")));
    GString *line = g_string_new(NULL);

    for (guint op = 0; op < N_OPS; op++) {
        const char *name = plt_language_text(language, plt_report_op_word(op));
        g_autofree char *text = NULL;

        if (measured(stairs, op) == 0)
            continue;
        add_bars(chart, stairs, op, name);
        text = saturation(stairs, op, name, language);
        g_string_append_printf(line, "%s%s", line->len > 0 ? " · " : "", text);
    }
    set_ends(&chart->x, stairs);
    g_ptr_array_insert(picture->captions, 0, g_string_free(line, FALSE));
    return chart;
}

PltPicture *plt_report_build_blocksize(const PltReportRequest *request, GError **error)
{
    const PltLanguage *language = request->language;
    g_autoptr(GArray) stairs = make_stairs(request->runs[0]);
    PltPicture *picture = NULL;
    PltChart *chart = NULL;

    if (request->n_runs > 1) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("A block-size chart shows one run: name a single one."));
        return NULL;
    }
    if (stairs->len < 2 || measured(stairs, 0) + measured(stairs, 1) == 0) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("This run did not measure several block sizes: choose the card."));
        return NULL;
    }
    picture = plt_report_frame(request->runs[0], language);
    chart = make_chart(stairs, picture, language);
    plt_report_set_words(chart, language);
    g_ptr_array_add(picture->charts, chart);
    return picture;
}
