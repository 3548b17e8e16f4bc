/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include <math.h>

#include "chart/table.h"

/* As in plt_canvas_type: below this nothing is read. */
#define MIN_TYPE 9.0

/* In lower rows a bar would run through the letters: the figures alone are left. */
#define MIN_ROW_WITH_BAR 17.0

/* How the figures of a cell stand: all cells of a table alike, so that columns can be read down. */
typedef enum {
    DETAILS_BELOW,   /* under the bar, one at each end: rows are high, the value has the whole width */
    DETAILS_STACKED, /* two lines at the right, beside a large value */
    DETAILS_INLINE,  /* one line at the right */
    DETAILS_LAST,    /* only the second of them */
    DETAILS_NONE,
} DetailMode;

struct layout {
    PltRect area;
    double label_width, gap;
    double header_height, row_height, row_top;
    double column_width;
    PltTextStyle header, label, sublabel, value, unit, detail, note;
    guint shown;           /* rows */
    gboolean label_inline; /* label and its detail on one line */
    gboolean units;        /* beside the values; else in the headings */
    gboolean notes;        /* there is room for the notes under the bars */
    DetailMode mode;
    double detail_width[2]; /* widest of each kind */
    double bar_height, bar_gap;
};

static const PltTableRow *row_at(const PltTable *table, guint i)
{
    return &g_array_index(table->rows, PltTableRow, i);
}

static const PltTableColumn *column_at(const PltTable *table, guint i)
{
    return &g_array_index(table->columns, PltTableColumn, i);
}

/* The widest value with its unit, at the style's present size. */
static double widest_value(const PltTable *table, PltCanvas *canvas, const struct layout *l)
{
    double widest = 0.0;

    for (guint r = 0; r < table->rows->len; r++) {
        for (guint c = 0; c < table->columns->len; c++) {
            const PltTableCell *cell = &row_at(table, r)->cells[c];
            double width = cell->value ? plt_text_width(canvas, &l->value, cell->value) : 0.0;

            if (cell->unit && l->units)
                width += plt_text_width(canvas, &l->unit, cell->unit) + l->unit.size * 0.4;
            widest = MAX(widest, width);
        }
    }
    return widest;
}

static double widest_detail(const PltTable *table, PltCanvas *canvas, const struct layout *l, guint which)
{
    double widest = 0.0;

    for (guint r = 0; r < table->rows->len; r++) {
        for (guint c = 0; c < table->columns->len; c++) {
            const char *text = row_at(table, r)->cells[c].details[which];

            if (text)
                widest = MAX(widest, plt_text_width(canvas, &l->detail, text));
        }
    }
    return widest;
}

static gboolean any_note(const PltTable *table)
{
    for (guint r = 0; r < table->rows->len; r++) {
        for (guint c = 0; c < table->columns->len; c++) {
            if (row_at(table, r)->cells[c].note)
                return TRUE;
        }
    }
    return FALSE;
}

static double widest_label(const PltTable *table, PltCanvas *canvas, const struct layout *l)
{
    double widest = 0.0;

    for (guint r = 0; r < table->rows->len; r++) {
        const PltTableRow *row = row_at(table, r);
        double label = plt_text_width(canvas, &l->label, row->label);
        double detail = row->detail ? plt_text_width(canvas, &l->sublabel, row->detail) : 0.0;

        widest = MAX(widest, l->label_inline ? label + detail + l->sublabel.size * 0.6 : MAX(label, detail));
    }
    return widest;
}

/* Small values need a unit that is nearly as large as they are, or it cannot be read. */
static double unit_size(double value)
{
    return MAX(9.0, MIN(value, 14.0) * 0.62 + MAX(0.0, value - 14.0) * 0.30);
}

/* Type sizes follow the height of a row; the shares are such that the lines of a cell fill 80 % of it. */
static void choose_type(struct layout *l, PltCanvas *canvas, gboolean notes)
{
    double h = l->row_height;
    double u = canvas->unit;
    gboolean tall = h >= 66.0 * MAX(u, 0.62);
    gboolean high = h >= 128.0 * MAX(u, 0.62);
    double value = high ? MIN(h * 0.40, 76.0 * u) : tall ? MIN(h * 0.36, 58.0 * u) : h * 0.46;
    double small = tall ? CLAMP(h * 0.145, 9.0, 18.0 * u) : MIN(h * 0.32, 15.0 * u);

    small = MAX(small, 9.0);
    l->value = (PltTextStyle){MAX(value, h < MIN_ROW_WITH_BAR ? 9.0 : 11.0), PANGO_WEIGHT_SEMIBOLD,
                              canvas->theme->text};
    l->unit = (PltTextStyle){unit_size(l->value.size), PANGO_WEIGHT_NORMAL, canvas->theme->secondary};
    l->detail = (PltTextStyle){small, PANGO_WEIGHT_NORMAL, canvas->theme->secondary};
    l->note = (PltTextStyle){MAX(9.0, small * 0.86), PANGO_WEIGHT_NORMAL, canvas->theme->secondary};
    l->label = (PltTextStyle){tall ? MAX(10.0, h * 0.19) : MAX(10.0, MIN(h * 0.36, 18.0 * u)),
                              PANGO_WEIGHT_SEMIBOLD, canvas->theme->text};
    l->label.size = MIN(l->label.size, 26.0 * MAX(u, 0.5));
    l->sublabel =
        (PltTextStyle){MAX(9.0, l->label.size * 0.76), PANGO_WEIGHT_NORMAL, canvas->theme->secondary};
    l->label_inline = !tall;
    l->bar_height = tall ? CLAMP(h * 0.075, 3.0, 10.0 * u) : CLAMP(h * 0.12, 2.0, 5.0 * u);
    l->bar_gap = l->bar_height * 0.9;
    l->mode = high ? DETAILS_BELOW : tall ? DETAILS_STACKED : DETAILS_INLINE;
    l->notes = tall && notes && h >= 78.0 * MAX(u, 0.62);
    if (h < MIN_ROW_WITH_BAR)
        l->bar_height = l->bar_gap = 0.0;
}

static double details_need(const struct layout *l)
{
    switch (l->mode) {
    case DETAILS_STACKED:
        return MAX(l->detail_width[0], l->detail_width[1]);
    case DETAILS_INLINE:
        return l->detail_width[0] + l->detail_width[1] + l->detail.size * 1.2;
    case DETAILS_LAST:
        return l->detail_width[1];
    case DETAILS_NONE:
    default:
        return 0.0;
    }
}

/* Notes in a smaller type where they are wider than a column; none where they would still be cut. */
static void fit_notes(const PltTable *table, PltCanvas *canvas, struct layout *l)
{
    for (guint r = 0; l->notes && r < table->rows->len; r++) {
        for (guint c = 0; c < table->columns->len; c++) {
            const char *note = row_at(table, r)->cells[c].note;

            while (note && l->note.size > 9.0 && plt_text_width(canvas, &l->note, note) > l->column_width)
                l->note.size = MAX(9.0, l->note.size * 0.95);
            if (note && plt_text_width(canvas, &l->note, note) > l->column_width)
                l->notes = FALSE;
        }
    }
}

/* Gives way step by step until a cell holds what it shows: a smaller value first, then fewer details. */
static void fit_columns(const PltTable *table, PltCanvas *canvas, struct layout *l)
{
    double full = l->value.size;

    for (;;) {
        double gap = l->detail.size * 1.2;
        double need;

        for (guint i = 0; i < 2; i++)
            l->detail_width[i] = widest_detail(table, canvas, l, i);
        need = widest_value(table, canvas, l);
        if (l->mode == DETAILS_BELOW)
            need = MAX(need, l->detail_width[0] + gap + l->detail_width[1]);
        else if (l->mode != DETAILS_NONE)
            need += gap + details_need(l);
        if (need <= l->column_width)
            return;
        if (l->mode == DETAILS_BELOW && l->detail.size > 11.0 && need > widest_value(table, canvas, l)) {
            l->detail.size *= 0.95;
        } else if (l->value.size > full * 0.62 && l->value.size > 12.0) {
            l->value.size *= 0.95;
            l->unit.size = unit_size(l->value.size);
        } else if (l->mode != DETAILS_NONE) {
            l->mode = l->mode == DETAILS_STACKED ? DETAILS_LAST : l->mode + 1;
            l->value.size = full;
        } else if (l->units) {
            l->units = FALSE;
            l->value.size = full;
        } else {
            return; /* the value is shortened when it is drawn */
        }
    }
}

/* All rows, or as many as can be read, and one for the number of the others. */
static void choose_rows(const PltTable *table, PltCanvas *canvas, struct layout *l)
{
    PltTextStyle smallest = {MIN_TYPE, PANGO_WEIGHT_NORMAL, canvas->theme->text};
    double least = plt_text_ink(canvas, &smallest, "한Qg").height + 1.5;
    guint most = (guint)MAX(1.0, floor((l->area.height - l->header_height) / least));

    l->shown = table->rows->len <= most ? table->rows->len : most - 1;
}

static void make_layout(const PltTable *table, PltCanvas *canvas, PltRect area, struct layout *l)
{
    guint rows, columns = MAX(1u, table->columns->len);
    double most = plt_canvas_space(canvas, 190.0);

    *l = (struct layout){.area = area};
    l->header = plt_canvas_style(canvas, 16.0, PANGO_WEIGHT_SEMIBOLD, PLT_TONE_NORMAL);
    l->header_height = plt_text_line_height(canvas, &l->header) + plt_canvas_space(canvas, 10.0);
    choose_rows(table, canvas, l);
    rows = l->shown + (l->shown < table->rows->len);
    l->row_height = MIN(most, (area.height - l->header_height) / MAX(1u, rows));
    l->row_top = area.y + l->header_height;
    /* Few rows do not fill the area: the rest is shared above and below, the header stays with them. */
    l->row_top += MAX(0.0, (area.height - l->header_height - l->row_height * rows) / 2.0);
    choose_type(l, canvas, any_note(table));
    l->units = TRUE;
    l->gap = plt_canvas_space(canvas, 44.0);
    l->label_width = MIN(widest_label(table, canvas, l), area.width * (columns > 2 ? 0.22 : 0.28));
    l->column_width = (area.width - l->label_width - l->gap * columns) / columns;
    fit_columns(table, canvas, l);
    fit_notes(table, canvas, l);
}

static double column_x(const struct layout *l, guint column)
{
    return l->area.x + l->label_width + l->gap * (column + 1) + l->column_width * column;
}

/* What stands over COLUMN, with the unit that all its cells share where it has no room beside them. */
static char *heading(const PltTable *table, const struct layout *l, guint column)
{
    const char *title = column_at(table, column)->title, *unit = NULL;

    for (guint r = 0; !l->units && r < table->rows->len; r++) {
        const char *other = row_at(table, r)->cells[column].unit;

        if (unit && other && !g_str_equal(unit, other))
            return g_strdup(title);
        unit = other ? other : unit;
    }
    return unit ? g_strconcat(title, " ", unit, NULL) : g_strdup(title);
}

static void draw_header(const PltTable *table, PltCanvas *canvas, const struct layout *l)
{
    double baseline = l->row_top - l->header_height + plt_text_ascent(canvas, &l->header);

    for (guint c = 0; c < table->columns->len; c++) {
        const PltTableColumn *column = column_at(table, c);
        double x = column_x(l, c), marker = l->header.size * 0.62;
        g_autofree char *title = heading(table, l, c);

        if (column->style >= 0) {
            plt_canvas_marker(canvas, &canvas->theme->series[column->style % PLT_N_SERIES_STYLES],
                              x + marker / 2.0, baseline - l->header.size * 0.35, marker);
            x += marker * 1.7;
        }
        plt_text_show(canvas, &l->header, title, x, baseline, 0.0, l->column_width - (x - column_x(l, c)));
    }
}

static void draw_label(PltCanvas *canvas, const struct layout *l, const PltTableRow *row, double baseline)
{
    double width = plt_text_show(canvas, &l->label, row->label, l->area.x, baseline, 0.0, l->label_width);
    double left = l->label_width - width - l->sublabel.size * 0.6;

    if (!row->detail)
        return;
    if (!l->label_inline)
        plt_text_show(canvas, &l->sublabel, row->detail, l->area.x,
                      baseline + plt_text_line_height(canvas, &l->sublabel) * 1.08, 0.0, l->label_width);
    else if (left > l->sublabel.size)
        plt_text_show(canvas, &l->sublabel, row->detail, l->area.x + width + l->sublabel.size * 0.6, baseline,
                      0.0, left);
}

/* The line under the bar that DETAILS_BELOW has, from TOP. */
static void draw_details_below(PltCanvas *canvas, const struct layout *l, const PltTableCell *cell, double x,
                               double top)
{
    double baseline = top + plt_text_ascent(canvas, &l->detail);

    if (cell->details[0])
        plt_text_show(canvas, &l->detail, cell->details[0], x, baseline, 0.0, 0.0);
    if (cell->details[1])
        plt_text_show(canvas, &l->detail, cell->details[1], x + l->column_width, baseline, 1.0, 0.0);
}

static void draw_details(PltCanvas *canvas, const struct layout *l, const PltTableCell *cell, double x,
                         double baseline)
{
    double right = x + l->column_width;
    double line = plt_text_line_height(canvas, &l->detail);

    if (l->mode == DETAILS_STACKED) {
        if (cell->details[0])
            plt_text_show(canvas, &l->detail, cell->details[0], right, baseline - line * 1.04, 1.0, 0.0);
    } else if (l->mode == DETAILS_INLINE && cell->details[0]) {
        plt_text_show(canvas, &l->detail, cell->details[0], right - l->detail_width[1] - l->detail.size * 1.2,
                      baseline, 1.0, 0.0);
    }
    if (l->mode != DETAILS_NONE && l->mode != DETAILS_BELOW && cell->details[1])
        plt_text_show(canvas, &l->detail, cell->details[1], right, baseline, 1.0, 0.0);
}

static void draw_value(PltCanvas *canvas, const struct layout *l, const PltTableCell *cell, double x,
                       double baseline)
{
    PltTextStyle style = l->value;
    gboolean word = cell->fill < 0.0 && !cell->unit;
    double room = l->column_width;

    style.colour = plt_theme_tone(canvas->theme, cell->tone);
    /* A word in the place of a figure ("failed") must not shout louder than the figures. */
    if (word) {
        style.size = MIN(style.size, MAX(l->detail.size * 1.15, style.size * 0.5));
        style.weight = PANGO_WEIGHT_MEDIUM;
    }
    if (cell->warned) {
        double sign = MIN(style.size * 0.78, l->detail.size * 1.25);

        plt_canvas_warning_sign(canvas, x, baseline, sign,
                                cell->tone == PLT_TONE_BAD ? PLT_TONE_BAD : PLT_TONE_WARNING);
        x += sign * 1.45;
        room -= sign * 1.45;
    }
    x += plt_text_show(canvas, &style, cell->value, x, baseline, 0.0, room);
    if (cell->unit && l->units)
        plt_text_show(canvas, &l->unit, cell->unit, x + l->unit.size * 0.4, baseline, 0.0, 0.0);
}

static void draw_bar(PltCanvas *canvas, const struct layout *l, const PltTableCell *cell,
                     const PltTableColumn *column, double x, double top)
{
    PltRect track = {x, top, l->column_width, l->bar_height};
    PltRect bar = track;

    if (column->style < 0 || l->bar_height <= 0.0)
        return;
    plt_canvas_fill_rect(canvas, track, l->bar_height, canvas->theme->surface, 1.0);
    if (cell->fill < 0.0)
        return;
    /* The shortest bar is a dot: "slower than the scale begins" is not "not measured". */
    bar.width = CLAMP(cell->fill * track.width, l->bar_height, track.width);
    plt_canvas_fill_rect(canvas, bar, l->bar_height,
                         canvas->theme->series[column->style % PLT_N_SERIES_STYLES].colour,
                         cell->tone == PLT_TONE_MUTED ? 0.45 : 1.0);
}

/* Rows without bars are held apart by hairlines. */
static void draw_rule(PltCanvas *canvas, const struct layout *l, double top)
{
    plt_canvas_colour(canvas, canvas->theme->grid, 1.0);
    cairo_set_line_width(canvas->cr, 1.0);
    cairo_move_to(canvas->cr, l->area.x, floor(top) + 0.5);
    cairo_line_to(canvas->cr, l->area.x + l->area.width, floor(top) + 0.5);
    cairo_stroke(canvas->cr);
}

static gboolean is_text_table(const PltTable *table)
{
    for (guint c = 0; c < table->columns->len; c++) {
        if (column_at(table, c)->style >= 0)
            return FALSE;
    }
    return TRUE;
}

static void draw_row(const PltTable *table, PltCanvas *canvas, const struct layout *l, guint index)
{
    const PltTableRow *row = row_at(table, index);
    double top = l->row_top + l->row_height * index;
    double value_ascent = plt_text_ink(canvas, &l->value, "0").height;
    double below =
        l->mode == DETAILS_BELOW ? plt_text_line_height(canvas, &l->detail) + l->bar_gap * 0.6 : 0.0;
    double note = l->notes ? plt_text_line_height(canvas, &l->note) + l->bar_gap * 0.6 : 0.0;
    /* Commas hang a fifth of the size below the line. */
    double gap = l->bar_height > 0.0 ? MAX(l->bar_gap * 1.6, l->value.size * 0.2) : 0.0;
    double block = value_ascent + gap + l->bar_height + below + note;
    double baseline = top + (l->row_height - block) / 2.0 + value_ascent;
    double bar = baseline + gap;

    if (is_text_table(table))
        draw_rule(canvas, l, top);
    draw_label(canvas, l, row, l->label_inline ? baseline : baseline - value_ascent * 0.12);
    for (guint c = 0; c < table->columns->len; c++) {
        const PltTableCell *cell = &row->cells[c];
        double x = column_x(l, c);

        if (!cell->value)
            continue;
        draw_value(canvas, l, cell, x, baseline);
        if (l->mode == DETAILS_BELOW)
            draw_details_below(canvas, l, cell, x, bar + l->bar_height + l->bar_gap * 0.6);
        else
            draw_details(canvas, l, cell, x, baseline);
        draw_bar(canvas, l, cell, column_at(table, c), x, bar);
        if (l->notes && cell->note)
            plt_text_show(canvas, &l->note, cell->note, x,
                          bar + l->bar_height + below + l->bar_gap * 0.6 + plt_text_ascent(canvas, &l->note),
                          0.0, l->column_width);
    }
}

/* "+ 5": there are rows that this size has no room for. */
static void draw_rest(PltCanvas *canvas, const struct layout *l, guint n)
{
    g_autofree char *text = g_strdup_printf("+ %u", n);

    plt_text_show(canvas, &l->sublabel, text, l->area.x,
                  l->row_top + l->row_height * (l->shown + 0.5) + l->sublabel.size * 0.36, 0.0,
                  l->label_width);
}

void plt_table_draw(const PltTable *table, PltCanvas *canvas, PltRect area)
{
    struct layout l;

    make_layout(table, canvas, area, &l);
    draw_header(table, canvas, &l);
    for (guint i = 0; i < l.shown; i++)
        draw_row(table, canvas, &l, i);
    if (l.shown < table->rows->len)
        draw_rest(canvas, &l, table->rows->len - l.shown);
}
