/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/benchmark-page.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/application.h"
#include "app/job-list.h"
#include "app/quick-view.h"
#include "app/run-start.h"
#include "app/run-view.h"
#include "app/suite-dialog.h"
#include "app/suite-groups.h"

#define PRESET_KEY "quick-suite"

/*
 * The button that starts a run is the one that stops it: the second click of a double click is no stop. That
 * is the button's matter alone: who presses the keys for it means it.
 */
#define STOP_GUARD_US 600000

/* A page that moves by a sliver shows nothing new and only disturbs. */
#define LEAST_SCROLL 48

struct _PltBenchmarkPage {
    AdwBin parent_instance;
    GtkStack *stack;
    GtkScrolledWindow *scroller;
    GtkBox *content_box, *groups_box;
    PltQuickView *quick_view;
    PltRunView *run_view;

    PltDrive *drive;
    GSettings *settings;
    PltJobList *jobs;   /* or NULL: a page without a program */
    GListStore *suites; /* PltSuiteItem: all of them */
    GtkFilterListModel *presets;
    PltJob *job; /* running on the drive, or the last one that did; or NULL */
    gboolean starting;
    gint64 started_us;  /* monotonic */
    int frames_to_wait; /* until the new run has its place */
};

enum {
    PROP_DRIVE = 1,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltBenchmarkPage, plt_benchmark_page, ADW_TYPE_BIN)

static PltTargetRow *target_of(PltBenchmarkPage *page)
{
    return plt_quick_view_get_target(page->quick_view);
}

static gboolean is_running(PltBenchmarkPage *page)
{
    return page->job != NULL && plt_job_is_running(page->job);
}

static PltSuiteItem *find_suite(PltBenchmarkPage *page, const char *id)
{
    guint n = g_list_model_get_n_items(G_LIST_MODEL(page->suites));

    for (guint i = 0; i < n; i++) {
        g_autoptr(PltSuiteItem) item = g_list_model_get_item(G_LIST_MODEL(page->suites), i);

        /* The store holds it. */
        if (g_strcmp0(plt_suite_item_get_id(item), id) == 0)
            return item;
    }
    return NULL;
}

static gboolean job_has_grid(PltBenchmarkPage *page, PltJob *job)
{
    PltSuiteItem *item = find_suite(page, plt_suite_id(plt_job_get_plan(job)->suite));

    return item != NULL && plt_suite_item_has_grid(item);
}

/* The grid is for suites that have one; a run of another comes first, and has its steps instead. */
static void arrange(PltBenchmarkPage *page)
{
    gboolean has_grid = page->job == NULL || job_has_grid(page, page->job);
    GtkWidget *quick_view = GTK_WIDGET(page->quick_view), *run_view = GTK_WIDGET(page->run_view);

    gtk_widget_set_visible(quick_view, has_grid || !is_running(page));
    gtk_box_reorder_child_after(page->content_box, has_grid ? quick_view : run_view, NULL);
    gtk_box_reorder_child_after(page->content_box, has_grid ? run_view : quick_view,
                                has_grid ? quick_view : run_view);
}

static void update_actions(PltBenchmarkPage *page)
{
    GtkWidget *widget = GTK_WIDGET(page);
    gboolean running = is_running(page);
    gboolean can_start = !running && !page->starting && plt_target_row_get_path(target_of(page)) != NULL;

    gtk_widget_action_set_enabled(widget, "benchmark.run", can_start);
    gtk_widget_action_set_enabled(widget, "benchmark.start", can_start);
    gtk_widget_action_set_enabled(widget, "benchmark.choose", !running);
    gtk_widget_action_set_enabled(widget, "benchmark.settings", !running);
    gtk_widget_action_set_enabled(widget, "benchmark.stop", running);
    gtk_widget_action_set_enabled(widget, "benchmark.click-stop", running);
    plt_quick_view_set_running(page->quick_view, running);
    gtk_widget_set_visible(GTK_WIDGET(page->groups_box), !running);
    arrange(page);
}

static void show_job(PltBenchmarkPage *page, PltJob *job)
{
    gboolean has_grid = job != NULL && job_has_grid(page, job);

    if (page->job != NULL)
        g_signal_handlers_disconnect_by_data(page->job, page);
    g_set_object(&page->job, job);
    if (job != NULL) {
        g_object_set(page->run_view, "steps-expanded", !has_grid, "embedded", has_grid, NULL);
        if (has_grid)
            plt_quick_view_select(page->quick_view, plt_suite_id(plt_job_get_plan(job)->suite));
    }
    plt_run_view_set_job(page->run_view, job);
    gtk_widget_set_visible(GTK_WIDGET(page->run_view), job != NULL);
    update_actions(page);
}

/* A run that was refused at its very start has nothing to show but the reason. */
static void on_job_ended(PltJobList *jobs, PltJob *job, PltBenchmarkPage *page)
{
    const GError *error = plt_job_get_error(job);

    if (job != page->job)
        return;
    if (plt_job_get_run(job) == NULL) {
        plt_target_row_set_error(target_of(page), error != NULL ? error->message : NULL);
        show_job(page, NULL);
        return;
    }
    update_actions(page);
}

/* From the top of FIRST to the end of LAST, below it. */
static void scroll_to_both(PltBenchmarkPage *page, GtkWidget *first, GtkWidget *last)
{
    GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment(page->scroller);
    GtkWidget *box = GTK_WIDGET(page->content_box);
    double page_size = gtk_adjustment_get_page_size(adjustment), from = gtk_adjustment_get_value(adjustment);
    graphene_rect_t top, bottom;
    double to;

    if (!gtk_widget_compute_bounds(first, box, &top) || !gtk_widget_compute_bounds(last, box, &bottom))
        return;
    if (top.origin.y >= from && bottom.origin.y + bottom.size.height <= from + page_size)
        return;
    to = CLAMP(top.origin.y, 0, MAX(gtk_adjustment_get_upper(adjustment) - page_size, 0));
    if (fabs(to - from) >= LEAST_SCROLL)
        gtk_adjustment_set_value(adjustment, to);
}

static void scroll_to(PltBenchmarkPage *page, GtkWidget *widget)
{
    scroll_to_both(page, widget, widget);
}

/* Grid and chart in one view: what cannot be changed while it runs scrolls away above. */
static void show_running_part(PltBenchmarkPage *page)
{
    if (job_has_grid(page, page->job))
        scroll_to_both(page, plt_quick_view_get_grid(page->quick_view), GTK_WIDGET(page->run_view));
    else
        scroll_to(page, GTK_WIDGET(page->run_view));
}

/* A view that has just been shown has its place when a frame has passed. */
static gboolean show_running_part_later(GtkWidget *widget, GdkFrameClock *clock, gpointer user)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(widget);

    if (page->frames_to_wait-- > 0)
        return G_SOURCE_CONTINUE;
    if (page->job != NULL)
        show_running_part(page);
    return G_SOURCE_REMOVE;
}

static void on_job_started(PltJobList *jobs, PltJob *job, PltBenchmarkPage *page)
{
    if (page->drive == NULL ||
        g_strcmp0(plt_job_list_get_drive_name(jobs, job), plt_drive_get_name(page->drive)) != 0)
        return;
    page->started_us = g_get_monotonic_time();
    show_job(page, job);
    plt_quick_view_add_job(page->quick_view, job);
    page->frames_to_wait = 1;
    gtk_widget_add_tick_callback(GTK_WIDGET(page), show_running_part_later, NULL, NULL);
}

static void on_started(GObject *source, GAsyncResult *result, gpointer user)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(source);
    g_autoptr(GError) error = NULL;
    PltJob *job = plt_run_start_finish(result, &error);

    page->starting = FALSE;
    if (page->drive == NULL)
        return;
    if (job == NULL && !g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        plt_target_row_set_error(target_of(page), error->message);
        scroll_to(page, GTK_WIDGET(page->quick_view));
    }
    update_actions(page);
}

/* ONLY: which cells; NULL or "" = all. */
static void start(PltBenchmarkPage *page, PltSuiteItem *item, const char *only)
{
    const char *path = plt_target_row_get_path(target_of(page));
    g_autoptr(GError) error = NULL;
    PltPlan *plan = plt_suite_item_make_plan(item, only, &error);

    if (plan == NULL || path == NULL || page->jobs == NULL || page->starting) {
        if (error != NULL)
            plt_target_row_set_error(target_of(page), error->message);
        g_clear_pointer(&plan, plt_plan_free);
        return;
    }
    plt_target_row_set_error(target_of(page), NULL);
    page->starting = TRUE;
    update_actions(page);
    plt_run_start_async(GTK_WIDGET(page), page->jobs, page->drive, plan, path, page->settings, on_started,
                        NULL);
}

/* Shortcuts reach the page while another tab is in front. */
static gboolean can_act(GtkWidget *widget)
{
    return gtk_widget_get_mapped(widget);
}

static void run_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(widget);
    PltSuiteItem *item = plt_quick_view_get_item(page->quick_view);

    if (can_act(widget) && item != NULL)
        start(page, item, g_variant_get_string(parameter, NULL));
}

static void stop_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(widget);

    if (can_act(widget))
        plt_run_view_stop(page->run_view);
}

static void click_stop_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    if (g_get_monotonic_time() - PLT_BENCHMARK_PAGE(widget)->started_us > STOP_GUARD_US)
        stop_action(widget, name, parameter);
}

static void open_settings(PltBenchmarkPage *page, PltSuiteItem *item);

/* A suite with a grid comes into it; of another its settings and plan are shown, with the start below. */
static void choose_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(widget);
    PltSuiteItem *item = find_suite(page, g_variant_get_string(parameter, NULL));

    if (item == NULL)
        return;
    if (!plt_suite_item_has_grid(item)) {
        open_settings(page, item);
        return;
    }
    plt_quick_view_select(page->quick_view, plt_suite_item_get_id(item));
    scroll_to(page, GTK_WIDGET(page->quick_view));
}

static void start_suite(PltBenchmarkPage *page, PltSuiteItem *item)
{
    if (plt_suite_item_has_grid(item))
        plt_quick_view_select(page->quick_view, plt_suite_item_get_id(item));
    scroll_to(page, GTK_WIDGET(page->quick_view));
    start(page, item, NULL);
}

static void start_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(widget);
    PltSuiteItem *item = find_suite(page, g_variant_get_string(parameter, NULL));

    if (item != NULL)
        start_suite(page, item);
}

static void on_dialog_start(PltSuiteDialog *dialog, PltBenchmarkPage *page)
{
    PltSuiteItem *item = find_suite(page, plt_suite_dialog_get_suite_id(dialog));

    if (item != NULL && !is_running(page))
        start_suite(page, item);
}

static void open_settings(PltBenchmarkPage *page, PltSuiteItem *item)
{
    PltSuiteDialog *dialog = plt_suite_dialog_new(item);

    g_signal_connect_object(dialog, "start", G_CALLBACK(on_dialog_start), page, G_CONNECT_DEFAULT);
    adw_dialog_present(ADW_DIALOG(dialog), GTK_WIDGET(page));
}

static void settings_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(widget);
    PltSuiteItem *item = find_suite(page, g_variant_get_string(parameter, NULL));

    if (item != NULL)
        open_settings(page, item);
}

static void show_result_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(widget);
    gint64 id = plt_quick_view_get_run_id(page->quick_view);

    if (id > 0)
        gtk_widget_activate_action(widget, "win.show-run", "x", id);
}

static void show_warnings_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    plt_run_view_show_warnings(PLT_BENCHMARK_PAGE(widget)->run_view);
}

static gboolean has_text(GObject *page, const char *text)
{
    return text != NULL && *text != '\0';
}

static void choose_folder_clicked(PltBenchmarkPage *page)
{
    plt_target_row_choose_folder(target_of(page));
}

static void on_path_changed(PltBenchmarkPage *page)
{
    gboolean has_path = plt_target_row_get_path(target_of(page)) != NULL;

    gtk_stack_set_visible_child_name(page->stack, has_path || page->job != NULL ? "content" : "empty");
    update_actions(page);
}

static void on_preset_chosen(PltBenchmarkPage *page)
{
    PltSuiteItem *item = plt_quick_view_get_item(page->quick_view);

    if (item != NULL)
        g_settings_set_string(page->settings, PRESET_KEY, plt_suite_item_get_id(item));
}

void plt_benchmark_page_show_job(PltBenchmarkPage *page)
{
    if (page->job != NULL)
        show_running_part(page);
}

PltDrive *plt_benchmark_page_get_drive(PltBenchmarkPage *page)
{
    return page->drive;
}

/* What ran on the drive in this session is shown again; of a run that ended long ago only its figures. */
static void show_history(PltBenchmarkPage *page)
{
    const char *name = page->drive != NULL ? plt_drive_get_name(page->drive) : NULL;
    g_autoptr(GPtrArray) history = page->jobs != NULL && name != NULL
                                       ? plt_job_list_get_history(page->jobs, name)
                                       : g_ptr_array_new_with_free_func(g_object_unref);
    PltJob *last = NULL;

    for (guint i = 0; i < history->len; i++) {
        PltJob *job = history->pdata[i];

        if (plt_job_is_running(job) || plt_job_get_run(job) != NULL)
            last = job;
    }
    show_job(page, last);
    plt_quick_view_set_jobs(page->quick_view, history);
}

void plt_benchmark_page_set_drive(PltBenchmarkPage *page, PltDrive *drive)
{
    if (!g_set_object(&page->drive, drive))
        return;
    plt_target_row_set_drive(target_of(page), drive);
    show_history(page);
    on_path_changed(page);
    g_object_notify_by_pspec(G_OBJECT(page), properties[PROP_DRIVE]);
}

static void plt_benchmark_page_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(object);

    if (id == PROP_DRIVE)
        g_value_set_object(value, page->drive);
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_benchmark_page_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    if (id == PROP_DRIVE)
        plt_benchmark_page_set_drive(PLT_BENCHMARK_PAGE(object), g_value_get_object(value));
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_benchmark_page_dispose(GObject *object)
{
    PltBenchmarkPage *page = PLT_BENCHMARK_PAGE(object);

    g_clear_object(&page->drive);
    /* The bin would let go of its child a second time. */
    adw_bin_set_child(ADW_BIN(object), NULL);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_BENCHMARK_PAGE);
    g_clear_object(&page->job);
    g_clear_object(&page->jobs);
    g_clear_object(&page->presets);
    g_clear_object(&page->suites);
    g_clear_object(&page->settings);
    G_OBJECT_CLASS(plt_benchmark_page_parent_class)->dispose(object);
}

static void install_actions(GtkWidgetClass *widget_class)
{
    gtk_widget_class_install_action(widget_class, "benchmark.run", "s", run_action);
    gtk_widget_class_install_action(widget_class, "benchmark.stop", NULL, stop_action);
    gtk_widget_class_install_action(widget_class, "benchmark.click-stop", NULL, click_stop_action);
    gtk_widget_class_install_action(widget_class, "benchmark.choose", "s", choose_action);
    gtk_widget_class_install_action(widget_class, "benchmark.start", "s", start_action);
    gtk_widget_class_install_action(widget_class, "benchmark.settings", "s", settings_action);
    gtk_widget_class_install_action(widget_class, "benchmark.show-result", NULL, show_result_action);
    gtk_widget_class_install_action(widget_class, "benchmark.show-warnings", NULL, show_warnings_action);
}

static void plt_benchmark_page_class_init(PltBenchmarkPageClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->get_property = plt_benchmark_page_get_property;
    object_class->set_property = plt_benchmark_page_set_property;
    object_class->dispose = plt_benchmark_page_dispose;
    properties[PROP_DRIVE] =
        g_param_spec_object("drive", NULL, NULL, PLT_TYPE_DRIVE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPS, properties);
    install_actions(widget_class);
    g_type_ensure(PLT_TYPE_QUICK_VIEW);
    g_type_ensure(PLT_TYPE_RUN_VIEW);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/benchmark-page.ui");
    gtk_widget_class_bind_template_child(widget_class, PltBenchmarkPage, stack);
    gtk_widget_class_bind_template_child(widget_class, PltBenchmarkPage, scroller);
    gtk_widget_class_bind_template_child(widget_class, PltBenchmarkPage, content_box);
    gtk_widget_class_bind_template_child(widget_class, PltBenchmarkPage, groups_box);
    gtk_widget_class_bind_template_child(widget_class, PltBenchmarkPage, quick_view);
    gtk_widget_class_bind_template_child(widget_class, PltBenchmarkPage, run_view);
    gtk_widget_class_bind_template_callback(widget_class, choose_folder_clicked);
    gtk_widget_class_bind_template_callback(widget_class, has_text);
}

static gboolean is_preset(gpointer item, gpointer user)
{
    return plt_suite_item_has_grid(item);
}

static void load_suites(PltBenchmarkPage *page)
{
    g_autoptr(GPtrArray) errors = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *preset = g_settings_get_string(page->settings, PRESET_KEY);

    page->suites = plt_suite_groups_load(page->settings, errors);
    plt_suite_groups_fill(page->groups_box, page->suites, errors);
    page->presets = gtk_filter_list_model_new(G_LIST_MODEL(g_object_ref(page->suites)),
                                              GTK_FILTER(gtk_custom_filter_new(is_preset, NULL, NULL)));
    plt_quick_view_set_suites(page->quick_view, G_LIST_MODEL(page->presets), page->settings);
    plt_quick_view_select(page->quick_view, preset);
    g_signal_connect_object(page->quick_view, "notify::item", G_CALLBACK(on_preset_chosen), page,
                            G_CONNECT_SWAPPED);
}

static void plt_benchmark_page_init(PltBenchmarkPage *page)
{
    PltApplication *application = plt_application_get_default();
    GSettings *settings = application != NULL ? plt_application_get_settings(application) : NULL;

    gtk_widget_init_template(GTK_WIDGET(page));
    page->settings =
        settings != NULL ? g_object_ref(settings) : g_settings_new("io.github.plateau_bench.Plateau");
    load_suites(page);
    g_signal_connect_object(target_of(page), "notify::path", G_CALLBACK(on_path_changed), page,
                            G_CONNECT_SWAPPED);
    if (application != NULL && plt_application_get_jobs(application) != NULL) {
        page->jobs = g_object_ref(plt_application_get_jobs(application));
        g_signal_connect_object(page->jobs, "job-started", G_CALLBACK(on_job_started), page,
                                G_CONNECT_DEFAULT);
        g_signal_connect_object(page->jobs, "job-ended", G_CALLBACK(on_job_ended), page, G_CONNECT_DEFAULT);
    }
    update_actions(page);
}

GtkWidget *plt_benchmark_page_new(void)
{
    return g_object_new(PLT_TYPE_BENCHMARK_PAGE, NULL);
}
