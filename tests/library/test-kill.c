/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A child (this program with --record) records samples and reports each one on its standard output before it
 * gives it to the recorder; it is killed, and what is then in the library is held against the reports.
 */
#define TICK_NS G_GUINT64_CONSTANT(100000000)
#define CELL_RUN_SAMPLES 400 /* a cell run of the child; at 2 ms a sample 0.8 s */
#define SNAPSHOT_SAMPLES 100

#define N_KILLS 50
#define N_AT_ONCE 10

static const char *program;

typedef struct {
    gint64 at_us;  /* monotonic time */
    guint64 given; /* samples so far, this one included; 0: the run has begun */
} Report;

static void report(guint64 given)
{
    Report one = {g_get_monotonic_time(), given};
    if (write(STDOUT_FILENO, &one, sizeof(one)) != sizeof(one))
        _exit(3);
}

static void end_cell_run(PltRecorder *recorder, const struct plt_histogram *histogram)
{
    PltCellRun *run = plt_cell_run_new();
    run->complete = TRUE;
    run->total = plt_analysis_measure(1234, 1234 * 4096, CELL_RUN_SAMPLES * TICK_NS, histogram);
    run->op[PLT_OP_READ] = run->total;
    plt_recorder_end_cell_run(recorder, run);
    plt_cell_run_free(run);
}

/* Records COUNT samples, one each PAUSE_US. */
static int record(const char *path, guint64 count, gulong pause_us)
{
    g_autoptr(PltRun) run = fixture_new_run();
    g_autofree struct plt_histogram *histogram = g_new0(struct plt_histogram, 1);
    PltCellSpec spec = fixture_spec();
    PltRecorder *recorder = plt_recorder_new(path, run, FALSE, NULL);
    if (!recorder)
        return 2;
    report(0);
    plt_recorder_begin_cell(recorder, &spec, PLT_SCORE_BEST);
    for (guint64 given = 0; given < count; given++) {
        guint64 local = given % CELL_RUN_SAMPLES;
        if (local == 0) {
            if (given > 0)
                end_cell_run(recorder, histogram);
            plt_recorder_begin_cell_run(recorder, FALSE, run->started_us + (gint64)given, TICK_NS);
            plt_histogram_reset(histogram);
        }
        struct plt_sample sample = fixture_sample(local);
        report(given + 1);
        plt_recorder_add_sample(recorder, &sample);
        plt_histogram_add(histogram, sample.op[PLT_OP_READ].lat_min_ns);
        if (histogram->count % SNAPSHOT_SAMPLES == 0)
            plt_recorder_set_histogram(recorder, PLT_OP_READ, histogram);
        g_usleep(pause_us);
    }
    return plt_recorder_finish(recorder, PLT_RUN_COMPLETE, NULL, run->started_us + 1, NULL) ? 0 : 1;
}

typedef struct {
    char *folder, *path;
    GPid pid;
    int output;
    gint64 killed_us;
    GArray *reports;
} Child;

/* In memory where that can be had: the test is about this program, not about how busy a disk is. */
static char *fast_folder(void)
{
    char *folder = g_strdup("/dev/shm/plateau-library-XXXXXX");
    if (g_mkdtemp(folder))
        return folder;
    g_free(folder);
    return fixture_folder();
}

static void child_start(Child *child, const char *path, guint64 count, gulong pause_us)
{
    g_autofree char *count_text = g_strdup_printf("%" G_GUINT64_FORMAT, count);
    g_autofree char *pause_text = g_strdup_printf("%lu", pause_us);
    char *argv[] = {(char *)program, (char *)"--record", (char *)path, count_text, pause_text, NULL};
    g_autoptr(GError) error = NULL;
    g_spawn_async_with_pipes(NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &child->pid, NULL,
                             &child->output, NULL, &error);
    g_assert_no_error(error);
}

/* Reads what the child has reported, until it is gone. */
static void child_read(Child *child)
{
    Report one;
    child->reports = g_array_new(FALSE, FALSE, sizeof(Report));
    while (read(child->output, &one, sizeof(one)) == sizeof(one))
        g_array_append_val(child->reports, one);
    close(child->output);
}

static void child_clear(Child *child)
{
    g_clear_pointer(&child->reports, g_array_unref);
    g_clear_pointer(&child->path, g_free);
    if (child->folder)
        fixture_remove(g_steal_pointer(&child->folder));
}

/*
 * TRUE when the child did not get to run for a while before its death: what the machine does not let a
 * program do in time says nothing about the program.
 */
static gboolean was_starved(const Child *child)
{
    const gint64 longest_us = 150000;
    gint64 later_us = child->killed_us;
    for (guint i = child->reports->len; i > 0; i--) {
        gint64 at_us = g_array_index(child->reports, Report, i - 1).at_us;
        if (later_us - at_us > longest_us)
            return TRUE;
        later_us = at_us;
    }
    return FALSE;
}

/* Samples that had been given a second before the death, and all that were given. */
static guint64 given_before(const Child *child, gint64 at_us)
{
    guint64 given = 0;
    for (guint i = 0; i < child->reports->len; i++) {
        const Report *one = &g_array_index(child->reports, Report, i);
        if (one->at_us < at_us)
            given = one->given;
    }
    return given;
}

static void assert_close(double a, double b)
{
    g_assert_cmpfloat_with_epsilon(a, b, fabs(b) * 1e-12);
}

/* The figures of a cell run that was cut off are those of its samples. */
static void assert_recovered_figures(const PltCellRun *run)
{
    const struct plt_measure *total = &run->total;
    guint n = run->samples->len;
    struct plt_sample_op sum = fixture_sum(run->samples, PLT_OP_READ);
    g_assert_false(run->complete);
    g_assert_cmpuint(total->ios, ==, sum.ios);
    if (n == 0)
        return;
    g_assert_cmpuint(total->bytes, ==, sum.ios * 4096);
    assert_close(total->seconds, n * 0.1);
    assert_close(total->bandwidth_bps, (double)sum.bytes / (n * 0.1));
    assert_close(total->iops, (double)sum.ios / (n * 0.1));
    assert_close(total->latency.mean_ns, (double)sum.lat_sum_ns / (double)sum.ios);
    g_assert_cmpuint(total->latency.min_ns, ==, sum.lat_min_ns);
    g_assert_cmpuint(total->latency.max_ns, ==, sum.lat_max_ns);
    assert_close(run->op[PLT_OP_READ].iops, total->iops);

    const struct plt_histogram *histogram = run->histogram[PLT_OP_READ];
    if (histogram) {
        g_assert_cmpuint(histogram->count % SNAPSHOT_SAMPLES, ==, 0);
        g_assert_cmpuint(histogram->count, <=, n);
        g_assert_true(total->latency.reliable[PLT_P50]);
        assert_close(total->latency.percentile_ns[PLT_P50], plt_histogram_percentile_ns(histogram, 0.5));
        g_assert_false(total->latency.reliable[PLT_P99_9]);
    } else {
        g_assert_cmpuint(n, <=, SNAPSHOT_SAMPLES);
        g_assert_true(isnan(total->latency.percentile_ns[PLT_P50]));
        g_assert_false(total->latency.reliable[PLT_P50]);
    }
}

/* Counts the stored samples and asserts that they are the ones given, in order. */
static guint64 assert_samples(PltLibrary *library, PltCell *cell)
{
    guint64 stored = 0;
    for (guint k = 0; k < cell->runs->len; k++) {
        PltCellRun *run = g_ptr_array_index(cell->runs, k);
        g_autoptr(GError) error = NULL;
        g_assert_true(plt_library_load_samples(library, run, &error));
        g_assert_no_error(error);
        for (guint i = 0; i < run->samples->len; i++) {
            struct plt_sample expected = fixture_sample(i);
            fixture_assert_same_sample(&g_array_index(run->samples, struct plt_sample, i), &expected);
        }
        if (k + 1 < cell->runs->len)
            g_assert_cmpuint(run->samples->len, ==, CELL_RUN_SAMPLES);
        if (run->complete)
            g_assert_cmpuint(run->total.ios, ==, 1234);
        else
            assert_recovered_figures(run);
        stored += run->samples->len;
    }
    return stored;
}

static void assert_no_lock_left(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(dir)))
        g_assert_null(strstr(name, "-run-"));
}

/* Opens what the killed child has left, as the next start of the program does. FALSE: does not count. */
static gboolean examine(Child *child)
{
    g_autofree char *integrity = fixture_text(child->path, "PRAGMA integrity_check");
    g_autoptr(PltLibrary) library = fixture_open(child->path);
    g_autoptr(GError) error = NULL;
    int recovered = plt_library_recover(library, &error);
    g_assert_no_error(error);
    assert_no_lock_left(child->folder);
    if (child->reports->len == 0) {
        g_assert_cmpint(recovered, <=, 1);
        return TRUE;
    }
    g_assert_cmpstr(integrity, ==, "ok");
    g_assert_cmpint(recovered, ==, 1);

    g_autoptr(PltRun) run = plt_library_load(library, plt_library_find(library, "last", NULL), &error);
    g_assert_no_error(error);
    g_assert_cmpint(run->status, ==, PLT_RUN_INTERRUPTED);
    g_assert_cmpint(run->ended_us, >=, run->started_us);
    g_assert_cmpstr(((PltEvent *)run->events->pdata[0])->kind, ==, "recovered");
    guint64 stored = run->cells->len > 0 ? assert_samples(library, run->cells->pdata[0]) : 0;
    g_assert_cmpuint(stored, <=, given_before(child, G_MAXINT64));
    if (was_starved(child))
        return FALSE;
    g_assert_cmpuint(stored, >=, given_before(child, child->killed_us - G_USEC_PER_SEC));
    g_assert_cmpint(plt_library_recover(library, &error), ==, 0);
    return TRUE;
}

static void kill_child(Child *child)
{
    child->killed_us = g_get_monotonic_time();
    g_assert_cmpint(kill(child->pid, SIGKILL), ==, 0);
    g_assert_cmpint(waitpid(child->pid, NULL, 0), ==, child->pid);
    child_read(child);
}

static int compare_times(gconstpointer a, gconstpointer b)
{
    return *(const int *)a - *(const int *)b;
}

/* N_AT_ONCE children, each killed at a moment of its own; how many of them count. */
static guint kill_some(void)
{
    Child children[N_AT_ONCE] = {{0}};
    int moments_ms[N_AT_ONCE], now_ms = 0;
    guint counted = 0;
    for (guint i = 0; i < N_AT_ONCE; i++) {
        moments_ms[i] = g_test_rand_int_range(0, 2500);
        children[i].folder = fast_folder();
        children[i].path = fixture_path(children[i].folder);
        child_start(&children[i], children[i].path, 100000, 2000);
    }
    qsort(moments_ms, N_AT_ONCE, sizeof(int), compare_times);
    for (guint i = 0; i < N_AT_ONCE; i++) {
        g_usleep((gulong)(moments_ms[i] - now_ms) * 1000);
        now_ms = moments_ms[i];
        kill_child(&children[i]);
    }
    for (guint i = 0; i < N_AT_ONCE; i++) {
        counted += examine(&children[i]);
        child_clear(&children[i]);
    }
    return counted;
}

static void test_fifty_moments(void)
{
    guint counted = 0;
    for (guint round = 0; counted < N_KILLS; round++) {
        counted += kill_some();
        if (round > 4 * N_KILLS / N_AT_ONCE) {
            g_test_skip("this machine is too busy to tell how much a second of recording is");
            return;
        }
    }
}

/* Another process may look for dead runs at any time: a living one stays as it is. */
static void test_recover_leaves_the_living(void)
{
    Child child = {.folder = fast_folder()};
    child.path = fixture_path(child.folder);
    child_start(&child, child.path, 1000000, 2000);
    Report begun;
    g_assert_cmpint(read(child.output, &begun, sizeof(begun)), ==, sizeof(begun));

    g_autoptr(PltLibrary) library = fixture_open(child.path);
    g_autoptr(GError) error = NULL;
    g_assert_cmpint(plt_library_recover(library, &error), ==, 0);
    g_autoptr(PltRun) run = plt_library_load(library, plt_library_find(library, "last", NULL), &error);
    g_assert_no_error(error);
    g_assert_cmpint(run->status, ==, PLT_RUN_RUNNING);
    g_assert_false(plt_library_delete(library, run->id, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_REFUSED);
    g_clear_error(&error);

    kill_child(&child);
    g_assert_cmpint(plt_library_recover(library, &error), ==, 1);
    g_assert_true(plt_library_delete(library, run->id, &error));
    g_assert_no_error(error);
    child_clear(&child);
}

static void test_two_at_once(void)
{
    Child children[2] = {{.folder = fast_folder()}, {0}};
    children[0].path = fixture_path(children[0].folder);
    child_start(&children[0], children[0].path, 2000, 300);
    child_start(&children[1], children[0].path, 2000, 300);
    for (guint i = 0; i < 2; i++) {
        int status;
        child_read(&children[i]);
        g_assert_cmpint(waitpid(children[i].pid, &status, 0), ==, children[i].pid);
        g_assert_cmpint(status, ==, 0);
    }

    g_autoptr(PltLibrary) library = fixture_open(children[0].path);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) list = plt_library_list(library, &error);
    g_assert_cmpuint(list->len, ==, 2);
    for (guint i = 0; i < 2; i++) {
        gint64 id = ((PltRunSummary *)list->pdata[i])->id;
        g_autoptr(PltRun) run = plt_library_load(library, id, &error);
        g_assert_no_error(error);
        g_assert_cmpint(run->status, ==, PLT_RUN_COMPLETE);
        PltCell *cell = run->cells->pdata[0];
        guint64 stored = 0;
        for (guint k = 0; k < cell->runs->len; k++)
            stored += ((PltCellRun *)cell->runs->pdata[k])->n_samples;
        g_assert_cmpuint(stored, ==, 2000);
    }
    child_clear(&children[1]);
    child_clear(&children[0]);
}

/* The machine went away, not the program: no lock file is there at all. */
static void test_after_a_restart(void)
{
    Child child = {.folder = fast_folder()};
    child.path = fixture_path(child.folder);
    g_autoptr(PltRun) run = fixture_run();
    gint64 id = fixture_store(child.path, run, 3);
    fixture_exec(child.path, "UPDATE run SET status = 'running', ended_us = 0;"
                             "DELETE FROM figure WHERE cell_run_id = (SELECT max(id) FROM cell_run)");
    g_autoptr(PltLibrary) library = fixture_open(child.path);
    g_autoptr(GError) error = NULL;
    g_assert_cmpint(plt_library_recover(library, &error), ==, 1);
    g_autoptr(PltRun) back = plt_library_load(library, id, &error);
    g_assert_cmpint(back->status, ==, PLT_RUN_INTERRUPTED);
    /* The mixed run began at the run's start, give or take, and had 0.3 s of samples; others had taken 5 s.
     */
    g_assert_cmpint(back->ended_us, ==, 1780000030000000 + 5000000);
    const PltCellRun *mix = g_ptr_array_index(((PltCell *)back->cells->pdata[4])->runs, 0);
    assert_close(mix->total.seconds, 0.3);
    child_clear(&child);
}

/* A run that says it is being recorded, with 600 samples in its last cell run, and SQL done to it. */
static PltRun *recover_after(Child *child, const char *damage)
{
    g_autoptr(PltRun) run = fixture_run();
    gint64 id = fixture_store(child->path, run, 600);
    g_autoptr(PltLibrary) library = fixture_open(child->path);
    g_autoptr(GError) error = NULL;
    fixture_exec(child->path, "UPDATE run SET status = 'running', ended_us = 0;"
                              "DELETE FROM figure WHERE cell_run_id = (SELECT max(id) FROM cell_run)");
    fixture_exec(child->path, damage);
    g_assert_cmpint(plt_library_recover(library, &error), ==, 1);
    g_assert_no_error(error);
    g_assert_cmpint(plt_library_recover(library, &error), ==, 0);
    g_autoptr(GPtrArray) list = plt_library_list(library, &error);
    g_assert_cmpint(((PltRunSummary *)list->pdata[0])->status, ==, PLT_RUN_INTERRUPTED);
    g_assert_cmpint(((PltRunSummary *)list->pdata[0])->ended_us, >=, run->started_us);
    return plt_library_load(library, id, NULL);
}

/* What came before the damage is kept. */
static void test_damaged_samples(void)
{
    Child child = {.folder = fast_folder()};
    child.path = fixture_path(child.folder);
    g_autoptr(PltRun) run = recover_after(&child, "UPDATE sample_chunk SET data = x'01' WHERE first = 512");
    const PltCellRun *mix = g_ptr_array_index(((PltCell *)run->cells->pdata[4])->runs, 0);
    assert_close(mix->total.seconds, 51.2);
    child_clear(&child);
}

/* A run that cannot be read at all does not stay "running" for ever, and keeps no other from being recovered.
 */
static void test_damaged_run(void)
{
    Child child = {.folder = fast_folder()};
    child.path = fixture_path(child.folder);
    g_autoptr(PltRun) run = recover_after(&child, "UPDATE run SET drive = '{'");
    g_assert_null(run);
    child_clear(&child);
}

int main(int argc, char **argv)
{
    if (argc == 5 && g_str_equal(argv[1], "--record"))
        return record(argv[2], g_ascii_strtoull(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    program = argv[0];
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library/kill/fifty-moments", test_fifty_moments);
    g_test_add_func("/library/kill/recover-leaves-the-living", test_recover_leaves_the_living);
    g_test_add_func("/library/kill/two-at-once", test_two_at_once);
    g_test_add_func("/library/kill/after-a-restart", test_after_a_restart);
    g_test_add_func("/library/kill/damaged-samples", test_damaged_samples);
    g_test_add_func("/library/kill/damaged-run", test_damaged_run);
    return g_test_run();
}
