/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "analysis/score.h"
#include "chart/format.h"
#include "chart/meter.h"
#include "chart/table.h"
#include "report/build.h"
#include "report/cell.h"
#include "report/facts.h"

#define N_OPS 3

/* A row of the card: the cells that share a label, one for each kind of access. */
struct row {
    const char *label;
    const PltCell *cells[N_OPS];
};

/* Rows in order of measuring; a second cell of the same label and kind begins a row of its own. */
static GArray *make_rows(const PltRun *run)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(struct row));

    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = run->cells->pdata[i];
        guint op = MIN((guint)cell->spec.op, N_OPS - 1), r = 0;

        while (r < rows->len) {
            const struct row *row = &g_array_index(rows, struct row, r);

            if (g_strcmp0(row->label, cell->spec.label) == 0 && !row->cells[op])
                break;
            r++;
        }
        if (r == rows->len) {
            struct row row = {.label = cell->spec.label};

            g_array_append_val(rows, row);
        }
        g_array_index(rows, struct row, r).cells[op] = cell;
    }
    return rows;
}

static gboolean has_op(const GArray *rows, guint op)
{
    for (guint i = 0; i < rows->len; i++) {
        if (g_array_index(rows, struct row, i).cells[op])
            return TRUE;
    }
    return FALSE;
}

/* "RND4K Q32T16" -> "RND4K" and "Q32T16": what is accessed, and how deep. */
static void split_label(const char *label, char **head, char **tail)
{
    const char *space = label ? strrchr(label, ' ') : NULL;

    if (space && space[1] == 'Q' && g_ascii_isdigit(space[2])) {
        *head = g_strndup(label, (gsize)(space - label));
        *tail = g_strdup(space + 1);
        return;
    }
    *head = g_strdup(label ? label : "");
    *tail = NULL;
}

static void set_quantity(PltTableCell *out, PltQuantity quantity)
{
    out->value = quantity.number;
    out->unit = g_strdup(quantity.unit);
}

static char *note_for(const PltCell *cell, const PltLanguage *language)
{
    struct plt_summary summary;
    g_auto(PltQuantity) median = {0};
    g_autofree char *spread = NULL;
    PltQuantity quantity;

    if (plt_report_cell_runs(cell, &summary) < 2 || plt_report_cell_is_access_time(cell))
        return NULL;
    /* Its unit stands beside the large figure. */
    median = plt_format_bandwidth(summary.median);
    quantity = plt_format_percent(summary.spread * 100.0);
    spread = plt_quantity_join(&quantity);
    return plt_language_format(language, N_("median %s, spread %s"), median.number, spread, NULL);
}

static void fill_figures(PltTableCell *out, const PltCell *cell, const struct plt_measure *measure)
{
    PltQuantity latency = plt_format_latency(measure->latency.mean_ns);
    PltQuantity iops = plt_format_iops(measure->iops);

    if (plt_report_cell_is_access_time(cell)) {
        PltQuantity bandwidth = plt_format_bandwidth(measure->bandwidth_bps);

        set_quantity(out, latency);
        out->details[0] = plt_quantity_join(&iops);
        out->details[1] = plt_quantity_join(&bandwidth);
        out->fill = plt_meter_latency(measure->latency.mean_ns);
        return;
    }
    set_quantity(out, plt_format_bandwidth(measure->bandwidth_bps));
    out->details[0] = plt_quantity_join(&iops);
    out->details[1] = plt_quantity_join(&latency);
    out->fill = plt_meter_bandwidth(measure->bandwidth_bps);
}

/* A cell without a score: how far it came, and why it has none. */
static void fill_unscored(PltTableCell *out, const PltCell *cell, const PltRun *run,
                          const PltLanguage *language)
{
    const struct plt_measure *partial = plt_report_cell_partial(cell);
    const char *word = plt_report_status_word(run->status, cell->runs->len > 0);
    gboolean failed = run->status == PLT_RUN_FAILED && cell->runs->len > 0;

    if (partial) {
        g_autofree char *after = NULL;
        fill_figures(out, cell, partial);
        after = plt_report_duration(language, partial->seconds);
        out->tone = PLT_TONE_MUTED;
        out->warned = TRUE;
        out->note = plt_language_format(language, failed ? N_("failed after %s") : N_("stopped after %s"),
                                        after, NULL);
        return;
    }
    out->value = g_strdup(plt_language_text(language, word));
    out->tone = failed ? PLT_TONE_BAD : PLT_TONE_MUTED;
    out->warned = failed;
}

static void fill_cell(PltTableCell *out, const PltCell *cell, const PltRun *run, const PltLanguage *language)
{
    const struct plt_measure *measure = plt_report_cell_measure(cell);

    if (!measure) {
        fill_unscored(out, cell, run, language);
        return;
    }
    fill_figures(out, cell, measure);
    out->note = note_for(cell, language);
}

static void fill_table(PltTable *table, const GArray *rows, const PltRun *run, const guint *ops, guint n_ops,
                       const PltLanguage *language)
{
    for (guint i = 0; i < rows->len; i++) {
        const struct row *row = &g_array_index(rows, struct row, i);
        g_autofree char *head = NULL, *tail = NULL;
        guint index;

        split_label(plt_report_row_name(row->label, language), &head, &tail);
        index = plt_table_add_row(table, head, tail);
        for (guint c = 0; c < n_ops; c++) {
            PltTableCell *out = plt_table_cell(table, index, c);

            if (row->cells[ops[c]])
                fill_cell(out, row->cells[ops[c]], run, language);
        }
    }
}

static char *column_title(guint op, const PltRun *run, const PltLanguage *language)
{
    g_autofree char *reads = NULL, *writes = NULL;
    guint mix = plt_facts_mix(run);

    if (op != PLT_CELL_MIX)
        return g_strdup(plt_language_text(language, plt_report_op_word(op)));
    reads = g_strdup_printf("%u", mix);
    writes = g_strdup_printf("%u", 100 - MIN(100u, mix));
    return plt_language_format(language, N_("Mix R%s/W%s"), reads, writes, NULL);
}

/* The score of an AS SSD-style run, where all six of its figures are there. */
static void set_score(PltPicture *picture, const PltRun *run, const PltLanguage *language)
{
    struct plt_score score;
    g_autofree char *read = NULL, *write = NULL, *total = NULL;

    if (g_strcmp0(run->chart, "as-ssd") != 0 || !plt_report_score(run, &score))
        return;
    read = plt_format_number(score.read, 0);
    write = plt_format_number(score.write, 0);
    picture->figure = plt_format_number(score.total, 0);
    /* The score takes the corner; the date goes where the other circumstances are. */
    if (picture->corner && picture->captions->len > 0) {
        char **first = (char **)&picture->captions->pdata[0];
        char *line = g_strjoin(" · ", *first, picture->corner, NULL);

        g_free(*first);
        *first = line;
    }
    picture->figure_label = plt_language_format(language, N_("Score (read %s, write %s)"), read, write, NULL);
}

PltPicture *plt_report_build_card(const PltReportRequest *request, GError **error)
{
    const PltRun *run = request->runs[0];
    const PltLanguage *language = request->language;
    g_autoptr(GArray) rows = make_rows(run);
    PltPicture *picture = NULL;
    guint ops[N_OPS], n_ops = 0;

    if (request->n_runs > 1) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE, _("A card shows one run: name a single one."));
        return NULL;
    }
    if (rows->len == 0) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("This run ended before its first measurement: there is nothing to draw."));
        return NULL;
    }
    picture = plt_report_frame(run, language);
    picture->table = plt_table_new();
    for (guint op = 0; op < N_OPS; op++) {
        g_autofree char *title = column_title(op, run, language);

        if (!has_op(rows, op))
            continue;
        ops[n_ops++] = op;
        plt_table_add_column(picture->table, title, (int)op);
    }
    fill_table(picture->table, rows, run, ops, n_ops, language);
    set_score(picture, run, language);
    g_ptr_array_add(picture->captions,
                    g_strdup(plt_language_text(
                        language, N_("Bars: logarithmic, 0.1 MB/s to 100 GB/s · µs: mean latency"))));
    return picture;
}
