/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "cli/table.h"

#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define GAP 2
/* A flexible column is never cut below this: rather a line that wraps than a name that says nothing. */
#define MIN_FLEXIBLE 12

struct plt_table {
    char *align;
    guint n_columns;
    GPtrArray *rows; /* GStrv */
};

PltTable *plt_cli_table_new(const char *align)
{
    PltTable *table = g_new0(PltTable, 1);

    table->align = g_strdup(align);
    table->n_columns = (guint)strlen(align);
    table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    return table;
}

void plt_cli_table_free(PltTable *table)
{
    g_free(table->align);
    g_ptr_array_unref(table->rows);
    g_free(table);
}

void plt_cli_table_add(PltTable *table, ...)
{
    char **row = g_new0(char *, table->n_columns + 1);
    va_list args;

    va_start(args, table);
    for (guint i = 0; i < table->n_columns; i++) {
        const char *text = va_arg(args, const char *);

        row[i] = g_strdelimit(g_utf8_make_valid(text != NULL ? text : "", -1), "\r\n\t", ' ');
    }
    va_end(args);
    g_ptr_array_add(table->rows, row);
}

void plt_cli_table_add_strv(PltTable *table, const char *const *cells)
{
    char **row = g_new0(char *, table->n_columns + 1);

    for (guint i = 0; i < table->n_columns; i++)
        row[i] = g_strdelimit(g_utf8_make_valid(cells[i], -1), "\r\n\t", ' ');
    g_ptr_array_add(table->rows, row);
}

static guint char_width(gunichar c)
{
    if (g_unichar_iszerowidth(c))
        return 0;
    return g_unichar_iswide(c) ? 2 : 1;
}

guint plt_cli_text_width(const char *text)
{
    guint width = 0;

    for (; *text != '\0'; text = g_utf8_next_char(text))
        width += char_width(g_utf8_get_char(text));
    return width;
}

char *plt_text_shorten(const char *text, guint width)
{
    guint used = 0;
    const char *p = text;

    if (plt_cli_text_width(text) <= width)
        return g_strdup(text);
    if (width == 0)
        return g_strdup("");
    while (*p != '\0' && used + char_width(g_utf8_get_char(p)) <= width - 1) {
        used += char_width(g_utf8_get_char(p));
        p = g_utf8_next_char(p);
    }
    g_autofree char *head = g_strndup(text, (gsize)(p - text));
    return g_strconcat(g_strchomp(head), "…", NULL);
}

/* Takes the columns that are too many from the flexible ones, always from the widest. */
static void shrink(const PltTable *table, guint *widths, guint width)
{
    guint total = GAP * (table->n_columns - 1);

    for (guint i = 0; i < table->n_columns; i++)
        total += widths[i];
    while (total > width) {
        guint widest = table->n_columns;

        for (guint i = 0; i < table->n_columns; i++)
            if (table->align[i] == 'f' && (widest == table->n_columns || widths[i] > widths[widest]))
                widest = i;
        if (widest == table->n_columns || widths[widest] <= MIN_FLEXIBLE)
            return;
        widths[widest]--;
        total--;
    }
}

static void append_cell(GString *line, const char *text, guint width, char align)
{
    g_autofree char *shown = plt_text_shorten(text, width);
    int pad = (int)(width - plt_cli_text_width(shown));

    if (align == 'r')
        g_string_append_printf(line, "%*s%s", pad, "", shown);
    else
        g_string_append_printf(line, "%s%*s", shown, pad, "");
}

char *plt_cli_table_format(const PltTable *table, guint width)
{
    g_autofree guint *widths = g_new0(guint, table->n_columns);
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint r = 0; r < table->rows->len; r++) {
        char **row = g_ptr_array_index(table->rows, r);

        for (guint i = 0; i < table->n_columns; i++)
            widths[i] = MAX(widths[i], plt_cli_text_width(row[i]));
    }
    if (width > 0)
        shrink(table, widths, width);
    for (guint r = 0; r < table->rows->len; r++) {
        char **row = g_ptr_array_index(table->rows, r);
        g_autoptr(GString) line = g_string_new(NULL);

        for (guint i = 0; i < table->n_columns; i++) {
            if (i > 0)
                g_string_append_printf(line, "%*s", GAP, "");
            append_cell(line, row[i], widths[i], table->align[i]);
        }
        g_strchomp(line->str);
        g_string_append_printf(text, "%s\n", line->str);
    }
    return g_string_free_and_steal(g_steal_pointer(&text));
}

guint plt_terminal_width(int fd)
{
    struct winsize size;

    if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}
