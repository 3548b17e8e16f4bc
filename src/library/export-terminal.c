/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/export.h"

#include <glib/gi18n-lib.h>

#include "library/export-analysis.h"
#include "library/export-facts.h"
#include "library/export-rows.h"
#include "library/grid.h"

#define COLUMNS 100

/* Leaves 15 for each of the four figures beside it. */
#define LABEL_COLUMNS 32

/* Which cells stand side by side in one table. */
typedef struct {
    PltCellOp op;
    guint read_percent;
} Group;

static char *group_title(const Group *group)
{
    if (group->op == PLT_CELL_MIX)
        return g_strdup_printf(_("%u %% read MB/s"), group->read_percent);
    return g_strdup(group->op == PLT_CELL_READ ? _("Read MB/s") : _("Write MB/s"));
}

static void add_titles(PltGrid *grid, const Group *groups, guint n_groups)
{
    plt_grid_add(grid, _("Cell"));
    for (guint i = 0; i < n_groups; i++) {
        plt_grid_take(grid, group_title(&groups[i]));
        plt_grid_add(grid, "IOPS");
        plt_grid_add(grid, _("mean µs"));
        plt_grid_add(grid, _("p99 µs"));
    }
}

static void add_row(PltGrid *grid, const PltExportRow *row, const Group *groups, guint n_groups)
{
    gboolean any = FALSE;
    for (guint i = 0; i < n_groups; i++)
        any = any || plt_export_row_cell(row, groups[i].op, groups[i].read_percent);
    if (!any)
        return;
    plt_grid_take(grid, plt_grid_shorten(row->spec->label, LABEL_COLUMNS));
    for (guint i = 0; i < n_groups; i++) {
        char *columns[PLT_EXPORT_COLUMNS];
        plt_export_columns(plt_export_row_cell(row, groups[i].op, groups[i].read_percent), columns);
        for (int k = 0; k < PLT_EXPORT_COLUMNS; k++)
            plt_grid_take(grid, columns[k]);
    }
}

static PltGrid *grid_of(GPtrArray *rows, const Group *groups, guint n_groups)
{
    PltGrid *grid = plt_grid_new(1 + n_groups * PLT_EXPORT_COLUMNS);
    add_titles(grid, groups, n_groups);
    for (guint i = 0; i < rows->len; i++)
        add_row(grid, g_ptr_array_index(rows, i), groups, n_groups);
    return grid;
}

/* Reads and writes side by side where that fits, else below each other. */
static void add_tables(GString *text, const PltRun *run)
{
    static const Group both[] = {{PLT_CELL_READ, 100}, {PLT_CELL_WRITE, 0}};
    g_autoptr(GPtrArray) rows = plt_export_rows(run);
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(Group));
    g_autoptr(GArray) mixes = plt_export_mixes(run);
    gboolean reads = plt_export_has_op(run, PLT_CELL_READ), writes = plt_export_has_op(run, PLT_CELL_WRITE);
    g_autoptr(PltGrid) wide = reads && writes ? grid_of(rows, both, 2) : NULL;
    if (wide && plt_grid_width(wide) <= COLUMNS) {
        plt_grid_append(wide, text);
        g_string_append_c(text, '\n');
    } else {
        if (reads)
            g_array_append_val(groups, both[0]);
        if (writes)
            g_array_append_val(groups, both[1]);
    }
    for (guint i = 0; i < mixes->len; i++) {
        Group mix = {PLT_CELL_MIX, g_array_index(mixes, guint, i)};
        g_array_append_val(groups, mix);
    }
    for (guint i = 0; i < groups->len; i++) {
        g_autoptr(PltGrid) grid = grid_of(rows, &g_array_index(groups, Group, i), 1);
        plt_grid_append(grid, text);
        g_string_append_c(text, '\n');
    }
}

/* How far the runs of each cell lie apart. */
static void add_spread(GString *text, const PltRun *run)
{
    g_autoptr(PltGrid) grid = plt_grid_new(6);
    plt_grid_add(grid, _("Runs of a cell"));
    plt_grid_add(grid, _("n"));
    plt_grid_add(grid, _("Lowest MB/s"));
    plt_grid_add(grid, _("Median"));
    plt_grid_add(grid, _("Highest"));
    plt_grid_add(grid, _("Spread"));
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(run->cells, i);
        double low, high;
        if (plt_export_n_scored(cell) < 2 || !plt_export_range(cell, &low, &high))
            continue;
        g_autofree char *spread = plt_export_number(plt_cell_spread_percent(cell), 1, FALSE);
        g_autofree char *title = plt_export_cell_title(cell);
        plt_grid_take(grid, plt_grid_shorten(title, LABEL_COLUMNS));
        plt_grid_take(grid, g_strdup_printf("%u", plt_export_n_scored(cell)));
        plt_grid_take(grid, plt_export_mbps(low));
        plt_grid_take(grid, plt_export_mbps(plt_cell_median_bps(cell)));
        plt_grid_take(grid, plt_export_mbps(high));
        plt_grid_take(grid, g_strdup_printf("%s %%", spread));
    }
    plt_grid_append(grid, text);
    g_string_append_c(text, '\n');
}

/* The tables of the analysis: title, grid, sentences. */
static void add_analysis(GString *text, const PltRun *run)
{
    g_autoptr(GPtrArray) tables = plt_export_analysis(run);
    for (guint i = 0; i < tables->len; i++) {
        const PltExportTable *table = g_ptr_array_index(tables, i);
        g_autoptr(PltGrid) grid = plt_grid_new(table->n_columns);
        for (guint k = 0; k < table->cells->len; k++)
            plt_grid_add(grid, g_ptr_array_index(table->cells, k));
        g_string_append_printf(text, "%s\n", table->title);
        plt_grid_append(grid, text);
        for (guint k = 0; k < table->notes->len; k++)
            plt_grid_append_wrapped(text, g_ptr_array_index(table->notes, k), COLUMNS, 0);
        g_string_append_c(text, '\n');
    }
}

static void add_facts(GString *text, const PltRun *run)
{
    g_autoptr(GPtrArray) facts = plt_export_facts(run);
    guint width = 0;
    for (guint i = 0; i < facts->len; i++)
        width = MAX(width, plt_grid_text_width(((PltExportFact *)g_ptr_array_index(facts, i))->label));
    for (guint i = 0; i < facts->len; i++) {
        const PltExportFact *fact = g_ptr_array_index(facts, i);
        g_string_append(text, fact->label);
        for (guint fill = plt_grid_text_width(fact->label); fill < width + 2; fill++)
            g_string_append_c(text, ' ');
        plt_grid_append_wrapped(text, fact->text, COLUMNS, width + 2);
    }
}

char *plt_export_terminal(const PltRun *run)
{
    GString *text = g_string_new(NULL);
    if (run->cells->len > 0)
        add_tables(text, run);
    if (plt_export_has_repeats(run))
        add_spread(text, run);
    add_analysis(text, run);
    add_facts(text, run);
    return g_string_free(text, FALSE);
}
