/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "analysis/fill.h"
#include "chart/chart.h"
#include "chart/format.h"
#include "library/analyse.h"
#include "library/role.h"
#include "report/build.h"
#include "report/cell.h"
#include "report/facts.h"

/*
 * The fill curve (methods.md 1.3, 1.23 C2): speed over what was written, every pass of one run, or the first
 * pass of several. Position and not time, so that drives and passes of different speed stand over each other.
 */

/* More marks than this are a wall; the caption has the count. */
#define MOST_STALL_MARKS 12

struct curve {
    char *name;
    const PltCellRun *run;
    struct plt_series series;
    struct plt_fill fill;
    gboolean write;
};

static void curve_free(gpointer data)
{
    struct curve *curve = data;

    g_free(curve->name);
    plt_series_clear(&curve->series);
    g_free(curve);
}

/* A cell that goes over its target once, from the beginning. */
static gboolean is_pass(const PltCell *cell)
{
    static const char *const roles[] = {"fill", "linear-read", "read-all", "verify"};

    for (guint i = 0; i < G_N_ELEMENTS(roles); i++)
        if (plt_role_is(cell->spec.role, roles[i]))
            return TRUE;
    return FALSE;
}

/* The run of CELL with samples that counts; NULL if there is none. */
static const PltCellRun *run_of(const PltReportRequest *request, const PltCell *cell)
{
    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = cell->runs->pdata[i];

        if (!run->warmup && plt_report_has_samples(request, run))
            return run;
    }
    return NULL;
}

static struct curve *curve_new(const PltReportRequest *request, const PltRun *whole, const PltCell *cell,
                               const char *name, GError **error)
{
    const PltCellRun *run = run_of(request, cell);
    struct curve *curve;

    if (!run)
        return NULL;
    curve = g_new0(struct curve, 1);
    curve->name = g_strdup(name);
    curve->run = run;
    curve->write = cell->spec.op == PLT_CELL_WRITE;
    plt_series_init(&curve->series);
    if (!plt_report_each_samples(request, run, plt_analyse_add_samples, &curve->series, error)) {
        curve_free(curve);
        return NULL;
    }
    curve->fill = plt_analyse_fill(whole, run, &curve->series);
    return curve;
}

/* The passes of one run by their labels; of several the first pass of each, by the drive's name. */
static GPtrArray *make_curves(const PltReportRequest *request, GError **error)
{
    g_autoptr(GPtrArray) curves = g_ptr_array_new_with_free_func(curve_free);
    gboolean several = request->n_runs > 1;

    for (gsize r = 0; r < request->n_runs; r++) {
        const PltRun *run = request->runs[r];
        g_autofree char *drive = plt_facts_drive(run);
        const char *name = run->title && *run->title ? run->title : drive ? drive : run->suite_name;

        for (guint i = 0; i < run->cells->len; i++) {
            const PltCell *cell = run->cells->pdata[i];
            const char *label = plt_report_row_name(cell->spec.label, request->language);
            g_autoptr(GError) failure = NULL;
            struct curve *curve;

            if (!is_pass(cell) ||
                (request->options->cell && g_strcmp0(request->options->cell, cell->spec.id) != 0))
                continue;
            curve = curve_new(request, run, cell, several ? name : label, &failure);
            if (failure) {
                g_propagate_error(error, g_steal_pointer(&failure));
                return NULL;
            }
            if (!curve)
                continue;
            g_ptr_array_add(curves, curve);
            if (several)
                break;
        }
    }
    if (curves->len > 0)
        return g_steal_pointer(&curves);
    g_set_error_literal(
        error, PLT_ERROR, PLT_ERROR_USAGE,
        _("Nothing here went over a drive from start to end: there is no fill curve to draw."));
    return NULL;
}

static char *bandwidth(double bps)
{
    PltQuantity quantity = plt_format_bandwidth(bps);

    return plt_quantity_join(&quantity);
}

static char *capacity(double bytes)
{
    PltQuantity quantity = plt_format_capacity(bytes);

    return plt_quantity_join(&quantity);
}

static void add_line(PltChart *chart, const struct curve *curve, guint style, const PltLanguage *language)
{
    PltPyramid *line = plt_pyramid_new_uneven();
    g_autofree char *mean = bandwidth(curve->fill.all.average_bps);
    g_autofree char *name = plt_language_format(language, N_("%s: mean %s"), curve->name, mean, NULL);
    double at = 0;

    for (size_t i = 0; i < curve->series.n; i++) {
        double rate = plt_series_rate(&curve->series, i);
        double bytes = plt_series_sum(&curve->series, i, i + 1);

        plt_pyramid_append_at(line, at + bytes / 2, rate);
        at += bytes;
    }
    plt_chart_add_series(chart, PLT_SERIES_LINE, name, style, line);
}

static void add_mean(PltChart *chart, double from, double to, double bps)
{
    PltMark *mark = plt_chart_add_mark(chart, FALSE, bps, PLT_TONE_NORMAL, NULL);

    mark->from = from;
    mark->to = to;
}

/* Where the cache ends, and the means on both sides of it. */
static void add_cliff(PltChart *chart, const struct curve *curve, const PltLanguage *language)
{
    const struct plt_fill *fill = &curve->fill;
    g_autofree char *size = capacity(fill->cliff.bytes);
    g_autofree char *label = NULL;

    if (!curve->write || fill->cliff.verdict != PLT_CLIFF_FOUND) {
        add_mean(chart, 0, fill->all.bytes, fill->all.average_bps);
        return;
    }
    label = plt_language_format(language, N_("%s: falls at %s"), curve->name, size, NULL);
    plt_chart_add_mark(chart, TRUE, fill->cliff.bytes, PLT_TONE_WARNING, label);
    add_mean(chart, 0, fill->cliff.bytes, fill->cache.average_bps);
    add_mean(chart, fill->cliff.bytes, fill->all.bytes, fill->after.average_bps);
}

/* A stall takes time and no place: it is a line. */
static void add_stalls(PltChart *chart, const struct curve *curve)
{
    guint n = MIN(curve->run->stalls->len, MOST_STALL_MARKS);

    for (guint i = 0; i < n; i++) {
        const struct plt_stall *stall = &g_array_index(curve->run->stalls, struct plt_stall, i);
        size_t slice = MIN(stall->start_ns / PLT_SERIES_SLICE_NS, curve->series.n);

        plt_chart_add_mark(chart, TRUE, plt_series_sum(&curve->series, 0, slice), PLT_TONE_BAD, NULL);
    }
}

/* "Pass 1: 6,655 MB/s up to 1.2 TB, then 1,808 MB/s; lower 1 % 1,310 MB/s" */
static char *describe(const struct curve *curve, const PltLanguage *language)
{
    const struct plt_fill *fill = &curve->fill;
    g_autofree char *low = bandwidth(fill->all.p1_bps);
    g_autofree char *mean = bandwidth(fill->all.average_bps);
    g_autofree char *cache = bandwidth(fill->cache.average_bps);
    g_autofree char *after = bandwidth(fill->after.average_bps);
    g_autofree char *size = capacity(fill->cliff.bytes);

    if (curve->write && fill->cliff.verdict == PLT_CLIFF_FOUND)
        return plt_language_format(language, N_("%s: %s up to %s, then %s; lower 1 %%: %s"), curve->name,
                                   cache, size, after, low, NULL);
    if (curve->write && fill->cliff.verdict == PLT_CLIFF_NONE)
        return plt_language_format(language, N_("%s: mean %s, no fall for good; lower 1 %%: %s"), curve->name,
                                   mean, low, NULL);
    return plt_language_format(language, N_("%s: mean %s; lower 1 %%: %s"), curve->name, mean, low, NULL);
}

/* "Pass 1, behind it: phases of 1,650 and 3,000 MB/s"; NULL where there is one speed. */
static char *describe_phases(const struct curve *curve, const PltLanguage *language)
{
    const struct plt_phases *phases = &curve->fill.phases;
    g_autofree char *slow = bandwidth(phases->slow.average_bps);
    g_autofree char *fast = bandwidth(phases->fast.average_bps);

    return curve->write && phases->found
               ? plt_language_format(language, N_("%s takes turns between %s and %s"), curve->name, slow,
                                     fast, NULL)
               : NULL;
}

static void add_captions(PltPicture *picture, const GPtrArray *curves, const PltLanguage *language)
{
    GString *phases = g_string_new(NULL);
    guint n_stalls = 0;

    for (guint i = 0; i < curves->len; i++) {
        const struct curve *curve = curves->pdata[i];
        g_autofree char *text = describe_phases(curve, language);

        g_ptr_array_insert(picture->captions, (gint)i, describe(curve, language));
        if (text)
            g_string_append_printf(phases, "%s%s", phases->len > 0 ? " · " : "", text);
        n_stalls += curve->run->stalls->len;
    }
    if (phases->len > 0)
        g_ptr_array_insert(picture->captions, (gint)curves->len, g_strdup(phases->str));
    g_string_free(phases, TRUE);
    if (n_stalls > 0) {
        g_autofree char *number = plt_format_number(n_stalls, 0);

        g_ptr_array_add(
            picture->captions,
            plt_language_format(language, N_("Stalls of 200 ms or more: %s (red)"), number, NULL));
    }
    g_ptr_array_add(
        picture->captions,
        g_strdup(plt_language_text(
            language, N_("One point every 100 ms over what had been moved by then; dashed: mean"))));
}

PltPicture *plt_report_build_fill(const PltReportRequest *request, GError **error)
{
    const PltLanguage *language = request->language;
    g_autoptr(GPtrArray) curves = make_curves(request, error);
    PltPicture *picture = NULL;
    PltChart *chart = NULL;

    if (!curves)
        return NULL;
    chart =
        plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_CAPACITY,
                      plt_language_text(language, ((struct curve *)curves->pdata[0])->write ? N_("Written")
                                                                                            : N_("Position")),
                      PLT_SCALE_LINEAR, PLT_UNIT_BANDWIDTH, plt_language_text(language, N_("Throughput")));
    chart->y.from = 0;
    for (guint i = 0; i < curves->len; i++) {
        add_line(chart, curves->pdata[i], i, language);
        add_cliff(chart, curves->pdata[i], language);
        add_stalls(chart, curves->pdata[i]);
    }
    plt_report_set_words(chart, language);
    picture = plt_report_frame(request->runs[0], language);
    add_captions(picture, curves, language);
    g_ptr_array_add(picture->charts, chart);
    return picture;
}
