/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/result-view.h"

#include <glib/gi18n-lib.h>

#include "app/application.h"
#include "app/cell-list.h"
#include "app/cell-table.h"
#include "app/chart-view.h"
#include "app/export-copy.h"
#include "app/export-dialog.h"
#include "app/result-details.h"
#include "app/run-dialogs.h"
#include "report/facts.h"
#include "report/language.h"

struct _PltResultView {
    AdwNavigationPage parent_instance;
    AdwWindowTitle *title;
    AdwBanner *banner;
    GtkStack *stack, *chart_stack;
    AdwStatusPage *error_page;
    PltChartView *picture, *chart;
    GtkWidget *curves;
    GtkDropDown *cells;
    GtkLabel *no_chart;
    PltCellTable *table;
    AdwPreferencesGroup *runs_group, *person, *warnings, *details;
    GtkEditable *name_row;
    GtkTextView *note;

    PltRunStore *store;
    GArray *ids;           /* gint64 */
    GPtrArray *runs;       /* PltRun without samples; NULL while they are loaded */
    GPtrArray *cell_ids;   /* char *, of the drop-down's entries; the first may be NULL, all cells */
    GCancellable *loading; /* of the runs */
    GCancellable *drawing; /* of the curves */
    PltRunItem *item;      /* of a single run, watched */
    char *saved_note;
    gboolean filling; /* the view changes its own fields */
};

G_DEFINE_FINAL_TYPE(PltResultView, plt_result_view, ADW_TYPE_NAVIGATION_PAGE)

static gboolean is_single(PltResultView *view)
{
    return view->ids->len == 1;
}

static const PltRun *single_run(PltResultView *view)
{
    return view->runs && is_single(view) ? view->runs->pdata[0] : NULL;
}

static void cancel(GCancellable **cancellable)
{
    if (*cancellable)
        g_cancellable_cancel(*cancellable);
    g_clear_object(cancellable);
}

static gboolean was_cancelled(const GError *error)
{
    return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static char *run_title(const PltRun *run)
{
    g_autofree char *drive = plt_facts_drive(run);

    if (run->title && *run->title)
        return g_strdup(run->title);
    return g_strdup(drive ? drive : _("Unknown drive"));
}

static void update_title(PltResultView *view)
{
    g_autofree char *title = NULL, *subtitle = NULL, *date = NULL;

    if (single_run(view)) {
        const PltRun *run = single_run(view);

        title = view->item ? g_strdup(plt_run_item_get_title(view->item)) : run_title(run);
        date = plt_run_date_text(run->started_us);
        subtitle = g_strjoin(" · ", plt_run_suite_title(run->suite_name, run->suite_id), date, NULL);
    } else {
        title = g_strdup(_("Comparison"));
        subtitle = g_strdup_printf(ngettext("%u run", "%u runs", view->ids->len), view->ids->len);
    }
    adw_window_title_set_title(view->title, title);
    adw_window_title_set_subtitle(view->title, subtitle);
    adw_navigation_page_set_title(ADW_NAVIGATION_PAGE(view), title);
}

static void update_banner(PltResultView *view)
{
    const PltRun *run = single_run(view);
    gboolean shown = run && run->status != PLT_RUN_COMPLETE;
    g_autofree char *text = NULL;

    if (shown && run->status_detail && *run->status_detail)
        text = g_strdup_printf("%s: %s", plt_run_status_title(run->status), run->status_detail);
    else if (shown && run->status == PLT_RUN_RUNNING)
        text = g_strdup(_("This run is being measured; what is here so far is shown."));
    else if (shown)
        text = g_strdup_printf(_("%s: what was measured until then is kept."),
                               plt_run_status_title(run->status));
    adw_banner_set_use_markup(view->banner, FALSE);
    adw_banner_set_title(view->banner, text ? text : "");
    adw_banner_set_revealed(view->banner, shown);
}

static void show_error(PltResultView *view, const char *message)
{
    g_autofree char *escaped = g_markup_escape_text(message, -1);

    adw_status_page_set_description(view->error_page, escaped);
    gtk_stack_set_visible_child_name(view->stack, "error");
}

static void describe_curves(PltResultView *view)
{
    g_autofree char *title =
        is_single(view) ? run_title(view->runs->pdata[0]) : g_strdup(_("the compared runs"));
    g_autofree char *text = plt_result_describe_chart(plt_chart_view_get_chart(view->chart), title);

    plt_chart_view_set_label(view->chart, _("Throughput over time"));
    plt_chart_view_set_description(view->chart, text);
}

static void on_curves_drawn(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(PltResultView) view = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPicture) picture = plt_run_store_draw_finish(PLT_RUN_STORE(source), result, &error);

    if (was_cancelled(error))
        return;
    if (picture && picture->charts->len > 0) {
        plt_chart_view_set_chart(view->chart, g_ptr_array_steal_index(picture->charts, 0));
        describe_curves(view);
    } else {
        plt_chart_view_set_chart(view->chart, NULL);
        gtk_label_set_text(view->no_chart, error ? error->message : "");
    }
    gtk_stack_set_visible_child_name(view->chart_stack, error ? "none" : "chart");
}

static void on_picture_drawn(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(PltResultView) view = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLanguage) language = NULL;
    g_autofree char *description = NULL;
    PltReportOptions options = {.kind = is_single(view) ? NULL : "ranking"};
    PltPicture *picture = plt_run_store_draw_finish(PLT_RUN_STORE(source), result, &error);

    if (was_cancelled(error) || !view->runs) {
        plt_picture_free(picture);
        return;
    }
    /* A run in which nothing was measured has no picture; the banner and the table say so. */
    gtk_widget_set_visible(GTK_WIDGET(view->picture), picture != NULL);
    if (!picture)
        return;
    language = plt_language_new(NULL, NULL);
    description = plt_report_describe((const PltRun *const *)view->runs->pdata, view->runs->len, &options);
    plt_chart_view_set_picture(view->picture, picture, language ? plt_language_tag(language) : NULL);
    plt_chart_view_set_label(view->picture, is_single(view) ? _("Picture of the result") : _("Ranking"));
    plt_chart_view_set_description(view->picture, description);
}

static const char *chosen_cell(PltResultView *view)
{
    guint selected = gtk_drop_down_get_selected(view->cells);

    return view->cell_ids && selected < view->cell_ids->len ? view->cell_ids->pdata[selected] : NULL;
}

static void draw_curves(PltResultView *view)
{
    PltReportOptions options = {.kind = is_single(view) ? "time" : "overlay", .cell = chosen_cell(view)};

    cancel(&view->drawing);
    view->drawing = g_cancellable_new();
    plt_run_store_draw_async(view->store, view->runs, &options, view->drawing, on_curves_drawn,
                             g_object_ref(view));
}

/* The suite's picture; a suite that asks for the curves has them below, where they can be zoomed. */
static void draw_picture(PltResultView *view)
{
    PltReportOptions options = {.kind = is_single(view) ? NULL : "ranking",
                                .cell = is_single(view) ? NULL : chosen_cell(view)};

    if (single_run(view) && g_str_equal(plt_report_kind(single_run(view)), "time")) {
        gtk_widget_set_visible(GTK_WIDGET(view->picture), FALSE);
        return;
    }
    plt_run_store_draw_async(view->store, view->runs, &options, view->loading, on_picture_drawn,
                             g_object_ref(view));
}

static void on_cell_chosen(PltResultView *view)
{
    if (view->filling || !view->runs)
        return;
    draw_curves(view);
    if (!is_single(view))
        draw_picture(view);
}

static void fill_cells(PltResultView *view)
{
    g_autofree char *before = g_strdup(chosen_cell(view));
    g_autoptr(GtkStringList) names = NULL;

    g_clear_pointer(&view->cell_ids, g_ptr_array_unref);
    names = plt_cell_list_new(view->runs, TRUE, is_single(view), &view->cell_ids);
    gtk_drop_down_set_model(view->cells, G_LIST_MODEL(names));
    gtk_drop_down_set_selected(view->cells, plt_cell_list_find(view->cell_ids, before));
    gtk_widget_set_visible(GTK_WIDGET(view->cells), view->cell_ids->len > 1);
    gtk_widget_set_visible(view->curves, view->cell_ids->len > 0);
}

static void fill_person(PltResultView *view)
{
    const PltRun *run = single_run(view);
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(view->note);

    gtk_widget_set_visible(GTK_WIDGET(view->person), run != NULL);
    if (!run)
        return;
    /* What is being typed is not taken away by a reload. */
    if (!gtk_widget_has_focus(GTK_WIDGET(view->note))) {
        g_set_str(&view->saved_note, run->note ? run->note : "");
        gtk_text_buffer_set_text(buffer, view->saved_note, -1);
    }
    gtk_editable_set_text(view->name_row, run->title ? run->title : "");
}

static void fill(PltResultView *view)
{
    const PltRun *run = single_run(view);

    view->filling = TRUE;
    fill_cells(view);
    /* The thread reads a long run while the rest of the page is made. */
    if (view->cell_ids->len > 0)
        draw_curves(view);
    draw_picture(view);
    update_title(view);
    update_banner(view);
    fill_person(view);
    plt_cell_table_set_runs(view->table, view->runs);
    gtk_widget_set_visible(GTK_WIDGET(view->runs_group), run == NULL);
    gtk_widget_set_visible(GTK_WIDGET(view->warnings), FALSE);
    gtk_widget_set_visible(GTK_WIDGET(view->details), FALSE);
    if (run) {
        plt_result_fill_warnings(view->warnings, run);
        plt_result_fill_details(view->details, run);
    } else {
        plt_result_fill_runs(view->runs_group, view->runs);
    }
    gtk_widget_action_set_enabled(GTK_WIDGET(view), "result.rename", run != NULL);
    gtk_widget_action_set_enabled(GTK_WIDGET(view), "result.delete", run && run->status != PLT_RUN_RUNNING);
    gtk_widget_action_set_enabled(GTK_WIDGET(view), "result.export", TRUE);
    view->filling = FALSE;
    gtk_stack_set_visible_child_name(view->stack, "content");
}

static void on_loaded(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(PltResultView) view = data;
    g_autoptr(GError) error = NULL;
    GPtrArray *runs = plt_run_store_load_finish(PLT_RUN_STORE(source), result, &error);

    if (was_cancelled(error))
        return;
    if (!runs) {
        show_error(view, error->message);
        return;
    }
    g_clear_pointer(&view->runs, g_ptr_array_unref);
    view->runs = runs;
    fill(view);
}

static void load(PltResultView *view)
{
    cancel(&view->loading);
    cancel(&view->drawing);
    view->loading = g_cancellable_new();
    if (!view->runs)
        gtk_stack_set_visible_child_name(view->stack, "loading");
    plt_run_store_load_async(view->store, (const gint64 *)view->ids->data, view->ids->len, FALSE,
                             view->loading, on_loaded, g_object_ref(view));
}

static void on_try_again(PltResultView *view)
{
    load(view);
}

/* The name is in the picture, too. */
static void on_item_renamed(PltResultView *view)
{
    update_title(view);
    load(view);
}

static void set_note(PltResultView *view)
{
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(view->note);
    GtkTextIter start, end;
    g_autofree char *text = NULL;
    const PltRun *run = single_run(view);

    if (!run || view->filling)
        return;
    gtk_text_buffer_get_bounds(buffer, &start, &end);
    text = g_strchomp(gtk_text_buffer_get_text(buffer, &start, &end, FALSE));
    if (g_set_str(&view->saved_note, text))
        plt_run_store_set_note(view->store, run->id, text);
}

static void on_note_left(PltResultView *view)
{
    set_note(view);
}

static void on_name_applied(PltResultView *view)
{
    const PltRun *run = single_run(view);

    if (run)
        plt_run_store_set_title(view->store, run->id, gtk_editable_get_text(view->name_row));
}

static void rename_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltResultView *view = PLT_RESULT_VIEW(widget);

    if (is_single(view))
        plt_run_rename(widget, view->store, g_array_index(view->ids, gint64, 0));
}

static void delete_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltResultView *view = PLT_RESULT_VIEW(widget);

    if (!is_single(view))
        return;
    plt_run_delete(widget, view->store, (const gint64 *)view->ids->data, 1);
    gtk_widget_activate_action(widget, "navigation.pop", NULL);
}

static GSettings *settings_of_program(void)
{
    PltApplication *application = plt_application_get_default();

    return application ? plt_application_get_settings(application) : NULL;
}

static void export_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltResultView *view = PLT_RESULT_VIEW(widget);

    if (view->runs)
        adw_dialog_present(ADW_DIALOG(plt_export_dialog_new(view->store, view->runs, settings_of_program())),
                           widget);
}

static void copy_picture(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltResultView *view = PLT_RESULT_VIEW(widget);

    if (view->runs)
        plt_export_copy_picture(widget, view->store, view->runs, settings_of_program());
}

static void copy_text(GtkWidget *widget, const char *name, GVariant *parameter)
{
    PltResultView *view = PLT_RESULT_VIEW(widget);

    if (view->runs)
        plt_export_copy_text(widget, view->store, view->runs, PLT_EXPORT_MARKDOWN);
}

static void plt_result_view_hidden(AdwNavigationPage *page)
{
    set_note(PLT_RESULT_VIEW(page));
}

static void watch(PltResultView *view, PltRunItem *item)
{
    if (view->item == item)
        return;
    if (view->item)
        g_signal_handlers_disconnect_by_data(view->item, view);
    g_set_object(&view->item, item);
    if (!item)
        return;
    g_signal_connect_swapped(item, "notify::title", G_CALLBACK(on_item_renamed), view);
    g_signal_connect_swapped(item, "notify::status", G_CALLBACK(load), view);
}

static void plt_result_view_dispose(GObject *object)
{
    PltResultView *view = PLT_RESULT_VIEW(object);

    if (view->store)
        set_note(view);
    watch(view, NULL);
    cancel(&view->loading);
    cancel(&view->drawing);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_RESULT_VIEW);
    g_clear_object(&view->store);
    g_clear_pointer(&view->ids, g_array_unref);
    g_clear_pointer(&view->runs, g_ptr_array_unref);
    g_clear_pointer(&view->cell_ids, g_ptr_array_unref);
    g_clear_pointer(&view->saved_note, g_free);
    G_OBJECT_CLASS(plt_result_view_parent_class)->dispose(object);
}

static void bind_template(GtkWidgetClass *klass)
{
    gtk_widget_class_set_template_from_resource(klass, "/io/github/plateau_bench/Plateau/result-view.ui");
    gtk_widget_class_bind_template_child(klass, PltResultView, title);
    gtk_widget_class_bind_template_child(klass, PltResultView, banner);
    gtk_widget_class_bind_template_child(klass, PltResultView, stack);
    gtk_widget_class_bind_template_child(klass, PltResultView, chart_stack);
    gtk_widget_class_bind_template_child(klass, PltResultView, error_page);
    gtk_widget_class_bind_template_child(klass, PltResultView, picture);
    gtk_widget_class_bind_template_child(klass, PltResultView, chart);
    gtk_widget_class_bind_template_child(klass, PltResultView, curves);
    gtk_widget_class_bind_template_child(klass, PltResultView, cells);
    gtk_widget_class_bind_template_child(klass, PltResultView, no_chart);
    gtk_widget_class_bind_template_child(klass, PltResultView, table);
    gtk_widget_class_bind_template_child(klass, PltResultView, runs_group);
    gtk_widget_class_bind_template_child(klass, PltResultView, person);
    gtk_widget_class_bind_template_child(klass, PltResultView, warnings);
    gtk_widget_class_bind_template_child(klass, PltResultView, details);
    gtk_widget_class_bind_template_child(klass, PltResultView, name_row);
    gtk_widget_class_bind_template_child(klass, PltResultView, note);
    gtk_widget_class_bind_template_callback(klass, on_try_again);
    gtk_widget_class_bind_template_callback(klass, on_cell_chosen);
    gtk_widget_class_bind_template_callback(klass, on_name_applied);
    gtk_widget_class_bind_template_callback(klass, on_note_left);
}

static void plt_result_view_class_init(PltResultViewClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_result_view_dispose;
    ADW_NAVIGATION_PAGE_CLASS(klass)->hidden = plt_result_view_hidden;
    gtk_widget_class_install_action(widget_class, "result.export", NULL, export_run);
    gtk_widget_class_install_action(widget_class, "result.copy-picture", NULL, copy_picture);
    gtk_widget_class_install_action(widget_class, "result.copy-text", NULL, copy_text);
    gtk_widget_class_install_action(widget_class, "result.rename", NULL, rename_run);
    gtk_widget_class_install_action(widget_class, "result.delete", NULL, delete_run);
    gtk_widget_class_add_binding_action(widget_class, GDK_KEY_e, GDK_CONTROL_MASK, "result.export", NULL);
    gtk_widget_class_add_binding_action(widget_class, GDK_KEY_F2, 0, "result.rename", NULL);
    g_type_ensure(PLT_TYPE_CHART_VIEW);
    g_type_ensure(PLT_TYPE_CELL_TABLE);
    bind_template(widget_class);
}

static void plt_result_view_init(PltResultView *view)
{
    view->ids = g_array_new(FALSE, FALSE, sizeof(gint64));
    gtk_widget_init_template(GTK_WIDGET(view));
    gtk_widget_action_set_enabled(GTK_WIDGET(view), "result.export", FALSE);
}

PltResultView *plt_result_view_new(PltRunStore *store)
{
    PltResultView *view = g_object_new(PLT_TYPE_RESULT_VIEW, NULL);

    view->store = g_object_ref(store);
    return view;
}

void plt_result_view_set_run_id(PltResultView *view, gint64 id)
{
    plt_result_view_set_run_ids(view, &id, 1);
}

void plt_result_view_set_run_ids(PltResultView *view, const gint64 *ids, gsize n_ids)
{
    g_return_if_fail(PLT_IS_RESULT_VIEW(view) && n_ids > 0);
    set_note(view);
    g_array_set_size(view->ids, 0);
    g_array_append_vals(view->ids, ids, (guint)n_ids);
    g_clear_pointer(&view->runs, g_ptr_array_unref);
    watch(view, n_ids == 1 ? plt_run_store_find(view->store, ids[0]) : NULL);
    load(view);
}
