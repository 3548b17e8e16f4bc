/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/details-page.h"

#include <glib/gi18n-lib.h>

#include "app/details.h"

struct _PltDetailsPage {
    AdwBin parent_instance;
    PltDrive *drive;
    AdwPreferencesPage *page;
    GPtrArray *groups; /* AdwPreferencesGroup … */
    GPtrArray *rows;   /* … and AdwActionRow in their order, owned by the page */
    GPtrArray *shown;  /* PltDetailGroup: what the rows show */
};

typedef enum {
    PROP_DRIVE = 1,
} PltDetailsPageProperty;

static GParamSpec *properties[PROP_DRIVE + 1];

G_DEFINE_FINAL_TYPE(PltDetailsPage, plt_details_page, ADW_TYPE_BIN)

static void copy_text(GtkWidget *widget, const char *text)
{
    gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), text);
    gtk_widget_activate_action(widget, "win.toast", "s", _("Copied to the clipboard"));
}

static void copy_clicked(GtkButton *button, gpointer user)
{
    AdwActionRow *row = ADW_ACTION_ROW(gtk_widget_get_ancestor(GTK_WIDGET(button), ADW_TYPE_ACTION_ROW));

    copy_text(GTK_WIDGET(button), adw_action_row_get_subtitle(row));
}

static void copy_all(GtkWidget *widget, const char *action, GVariant *parameter)
{
    g_autofree char *text = plt_details_page_to_text(PLT_DETAILS_PAGE(widget));

    copy_text(widget, text);
}

static void add_copy_button(AdwActionRow *row, const char *title)
{
    GtkWidget *button = gtk_button_new_from_icon_name("edit-copy-symbolic");
    /* Translators: %s is what a row shows, like “Serial Number”. */
    g_autofree char *label = g_strdup_printf(_("Copy “%s”"), title);

    gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
    gtk_widget_add_css_class(button, "flat");
    gtk_widget_add_css_class(button, "copy");
    gtk_widget_set_tooltip_text(button, _("Copy"));
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    g_signal_connect(button, "clicked", G_CALLBACK(copy_clicked), NULL);
    adw_action_row_add_suffix(row, button);
}

static GtkWidget *row_new(const PltDetail *detail)
{
    AdwActionRow *row = ADW_ACTION_ROW(adw_action_row_new());

    adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
    adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), detail->title);
    adw_action_row_set_subtitle(row, detail->value != NULL ? detail->value : detail->reason);
    gtk_widget_add_css_class(GTK_WIDGET(row), "property");
    if (detail->value != NULL) {
        adw_action_row_set_subtitle_selectable(row, TRUE);
        add_copy_button(row, detail->title);
    } else {
        gtk_widget_add_css_class(GTK_WIDGET(row), "unknown");
    }
    return GTK_WIDGET(row);
}

static void add_group(PltDetailsPage *self, const PltDetailGroup *group)
{
    GtkWidget *widget = adw_preferences_group_new();

    adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(widget), group->title);
    for (guint i = 0; i < group->details->len; i++) {
        GtkWidget *row = row_new(group->details->pdata[i]);

        adw_preferences_group_add(ADW_PREFERENCES_GROUP(widget), row);
        g_ptr_array_add(self->rows, row);
    }
    if (self->groups->len == 0) {
        GtkWidget *button = gtk_button_new_with_mnemonic(_("_Copy All"));

        gtk_widget_add_css_class(button, "flat");
        gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "details.copy-all");
        adw_preferences_group_set_header_suffix(ADW_PREFERENCES_GROUP(widget), button);
    }
    adw_preferences_page_add(self->page, ADW_PREFERENCES_GROUP(widget));
    g_ptr_array_add(self->groups, widget);
}

/* TRUE when the same rows stand under the same titles, so that only texts have to change. */
static gboolean same_rows(GPtrArray *a, GPtrArray *b)
{
    if (a == NULL || a->len != b->len)
        return FALSE;
    for (guint i = 0; i < a->len; i++) {
        const PltDetailGroup *one = a->pdata[i], *other = b->pdata[i];

        if (one->details->len != other->details->len || g_strcmp0(one->title, other->title) != 0)
            return FALSE;
        for (guint j = 0; j < one->details->len; j++) {
            const PltDetail *row = one->details->pdata[j], *new_row = other->details->pdata[j];

            if (g_strcmp0(row->title, new_row->title) != 0 ||
                (row->value == NULL) != (new_row->value == NULL))
                return FALSE;
        }
    }
    return TRUE;
}

/* Only what is different, so that a text that someone has selected stays selected. */
static void update_rows(PltDetailsPage *self, GPtrArray *groups)
{
    guint position = 0;

    for (guint i = 0; i < groups->len; i++) {
        const PltDetailGroup *group = groups->pdata[i];

        for (guint j = 0; j < group->details->len; j++) {
            const PltDetail *detail = group->details->pdata[j];
            AdwActionRow *row = self->rows->pdata[position++];

            if (detail->value != NULL && g_strcmp0(adw_action_row_get_subtitle(row), detail->value) != 0)
                adw_action_row_set_subtitle(row, detail->value);
        }
    }
}

static void rebuild(PltDetailsPage *self, GPtrArray *groups)
{
    for (guint i = 0; i < self->groups->len; i++)
        adw_preferences_page_remove(self->page, self->groups->pdata[i]);
    g_ptr_array_set_size(self->groups, 0);
    g_ptr_array_set_size(self->rows, 0);
    for (guint i = 0; i < groups->len; i++)
        add_group(self, groups->pdata[i]);
}

static void update(PltDetailsPage *self)
{
    g_autoptr(GPtrArray) groups = NULL;

    if (self->drive == NULL || !gtk_widget_get_mapped(GTK_WIDGET(self)))
        return;
    groups = plt_details_of_drive(self->drive);
    if (same_rows(self->shown, groups))
        update_rows(self, groups);
    else
        rebuild(self, groups);
    g_clear_pointer(&self->shown, g_ptr_array_unref);
    self->shown = g_steal_pointer(&groups);
}

static void plt_details_page_map(GtkWidget *widget)
{
    GTK_WIDGET_CLASS(plt_details_page_parent_class)->map(widget);
    update(PLT_DETAILS_PAGE(widget));
}

static void plt_details_page_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    switch ((PltDetailsPageProperty)id) {
    case PROP_DRIVE:
        g_value_set_object(value, PLT_DETAILS_PAGE(object)->drive);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_details_page_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    switch ((PltDetailsPageProperty)id) {
    case PROP_DRIVE:
        plt_details_page_set_drive(PLT_DETAILS_PAGE(object), g_value_get_object(value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_details_page_dispose(GObject *object)
{
    PltDetailsPage *self = PLT_DETAILS_PAGE(object);

    plt_details_page_set_drive(self, NULL);
    /* The bin would let go of its child a second time. */
    adw_bin_set_child(ADW_BIN(object), NULL);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_DETAILS_PAGE);
    G_OBJECT_CLASS(plt_details_page_parent_class)->dispose(object);
}

static void plt_details_page_finalize(GObject *object)
{
    PltDetailsPage *self = PLT_DETAILS_PAGE(object);

    g_ptr_array_unref(self->groups);
    g_ptr_array_unref(self->rows);
    g_clear_pointer(&self->shown, g_ptr_array_unref);
    G_OBJECT_CLASS(plt_details_page_parent_class)->finalize(object);
}

static void plt_details_page_class_init(PltDetailsPageClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->get_property = plt_details_page_get_property;
    object_class->set_property = plt_details_page_set_property;
    object_class->dispose = plt_details_page_dispose;
    object_class->finalize = plt_details_page_finalize;
    widget_class->map = plt_details_page_map;
    properties[PROP_DRIVE] =
        g_param_spec_object("drive", NULL, NULL, PLT_TYPE_DRIVE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/details-page.ui");
    gtk_widget_class_bind_template_child(widget_class, PltDetailsPage, page);
    gtk_widget_class_install_action(widget_class, "details.copy-all", NULL, copy_all);
}

static void plt_details_page_init(PltDetailsPage *self)
{
    self->groups = g_ptr_array_new();
    self->rows = g_ptr_array_new();
    gtk_widget_init_template(GTK_WIDGET(self));
}

void plt_details_page_set_drive(PltDetailsPage *self, PltDrive *drive)
{
    if (self->drive == drive)
        return;
    if (self->drive != NULL) {
        g_signal_handlers_disconnect_by_data(self->drive, self);
        g_signal_handlers_disconnect_by_data(plt_drive_get_folders(self->drive), self);
    }
    g_set_object(&self->drive, drive);
    if (drive != NULL) {
        g_signal_connect_swapped(drive, "changed", G_CALLBACK(update), self);
        g_signal_connect_swapped(drive, "notify::sensors", G_CALLBACK(update), self);
        g_signal_connect_swapped(plt_drive_get_folders(drive), "items-changed", G_CALLBACK(update), self);
        update(self);
    }
    g_object_notify_by_pspec(G_OBJECT(self), properties[PROP_DRIVE]);
}

char *plt_details_page_to_text(PltDetailsPage *self)
{
    return self->shown != NULL ? plt_details_to_text(self->shown) : g_strdup("");
}
