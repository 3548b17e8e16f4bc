/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-chart.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/run-words.h"
#include "chart/format.h"
#include "report/cell.h"

enum {
    SERIES_RATE,
    SERIES_TEMPERATURE,
    N_RATE_SERIES,
};

enum {
    SERIES_P50,
    SERIES_P99,
    N_LATENCY_SERIES,
};

/* Points that were taken end where the next one begins, but for rounding. */
#define EPSILON_S 1e-6

/* A chart view, and the chart that is filled before the view gets it. */
typedef struct {
    PltChartView *view;
    PltChart *building; /* NULL once the view has it */
} Plot;

struct plt_run_chart {
    Plot rates, latencies;
    PltJob *job; /* or NULL */

    double preparation_s; /* up to where the writing of the test file is taken over */
    gboolean prepared;    /* to its end */
    guint window;         /* which window comes next, and up to where in it */
    double window_s;
    guint n_latencies, n_temperatures;
    gboolean has_temperature;
    gboolean latencies_shown;

    guint section_step; /* step of the section that is open */
    gboolean section_open;
    double section_from_s, section_to_s;
    guint n_sections;
};

static void put(Plot *plot, guint series, double x, double value)
{
    if (plot->building != NULL)
        plt_pyramid_append_at(((PltSeries *)plot->building->series->pdata[series])->data, x, value);
    else
        plt_chart_view_append(plot->view, series, x, value);
}

static void put_section(Plot *plot, double from, double to, PltTone tone, const char *label,
                        const char *detail)
{
    if (plot->building != NULL)
        plt_chart_add_band(plot->building, from, to, tone, label, detail);
    else
        plt_chart_view_add_band(plot->view, from, to, tone, label, detail);
}

static void hand_over(Plot *plot)
{
    plt_chart_view_set_chart(plot->view, g_steal_pointer(&plot->building));
}

static void build_rates(PltRunChart *chart)
{
    PltChart *made = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_TIME, _("Time"), PLT_SCALE_LINEAR,
                                   PLT_UNIT_BANDWIDTH, _("Throughput"));
    PltSeries *rate = plt_chart_add_series(
        made, PLT_SERIES_LINE, chart->has_temperature ? _("Throughput") : NULL, 0, plt_pyramid_new_uneven());

    rate->solid = TRUE;
    made->x.from = 0;
    if (chart->has_temperature) {
        PltSeries *temperature =
            plt_chart_add_series(made, PLT_SERIES_LINE, _("Temperature"), 1, plt_pyramid_new_uneven());

        temperature->right = TRUE;
        made->has_y2 = TRUE;
        plt_axis_init(&made->y2, PLT_SCALE_LINEAR, PLT_UNIT_CELSIUS, _("Temperature"));
    }
    chart->rates.building = made;
}

static void build_latencies(PltRunChart *chart)
{
    PltChart *made = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_TIME, _("Time"), PLT_SCALE_LOG10,
                                   PLT_UNIT_LATENCY, _("Latency"));

    made->x.from = 0;
    g_set_str(&made->log_word, C_("axis", "log"));
    plt_chart_add_series(made, PLT_SERIES_LINE, _("Median"), 2, plt_pyramid_new_uneven())->solid = TRUE;
    plt_chart_add_series(made, PLT_SERIES_LINE, _("99th percentile"), 3, plt_pyramid_new_uneven())->solid =
        TRUE;
    chart->latencies.building = made;
}

/* A merged point stands for several ticks: its extremes are kept beside its mean. */
static void put_point(PltRunChart *chart, double start_s, const PltLivePoint *point)
{
    double x = start_s + point->start_s + point->length_s / 2;

    put(&chart->rates, SERIES_RATE, x, point->mean_bps);
    if (point->max_bps <= point->min_bps)
        return;
    put(&chart->rates, SERIES_RATE, x, point->min_bps);
    put(&chart->rates, SERIES_RATE, x, point->max_bps);
}

/*
 * The points of SERIES that begin at *TAKEN_S or later; those that still grow only if COMPLETE, when nothing
 * more comes. A series that is merged keeps its ends, so a time says better than an index what was taken.
 */
static void put_series(PltRunChart *chart, double start_s, const PltLiveSeries *series, gboolean complete,
                       double *taken_s)
{
    guint end = series->points->len, first;

    if (end > 0 && !complete && series->in_last < series->per_point)
        end--;
    first = end;
    while (first > 0 &&
           g_array_index(series->points, PltLivePoint, first - 1).start_s >= *taken_s - EPSILON_S)
        first--;
    for (guint i = first; i < end; i++) {
        const PltLivePoint *point = &g_array_index(series->points, PltLivePoint, i);

        put_point(chart, start_s, point);
        *taken_s = point->start_s + point->length_s;
    }
}

static void close_section(PltRunChart *chart)
{
    const PltStep *step;

    if (!chart->section_open)
        return;
    chart->section_open = FALSE;
    step = plt_job_get_plan(chart->job)->steps->pdata[chart->section_step];
    put_section(&chart->rates, chart->section_from_s, chart->section_to_s,
                chart->n_sections++ % 2 == 0 ? PLT_TONE_NORMAL : PLT_TONE_MUTED,
                plt_words_label(step->cell.label), plt_words_op(step->cell.op));
}

/* The windows of one step are one section, pauses between them included. */
static void extend_section(PltRunChart *chart, const PltLiveWindow *window)
{
    if (chart->section_open && chart->section_step != window->step)
        close_section(chart);
    if (!chart->section_open) {
        chart->section_open = TRUE;
        chart->section_step = window->step;
        chart->section_from_s = window->start_s;
    }
    chart->section_to_s = window->start_s + (double)window->duration_ns / 1e9;
}

static void take_preparation(PltRunChart *chart, gboolean complete)
{
    if (chart->prepared)
        return;
    put_series(chart, 0, plt_job_get_preparation(chart->job), complete, &chart->preparation_s);
    if (!complete || chart->preparation_s <= 0)
        return;
    chart->prepared = TRUE;
    chart->n_sections++;
    put_section(&chart->rates, 0, chart->preparation_s, PLT_TONE_NORMAL, _("Test file"), _("Write"));
    put(&chart->rates, SERIES_RATE, chart->preparation_s, NAN);
}

static void take_windows(PltRunChart *chart)
{
    const GPtrArray *windows = plt_job_get_windows(chart->job);
    gboolean running = plt_job_is_running(chart->job);

    while (chart->window < windows->len) {
        const PltLiveWindow *window = windows->pdata[chart->window];
        gboolean last = chart->window + 1 == windows->len;

        put_series(chart, window->start_s, window->series, !last || !running, &chart->window_s);
        extend_section(chart, window);
        if (last)
            break;
        put(&chart->rates, SERIES_RATE, window->start_s + chart->window_s, NAN);
        chart->window++;
        chart->window_s = 0;
    }
    if (!running)
        close_section(chart);
}

static void take_temperatures(PltRunChart *chart)
{
    const GArray *temperatures = plt_job_get_temperatures(chart->job);

    for (; chart->has_temperature && chart->n_temperatures < temperatures->len; chart->n_temperatures++) {
        const PltLiveTemperature *next =
            &g_array_index(temperatures, PltLiveTemperature, chart->n_temperatures);

        put(&chart->rates, SERIES_TEMPERATURE, next->at_s, next->celsius);
    }
}

static void take_latencies(PltRunChart *chart)
{
    const GArray *latencies = plt_job_get_latencies(chart->job);

    for (; chart->latencies_shown && chart->n_latencies < latencies->len; chart->n_latencies++) {
        const PltLiveLatency *next = &g_array_index(latencies, PltLiveLatency, chart->n_latencies);
        gboolean other_window = chart->n_latencies > 0 && next[-1].window != next->window;

        /* From one window to the next there is no line: nothing was measured between them. */
        for (guint series = 0; other_window && series < N_LATENCY_SERIES; series++)
            put(&chart->latencies, series, next[-1].at_s, NAN);
        put(&chart->latencies, SERIES_P50, next->at_s, next->p50_ns);
        put(&chart->latencies, SERIES_P99, next->at_s, next->p99_ns);
    }
}

static void take(PltRunChart *chart)
{
    gboolean prepared = plt_job_get_windows(chart->job)->len > 0 || !plt_job_is_running(chart->job);

    take_preparation(chart, prepared);
    take_windows(chart);
    take_temperatures(chart);
    take_latencies(chart);
}

/* One sentence with the figures of the cells that have ended. */
static void describe(PltRunChart *chart)
{
    const PltPlan *plan = plt_job_get_plan(chart->job);
    g_autoptr(GString) text = g_string_new(_("Throughput over the time of the run."));

    for (guint i = 0; i < plan->steps->len; i++) {
        const PltCell *cell = plt_job_get_cell(chart->job, i);
        const struct plt_measure *score = cell != NULL ? plt_report_cell_measure(cell) : NULL;
        g_autofree char *name = NULL, *figure = NULL;
        PltQuantity quantity;

        if (score == NULL)
            continue;
        name = plt_words_cell(&cell->spec);
        quantity = plt_format_bandwidth(score->bandwidth_bps);
        figure = plt_quantity_join(&quantity);
        /* Translators: a workload and its figure, as one of several in a row: “RND4K Q1T1 Read: 87 MB/s.” */
        g_string_append_printf(text, _(" %s: %s."), name, figure);
    }
    plt_chart_view_set_description(chart->rates.view, text->str);
}

/* From the job's start, into new charts that the views get as a whole. */
static void rebuild(PltRunChart *chart)
{
    chart->preparation_s = chart->window_s = 0;
    chart->window = chart->n_temperatures = chart->n_latencies = chart->n_sections = 0;
    chart->section_open = chart->prepared = FALSE;
    chart->has_temperature = plt_job_get_temperatures(chart->job)->len > 0;
    build_rates(chart);
    build_latencies(chart);
    take(chart);
    hand_over(&chart->rates);
    hand_over(&chart->latencies);
    describe(chart);
}

void plt_run_chart_update(PltRunChart *chart)
{
    guint n_sections = chart->n_sections;

    if (chart->job == NULL)
        return;
    if (!chart->has_temperature && plt_job_get_temperatures(chart->job)->len > 0) {
        rebuild(chart);
        return;
    }
    take(chart);
    if (chart->n_sections != n_sections)
        describe(chart);
}

void plt_run_chart_set_job(PltRunChart *chart, PltJob *job)
{
    if (!g_set_object(&chart->job, job))
        return;
    if (job != NULL) {
        rebuild(chart);
        return;
    }
    plt_chart_view_set_chart(chart->rates.view, NULL);
    plt_chart_view_set_chart(chart->latencies.view, NULL);
}

void plt_run_chart_set_latencies_shown(PltRunChart *chart, gboolean shown)
{
    chart->latencies_shown = shown;
    if (chart->job != NULL)
        take_latencies(chart);
}

PltRunChart *plt_run_chart_new(PltChartView *rates, PltChartView *latencies)
{
    PltRunChart *chart = g_new0(PltRunChart, 1);

    chart->rates.view = rates;
    chart->latencies.view = latencies;
    plt_chart_view_set_label(rates, _("Throughput of the Run"));
    plt_chart_view_set_label(latencies, _("Latency of the Run"));
    plt_chart_view_set_description(latencies, _("Median and 99th percentile of latency, second by second."));
    return chart;
}

void plt_run_chart_free(PltRunChart *chart)
{
    g_clear_object(&chart->job);
    g_free(chart);
}
