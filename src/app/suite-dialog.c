/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/suite-dialog.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/choices.h"
#include "app/run-words.h"

/* What the switch turns on where no other share was chosen: CrystalDiskMark's. */
#define USUAL_MIX 70

struct _PltSuiteDialog {
    AdwDialog parent_instance;
    AdwPreferencesGroup *description_group;
    AdwActionRow *plan_row;
    AdwComboRow *size_row, *data_row;
    AdwSpinRow *runs_row, *seconds_row, *interval_row, *mix_share_row;
    AdwSwitchRow *mix_row;
    GtkWidget *reset_row, *start_button;

    PltSuiteItem *item;
    PltChoices *sizes, *data;
    gboolean filling; /* the rows are set, not the suite */
};

enum {
    SIGNAL_START,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(PltSuiteDialog, plt_suite_dialog, ADW_TYPE_DIALOG)

/* What cannot be used is said where the plan would stand, and the setting stays as it was. */
static void set(PltSuiteDialog *dialog, const char *key, const char *value)
{
    g_autoptr(GError) error = NULL;

    if (dialog->filling || value == NULL)
        return;
    if (plt_suite_item_set(dialog->item, key, value, &error)) {
        gtk_widget_remove_css_class(GTK_WIDGET(dialog->plan_row), "error");
        return;
    }
    gtk_widget_add_css_class(GTK_WIDGET(dialog->plan_row), "error");
    adw_action_row_set_subtitle(dialog->plan_row, error->message);
}

static void set_number(PltSuiteDialog *dialog, const char *key, double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];

    set(dialog, key, g_ascii_formatd(digits, sizeof digits, "%g", round(value * 10) / 10));
}

static void on_size(PltSuiteDialog *dialog)
{
    set(dialog, "size", plt_choices_value(dialog->sizes, adw_combo_row_get_selected(dialog->size_row)));
}

static void on_data(PltSuiteDialog *dialog)
{
    set(dialog, "data", plt_choices_value(dialog->data, adw_combo_row_get_selected(dialog->data_row)));
}

static void on_runs(PltSuiteDialog *dialog)
{
    set_number(dialog, "runs", adw_spin_row_get_value(dialog->runs_row));
}

static void on_seconds(PltSuiteDialog *dialog)
{
    set_number(dialog, "seconds", adw_spin_row_get_value(dialog->seconds_row));
}

static void on_interval(PltSuiteDialog *dialog)
{
    set_number(dialog, "interval", adw_spin_row_get_value(dialog->interval_row));
}

static void on_mix(PltSuiteDialog *dialog)
{
    if (adw_switch_row_get_active(dialog->mix_row))
        set_number(dialog, "mix", adw_spin_row_get_value(dialog->mix_share_row));
    else
        set(dialog, "mix", "off");
}

static void fill_combo(AdwComboRow *row, PltChoices **kept, PltChoices *choices)
{
    g_autoptr(PltChoices) old = *kept;

    *kept = choices;
    adw_combo_row_set_model(row, G_LIST_MODEL(choices->model));
    adw_combo_row_set_selected(row, choices->selected);
}

static void fill(PltSuiteDialog *dialog)
{
    PltSuiteItem *item = dialog->item;
    guint mix = plt_suite_item_get_mix(item);
    double seconds = plt_suite_item_get_seconds(item);
    gboolean changed;

    dialog->filling = TRUE;
    fill_combo(dialog->size_row, &dialog->sizes, plt_choices_sizes(plt_suite_item_get_size(item)));
    fill_combo(dialog->data_row, &dialog->data, plt_choices_data(plt_suite_item_get_data(item)));
    adw_spin_row_set_value(dialog->runs_row, plt_suite_item_get_runs(item));
    adw_spin_row_set_value(dialog->seconds_row, seconds);
    adw_spin_row_set_value(dialog->interval_row, plt_suite_item_get_interval(item));
    adw_switch_row_set_active(dialog->mix_row, mix > 0);
    adw_spin_row_set_value(dialog->mix_share_row, mix > 0 ? mix : USUAL_MIX);
    dialog->filling = FALSE;

    /* Steps with times of their own have none in common that could be shown. */
    gtk_widget_set_visible(GTK_WIDGET(dialog->seconds_row), seconds > 0);
    gtk_widget_set_visible(GTK_WIDGET(dialog->mix_row), plt_suite_item_has_mix(item));
    g_object_get(item, "changed", &changed, NULL);
    gtk_widget_set_sensitive(dialog->reset_row, changed);
}

static void show_plan(PltSuiteDialog *dialog)
{
    gboolean changed;

    gtk_widget_remove_css_class(GTK_WIDGET(dialog->plan_row), "error");
    adw_action_row_set_subtitle(dialog->plan_row, plt_suite_item_get_summary(dialog->item));
    g_object_get(dialog->item, "changed", &changed, NULL);
    gtk_widget_set_sensitive(dialog->reset_row, changed);
    gtk_widget_set_sensitive(dialog->start_button, plt_suite_item_get_plan(dialog->item) != NULL);
}

static void reset_activated(PltSuiteDialog *dialog)
{
    plt_suite_item_reset(dialog->item);
    fill(dialog);
}

static void start_clicked(PltSuiteDialog *dialog)
{
    g_object_ref(dialog);
    adw_dialog_close(ADW_DIALOG(dialog));
    g_signal_emit(dialog, signals[SIGNAL_START], 0);
    g_object_unref(dialog);
}

static void plt_suite_dialog_dispose(GObject *object)
{
    PltSuiteDialog *dialog = PLT_SUITE_DIALOG(object);

    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_SUITE_DIALOG);
    g_clear_object(&dialog->item);
    g_clear_pointer(&dialog->sizes, plt_choices_free);
    g_clear_pointer(&dialog->data, plt_choices_free);
    G_OBJECT_CLASS(plt_suite_dialog_parent_class)->dispose(object);
}

static void plt_suite_dialog_class_init(PltSuiteDialogClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_suite_dialog_dispose;
    signals[SIGNAL_START] = g_signal_new("start", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/suite-dialog.ui");
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, description_group);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, plan_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, size_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, data_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, runs_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, seconds_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, interval_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, mix_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, mix_share_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, reset_row);
    gtk_widget_class_bind_template_child(widget_class, PltSuiteDialog, start_button);
    gtk_widget_class_bind_template_callback(widget_class, reset_activated);
    gtk_widget_class_bind_template_callback(widget_class, start_clicked);
}

static void plt_suite_dialog_init(PltSuiteDialog *dialog)
{
    gtk_widget_init_template(GTK_WIDGET(dialog));
}

static void follow(PltSuiteDialog *dialog, gpointer row, const char *signal, GCallback callback)
{
    g_signal_connect_object(row, signal, callback, dialog, G_CONNECT_SWAPPED);
}

PltSuiteDialog *plt_suite_dialog_new(PltSuiteItem *item)
{
    PltSuiteDialog *dialog = g_object_new(PLT_TYPE_SUITE_DIALOG, NULL);

    dialog->item = g_object_ref(item);
    adw_dialog_set_title(ADW_DIALOG(dialog), plt_suite_item_get_name(item));
    adw_preferences_group_set_description(dialog->description_group,
                                          plt_suite_description(plt_suite_item_get_suite(item)));
    fill(dialog);
    show_plan(dialog);
    follow(dialog, item, "notify::summary", G_CALLBACK(show_plan));
    follow(dialog, dialog->size_row, "notify::selected", G_CALLBACK(on_size));
    follow(dialog, dialog->data_row, "notify::selected", G_CALLBACK(on_data));
    follow(dialog, dialog->runs_row, "notify::value", G_CALLBACK(on_runs));
    follow(dialog, dialog->seconds_row, "notify::value", G_CALLBACK(on_seconds));
    follow(dialog, dialog->interval_row, "notify::value", G_CALLBACK(on_interval));
    follow(dialog, dialog->mix_row, "notify::active", G_CALLBACK(on_mix));
    follow(dialog, dialog->mix_share_row, "notify::value", G_CALLBACK(on_mix));
    return dialog;
}

const char *plt_suite_dialog_get_suite_id(PltSuiteDialog *dialog)
{
    return plt_suite_item_get_id(dialog->item);
}
