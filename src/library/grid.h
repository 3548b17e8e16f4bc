/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Text in columns, as wide as their widest cell on a terminal. The first column is left-aligned, the others
 * right. */
typedef struct plt_grid PltGrid;

PltGrid *plt_grid_new(guint n_columns);
void plt_grid_free(PltGrid *grid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltGrid, plt_grid_free)

/* The next cell, left to right and top to bottom. Takes TEXT. */
void plt_grid_take(PltGrid *grid, char *text);
void plt_grid_add(PltGrid *grid, const char *text);

/* Columns of the widest line. */
guint plt_grid_width(const PltGrid *grid);

/* The lines, with a rule under the first. */
void plt_grid_append(const PltGrid *grid, GString *out);

/* Columns that TEXT takes on a terminal: wide characters two, combining marks none. */
guint plt_grid_text_width(const char *text);

/* TEXT cut to at most WIDTH columns, the last one "…" when it was cut. */
char *plt_grid_shorten(const char *text, guint width);

/*
 * TEXT broken at blanks, and a word that is longer than a line inside it, into lines of at most WIDTH
 * columns; all but the first begin with INDENT blanks, and the first is taken to have as many already.
 */
void plt_grid_append_wrapped(GString *out, const char *text, guint width, guint indent);
