/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "suite/plan.h"

#define GB G_GUINT64_CONSTANT(1000000000)
#define HEAD "[suite]\nid=mine\nname=Mine\ndescription=One.\nsize=1GiB\nseconds=5\n"

/* Bytes that the measuring of CELL writes, at SPEED, without the making of the file. */
static guint64 written(const char *cell, guint64 speed)
{
    g_autofree char *text = g_strconcat(HEAD, cell, NULL);
    g_autoptr(PltSuite) suite = plt_suite_parse(text, -1, "f", NULL);
    g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, speed, 1, NULL);

    g_assert_nonnull(plan);
    return plan->estimated_written - plan->size;
}

/* A deep sequential write goes at the drive's speed: 4 windows of 5 s at 3 GB/s are 60 GB. */
static void test_sequential(void)
{
    g_assert_cmpuint(
        written("[a]\npattern=sequential\nblock=1M\nqueue=8\nop=write\nruns=3\nwarmup=1\n", 3 * GB), ==,
        60 * GB);
}

/* An amount ends it before the time does: two runs of 1 GiB. */
static void test_amount(void)
{
    g_assert_cmpuint(
        written("[a]\npattern=sequential\nblock=1M\nqueue=8\nop=write\nruns=2\nbytes=1GiB\n", 3 * GB), ==,
        G_GUINT64_CONSTANT(2) << 30);
}

/* One 4K at a time cannot: 4096 B each 12 µs and 1.37 µs are 306 MB/s, 1.5 GB in 5 s. */
static void test_latency_bound(void)
{
    guint64 bytes = written("[a]\npattern=random\nblock=4K\nqueue=1\nop=write\n", 3 * GB);

    g_assert_cmpuint(bytes, >, 15 * GB / 10);
    g_assert_cmpuint(bytes, <, 16 * GB / 10);
}

static void test_reads_write_nothing(void)
{
    g_assert_cmpuint(written("[a]\npattern=sequential\nblock=1M\nqueue=8\nop=read\n", 3 * GB), ==, 0);
}

static void test_mix(void)
{
    g_assert_cmpuint(written("[a]\npattern=sequential\nblock=1M\nqueue=8\nop=mix\nmix=70\n", 3 * GB), ==,
                     15 * GB * 3 / 10);
}

static void test_rate_limit(void)
{
    g_assert_cmpuint(
        written("[a]\npattern=sequential\nblock=1M\nqueue=8\nop=write\nrate_write=15MB/s\n", 3 * GB), ==,
        75000000);
}

/* 512 B at 3 GB/s would be 5.9 M IOPS; 2 M are the bound: 1.024 GB/s. */
static void test_iops_bound(void)
{
    g_assert_cmpuint(written("[a]\npattern=random\nblock=512\nqueue=512\nop=write\n", 3 * GB), ==,
                     5 * 1024000000LL);
}

/* Without a guess an NVMe drive's 3 GB/s: the 1 GiB file takes 357.9 ms, rounded up. */
static void test_default_speed(void)
{
    g_autoptr(PltSuite) suite =
        plt_suite_parse(HEAD "[a]\npattern=sequential\nblock=1M\nqueue=8\nop=read\n", -1, "f", NULL);
    g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, 0, 1, NULL);

    g_assert_cmpuint(plan->speed_guess, ==, 3 * GB);
    g_assert_cmpuint(plan->estimated_ms, ==, 5358);
}

/* A guess that is absurd in either direction must not overflow anything. */
static void test_extremes(void)
{
    g_autoptr(PltSuite) suite = plt_suite_find("cdm-default", NULL);
    g_autoptr(PltPlan) fast = plt_plan_new(suite, NULL, G_MAXUINT64, 1, NULL);
    g_autoptr(PltPlan) slow = plt_plan_new(suite, NULL, 100000, 1, NULL);
    g_autoptr(GError) error = NULL;

    g_assert_cmpuint(fast->estimated_ms, ==, 195001);
    g_assert_cmpuint(slow->estimated_ms, ==, 195000 + 10737419);
    g_assert_null(plt_plan_new(suite, NULL, 1, 1, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_setenv("XDG_DATA_HOME", "/nonexistent", TRUE);
    g_test_add_func("/suite/estimate/amount", test_amount);
    g_test_add_func("/suite/estimate/sequential", test_sequential);
    g_test_add_func("/suite/estimate/latency-bound", test_latency_bound);
    g_test_add_func("/suite/estimate/reads-write-nothing", test_reads_write_nothing);
    g_test_add_func("/suite/estimate/mix", test_mix);
    g_test_add_func("/suite/estimate/rate-limit", test_rate_limit);
    g_test_add_func("/suite/estimate/iops-bound", test_iops_bound);
    g_test_add_func("/suite/estimate/default-speed", test_default_speed);
    g_test_add_func("/suite/estimate/extremes", test_extremes);
    return g_test_run();
}
