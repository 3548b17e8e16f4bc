/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/choices.h"
#include "app/run-words.h"

static void check(char *text, const char *expected)
{
    g_assert_cmpstr(text, ==, expected);
    g_free(text);
}

/* 7.0123 GB/s in blocks of 4 KiB is 1,711,987 I/Os a second. */
static void test_figures(void)
{
    const double bps = 7.0123e9, iops = 7.0123e9 / 4096, mean_ns = 18690.4;

    check(plt_words_figure(PLT_FIGURE_MBPS, bps, iops, mean_ns), "7,012");
    check(plt_words_figure(PLT_FIGURE_GBPS, bps, iops, mean_ns), "7.012");
    check(plt_words_figure(PLT_FIGURE_IOPS, bps, iops, mean_ns), "1,711,987");
    check(plt_words_figure(PLT_FIGURE_US, bps, iops, mean_ns), "18.7");
    check(plt_words_figure(PLT_FIGURE_MBPS, 33.64e6, 8213, 121.4e3), "33.6");
    check(plt_words_figure(PLT_FIGURE_GBPS, 33.64e6, 8213, 121.4e3), "0.034");
    check(plt_words_figure(PLT_FIGURE_US, 33.64e6, 8213, 2461.3e3), "2,461");
}

static void test_units(void)
{
    for (guint i = 0; i < PLT_N_FIGURE_UNITS; i++)
        g_assert_cmpuint(plt_words_unit_from_id(plt_words_unit_id((PltFigureUnit)i)), ==, i);
    g_assert_cmpstr(plt_words_unit(PLT_FIGURE_US), ==, "µs");
    g_assert_cmpint(plt_words_unit_from_id("furlongs"), ==, PLT_FIGURE_MBPS);
    g_assert_cmpint(plt_words_unit_from_id(NULL), ==, PLT_FIGURE_MBPS);
}

static PltPlan *plan_of(const char *id)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_find(id, &error);
    PltPlan *plan;

    g_assert_no_error(error);
    plan = plt_plan_new(suite, NULL, 0, 1, &error);
    g_assert_no_error(error);
    return plan;
}

/* Eight cells of four windows of 5 s, seven pauses of 5 s: 195 s; the test file of 1 GiB adds 0.4 s. */
static void test_plan(void)
{
    g_autoptr(PltPlan) plan = plan_of("cdm-default");
    g_autofree char *text = plt_words_plan(plan);

    g_assert_true(g_str_has_prefix(text, "About 3:15 min · writes about "));
    /* Two figures of an amount that is not known better. */
    plan->estimated_written = G_GUINT64_CONSTANT(187654321000);
    check(plt_words_plan(plan), "About 3:15 min · writes about 190 GB");
    plan->estimated_written = 0;
    plan->estimated_ms = 1;
    check(plt_words_plan(plan), "About 1 s · writes about 0 B");
}

static void test_phase(void)
{
    g_autoptr(PltPlan) plan = plan_of("cdm-default");
    PltRunnerProgress progress = {.phase = PLT_RUNNER_PREPARING};

    check(plt_words_phase(plan, &progress), "Writing the test file");
    progress.phase = PLT_RUNNER_WARMUP;
    check(plt_words_phase(plan, &progress), "Warm-up");
    /* Windows are counted with the warm-up, runs without. */
    progress.phase = PLT_RUNNER_MEASURING;
    progress.run = 1;
    check(plt_words_phase(plan, &progress), "Run 1 of 3");
    progress.run = 3;
    check(plt_words_phase(plan, &progress), "Run 3 of 3");
    progress.phase = PLT_RUNNER_RESTING;
    progress.step = 1;
    check(plt_words_phase(plan, &progress), "Resting");
    /* A step beyond the last: whatever it is, it is no crash. */
    progress.phase = PLT_RUNNER_MEASURING;
    progress.step = plan->steps->len;
    check(plt_words_phase(plan, &progress), "Measuring");
}

static void test_cells(void)
{
    PltCellSpec spec = {.label = (char *)"RND4K Q32T16", .op = PLT_CELL_WRITE};

    check(plt_words_cell(&spec), "RND4K Q32T16 Write");
    g_assert_cmpstr(plt_words_label(NULL), ==, "");
    /* gettext answers "" with the head of the catalog. */
    g_assert_cmpstr(plt_words_label(""), ==, "");
}

static const char *text_at(const PltChoices *choices, guint index)
{
    return gtk_string_list_get_string(choices->model, index);
}

static void test_sizes(void)
{
    g_autoptr(PltChoices) usual = plt_choices_sizes(G_GUINT64_CONSTANT(1) << 30);
    g_autoptr(PltChoices) odd = plt_choices_sizes(G_GUINT64_CONSTANT(3) << 29);
    g_autoptr(PltChoices) small = plt_choices_sizes(1 << 20);
    g_autoptr(PltChoices) large = plt_choices_sizes(G_GUINT64_CONSTANT(1) << 37);

    g_assert_cmpuint(usual->values->len, ==, 13);
    g_assert_cmpstr(text_at(usual, 0), ==, "16 MiB");
    g_assert_cmpstr(text_at(usual, 12), ==, "64 GiB");
    g_assert_cmpstr(text_at(usual, usual->selected), ==, "1 GiB");
    g_assert_cmpstr(plt_choices_value(usual, usual->selected), ==, "1G");
    g_assert_null(plt_choices_value(usual, 13));
    /* What is no usual size stands where it belongs, once. */
    g_assert_cmpuint(odd->values->len, ==, 14);
    g_assert_cmpstr(text_at(odd, odd->selected), ==, "1.5 GiB");
    g_assert_cmpstr(text_at(odd, odd->selected - 1), ==, "1 GiB");
    g_assert_cmpstr(text_at(odd, odd->selected + 1), ==, "2 GiB");
    g_assert_cmpuint(small->selected, ==, 0);
    g_assert_cmpuint(large->selected, ==, 13);
    g_assert_true(plt_choices_equal(usual, usual));
    g_assert_false(plt_choices_equal(usual, odd));
}

/* Every value of every list is one that a suite takes. */
static void check_values(const PltChoices *choices, const char *key)
{
    for (guint i = 0; i < choices->values->len; i++) {
        g_autoptr(PltOverrides) overrides = plt_overrides_new();
        g_autoptr(GError) error = NULL;
        g_autofree char *assignment = g_strconcat(key, "=", plt_choices_value(choices, i), NULL);

        plt_overrides_set(overrides, assignment, &error);
        g_assert_no_error(error);
    }
}

static void test_values(void)
{
    g_autoptr(PltChoices) sizes = plt_choices_sizes(G_GUINT64_CONSTANT(3) << 29);
    g_autoptr(PltChoices) runs = plt_choices_runs(12);
    g_autoptr(PltChoices) data = plt_choices_data("37%");

    check_values(sizes, "size");
    check_values(runs, "runs");
    check_values(data, "data");
    g_assert_cmpstr(text_at(runs, 0), ==, "1 run");
    g_assert_cmpstr(text_at(runs, runs->selected), ==, "12 runs");
    g_assert_cmpstr(text_at(data, data->selected), ==, "37% zeros");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/app/words/figures", test_figures);
    g_test_add_func("/app/words/units", test_units);
    g_test_add_func("/app/words/plan", test_plan);
    g_test_add_func("/app/words/phase", test_phase);
    g_test_add_func("/app/words/cells", test_cells);
    g_test_add_func("/app/choices/sizes", test_sizes);
    g_test_add_func("/app/choices/values", test_values);
    return g_test_run();
}
