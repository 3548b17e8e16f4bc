/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/erase-dialog.h"

#include <glib/gi18n-lib.h>

#include "app/run-words.h"
#include "drive/device.h"

#define ENTRY "plateau-erase-entry"
#define SEAL "plateau-erase-seal"

/* More than this is not read: the rest is a number. */
#define MOST_LOSSES 8

static const char *member(JsonObject *object, const char *name)
{
    return json_object_get_string_member_with_default(object, name, NULL);
}

/* "nvme0n1p2: ext4 “Photos”, 512 GB" */
static char *loss_text(JsonObject *loss)
{
    g_autofree char *size =
        plt_words_bytes((guint64)json_object_get_int_member_with_default(loss, "size", 0));
    const char *content = member(loss, "content"), *label = member(loss, "label");

    if (label != NULL)
        return g_strdup_printf("%s: %s “%s”, %s", member(loss, "name"),
                               content != NULL ? content : _("unknown content"), label, size);
    return g_strdup_printf("%s: %s, %s", member(loss, "name"),
                           content != NULL ? content : _("unknown content"), size);
}

static char *losses_text(JsonNode *losses)
{
    JsonArray *array = json_node_get_array(losses);
    guint n = json_array_get_length(array);
    g_autoptr(GString) text = g_string_new(NULL);

    if (n == 0)
        return g_strdup(_("Nothing was recognised on it, which does not mean that nothing is there."));
    g_string_append(text, _("This is lost:"));
    for (guint i = 0; i < MIN(n, MOST_LOSSES); i++) {
        g_autofree char *line = loss_text(json_array_get_object_element(array, i));

        g_string_append_printf(text, "\n%s", line);
    }
    if (n > MOST_LOSSES) {
        g_string_append_c(text, '\n');
        g_string_append_printf(text, ngettext("and %u more", "and %u more", n - MOST_LOSSES),
                               n - MOST_LOSSES);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static char *body_text(const PltPlan *plan, const PltDriveSeal *seal, JsonNode *losses)
{
    g_autofree char *name = plt_device_display_name(seal->name);
    g_autofree char *size = plt_words_bytes(seal->size);
    g_autofree char *list = losses_text(losses);
    g_autofree char *time = plt_words_time(MAX(plan->estimated_ms / 1000, 1) * 1000);
    g_autofree char *bytes = plt_words_bytes(plan->estimated_written);
    g_autofree char *first = g_strdup_printf(
        _("“%s” overwrites all of %s (%s). It takes about %s and writes about %s, which wears the "
          "drive."),
        plt_suite_name(plan->suite), name, size, time, bytes);

    return g_strdup_printf("%s\n\n%s", first, list);
}

static void on_changed(GtkEditable *entry, AdwAlertDialog *dialog)
{
    const PltDriveSeal *seal = g_object_get_data(G_OBJECT(dialog), SEAL);

    adw_alert_dialog_set_response_enabled(dialog, "start",
                                          plt_guard_confirms(seal, gtk_editable_get_text(entry)));
}

static GtkWidget *entry_new(const PltDriveSeal *seal, AdwAlertDialog *dialog)
{
    GtkWidget *row = adw_entry_row_new();
    GtkWidget *group = adw_preferences_group_new();
    gboolean has_serial = seal->serial != NULL && seal->serial[0] != '\0';

    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row),
                                  has_serial ? _("Last four characters of the serial number")
                                             : _("Name of the drive"));
    adw_preferences_group_add(ADW_PREFERENCES_GROUP(group), row);
    g_signal_connect_object(row, "changed", G_CALLBACK(on_changed), dialog, G_CONNECT_DEFAULT);
    g_object_set_data(G_OBJECT(dialog), ENTRY, row);
    return group;
}

AdwAlertDialog *plt_erase_dialog_new(const PltPlan *plan, const PltDriveSeal *seal, JsonNode *losses)
{
    g_autofree char *title =
        g_strdup_printf(_("Erase “%s”?"), seal->model != NULL ? seal->model : seal->name);
    g_autofree char *body = body_text(plan, seal, losses);
    AdwAlertDialog *dialog = ADW_ALERT_DIALOG(adw_alert_dialog_new(title, body));

    g_object_set_data_full(G_OBJECT(dialog), SEAL, plt_drive_seal_copy(seal),
                           (GDestroyNotify)plt_drive_seal_free);
    adw_alert_dialog_add_responses(dialog, "cancel", _("_Cancel"), "start", _("_Erase and Start"), NULL);
    adw_alert_dialog_set_response_appearance(dialog, "start", ADW_RESPONSE_DESTRUCTIVE);
    adw_alert_dialog_set_response_enabled(dialog, "start", FALSE);
    adw_alert_dialog_set_default_response(dialog, "cancel");
    adw_alert_dialog_set_close_response(dialog, "cancel");
    adw_alert_dialog_set_extra_child(dialog, entry_new(seal, dialog));
    return dialog;
}

const char *plt_erase_dialog_get_text(AdwAlertDialog *dialog)
{
    return gtk_editable_get_text(GTK_EDITABLE(g_object_get_data(G_OBJECT(dialog), ENTRY)));
}
