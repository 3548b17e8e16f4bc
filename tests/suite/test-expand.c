/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "suite/plan.h"

#define HEAD             \
    "[suite]\n"          \
    "id=mine\n"          \
    "name=Mine\n"        \
    "description=One.\n" \
    "size=1GiB\n"        \
    "seconds=5\n"

static PltPlan *plan_new(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_parse(text, -1, "f", &error);
    PltPlan *plan;

    g_assert_no_error(error);
    plan = plt_plan_new(suite, NULL, 0, 1, &error);
    g_assert_no_error(error);
    return plan;
}

/* Ids of the cells and lengths of the rests in seconds, with commas between. */
static char *steps_of(const PltPlan *plan)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        g_string_append(text, i > 0 ? "," : "");
        if (step->kind == PLT_STEP_MEASURE)
            g_string_append(text, step->cell.id);
        else
            g_string_append_printf(text, "%" G_GUINT64_FORMAT, step->rest_ms / 1000);
    }
    return g_string_free_and_steal(text);
}

static void assert_steps(const char *suite, const char *expected)
{
    g_autoptr(PltPlan) plan = plan_new(suite);
    g_autofree char *steps = steps_of(plan);

    g_assert_cmpstr(steps, ==, expected);
}

/* Block outermost, then queue, threads, and the operations in the order that the step gives. */
static void test_sweep_order(void)
{
    assert_steps(HEAD "[a]\npattern=random\nblock=4K,8K\nqueue=1,2\nthreads=1,4\nop=write,read\n",
                 "rnd4k-q1t1-write,rnd4k-q1t1-read,rnd4k-q1t4-write,rnd4k-q1t4-read,"
                 "rnd4k-q2t1-write,rnd4k-q2t1-read,rnd4k-q2t4-write,rnd4k-q2t4-read,"
                 "rnd8k-q1t1-write,rnd8k-q1t1-read,rnd8k-q1t4-write,rnd8k-q1t4-read,"
                 "rnd8k-q2t1-write,rnd8k-q2t1-read,rnd8k-q2t4-write,rnd8k-q2t4-read");
}

#define TWO_STEPS                                                     \
    "[a]\npattern=sequential\nblock=1M\nqueue=8\nop=write,read,mix\n" \
    "[b]\npattern=random\nblock=4K\nqueue=1\nop=read,write,mix\n"

static void test_by_step(void)
{
    assert_steps(
        HEAD "mix=70\norder=step\n" TWO_STEPS,
        "seq1m-q8t1-write,seq1m-q8t1-read,seq1m-q8t1-mix,rnd4k-q1t1-read,rnd4k-q1t1-write,rnd4k-q1t1-mix");
}

/* Whatever order the steps give their operations: reads, writes, mixes. */
static void test_by_operation(void)
{
    assert_steps(
        HEAD "mix=70\norder=operation\n" TWO_STEPS,
        "seq1m-q8t1-read,rnd4k-q1t1-read,seq1m-q8t1-write,rnd4k-q1t1-write,seq1m-q8t1-mix,rnd4k-q1t1-mix");
}

/* A rest cuts the order in two, and stands instead of an interval, not beside it. */
static void test_rest(void)
{
    assert_steps(HEAD "order=operation\ninterval=3\n"
                      "[a]\npattern=random\nblock=4K\nqueue=1\nop=read,write\n"
                      "[pause]\nkind=rest\ntime=2min\n"
                      "[b]\npattern=random\nblock=8K\nqueue=1\nop=read,write\n",
                 "rnd4k-q1t1-read,3,rnd4k-q1t1-write,120,rnd8k-q1t1-read,3,rnd8k-q1t1-write");
}

static void test_mix_off(void)
{
    assert_steps(HEAD TWO_STEPS, "seq1m-q8t1-write,seq1m-q8t1-read,rnd4k-q1t1-read,rnd4k-q1t1-write");
}

/* A step can have a ratio of its own while the suite's is off. */
static void test_mix_of_step(void)
{
    g_autoptr(PltPlan) plan = plan_new(HEAD "[a]\npattern=random\nblock=4K\nqueue=1\nop=read,mix\nmix=30%\n"
                                            "[b]\npattern=random\nblock=8K\nqueue=1\nop=read,mix\n");
    g_autofree char *steps = steps_of(plan);
    const PltStep *mix = g_ptr_array_index(plan->steps, 1);

    g_assert_cmpstr(steps, ==, "rnd4k-q1t1-read,rnd4k-q1t1-mix,rnd8k-q1t1-read");
    g_assert_cmpuint(mix->workload.read_percent, ==, 30);
    g_assert_cmpuint(plan->mix_percent, ==, 30);
}

/* Mixed cells alone read as well, whatever their ratio. */
static void test_mix_reads(void)
{
    g_autoptr(PltPlan) plan = plan_new(HEAD "mix=1\n[a]\npattern=random\nblock=4K\nqueue=1\nop=mix\n");

    g_assert_true(plan->any_read);
}

/* A tag tells two cells of one shape apart; a label is shown instead of the shape. */
static void test_tag_and_label(void)
{
    g_autoptr(PltPlan) plan = plan_new(
        HEAD "[a]\npattern=random\nblock=4K\nqueue=1\nop=write\n"
             "[b]\npattern=random\nblock=4K\nqueue=1\nop=write\nsync=dsync\ntag=dsync\nlabel=Sync 4K\n");
    const PltStep *first = g_ptr_array_index(plan->steps, 0);
    const PltStep *second = g_ptr_array_index(plan->steps, 1);

    g_assert_cmpstr(first->cell.id, ==, "rnd4k-q1t1-write");
    g_assert_cmpstr(first->cell.label, ==, "RND4K Q1T1");
    g_assert_cmpstr(second->cell.id, ==, "rnd4k-q1t1-dsync-write");
    g_assert_cmpstr(second->cell.label, ==, "Sync 4K");
    g_assert_cmpint(second->workload.sync, ==, PLT_SYNC_DSYNC);
    g_assert_cmpint(second->cell.sync, ==, PLT_SYNC_DSYNC);
    g_assert_false(plan->any_read);
}

static const char *role(const PltPlan *plan, guint step)
{
    return ((const PltStep *)g_ptr_array_index(plan->steps, step))->cell.role;
}

/* A role is given to each cell; “ratio” becomes one with the depth and the share of reads. */
static void test_role(void)
{
    g_autoptr(PltPlan) plan =
        plan_new(HEAD "mix=70%\n[a]\npattern=random\nblock=4K\nqueue=1\nthreads=4\nop=read,write,mix\n"
                      "role=ratio\n[b]\npattern=random\nblock=8K\nqueue=1\nop=read\nrole=thermal-read\n"
                      "[c]\npattern=random\nblock=16K\nqueue=1\nop=read\n");

    g_assert_cmpstr(role(plan, 0), ==, "ratio-q4-r100");
    g_assert_cmpstr(role(plan, 1), ==, "ratio-q4-r0");
    g_assert_cmpstr(role(plan, 2), ==, "ratio-q4-r70");
    g_assert_cmpstr(role(plan, 3), ==, "thermal-read");
    g_assert_cmpstr(role(plan, 4), ==, NULL);
}

static void test_every_key(void)
{
    g_autoptr(PltPlan) plan = plan_new(
        HEAD
        "[a]\nkind=measure\npattern=sequential\nblock=128K\nqueue=4\nthreads=2\nop=write\nsync=fdatasync\n"
        "flush_every=16\nstreams=separate\nrate_read=100MB/s\nrate_write=15MB/"
        "s\nthink=30ms\nthink_every=750\n"
        "runs=2\nwarmup=1\nseconds=0.5\nscore=median\ngenerator=tausworthe64\ntick=10ms\n"
        "[b]\npattern=random\nblock=4K\nqueue=1\nthreads=4\nop=read\nslices=yes\noptional=yes\nsync=fsync\n");
    const PltStep *a = g_ptr_array_index(plan->steps, 0);
    const PltStep *b = g_ptr_array_index(plan->steps, 1);

    g_assert_cmpint(a->workload.sync, ==, PLT_SYNC_FDATASYNC);
    g_assert_cmpuint(a->workload.flush_every, ==, 16);
    g_assert_true(a->workload.separate_streams);
    g_assert_cmpuint(a->workload.rate_bps[PLT_OP_READ], ==, 100000000);
    g_assert_cmpuint(a->workload.rate_bps[PLT_OP_WRITE], ==, 15000000);
    g_assert_cmpuint(a->workload.think_ns, ==, 30000000);
    g_assert_cmpuint(a->workload.think_every, ==, 750);
    g_assert_cmpuint(a->runs, ==, 2);
    g_assert_cmpuint(a->warmup_runs, ==, 1);
    g_assert_cmpuint(a->workload.duration_ns, ==, 500000000);
    g_assert_cmpint(a->score_rule, ==, PLT_SCORE_MEDIAN);
    g_assert_cmpint(a->workload.generator, ==, PLT_GENERATOR_TAUSWORTHE64);
    g_assert_cmpuint(a->workload.tick_ns, ==, 10000000);
    g_assert_false(a->optional);
    g_assert_true(b->workload.slices);
    g_assert_true(b->optional);
    g_assert_cmpuint(b->workload.flush_every, ==, 1);
    /* What the optional step needs does not count. */
    g_assert_cmpuint(plan->smallest_block, ==, 131072);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/expand/sweep-order", test_sweep_order);
    g_test_add_func("/suite/expand/by-step", test_by_step);
    g_test_add_func("/suite/expand/by-operation", test_by_operation);
    g_test_add_func("/suite/expand/rest", test_rest);
    g_test_add_func("/suite/expand/mix-off", test_mix_off);
    g_test_add_func("/suite/expand/mix-of-step", test_mix_of_step);
    g_test_add_func("/suite/expand/mix-reads", test_mix_reads);
    g_test_add_func("/suite/expand/tag-and-label", test_tag_and_label);
    g_test_add_func("/suite/expand/role", test_role);
    g_test_add_func("/suite/expand/every-key", test_every_key);
    return g_test_run();
}
