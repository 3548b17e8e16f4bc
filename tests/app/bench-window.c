/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

/*
 * What the window costs, measured in it; figures as one line of JSON.
 *   bench-window run FOLDER SUITE CELL SETTING…   a run that is on screen: its IOPS, and the main thread's
 * time bench-window open RUN                         a stored run: until its curve is drawn, and frames of a
 * pan
 */

#include "config.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/chart-view.h"
#include "stage.h"

#define WIDTH 1120
#define HEIGHT 900

/* Parts of a run at its ends that are left out: what begins and ends there is no drawing of samples. */
#define MARGIN_NS G_GUINT64_CONSTANT(500000000)

#define PAN_FRAMES 120

typedef struct {
    Stage *stage;
    PltJob *job;
    guint64 length_ns;
    gboolean begun, over, ended;
    double wall_s, main_s;
    guint frames;
} Watch;

static double thread_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double wall_seconds(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

static void on_progress(Watch *watch)
{
    GPtrArray *windows = plt_job_get_windows(watch->job);
    const PltLiveWindow *last = windows->len > 0 ? windows->pdata[windows->len - 1] : NULL;

    if (last == NULL || watch->over || last->duration_ns < MARGIN_NS)
        return;
    if (!watch->begun) {
        watch->begun = TRUE;
        watch->frames = 0;
        watch->wall_s = -wall_seconds();
        watch->main_s = -thread_seconds();
    } else if (last->duration_ns + MARGIN_NS >= watch->length_ns) {
        watch->over = TRUE;
        watch->wall_s += wall_seconds();
        watch->main_s += thread_seconds();
    }
}

static void on_ended(Watch *watch)
{
    watch->ended = TRUE;
}

static void on_frame(Watch *watch)
{
    if (!watch->over)
        watch->frames++;
}

/* The drive that has FOLDER among its places. */
static PltDrive *find_drive(Stage *stage, const char *folder)
{
    GListModel *drives = G_LIST_MODEL(plt_application_get_drives(stage->application));

    for (guint i = 0; i < g_list_model_get_n_items(drives); i++) {
        g_autoptr(PltDrive) drive = g_list_model_get_item(drives, i);
        GListModel *mounts = plt_drive_get_folders(drive);

        for (guint k = 0; k < g_list_model_get_n_items(mounts); k++) {
            g_autoptr(PltMount) mount = g_list_model_get_item(mounts, k);

            if (g_str_equal(plt_mount_get_path(mount), folder))
                return drive;
        }
    }
    return NULL;
}

static void keep_settings(const char *suite, char **changes)
{
    g_autoptr(GSettings) settings = g_settings_new("io.github.plateau_bench.Plateau");
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("a{sas}"));
    g_variant_builder_add(&builder, "{s@as}", suite, g_variant_new_strv((const char *const *)changes, -1));
    g_settings_set_value(settings, "suite-settings", g_variant_builder_end(&builder));
    g_settings_set_boolean(settings, "show-virtual-drives", TRUE);
}

static guint64 length_of(const PltJob *job)
{
    const PltPlan *plan = plt_job_get_plan((PltJob *)job);

    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = plan->steps->pdata[i];

        if (step->kind == PLT_STEP_MEASURE)
            return step->workload.duration_ns;
    }
    return 0;
}

static PltJob *start(Stage *stage, PltDrive *drive, const char *suite, const char *cell)
{
    PltJobList *jobs = plt_application_get_jobs(stage->application);
    double end = wall_seconds() + 60;

    stage_activate(stage, "win.show-drive", "s", plt_drive_get_name(drive));
    stage_activate_in(stage, "PltBenchmarkPage", "benchmark.choose", g_variant_new_string(suite));
    stage_activate_in(stage, "PltBenchmarkPage", "benchmark.run", g_variant_new_string(cell));
    while (g_list_model_get_n_items(G_LIST_MODEL(jobs)) == 0 && wall_seconds() < end)
        g_main_context_iteration(NULL, FALSE);
    return plt_job_list_find_for_drive(jobs, plt_drive_get_name(drive));
}

static int bench_run(const char *folder, const char *suite, const char *cell, char **changes)
{
    Watch watch = {0};
    PltDrive *drive;
    const PltRun *run;

    keep_settings(suite, changes);
    watch.stage = stage_new(WIDTH, HEIGHT);
    /* As on a desk: what moves there is part of the cost. */
    g_object_set(gtk_settings_get_default(), "gtk-enable-animations", TRUE, NULL);
    drive = find_drive(watch.stage, folder);
    if (drive == NULL)
        g_error("No drive has the folder %s.", folder);
    watch.job = start(watch.stage, drive, suite, cell);
    if (watch.job == NULL)
        g_error("The run did not start.");
    g_object_ref(watch.job);
    watch.length_ns = length_of(watch.job);
    g_signal_connect_swapped(watch.job, "progress", G_CALLBACK(on_progress), &watch);
    g_signal_connect_swapped(watch.job, "ended", G_CALLBACK(on_ended), &watch);
    g_signal_connect_swapped(gtk_widget_get_frame_clock(GTK_WIDGET(watch.stage->window)), "after-paint",
                             G_CALLBACK(on_frame), &watch);
    while (!watch.ended)
        g_main_context_iteration(NULL, TRUE);
    run = plt_job_get_run(watch.job);
    if (run == NULL || run->status != PLT_RUN_COMPLETE || !watch.over)
        g_error("The run did not get to its end.");
    printf("{\"iops\": %.3f, \"main_share\": %.6f, \"frames_per_s\": %.2f}\n",
           plt_cell_score(run->cells->pdata[0])->total.iops, watch.main_s / watch.wall_s,
           watch.frames / watch.wall_s);
    return EXIT_SUCCESS;
}

/* The curve of a result: the last view in the page that has a chart. */
static PltChartView *find_curve(GtkWidget *widget, PltChartView *last)
{
    if (!gtk_widget_get_mapped(widget))
        return last;
    if (PLT_IS_CHART_VIEW(widget) && plt_chart_view_get_chart(PLT_CHART_VIEW(widget)) != NULL)
        return PLT_CHART_VIEW(widget);
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child))
        last = find_curve(child, last);
    return last;
}

typedef struct {
    double begun, last;
    guint n;
} Frames;

static void on_before_paint(Frames *frames)
{
    frames->begun = wall_seconds();
}

static void on_after_paint(Frames *frames)
{
    frames->last = wall_seconds() - frames->begun;
    frames->n++;
}

static void wait_for_frame(Frames *frames)
{
    guint n = frames->n;

    while (frames->n == n)
        g_main_context_iteration(NULL, TRUE);
}

static int compare_doubles(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int bench_open(gint64 run)
{
    Stage *stage = stage_new(WIDTH, HEIGHT);
    GtkWidget *window = GTK_WIDGET(stage->window);
    GdkFrameClock *clock = gtk_widget_get_frame_clock(window);
    Frames frames = {0};
    double times[PAN_FRAMES], opened, begun, length;
    PltChartView *curve = NULL;

    g_signal_connect_swapped(clock, "before-paint", G_CALLBACK(on_before_paint), &frames);
    g_signal_connect_swapped(clock, "after-paint", G_CALLBACK(on_after_paint), &frames);
    begun = wall_seconds();
    gtk_widget_activate_action(window, "win.show-run", "x", run);
    while (curve == NULL) {
        wait_for_frame(&frames);
        curve = find_curve(window, NULL);
    }
    opened = wall_seconds() - begun;

    /* A tenth of the run moves along. */
    length = 100000;
    for (guint i = 0; i < PAN_FRAMES; i++) {
        plt_chart_view_set_range(curve, length * 0.005 * i, length * (0.005 * i + 0.1));
        wait_for_frame(&frames);
        times[i] = frames.last;
    }
    qsort(times, PAN_FRAMES, sizeof *times, compare_doubles);
    printf("{\"open_ms\": %.1f, \"pan_ms\": %.2f, \"pan_p95_ms\": %.2f}\n", opened * 1e3,
           times[PAN_FRAMES / 2] * 1e3, times[PAN_FRAMES * 95 / 100] * 1e3);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    gtk_disable_setlocale();
    gtk_init();
    if (argc >= 5 && strcmp(argv[1], "run") == 0)
        return bench_run(argv[2], argv[3], argv[4], argv + 5);
    if (argc == 3 && strcmp(argv[1], "open") == 0)
        return bench_open(g_ascii_strtoll(argv[2], NULL, 10));
    fprintf(stderr, "usage: bench-window run FOLDER SUITE CELL SETTING… | open RUN\n");
    return 2;
}
