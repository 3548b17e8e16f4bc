/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>
#include <string.h>

#include "chart/chart.h"
#include "fixture.h"
#include "report/build.h"
#include "report/language.h"

#define GB 1e9
#define TICK_NS G_GUINT64_CONSTANT(100000000)

/* A pass that writes CACHE bytes at FAST bytes/s and as much again thrice at SLOW; without CACHE all at SLOW.
 */
static void add_pass(PltRun *run, guint number, double cache, double fast, double slow)
{
    g_autofree char *label = g_strdup_printf("Pass %u", number);
    PltCell *cell =
        plt_fixture_add_cell(run, label, PLT_PATTERN_SEQUENTIAL, 131072, 256, 1, PLT_CELL_WRITE, slow, 1);
    PltCellRun *cell_run = cell->runs->pdata[0];
    double bytes = 0;

    g_set_str(&cell->spec.role, number == 1 ? "fill-pass-1" : "fill-pass-2");
    cell_run->samples = g_array_new(FALSE, FALSE, sizeof(struct plt_sample));
    for (guint i = 0; bytes < (cache > 0 ? 4 * cache : 800 * GB); i++) {
        double rate = bytes < cache ? fast : slow * (i % 2 == 0 ? 1.05 : 0.95);
        struct plt_sample sample = {.index = i, .duration_ns = TICK_NS};

        sample.op[PLT_OP_WRITE].bytes = (guint64)(rate / 10 / 131072) * 131072;
        sample.op[PLT_OP_WRITE].ios = sample.op[PLT_OP_WRITE].bytes / 131072;
        bytes += (double)sample.op[PLT_OP_WRITE].bytes;
        g_array_append_val(cell_run->samples, sample);
    }
    cell_run->n_samples = cell_run->samples->len;
}

typedef struct {
    PltRun *runs[2];
    PltLanguage *language;
} Bed;

static void set_up(Bed *bed, gconstpointer data)
{
    bed->language = plt_language_new("en", NULL);
    for (guint i = 0; i < 2; i++)
        bed->runs[i] = plt_fixture_run("fill-drive", "Fill the drive", "fill");
    g_set_str(&bed->runs[1]->title, "Other drive");
    add_pass(bed->runs[0], 1, 200 * GB, 6655e6, 1808e6);
    add_pass(bed->runs[0], 2, 0, 0, 1500e6);
    add_pass(bed->runs[1], 1, 0, 0, 1256e6);
}

static void tear_down(Bed *bed, gconstpointer data)
{
    plt_run_free(bed->runs[0]);
    plt_run_free(bed->runs[1]);
    plt_language_free(bed->language);
}

static PltPicture *build(Bed *bed, gsize n)
{
    PltReportOptions options = {0}; /* the suite asks for it */
    g_autoptr(GError) error = NULL;
    PltPicture *picture =
        plt_report_build((const PltRun *const *)bed->runs, n, &options, bed->language, &error);

    g_assert_no_error(error);
    return picture;
}

static const PltChart *only_chart(const PltPicture *picture)
{
    g_assert_cmpuint(picture->charts->len, ==, 1);
    return picture->charts->pdata[0];
}

static gboolean has_caption(const PltPicture *picture, const char *text)
{
    for (guint i = 0; i < picture->captions->len; i++)
        if (strstr(picture->captions->pdata[i], text) != NULL)
            return TRUE;
    return FALSE;
}

/* The mark stands at the cache's end, the means on its two sides, and the words say the same. */
static void test_cliff(Bed *bed, gconstpointer data)
{
    g_autoptr(PltPicture) picture = build(bed, 1);
    const PltChart *chart = only_chart(picture);
    guint n_vertical = 0;

    g_assert_cmpuint(chart->series->len, ==, 2);
    g_assert_cmpint(chart->x.unit, ==, PLT_UNIT_CAPACITY);
    g_assert_cmpfloat(chart->y.from, ==, 0);
    for (guint i = 0; i < chart->marks->len; i++) {
        const PltMark *mark = &g_array_index(chart->marks, PltMark, i);

        if (!mark->vertical)
            continue;
        n_vertical++;
        g_assert_cmpfloat_with_epsilon(mark->at, 200 * GB, 2 * GB);
        g_assert_cmpstr(mark->label, ==, "Pass 1: falls at 200 GB");
    }
    g_assert_cmpuint(n_vertical, ==, 1);
    g_assert_true(has_caption(picture, "Pass 1: 6,655 MB/s up to 200 GB, then 1,80"));
    g_assert_true(has_caption(picture, "Pass 2: mean 1,"));
    g_assert_true(has_caption(picture, "no fall for good"));
}

/* Position is the sum of what was written, not time. */
static void test_position(Bed *bed, gconstpointer data)
{
    g_autoptr(PltPicture) picture = build(bed, 1);
    const PltPyramid *line = ((const PltSeries *)only_chart(picture)->series->pdata[0])->data;
    gsize last = plt_pyramid_length(line) - 1;

    g_assert_cmpfloat_with_epsilon(plt_pyramid_x(line, last), 800 * GB, 1 * GB);
    g_assert_cmpfloat_with_epsilon(plt_pyramid_value(line, 0), 6655e6, 2e6);
    g_assert_cmpfloat_with_epsilon(plt_pyramid_value(line, last), 1808e6, 100e6);
}

/* Of several drives the first passes, each by its drive. */
static void test_several(Bed *bed, gconstpointer data)
{
    g_autoptr(PltPicture) picture = build(bed, 2);
    const PltChart *chart = only_chart(picture);

    g_assert_cmpuint(chart->series->len, ==, 2);
    g_assert_true(
        g_str_has_prefix(((const PltSeries *)chart->series->pdata[0])->name, "Example NV4000 4TB: mean "));
    g_assert_true(g_str_has_prefix(((const PltSeries *)chart->series->pdata[1])->name, "Other drive: mean "));
}

/* A drive without a fall is never given one. */
static void test_no_cliff(Bed *bed, gconstpointer data)
{
    PltReportOptions options = {.kind = "fill"};
    const PltRun *runs[] = {bed->runs[1]};
    g_autoptr(PltPicture) picture = plt_report_build(runs, 1, &options, bed->language, NULL);
    const PltChart *chart = only_chart(picture);

    for (guint i = 0; i < chart->marks->len; i++)
        g_assert_false(g_array_index(chart->marks, PltMark, i).vertical);
}

static void test_nothing(Bed *bed, gconstpointer data)
{
    PltReportOptions options = {.kind = "fill"};
    PltRun *run = plt_fixture_nvme(FALSE);
    const PltRun *runs[] = {run};
    g_autoptr(GError) error = NULL;

    g_assert_null(plt_report_build(runs, 1, &options, bed->language, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    plt_run_free(run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/report/fill/cliff", Bed, NULL, set_up, test_cliff, tear_down);
    g_test_add("/report/fill/position", Bed, NULL, set_up, test_position, tear_down);
    g_test_add("/report/fill/several", Bed, NULL, set_up, test_several, tear_down);
    g_test_add("/report/fill/no-cliff", Bed, NULL, set_up, test_no_cliff, tear_down);
    g_test_add("/report/fill/nothing", Bed, NULL, set_up, test_nothing, tear_down);
    return g_test_run();
}
