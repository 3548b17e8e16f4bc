/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "suite/plan.h"

#define MIB G_GUINT64_CONSTANT(1048576)
#define GIB (1024 * MIB)

/* One row of a suite, as its model's description gives it. */
struct row {
    const char *id;
    const char *label;
    enum plt_pattern pattern;
    guint32 block;
    guint queue, threads;
};

/* What a suite does: the cells in order, each as row and operation, written down from the model. */
struct expected {
    const char *suite;
    const char *chart;
    const char *const *cells;
    const char *const *mix_cells; /* NULL: no mixed column */
    guint64 size;
    guint warmup, runs;
    guint64 duration_ms, interval_ms;
    guint64 total_s, total_mix_s; /* measuring and pauses, without the making of the file */
};

static const struct row rows[] = {
    {"seq1m-q8t1", "SEQ1M Q8T1", PLT_PATTERN_SEQUENTIAL, 1048576, 8, 1},
    {"seq1m-q1t1", "SEQ1M Q1T1", PLT_PATTERN_SEQUENTIAL, 1048576, 1, 1},
    {"seq128k-q32t1", "SEQ128K Q32T1", PLT_PATTERN_SEQUENTIAL, 131072, 32, 1},
    {"rnd4k-q32t1", "RND4K Q32T1", PLT_PATTERN_RANDOM, 4096, 32, 1},
    {"rnd4k-q32t16", "RND4K Q32T16", PLT_PATTERN_RANDOM, 4096, 32, 16},
    {"rnd4k-q1t1", "RND4K Q1T1", PLT_PATTERN_RANDOM, 4096, 1, 1},
    {"seq16m-q1t1", "SEQ16M Q1T1", PLT_PATTERN_SEQUENTIAL, 16777216, 1, 1},
    {"rnd4k-q1t64", "RND4K Q1T64", PLT_PATTERN_RANDOM, 4096, 1, 64},
    {"rnd4k-q1t1-access", "Access time 4K", PLT_PATTERN_RANDOM, 4096, 1, 1},
    {"rnd512b-q1t1-access", "Access time 512B", PLT_PATTERN_RANDOM, 512, 1, 1},
};

/* All reads top to bottom, then all writes; the mixes follow when they are on. */
static const char *const default_cells[] = {"seq1m-q8t1-read",   "seq1m-q1t1-read",  "rnd4k-q32t1-read",
                                            "rnd4k-q1t1-read",   "seq1m-q8t1-write", "seq1m-q1t1-write",
                                            "rnd4k-q32t1-write", "rnd4k-q1t1-write", NULL};
static const char *const default_mix[] = {"seq1m-q8t1-mix", "seq1m-q1t1-mix", "rnd4k-q32t1-mix",
                                          "rnd4k-q1t1-mix", NULL};
static const char *const nvme_cells[] = {"seq1m-q8t1-read",    "seq128k-q32t1-read", "rnd4k-q32t16-read",
                                         "rnd4k-q1t1-read",    "seq1m-q8t1-write",   "seq128k-q32t1-write",
                                         "rnd4k-q32t16-write", "rnd4k-q1t1-write",   NULL};
static const char *const nvme_mix[] = {"seq1m-q8t1-mix", "seq128k-q32t1-mix", "rnd4k-q32t16-mix",
                                       "rnd4k-q1t1-mix", NULL};
static const char *const peak_cells[] = {"seq1m-q8t1-read", "rnd4k-q32t1-read", "seq1m-q8t1-write",
                                         "rnd4k-q32t1-write", NULL};
static const char *const peak_mix[] = {"seq1m-q8t1-mix", "rnd4k-q32t1-mix", NULL};
static const char *const peak_nvme_cells[] = {"seq1m-q8t1-read", "rnd4k-q32t16-read", "seq1m-q8t1-write",
                                              "rnd4k-q32t16-write", NULL};
static const char *const peak_nvme_mix[] = {"seq1m-q8t1-mix", "rnd4k-q32t16-mix", NULL};
static const char *const real_cells[] = {"seq1m-q1t1-read", "rnd4k-q1t1-read", "seq1m-q1t1-write",
                                         "rnd4k-q1t1-write", NULL};
static const char *const real_mix[] = {"seq1m-q1t1-mix", "rnd4k-q1t1-mix", NULL};
static const char *const demo_cells[] = {"seq1m-q8t1-read", "seq1m-q8t1-write", NULL};
static const char *const as_ssd_cells[] = {
    "seq16m-q1t1-read",       "seq16m-q1t1-write",         "rnd4k-q1t1-read",
    "rnd4k-q1t1-write",       "rnd4k-q1t64-read",          "rnd4k-q1t64-write",
    "rnd4k-q1t1-access-read", "rnd512b-q1t1-access-write", NULL};

static const struct expected suites[] = {
    {"cdm-default", "quick-card", default_cells, default_mix, GIB, 1, 3, 5000, 5000, 195, 295},
    {"cdm-nvme", "quick-card", nvme_cells, nvme_mix, GIB, 1, 3, 5000, 5000, 195, 295},
    {"cdm-flash", "quick-card", default_cells, default_mix, GIB, 1, 3, 1000, 30000, 242, 378},
    {"cdm-peak", "quick-card", peak_cells, peak_mix, GIB, 1, 3, 5000, 5000, 95, 145},
    {"cdm-peak-nvme", "quick-card", peak_nvme_cells, peak_nvme_mix, GIB, 1, 3, 5000, 5000, 95, 145},
    {"cdm-real-world", "quick-card", real_cells, real_mix, GIB, 1, 3, 5000, 5000, 95, 145},
    {"cdm-demo", "quick-card", demo_cells, NULL, GIB, 1, 3, 5000, 5000, 45, 0},
    {"quick", "quick-card", nvme_cells, nvme_mix, 256 * MIB, 0, 1, 2000, 0, 16, 24},
    {"as-ssd", "as-ssd", as_ssd_cells, NULL, GIB, 0, 1, 10000, 1000, 87, 0},
};

static const struct row *find_row(const char *cell)
{
    const char *dash = strrchr(cell, '-');

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strlen(rows[i].id) == (gsize)(dash - cell) && strncmp(rows[i].id, cell, strlen(rows[i].id)) == 0)
            return &rows[i];
    }
    g_error("no row of %s in the table", cell);
}

static void check_cell(const PltStep *step, const char *id, const struct expected *expected)
{
    const struct row *row = find_row(id);
    const char *op = strrchr(id, '-') + 1;
    guint percent = strcmp(op, "read") == 0 ? 100 : strcmp(op, "write") == 0 ? 0 : 70;

    g_assert_cmpint(step->kind, ==, PLT_STEP_MEASURE);
    g_assert_cmpstr(step->cell.id, ==, id);
    g_assert_cmpstr(step->cell.label, ==, row->label);
    g_assert_cmpstr(plt_cell_op_name(step->cell.op), ==, op);
    g_assert_cmpuint(step->cell.read_percent, ==, percent);
    g_assert_cmpint(step->workload.pattern, ==, row->pattern);
    g_assert_cmpuint(step->workload.block, ==, row->block);
    g_assert_cmpuint(step->workload.queue, ==, row->queue);
    g_assert_cmpuint(step->workload.threads, ==, row->threads);
    g_assert_cmpuint(step->workload.read_percent, ==, percent);
    g_assert_cmpuint(step->workload.duration_ns, ==, expected->duration_ms * 1000000);
    g_assert_cmpuint(step->workload.tick_ns, ==, 100000000);
    g_assert_cmpuint(step->workload.ramp_ns, ==, 0);
    g_assert_cmpuint(step->workload.bytes, ==, 0);
    g_assert_cmpint(step->workload.sync, ==, PLT_SYNC_NONE);
    g_assert_cmpint(step->workload.generator, ==, PLT_GENERATOR_XOSHIRO256PP);
    g_assert_false(step->workload.separate_streams);
    g_assert_cmpuint(step->warmup_runs, ==, expected->warmup);
    g_assert_cmpuint(step->runs, ==, expected->runs);
    g_assert_cmpint(step->score_rule, ==, PLT_SCORE_BEST);
    g_assert_cmpuint(step->estimated_ms, ==, (expected->warmup + expected->runs) * expected->duration_ms);
}

/* The cells in order with one pause between every two, none before the first and none after the last. */
static void check_steps(const PltPlan *plan, const struct expected *expected, gboolean mix)
{
    guint n = g_strv_length((char **)expected->cells);
    guint n_all = n + (mix ? g_strv_length((char **)expected->mix_cells) : 0);
    gboolean rests = expected->interval_ms > 0;

    g_assert_cmpuint(plan->steps->len, ==, rests ? 2 * n_all - 1 : n_all);
    for (guint i = 0; i < n_all; i++) {
        const char *id = i < n ? expected->cells[i] : expected->mix_cells[i - n];

        check_cell(g_ptr_array_index(plan->steps, rests ? 2 * i : i), id, expected);
        if (rests && i + 1 < n_all) {
            const PltStep *rest = g_ptr_array_index(plan->steps, 2 * i + 1);

            g_assert_cmpint(rest->kind, ==, PLT_STEP_REST);
            g_assert_cmpuint(rest->rest_ms, ==, expected->interval_ms);
        }
    }
}

static void check_plan(const struct expected *expected, gboolean mix)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_find(expected->suite, &error);
    g_autoptr(PltOverrides) overrides = plt_overrides_new();
    g_autoptr(PltPlan) plan = NULL;

    g_assert_no_error(error);
    if (mix)
        g_assert_true(plt_overrides_set(overrides, "mix=70", &error));
    /* At a gibibyte a second the file takes one second for each gibibyte. */
    plan = plt_plan_new(suite, overrides, GIB, 1, &error);
    g_assert_no_error(error);

    g_assert_cmpstr(plt_suite_chart(suite), ==, expected->chart);
    g_assert_false(plt_suite_erases(suite));
    g_assert_cmpuint(plan->size, ==, expected->size);
    g_assert_cmpint(plan->data, ==, PLT_DATA_RANDOM);
    g_assert_cmpuint(plan->mix_percent, ==, mix ? 70 : 0);
    g_assert_true(plan->any_read);
    g_assert_cmpuint(plan->smallest_block, ==,
                     4096 + (strcmp(expected->suite, "cdm-demo") == 0 ? 1044480 : 0));
    g_assert_cmpuint(plan->estimated_ms, ==,
                     1000 * (mix ? expected->total_mix_s : expected->total_s) + expected->size * 1000 / GIB);
    check_steps(plan, expected, mix);
}

static void test_suite(gconstpointer data)
{
    const struct expected *expected = data;

    check_plan(expected, FALSE);
    if (expected->mix_cells != NULL)
        check_plan(expected, TRUE);
}

static void test_no_mix(gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_find(data, NULL);
    g_autoptr(PltOverrides) overrides = plt_overrides_new();

    g_assert_true(plt_overrides_set(overrides, "mix=70", NULL));
    g_assert_null(plt_plan_new(suite, overrides, 0, 1, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "no mixed cells"));
}

/* 18 powers of two, each written and then read at QD 4, any of them allowed to be too small; 3 minutes. */
static void test_sweep(void)
{
    static const char *const names[] = {"512b", "1k",   "2k", "4k", "8k", "16k", "32k", "64k", "128k",
                                        "256k", "512k", "1m", "2m", "4m", "8m",  "16m", "32m", "64m"};
    g_autoptr(PltSuite) suite = plt_suite_find("blocksize-sweep", NULL);
    g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, GIB, 1, NULL);

    g_assert_cmpstr(plt_suite_chart(suite), ==, "blocksize");
    g_assert_cmpuint(plan->steps->len, ==, 36);
    g_assert_cmpuint(plan->estimated_ms, ==, 181000);
    g_assert_cmpuint(plan->smallest_block, ==, 64 * MIB);
    for (guint i = 0; i < 36; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);
        g_autofree char *id = g_strdup_printf("seq%s-q4t1-%s", names[i / 2], i % 2 == 0 ? "write" : "read");

        g_assert_cmpstr(step->cell.id, ==, id);
        g_assert_cmpuint(step->workload.block, ==, 512u << (i / 2));
        g_assert_cmpuint(step->workload.queue, ==, 4);
        g_assert_cmpuint(step->workload.threads, ==, 1);
        g_assert_cmpint(step->workload.pattern, ==, PLT_PATTERN_SEQUENTIAL);
        g_assert_true(step->optional);
    }
}

/* 64 threads share 1 GiB in slices of 16 MiB; only the 512-byte cell may be left out. */
static void test_as_ssd(void)
{
    g_autoptr(PltSuite) suite = plt_suite_find("as-ssd", NULL);
    g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, GIB, 1, NULL);

    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind != PLT_STEP_MEASURE)
            continue;
        g_assert_true(step->workload.slices == (step->workload.threads == 64));
        g_assert_true(step->optional == (step->workload.block == 512));
    }
    g_assert_cmpuint(plan->size / 64, ==, 16 * MIB);
}

/* Suites that cover a drive: what they write of 64 GiB, and whether they do before the first step. */
static const struct {
    const char *id;
    gboolean erases, writes;
    guint64 written_gib;
    guint64 rest_ms;
} passes[] = {
    {"fill-drive", TRUE, TRUE, 128, 1800000},
    {"fill-free-space", FALSE, TRUE, 64, 0},
    {"verify-capacity", FALSE, TRUE, 64, 0},
    {"linear-read", FALSE, FALSE, 0, 0},
};

/* And the others of a closer look: cells, roles, and how long nothing is done. */
static const struct {
    const char *id, *role;
    guint n_cells, n_roles;
    guint64 rest_ms, bytes; /* BYTES: at which each cell ends, 0 = by time */
    gboolean erases;
} closer[] = {
    {"peak-iops", NULL, 2, 0, 5000, 0, FALSE},
    {"sync-write", NULL, 2, 0, 5000, 500 * MIB, FALSE},
    {"low-queue-by-ratio", "ratio-q2-r70", 33, 33, 32000, 512 * MIB, FALSE},
    {"cache-reclaim", "reclaim-5min", 12, 12, 1120000, 0, TRUE},
    {"thermal", "thermal-write", 2, 2, 900000, 0, FALSE},
};

static void test_closer(void)
{
    for (gsize c = 0; c < G_N_ELEMENTS(closer); c++) {
        g_autoptr(PltSuite) suite = plt_suite_find(closer[c].id, NULL);
        g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, 0, 1, NULL);
        guint n_cells = 0, n_roles = 0, n_wanted = 0;
        guint64 rest_ms = 0;

        plt_plan_fit(plan, 64 * GIB, TRUE);
        for (guint i = 0; i < plan->steps->len; i++) {
            const PltStep *step = g_ptr_array_index(plan->steps, i);

            rest_ms += step->rest_ms;
            n_cells += step->kind == PLT_STEP_MEASURE;
            n_roles += step->cell.role != NULL;
            n_wanted += step->cell.role != NULL && g_strcmp0(step->cell.role, closer[c].role) == 0;
            if (step->kind == PLT_STEP_MEASURE && step->share_percent == 0)
                g_assert_cmpuint(step->workload.bytes, ==, closer[c].bytes);
        }
        g_assert_cmpuint(n_cells, ==, closer[c].n_cells);
        g_assert_cmpuint(n_roles, ==, closer[c].n_roles);
        g_assert_cmpuint(n_wanted, ==, closer[c].role != NULL ? 1 : 0);
        g_assert_cmpuint(rest_ms, ==, closer[c].rest_ms);
        g_assert_true(plt_suite_erases(suite) == closer[c].erases);
    }
}

static void test_passes(void)
{
    for (gsize p = 0; p < G_N_ELEMENTS(passes); p++) {
        g_autoptr(PltSuite) suite = plt_suite_find(passes[p].id, NULL);
        g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, 0, 1, NULL);
        guint64 written = 0, rest_ms = 0;

        g_assert_cmpuint(plan->size, ==, PLT_SIZE_ALL);
        plt_plan_fit(plan, 64 * GIB, TRUE);
        g_assert_cmpuint(plan->size, ==, 64 * GIB);
        g_assert_false(plan->prepare);
        g_assert_true(plt_suite_erases(suite) == passes[p].erases);
        g_assert_true(plan->writes == passes[p].writes);
        for (guint i = 0; i < plan->steps->len; i++) {
            const PltStep *step = g_ptr_array_index(plan->steps, i);

            written += step->estimated_written;
            rest_ms += step->rest_ms;
            g_assert_true(step->kind != PLT_STEP_MEASURE || step->workload.bytes == 64 * GIB);
        }
        g_assert_cmpuint(written, ==, passes[p].written_gib * GIB);
        g_assert_cmpuint(plan->estimated_written, ==, written);
        g_assert_cmpuint(rest_ms, ==, passes[p].rest_ms);
    }
}

/* A file is written before it is read; a drive is not. */
static void test_prepare(void)
{
    g_autoptr(PltSuite) suite = plt_suite_find("linear-read", NULL);
    g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, 0, 1, NULL);

    plt_plan_fit(plan, 64 * GIB, FALSE);
    g_assert_true(plan->prepare);
    g_assert_cmpuint(plan->estimated_written, ==, 64 * GIB);
}

/* Nothing is shipped that this test does not know, and all of it reads without an error. */
static void test_all(void)
{
    g_autoptr(GPtrArray) errors = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) list = plt_suite_list(errors);

    g_assert_cmpuint(errors->len, ==, 0);
    g_assert_cmpuint(list->len, ==, G_N_ELEMENTS(suites) + 1 + G_N_ELEMENTS(passes) + G_N_ELEMENTS(closer));
    g_assert_cmpstr(plt_suite_id(g_ptr_array_index(list, 0)), ==, "quick");
}

/* All that stands between a plan and the engine is the target: each workload passes its check. */
static void test_engine_takes_all(void)
{
    g_autoptr(GPtrArray) list = plt_suite_list(NULL);

    for (guint s = 0; s < list->len; s++) {
        g_autoptr(PltPlan) plan = plt_plan_new(g_ptr_array_index(list, s), NULL, 0, 1, NULL);
        struct plt_engine_target target = {.fd = -1, .logical_block = 512};

        plt_plan_fit(plan, 64 * GIB, TRUE);
        target.length = plan->size;
        for (guint i = 0; i < plan->steps->len; i++) {
            const PltStep *step = g_ptr_array_index(plan->steps, i);
            char text[256] = "";

            if (step->kind == PLT_STEP_MEASURE)
                g_assert_cmpstr(plt_workload_check(&step->workload, &target, text, sizeof(text)), ==, NULL);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    /* A person's own suites must not come into it. */
    g_setenv("XDG_DATA_HOME", "/nonexistent", TRUE);
    for (gsize i = 0; i < G_N_ELEMENTS(suites); i++) {
        g_autofree char *path = g_strconcat("/suite/shipped/", suites[i].suite, NULL);

        g_test_add_data_func(path, &suites[i], test_suite);
    }
    g_test_add_func("/suite/shipped/blocksize-sweep", test_sweep);
    g_test_add_func("/suite/shipped/as-ssd-slices", test_as_ssd);
    g_test_add_data_func("/suite/shipped/cdm-demo-no-mix", "cdm-demo", test_no_mix);
    g_test_add_data_func("/suite/shipped/blocksize-sweep-no-mix", "blocksize-sweep", test_no_mix);
    g_test_add_func("/suite/shipped/passes", test_passes);
    g_test_add_func("/suite/shipped/closer", test_closer);
    g_test_add_func("/suite/shipped/prepare", test_prepare);
    g_test_add_func("/suite/shipped/all", test_all);
    g_test_add_func("/suite/shipped/engine-takes-all", test_engine_takes_all);
    return g_test_run();
}
