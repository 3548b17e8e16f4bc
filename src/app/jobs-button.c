/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/jobs-button.h"

#include <glib/gi18n-lib.h>

#include "app/application.h"

struct _PltJobsButton {
    AdwBin parent_instance;
    GtkButton *button;
    GtkProgressBar *bar;
    GtkLabel *label;
    GtkPopover *popover;
    GtkListBox *list;
    PltJobList *jobs;
    int percent; /* what is shown; -1 = nothing */
    gboolean compact;
};

typedef enum {
    PROP_COMPACT = 1,
} PltJobsButtonProperty;

static GParamSpec *properties[PROP_COMPACT + 1];

G_DEFINE_FINAL_TYPE(PltJobsButton, plt_jobs_button, ADW_TYPE_BIN)

static guint n_jobs(PltJobsButton *self)
{
    return self->jobs != NULL ? g_list_model_get_n_items(G_LIST_MODEL(self->jobs)) : 0;
}

static void show_job(PltJobsButton *self, PltJob *job)
{
    gtk_widget_activate_action(GTK_WIDGET(self), "win.show-job", "s",
                               plt_job_list_get_drive_name(self->jobs, job));
}

/* The mean of all: what takes longest does not hide that others are on their way. */
static double fraction_of_all(PltJobsButton *self)
{
    guint n = n_jobs(self);
    double sum = 0;

    for (guint i = 0; i < n; i++) {
        g_autoptr(PltJob) job = g_list_model_get_item(G_LIST_MODEL(self->jobs), i);

        sum += plt_job_get_progress(job)->fraction;
    }
    return n > 0 ? sum / n : 0;
}

/* A run reports ten times a second; only a new percent is drawn. */
static void update(PltJobsButton *self)
{
    guint n = n_jobs(self);
    double fraction = fraction_of_all(self);
    int percent = n > 0 ? (int)(fraction * 100) : -1;
    g_autofree char *text = NULL, *label = NULL;

    if (percent == self->percent)
        return;
    self->percent = percent;
    gtk_widget_set_visible(GTK_WIDGET(self), n > 0);
    if (n == 0) {
        gtk_popover_popdown(self->popover);
        return;
    }
    /* Translators: progress of a benchmark. */
    text = g_strdup_printf(_("%d %%"), percent);
    gtk_progress_bar_set_fraction(self->bar, percent / 100.0);
    gtk_label_set_label(self->label, text);
    label = g_strdup_printf(ngettext("%u benchmark is running", "%u benchmarks are running", n), n);
    gtk_widget_set_tooltip_text(GTK_WIDGET(self->button), label);
    gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static GtkWidget *row_new(gpointer item, gpointer user)
{
    PltJobsButton *self = user;
    PltJob *job = item;
    GtkWidget *row = adw_action_row_new();

    adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), plt_job_list_get_drive_title(self->jobs, job));
    adw_action_row_set_subtitle(ADW_ACTION_ROW(row), plt_suite_name(plt_job_get_plan(job)->suite));
    gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), TRUE);
    return row;
}

static void row_activated(PltJobsButton *self, GtkListBoxRow *row)
{
    g_autoptr(PltJob) job =
        g_list_model_get_item(G_LIST_MODEL(self->jobs), (guint)gtk_list_box_row_get_index(row));

    gtk_popover_popdown(self->popover);
    if (job != NULL)
        show_job(self, job);
}

static void button_clicked(PltJobsButton *self)
{
    if (n_jobs(self) == 1) {
        g_autoptr(PltJob) job = g_list_model_get_item(G_LIST_MODEL(self->jobs), 0);

        show_job(self, job);
    } else {
        gtk_popover_popup(self->popover);
    }
}

static void jobs_changed(PltJobsButton *self, guint position, guint removed, guint added, GListModel *jobs)
{
    for (guint i = position; i < position + added; i++) {
        g_autoptr(PltJob) job = g_list_model_get_item(jobs, i);

        g_signal_connect_object(job, "progress", G_CALLBACK(update), self, G_CONNECT_SWAPPED);
    }
    self->percent = -2;
    update(self);
}

static void plt_jobs_button_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    switch ((PltJobsButtonProperty)id) {
    case PROP_COMPACT:
        g_value_set_boolean(value, PLT_JOBS_BUTTON(object)->compact);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_jobs_button_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    PltJobsButton *self = PLT_JOBS_BUTTON(object);

    switch ((PltJobsButtonProperty)id) {
    case PROP_COMPACT:
        if (self->compact == g_value_get_boolean(value))
            return;
        self->compact = g_value_get_boolean(value);
        g_object_notify_by_pspec(object, pspec);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_jobs_button_dispose(GObject *object)
{
    PltJobsButton *self = PLT_JOBS_BUTTON(object);

    if (self->list != NULL)
        gtk_list_box_bind_model(self->list, NULL, NULL, NULL, NULL);
    self->list = NULL;
    if (self->popover != NULL)
        gtk_widget_unparent(GTK_WIDGET(self->popover));
    self->popover = NULL;
    /* The bin would let go of its child a second time. */
    adw_bin_set_child(ADW_BIN(object), NULL);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_JOBS_BUTTON);
    g_clear_object(&self->jobs);
    G_OBJECT_CLASS(plt_jobs_button_parent_class)->dispose(object);
}

static void plt_jobs_button_class_init(PltJobsButtonClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->get_property = plt_jobs_button_get_property;
    G_OBJECT_CLASS(klass)->set_property = plt_jobs_button_set_property;
    G_OBJECT_CLASS(klass)->dispose = plt_jobs_button_dispose;
    properties[PROP_COMPACT] = g_param_spec_boolean(
        "compact", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(G_OBJECT_CLASS(klass), G_N_ELEMENTS(properties), properties);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/jobs-button.ui");
    gtk_widget_class_bind_template_child(widget_class, PltJobsButton, button);
    gtk_widget_class_bind_template_child(widget_class, PltJobsButton, bar);
    gtk_widget_class_bind_template_child(widget_class, PltJobsButton, label);
    gtk_widget_class_bind_template_callback(widget_class, button_clicked);
}

/* A template cannot give a button a popover that is not a menu button's. */
static void add_popover(PltJobsButton *self)
{
    self->list = GTK_LIST_BOX(gtk_list_box_new());
    gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_NONE);
    gtk_widget_add_css_class(GTK_WIDGET(self->list), "boxed-list");
    g_signal_connect_swapped(self->list, "row-activated", G_CALLBACK(row_activated), self);
    self->popover = GTK_POPOVER(gtk_popover_new());
    gtk_popover_set_child(self->popover, GTK_WIDGET(self->list));
    gtk_widget_set_parent(GTK_WIDGET(self->popover), GTK_WIDGET(self->button));
}

static void plt_jobs_button_init(PltJobsButton *self)
{
    PltApplication *application = plt_application_get_default();

    gtk_widget_init_template(GTK_WIDGET(self));
    add_popover(self);
    self->percent = -2;
    if (application != NULL && plt_application_get_jobs(application) != NULL) {
        self->jobs = g_object_ref(plt_application_get_jobs(application));
        gtk_list_box_bind_model(self->list, G_LIST_MODEL(self->jobs), row_new, self, NULL);
        g_signal_connect_object(self->jobs, "items-changed", G_CALLBACK(jobs_changed), self,
                                G_CONNECT_SWAPPED);
        jobs_changed(self, 0, 0, n_jobs(self), G_LIST_MODEL(self->jobs));
    } else {
        update(self);
    }
}
