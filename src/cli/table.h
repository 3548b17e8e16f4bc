/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A table of text for the terminal: columns as wide as they need, two blanks between them. */
typedef struct plt_table PltTable;

/*
 * ALIGN has a letter per column: 'l' left, 'r' right, 'f' left and flexible: shortened with "…" when the
 * table would be wider than it may.
 */
PltTable *plt_cli_table_new(const char *align);
void plt_cli_table_free(PltTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltTable, plt_cli_table_free)

/* Adds a row; as many strings as there are columns, NULL counts as "". */
void plt_cli_table_add(PltTable *table, ...);

/* The same with a NULL-terminated list of as many strings. */
void plt_cli_table_add_strv(PltTable *table, const char *const *cells);

/* The text, a line feed after each row, no blanks at line ends. WIDTH columns at most, 0 = any. */
char *plt_cli_table_format(const PltTable *table, guint width);

/* Columns that TEXT takes on a terminal: wide characters two, combining marks none. */
guint plt_cli_text_width(const char *text);

/* TEXT cut to at most WIDTH columns, the last one "…" when it was cut. Newly allocated. */
char *plt_text_shorten(const char *text, guint width);

/* Columns of the terminal on FD, 0 when it is none or does not say. */
guint plt_terminal_width(int fd);
