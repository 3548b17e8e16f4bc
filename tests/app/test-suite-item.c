/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/suite-item.h"

#define SCHEMA "io.github.plateau_bench.Plateau"

static GSettings *settings_new(void)
{
    GSettings *settings = g_settings_new(SCHEMA);

    g_settings_reset(settings, "suite-settings");
    return settings;
}

static PltSuiteItem *item_new(const char *id, GSettings *settings)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_find(id, &error);

    g_assert_no_error(error);
    return plt_suite_item_new(suite, settings);
}

static gboolean is_changed(PltSuiteItem *item)
{
    gboolean changed;

    g_object_get(item, "changed", &changed, NULL);
    return changed;
}

static void set(PltSuiteItem *item, const char *key, const char *value)
{
    g_autoptr(GError) error = NULL;

    plt_suite_item_set(item, key, value, &error);
    g_assert_no_error(error);
}

static void count(gpointer object, GParamSpec *pspec, guint *n)
{
    (*n)++;
}

static void test_defaults(void)
{
    g_autoptr(PltSuiteItem) item = item_new("cdm-default", NULL);

    g_assert_cmpstr(plt_suite_item_get_id(item), ==, "cdm-default");
    g_assert_cmpuint(plt_suite_item_get_size(item), ==, 1 << 30);
    g_assert_cmpuint(plt_suite_item_get_runs(item), ==, 3);
    g_assert_cmpfloat(plt_suite_item_get_seconds(item), ==, 5);
    g_assert_cmpfloat(plt_suite_item_get_interval(item), ==, 5);
    g_assert_cmpuint(plt_suite_item_get_mix(item), ==, 0);
    g_assert_cmpstr(plt_suite_item_get_data(item), ==, "random");
    g_assert_true(plt_suite_item_has_mix(item));
    g_assert_true(plt_suite_item_has_grid(item));
    g_assert_false(is_changed(item));
}

static void test_kinds(void)
{
    g_autoptr(PltSuiteItem) sweep = item_new("blocksize-sweep", NULL);
    g_autoptr(PltSuiteItem) score = item_new("as-ssd", NULL);

    g_assert_false(plt_suite_item_has_grid(sweep));
    g_assert_false(plt_suite_item_has_mix(sweep));
    g_assert_true(plt_suite_item_has_grid(score));
}

/* What is changed is in the plan, in the settings, and in every other item of the suite. */
static void test_changes(void)
{
    g_autoptr(GSettings) settings = settings_new();
    g_autoptr(PltSuiteItem) item = item_new("quick", settings);
    g_autoptr(PltSuiteItem) other = item_new("quick", settings);
    g_autoptr(PltSuiteItem) stranger = item_new("cdm-nvme", settings);
    guint n = 0, n_other = 0, n_stranger = 0;

    g_signal_connect(item, "notify::summary", G_CALLBACK(count), &n);
    g_signal_connect(other, "notify::summary", G_CALLBACK(count), &n_other);
    g_signal_connect(stranger, "notify::summary", G_CALLBACK(count), &n_stranger);
    set(item, "runs", "4");
    set(item, "mix", "50");
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(n_other, ==, 2);
    g_assert_cmpuint(n_stranger, ==, 0);
    g_assert_cmpuint(plt_suite_item_get_runs(other), ==, 4);
    g_assert_cmpuint(plt_suite_item_get_mix(other), ==, 50);
    g_assert_cmpuint(plt_suite_item_get_plan(other)->steps->len, ==, 12);
    g_assert_true(is_changed(other));
    /* The same again is nothing new. */
    set(item, "runs", "4");
    g_assert_cmpuint(n, ==, 2);
    plt_suite_item_reset(other);
    g_assert_false(is_changed(item));
    g_assert_cmpuint(plt_suite_item_get_runs(item), ==, 1);
}

static void test_kept(void)
{
    g_autoptr(GSettings) settings = settings_new();
    g_autoptr(PltSuiteItem) quick = item_new("quick", settings);
    g_autoptr(PltSuiteItem) nvme = item_new("cdm-nvme", settings);
    g_autoptr(PltSuiteItem) again = NULL;
    g_autoptr(GVariant) all = NULL;

    set(quick, "size", "64M");
    set(nvme, "runs", "5");
    set(quick, "runs", "2");
    all = g_settings_get_value(settings, "suite-settings");
    g_assert_cmpuint(g_variant_n_children(all), ==, 2);
    again = item_new("quick", settings);
    g_assert_cmpuint(plt_suite_item_get_size(again), ==, 64 << 20);
    g_assert_cmpuint(plt_suite_item_get_runs(again), ==, 2);
    g_assert_cmpuint(plt_suite_item_get_runs(nvme), ==, 5);
    plt_suite_item_reset(quick);
    plt_suite_item_reset(nvme);
    g_clear_pointer(&all, g_variant_unref);
    all = g_settings_get_value(settings, "suite-settings");
    g_assert_cmpuint(g_variant_n_children(all), ==, 0);
}

/* A suite's own value, chosen by hand, is no change. */
static void test_own_value(void)
{
    g_autoptr(PltSuiteItem) item = item_new("quick", NULL);

    set(item, "runs", "3");
    g_assert_true(is_changed(item));
    set(item, "runs", "1");
    g_assert_false(is_changed(item));
    set(item, "size", "256M");
    g_assert_false(is_changed(item));
    set(item, "mix", "off");
    g_assert_false(is_changed(item));
}

/* What the suite cannot do is refused with a sentence, and everything stays as it was. */
static void test_refused(void)
{
    g_autoptr(PltSuiteItem) sweep = item_new("blocksize-sweep", NULL);
    g_autoptr(GError) error = NULL;
    g_autofree char *summary = g_strdup(plt_suite_item_get_summary(sweep));

    g_assert_false(plt_suite_item_set(sweep, "size", "16M", &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_cmpuint(plt_suite_item_get_size(sweep), ==, 1 << 30);
    g_assert_cmpstr(plt_suite_item_get_summary(sweep), ==, summary);
    g_assert_false(is_changed(sweep));
    g_clear_error(&error);
    g_assert_false(plt_suite_item_set(sweep, "colour", "red", &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

/* Settings of an earlier version may not fit: the suite says so, and can be reset. */
static void test_damaged(void)
{
    g_autoptr(GSettings) settings = settings_new();
    g_autoptr(PltSuiteItem) item = item_new("quick", settings);
    gboolean valid;

    g_assert_true(g_settings_set_value(
        settings, "suite-settings", g_variant_new_parsed("{'quick': ['speed=warp'], 'gone': ['runs=2']}")));
    g_object_get(item, "valid", &valid, NULL);
    g_assert_false(valid);
    g_assert_null(plt_suite_item_get_plan(item));
    g_assert_nonnull(strstr(plt_suite_item_get_summary(item), "speed"));
    plt_suite_item_reset(item);
    g_object_get(item, "valid", &valid, NULL);
    g_assert_true(valid);
    g_settings_reset(settings, "suite-settings");
}

static void test_only(void)
{
    g_autoptr(PltSuiteItem) item = item_new("quick", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPlan) row = plt_suite_item_make_plan(item, "rnd4k-q1t1-read,rnd4k-q1t1-write", &error);
    g_autoptr(PltPlan) all = plt_suite_item_make_plan(item, "", NULL);
    g_autoptr(PltPlan) none = plt_suite_item_make_plan(item, "rnd8k-q1t1-read", NULL);

    g_assert_no_error(error);
    g_assert_cmpuint(row->steps->len, ==, 2);
    g_assert_cmpuint(all->steps->len, ==, 8);
    g_assert_null(none);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/app/suite-item/defaults", test_defaults);
    g_test_add_func("/app/suite-item/kinds", test_kinds);
    g_test_add_func("/app/suite-item/changes", test_changes);
    g_test_add_func("/app/suite-item/kept", test_kept);
    g_test_add_func("/app/suite-item/own-value", test_own_value);
    g_test_add_func("/app/suite-item/refused", test_refused);
    g_test_add_func("/app/suite-item/damaged", test_damaged);
    g_test_add_func("/app/suite-item/only", test_only);
    return g_test_run();
}
