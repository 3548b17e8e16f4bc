/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-view.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/run-chart.h"
#include "app/run-words.h"
#include "app/step-row.h"
#include "app/warnings-dialog.h"
#include "chart/format.h"

/* Figures that a person reads: more often they only flicker, and each costs a layout. */
#define FACTS_STEP_US 490000

/* "1,234 MB/s": the facts do not move when a figure gets longer. */
#define FACT_CHARS 9

/* A run that takes longer is not thrown away by one click. */
#define LONG_RUN_MS (G_GUINT64_CONSTANT(10) * 60 * 1000)

struct _PltRunView {
    AdwBin parent_instance;
    GtkBox *header, *facts;
    GtkWidget *buttons_box, *warnings_button, *left_fact, *speed_fact;
    AdwButtonContent *warnings_content;
    GtkLabel *title_label, *phase_label;
    GtkWidget *stop_button, *result_button;
    GtkProgressBar *progress_bar;
    GtkLabel *elapsed_label, *left_label, *written_label, *speed_label, *temperature_label;
    GtkWidget *temperature_fact;
    AdwClamp *rates_clamp;
    PltChartView *rates_view, *latencies_view;
    GtkExpander *latency_expander;
    GtkListView *steps_list;

    PltJob *job; /* or NULL */
    PltRunChart *chart;
    GListStore *steps;    /* PltStepItem of the job */
    char *warnings_title; /* "" = none */
    gboolean steps_expanded;
    gboolean embedded;
    gboolean narrow;
    gboolean stopping;
    guint step, run; /* of what is shown */
    PltRunnerPhase phase;
    gint64 facts_us; /* monotonic: when the facts were shown */
};

enum {
    PROP_JOB = 1,
    PROP_STEPS_EXPANDED,
    PROP_EMBEDDED,
    PROP_NARROW,
    PROP_WARNINGS_TITLE,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltRunView, plt_run_view, ADW_TYPE_BIN)

static void set_text(GtkLabel *label, const char *text)
{
    if (g_strcmp0(gtk_label_get_label(label), text) != 0)
        gtk_label_set_label(label, text);
}

/* Takes TEXT. */
static void take_text(GtkLabel *label, char *text)
{
    set_text(label, text);
    g_free(text);
}

/* Whole seconds: tenths in a clock are noise. */
static char *clock_text(guint64 ms)
{
    return plt_words_time(ms / 1000 * 1000);
}

static void show_temperature(PltRunView *view)
{
    const GArray *temperatures = plt_job_get_temperatures(view->job);
    double celsius = temperatures->len > 0
                         ? g_array_index(temperatures, PltLiveTemperature, temperatures->len - 1).celsius
                         : NAN;

    gtk_widget_set_visible(view->temperature_fact, temperatures->len > 0);
    if (isnan(celsius))
        set_text(view->temperature_label, "–");
    else
        take_text(view->temperature_label, g_strdup_printf("%.0f °C", celsius));
}

static void show_facts(PltRunView *view)
{
    const PltRunnerProgress *progress = plt_job_get_progress(view->job);
    gboolean running = plt_job_is_running(view->job);
    gboolean moving = running && progress->phase != PLT_RUNNER_RESTING && progress->bandwidth_bps > 0;
    PltQuantity speed = plt_format_bandwidth(progress->bandwidth_bps);

    gtk_progress_bar_set_fraction(view->progress_bar, CLAMP(progress->fraction, 0, 1));
    take_text(view->elapsed_label, clock_text(progress->elapsed_ms));
    take_text(view->left_label, running ? clock_text(progress->left_ms) : g_strdup("–"));
    take_text(view->written_label, plt_words_bytes(progress->written));
    take_text(view->speed_label, moving ? plt_quantity_join(&speed) : g_strdup("–"));
    plt_quantity_clear(&speed);
    show_temperature(view);
}

/* The cell that is measured, or that comes when the drive has rested; NULL before the first. */
static const PltCellSpec *current_cell(PltRunView *view)
{
    const PltPlan *plan = plt_job_get_plan(view->job);
    const PltRunnerProgress *progress = plt_job_get_progress(view->job);

    if (progress->phase == PLT_RUNNER_PREPARING)
        return NULL;
    for (guint i = progress->step; i < plan->steps->len; i++) {
        const PltStep *step = plan->steps->pdata[i];

        if (step->kind == PLT_STEP_MEASURE)
            return &step->cell;
    }
    return NULL;
}

static void set_phase_class(PltRunView *view, gboolean failed)
{
    gtk_widget_remove_css_class(GTK_WIDGET(view->phase_label), failed ? "dim-label" : "error");
    gtk_widget_add_css_class(GTK_WIDGET(view->phase_label), failed ? "error" : "dim-label");
}

static void show_running(PltRunView *view)
{
    const PltPlan *plan = plt_job_get_plan(view->job);
    const PltCellSpec *spec = current_cell(view);
    g_autofree char *phase = plt_words_phase(plan, plt_job_get_progress(view->job));
    g_autofree char *title = spec != NULL ? plt_words_cell(spec) : g_strdup(plt_suite_name(plan->suite));

    set_text(view->title_label, title);
    set_text(view->phase_label, view->stopping ? _("Stopping…") : phase);
    set_phase_class(view, FALSE);
}

/* One sentence about how it ended; belongs to the job or is static. */
static const char *end_text(PltRunView *view)
{
    const PltRun *run = plt_job_get_run(view->job);
    const GError *error = plt_job_get_error(view->job);

    if (run == NULL)
        return error != NULL ? error->message : _("The run did not start");
    switch (run->status) {
    case PLT_RUN_COMPLETE:
        return _("Complete");
    case PLT_RUN_STOPPED:
        return _("Stopped; what was measured is kept");
    case PLT_RUN_FAILED:
    case PLT_RUN_INTERRUPTED:
    case PLT_RUN_RUNNING:
    default:
        return run->status_detail != NULL ? run->status_detail : _("Failed");
    }
}

static void show_ended(PltRunView *view)
{
    const PltRun *run = plt_job_get_run(view->job);
    gboolean failed = run == NULL || (run->status != PLT_RUN_COMPLETE && run->status != PLT_RUN_STOPPED);
    g_autofree char *text =
        failed && run != NULL ? g_strdup_printf(_("Failed: %s"), end_text(view)) : g_strdup(end_text(view));

    set_text(view->title_label, plt_suite_name(plt_job_get_plan(view->job)->suite));
    set_text(view->phase_label, text);
    set_phase_class(view, failed);
}

/* While it runs they are for whoever shows the title, after it for a button of our own. */
static void show_warnings(PltRunView *view)
{
    const GPtrArray *warnings = plt_job_get_warnings(view->job);
    gboolean running = plt_job_is_running(view->job);
    g_autofree char *count =
        g_strdup_printf(ngettext("%u Remark", "%u Remarks", warnings->len), warnings->len);
    g_autofree char *title = NULL;

    if (running && warnings->len == 1)
        title = plt_warning_text(warnings->pdata[0]);
    else if (running && warnings->len > 1)
        title = g_strdup_printf(ngettext("%u remark on the figures of this run",
                                         "%u remarks on the figures of this run", warnings->len),
                                warnings->len);
    adw_button_content_set_label(view->warnings_content, count);
    gtk_widget_set_visible(view->warnings_button, !running && warnings->len > 0);
    if (g_set_str(&view->warnings_title, title != NULL ? title : ""))
        g_object_notify_by_pspec(G_OBJECT(view), properties[PROP_WARNINGS_TITLE]);
}

static void show_steps(PltRunView *view)
{
    guint n = view->steps != NULL ? g_list_model_get_n_items(G_LIST_MODEL(view->steps)) : 0;

    for (guint i = 0; i < n; i++) {
        g_autoptr(PltStepItem) item = g_list_model_get_item(G_LIST_MODEL(view->steps), i);

        plt_step_item_update(item, view->job);
        if (plt_step_item_is_active(item))
            gtk_list_view_scroll_to(view->steps_list, i, GTK_LIST_SCROLL_NONE, NULL);
    }
}

/* In a narrow window the speed is left to the chart. */
static void show_facts_that_fit(PltRunView *view)
{
    gboolean running = view->job != NULL && plt_job_is_running(view->job);

    gtk_widget_set_visible(view->left_fact, running);
    gtk_widget_set_visible(view->speed_fact, running && !view->narrow);
}

static void show_buttons(PltRunView *view)
{
    const PltRun *run = plt_job_get_run(view->job);
    gboolean running = plt_job_is_running(view->job);
    gboolean has_focus = gtk_widget_has_focus(view->stop_button);

    gtk_widget_action_set_enabled(GTK_WIDGET(view), "run.stop", running && !view->stopping);
    gtk_widget_set_visible(view->result_button, run != NULL && run->id > 0);
    if (!running && has_focus)
        gtk_widget_grab_focus(view->result_button);
    gtk_widget_set_visible(view->stop_button, running);
    gtk_widget_set_visible(GTK_WIDGET(view->progress_bar), running);
    show_facts_that_fit(view);
}

/* Everything but the charts, whatever was shown before. */
static void show_all(PltRunView *view)
{
    const PltRunnerProgress *progress = plt_job_get_progress(view->job);

    view->step = progress->step;
    view->run = progress->run;
    view->phase = progress->phase;
    view->facts_us = g_get_monotonic_time();
    if (plt_job_is_running(view->job))
        show_running(view);
    else
        show_ended(view);
    show_facts(view);
    show_steps(view);
    show_warnings(view);
    show_buttons(view);
}

static void on_progress(PltRunView *view)
{
    const PltRunnerProgress *progress = plt_job_get_progress(view->job);
    gint64 now_us = g_get_monotonic_time();

    if (progress->step != view->step || progress->run != view->run || progress->phase != view->phase) {
        show_all(view);
    } else if (now_us - view->facts_us >= FACTS_STEP_US) {
        view->facts_us = now_us;
        show_facts(view);
    }
    plt_run_chart_update(view->chart);
}

static void on_ended(PltRunView *view)
{
    view->stopping = FALSE;
    show_all(view);
    plt_run_chart_update(view->chart);
}

PltJob *plt_run_view_get_job(PltRunView *view)
{
    return view->job;
}

void plt_run_view_set_job(PltRunView *view, PltJob *job)
{
    g_autoptr(GtkNoSelection) selection = NULL;

    if (view->job == job)
        return;
    if (view->job != NULL)
        g_signal_handlers_disconnect_by_data(view->job, view);
    g_set_object(&view->job, job);
    view->stopping = FALSE;
    g_clear_object(&view->steps);
    if (job != NULL) {
        view->steps = plt_step_item_list(plt_job_get_plan(job));
        g_signal_connect_object(job, "progress", G_CALLBACK(on_progress), view, G_CONNECT_SWAPPED);
        g_signal_connect_object(job, "ended", G_CALLBACK(on_ended), view, G_CONNECT_SWAPPED);
        selection = gtk_no_selection_new(G_LIST_MODEL(g_object_ref(view->steps)));
    }
    gtk_list_view_set_model(view->steps_list, GTK_SELECTION_MODEL(selection));
    plt_run_chart_set_job(view->chart, job);
    if (job != NULL)
        show_all(view);
    g_object_notify_by_pspec(G_OBJECT(view), properties[PROP_JOB]);
}

static void stop_now(PltRunView *view)
{
    if (view->job == NULL || !plt_job_is_running(view->job))
        return;
    view->stopping = TRUE;
    plt_job_stop(view->job);
    show_all(view);
}

static void on_stop_answer(GObject *source, GAsyncResult *result, gpointer user)
{
    g_autoptr(PltRunView) view = user;
    PltJob *asked_about = g_object_get_data(source, "plt-job");

    if (g_strcmp0(adw_alert_dialog_choose_finish(ADW_ALERT_DIALOG(source), result), "stop") == 0 &&
        view->job == asked_about)
        stop_now(view);
}

static void ask_stop(PltRunView *view)
{
    const PltRunnerProgress *progress = plt_job_get_progress(view->job);
    g_autofree char *elapsed = clock_text(progress->elapsed_ms);
    g_autofree char *left = clock_text(progress->left_ms);
    /* Translators: a suite, a time, a time. */
    g_autofree char *body = g_strdup_printf(
        _("%s has run for %s and has about %s left. What was measured so far is kept, but the run "
          "cannot be continued."),
        plt_suite_name(plt_job_get_plan(view->job)->suite), elapsed, left);
    AdwDialog *dialog = adw_alert_dialog_new(_("Stop the Benchmark?"), body);
    AdwAlertDialog *alert = ADW_ALERT_DIALOG(dialog);

    adw_alert_dialog_add_responses(alert, "continue", _("_Keep Running"), "stop", _("_Stop"), NULL);
    adw_alert_dialog_set_response_appearance(alert, "stop", ADW_RESPONSE_DESTRUCTIVE);
    adw_alert_dialog_set_default_response(alert, "continue");
    adw_alert_dialog_set_close_response(alert, "continue");
    g_object_set_data_full(G_OBJECT(dialog), "plt-job", g_object_ref(view->job), g_object_unref);
    adw_alert_dialog_choose(alert, GTK_WIDGET(view), NULL, on_stop_answer, g_object_ref(view));
}

void plt_run_view_stop(PltRunView *view)
{
    if (view->job == NULL || !plt_job_is_running(view->job) || view->stopping)
        return;
    if (plt_job_get_plan(view->job)->estimated_ms > LONG_RUN_MS)
        ask_stop(view);
    else
        stop_now(view);
}

static void stop_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    plt_run_view_stop(PLT_RUN_VIEW(widget));
}

void plt_run_view_show_warnings(PltRunView *view)
{
    if (view->job != NULL)
        plt_warnings_dialog_present(plt_job_get_warnings(view->job), GTK_WIDGET(view));
}

static void show_warnings_action(GtkWidget *widget, const char *name, GVariant *parameter)
{
    plt_run_view_show_warnings(PLT_RUN_VIEW(widget));
}

static void set_narrow(PltRunView *view, gboolean narrow)
{
    GtkLabel *labels[] = {view->elapsed_label, view->left_label, view->written_label, view->speed_label,
                          view->temperature_label};

    view->narrow = narrow;
    gtk_orientable_set_orientation(GTK_ORIENTABLE(view->header),
                                   narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
    gtk_box_set_homogeneous(view->facts, narrow);
    gtk_box_set_spacing(view->facts, narrow ? 6 : 24);
    for (guint i = 0; i < G_N_ELEMENTS(labels); i++)
        gtk_label_set_width_chars(labels[i], narrow ? -1 : FACT_CHARS);
    show_facts_that_fit(view);
}

static void result_clicked(PltRunView *view)
{
    const PltRun *run = view->job != NULL ? plt_job_get_run(view->job) : NULL;

    if (run != NULL)
        gtk_widget_activate_action(GTK_WIDGET(view), "win.show-run", "x", run->id);
}

static void on_latency_expanded(PltRunView *view)
{
    plt_run_chart_set_latencies_shown(view->chart, gtk_expander_get_expanded(view->latency_expander));
}

static void plt_run_view_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltRunView *view = PLT_RUN_VIEW(object);

    switch (id) {
    case PROP_JOB:
        g_value_set_object(value, view->job);
        break;
    case PROP_STEPS_EXPANDED:
        g_value_set_boolean(value, view->steps_expanded);
        break;
    case PROP_EMBEDDED:
        g_value_set_boolean(value, view->embedded);
        break;
    case PROP_NARROW:
        g_value_set_boolean(value, view->narrow);
        break;
    case PROP_WARNINGS_TITLE:
        g_value_set_string(value, view->warnings_title);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

/* TRUE when *FIELD was something else. */
static gboolean take_boolean(gboolean *field, const GValue *value)
{
    gboolean before = *field;

    *field = g_value_get_boolean(value);
    return *field != before;
}

static void plt_run_view_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    PltRunView *view = PLT_RUN_VIEW(object);
    gboolean changed = FALSE;

    switch (id) {
    case PROP_JOB:
        plt_run_view_set_job(view, g_value_get_object(value));
        break;
    case PROP_STEPS_EXPANDED:
        changed = take_boolean(&view->steps_expanded, value);
        break;
    case PROP_EMBEDDED:
        changed = take_boolean(&view->embedded, value);
        gtk_widget_set_visible(view->buttons_box, !view->embedded);
        /* Beside a grid there is less room for it. */
        adw_clamp_set_maximum_size(view->rates_clamp, view->embedded ? 240 : 320);
        adw_clamp_set_tightening_threshold(view->rates_clamp, view->embedded ? 240 : 320);
        break;
    case PROP_NARROW:
        changed = take_boolean(&view->narrow, value);
        set_narrow(view, view->narrow);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
    if (changed)
        g_object_notify_by_pspec(object, pspec);
}

static void plt_run_view_dispose(GObject *object)
{
    PltRunView *view = PLT_RUN_VIEW(object);

    if (view->job != NULL)
        g_signal_handlers_disconnect_by_data(view->job, view);
    g_clear_pointer(&view->chart, plt_run_chart_free);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_RUN_VIEW);
    g_clear_object(&view->job);
    g_clear_object(&view->steps);
    G_OBJECT_CLASS(plt_run_view_parent_class)->dispose(object);
}

static void bind_children(GtkWidgetClass *widget_class)
{
    gtk_widget_class_bind_template_child(widget_class, PltRunView, header);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, facts);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, buttons_box);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, warnings_button);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, warnings_content);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, left_fact);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, speed_fact);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, title_label);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, phase_label);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, stop_button);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, result_button);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, progress_bar);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, elapsed_label);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, left_label);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, written_label);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, speed_label);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, temperature_label);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, temperature_fact);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, rates_clamp);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, rates_view);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, latencies_view);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, latency_expander);
    gtk_widget_class_bind_template_child(widget_class, PltRunView, steps_list);
    gtk_widget_class_bind_template_callback(widget_class, result_clicked);
}

static void plt_run_view_finalize(GObject *object)
{
    g_free(PLT_RUN_VIEW(object)->warnings_title);
    G_OBJECT_CLASS(plt_run_view_parent_class)->finalize(object);
}

static void plt_run_view_class_init(PltRunViewClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);
    GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

    object_class->get_property = plt_run_view_get_property;
    object_class->set_property = plt_run_view_set_property;
    object_class->dispose = plt_run_view_dispose;
    object_class->finalize = plt_run_view_finalize;
    properties[PROP_JOB] = g_param_spec_object("job", NULL, NULL, PLT_TYPE_JOB, flags);
    properties[PROP_STEPS_EXPANDED] = g_param_spec_boolean("steps-expanded", NULL, NULL, FALSE, flags);
    properties[PROP_EMBEDDED] = g_param_spec_boolean("embedded", NULL, NULL, FALSE, flags);
    properties[PROP_NARROW] = g_param_spec_boolean("narrow", NULL, NULL, FALSE, flags);
    properties[PROP_WARNINGS_TITLE] =
        g_param_spec_string("warnings-title", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPS, properties);
    gtk_widget_class_install_action(widget_class, "run.stop", NULL, stop_action);
    gtk_widget_class_install_action(widget_class, "run.show-warnings", NULL, show_warnings_action);
    g_type_ensure(PLT_TYPE_CHART_VIEW);
    g_type_ensure(PLT_TYPE_STEP_ITEM);
    g_type_ensure(PLT_TYPE_STEP_ROW);
    gtk_widget_class_set_template_from_resource(widget_class, "/io/github/plateau_bench/Plateau/run-view.ui");
    bind_children(widget_class);
}

static void plt_run_view_init(PltRunView *view)
{
    gtk_widget_init_template(GTK_WIDGET(view));
    view->warnings_title = g_strdup("");
    set_narrow(view, FALSE);
    view->chart = plt_run_chart_new(view->rates_view, view->latencies_view);
    g_signal_connect_object(view->latency_expander, "notify::expanded", G_CALLBACK(on_latency_expanded), view,
                            G_CONNECT_SWAPPED);
}
