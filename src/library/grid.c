/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/grid.h"

#define GAP 2

struct plt_grid {
    guint n_columns;
    GPtrArray *cells; /* char, row by row */
};

PltGrid *plt_grid_new(guint n_columns)
{
    PltGrid *grid = g_new0(PltGrid, 1);
    grid->n_columns = n_columns;
    grid->cells = g_ptr_array_new_with_free_func(g_free);
    return grid;
}

void plt_grid_free(PltGrid *grid)
{
    if (!grid)
        return;
    g_ptr_array_unref(grid->cells);
    g_free(grid);
}

void plt_grid_take(PltGrid *grid, char *text)
{
    g_ptr_array_add(grid->cells, text);
}

void plt_grid_add(PltGrid *grid, const char *text)
{
    plt_grid_take(grid, g_strdup(text));
}

guint plt_grid_text_width(const char *text)
{
    guint width = 0;
    for (; *text; text = g_utf8_next_char(text)) {
        gunichar c = g_utf8_get_char(text);
        if (!g_unichar_iszerowidth(c))
            width += g_unichar_iswide(c) ? 2 : 1;
    }
    return width;
}

/* Bytes at the start of TEXT that take at most WIDTH columns. */
static gsize fitting(const char *text, guint width)
{
    const char *end = text;
    guint used = 0;
    while (*end) {
        gunichar c = g_utf8_get_char(end);
        guint columns = g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
        if (used + columns > width)
            break;
        used += columns;
        end = g_utf8_next_char(end);
    }
    return (gsize)(end - text);
}

char *plt_grid_shorten(const char *text, guint width)
{
    if (plt_grid_text_width(text) <= width)
        return g_strdup(text);
    g_autofree char *start = g_strndup(text, fitting(text, width - 1));
    return g_strconcat(start, "…", NULL);
}

static guint column_width(const PltGrid *grid, guint column)
{
    guint width = 0;
    for (guint i = column; i < grid->cells->len; i += grid->n_columns)
        width = MAX(width, plt_grid_text_width(g_ptr_array_index(grid->cells, i)));
    return width;
}

guint plt_grid_width(const PltGrid *grid)
{
    guint width = 0;
    for (guint i = 0; i < grid->n_columns; i++)
        width += column_width(grid, i) + (i > 0 ? GAP : 0);
    return width;
}

static void append_blanks(GString *out, guint n)
{
    for (guint i = 0; i < n; i++)
        g_string_append_c(out, ' ');
}

static void append_row(const PltGrid *grid, guint first, const guint *widths, GString *out)
{
    for (guint i = 0; i < grid->n_columns && first + i < grid->cells->len; i++) {
        const char *text = g_ptr_array_index(grid->cells, first + i);
        guint fill = widths[i] - plt_grid_text_width(text);
        if (i > 0)
            append_blanks(out, GAP + fill);
        g_string_append(out, text);
        if (i == 0 && grid->n_columns > 1)
            append_blanks(out, fill);
    }
    g_string_append_c(out, '\n');
}

void plt_grid_append(const PltGrid *grid, GString *out)
{
    g_autofree guint *widths = g_new(guint, grid->n_columns);
    for (guint i = 0; i < grid->n_columns; i++)
        widths[i] = column_width(grid, i);
    for (guint first = 0; first < grid->cells->len; first += grid->n_columns) {
        append_row(grid, first, widths, out);
        if (first > 0)
            continue;
        for (guint i = plt_grid_width(grid); i > 0; i--)
            g_string_append(out, "─");
        g_string_append_c(out, '\n');
    }
}

typedef struct {
    GString *out;
    guint width, indent, used;
} Wrapper;

static void break_line(Wrapper *wrapper)
{
    g_string_append_c(wrapper->out, '\n');
    append_blanks(wrapper->out, wrapper->indent);
    wrapper->used = wrapper->indent;
}

static void append_word(Wrapper *wrapper, const char *word)
{
    guint length = plt_grid_text_width(word);
    if (wrapper->used > wrapper->indent) {
        if (wrapper->used + 1 + length > wrapper->width) {
            break_line(wrapper);
        } else {
            g_string_append_c(wrapper->out, ' ');
            wrapper->used++;
        }
    }
    while (plt_grid_text_width(word) > wrapper->width - wrapper->used) {
        gsize bytes = fitting(word, wrapper->width - wrapper->used);
        g_string_append_len(wrapper->out, word, (gssize)bytes);
        break_line(wrapper);
        word += bytes;
    }
    g_string_append(wrapper->out, word);
    wrapper->used += plt_grid_text_width(word);
}

void plt_grid_append_wrapped(GString *out, const char *text, guint width, guint indent)
{
    g_return_if_fail(width >= indent + 2);

    g_auto(GStrv) words = g_strsplit_set(text, " \n\r\t", -1);
    Wrapper wrapper = {.out = out, .width = width, .indent = indent, .used = indent};
    for (guint i = 0; words[i]; i++) {
        if (words[i][0] != '\0')
            append_word(&wrapper, words[i]);
    }
    g_string_append_c(out, '\n');
}
