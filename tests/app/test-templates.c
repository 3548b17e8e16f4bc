/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <locale.h>

#include "app/benchmark-page.h"
#include "app/details-page.h"
#include "app/drive-page.h"
#include "app/drive-row.h"
#include "app/export-dialog.h"
#include "app/health-page.h"
#include "app/library-page.h"
#include "app/preferences-dialog.h"
#include "app/result-view.h"
#include "app/suite-dialog.h"
#include "app/suite-row.h"
#include "app/window.h"
#include "bed.h"

#define RESOURCES "/io/github/plateau_bench/Plateau"

static Bed *bed;

static GtkWidget *make_drive_page(void)
{
    return GTK_WIDGET(
        plt_drive_page_new(bed_drive(bed, "nvme0n1"), plt_application_get_store(bed->application)));
}

static GtkWidget *make_drive_row(void)
{
    return plt_drive_row_new(bed_drive(bed, "nvme0n1"));
}

static GtkWidget *make_preferences(void)
{
    return GTK_WIDGET(plt_preferences_dialog_new(plt_application_get_settings(bed->application)));
}

static PltSuiteItem *suite(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) quick = plt_suite_find("quick", &error);

    g_assert_no_error(error);
    return plt_suite_item_new(quick, plt_application_get_settings(bed->application));
}

static GtkWidget *make_suite_dialog(void)
{
    g_autoptr(PltSuiteItem) item = suite();

    return GTK_WIDGET(plt_suite_dialog_new(item));
}

static GtkWidget *make_suite_row(void)
{
    g_autoptr(PltSuiteItem) item = suite();

    return plt_suite_row_new(item);
}

static gboolean is_set(gpointer data)
{
    return *(gpointer *)data != NULL;
}

static void on_loaded(GObject *store, GAsyncResult *result, gpointer data)
{
    g_autoptr(GError) error = NULL;

    *(GPtrArray **)data = plt_run_store_load_finish(PLT_RUN_STORE(store), result, &error);
    g_assert_no_error(error);
}

static gint64 newest_run(void)
{
    PltRunStore *store = plt_application_get_store(bed->application);
    g_autoptr(PltRunItem) item = g_list_model_get_item(G_LIST_MODEL(store), 0);

    return plt_run_item_get_id(item);
}

static GtkWidget *make_export_dialog(void)
{
    PltRunStore *store = plt_application_get_store(bed->application);
    gint64 id = newest_run();
    g_autoptr(GPtrArray) runs = NULL;

    plt_run_store_load_async(store, &id, 1, FALSE, NULL, on_loaded, &runs);
    bed_wait(is_set, &runs);
    return GTK_WIDGET(plt_export_dialog_new(store, runs, plt_application_get_settings(bed->application)));
}

static GtkWidget *make_result_view(void)
{
    PltResultView *view = plt_result_view_new(plt_application_get_store(bed->application));

    plt_result_view_set_run_id(view, newest_run());
    return GTK_WIDGET(view);
}

static GtkWidget *make_window(void)
{
    return GTK_WIDGET(plt_window_new(bed->application));
}

/* Those that need something to be made with; all others are made by their name alone. */
static const struct {
    const char *type;
    GtkWidget *(*make)(void);
} makers[] = {
    {"PltDrivePage", make_drive_page},       {"PltDriveRow", make_drive_row},
    {"PltExportDialog", make_export_dialog}, {"PltPreferencesDialog", make_preferences},
    {"PltResultView", make_result_view},     {"PltSuiteDialog", make_suite_dialog},
    {"PltSuiteRow", make_suite_row},         {"PltWindow", make_window},
};

static GtkWidget *make(const char *type)
{
    for (gsize i = 0; i < G_N_ELEMENTS(makers); i++) {
        if (g_str_equal(makers[i].type, type))
            return g_object_ref_sink(makers[i].make());
    }
    if (g_type_from_name(type) == G_TYPE_INVALID)
        g_error("There is a template for %s and no such type.", type);
    return g_object_ref_sink(g_object_new(g_type_from_name(type), NULL));
}

/* What a widget started in a thread holds it until it is done. */
static gboolean is_last_reference(gpointer data)
{
    return ((GObject *)data)->ref_count == 1;
}

static void release(GtkWidget *widget)
{
    bed_wait(is_last_reference, widget);
    g_assert_finalize_object(widget);
}

static void test_made(gconstpointer type)
{
    GtkWidget *widget = make(type);

    if (GTK_IS_WINDOW(widget))
        gtk_window_destroy(GTK_WINDOW(widget));
    release(widget);
}

static void test_shown(gconstpointer type)
{
    GtkWidget *widget = make(type);

    bed_show(bed, widget);
    bed_hide(bed, widget);
    release(widget);
}

/* "<template class="PltDriveRow" …" */
static char *class_of(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = g_resources_lookup_data(path, G_RESOURCE_LOOKUP_FLAGS_NONE, &error);
    g_autoptr(GRegex) regex = g_regex_new("<template class=\"(\\w+)\"", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_autofree char *text = NULL;

    g_assert_no_error(error);
    text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    return g_regex_match(regex, text, 0, &match) ? g_match_info_fetch(match, 1) : NULL;
}

static void add_tests(const char *file)
{
    g_autofree char *path = g_strconcat(RESOURCES "/", file, NULL);
    g_autofree char *type = class_of(path);
    g_autofree char *made = NULL, *shown = NULL;

    if (type == NULL)
        return;
    made = g_strdup_printf("/app/template/%s/made", type);
    shown = g_strdup_printf("/app/template/%s/shown", type);
    g_test_add_data_func_full(made, g_strdup(type), test_made, g_free);
    g_test_add_data_func_full(shown, g_strdup(type), test_shown, g_free);
}

static void add_all(void)
{
    g_auto(GStrv) files = g_resources_enumerate_children(RESOURCES, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

    g_assert_nonnull(files);
    for (gsize i = 0; files[i] != NULL; i++) {
        if (g_str_has_suffix(files[i], ".ui"))
            add_tests(files[i]);
    }
}

/* A class registers the types that its template needs. */
static void register_types(void)
{
    const GType types[] = {
        PLT_TYPE_WINDOW,         PLT_TYPE_DRIVE_PAGE,   PLT_TYPE_DRIVE_ROW, PLT_TYPE_PREFERENCES_DIALOG,
        PLT_TYPE_BENCHMARK_PAGE, PLT_TYPE_SUITE_DIALOG, PLT_TYPE_SUITE_ROW, PLT_TYPE_DETAILS_PAGE,
        PLT_TYPE_HEALTH_PAGE,    PLT_TYPE_LIBRARY_PAGE,
    };

    for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
        g_type_class_unref(g_type_class_ref(types[i]));
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    gtk_disable_setlocale();
    gtk_init();
    bed = bed_new(TRUE);
    register_types();
    add_all();
    status = g_test_run();
    bed_free(bed);
    return status;
}
