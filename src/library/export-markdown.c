/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/export.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "library/document.h"
#include "library/export-analysis.h"
#include "library/export-facts.h"
#include "library/export-rows.h"

/* TEXT with what Markdown would take for markup escaped, on one line. */
static char *escape(const char *text)
{
    GString *out = g_string_new(NULL);
    for (; *text; text++) {
        if (g_ascii_iscntrl(*text)) {
            g_string_append_c(out, ' ');
            continue;
        }
        if (strchr("\\`*_[]<>|#~", *text))
            g_string_append_c(out, '\\');
        g_string_append_c(out, *text);
    }
    return g_string_free(out, FALSE);
}

static void add_cell_columns(GString *text, const PltCell *cell)
{
    char *columns[PLT_EXPORT_COLUMNS];
    plt_export_columns(cell, columns);
    for (int i = 0; i < PLT_EXPORT_COLUMNS; i++) {
        g_string_append_printf(text, " %s |", columns[i]);
        g_free(columns[i]);
    }
}

static void add_column_titles(GString *text, const char *first)
{
    g_string_append_printf(text, " %s | IOPS | %s | %s |", first, _("mean µs"), _("p99 µs"));
}

static void add_alignment(GString *text, int n_columns)
{
    g_string_append(text, "\n|:--|");
    for (int i = 0; i < n_columns; i++)
        g_string_append(text, "--:|");
    g_string_append_c(text, '\n');
}

static void add_label(GString *text, const PltCellSpec *spec)
{
    g_autofree char *label = escape(spec->label);
    g_string_append_printf(text, "| %s |", label);
}

static void add_main_table(GString *text, const PltRun *run, GPtrArray *rows)
{
    gboolean reads = plt_export_has_op(run, PLT_CELL_READ), writes = plt_export_has_op(run, PLT_CELL_WRITE);
    if (!reads && !writes)
        return;
    g_string_append_printf(text, "| %s |", _("Cell"));
    if (reads)
        add_column_titles(text, _("Read MB/s"));
    if (writes)
        add_column_titles(text, _("Write MB/s"));
    add_alignment(text, (reads + writes) * PLT_EXPORT_COLUMNS);
    for (guint i = 0; i < rows->len; i++) {
        const PltExportRow *row = g_ptr_array_index(rows, i);
        const PltCell *read = plt_export_row_cell(row, PLT_CELL_READ, 100);
        const PltCell *write = plt_export_row_cell(row, PLT_CELL_WRITE, 0);
        if (!read && !write)
            continue;
        add_label(text, row->spec);
        if (reads)
            add_cell_columns(text, read);
        if (writes)
            add_cell_columns(text, write);
        g_string_append_c(text, '\n');
    }
    g_string_append_c(text, '\n');
}

static void add_mix_table(GString *text, GPtrArray *rows, guint percent)
{
    g_string_append_printf(text, "| %s |", _("Cell"));
    g_autofree char *title = g_strdup_printf(_("%u %% read MB/s"), percent);
    add_column_titles(text, title);
    add_alignment(text, PLT_EXPORT_COLUMNS);
    for (guint i = 0; i < rows->len; i++) {
        const PltExportRow *row = g_ptr_array_index(rows, i);
        const PltCell *cell = plt_export_row_cell(row, PLT_CELL_MIX, percent);
        if (!cell)
            continue;
        add_label(text, row->spec);
        add_cell_columns(text, cell);
        g_string_append_c(text, '\n');
    }
    g_string_append_c(text, '\n');
}

/* "7012.34 6990.12": the runs in the order of measuring; a warm-up in brackets, an unfinished one with "…".
 */
static char *runs_text(const PltCell *cell)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = g_ptr_array_index(cell->runs, i);
        g_autofree char *mbps = plt_export_mbps(run->total.bandwidth_bps);
        g_string_append_printf(text, run->warmup ? "%s(%s%s)" : "%s%s%s", i > 0 ? " " : "", mbps,
                               run->complete ? "" : "…");
    }
    return g_string_free(text, FALSE);
}

static void add_runs_table(GString *text, const PltRun *run)
{
    g_string_append_printf(text, "| %s | %s | %s | %s |", _("Cell"), _("Median MB/s"), _("Spread %"),
                           _("Every run, MB/s (warm-ups in brackets)"));
    add_alignment(text, 3);
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(run->cells, i);
        g_autofree char *plain = plt_export_cell_title(cell);
        g_autofree char *title = escape(plain);
        g_autofree char *median = plt_export_mbps(plt_cell_median_bps(cell));
        double percent = plt_export_n_scored(cell) > 1 ? plt_cell_spread_percent(cell) : NAN;
        g_autofree char *spread = plt_export_number(percent, 1, FALSE);
        g_autofree char *runs = runs_text(cell);
        g_string_append_printf(text, "| %s | %s | %s | %s |\n", title, median, spread, runs);
    }
    g_string_append_c(text, '\n');
}

static void add_analysis_row(GString *text, const PltExportTable *table, guint row)
{
    g_string_append_c(text, '|');
    for (guint i = 0; i < table->n_columns; i++) {
        g_autofree char *cell = escape(g_ptr_array_index(table->cells, row * table->n_columns + i));
        g_string_append_printf(text, " %s |", cell);
    }
}

static void add_analysis(GString *text, const PltRun *run)
{
    g_autoptr(GPtrArray) tables = plt_export_analysis(run);
    for (guint i = 0; i < tables->len; i++) {
        const PltExportTable *table = g_ptr_array_index(tables, i);
        g_autofree char *title = escape(table->title);
        g_string_append_printf(text, "**%s**\n\n", title);
        for (guint row = 0; row < table->cells->len / table->n_columns; row++) {
            add_analysis_row(text, table, row);
            if (row == 0)
                add_alignment(text, (int)table->n_columns - 1);
            else
                g_string_append_c(text, '\n');
        }
        g_string_append_c(text, '\n');
        for (guint k = 0; k < table->notes->len; k++) {
            g_autofree char *note = escape(g_ptr_array_index(table->notes, k));
            g_string_append_printf(text, "%s\n\n", note);
        }
    }
}

static void add_heading(GString *text, const PltRun *run)
{
    g_autofree char *model = plt_document_drive(run->drive);
    const char *suite = plt_export_suite_name(run);
    g_autofree char *plain = run->title ? g_strdup(run->title)
                             : model    ? g_strdup_printf("%s: %s", model, suite)
                                        : g_strdup(suite);
    g_autofree char *heading = escape(plain);
    g_string_append_printf(text, "### %s\n\n", heading);
}

char *plt_export_markdown(const PltRun *run)
{
    GString *text = g_string_new(NULL);
    g_autoptr(GPtrArray) rows = plt_export_rows(run);
    g_autoptr(GArray) mixes = plt_export_mixes(run);
    add_heading(text, run);
    add_main_table(text, run, rows);
    for (guint i = 0; i < mixes->len; i++)
        add_mix_table(text, rows, g_array_index(mixes, guint, i));
    if (plt_export_has_repeats(run))
        add_runs_table(text, run);
    add_analysis(text, run);

    g_autoptr(GPtrArray) facts = plt_export_facts(run);
    for (guint i = 0; i < facts->len; i++) {
        const PltExportFact *fact = g_ptr_array_index(facts, i);
        g_autofree char *value = escape(fact->text);
        g_string_append_printf(text, "- **%s:** %s\n", fact->label, value);
    }
    return g_string_free(text, FALSE);
}
