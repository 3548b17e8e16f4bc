/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <math.h>

/* A cell whose runs have these speeds in MB/s, without a warm-up. */
static PltCell *cell_of(PltScoreRule rule, const double *mbps, guint n)
{
    PltCellSpec spec = fixture_spec();
    PltCell *cell = plt_cell_new(&spec, rule);
    for (guint i = 0; i < n; i++) {
        PltCellRun *run = plt_cell_run_new();
        run->complete = TRUE;
        run->total.ios = 1;
        run->total.bandwidth_bps = mbps[i] * 1e6;
        run->total.latency.mean_ns = i;
        g_ptr_array_add(cell->runs, run);
    }
    return cell;
}

/* Which run is the score; -1 = none. */
static int score_of(const PltCell *cell)
{
    const PltCellRun *score = plt_cell_score(cell);
    guint number;
    return score && g_ptr_array_find(cell->runs, score, &number) ? (int)number : -1;
}

static void set_warmup(PltCell *cell, guint number)
{
    ((PltCellRun *)g_ptr_array_index(cell->runs, number))->warmup = TRUE;
}

static void set_incomplete(PltCell *cell, guint number)
{
    ((PltCellRun *)g_ptr_array_index(cell->runs, number))->complete = FALSE;
}

static void test_best(void)
{
    static const double mbps[] = {9000, 3500, 3504, 3490};
    PltCell *cell = cell_of(PLT_SCORE_BEST, mbps, 4);
    g_assert_cmpint(score_of(cell), ==, 0);
    set_warmup(cell, 0);
    g_assert_cmpint(score_of(cell), ==, 2);
    set_incomplete(cell, 2);
    g_assert_cmpint(score_of(cell), ==, 1);
    set_incomplete(cell, 1);
    set_incomplete(cell, 3);
    g_assert_cmpint(score_of(cell), ==, -1);
    plt_cell_free(cell);
}

static void test_best_of_equals_is_the_first(void)
{
    static const double mbps[] = {100, 200, 200, 200};
    PltCell *cell = cell_of(PLT_SCORE_BEST, mbps, 4);
    g_assert_cmpint(score_of(cell), ==, 1);
    plt_cell_free(cell);
}

static void test_median(void)
{
    static const double odd[] = {300, 100, 200}, even[] = {400, 100, 300, 200};
    PltCell *cell = cell_of(PLT_SCORE_MEDIAN, odd, 3);
    g_assert_cmpint(score_of(cell), ==, 2);
    g_assert_cmpfloat(plt_cell_median_bps(cell), ==, 200e6);
    g_assert_cmpfloat(plt_cell_spread_percent(cell), ==, 100);
    plt_cell_free(cell);

    cell = cell_of(PLT_SCORE_MEDIAN, even, 4);
    g_assert_cmpint(score_of(cell), ==, 3);
    g_assert_cmpfloat(plt_cell_median_bps(cell), ==, 250e6);
    g_assert_cmpfloat(plt_cell_spread_percent(cell), ==, 120);
    plt_cell_free(cell);
}

static void test_nothing_to_score(void)
{
    static const double zero[] = {0, 0};
    PltCell *cell = cell_of(PLT_SCORE_BEST, NULL, 0);
    g_assert_null(plt_cell_score(cell));
    g_assert_null(plt_cell_latest(cell));
    g_assert_true(isnan(plt_cell_median_bps(cell)));
    g_assert_true(isnan(plt_cell_spread_percent(cell)));
    plt_cell_free(cell);

    cell = cell_of(PLT_SCORE_MEDIAN, zero, 2);
    g_assert_cmpfloat(plt_cell_median_bps(cell), ==, 0);
    g_assert_true(isnan(plt_cell_spread_percent(cell)));
    plt_cell_free(cell);
}

static void test_latest(void)
{
    static const double mbps[] = {100, 200, 300};
    PltCell *cell = cell_of(PLT_SCORE_BEST, mbps, 3);
    PltCellRun *last = g_ptr_array_index(cell->runs, 2);
    g_assert_true(plt_cell_latest(cell) == last);
    last->total.ios = 0;
    g_assert_true(plt_cell_latest(cell) == g_ptr_array_index(cell->runs, 1));
    last->complete = FALSE;
    g_assert_true(plt_cell_latest(cell) == last);
    plt_cell_free(cell);
}

static void test_names(void)
{
    PltRunStatus status;
    enum plt_sync sync;
    g_assert_cmpstr(plt_run_status_name(PLT_RUN_INTERRUPTED), ==, "interrupted");
    g_assert_cmpstr(plt_cell_op_name(PLT_CELL_MIX), ==, "mix");
    g_assert_cmpstr(plt_cell_pattern_name(PLT_PATTERN_RANDOM), ==, "random");
    g_assert_true(plt_run_status_from_name("failed", &status));
    g_assert_cmpint(status, ==, PLT_RUN_FAILED);
    g_assert_true(plt_cell_sync_from_name("fdatasync", &sync));
    g_assert_cmpint(sync, ==, PLT_SYNC_FDATASYNC);
    g_assert_false(plt_run_status_from_name("Failed", &status));
    g_assert_false(plt_run_status_from_name("", &status));
    g_assert_false(plt_run_status_from_name(NULL, &status));
}

static void test_spec_copy_is_deep(void)
{
    PltCellSpec from = fixture_spec(), to;
    plt_cell_spec_copy(&from, &to);
    g_assert_true(to.id != from.id);
    g_assert_cmpstr(to.id, ==, from.id);
    g_assert_cmpuint(to.block, ==, 4096);
    plt_cell_spec_clear(&to);
    g_assert_null(to.label);
    plt_run_free(NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library/run/best", test_best);
    g_test_add_func("/library/run/best-of-equals-is-the-first", test_best_of_equals_is_the_first);
    g_test_add_func("/library/run/median", test_median);
    g_test_add_func("/library/run/nothing-to-score", test_nothing_to_score);
    g_test_add_func("/library/run/latest", test_latest);
    g_test_add_func("/library/run/names", test_names);
    g_test_add_func("/library/run/spec-copy-is-deep", test_spec_copy_is_deep);
    return g_test_run();
}
