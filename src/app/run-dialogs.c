/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-dialogs.h"

#include <glib/gi18n-lib.h>

/* What a dialog or a toast was made for. */
struct subject {
    PltRunStore *store;
    gint64 id;
    guint ticket;
    GtkEditable *entry; /* part of the dialog */
};

static void free_subject(gpointer data, GClosure *closure)
{
    struct subject *subject = data;

    g_object_unref(subject->store);
    g_free(subject);
}

static void on_renamed(AdwAlertDialog *dialog, const char *response, struct subject *subject)
{
    if (g_str_equal(response, "rename"))
        plt_run_store_set_title(subject->store, subject->id, gtk_editable_get_text(subject->entry));
}

void plt_run_rename(GtkWidget *parent, PltRunStore *store, gint64 id)
{
    PltRunItem *item = plt_run_store_find(store, id);
    AdwDialog *dialog = NULL;
    GtkWidget *group = NULL, *row = NULL;
    struct subject *subject = NULL;

    if (!item)
        return;
    dialog = adw_alert_dialog_new(_("Rename Run"), _("Without a name the run is called by its drive."));
    group = adw_preferences_group_new();
    row = adw_entry_row_new();
    subject = g_new0(struct subject, 1);
    subject->store = g_object_ref(store);
    subject->id = id;
    subject->entry = GTK_EDITABLE(row);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), _("Name"));
    gtk_editable_set_text(GTK_EDITABLE(row),
                          plt_run_item_get_summary(item)->title ? plt_run_item_get_summary(item)->title : "");
    adw_entry_row_set_activates_default(ADW_ENTRY_ROW(row), TRUE);
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row);
    adw_alert_dialog_set_extra_child(ADW_ALERT_DIALOG(dialog), group);
    adw_alert_dialog_add_responses(ADW_ALERT_DIALOG(dialog), "cancel", _("_Cancel"), "rename", _("_Rename"),
                                   NULL);
    adw_alert_dialog_set_response_appearance(ADW_ALERT_DIALOG(dialog), "rename", ADW_RESPONSE_SUGGESTED);
    adw_alert_dialog_set_default_response(ADW_ALERT_DIALOG(dialog), "rename");
    g_signal_connect_data(dialog, "response", G_CALLBACK(on_renamed), subject, free_subject, 0);
    adw_dialog_present(dialog, parent);
    gtk_widget_grab_focus(row);
}

static void on_undone(AdwToast *toast, struct subject *subject)
{
    plt_run_store_unhide(subject->store, subject->ticket);
}

static void on_dismissed(AdwToast *toast, struct subject *subject)
{
    plt_run_store_expire(subject->store, subject->ticket);
}

void plt_run_delete(GtkWidget *parent, PltRunStore *store, const gint64 *ids, gsize n_ids)
{
    GtkWidget *overlay = gtk_widget_get_ancestor(parent, ADW_TYPE_TOAST_OVERLAY);
    struct subject *subject = NULL;
    g_autofree char *title = NULL;
    AdwToast *toast = NULL, *previous = NULL;

    if (n_ids == 0)
        return;
    subject = g_new0(struct subject, 1);
    subject->store = g_object_ref(store);
    subject->ticket = plt_run_store_hide(store, ids, n_ids);
    title = g_strdup_printf(ngettext("Run deleted", "%u runs deleted", (gulong)n_ids), (guint)n_ids);
    toast = adw_toast_new(title);
    adw_toast_set_button_label(toast, _("_Undo"));
    g_signal_connect_data(toast, "button-clicked", G_CALLBACK(on_undone), subject, free_subject, 0);
    g_signal_connect(toast, "dismissed", G_CALLBACK(on_dismissed), subject);
    if (!overlay) {
        plt_run_store_expire(store, subject->ticket);
        g_object_unref(toast);
        return;
    }
    /* The offer before this one has nothing left to undo. */
    previous = g_object_get_data(G_OBJECT(overlay), "plt-undo");
    if (previous)
        adw_toast_dismiss(previous);
    g_object_set_data_full(G_OBJECT(overlay), "plt-undo", g_object_ref(toast), g_object_unref);
    adw_toast_overlay_add_toast(ADW_TOAST_OVERLAY(overlay), toast);
}
