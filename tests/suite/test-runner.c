/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <glib/gstdio.h>

#include "library/library.h"
#include "suite/job.h"

/* A suite small enough to run whole in a test: two rows, one discarded and two scored runs each. */
static const char suite_text[] =
    "[suite]\n"
    "id=tiny\nversion=1\nname=Tiny\ndescription=Tiny.\ngroup=quick\nchart=quick-card\n"
    "order=operation\nsize=16MiB\nruns=2\nwarmup=1\nseconds=0.2\ninterval=200ms\n"
    "data=random\nmix=70\nscore=best\n"
    "[a]\npattern=sequential\nblock=1MiB\nqueue=2\nthreads=1\nop=read, write, mix\n"
    "[b]\npattern=random\nblock=4KiB\nqueue=4\nthreads=2\nop=read, write, mix\n";

static const char *const cell_order[] = {"seq1m-q2t1-read",  "rnd4k-q4t2-read", "seq1m-q2t1-write",
                                         "rnd4k-q4t2-write", "seq1m-q2t1-mix",  "rnd4k-q4t2-mix"};

typedef struct {
    char *folder_path, *library_path;
    PltFolder *folder; /* NULL once it was given to a run */
    gboolean opened;
    PltPlan *plan;
} Fixture;

static void set_up(Fixture *f, gconstpointer overrides_text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltOverrides) overrides = plt_overrides_new();
    g_autofree char *here = g_get_current_dir();
    g_autoptr(PltSuite) suite = plt_suite_parse(suite_text, -1, "tiny", &error);

    g_assert_no_error(error);
    /* In the build folder: /tmp is often in memory. */
    f->folder_path = g_strdup_printf("%s/runner-%08x", here, g_random_int());
    g_assert_cmpint(g_mkdir(f->folder_path, 0700), ==, 0);
    f->library_path = g_strdup_printf("%s.db", f->folder_path);
    f->folder = plt_folder_open(f->folder_path, TRUE, &error);
    f->opened = f->folder != NULL;
    g_clear_error(&error);
    if (overrides_text != NULL) {
        g_auto(GStrv) assignments = g_strsplit(overrides_text, " ", -1);

        for (guint i = 0; assignments[i] != NULL; i++)
            g_assert_true(plt_overrides_set(overrides, assignments[i], &error));
    }
    f->plan = plt_plan_new(suite, overrides, 0, 1, &error);
    g_assert_no_error(error);
}

static void tear_down(Fixture *f, gconstpointer unused)
{
    static const char *const endings[] = {"", "-wal", "-shm"};

    g_clear_pointer(&f->plan, plt_plan_free);
    g_clear_pointer(&f->folder, plt_folder_free);
    /* Fails if a test file was left behind: that is a test too. */
    g_assert_cmpint(g_rmdir(f->folder_path), ==, 0);
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        g_autofree char *path = g_strconcat(f->library_path, endings[i], NULL);

        g_remove(path);
    }
    g_free(f->folder_path);
    g_free(f->library_path);
}

static gboolean must_skip(const Fixture *f, const GError *error)
{
    if (f->opened && !g_error_matches(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED))
        return FALSE;
    g_test_skip("the build folder's file system cannot be measured");
    return TRUE;
}

static PltRun *execute(Fixture *f, GCancellable *cancellable, GError **error)
{
    g_autoptr(PltTarget) target = plt_target_new_folder(g_steal_pointer(&f->folder));

    return plt_runner_execute(f->plan, target, f->library_path, NULL, NULL, cancellable, error);
}

static void check_cell(const PltCell *cell, const char *id)
{
    double best = 0;
    const PltCellRun *score = plt_cell_score(cell);

    g_assert_cmpstr(cell->spec.id, ==, id);
    g_assert_cmpuint(cell->runs->len, ==, 3);
    g_assert_nonnull(score);
    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = cell->runs->pdata[i];

        g_assert_true(run->warmup == (i == 0));
        g_assert_true(run->complete);
        g_assert_cmpuint(run->total.ios, >, 0);
        g_assert_cmpuint(run->total.bytes, ==, run->total.ios * cell->spec.block);
        g_assert_cmpuint(run->total.ios, ==, run->op[PLT_OP_READ].ios + run->op[PLT_OP_WRITE].ios);
        g_assert_cmpfloat_with_epsilon(run->total.seconds, 0.2, 1e-9);
        best = run->warmup ? best : MAX(best, run->total.bandwidth_bps);
    }
    g_assert_cmpfloat_with_epsilon(score->total.bandwidth_bps, best, 1e-6);
}

/* The run that comes back and the one that the library has are the same. */
static void test_complete(Fixture *f, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltRun) run = f->folder != NULL ? execute(f, NULL, &error) : NULL;
    g_autoptr(PltLibrary) library = NULL;
    g_autoptr(PltRun) stored = NULL;

    if (must_skip(f, error))
        return;
    g_assert_no_error(error);
    g_assert_cmpint(run->status, ==, PLT_RUN_COMPLETE);
    g_assert_cmpuint(run->cells->len, ==, G_N_ELEMENTS(cell_order));
    library = plt_library_open(f->library_path, &error);
    g_assert_no_error(error);
    stored = plt_library_load(library, run->id, &error);
    g_assert_no_error(error);
    g_assert_cmpint(stored->status, ==, PLT_RUN_COMPLETE);
    g_assert_cmpuint(stored->warnings->len, ==, run->warnings->len);
    for (guint i = 0; i < G_N_ELEMENTS(cell_order); i++) {
        const PltCellRun *made = plt_cell_score(run->cells->pdata[i]);
        const PltCellRun *kept = plt_cell_score(stored->cells->pdata[i]);

        check_cell(run->cells->pdata[i], cell_order[i]);
        check_cell(stored->cells->pdata[i], cell_order[i]);
        g_assert_cmpuint(made->total.ios, ==, kept->total.ios);
        g_assert_cmpfloat_with_epsilon(made->total.latency.percentile_ns[PLT_P99],
                                       kept->total.latency.percentile_ns[PLT_P99], 1e-3);
    }
}

typedef struct {
    GMainLoop *loop;
    guint n_progress, n_ended, n_windows;
    guint stop_after; /* windows; 0 = never */
    PltThermometerFunc thermometer;
    guint n_warnings; /* known when the first window ended */
} Watch;

static void on_progress(PltJob *job, gpointer user)
{
    Watch *watch = user;

    watch->n_progress++;
    g_assert_cmpfloat(plt_job_get_progress(job)->fraction, <=, 1);
}

static void on_window_ended(PltJob *job, guint step, gpointer user)
{
    Watch *watch = user;

    if (watch->n_windows++ == 0)
        watch->n_warnings = plt_job_get_warnings(job)->len;
    g_assert_nonnull(plt_job_get_cell(job, step));
    if (watch->n_windows == watch->stop_after)
        plt_job_stop(job);
}

static void on_ended(PltJob *job, gpointer user)
{
    Watch *watch = user;

    watch->n_ended++;
    g_main_loop_quit(watch->loop);
}

static PltJob *run_job(Fixture *f, Watch *watch)
{
    PltJob *job = plt_job_new(g_steal_pointer(&f->plan), plt_target_new_folder(g_steal_pointer(&f->folder)),
                              f->library_path);

    watch->loop = g_main_loop_new(NULL, FALSE);
    g_signal_connect(job, "progress", G_CALLBACK(on_progress), watch);
    g_signal_connect(job, "window-ended", G_CALLBACK(on_window_ended), watch);
    g_signal_connect(job, "ended", G_CALLBACK(on_ended), watch);
    plt_job_set_thermometer(job, watch->thermometer);
    plt_job_start(job);
    g_main_loop_run(watch->loop);
    g_main_loop_unref(watch->loop);
    return job;
}

static double warm(const char *name)
{
    return *name != '\0' ? 41.5 : NAN;
}

static double no_sensor(const char *name)
{
    return NAN;
}

/* What the live charts are made of stands in order, inside the run, and holds what was put in. */
static void check_live(PltJob *job, gboolean has_sensor)
{
    const GArray *temperatures = plt_job_get_temperatures(job);
    const GArray *latencies = plt_job_get_latencies(job);
    double end_s = (double)plt_job_get_progress(job)->elapsed_ms / 1000 + 0.001, before_s = 0;
    double prepared = 0;

    for (guint i = 0; i < plt_job_get_preparation(job)->points->len; i++) {
        const PltLivePoint *point = &g_array_index(plt_job_get_preparation(job)->points, PltLivePoint, i);

        prepared += point->mean_bps * point->length_s;
    }
    g_assert_cmpfloat(prepared, <=, 16.0 * 1048576 + 1);
    for (guint i = 0; i < plt_job_get_windows(job)->len; i++) {
        const PltLiveWindow *window = plt_job_get_windows(job)->pdata[i];

        g_assert_cmpfloat(window->start_s, >=, before_s);
        before_s = window->start_s + (double)window->duration_ns / 1e9;
    }
    g_assert_cmpfloat(before_s, <=, end_s);
    for (guint i = 0; i < latencies->len; i++) {
        const PltLiveLatency *latency = &g_array_index(latencies, PltLiveLatency, i);

        g_assert_cmpfloat(latency->at_s, <=, end_s);
        g_assert_cmpfloat(latency->p50_ns, <=, latency->p99_ns);
        g_assert_cmpuint(latency->window, <, plt_job_get_windows(job)->len);
    }
    g_assert_true((temperatures->len > 0) == has_sensor);
    for (guint i = 0; i < temperatures->len; i++)
        g_assert_cmpfloat(g_array_index(temperatures, PltLiveTemperature, i).celsius, ==, 41.5);
}

static void test_job(Fixture *f, gconstpointer unused)
{
    Watch watch = {.thermometer = warm};
    g_autoptr(PltJob) job = NULL;
    g_auto(GStrv) drives = NULL;
    gboolean has_drive;

    if (must_skip(f, NULL))
        return;
    drives = plt_folder_drives(f->folder);
    has_drive = g_strv_length(drives) > 0;
    job = run_job(f, &watch);
    if (g_error_matches(plt_job_get_error(job), PLT_ERROR, PLT_ERROR_UNSUPPORTED)) {
        g_test_skip("the build folder's file system cannot be measured");
        return;
    }
    g_assert_no_error(plt_job_get_error(job));
    g_assert_false(plt_job_is_running(job));
    g_assert_cmpuint(watch.n_ended, ==, 1);
    g_assert_cmpuint(watch.n_windows, ==, 18); /* 6 cells x 3 */
    g_assert_cmpuint(plt_job_get_windows(job)->len, ==, 18);
    g_assert_cmpint(plt_job_get_progress(job)->phase, ==, PLT_RUNNER_ENDED);
    check_live(job, has_drive);
    /* The test file is small: that is known from the start, and still there at the end. */
    g_assert_cmpuint(watch.n_warnings, >, 0);
    g_assert_cmpuint(plt_job_get_warnings(job)->len, >=, watch.n_warnings);
    for (guint i = 0; i < 18; i++) {
        const PltLiveWindow *window = plt_job_get_windows(job)->pdata[i];
        const PltCell *cell = plt_job_get_cell(job, window->step);
        const PltCellRun *run = cell->runs->pdata[window->run];

        /* The live sums are the figures: nothing was lost on the way to the main loop. */
        g_assert_cmpuint(window->ios, ==, run->total.ios);
        g_assert_cmpuint(window->bytes, ==, run->total.bytes);
        g_assert_cmpuint(window->duration_ns, ==, 200000000);
        g_assert_true(window->warmup == run->warmup);
    }
}

/* A look at the latencies a second: one in each of two windows of a second and a bit. */
static void test_latencies(Fixture *f, gconstpointer unused)
{
    Watch watch = {0};
    g_autoptr(PltJob) job = NULL;
    const GArray *latencies;

    if (must_skip(f, NULL))
        return;
    job = run_job(f, &watch);
    if (plt_job_get_run(job) == NULL) {
        g_test_skip("the build folder's file system cannot be measured");
        return;
    }
    latencies = plt_job_get_latencies(job);
    g_assert_cmpuint(latencies->len, >=, 2);
    for (guint i = 0; i < latencies->len; i++) {
        const PltLiveLatency *latency = &g_array_index(latencies, PltLiveLatency, i);
        const PltLiveWindow *window = plt_job_get_windows(job)->pdata[latency->window];

        g_assert_cmpfloat(latency->p50_ns, >, 0);
        g_assert_cmpfloat(latency->p99_ns, >=, latency->p50_ns);
        g_assert_cmpfloat(latency->at_s, >, window->start_s);
    }
    g_assert_cmpuint(g_array_index(latencies, PltLiveLatency, 0).window, ==, 0);
    g_assert_cmpuint(g_array_index(latencies, PltLiveLatency, latencies->len - 1).window, ==, 1);
}

/* A stop keeps what was measured, in the job and in the library, and ends at once. */
static void test_stop(Fixture *f, gconstpointer unused)
{
    Watch watch = {.stop_after = 4, .thermometer = no_sensor};
    g_autoptr(PltJob) job = NULL;
    const PltRun *run;

    if (must_skip(f, NULL))
        return;
    job = run_job(f, &watch);
    run = plt_job_get_run(job);
    if (run == NULL) {
        g_test_skip("the build folder's file system cannot be measured");
        return;
    }
    g_assert_cmpint(run->status, ==, PLT_RUN_STOPPED);
    check_live(job, FALSE);
    g_assert_cmpuint(run->cells->len, >=, 2);
    g_assert_cmpuint(run->cells->len, <=, 3);
    check_cell(run->cells->pdata[0], cell_order[0]);
}

/* The last reference of the outside is dropped while it runs: the job ends by itself, and is freed then. */
static void test_dropped(Fixture *f, gconstpointer unused)
{
    Watch watch = {.stop_after = 1};
    PltJob *job;

    if (must_skip(f, NULL))
        return;
    job = plt_job_new(g_steal_pointer(&f->plan), plt_target_new_folder(g_steal_pointer(&f->folder)),
                      f->library_path);
    watch.loop = g_main_loop_new(NULL, FALSE);
    g_signal_connect(job, "window-ended", G_CALLBACK(on_window_ended), &watch);
    g_signal_connect(job, "ended", G_CALLBACK(on_ended), &watch);
    plt_job_start(job);
    g_object_add_weak_pointer(G_OBJECT(job), (gpointer *)&job);
    g_object_unref(job);
    g_main_loop_run(watch.loop);
    g_main_loop_unref(watch.loop);
    g_assert_cmpuint(watch.n_ended, ==, 1);
    while (job != NULL)
        g_main_context_iteration(NULL, TRUE);
}

/* Cancelled before the start: nothing measured, nothing left behind, a record that says so. */
static void test_cancelled_before(Fixture *f, gconstpointer unused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GCancellable) cancellable = g_cancellable_new();
    g_autoptr(PltRun) run = NULL;

    if (must_skip(f, NULL))
        return;
    g_cancellable_cancel(cancellable);
    run = execute(f, cancellable, &error);
    if (must_skip(f, error))
        return;
    g_assert_no_error(error);
    g_assert_cmpint(run->status, ==, PLT_RUN_STOPPED);
    g_assert_cmpuint(run->cells->len, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, func) g_test_add("/suite/runner/" path, Fixture, NULL, set_up, func, tear_down)
    ADD("complete", test_complete);
    ADD("job", test_job);
    ADD("stop", test_stop);
    g_test_add("/suite/runner/latencies", Fixture, "seconds=1.3 runs=1 only=rnd4k-q4t2-read", set_up,
               test_latencies, tear_down);
    ADD("dropped", test_dropped);
    ADD("cancelled-before", test_cancelled_before);
    return g_test_run();
}
