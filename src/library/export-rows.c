/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/export-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define NOTHING "–"

static void row_free(PltExportRow *row)
{
    g_ptr_array_unref(row->cells);
    g_free(row);
}

static gboolean same_workload(const PltCellSpec *a, const PltCellSpec *b)
{
    return a->pattern == b->pattern && a->block == b->block && a->queue == b->queue &&
           a->threads == b->threads && a->sync == b->sync;
}

const PltCell *plt_export_row_cell(const PltExportRow *row, PltCellOp op, guint read_percent)
{
    for (guint i = 0; i < row->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(row->cells, i);
        if (cell->spec.op == op && (op != PLT_CELL_MIX || cell->spec.read_percent == read_percent))
            return cell;
    }
    return NULL;
}

/* A workload that was measured twice gets a second row: nothing is hidden. */
static PltExportRow *row_for(GPtrArray *rows, const PltCellSpec *spec)
{
    for (guint i = 0; i < rows->len; i++) {
        PltExportRow *row = g_ptr_array_index(rows, i);
        if (same_workload(row->spec, spec) && !plt_export_row_cell(row, spec->op, spec->read_percent))
            return row;
    }
    PltExportRow *row = g_new0(PltExportRow, 1);
    row->spec = spec;
    row->cells = g_ptr_array_new();
    g_ptr_array_add(rows, row);
    return row;
}

GPtrArray *plt_export_rows(const PltRun *run)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)row_free);
    for (guint i = 0; i < run->cells->len; i++) {
        PltCell *cell = g_ptr_array_index(run->cells, i);
        g_ptr_array_add(row_for(rows, &cell->spec)->cells, cell);
    }
    return rows;
}

GArray *plt_export_mixes(const PltRun *run)
{
    GArray *percents = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCellSpec *spec = &((PltCell *)g_ptr_array_index(run->cells, i))->spec;
        gboolean known = spec->op != PLT_CELL_MIX;
        for (guint k = 0; k < percents->len; k++)
            known = known || g_array_index(percents, guint, k) == spec->read_percent;
        if (!known)
            g_array_append_val(percents, spec->read_percent);
    }
    return percents;
}

gboolean plt_export_has_op(const PltRun *run, PltCellOp op)
{
    for (guint i = 0; i < run->cells->len; i++) {
        if (((PltCell *)g_ptr_array_index(run->cells, i))->spec.op == op)
            return TRUE;
    }
    return FALSE;
}

guint plt_export_n_scored(const PltCell *cell)
{
    guint n = 0;
    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = g_ptr_array_index(cell->runs, i);
        n += run->complete && !run->warmup;
    }
    return n;
}

gboolean plt_export_range(const PltCell *cell, double *low_bps, double *high_bps)
{
    gboolean any = FALSE;
    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = g_ptr_array_index(cell->runs, i);
        if (!run->complete || run->warmup)
            continue;
        double speed = run->total.bandwidth_bps;
        *low_bps = any ? MIN(*low_bps, speed) : speed;
        *high_bps = any ? MAX(*high_bps, speed) : speed;
        any = TRUE;
    }
    return any;
}

gboolean plt_export_has_repeats(const PltRun *run)
{
    for (guint i = 0; i < run->cells->len; i++) {
        if (plt_export_n_scored(g_ptr_array_index(run->cells, i)) > 1)
            return TRUE;
    }
    return FALSE;
}

gboolean plt_export_latency_known(const struct plt_measure *measure)
{
    return measure->ios > 0 && measure->latency.max_ns > 0 && !isnan(measure->latency.mean_ns);
}

char *plt_export_number(double value, int decimals, gboolean grouped)
{
    if (isnan(value))
        return g_strdup(NOTHING);

    char format[8], buffer[G_ASCII_DTOSTR_BUF_SIZE + DBL_MAX_10_EXP];
    g_snprintf(format, sizeof(format), "%%.%df", decimals);
    g_ascii_formatd(buffer, sizeof(buffer), format, value);
    if (!grouped)
        return g_strdup(buffer);

    GString *text = g_string_new(buffer);
    gssize start = text->str[0] == '-' ? 1 : 0;
    for (gssize i = start + (gssize)strspn(text->str + start, "0123456789") - 3; i > start; i -= 3)
        g_string_insert_c(text, i, ',');
    return g_string_free(text, FALSE);
}

char *plt_export_mbps(double bandwidth_bps)
{
    double mbps = bandwidth_bps / 1e6;
    return plt_export_number(mbps, mbps < 9999.995 ? 2 : 1, TRUE);
}

/* Five digits or so: a histogram is good to 0.8 %, and a mean to the clock's nanosecond. */
char *plt_export_us(double ns)
{
    double us = ns / 1e3;
    return plt_export_number(us, us < 999.995 ? 2 : us < 99999.95 ? 1 : 0, TRUE);
}

void plt_export_columns(const PltCell *cell, char *columns[PLT_EXPORT_COLUMNS])
{
    const PltCellRun *score = cell ? plt_cell_score(cell) : NULL;
    const struct plt_measure *total = score ? &score->total : NULL;
    gboolean timed = total && plt_export_latency_known(total);
    columns[0] = plt_export_mbps(total ? total->bandwidth_bps : NAN);
    columns[1] = plt_export_number(total ? total->iops : NAN, 0, TRUE);
    columns[2] = plt_export_us(timed ? total->latency.mean_ns : NAN);
    columns[3] = plt_export_us(
        timed && total->latency.reliable[PLT_P99] ? total->latency.percentile_ns[PLT_P99] : NAN);
}

char *plt_export_cell_title(const PltCell *cell)
{
    const PltCellSpec *spec = &cell->spec;
    if (spec->op == PLT_CELL_MIX)
        return g_strdup_printf(_("%s %u %% read"), spec->label, spec->read_percent);
    return g_strdup_printf(spec->op == PLT_CELL_READ ? _("%s read") : _("%s write"), spec->label);
}
