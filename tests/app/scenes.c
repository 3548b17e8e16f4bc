/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include "scenes.h"

#include <sys/resource.h>

#include "app/chart-view.h"

/* The machine's drives (machine.c). */
#define DRIVE "nvme0n1"
#define DRIVE_WITHOUT_FOLDER "nvme1n1"
#define DRIVE_USB "sdb"

#define PAGE "PltBenchmarkPage"
/* Of the screen, less a little. */
#define MAX_HEIGHT 6000

/* A quick run takes about 20 s, on a machine that does other things as well. */
#define RUN_MAX_S 120

typedef struct {
    Stage *stage;
    int width, height;
    SceneSnap snap;
    gpointer data;
} Play;

static void snap(Play *play, const char *name)
{
    stage_settle(play->stage);
    play->snap(name, play->data);
}

/* The most that scrolls in any view at or below WIDGET, in points. */
static double hidden_height(GtkWidget *widget)
{
    double hidden = 0;

    if (!gtk_widget_get_mapped(widget))
        return 0;
    if (GTK_IS_SCROLLED_WINDOW(widget)) {
        GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(widget));

        hidden = gtk_adjustment_get_upper(scroll) - gtk_adjustment_get_page_size(scroll);
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        double below = hidden_height(child);

        hidden = MAX(hidden, below);
    }
    return hidden;
}

/* The page, and where it scrolls once more with all that is on it. */
static void snap_both(Play *play, const char *name)
{
    g_autofree char *all = g_strconcat(name, "-all", NULL);
    double hidden;

    snap(play, name);
    hidden = hidden_height(GTK_WIDGET(play->stage->window));
    if (hidden < 1)
        return;
    stage_resize(play->stage, play->width, MIN(play->height + (int)hidden, MAX_HEIGHT));
    snap(play, all);
    stage_resize(play->stage, play->width, play->height);
}

static PltJob *running_job(Play *play)
{
    return plt_job_list_find_for_drive(plt_application_get_jobs(play->stage->application), DRIVE);
}

static gboolean has_job(gpointer data)
{
    return running_job(data) != NULL;
}

/* A second of a window has been seen. */
static gboolean is_under_way(PltJob *job)
{
    GPtrArray *windows = plt_job_get_windows(job);
    const PltLiveWindow *last = windows->len > 0 ? windows->pdata[windows->len - 1] : NULL;

    return plt_job_get_progress(job)->phase == PLT_RUNNER_MEASURING && last != NULL &&
           last->duration_ns > 1000000000;
}

/* Reads are done, writes are on their way: the middle of a quick run. */
static gboolean is_in_the_middle(gpointer data)
{
    PltJob *job = running_job(data);

    return job == NULL || (plt_job_get_progress(job)->fraction > 0.65 && is_under_way(job));
}

static gboolean is_late(gpointer data)
{
    PltJob *job = running_job(data);

    return job == NULL || (plt_job_get_progress(job)->fraction > 0.8 && is_under_way(job));
}

static gboolean is_measuring(gpointer data)
{
    PltJob *job = running_job(data);

    return job == NULL || plt_job_get_progress(job)->phase != PLT_RUNNER_PREPARING;
}

static gboolean is_over(gpointer data)
{
    return running_job(data) == NULL;
}

static gboolean start(Play *play, const char *row)
{
    return stage_activate_in(play->stage, PAGE, "benchmark.run", g_variant_new_string(row)) &&
           stage_wait(has_job, play, RUN_MAX_S);
}

static void benchmark_idle(Play *play)
{
    stage_activate(play->stage, "win.show-drive", "s", DRIVE);
    snap_both(play, "benchmark-idle");
    if (stage_activate_in(play->stage, PAGE, "benchmark.settings", g_variant_new_string("cdm-nvme"))) {
        snap(play, "suite-dialog");
        stage_close_dialog(play->stage);
    }
}

static void show_running_elsewhere(Play *play)
{
    stage_activate(play->stage, "win.show-library", NULL);
    snap(play, "running-seen-from-library");
    stage_activate(play->stage, "win.show-job", "s", DRIVE);
}

static void benchmark_run(Play *play)
{
    if (!start(play, ""))
        return;
    stage_wait(is_measuring, play, RUN_MAX_S);
    play->snap("run-first", play->data);
    stage_wait(is_in_the_middle, play, RUN_MAX_S);
    play->snap("run-middle", play->data);
    stage_resize(play->stage, play->width, play->height + 400);
    stage_wait(is_late, play, RUN_MAX_S);
    play->snap("run-late-tall", play->data);
    stage_resize(play->stage, play->width, play->height);
    show_running_elsewhere(play);
    stage_wait(is_over, play, RUN_MAX_S);
    snap_both(play, "run-done");
    if (stage_activate_in(play->stage, PAGE, "benchmark.show-warnings", NULL)) {
        snap(play, "remarks");
        stage_close_dialog(play->stage);
    }
}

static void benchmark_stopped(Play *play)
{
    if (!start(play, ""))
        return;
    stage_wait(is_measuring, play, RUN_MAX_S);
    stage_activate_in(play->stage, PAGE, "benchmark.stop", NULL);
    stage_wait(is_over, play, RUN_MAX_S);
    snap(play, "run-stopped");
}

/* Writing past a limit of the system is the error of a drive that it can be made to have at any time. */
static void benchmark_failed(Play *play)
{
    struct rlimit old, low;

    getrlimit(RLIMIT_FSIZE, &old);
    low = old;
    low.rlim_cur = 64 << 20;
    if (!start(play, ""))
        return;
    stage_wait(is_measuring, play, RUN_MAX_S);
    setrlimit(RLIMIT_FSIZE, &low);
    stage_wait(is_over, play, RUN_MAX_S);
    setrlimit(RLIMIT_FSIZE, &old);
    snap(play, "run-failed");
}

static void other_tabs(Play *play)
{
    stage_activate(play->stage, "win.show-drive", "s", DRIVE);
    if (stage_show_tab(play->stage, "health")) {
        snap_both(play, "health");
    }
    if (stage_show_tab(play->stage, "details")) {
        snap_both(play, "details");
    }
    if (stage_show_tab(play->stage, "results"))
        snap(play, "drive-results");
    stage_show_tab(play->stage, "benchmark");
    stage_activate(play->stage, "win.show-drive", "s", DRIVE_WITHOUT_FOLDER);
    snap(play, "benchmark-no-folder");
    stage_show_tab(play->stage, "health");
    snap(play, "health-warm");
    stage_activate(play->stage, "win.show-drive", "s", DRIVE_USB);
    snap(play, "benchmark-usb");
}

/* The run that was stored as number N from the newest of those that the library was filled with. */
static gint64 stored_run(Play *play, guint n)
{
    GListModel *store = G_LIST_MODEL(plt_application_get_store(play->stage->application));

    for (guint i = 0; i < g_list_model_get_n_items(store); i++) {
        g_autoptr(PltRunItem) item = g_list_model_get_item(store, i);
        const PltRunSummary *summary = plt_run_item_get_summary(item);

        /* Those of this program's own runs are younger than an hour. */
        if (summary->started_us < g_get_real_time() - G_TIME_SPAN_HOUR && n-- == 0)
            return summary->id;
    }
    return 0;
}

static void show_run(Play *play, guint n)
{
    stage_activate(play->stage, "win.show-library", NULL);
    stage_activate(play->stage, "win.show-run", "x", stored_run(play, n));
}

static void results(Play *play)
{
    static const struct {
        guint n;
        const char *name;
    } runs[] = {{0, "result"},        {3, "result-with-note"},   {2, "result-stopped"},
                {4, "result-failed"}, {6, "result-block-sizes"}, {9, "result-long-names"}};

    for (gsize i = 0; i < G_N_ELEMENTS(runs); i++) {
        show_run(play, runs[i].n);
        snap_both(play, runs[i].name);
    }
}

static void compare(Play *play)
{
    gint64 ids[] = {stored_run(play, 0), stored_run(play, 3), stored_run(play, 10)};
    GVariant *argument = g_variant_new_fixed_array(G_VARIANT_TYPE_INT64, ids, G_N_ELEMENTS(ids), sizeof *ids);

    stage_activate(play->stage, "win.show-library", NULL);
    gtk_widget_activate_action_variant(GTK_WIDGET(play->stage->window), "win.compare-runs", argument);
    snap_both(play, "compare");
}

/* The last chart at or below WIDGET that can be seen, or LAST. */
static GtkWidget *find_chart(GtkWidget *widget, GtkWidget *last)
{
    if (!gtk_widget_get_mapped(widget))
        return last;
    if (PLT_IS_CHART_VIEW(widget) && plt_chart_view_get_chart(PLT_CHART_VIEW(widget)) != NULL)
        return widget;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child))
        last = find_chart(child, last);
    return last;
}

/* The curve's: the picture above it is a chart view too, and comes first. */
static void chart_table(Play *play)
{
    GtkWidget *chart = find_chart(GTK_WIDGET(play->stage->window), NULL);

    if (chart == NULL || !gtk_widget_activate_action_variant(chart, "chart.show-table", NULL))
        return;
    snap(play, "chart-table");
    stage_close_dialog(play->stage);
}

static void export(Play *play)
{
    show_run(play, 0);
    chart_table(play);
    if (stage_activate_in(play->stage, "PltResultView", "result.export", NULL)) {
        snap(play, "export-dialog");
        stage_close_dialog(play->stage);
    }
}

static void search(Play *play, const char *text)
{
    GtkWidget *entry =
        stage_find(play->stage, stage_find(play->stage, NULL, "PltLibraryPage"), "GtkSearchEntry");

    if (entry != NULL)
        gtk_editable_set_text(GTK_EDITABLE(entry), text);
    stage_settle(play->stage);
}

static void library(Play *play)
{
    stage_activate(play->stage, "win.show-library", NULL);
    snap(play, "library");
    stage_activate(play->stage, "win.search", NULL);
    search(play, "870");
    snap(play, "library-search");
    search(play, "no such drive");
    snap(play, "library-nothing-found");
    search(play, "");
    stage_activate(play->stage, "win.toast", "s", "Saved as plateau-990-pro.png");
    snap(play, "toast");
}

static void dialogs(Play *play)
{
    g_action_group_activate_action(G_ACTION_GROUP(play->stage->application), "about", NULL);
    snap(play, "about");
    stage_close_dialog(play->stage);
    g_action_group_activate_action(G_ACTION_GROUP(play->stage->application), "preferences", NULL);
    snap(play, "preferences");
    stage_close_dialog(play->stage);
}

/* What a narrow window shows when one goes back from the page. */
static void sidebar(Play *play)
{
    GtkWidget *split = stage_find(play->stage, NULL, "AdwNavigationSplitView");

    if (split == NULL || !adw_navigation_split_view_get_collapsed(ADW_NAVIGATION_SPLIT_VIEW(split)))
        return;
    adw_navigation_split_view_set_show_content(ADW_NAVIGATION_SPLIT_VIEW(split), FALSE);
    snap(play, "sidebar");
    adw_navigation_split_view_set_show_content(ADW_NAVIGATION_SPLIT_VIEW(split), TRUE);
}

static void play_full(Play *play)
{
    benchmark_idle(play);
    benchmark_run(play);
    benchmark_stopped(play);
    benchmark_failed(play);
    other_tabs(play);
    results(play);
    compare(play);
    export(play);
    library(play);
    dialogs(play);
    sidebar(play);
}

void scenes_play(Stage *stage, Situation situation, int width, int height, SceneSnap snap_func, gpointer data)
{
    Play play = {stage, width, height, snap_func, data};

    switch (situation) {
    case SITUATION_FULL:
        play_full(&play);
        break;
    case SITUATION_FIRST:
        snap(&play, "first-start");
        stage_activate(stage, "win.show-library", NULL);
        snap(&play, "library-empty");
        break;
    case SITUATION_NONE:
        snap(&play, "no-drive");
        break;
    case SITUATION_DAMAGED:
        stage_activate(stage, "win.show-library", NULL);
        snap(&play, "library-damaged");
        break;
    case N_SITUATIONS:
        break;
    }
}
