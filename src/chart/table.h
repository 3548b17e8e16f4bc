/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/picture.h"

/*
 * A table as a picture: text tables (a drive's power states, specification against result) and the grid of
 * figures with fill bars of a quick test. Rows are filled with plt_table_add_row and plt_table_cell.
 */
typedef struct {
    char *value;      /* the figure: "7,012" */
    char *unit;       /* beside it, smaller: "MB/s"; or NULL */
    char *details[2]; /* smaller figures: "6,687 IOPS", "1,195 µs"; or NULL */
    char *note;       /* discreet, where there is room: "median 6,990"; or NULL */
    double fill;      /* length of the bar, 0..1; negative: no bar in this cell */
    PltTone tone;
    gboolean warned; /* a warning sign stands before the value */
} PltTableCell;

typedef struct {
    char *label;  /* "SEQ1M" */
    char *detail; /* "Q8 T1"; or NULL */
    PltTableCell *cells;
} PltTableRow;

typedef struct {
    char *title;
    int style; /* which series style the bars have; -1 = none: a column of text */
} PltTableColumn;

struct plt_table {
    GArray *columns; /* PltTableColumn */
    GArray *rows;    /* PltTableRow, each with as many cells as there are columns */
};

PltTable *plt_table_new(void);
void plt_table_free(PltTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltTable, plt_table_free)

/* All columns come before the first row. Texts are copied. */
void plt_table_add_column(PltTable *table, const char *title, int style);
guint plt_table_add_row(PltTable *table, const char *label, const char *detail);

/* The cell to fill in; belongs to TABLE, and its texts are freed with it. */
PltTableCell *plt_table_cell(PltTable *table, guint row, guint column);

void plt_table_draw(const PltTable *table, PltCanvas *canvas, PltRect area);
