/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "analysis/stall.h"
#include "chart/chart.h"
#include "chart/format.h"
#include "report/build.h"
#include "report/cell.h"

#define N_OPS 3

/* Cells that differ by more than this are not seen together on a linear axis: the smaller one is a line at 0.
 */
#define LOG_RATIO 20.0

/* A time chart while it is being made: measured windows follow each other, the rests between are left out. */
struct timeline {
    const PltReportRequest *request;
    PltChart *chart;
    PltPyramid *lines[N_OPS]; /* by PltCellOp; taken by the chart at the end */
    double now;               /* seconds, where the next window begins */
    double lowest, highest;   /* means of the cells, in bytes/s */
    gsize n_stalls;
    guint64 stalled_ns;
    guint n_cells, n_sections;
    GError *error; /* of reading samples */
};

static gboolean has_samples(const PltReportRequest *request, const PltCell *cell)
{
    for (guint i = 0; i < cell->runs->len; i++) {
        if (plt_report_has_samples(request, cell->runs->pdata[i]))
            return TRUE;
    }
    return FALSE;
}

/* The cells to draw: the one that was asked for, or all that have samples. */
static GPtrArray *choose_cells(const PltReportRequest *request, GError **error)
{
    g_autoptr(GPtrArray) cells = g_ptr_array_new();
    const PltRun *run = request->runs[0];
    const char *id = request->options->cell;
    gboolean known = FALSE;

    for (guint i = 0; i < run->cells->len; i++) {
        PltCell *cell = run->cells->pdata[i];

        if (id && g_strcmp0(cell->spec.id, id) != 0)
            continue;
        known = TRUE;
        if (has_samples(request, cell))
            g_ptr_array_add(cells, cell);
    }
    if (cells->len > 0)
        return g_steal_pointer(&cells);
    if (id && !known)
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("This run has no cell “%s”: name one that it has."),
                    id);
    else
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("Nothing was recorded over time: there is no curve to draw."));
    return NULL;
}

/* Puts the samples of RUN into LINE from the present moment on; returns the length of the window in seconds.
 */
static double add_samples(struct timeline *t, PltPyramid *line, const PltCellRun *run)
{
    double at = t->now;

    if (!t->error)
        plt_report_append_window(t->request, run, line, &at, &t->error);
    return at - t->now;
}

static void add_stalls(struct timeline *t, const PltCellRun *run)
{
    for (guint i = 0; i < run->stalls->len; i++) {
        const struct plt_stall *stall = &g_array_index(run->stalls, struct plt_stall, i);
        double start = t->now + (double)stall->start_ns / 1e9, length = (double)stall->length_ns / 1e9;
        g_autofree char *duration = plt_report_duration(t->request->language, length);
        g_autofree char *label = plt_language_format(t->request->language, N_("stall, %s"), duration, NULL);

        plt_chart_add_band(t->chart, start, start + length, PLT_TONE_BAD, label, NULL);
        t->n_stalls++;
        t->stalled_ns += stall->length_ns;
    }
}

/* A line at the mean of a section; what it stands at is in the section's heading, where it covers no curve.
 */
static void add_mean(struct timeline *t, double from, double to, double bps)
{
    PltMark *mark = plt_chart_add_mark(t->chart, FALSE, bps, PLT_TONE_NORMAL, NULL);

    mark->from = from;
    mark->to = to;
    t->lowest = isnan(t->lowest) ? bps : MIN(t->lowest, bps);
    t->highest = isnan(t->highest) ? bps : MAX(t->highest, bps);
}

/* A section from START to now with its mean; WORD is the format of its second line. */
static void add_section(struct timeline *t, double start, const char *label, double bps, const char *format,
                        const char *word)
{
    PltQuantity quantity = plt_format_bandwidth(bps);
    g_autofree char *text = plt_quantity_join(&quantity);
    g_autofree char *detail = word ? plt_language_format(t->request->language, format, word, text, NULL)
                                   : plt_language_format(t->request->language, format, text, NULL);

    plt_chart_add_band(t->chart, start, t->now, t->n_sections++ % 2 ? PLT_TONE_MUTED : PLT_TONE_NORMAL, label,
                       detail);
    add_mean(t, start, t->now, bps);
}

/* One cell alone: each of its runs is a section. */
static void add_runs(struct timeline *t, const PltCell *cell)
{
    const PltLanguage *language = t->request->language;
    guint number = 0;

    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = cell->runs->pdata[i];
        g_autofree char *count = NULL, *label = NULL;
        double start = t->now, seconds;

        number += !run->warmup;
        if (!plt_report_has_samples(t->request, run))
            continue;
        seconds = add_samples(t, t->lines[cell->spec.op], run);
        add_stalls(t, run);
        t->now += seconds;
        count = g_strdup_printf("%u", number);
        label = run->warmup ? g_strdup(plt_language_text(language, N_("Warm-up")))
                            : plt_language_format(language, N_("Run %s"), count, NULL);
        add_section(t, start, label, plt_report_run_measure(cell, run)->bandwidth_bps, N_("mean %s"), NULL);
    }
}

/* One of several cells: its scored runs together are a section. */
static void add_cell(struct timeline *t, const PltCell *cell)
{
    const char *word = plt_language_text(t->request->language, plt_report_op_word(cell->spec.op));
    double start = t->now, bytes = 0.0, window = 0.0;

    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = cell->runs->pdata[i];
        double seconds;

        if (run->warmup || !plt_report_has_samples(t->request, run))
            continue;
        seconds = add_samples(t, t->lines[cell->spec.op], run);
        add_stalls(t, run);
        bytes += (double)plt_report_run_measure(cell, run)->bytes;
        window += plt_report_run_measure(cell, run)->seconds;
        t->now += seconds;
    }
    if (t->now > start && window > 0.0)
        add_section(t, start, cell->spec.label, bytes / window, "%s %s", word);
}

static void add_lines(struct timeline *t)
{
    for (guint op = 0; op < N_OPS; op++) {
        const char *name = plt_language_text(t->request->language, plt_report_op_word(op));
        PltSeries *series = NULL;

        if (plt_pyramid_length(t->lines[op]) == 0) {
            plt_pyramid_free(t->lines[op]);
            continue;
        }
        /* A cell alone is named in the heading, and sections of several have their names over them. */
        series =
            plt_chart_add_series(t->chart, PLT_SERIES_LINE, t->n_cells > 1 ? name : NULL, op, t->lines[op]);
        series->solid = TRUE;
    }
}

static gsize count_points(const PltChart *chart)
{
    gsize n = 0;

    for (guint i = 0; i < chart->series->len; i++)
        n += plt_pyramid_length(((const PltSeries *)chart->series->pdata[i])->data);
    return n;
}

/* The tick of the first run that has samples. */
static double tick_seconds(const PltReportRequest *request, const GPtrArray *cells)
{
    for (guint i = 0; i < cells->len; i++) {
        const PltCell *cell = cells->pdata[i];

        for (guint r = 0; r < cell->runs->len; r++) {
            const PltCellRun *run = cell->runs->pdata[r];

            if (run->samples && run->samples->len > 0)
                return (double)g_array_index(run->samples, struct plt_sample, 0).duration_ns / 1e9;
            if (plt_report_has_samples(request, run))
                return (double)run->tick_ns / 1e9;
        }
    }
    return 0.0;
}

static void add_captions(const struct timeline *t, PltPicture *picture, const GPtrArray *cells)
{
    const PltLanguage *language = t->request->language;
    const PltReportOptions *options = t->request->options;
    g_autofree char *number = plt_format_number((double)t->n_stalls, 0);
    g_autofree char *sum = plt_report_duration(language, (double)t->stalled_ns / 1e9);
    g_autofree char *tick = plt_report_duration(language, tick_seconds(t->request, cells));
    double pixels = (options->width ? options->width : 1200) * (options->scale > 0.0 ? options->scale : 1.0);
    const char *format = NULL;

    if (t->n_stalls > 0)
        g_ptr_array_insert(picture->captions, 0,
                           plt_language_format(language, N_("Stalls of 200 ms or more: %s (%s in total)"),
                                               number, sum, NULL));
    format = N_("One point every %s; dashed: mean");
    if ((double)count_points(t->chart) > 2.0 * pixels)
        format =
            N_("One point every %s; the line is the median of the points in a pixel column, the band reaches "
               "from their minimum to maximum; dashed: mean");
    g_ptr_array_add(picture->captions, plt_language_format(language, format, tick, NULL));
}

static void set_subtitle(PltPicture *picture, const PltCell *cell, const PltLanguage *language)
{
    char *line =
        g_strjoin(" · ", cell->spec.label, plt_language_text(language, plt_report_op_word(cell->spec.op)),
                  picture->subtitle, NULL);

    g_free(picture->subtitle);
    picture->subtitle = line;
}

PltPicture *plt_report_build_time(const PltReportRequest *request, GError **error)
{
    struct timeline t = {.request = request, .lowest = NAN, .highest = NAN};
    const PltLanguage *language = request->language;
    g_autoptr(GPtrArray) cells = NULL;
    PltPicture *picture = NULL;

    if (request->n_runs > 1) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("A chart over time shows one run: name a single one."));
        return NULL;
    }
    cells = choose_cells(request, error);
    if (!cells)
        return NULL;
    t.n_cells = cells->len;
    t.chart =
        plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_TIME, plt_language_text(language, N_("Measured time")),
                      PLT_SCALE_LINEAR, PLT_UNIT_BANDWIDTH, plt_language_text(language, N_("Throughput")));
    for (guint op = 0; op < N_OPS; op++)
        t.lines[op] = plt_pyramid_new_uneven();
    for (guint i = 0; i < cells->len; i++) {
        if (cells->len == 1)
            add_runs(&t, cells->pdata[i]);
        else
            add_cell(&t, cells->pdata[i]);
    }
    add_lines(&t);
    if (t.error) {
        plt_chart_free(t.chart);
        g_propagate_error(error, t.error);
        return NULL;
    }
    if (t.lowest > 0.0 && t.highest / t.lowest > LOG_RATIO)
        t.chart->y.scale = PLT_SCALE_LOG10;
    plt_report_set_words(t.chart, language);
    picture = plt_report_frame(request->runs[0], language);
    if (cells->len == 1)
        set_subtitle(picture, cells->pdata[0], language);
    add_captions(&t, picture, cells);
    g_ptr_array_add(picture->charts, t.chart);
    return picture;
}
