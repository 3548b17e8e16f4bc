/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "app/benchmark-page.h"
#include "app/job-list.h"
#include "app/quick-cell.h"
#include "app/run-view.h"
#include "bed.h"

/* The page that starts runs, on a machine that is not here; what is measured is a small file, really. */

static Bed *bed;

static GSettings *settings(void)
{
    return plt_application_get_settings(bed->application);
}

static PltJobList *jobs(void)
{
    return plt_application_get_jobs(bed->application);
}

static void set_quick(const char *assignments)
{
    g_assert_true(g_settings_set_value(settings(), "suite-settings", g_variant_new_parsed(assignments)));
}

/* What writes much is started without a question. */
static void do_not_ask(gboolean ask_not)
{
    static const char *const quick[] = {"quick", NULL}, *const none[] = {NULL};

    g_settings_set_strv(settings(), "start-without-asking", ask_not ? quick : none);
}

static GtkWidget *page_new(const char *drive)
{
    GtkWidget *page = plt_benchmark_page_new();

    g_object_set(page, "drive", bed_drive(bed, drive), NULL);
    bed_show(bed, page);
    return page;
}

static gboolean is_idle(gpointer page)
{
    return g_list_model_get_n_items(G_LIST_MODEL(jobs())) == 0;
}

static gboolean is_running(gpointer page)
{
    return !is_idle(page);
}

static void run(GtkWidget *page, const char *only)
{
    g_assert_true(gtk_widget_activate_action(page, "benchmark.run", "s", only));
    bed_wait(is_running, page);
}

static void gather(GtkWidget *from, GPtrArray *cells)
{
    if (PLT_IS_QUICK_CELL(from))
        g_ptr_array_add(cells, from);
    for (GtkWidget *child = gtk_widget_get_first_child(from); child != NULL;
         child = gtk_widget_get_next_sibling(child))
        gather(child, cells);
}

/* In reading order: a row's read, then its write. */
static GPtrArray *cells_of(GtkWidget *page)
{
    GPtrArray *cells = g_ptr_array_new();

    gather(page, cells);
    return cells;
}

static guint count_state(GtkWidget *page, PltQuickState state)
{
    g_autoptr(GPtrArray) cells = cells_of(page);
    guint n = 0;

    for (guint i = 0; i < cells->len; i++)
        n += plt_quick_cell_get_state(cells->pdata[i]) == state;
    return n;
}

static const char *number_of(GtkWidget *cell)
{
    return gtk_label_get_label(GTK_LABEL(bed_find(cell, "GtkLabel")));
}

/* What stands in all cells, one line each. */
static char *numbers_of(GtkWidget *page)
{
    g_autoptr(GPtrArray) cells = cells_of(page);
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < cells->len; i++)
        g_string_append_printf(text, "%s\n", number_of(cells->pdata[i]));
    return g_string_free_and_steal(text);
}

static const PltRun *last_run(const char *drive)
{
    g_autoptr(GPtrArray) history = plt_job_list_get_history(jobs(), drive);

    g_assert_cmpuint(history->len, >, 0);
    return plt_job_get_run(history->pdata[history->len - 1]);
}

static gboolean is_enabled(GtkWidget *page, const char *type)
{
    return gtk_widget_is_sensitive(bed_find(page, type));
}

static void test_all(void)
{
    GtkWidget *page;
    g_autofree char *numbers = NULL, *again = NULL;

    set_quick("{'quick': ['size=16M', 'seconds=0.5']}");
    page = page_new("nvme0n1");
    g_assert_cmpuint(count_state(page, PLT_QUICK_EMPTY), ==, 8);
    g_assert_false(gtk_widget_get_visible(bed_find(page, "PltRunView")));
    run(page, "");
    g_assert_cmpuint(count_state(page, PLT_QUICK_EMPTY), ==, 0);
    g_assert_true(gtk_widget_get_visible(bed_find(page, "PltRunView")));
    /* Nothing can be changed on the way, and no second run started. */
    g_assert_false(is_enabled(page, "PltTargetRow"));
    g_assert_false(is_enabled(page, "GtkDropDown"));
    bed_wait(is_idle, page);
    g_assert_cmpuint(count_state(page, PLT_QUICK_DONE), ==, 8);
    g_assert_true(is_enabled(page, "PltTargetRow"));
    g_assert_cmpint(last_run("nvme0n1")->status, ==, PLT_RUN_COMPLETE);
    numbers = numbers_of(page);
    g_assert_null(strstr(numbers, "–"));
    bed_hide(bed, page);
    /* The window was closed and opened again: the figures are still there. */
    page = page_new("nvme0n1");
    again = numbers_of(page);
    g_assert_cmpstr(again, ==, numbers);
    g_assert_cmpuint(count_state(page, PLT_QUICK_DONE), ==, 8);
    bed_hide(bed, page);
    /* And not on another drive. */
    page = page_new("sda");
    g_assert_cmpuint(count_state(page, PLT_QUICK_EMPTY), ==, 8);
    bed_hide(bed, page);
}

/* A row alone leaves the figures of the others. */
static void test_row(void)
{
    GtkWidget *page;
    g_autoptr(GPtrArray) cells = NULL;
    g_autofree char *before = NULL, *after = NULL;

    set_quick("{'quick': ['size=16M', 'seconds=0.5']}");
    page = page_new("nvme0n1");
    before = numbers_of(page);
    run(page, "seq128k-q32t1");
    g_assert_cmpuint(count_state(page, PLT_QUICK_DONE), ==, 6);
    bed_wait(is_idle, page);
    g_assert_cmpuint(count_state(page, PLT_QUICK_DONE), ==, 8);
    g_assert_cmpuint(last_run("nvme0n1")->cells->len, ==, 2);
    after = numbers_of(page);
    {
        g_auto(GStrv) old = g_strsplit(before, "\n", -1), new = g_strsplit(after, "\n", -1);

        for (guint i = 0; i < 8; i++)
            if (i != 2 && i != 3)
                g_assert_cmpstr(old[i], ==, new[i]);
    }
    bed_hide(bed, page);
}

static gboolean has_measured(gpointer page)
{
    PltJob *job = plt_job_list_find_for_drive(jobs(), "nvme0n1");

    return job != NULL && plt_job_get_progress(job)->elapsed_ms > 1500;
}

/* Stopped inside the first cell: what there is, is shown as a part; the rest was not measured. */
static void test_stop(void)
{
    GtkWidget *page;

    set_quick("{'quick': ['size=16M', 'seconds=60']}");
    do_not_ask(TRUE);
    page = page_new("nvme0n1");
    run(page, "");
    bed_wait(has_measured, page);
    g_assert_true(gtk_widget_activate_action(page, "benchmark.stop", NULL));
    bed_wait(is_idle, page);
    g_assert_cmpint(last_run("nvme0n1")->status, ==, PLT_RUN_STOPPED);
    g_assert_cmpuint(count_state(page, PLT_QUICK_PARTIAL), ==, 1);
    g_assert_cmpuint(count_state(page, PLT_QUICK_EMPTY), ==, 7);
    bed_hide(bed, page);
}

/* However soon: only the second click of a double click on the button is taken for none. */
static void test_stop_at_once(void)
{
    GtkWidget *page;

    set_quick("{'quick': ['size=16M', 'seconds=60']}");
    do_not_ask(TRUE);
    page = page_new("nvme0n1");
    run(page, "");
    g_assert_true(gtk_widget_activate_action(page, "benchmark.stop", NULL));
    bed_wait(is_idle, page);
    g_assert_cmpint(last_run("nvme0n1")->status, ==, PLT_RUN_STOPPED);
    bed_hide(bed, page);
}

static gboolean asks(gpointer page)
{
    return adw_window_get_visible_dialog(ADW_WINDOW(bed->window)) != NULL;
}

/* The question is answered: the buttons can be used again. */
static gboolean can_start(gpointer page)
{
    return gtk_widget_activate_action(page, "benchmark.run", "s", "no-such-cell");
}

/* Four cells that write for a minute: more than 50 GB as far as can be told. Nothing starts without a yes. */
static void test_asks(void)
{
    GtkWidget *page;
    AdwDialog *dialog;

    set_quick("{'quick': ['size=16M', 'seconds=60']}");
    do_not_ask(FALSE);
    page = page_new("nvme0n1");
    g_assert_true(gtk_widget_activate_action(page, "benchmark.run", "s", ""));
    bed_wait(asks, page);
    g_assert_true(is_idle(page));
    dialog = adw_window_get_visible_dialog(ADW_WINDOW(bed->window));
    g_assert_cmpstr(adw_alert_dialog_get_close_response(ADW_ALERT_DIALOG(dialog)), ==, "cancel");
    g_assert_nonnull(strstr(adw_alert_dialog_get_body(ADW_ALERT_DIALOG(dialog)), " GB"));
    adw_dialog_close(dialog);
    bed_wait(can_start, page);
    g_assert_true(is_idle(page));
    bed_hide(bed, page);
}

static PltPlan *plan_new(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_find("quick", &error);
    PltPlan *plan;

    g_assert_no_error(error);
    plan = plt_plan_new(suite, NULL, 0, 1, &error);
    g_assert_no_error(error);
    return plan;
}

/* One run a drive, and the window has no part in it. */
static void test_one_a_drive(void)
{
    GtkWidget *page;
    g_autoptr(GError) error = NULL;
    PltFolder *folder;
    PltJob *job;

    set_quick("{'quick': ['size=16M', 'seconds=60']}");
    do_not_ask(TRUE);
    page = page_new("nvme0n1");
    run(page, "");
    job = plt_job_list_find_for_drive(jobs(), "nvme0n1");
    g_assert_nonnull(job);
    g_assert_cmpstr(plt_job_list_get_drive_name(jobs(), job), ==, "nvme0n1");
    g_assert_null(plt_job_list_find_for_drive(jobs(), "sda"));
    bed_hide(bed, page);
    g_assert_true(plt_job_is_running(job));

    folder = plt_folder_open(bed->folder, TRUE, &error);
    g_assert_no_error(error);
    g_assert_null(plt_job_list_start(jobs(), plan_new(), plt_target_new_folder(folder),
                                     bed_drive(bed, "nvme0n1"), &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_REFUSED);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(jobs())), ==, 1);

    /* A page that is made now shows it, and can stop it. */
    page = page_new("nvme0n1");
    g_assert_true(plt_run_view_get_job(PLT_RUN_VIEW(bed_find(page, "PltRunView"))) == job);
    g_assert_false(is_enabled(page, "PltTargetRow"));
    g_assert_true(gtk_widget_activate_action(page, "benchmark.stop", NULL));
    bed_wait(is_idle, page);
    bed_hide(bed, page);
}

static gboolean has_error(gpointer page)
{
    g_autofree char *error = NULL;

    g_object_get(bed_find(page, "PltTargetRow"), "error", &error, NULL);
    return error != NULL;
}

static gboolean has_no_error(gpointer page)
{
    return !has_error(page);
}

/* Too large a file is refused with a sentence before anything starts; a smaller one is right again. */
static void test_refused(void)
{
    GtkWidget *page;

    set_quick("{'quick': ['size=64T', 'seconds=0.5']}");
    page = page_new("nvme0n1");
    bed_wait(has_error, page);
    g_assert_true(gtk_widget_activate_action(page, "benchmark.run", "s", ""));
    bed_wait(has_error, page);
    g_assert_true(is_idle(page));
    set_quick("{'quick': ['size=16M', 'seconds=0.5']}");
    bed_wait(has_no_error, page);
    bed_hide(bed, page);
}

static int least_width(GtkWidget *widget)
{
    int width;

    gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
    return width;
}

static gboolean has_temperature(gpointer page)
{
    PltJob *job = plt_job_list_find_for_drive(jobs(), "nvme0n1");

    return job != NULL && plt_job_get_temperatures(job)->len > 0;
}

/* A phone is 360 wide, 12 at each side are free. */
static void test_narrow(void)
{
    GtkWidget *page, *quick, *view;

    set_quick("{'quick': ['size=16M', 'seconds=20', 'mix=70']}");
    do_not_ask(TRUE);
    page = page_new("nvme0n1");
    quick = bed_find(page, "PltQuickView");
    view = bed_find(page, "PltRunView");
    g_object_set(quick, "narrow", TRUE, NULL);
    g_object_set(view, "narrow", TRUE, NULL);
    g_assert_cmpint(least_width(quick), <=, 336);
    run(page, "");
    bed_wait(has_measured, page);
    bed_wait(has_temperature, page);
    g_assert_cmpint(least_width(quick), <=, 336);
    g_assert_cmpint(least_width(view), <=, 336);
    g_assert_true(gtk_widget_activate_action(page, "benchmark.stop", NULL));
    bed_wait(is_idle, page);
    g_assert_cmpint(least_width(quick), <=, 336);
    g_assert_cmpint(least_width(view), <=, 336);
    bed_hide(bed, page);
}

/* A suite without a grid has its steps instead. */
static void test_sweep(void)
{
    GtkWidget *page, *view;
    gboolean expanded;

    set_quick("{'blocksize-sweep': ['size=64M', 'seconds=0.5']}");
    page = page_new("nvme0n1");
    view = bed_find(page, "PltRunView");
    g_assert_true(gtk_widget_activate_action(page, "benchmark.start", "s", "blocksize-sweep"));
    bed_wait(is_running, page);
    g_assert_false(gtk_widget_get_visible(bed_find(page, "PltQuickView")));
    g_object_get(view, "steps-expanded", &expanded, NULL);
    g_assert_true(expanded);
    bed_wait(is_idle, page);
    g_assert_true(gtk_widget_get_visible(bed_find(page, "PltQuickView")));
    g_assert_cmpint(last_run("nvme0n1")->status, ==, PLT_RUN_COMPLETE);
    bed_hide(bed, page);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    bed = bed_new(FALSE);
    g_test_add_func("/app/benchmark/all", test_all);
    g_test_add_func("/app/benchmark/row", test_row);
    g_test_add_func("/app/benchmark/stop", test_stop);
    g_test_add_func("/app/benchmark/stop-at-once", test_stop_at_once);
    g_test_add_func("/app/benchmark/asks", test_asks);
    g_test_add_func("/app/benchmark/one-a-drive", test_one_a_drive);
    g_test_add_func("/app/benchmark/refused", test_refused);
    g_test_add_func("/app/benchmark/narrow", test_narrow);
    g_test_add_func("/app/benchmark/sweep", test_sweep);
    status = g_test_run();
    bed_free(bed);
    return status;
}
