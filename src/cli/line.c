/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/line.h"

#include <glib/gi18n-lib.h>

#include "cli/format.h"
#include "cli/table.h"

#define GAP 2
#define MIN_BAR 6
#define MAX_BAR 24
#define MIN_CURVE 8
#define MAX_CURVE 20
#define MIN_LABEL 8
#define SPEED_WIDTH 10 /* "99999 MB/s" */
#define STAGE_WIDTH 7
#define CLOCK_WIDTH 5 /* "12:34" */

/* In the order in which they stand on the line. */
enum piece {
    PIECE_CELL,
    PIECE_LABEL,
    PIECE_STAGE,
    PIECE_SPEED,
    PIECE_CURVE,
    PIECE_BAR,
    PIECE_PERCENT,
    PIECE_ELAPSED,
    PIECE_LEFT,
    N_PIECES,
};

/* The most needed first: a piece is taken when it still fits. */
static const enum piece by_need[] = {PIECE_LABEL, PIECE_SPEED, PIECE_PERCENT, PIECE_LEFT, PIECE_CELL,
                                     PIECE_STAGE, PIECE_BAR,   PIECE_ELAPSED, PIECE_CURVE};

static char *pad_left(const char *text, guint width)
{
    guint own = plt_cli_text_width(text);

    return g_strdup_printf("%*s%s", own < width ? (int)(width - own) : 0, "", text);
}

static char *pad_right(const char *text, guint width)
{
    guint own = plt_cli_text_width(text);

    return g_strdup_printf("%s%*s", text, own < width ? (int)(width - own) : 0, "");
}

static char *cell_text(const PltLineView *view)
{
    guint digits = view->n_cells >= 100 ? 3 : view->n_cells >= 10 ? 2 : 1;

    if (view->cell == 0)
        return g_strdup_printf("%*s", (int)(2 * digits + 1), "");
    return g_strdup_printf("%*u/%u", (int)digits, view->cell, view->n_cells);
}

static char *speed_text(const PltLineView *view)
{
    g_autofree char *speed =
        view->bandwidth_bps < 0 ? g_strdup("") : plt_cli_format_speed(view->bandwidth_bps);

    return pad_left(speed, SPEED_WIDTH);
}

static char *elapsed_text(guint64 ms)
{
    g_autofree char *clock = plt_cli_format_clock(ms);

    return pad_left(clock, CLOCK_WIDTH);
}

static char *left_text(guint64 ms)
{
    g_autofree char *clock = elapsed_text(ms);

    return g_strdup_printf(_("%s left"), clock);
}

static char *label_text(const char *label, guint width, PltLineStyle style)
{
    g_autofree char *shown = style.unicode ? g_strdup(label) : g_str_to_ascii(label, NULL);
    g_autofree char *shortened = plt_text_shorten(shown, width);
    g_autoptr(GString) text = g_string_new(shortened);

    if (!style.unicode)
        g_string_replace(text, "…", ".", 0);
    return pad_right(text->str, width);
}

static char *percent_text(double fraction)
{
    return g_strdup_printf("%3u%%", (guint)(CLAMP(fraction, 0, 1) * 100));
}

static void append_styled(GString *line, const char *sgr, const char *text, gboolean color)
{
    if (color)
        g_string_append_printf(line, "\033[%sm%s\033[0m", sgr, text);
    else
        g_string_append(line, text);
}

static char *bar_text(double fraction, guint width, PltLineStyle style)
{
    g_autoptr(GString) full = g_string_new(NULL), rest = g_string_new(NULL), bar = g_string_new(NULL);
    guint n = (guint)(CLAMP(fraction, 0, 1) * width + 0.5);

    for (guint i = 0; i < n; i++)
        g_string_append(full, style.unicode ? "━" : "#");
    for (guint i = n; i < width; i++)
        g_string_append(rest, style.unicode ? "─" : "-");
    append_styled(bar, "36", full->str, style.color && n > 0);
    append_styled(bar, "2", rest->str, style.color && n < width);
    return g_string_free_and_steal(g_steal_pointer(&bar));
}

/* The speed of the last ticks against the fastest of them, as eighths of a character's height. */
static char *curve_text(const PltLineView *view, guint width)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    g_autoptr(GString) curve = g_string_new(NULL);
    guint n = MIN(view->n_history, width);
    const double *last = view->history + view->n_history - n;
    double most = 0;

    for (guint i = 0; i < n; i++)
        most = MAX(most, last[i]);
    for (guint i = n; i < width; i++)
        g_string_append_c(curve, ' ');
    for (guint i = 0; i < n; i++) {
        guint level = most > 0 ? (guint)(last[i] / most * 7 + 0.5) : 0;

        g_string_append(curve, blocks[MIN(level, 7)]);
    }
    return g_string_free_and_steal(g_steal_pointer(&curve));
}

/* Takes what fits of the pieces, needed ones first; returns the columns that stay free. */
static guint take_pieces(const guint *widths, guint width, gboolean *taken)
{
    guint left = width;

    for (guint i = 0; i < G_N_ELEMENTS(by_need); i++) {
        enum piece piece = by_need[i];
        guint need = widths[piece] + (i > 0 ? GAP : 0);

        if (widths[piece] == 0 || need > left)
            continue;
        taken[piece] = TRUE;
        left -= need;
    }
    return left;
}

static guint grow(guint width, guint most, guint *left)
{
    guint more = MIN(most - width, *left);

    *left -= more;
    return width + more;
}

char *plt_line_format(const PltLineView *view, guint width, PltLineStyle style)
{
    g_auto(GStrv) texts = g_new0(char *, N_PIECES + 1);
    guint widths[N_PIECES] = {0};
    gboolean taken[N_PIECES] = {FALSE};
    g_autoptr(GString) line = g_string_new(NULL);
    guint left;

    texts[PIECE_CELL] = cell_text(view);
    texts[PIECE_STAGE] = pad_right(view->stage, STAGE_WIDTH);
    texts[PIECE_SPEED] = speed_text(view);
    texts[PIECE_PERCENT] = percent_text(view->fraction);
    texts[PIECE_ELAPSED] = elapsed_text(view->elapsed_ms);
    texts[PIECE_LEFT] = left_text(view->left_ms);
    for (guint i = 0; i < N_PIECES; i++)
        widths[i] = texts[i] != NULL ? plt_cli_text_width(texts[i]) : 0;
    widths[PIECE_LABEL] = MIN(MAX(view->label_width, MIN_LABEL), width);
    widths[PIECE_BAR] = MIN_BAR;
    widths[PIECE_CURVE] = style.unicode ? MIN_CURVE : 0;

    left = take_pieces(widths, width, taken);
    if (taken[PIECE_BAR])
        widths[PIECE_BAR] = grow(MIN_BAR, MAX_BAR, &left);
    if (taken[PIECE_CURVE])
        widths[PIECE_CURVE] = grow(MIN_CURVE, MAX_CURVE, &left);

    texts[PIECE_LABEL] = label_text(view->label, widths[PIECE_LABEL], style);
    texts[PIECE_BAR] = bar_text(view->fraction, widths[PIECE_BAR], style);
    texts[PIECE_CURVE] = curve_text(view, widths[PIECE_CURVE]);
    for (guint i = 0; i < N_PIECES; i++) {
        if (!taken[i])
            continue;
        if (line->len > 0)
            g_string_append_printf(line, "%*s", GAP, "");
        append_styled(line, "1", texts[i], style.color && i == PIECE_SPEED);
    }
    return g_string_free_and_steal(g_steal_pointer(&line));
}
