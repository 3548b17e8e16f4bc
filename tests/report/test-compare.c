/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include "chart/chart.h"
#include "chart/readout.h"
#include "fixture.h"
#include "report/build.h"
#include "report/language.h"

typedef struct {
    PltRun *runs[3]; /* the third is half as fast as the first and has no second row */
    PltLanguage *language;
} Bed;

static void set_up(Bed *bed, gconstpointer data)
{
    bed->language = plt_language_new("en", NULL);
    for (guint i = 0; i < 3; i++)
        bed->runs[i] = plt_fixture_nvme(FALSE);
    g_set_str(&bed->runs[1]->title, "With a heat sink");
    g_set_str(&bed->runs[2]->title, "Other slot");
    for (guint c = 0; c < bed->runs[2]->cells->len; c++) {
        PltCell *cell = bed->runs[2]->cells->pdata[c];

        for (guint r = 0; r < cell->runs->len; r++) {
            PltCellRun *run = cell->runs->pdata[r];

            run->total.bandwidth_bps /= 2.0;
            for (guint op = 0; op < PLT_N_OPS; op++)
                run->op[op].bandwidth_bps /= 2.0;
        }
    }
    for (guint i = 0; i < 3; i++) {
        for (guint c = 0; c < bed->runs[i]->cells->len; c++)
            plt_fixture_add_samples(bed->runs[i]->cells->pdata[c], -1);
    }
    g_ptr_array_remove_index(bed->runs[2]->cells, 1);
}

static void tear_down(Bed *bed, gconstpointer data)
{
    for (guint i = 0; i < 3; i++)
        plt_run_free(bed->runs[i]);
    plt_language_free(bed->language);
}

static const char *cell_id(Bed *bed, guint index)
{
    return ((const PltCell *)bed->runs[0]->cells->pdata[index])->spec.id;
}

static PltPicture *build(Bed *bed, gsize n, const char *kind, const char *cell, GError **error)
{
    PltReportOptions options = {.kind = kind, .cell = cell};

    return plt_report_build((const PltRun *const *)bed->runs, n, &options, bed->language, error);
}

static const char *category(const PltChart *chart, guint index)
{
    return chart->x.categories->pdata[index];
}

static void test_ranking(Bed *bed, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPicture) picture = NULL;
    const PltChart *chart = NULL;
    const PltSeries *series = NULL;

    /* From slow to fast, so that the picture has to put them in order. */
    PltRun *slow = bed->runs[2];
    bed->runs[2] = bed->runs[0];
    bed->runs[0] = slow;
    picture = build(bed, 3, "ranking", NULL, &error);
    g_assert_no_error(error);
    chart = picture->charts->pdata[0];
    g_assert_true(chart->horizontal);
    g_assert_cmpuint(chart->x.categories->len, ==, 3);
    g_assert_cmpstr(category(chart, 2), ==, "Other slot");
    series = chart->series->pdata[0];
    g_assert_cmpfloat_with_epsilon(plt_pyramid_value(series->data, 0), 7012.4e6, 1e3);
    g_assert_cmpfloat_with_epsilon(plt_pyramid_value(series->data, 2), 7012.4e6 / 2.0, 1e3);
    g_assert_cmpstr(series->labels->pdata[0], ==, "7,012 MB/s");
    g_assert_cmpstr(series->labels->pdata[2], ==, "3,506 MB/s");
    g_assert_cmpuint(picture->notices->len, ==, 0);
    g_assert_cmpuint(picture->captions->len, ==, 3);
}

/* A run without the cell is named and comes last. */
static void test_missing_cell(Bed *bed, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPicture) picture = build(bed, 3, "ranking", cell_id(bed, 1), &error);
    const PltChart *chart = NULL;

    g_assert_no_error(error);
    chart = picture->charts->pdata[0];
    g_assert_cmpstr(category(chart, 2), ==, "Other slot");
    g_assert_cmpstr(((const PltSeries *)chart->series->pdata[0])->labels->pdata[2], ==, "— MB/s");
}

static void test_overlay(Bed *bed, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPicture) picture = build(bed, 3, "overlay", NULL, &error);
    const PltChart *chart = NULL;

    g_assert_no_error(error);
    chart = picture->charts->pdata[0];
    g_assert_cmpuint(chart->series->len, ==, 3);
    for (guint i = 0; i < 3; i++) {
        const PltSeries *series = chart->series->pdata[i];

        g_assert_cmpuint(series->style, ==, i);
        /* All start at once: half a tick after zero. */
        g_assert_cmpfloat_with_epsilon(plt_pyramid_x(series->data, 0), 0.05, 1e-9);
    }
    g_assert_cmpstr(((const PltSeries *)chart->series->pdata[1])->name, ==, "With a heat sink");
}

static void test_differences(Bed *bed, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPicture) picture = NULL;

    g_set_str(&bed->runs[1]->suite_id, "quick");
    json_object_set_int_member(json_node_get_object(bed->runs[1]->parameters), "size", 4096);
    bed->runs[1]->status = PLT_RUN_STOPPED;
    picture = build(bed, 2, "ranking", NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(picture->notices->len, ==, 3);
    g_assert_null(picture->subtitle);
}

static void test_refuses(Bed *bed, gconstpointer data)
{
    g_autoptr(GError) unknown = NULL, many = NULL, empty = NULL;
    const PltRun *runs[9];
    PltReportOptions options = {.kind = "ranking"};
    g_autoptr(PltRun) bare = plt_fixture_run("quick", "Quick look", "quick-card");

    g_assert_null(build(bed, 2, "overlay", "no-such-cell", &unknown));
    g_assert_error(unknown, PLT_ERROR, PLT_ERROR_USAGE);
    for (guint i = 0; i < G_N_ELEMENTS(runs); i++)
        runs[i] = bed->runs[0];
    g_assert_null(plt_report_build(runs, G_N_ELEMENTS(runs), &options, bed->language, &many));
    g_assert_error(many, PLT_ERROR, PLT_ERROR_USAGE);
    runs[0] = bare;
    g_assert_null(plt_report_build(runs, 1, &options, bed->language, &empty));
    g_assert_error(empty, PLT_ERROR, PLT_ERROR_USAGE);
}

typedef struct {
    GHashTable *kept; /* PltCellRun -> its samples, taken out of the run */
    gboolean damaged;
} Source;

static gboolean each(gpointer data, const PltCellRun *run, PltSamplesFunc func, gpointer user, GError **error)
{
    Source *source = data;
    const GArray *samples = g_hash_table_lookup(source->kept, run);

    if (source->damaged) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_FORMAT, "damaged");
        return FALSE;
    }
    /* In chunks of 7: none of the windows is a multiple of it. */
    for (guint i = 0; i < samples->len; i += 7)
        func(&g_array_index(samples, struct plt_sample, i), MIN(7u, samples->len - i), user);
    return TRUE;
}

static void take_samples(PltRun *run, GHashTable *kept)
{
    for (guint c = 0; c < run->cells->len; c++) {
        const PltCell *cell = run->cells->pdata[c];

        for (guint r = 0; r < cell->runs->len; r++) {
            PltCellRun *cell_run = cell->runs->pdata[r];

            cell_run->tick_ns = 100000000;
            g_hash_table_insert(kept, cell_run, g_steal_pointer(&cell_run->samples));
        }
    }
}

static void assert_same_series(const PltPicture *a, const PltPicture *b)
{
    const PltChart *left = a->charts->pdata[0], *right = b->charts->pdata[0];

    g_assert_cmpuint(left->series->len, ==, right->series->len);
    for (guint s = 0; s < left->series->len; s++) {
        const PltPyramid *one = ((const PltSeries *)left->series->pdata[s])->data;
        const PltPyramid *other = ((const PltSeries *)right->series->pdata[s])->data;

        g_assert_cmpuint(plt_pyramid_length(one), ==, plt_pyramid_length(other));
        for (gsize i = 0; i < plt_pyramid_length(one); i++) {
            g_assert_cmpfloat_with_epsilon(plt_pyramid_x(one, i), plt_pyramid_x(other, i), 1e-9);
            g_assert_cmpint(memcmp(&(double){plt_pyramid_value(one, i)},
                                   &(double){plt_pyramid_value(other, i)}, sizeof(double)),
                            ==, 0);
        }
    }
}

/* Read in chunks, the picture is the one of samples that are loaded. */
static void test_source(Bed *bed, gconstpointer data)
{
    static const char *const kinds[] = {"time", "overlay"};
    g_autoptr(GHashTable) kept = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    Source state = {kept, FALSE};
    PltSampleSource source = {each, &state};
    PltPicture *loaded[2];

    for (guint i = 0; i < 2; i++)
        loaded[i] = build(bed, 1, kinds[i], NULL, NULL);
    take_samples(bed->runs[0], kept);
    for (guint i = 0; i < 2; i++) {
        PltReportOptions options = {.kind = kinds[i]};
        g_autoptr(GError) error = NULL, damaged = NULL, missing = NULL;
        g_autoptr(PltPicture) streamed = NULL;

        state.damaged = FALSE;
        streamed = plt_report_build_from((const PltRun *const *)bed->runs, 1, &options, bed->language,
                                         &source, &error);
        g_assert_no_error(error);
        assert_same_series(loaded[i], streamed);
        state.damaged = TRUE;
        g_assert_null(plt_report_build_from((const PltRun *const *)bed->runs, 1, &options, bed->language,
                                            &source, &damaged));
        g_assert_error(damaged, PLT_ERROR, PLT_ERROR_FORMAT);
        g_assert_null(build(bed, 1, kinds[i], NULL, &missing));
        g_assert_error(missing, PLT_ERROR, PLT_ERROR_USAGE);
        plt_picture_free(loaded[i]);
    }
}

static void add(const char *path, void (*test)(Bed *bed, gconstpointer data))
{
    g_test_add(path, Bed, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add("/report/compare/ranking", test_ranking);
    add("/report/compare/missing-cell", test_missing_cell);
    add("/report/compare/overlay", test_overlay);
    add("/report/compare/differences", test_differences);
    add("/report/compare/refuses", test_refuses);
    add("/report/samples/source", test_source);
    return g_test_run();
}
