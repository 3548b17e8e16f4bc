/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/chart.h"
#include "chart/format.h"
#include "report/build.h"
#include "report/cell.h"
#include "report/facts.h"

/* One cell in several runs: its curves over each other, or its scores in order. */
struct comparison {
    const PltReportRequest *request;
    const PltCell **cells; /* of each run; NULL where a run lacks it */
    const PltCell *first;  /* what all are compared in */
    GPtrArray *names;      /* char *, of each run */
};

static const PltCell *find_cell(const PltRun *run, const char *id)
{
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = run->cells->pdata[i];

        if (g_strcmp0(cell->spec.id, id) == 0)
            return cell;
    }
    return NULL;
}

/* How many of the runs have a score in the cell ID. */
static gsize count_scores(const PltReportRequest *request, const char *id)
{
    gsize n = 0;

    for (gsize i = 0; i < request->n_runs; i++) {
        const PltCell *cell = find_cell(request->runs[i], id);

        n += cell && plt_report_cell_measure(cell);
    }
    return n;
}

/* The first cell that most of the runs have a score in: what they can be compared by. */
static const char *choose_cell(const PltReportRequest *request)
{
    const char *best = NULL;
    gsize most = 0;

    for (gsize i = 0; i < request->n_runs; i++) {
        const PltRun *run = request->runs[i];

        for (guint c = 0; c < run->cells->len; c++) {
            const PltCell *cell = run->cells->pdata[c];
            gsize n = count_scores(request, cell->spec.id);

            if (n > most) {
                best = cell->spec.id;
                most = n;
            }
        }
    }
    return best;
}

/* The person's name for it or the drive's; with the date where two would be called the same. */
static char *run_name(const PltReportRequest *request, gsize index)
{
    const PltRun *run = request->runs[index];
    g_autofree char *drive = plt_facts_drive(run), *date = plt_facts_date(run);
    const char *unknown = plt_language_text(request->language, N_("Unknown drive"));
    const char *name = run->title && *run->title ? run->title : drive ? drive : unknown;
    gboolean twice = FALSE;

    for (gsize i = 0; i < request->n_runs; i++) {
        const PltRun *other = request->runs[i];
        g_autofree char *its_drive = plt_facts_drive(other);
        const char *its_name = other->title && *other->title ? other->title : its_drive ? its_drive : unknown;

        twice = twice || (i != index && g_str_equal(its_name, name));
    }
    return twice && date ? g_strdup_printf("%s, %s", name, date) : g_strdup(name);
}

static void clear_comparison(struct comparison *c)
{
    g_clear_pointer(&c->cells, g_free);
    g_clear_pointer(&c->names, g_ptr_array_unref);
}

static gboolean init_comparison(struct comparison *c, const PltReportRequest *request, GError **error)
{
    const char *id = request->options->cell ? request->options->cell : choose_cell(request);

    *c = (struct comparison){.request = request};
    if (request->n_runs > PLT_N_SERIES_STYLES) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("More than %d runs cannot be told apart in one picture: choose fewer."),
                    PLT_N_SERIES_STYLES);
        return FALSE;
    }
    c->cells = g_new0(const PltCell *, request->n_runs);
    c->names = g_ptr_array_new_with_free_func(g_free);
    for (gsize i = 0; i < request->n_runs; i++) {
        c->cells[i] = id ? find_cell(request->runs[i], id) : NULL;
        c->first = c->first ? c->first : c->cells[i];
        g_ptr_array_add(c->names, run_name(request, i));
    }
    if (c->first)
        return TRUE;
    clear_comparison(c);
    if (request->options->cell)
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("None of the runs has a cell “%s”: name one that they have."), request->options->cell);
    else
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("Nothing was measured in these runs: there is nothing to compare."));
    return FALSE;
}

/* In what the runs were not made alike. */
struct differences {
    gboolean suite, parameters, unfinished;
};

static struct differences find_differences(const PltReportRequest *request)
{
    const PltRun *first = request->runs[0];
    struct differences d = {0};

    for (gsize i = 0; i < request->n_runs; i++) {
        const PltRun *run = request->runs[i];
        double seconds = plt_facts_seconds(run), its_seconds = plt_facts_seconds(first);

        d.suite = d.suite || g_strcmp0(run->suite_id, first->suite_id) != 0;
        d.parameters = d.parameters || plt_facts_size(run) != plt_facts_size(first) ||
                       plt_facts_runs(run) != plt_facts_runs(first) ||
                       (seconds != its_seconds && !(isnan(seconds) && isnan(its_seconds))) ||
                       g_strcmp0(plt_facts_data(run), plt_facts_data(first)) != 0;
        d.unfinished = d.unfinished || run->status != PLT_RUN_COMPLETE;
    }
    return d;
}

static void add_notice(const struct comparison *c, PltPicture *picture, const char *msgid)
{
    g_ptr_array_add(picture->notices, g_strdup(plt_language_text(c->request->language, msgid)));
}

/* What the figures differ by may then not be the drives. */
static void add_notices(const struct comparison *c, PltPicture *picture, const struct differences *d)
{
    if (d->suite)
        add_notice(c, picture, N_("The runs are of different suites."));
    if (d->parameters)
        add_notice(c, picture, N_("The runs differ in size of the test file, number, length or data."));
    if (d->unfinished)
        add_notice(c, picture, N_("Not all runs were completed."));
}

/* What is under the picture about run INDEX; its date is in the name already where two are called the same.
 */
static char *run_caption(const struct comparison *c, gsize index)
{
    const PltRun *run = c->request->runs[index];
    g_autofree char *details = plt_facts_drive_details(run, c->request->language),
                    *date = plt_facts_date(run);
    const char *name = c->names->pdata[index];
    GString *text = g_string_new(name);

    if (details)
        g_string_append_printf(text, " · %s", details);
    if (date && !g_str_has_suffix(name, date))
        g_string_append_printf(text, " · %s", date);
    return g_string_free(text, FALSE);
}

static PltPicture *make_frame(const struct comparison *c)
{
    const PltLanguage *language = c->request->language;
    PltPicture *picture = plt_picture_new();
    const char *label = plt_report_row_name(c->first->spec.label, language);
    PltPicture *first = plt_report_frame(c->request->runs[0], language);
    struct differences d = find_differences(c->request);

    picture->title =
        g_strdup_printf("%s, %s", label, plt_language_text(language, plt_report_op_word(c->first->spec.op)));
    if (!d.suite && !d.parameters)
        picture->subtitle = g_steal_pointer(&first->subtitle);
    picture->source = g_steal_pointer(&first->source);
    plt_picture_free(first);
    add_notices(c, picture, &d);
    for (gsize i = 0; i < c->request->n_runs; i++)
        g_ptr_array_add(picture->captions, run_caption(c, i));
    return picture;
}

/* The measured windows of run INDEX that count, one after the other. */
static gboolean add_curve(const struct comparison *c, PltChart *chart, gsize index, GError **error)
{
    PltPyramid *line = plt_pyramid_new_uneven();
    double at = 0.0;
    const PltCell *cell = c->cells[index];
    gboolean read = TRUE;

    for (guint i = 0; cell && read && i < cell->runs->len; i++) {
        const PltCellRun *run = cell->runs->pdata[i];

        if (run->warmup || !plt_report_has_samples(c->request, run))
            continue;
        read = plt_report_append_window(c->request, run, line, &at, error);
    }
    /* A run without the cell is named too: that it has nothing to show is a result. */
    plt_chart_add_series(chart, PLT_SERIES_LINE, c->names->pdata[index], (guint)index, line);
    return read;
}

static gsize count_points(const PltChart *chart)
{
    gsize n = 0;

    for (guint i = 0; i < chart->series->len; i++)
        n += plt_pyramid_length(((const PltSeries *)chart->series->pdata[i])->data);
    return n;
}

PltPicture *plt_report_build_overlay(const PltReportRequest *request, GError **error)
{
    const PltLanguage *language = request->language;
    struct comparison c;
    PltPicture *picture = NULL;
    PltChart *chart = NULL;
    gboolean read = TRUE;

    if (!init_comparison(&c, request, error))
        return NULL;
    chart =
        plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_TIME, plt_language_text(language, N_("Measured time")),
                      PLT_SCALE_LINEAR, PLT_UNIT_BANDWIDTH, plt_language_text(language, N_("Throughput")));
    for (gsize i = 0; read && i < request->n_runs; i++)
        read = add_curve(&c, chart, i, error);
    plt_report_set_words(chart, language);
    if (read && count_points(chart) == 0) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE,
                            _("Nothing was recorded over time: there is no curve to draw."));
        read = FALSE;
    }
    if (read) {
        picture = make_frame(&c);
        g_ptr_array_add(picture->charts, chart);
    } else {
        plt_chart_free(chart);
    }
    clear_comparison(&c);
    return picture;
}

struct place {
    gsize run;
    double value; /* NAN = no score */
};

static int compare_places(gconstpointer a, gconstpointer b, gpointer lower_first)
{
    const struct place *left = a, *right = b;

    if (isnan(left->value) || isnan(right->value))
        return isnan(left->value) - isnan(right->value);
    if (left->value == right->value)
        return left->run < right->run ? -1 : 1;
    return (left->value < right->value) == GPOINTER_TO_INT(lower_first) ? -1 : 1;
}

/* The runs with their scores, the best one first. */
static GArray *make_places(const struct comparison *c, gboolean access_time)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(struct place));

    for (gsize i = 0; i < c->request->n_runs; i++) {
        const struct plt_measure *measure = c->cells[i] ? plt_report_cell_measure(c->cells[i]) : NULL;
        struct place place = {i, NAN};

        if (measure)
            place.value = access_time ? measure->latency.mean_ns : measure->bandwidth_bps;
        g_array_append_val(places, place);
    }
    g_array_sort_with_data(places, compare_places, GINT_TO_POINTER(access_time));
    return places;
}

static void add_places(const struct comparison *c, PltChart *chart, const GArray *places,
                       gboolean access_time)
{
    PltPyramid *data = plt_pyramid_new(0.0, 1.0);
    PltSeries *series = NULL;

    for (guint i = 0; i < places->len; i++) {
        const struct place *place = &g_array_index(places, struct place, i);

        plt_axis_add_category(&chart->x, c->names->pdata[place->run]);
        plt_pyramid_append(data, place->value);
    }
    series = plt_chart_add_series(chart, PLT_SERIES_BARS, NULL, 0, data);
    for (guint i = 0; i < places->len; i++) {
        double value = g_array_index(places, struct place, i).value;
        PltQuantity quantity = access_time ? plt_format_latency(value) : plt_format_bandwidth(value);
        g_autofree char *text = plt_quantity_join(&quantity);

        plt_series_add_label(series, text);
    }
}

PltPicture *plt_report_build_ranking(const PltReportRequest *request, GError **error)
{
    const PltLanguage *language = request->language;
    g_autoptr(GArray) places = NULL;
    struct comparison c;
    PltPicture *picture = NULL;
    PltChart *chart = NULL;
    gboolean access_time;

    if (!init_comparison(&c, request, error))
        return NULL;
    access_time = plt_report_cell_is_access_time(c.first);
    chart = plt_chart_new(PLT_SCALE_CATEGORY, PLT_UNIT_NUMBER, NULL, PLT_SCALE_LINEAR,
                          access_time ? PLT_UNIT_LATENCY : PLT_UNIT_BANDWIDTH,
                          access_time ? plt_language_text(language, N_("Access time; lower is better"))
                                      : plt_language_text(language, N_("Throughput; higher is better")));
    chart->horizontal = TRUE;
    places = make_places(&c, access_time);
    add_places(&c, chart, places, access_time);
    plt_report_set_words(chart, language);
    picture = make_frame(&c);
    g_ptr_array_add(picture->charts, chart);
    clear_comparison(&c);
    return picture;
}
