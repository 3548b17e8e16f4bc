/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include "chart/table.h"

static void clear_row(PltTable *table, PltTableRow *row)
{
    g_free(row->label);
    g_free(row->detail);
    for (guint i = 0; i < table->columns->len; i++) {
        PltTableCell *cell = &row->cells[i];

        g_free(cell->value);
        g_free(cell->unit);
        g_free(cell->details[0]);
        g_free(cell->details[1]);
        g_free(cell->note);
    }
    g_free(row->cells);
}

PltTable *plt_table_new(void)
{
    PltTable *table = g_new0(PltTable, 1);

    table->columns = g_array_new(FALSE, TRUE, sizeof(PltTableColumn));
    table->rows = g_array_new(FALSE, TRUE, sizeof(PltTableRow));
    return table;
}

void plt_table_free(PltTable *table)
{
    if (!table)
        return;
    for (guint i = 0; i < table->rows->len; i++)
        clear_row(table, &g_array_index(table->rows, PltTableRow, i));
    for (guint i = 0; i < table->columns->len; i++)
        g_free(g_array_index(table->columns, PltTableColumn, i).title);
    g_array_unref(table->rows);
    g_array_unref(table->columns);
    g_free(table);
}

void plt_table_add_column(PltTable *table, const char *title, int style)
{
    PltTableColumn column = {.title = g_strdup(title), .style = style};

    g_return_if_fail(table->rows->len == 0);
    g_array_append_val(table->columns, column);
}

guint plt_table_add_row(PltTable *table, const char *label, const char *detail)
{
    PltTableRow row = {.label = g_strdup(label), .detail = g_strdup(detail)};

    row.cells = g_new0(PltTableCell, table->columns->len);
    for (guint i = 0; i < table->columns->len; i++)
        row.cells[i].fill = -1.0;
    g_array_append_val(table->rows, row);
    return table->rows->len - 1;
}

PltTableCell *plt_table_cell(PltTable *table, guint row, guint column)
{
    g_return_val_if_fail(row < table->rows->len && column < table->columns->len, NULL);
    return &g_array_index(table->rows, PltTableRow, row).cells[column];
}
