/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/preferences-dialog.h"

struct _PltPreferencesDialog {
    AdwPreferencesDialog parent_instance;
    AdwComboRow *unit_row;
    AdwSwitchRow *virtual_row;
};

G_DEFINE_FINAL_TYPE(PltPreferencesDialog, plt_preferences_dialog, ADW_TYPE_PREFERENCES_DIALOG)

/* The choices of the key "unit", in the order of the row's list. */
static const char *const units[] = {"MB/s", "GB/s", "IOPS", "us"};

static gboolean unit_to_position(GValue *value, GVariant *variant, gpointer user)
{
    for (guint i = 0; i < G_N_ELEMENTS(units); i++) {
        if (g_str_equal(g_variant_get_string(variant, NULL), units[i]))
            g_value_set_uint(value, i);
    }
    return TRUE;
}

static GVariant *position_to_unit(const GValue *value, const GVariantType *type, gpointer user)
{
    guint position = g_value_get_uint(value);

    return position < G_N_ELEMENTS(units) ? g_variant_new_string(units[position]) : NULL;
}

static void plt_preferences_dialog_dispose(GObject *object)
{
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_PREFERENCES_DIALOG);
    G_OBJECT_CLASS(plt_preferences_dialog_parent_class)->dispose(object);
}

static void plt_preferences_dialog_class_init(PltPreferencesDialogClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_preferences_dialog_dispose;
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/preferences-dialog.ui");
    gtk_widget_class_bind_template_child(widget_class, PltPreferencesDialog, unit_row);
    gtk_widget_class_bind_template_child(widget_class, PltPreferencesDialog, virtual_row);
}

static void plt_preferences_dialog_init(PltPreferencesDialog *dialog)
{
    gtk_widget_init_template(GTK_WIDGET(dialog));
}

PltPreferencesDialog *plt_preferences_dialog_new(GSettings *settings)
{
    PltPreferencesDialog *dialog = g_object_new(PLT_TYPE_PREFERENCES_DIALOG, NULL);

    g_settings_bind_with_mapping(settings, "unit", dialog->unit_row, "selected", G_SETTINGS_BIND_DEFAULT,
                                 unit_to_position, position_to_unit, NULL, NULL);
    g_settings_bind(settings, "show-virtual-drives", dialog->virtual_row, "active", G_SETTINGS_BIND_DEFAULT);
    return dialog;
}
