/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <math.h>

#include "library/library.h"
#include "suite/heat-log.h"

static int n_calls; /* atomic */

/* 40, nothing, 42, 43 … */
static double scripted(const char *name)
{
    int call = g_atomic_int_add(&n_calls, 1);

    g_assert_cmpstr(name, ==, "sdx");
    return call == 1 ? NAN : 40 + call;
}

static void remove_folder(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;

    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);

        g_remove(path);
    }
    g_rmdir(folder);
}

/* What the sensor said is in the library, at the time of the wall's clock; what it did not say is not. */
static void test_recorded(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("plateau-heat-XXXXXX", &error);
    g_autofree char *path = g_build_filename(folder, "library.db", NULL);
    g_autoptr(PltRun) run = plt_run_new();
    PltHeatLog *log = plt_heat_log_new("sdx", scripted, 5);
    PltRecorder *recorder = NULL;

    run->uuid = g_uuid_string_random();
    run->started_us = g_get_real_time();
    recorder = plt_recorder_new(path, run, FALSE, &error);
    g_assert_no_error(error);
    run->id = plt_recorder_run_id(recorder);
    /* A reading is taken over when the next one is asked for: after the fifth, four are there. */
    while (g_atomic_int_get(&n_calls) < 5)
        g_usleep(1000);
    plt_heat_log_pass(log, recorder);
    plt_heat_log_free(log);
    g_assert_true(plt_recorder_finish(recorder, PLT_RUN_COMPLETE, NULL, g_get_real_time(), &error));

    g_autoptr(PltLibrary) library = plt_library_open(path, &error);
    g_autoptr(PltRun) stored = plt_library_load(library, run->id, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(stored->temperatures->len, >=, 3);
    for (guint i = 0; i < stored->temperatures->len; i++) {
        const PltTemperature *one = &g_array_index(stored->temperatures, PltTemperature, i);

        g_assert_cmpfloat(one->celsius, ==, i == 0 ? 40 : 41 + i);
        /* A second for what the machine may do to the wall's clock meanwhile. */
        g_assert_cmpint(one->at_us, >=, run->started_us - G_USEC_PER_SEC);
        g_assert_cmpint(one->at_us, <=, g_get_real_time() + G_USEC_PER_SEC);
    }
    g_clear_pointer(&library, plt_library_close);
    remove_folder(folder);
}

static void test_no_drive(void)
{
    g_assert_null(plt_heat_log_new(NULL, scripted, 5));
    plt_heat_log_pass(NULL, NULL);
    plt_heat_log_free(NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/suite/heat-log/recorded", test_recorded);
    g_test_add_func("/suite/heat-log/no-drive", test_no_drive);
    return g_test_run();
}
