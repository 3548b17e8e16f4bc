/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/quick-view.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "app/choices.h"
#include "app/quick-board.h"
#include "app/run-words.h"

struct _PltQuickView {
    AdwBin parent_instance;
    GtkBox *preset_line, *preset_box, *units_box, *target_line, *count_box;
    GtkDropDown *suite_drop_down, *runs_drop_down, *size_drop_down;
    GtkWidget *settings_button, *all_button, *export_button;
    PltTargetRow *target;
    GtkWidget *grid, *footer;
    GtkBox *headings, *rows;
    GtkLabel *summary_label;

    GListModel *items;
    PltSuiteItem *item;
    PltQuickBoard *board;
    GPtrArray *jobs; /* of the drive, oldest first */
    PltChoices *runs, *sizes;
    gboolean filling; /* the lists are set, not the suite */
    gboolean running;
    gboolean narrow;
};

enum {
    PROP_ITEM = 1,
    PROP_NARROW,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltQuickView, plt_quick_view, ADW_TYPE_BIN)

gint64 plt_quick_view_get_run_id(PltQuickView *view)
{
    for (guint i = view->jobs->len; i-- > 0;) {
        PltJob *job = view->jobs->pdata[i];
        const PltRun *run = plt_job_get_run(job);

        if (run != NULL && run->id > 0 && plt_quick_board_shows(view->board, job))
            return run->id;
    }
    return 0;
}

static void update_buttons(PltQuickView *view)
{
    gboolean running = view->running;
    GtkActionable *button = GTK_ACTIONABLE(view->all_button);

    /* One button, so that the keyboard's focus stays where it was. The target must fit the action at any
     * time. */
    gtk_actionable_set_action_name(button, NULL);
    gtk_actionable_set_action_target_value(button, running ? NULL : g_variant_new_string(""));
    gtk_actionable_set_action_name(button, running ? "benchmark.click-stop" : "benchmark.run");
    gtk_button_set_label(GTK_BUTTON(button), running ? _("_Stop") : _("_All"));
    gtk_widget_set_tooltip_text(view->all_button,
                                running ? _("Stop and Keep What Was Measured") : _("Measure All Rows"));
    gtk_widget_remove_css_class(view->all_button, running ? "suggested-action" : "destructive-action");
    gtk_widget_add_css_class(view->all_button, running ? "destructive-action" : "suggested-action");
    gtk_widget_set_sensitive(GTK_WIDGET(view->preset_box), !running);
    gtk_widget_set_sensitive(GTK_WIDGET(view->target_line), !running);
    gtk_widget_set_visible(view->footer, !running);
    gtk_widget_set_visible(view->export_button, !running && plt_quick_view_get_run_id(view) > 0);
}

/* The list itself changes only for a value that was not in it: it may be open. */
static void fill_drop_down(GtkDropDown *drop_down, PltChoices **kept, PltChoices *choices)
{
    g_autoptr(PltChoices) old = *kept;

    *kept = choices;
    if (old == NULL || !plt_choices_equal(old, choices))
        gtk_drop_down_set_model(drop_down, G_LIST_MODEL(choices->model));
    gtk_drop_down_set_selected(drop_down, choices->selected);
}

static void show_settings(PltQuickView *view)
{
    if (view->item == NULL)
        return;
    view->filling = TRUE;
    fill_drop_down(view->runs_drop_down, &view->runs, plt_choices_runs(plt_suite_item_get_runs(view->item)));
    fill_drop_down(view->size_drop_down, &view->sizes,
                   plt_choices_sizes(plt_suite_item_get_size(view->item)));
    view->filling = FALSE;
    gtk_widget_remove_css_class(GTK_WIDGET(view->summary_label), "error");
    gtk_label_set_label(view->summary_label, plt_suite_item_get_summary(view->item));
}

static void replay(PltQuickView *view)
{
    plt_quick_board_clear(view->board);
    for (guint i = 0; i < view->jobs->len; i++)
        plt_quick_board_add_job(view->board, view->jobs->pdata[i]);
    update_buttons(view);
}

static void on_item_changed(PltQuickView *view)
{
    const PltPlan *plan = plt_suite_item_get_plan(view->item);

    show_settings(view);
    if (plan != NULL)
        plt_target_row_set_need(view->target, plan->size, plan->smallest_block);
    if (plt_quick_board_set_item(view->board, view->item))
        replay(view);
}

static void set_item(PltQuickView *view, PltSuiteItem *item)
{
    if (view->item == item)
        return;
    if (view->item != NULL)
        g_signal_handlers_disconnect_by_data(view->item, view);
    g_set_object(&view->item, item);
    if (item != NULL) {
        g_signal_connect_object(item, "notify::summary", G_CALLBACK(on_item_changed), view,
                                G_CONNECT_SWAPPED);
        gtk_actionable_set_action_target(GTK_ACTIONABLE(view->settings_button), "s",
                                         plt_suite_item_get_id(item));
        on_item_changed(view);
    }
    g_object_notify_by_pspec(G_OBJECT(view), properties[PROP_ITEM]);
}

static void on_suite_selected(PltQuickView *view)
{
    set_item(view, gtk_drop_down_get_selected_item(view->suite_drop_down));
}

/* A size that this suite cannot use springs back, and the reason stands where the plan did. */
static void set_value(PltQuickView *view, const char *key, const char *value)
{
    g_autoptr(GError) error = NULL;

    if (view->filling || view->item == NULL || value == NULL)
        return;
    if (plt_suite_item_set(view->item, key, value, &error))
        return;
    show_settings(view);
    gtk_widget_add_css_class(GTK_WIDGET(view->summary_label), "error");
    gtk_label_set_label(view->summary_label, error->message);
}

static void on_runs_selected(PltQuickView *view)
{
    set_value(view, "runs", plt_choices_value(view->runs, gtk_drop_down_get_selected(view->runs_drop_down)));
}

static void on_size_selected(PltQuickView *view)
{
    set_value(view, "size", plt_choices_value(view->sizes, gtk_drop_down_get_selected(view->size_drop_down)));
}

static void set_orientation(GtkBox *box, gboolean vertical)
{
    gtk_orientable_set_orientation(GTK_ORIENTABLE(box),
                                   vertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
}

static void set_narrow(PltQuickView *view, gboolean narrow)
{
    if (view->narrow == narrow)
        return;
    view->narrow = narrow;
    set_orientation(view->preset_line, narrow);
    set_orientation(view->target_line, narrow);
    gtk_box_set_homogeneous(view->count_box, narrow);
    plt_quick_board_set_narrow(view->board, narrow);
    g_object_notify_by_pspec(G_OBJECT(view), properties[PROP_NARROW]);
}

static void on_unit_changed(GSettings *settings, const char *key, PltQuickView *view)
{
    g_autofree char *id = g_settings_get_string(settings, key);

    plt_quick_board_set_unit(view->board, plt_words_unit_from_id(id));
}

void plt_quick_view_set_suites(PltQuickView *view, GListModel *items, GSettings *settings)
{
    g_autoptr(GSimpleActionGroup) group = g_simple_action_group_new();
    g_autoptr(GAction) unit = g_settings_create_action(settings, "unit");

    g_action_map_add_action(G_ACTION_MAP(group), unit);
    gtk_widget_insert_action_group(GTK_WIDGET(view), "quick", G_ACTION_GROUP(group));
    g_signal_connect_object(settings, "changed::unit", G_CALLBACK(on_unit_changed), view, G_CONNECT_DEFAULT);
    on_unit_changed(settings, "unit", view);
    g_set_object(&view->items, items);
    gtk_drop_down_set_model(view->suite_drop_down, items);
    on_suite_selected(view);
}

void plt_quick_view_select(PltQuickView *view, const char *suite_id)
{
    guint n = view->items != NULL ? g_list_model_get_n_items(view->items) : 0;

    for (guint i = 0; i < n; i++) {
        g_autoptr(PltSuiteItem) item = g_list_model_get_item(view->items, i);

        if (g_strcmp0(plt_suite_item_get_id(item), suite_id) == 0)
            gtk_drop_down_set_selected(view->suite_drop_down, i);
    }
}

PltSuiteItem *plt_quick_view_get_item(PltQuickView *view)
{
    return view->item;
}

GtkWidget *plt_quick_view_get_grid(PltQuickView *view)
{
    return view->grid;
}

PltTargetRow *plt_quick_view_get_target(PltQuickView *view)
{
    return view->target;
}

void plt_quick_view_set_jobs(PltQuickView *view, GPtrArray *jobs)
{
    g_ptr_array_set_size(view->jobs, 0);
    for (guint i = 0; i < jobs->len; i++)
        g_ptr_array_add(view->jobs, g_object_ref(jobs->pdata[i]));
    replay(view);
}

void plt_quick_view_add_job(PltQuickView *view, PltJob *job)
{
    g_ptr_array_add(view->jobs, g_object_ref(job));
    plt_quick_board_add_job(view->board, job);
    update_buttons(view);
}

void plt_quick_view_set_running(PltQuickView *view, gboolean running)
{
    view->running = running;
    update_buttons(view);
}

static void plt_quick_view_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltQuickView *view = PLT_QUICK_VIEW(object);

    if (id == PROP_ITEM)
        g_value_set_object(value, view->item);
    else if (id == PROP_NARROW)
        g_value_set_boolean(value, view->narrow);
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_quick_view_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    if (id == PROP_NARROW)
        set_narrow(PLT_QUICK_VIEW(object), g_value_get_boolean(value));
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_quick_view_dispose(GObject *object)
{
    PltQuickView *view = PLT_QUICK_VIEW(object);

    if (view->item != NULL)
        g_signal_handlers_disconnect_by_data(view->item, view);
    g_clear_pointer(&view->board, plt_quick_board_free);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_QUICK_VIEW);
    g_clear_object(&view->item);
    g_clear_object(&view->items);
    G_OBJECT_CLASS(plt_quick_view_parent_class)->dispose(object);
}

static void plt_quick_view_finalize(GObject *object)
{
    PltQuickView *view = PLT_QUICK_VIEW(object);

    g_ptr_array_unref(view->jobs);
    plt_choices_free(view->runs);
    plt_choices_free(view->sizes);
    G_OBJECT_CLASS(plt_quick_view_parent_class)->finalize(object);
}

static void bind_children(GtkWidgetClass *widget_class)
{
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, preset_line);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, preset_box);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, units_box);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, target_line);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, count_box);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, suite_drop_down);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, runs_drop_down);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, size_drop_down);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, settings_button);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, all_button);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, export_button);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, target);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, grid);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, footer);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, headings);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, rows);
    gtk_widget_class_bind_template_child(widget_class, PltQuickView, summary_label);
}

static void plt_quick_view_class_init(PltQuickViewClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->get_property = plt_quick_view_get_property;
    object_class->set_property = plt_quick_view_set_property;
    object_class->dispose = plt_quick_view_dispose;
    object_class->finalize = plt_quick_view_finalize;
    properties[PROP_ITEM] = g_param_spec_object("item", NULL, NULL, PLT_TYPE_SUITE_ITEM,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    properties[PROP_NARROW] = g_param_spec_boolean(
        "narrow", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPS, properties);
    g_type_ensure(PLT_TYPE_SUITE_ITEM);
    g_type_ensure(PLT_TYPE_TARGET_ROW);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/quick-view.ui");
    bind_children(widget_class);
}

static void plt_quick_view_init(PltQuickView *view)
{
    gtk_widget_init_template(GTK_WIDGET(view));
    view->jobs = g_ptr_array_new_with_free_func(g_object_unref);
    view->board = plt_quick_board_new(view->headings, view->rows, view->all_button);
    g_signal_connect_object(view->suite_drop_down, "notify::selected-item", G_CALLBACK(on_suite_selected),
                            view, G_CONNECT_SWAPPED);
    g_signal_connect_object(view->runs_drop_down, "notify::selected", G_CALLBACK(on_runs_selected), view,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(view->size_drop_down, "notify::selected", G_CALLBACK(on_size_selected), view,
                            G_CONNECT_SWAPPED);
    update_buttons(view);
}
