/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/warnings-dialog.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "drive/warning.h"

#define WIDTH_SP 480
#define MARGIN 18

static GtkWidget *list_new(const GPtrArray *warnings)
{
    GtkWidget *list = gtk_list_box_new();

    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
    gtk_widget_add_css_class(list, "boxed-list");
    gtk_widget_set_valign(list, GTK_ALIGN_START);
    gtk_widget_set_margin_start(list, MARGIN);
    gtk_widget_set_margin_end(list, MARGIN);
    gtk_widget_set_margin_top(list, MARGIN / 2);
    gtk_widget_set_margin_bottom(list, MARGIN);
    for (guint i = 0; i < warnings->len; i++) {
        g_autofree char *text = plt_warning_text(warnings->pdata[i]);
        GtkWidget *row = adw_action_row_new();

        adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
        adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), text);
        gtk_list_box_append(GTK_LIST_BOX(list), row);
    }
    return list;
}

void plt_warnings_dialog_present(const GPtrArray *warnings, GtkWidget *parent)
{
    AdwDialog *dialog = adw_dialog_new();
    GtkWidget *view = adw_toolbar_view_new(), *scrolled = gtk_scrolled_window_new(),
              *list = list_new(warnings);

    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scrolled), TRUE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
    adw_toolbar_view_add_top_bar(ADW_TOOLBAR_VIEW(view), adw_header_bar_new());
    adw_toolbar_view_set_content(ADW_TOOLBAR_VIEW(view), scrolled);
    adw_dialog_set_title(dialog, _("Remarks on This Run"));
    /* Sentences, in as many letters to a line whatever the size of the text. */
    adw_dialog_set_content_width(
        dialog, (int)adw_length_unit_to_px(ADW_LENGTH_UNIT_SP, WIDTH_SP, gtk_widget_get_settings(parent)));
    adw_dialog_set_child(dialog, view);
    adw_dialog_present(dialog, parent);
}
