/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "suite/plan.h"

#define GIB G_GUINT64_CONSTANT(1073741824)

/* A plan of SUITE with the overrides in WORDS, separated by blanks. */
static PltPlan *plan_with(const char *suite_id, const char *words, guint64 seed, GError **error)
{
    g_autoptr(PltSuite) suite = plt_suite_find(suite_id, error);
    g_autoptr(PltOverrides) overrides = plt_overrides_new();
    g_auto(GStrv) assignments = g_strsplit(words, " ", -1);

    g_assert_nonnull(suite);
    for (guint i = 0; assignments[i] != NULL; i++) {
        if (assignments[i][0] != '\0' && !plt_overrides_set(overrides, assignments[i], error))
            return NULL;
    }
    return plt_plan_new(suite, overrides, GIB, seed, error);
}

static char *cells_of(const PltPlan *plan)
{
    g_autoptr(GPtrArray) ids = g_ptr_array_new();

    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind == PLT_STEP_MEASURE)
            g_ptr_array_add(ids, step->cell.id);
    }
    g_ptr_array_add(ids, NULL);
    return g_strjoinv(",", (char **)ids->pdata);
}

static void assert_cells(const char *words, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPlan) plan = plan_with("cdm-nvme", words, 1, &error);
    g_autofree char *cells = NULL;

    g_assert_no_error(error);
    cells = cells_of(plan);
    g_assert_cmpstr(cells, ==, expected);
}

static void assert_refused(const char *words, const char *part)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPlan) plan = plan_with("cdm-nvme", words, 1, &error);

    g_assert_null(plan);
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    if (strstr(error->message, part) == NULL)
        g_error("%s: expected “…%s…”, got “%s”", words, part, error->message);
}

/* All at once: (2 + 2) windows of 0.5 s, 12 cells, 11 pauses of 1 s, 4 GiB at 1 GiB/s: 24 + 11 + 4 = 39 s. */
static void test_overrides(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPlan) plan = plan_with("cdm-nvme",
                                        "size=4GiB runs=2 warmup=2 seconds=0.5 interval=1s data=zero mix=50% "
                                        "score=median generator=tausworthe64 tick=10ms",
                                        1, &error);
    guint n_cells = 0;

    g_assert_no_error(error);
    g_assert_cmpuint(plan->size, ==, 4 * GIB);
    g_assert_cmpint(plan->data, ==, PLT_DATA_ZERO);
    g_assert_cmpuint(plan->mix_percent, ==, 50);
    g_assert_cmpuint(plan->estimated_ms, ==, 39000);
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind == PLT_STEP_REST) {
            g_assert_cmpuint(step->rest_ms, ==, 1000);
            continue;
        }
        n_cells++;
        g_assert_cmpuint(step->runs, ==, 2);
        g_assert_cmpuint(step->warmup_runs, ==, 2);
        g_assert_cmpuint(step->workload.duration_ns, ==, 500000000);
        g_assert_cmpuint(step->workload.tick_ns, ==, 10000000);
        g_assert_cmpint(step->workload.data, ==, PLT_DATA_ZERO);
        g_assert_cmpint(step->workload.generator, ==, PLT_GENERATOR_TAUSWORTHE64);
        g_assert_cmpint(step->score_rule, ==, PLT_SCORE_MEDIAN);
    }
    g_assert_cmpuint(n_cells, ==, 12);
}

static void test_data(void)
{
    static const struct {
        const char *words;
        enum plt_data data;
        guint percent;
    } cases[] = {{"data=random", PLT_DATA_RANDOM, 0},
                 {"data=0%", PLT_DATA_RANDOM, 0},
                 {"data=46%", PLT_DATA_COMPRESSIBLE, 46},
                 {"data=100%", PLT_DATA_ZERO, 0},
                 {"data=46% data=random", PLT_DATA_RANDOM, 0}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(PltPlan) plan = plan_with("quick", cases[i].words, 1, NULL);
        const PltStep *step = g_ptr_array_index(plan->steps, 0);

        g_assert_cmpint(plan->data, ==, cases[i].data);
        g_assert_cmpuint(plan->data_zero_percent, ==, cases[i].percent);
        g_assert_cmpint(step->workload.data, ==, cases[i].data);
        g_assert_cmpuint(step->workload.zero_percent, ==, cases[i].percent);
    }
}

/* Everything that CrystalDiskMark's menus offer can be said. */
static void test_crystaldiskmark_ranges(void)
{
    static const char *const sizes[] = {"16MiB", "32MiB", "64MiB", "512MiB", "1GiB", "64GiB"};
    static const char *const words[] = {"runs=1",     "runs=9",       "seconds=1", "seconds=10", "seconds=60",
                                        "interval=0", "interval=600", "mix=10",    "mix=90",     "data=zero"};

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *word = g_strconcat("size=", sizes[i], NULL);
        g_autoptr(PltPlan) plan = plan_with("cdm-default", word, 1, NULL);

        g_assert_nonnull(plan);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        g_autoptr(PltPlan) plan = plan_with("cdm-default", words[i], 1, NULL);

        g_assert_nonnull(plan);
    }
}

static void test_only(void)
{
    assert_cells("only=rnd4k-q1t1-read", "rnd4k-q1t1-read");
    assert_cells("only=rnd4k-q1t1", "rnd4k-q1t1-read,rnd4k-q1t1-write");
    assert_cells("only=rnd4k-q1t1 mix=70", "rnd4k-q1t1-read,rnd4k-q1t1-write,rnd4k-q1t1-mix");
    assert_cells("only=write", "seq1m-q8t1-write,seq128k-q32t1-write,rnd4k-q32t16-write,rnd4k-q1t1-write");
    /* The suite's order, whatever the order of the names, and nothing twice. */
    assert_cells("only=rnd4k-q1t1-write,seq1m-q8t1-read,rnd4k-q1t1,read",
                 "seq1m-q8t1-read,seq128k-q32t1-read,rnd4k-q32t16-read,rnd4k-q1t1-read,rnd4k-q1t1-write");
}

/* Pauses lie between the cells that are left: 2 cells of 4 x 5 s and one pause of 5 s, and the file. */
static void test_only_pauses(void)
{
    g_autoptr(PltPlan) plan = plan_with("cdm-nvme", "only=rnd4k-q1t1", 1, NULL);

    g_assert_cmpuint(plan->steps->len, ==, 3);
    g_assert_cmpuint(plan->estimated_ms, ==, 46000);
}

static void test_refusals(void)
{
    assert_refused("only=rnd4k-q32t1-read",
                   "“rnd4k-q32t1-read” is no cell of the suite cdm-nvme; there are: seq1m-q8t1-read, "
                   "seq128k-q32t1-read, rnd4k-q32t16-read, rnd4k-q1t1-read, seq1m-q8t1-write,");
    assert_refused("only=rnd4k", "is no cell");
    assert_refused("only=", "one item or several");
    assert_refused("only=rnd4k-q1t1-mix", "mixed cells are off; set mix= too");
    assert_refused("size", "write KEY=VALUE");
    assert_refused("colour=red",
                   "“colour” cannot be set; what can: size, runs, warmup, seconds, interval, data, "
                   "mix, score, generator, tick, leave, seed, only");
    assert_refused("Size=1GiB", "“Size” cannot be set");
    assert_refused("=1", "cannot be set");
    assert_refused("size=1", "size: “1” is not allowed: a size is a number with K, M, G or T");
    assert_refused("size=1025K", "size: “1025K” is not allowed: a test file has a whole number of MiB");
    assert_refused("size=65T", "from 1 MiB to 64 TiB");
    assert_refused("runs=0", "runs: “0” is not allowed: a whole number from 1 to 99");
    assert_refused("warmup=10", "from 0 to 9");
    assert_refused("seconds=0.09", "from 100 ms to 24 h");
    assert_refused("seconds=86401", "from 100 ms to 24 h");
    assert_refused("interval=-1", "from 0 s to 24 h");
    assert_refused("data=101%", "random, zero, or the compressible share");
    assert_refused("mix=0", "off, or the percentage of reads from 1 to 99");
    assert_refused("seconds=86400 runs=99", "limit");
}

/* What fails leaves the overrides as they were. */
static void test_failed_set(void)
{
    g_autoptr(PltSuite) suite = plt_suite_find("quick", NULL);
    g_autoptr(PltOverrides) overrides = plt_overrides_new();
    g_autoptr(PltPlan) plan = NULL;

    g_assert_true(plt_overrides_set(overrides, "size=2GiB", NULL));
    g_assert_true(plt_overrides_set(overrides, " runs = 3 ", NULL));
    g_assert_false(plt_overrides_set(overrides, "size=2GB", NULL));
    g_assert_false(plt_overrides_set(overrides, "only=,", NULL));
    plan = plt_plan_new(suite, overrides, 0, 1, NULL);
    g_assert_cmpuint(plan->size, ==, 2 * GIB);
    g_assert_cmpuint(((PltStep *)g_ptr_array_index(plan->steps, 0))->runs, ==, 3);
}

static guint64 seed_of(const PltPlan *plan, const char *id)
{
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind == PLT_STEP_MEASURE && strcmp(step->cell.id, id) == 0)
            return step->workload.seed;
    }
    g_error("no cell %s", id);
}

/* A cell's seed depends on the run's and on its name alone, so that one cell can be repeated by itself. */
static void test_seeds(void)
{
    g_autoptr(PltPlan) whole = plan_with("cdm-nvme", "", 99, NULL);
    g_autoptr(PltPlan) part = plan_with("cdm-nvme", "only=rnd4k-q1t1 size=2GiB", 99, NULL);
    g_autoptr(PltPlan) other = plan_with("cdm-nvme", "", 100, NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

    g_assert_cmpuint(seed_of(whole, "rnd4k-q1t1-write"), ==, seed_of(part, "rnd4k-q1t1-write"));
    g_assert_cmpuint(seed_of(whole, "rnd4k-q1t1-write"), !=, seed_of(other, "rnd4k-q1t1-write"));
    for (guint i = 0; i < whole->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(whole->steps, i);

        for (guint run = 0; step->kind == PLT_STEP_MEASURE && run < 4; run++) {
            guint64 seed = plt_step_run_seed(step, run);

            g_assert_true(g_hash_table_add(seen, g_memdup2(&seed, sizeof(seed))));
        }
    }
    g_assert_cmpuint(g_hash_table_size(seen), ==, 32);
}

/* The seed that a run recorded repeats it, whatever the caller draws. */
static void test_seed_override(void)
{
    g_autoptr(PltPlan) drawn = plan_with("cdm-nvme", "", 99, NULL);
    g_autoptr(PltPlan) repeated = plan_with("cdm-nvme", "seed=0x0000000000000063", 7, NULL);
    JsonObject *object = json_node_get_object(repeated->parameters);

    g_assert_cmpuint(seed_of(drawn, "rnd4k-q1t1-read"), ==, seed_of(repeated, "rnd4k-q1t1-read"));
    g_assert_cmpstr(json_object_get_string_member(object, "seed"), ==, "0x0000000000000063");
}

static void test_parameters(void)
{
    g_autoptr(PltPlan) plan =
        plan_with("cdm-nvme", "size=2GiB data=46% mix=70 only=rnd4k-q1t1 seconds=1.5", G_MAXUINT64, NULL);
    JsonObject *object = json_node_get_object(plan->parameters);
    JsonArray *cells = json_object_get_array_member(object, "cells");
    JsonObject *mix = json_array_get_object_element(cells, 2);
    g_autofree char *seed = g_strdup_printf("0x%016" G_GINT64_MODIFIER "x", seed_of(plan, "rnd4k-q1t1-mix"));

    g_assert_cmpint(json_object_get_int_member(object, "size"), ==, 2 * GIB);
    g_assert_cmpint(json_object_get_int_member(object, "runs"), ==, 3);
    g_assert_cmpint(json_object_get_int_member(object, "warmup"), ==, 1);
    g_assert_cmpfloat(json_object_get_double_member(object, "seconds"), ==, 1.5);
    g_assert_cmpfloat(json_object_get_double_member(object, "interval"), ==, 5);
    g_assert_cmpstr(json_object_get_string_member(object, "data"), ==, "46%");
    g_assert_cmpint(json_object_get_int_member(object, "mix_percent"), ==, 70);
    g_assert_cmpstr(json_object_get_string_member(object, "order"), ==, "operation");
    g_assert_cmpstr(json_object_get_string_member(object, "seed"), ==, "0xffffffffffffffff");
    g_assert_cmpuint(json_array_get_length(json_object_get_array_member(object, "only")), ==, 1);
    g_assert_cmpuint(json_array_get_length(cells), ==, 3);
    g_assert_cmpstr(json_object_get_string_member(mix, "id"), ==, "rnd4k-q1t1-mix");
    g_assert_cmpint(json_object_get_int_member(mix, "read_percent"), ==, 70);
    g_assert_cmpstr(json_object_get_string_member(mix, "generator"), ==, "xoshiro256pp");
    g_assert_cmpint(json_object_get_int_member(mix, "tick_ms"), ==, 100);
    g_assert_cmpstr(json_object_get_string_member(mix, "seed"), ==, seed);
    g_assert_false(json_object_has_member(mix, "sync"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_setenv("XDG_DATA_HOME", "/nonexistent", TRUE);
    g_test_add_func("/suite/plan/overrides", test_overrides);
    g_test_add_func("/suite/plan/data", test_data);
    g_test_add_func("/suite/plan/crystaldiskmark-ranges", test_crystaldiskmark_ranges);
    g_test_add_func("/suite/plan/only", test_only);
    g_test_add_func("/suite/plan/only-pauses", test_only_pauses);
    g_test_add_func("/suite/plan/refusals", test_refusals);
    g_test_add_func("/suite/plan/failed-set", test_failed_set);
    g_test_add_func("/suite/plan/seeds", test_seeds);
    g_test_add_func("/suite/plan/seed-override", test_seed_override);
    g_test_add_func("/suite/plan/parameters", test_parameters);
    return g_test_run();
}
