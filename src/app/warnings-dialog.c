/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/warnings-dialog.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "drive/warning.h"

void plt_warnings_dialog_present(const GPtrArray *warnings, GtkWidget *parent)
{
    AdwDialog *dialog = adw_alert_dialog_new(_("Remarks on This Run"), NULL);
    GtkWidget *list = gtk_list_box_new();

    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
    gtk_widget_add_css_class(list, "boxed-list");
    for (guint i = 0; i < warnings->len; i++) {
        g_autofree char *text = plt_warning_text(warnings->pdata[i]);
        GtkWidget *row = adw_action_row_new();

        adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
        adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), text);
        gtk_list_box_append(GTK_LIST_BOX(list), row);
    }
    adw_alert_dialog_set_extra_child(ADW_ALERT_DIALOG(dialog), list);
    adw_alert_dialog_set_prefer_wide_layout(ADW_ALERT_DIALOG(dialog), TRUE);
    adw_alert_dialog_add_response(ADW_ALERT_DIALOG(dialog), "close", _("_Close"));
    adw_dialog_present(dialog, parent);
}
