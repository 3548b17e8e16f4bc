/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/cell-figures.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "chart/format.h"
#include "report/cell.h"
#include "report/facts.h"

struct _PltCellFigures {
    GObject parent_instance;
    GPtrArray *runs;  /* PltRun */
    GPtrArray *cells; /* const PltCell, or NULL, for each run */
};

G_DEFINE_FINAL_TYPE(PltCellFigures, plt_cell_figures, G_TYPE_OBJECT)

static void plt_cell_figures_finalize(GObject *object)
{
    PltCellFigures *figures = PLT_CELL_FIGURES(object);

    g_ptr_array_unref(figures->cells);
    g_ptr_array_unref(figures->runs);
    G_OBJECT_CLASS(plt_cell_figures_parent_class)->finalize(object);
}

static void plt_cell_figures_class_init(PltCellFiguresClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = plt_cell_figures_finalize;
}

static void plt_cell_figures_init(PltCellFigures *figures)
{
    figures->cells = g_ptr_array_new();
}

static PltCell *find_cell(const PltRun *run, const char *id)
{
    for (guint i = 0; i < run->cells->len; i++) {
        PltCell *cell = run->cells->pdata[i];

        if (g_strcmp0(cell->spec.id, id) == 0)
            return cell;
    }
    return NULL;
}

static void add_cell(GListStore *store, GPtrArray *runs, const PltCell *cell)
{
    g_autoptr(PltCellFigures) figures = g_object_new(PLT_TYPE_CELL_FIGURES, NULL);

    figures->runs = g_ptr_array_ref(runs);
    for (guint i = 0; i < runs->len; i++)
        g_ptr_array_add(figures->cells, find_cell(runs->pdata[i], cell->spec.id));
    g_list_store_append(store, figures);
}

GListStore *plt_cell_figures_list(GPtrArray *runs)
{
    GListStore *store = g_list_store_new(PLT_TYPE_CELL_FIGURES);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint r = 0; r < runs->len; r++) {
        const PltRun *run = runs->pdata[r];

        for (guint i = 0; i < run->cells->len; i++) {
            const PltCell *cell = run->cells->pdata[i];

            if (cell->spec.id && g_hash_table_add(seen, cell->spec.id))
                add_cell(store, runs, cell);
        }
    }
    return store;
}

/* The first run's cell, or the first that there is. */
static const PltCell *main_cell(PltCellFigures *figures)
{
    for (guint i = 0; i < figures->cells->len; i++) {
        if (figures->cells->pdata[i])
            return figures->cells->pdata[i];
    }
    return NULL;
}

/* The score's figures, or what was measured before the cell was cut short. */
static const struct plt_measure *measure_of(const PltCell *cell)
{
    const struct plt_measure *score = plt_report_cell_measure(cell);

    return score ? score : plt_report_cell_partial(cell);
}

static char *join(PltQuantity quantity)
{
    return plt_quantity_join(&quantity);
}

static char *number_of(PltQuantity quantity)
{
    char *number = g_steal_pointer(&quantity.number);

    plt_quantity_clear(&quantity);
    return number;
}

static char *latency_text(const struct plt_measure *measure, double ns)
{
    /* Without a histogram all of them are 0: not known. */
    return measure->latency.max_ns > 0 ? join(plt_format_latency(ns)) : g_strdup("—");
}

/* Every measured run that counts, "7,012  6,990  6,987"; one that was cut short in brackets. */
static char *runs_text(const PltCell *cell)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = cell->runs->pdata[i];
        const struct plt_measure *measure = plt_report_run_measure(cell, run);
        g_autofree char *number = NULL;

        if (run->warmup || measure->ios == 0)
            continue;
        number = number_of(plt_format_bandwidth(measure->bandwidth_bps));
        g_string_append_printf(text, run->complete ? "%s%s" : "%s(%s)", text->len > 0 ? "  " : "", number);
    }
    if (text->len == 0)
        g_string_append(text, "—");
    return g_string_free(text, FALSE);
}

static char *median_text(const PltCell *cell)
{
    double median = plt_cell_median_bps(cell);

    return isnan(median) ? g_strdup("—") : number_of(plt_format_bandwidth(median));
}

static char *spread_text(const PltCell *cell)
{
    double spread = plt_cell_spread_percent(cell);

    return isnan(spread) ? g_strdup("—") : join(plt_format_percent(spread));
}

static char *measure_text(const struct plt_measure *measure, guint figure)
{
    if (!measure)
        return g_strdup("—");
    if (figure == PLT_FIGURE_BANDWIDTH)
        return number_of(plt_format_bandwidth(measure->bandwidth_bps));
    if (figure == PLT_FIGURE_IOPS)
        return plt_format_number(measure->iops, measure->iops < 100.0 ? 1 : 0);
    if (figure == PLT_FIGURE_MEAN)
        return latency_text(measure, measure->latency.mean_ns);
    if (figure == PLT_FIGURE_MIN)
        return latency_text(measure, (double)measure->latency.min_ns);
    if (figure == PLT_FIGURE_MAX)
        return latency_text(measure, (double)measure->latency.max_ns);
    return latency_text(measure, measure->latency.percentile_ns[figure - PLT_FIGURE_PERCENTILE]);
}

static double score_of(PltCellFigures *figures, guint run)
{
    const PltCell *cell = run < figures->cells->len ? figures->cells->pdata[run] : NULL;
    const struct plt_measure *measure = cell ? plt_report_cell_measure(cell) : NULL;

    if (!measure)
        return NAN;
    return plt_report_cell_is_access_time(cell) ? measure->latency.mean_ns : measure->bandwidth_bps;
}

/* "7,012 MB/s (+3.1 %)", the difference from the first run. */
static char *compared_text(PltCellFigures *figures, guint run)
{
    double value = score_of(figures, run), first = score_of(figures, 0);
    gboolean access_time = main_cell(figures) && plt_report_cell_is_access_time(main_cell(figures));
    g_autofree char *text = NULL;
    double percent;

    if (isnan(value))
        return g_strdup("—");
    text = join(access_time ? plt_format_latency(value) : plt_format_bandwidth(value));
    if (run == 0 || !(first > 0.0))
        return g_steal_pointer(&text);
    percent = (value / first - 1.0) * 100.0;
    /* A real minus sign: a hyphen is not as wide as the plus. */
    return g_strdup_printf("%s (%s%.1f %%)", text, percent < 0.0 ? "−" : "+", fabs(percent));
}

char *plt_cell_figures_format(PltCellFigures *figures, guint figure)
{
    const PltCell *cell = main_cell(figures);

    if (figure >= PLT_FIGURE_RUN)
        return compared_text(figures, figure - PLT_FIGURE_RUN);
    if (!cell)
        return g_strdup("—");
    switch (figure) {
    case PLT_FIGURE_CELL:
        return g_strdup(cell->spec.label ? _(cell->spec.label) : cell->spec.id);
    case PLT_FIGURE_OP:
        if (cell->spec.op == PLT_CELL_MIX)
            return g_strdup_printf("%s %u:%u", _(plt_report_op_word(cell->spec.op)), cell->spec.read_percent,
                                   100 - MIN(100u, cell->spec.read_percent));
        return g_strdup(_(plt_report_op_word(cell->spec.op)));
    case PLT_FIGURE_MEDIAN_RUN:
        return median_text(cell);
    case PLT_FIGURE_SPREAD:
        return spread_text(cell);
    case PLT_FIGURE_RUNS:
        return runs_text(cell);
    default:
        return measure_text(measure_of(cell), figure);
    }
}

gboolean plt_cell_figures_is_reliable(PltCellFigures *figures, guint figure)
{
    const PltCell *cell = main_cell(figures);
    const struct plt_measure *measure = cell ? measure_of(cell) : NULL;

    if (figure >= PLT_FIGURE_RUN || figure < PLT_FIGURE_BANDWIDTH || !measure)
        return TRUE;
    if (figure >= PLT_FIGURE_PERCENTILE && figure < PLT_FIGURE_MAX)
        return measure->latency.reliable[figure - PLT_FIGURE_PERCENTILE];
    return plt_report_cell_measure(cell) != NULL;
}

static char *plain_title(const PltRun *run)
{
    g_autofree char *drive = plt_facts_drive(run);

    if (run->title && *run->title)
        return g_strdup(run->title);
    return g_strdup(drive ? drive : _("Unknown drive"));
}

/* With the date where two of them would be called the same. */
static char *run_title(GPtrArray *runs, guint index)
{
    g_autofree char *title = plain_title(runs->pdata[index]), *date = NULL;

    for (guint i = 0; i < runs->len && !date; i++) {
        g_autofree char *other = plain_title(runs->pdata[i]);

        if (i != index && g_str_equal(other, title))
            date = plt_facts_date(runs->pdata[index]);
    }
    return date ? g_strdup_printf("%s, %s", title, date) : g_steal_pointer(&title);
}

char *plt_figure_title(guint figure, GPtrArray *runs)
{
    static const char *const titles[] = {
        [PLT_FIGURE_CELL] = N_("Workload"),     [PLT_FIGURE_OP] = N_("Operation"),
        [PLT_FIGURE_BANDWIDTH] = N_("MB/s"),    [PLT_FIGURE_IOPS] = N_("IOPS"),
        [PLT_FIGURE_MEAN] = N_("Mean latency"), [PLT_FIGURE_MEDIAN_RUN] = N_("Median run, MB/s"),
        [PLT_FIGURE_SPREAD] = N_("Spread"),     [PLT_FIGURE_RUNS] = N_("All runs, MB/s"),
        [PLT_FIGURE_MIN] = N_("Shortest"),
    };
    double share;
    g_autofree char *percent = NULL;

    if (figure >= PLT_FIGURE_RUN)
        return run_title(runs, figure - PLT_FIGURE_RUN);
    if (figure == PLT_FIGURE_MAX)
        return g_strdup(_("Longest"));
    if (figure < PLT_FIGURE_PERCENTILE)
        return g_strdup(_(titles[figure]));
    share = plt_percentile_share((enum plt_percentile)(figure - PLT_FIGURE_PERCENTILE)) * 100.0;
    percent = g_strdup_printf("%g", share);
    /* Translators: a latency percentile, such as 99.9 % */
    return g_strdup_printf(_("%s %%"), percent);
}
