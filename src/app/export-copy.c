/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/export-copy.h"

#include <glib/gi18n-lib.h>

/* Languages that pictures are to be had in, as static texts for PltReportOptions. */
static const char *const languages[] = {"en", "ko"};

PltReportOptions plt_export_options(GSettings *settings, guint n_runs)
{
    PltReportOptions options = {.width = 1200, .height = 675, .scale = 2.0};
    g_autofree char *language = NULL;

    if (n_runs > 1)
        options.kind = "ranking";
    if (!settings)
        return options;
    options.width = g_settings_get_int(settings, "export-width");
    options.height = g_settings_get_int(settings, "export-height");
    options.scale = g_settings_get_double(settings, "export-scale");
    options.dark = g_settings_get_boolean(settings, "export-dark");
    language = g_settings_get_string(settings, "export-language");
    for (guint i = 0; i < G_N_ELEMENTS(languages); i++) {
        if (g_str_equal(language, languages[i]))
            options.language = languages[i];
    }
    return options;
}

void plt_export_toast(GtkWidget *widget, const char *text)
{
    GtkWidget *overlay = gtk_widget_get_ancestor(widget, ADW_TYPE_TOAST_OVERLAY);
    AdwToast *toast = NULL;

    if (!overlay)
        return;
    toast = adw_toast_new(text);
    adw_toast_set_use_markup(toast, FALSE);
    adw_toast_overlay_add_toast(ADW_TOAST_OVERLAY(overlay), toast);
}

/* What is being copied, and where it is said. */
struct copying {
    GWeakRef widget;
    GdkClipboard *clipboard;
    gboolean picture;
};

static void finish(struct copying *copying, const char *text)
{
    g_autoptr(GtkWidget) widget = g_weak_ref_get(&copying->widget);

    if (widget)
        plt_export_toast(widget, text);
    g_weak_ref_clear(&copying->widget);
    g_object_unref(copying->clipboard);
    g_free(copying);
}

/* As a file of its own type, and as what GTK programs take for a picture. */
static GdkContentProvider *picture_provider(GBytes *bytes)
{
    g_autoptr(GdkTexture) texture = gdk_texture_new_from_bytes(bytes, NULL);
    GdkContentProvider *providers[2] = {gdk_content_provider_new_for_bytes("image/png", bytes), NULL};

    if (!texture)
        return providers[0];
    providers[1] = gdk_content_provider_new_typed(GDK_TYPE_TEXTURE, texture);
    return gdk_content_provider_new_union(providers, 2);
}

static void on_made(GObject *source, GAsyncResult *result, gpointer data)
{
    struct copying *copying = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = plt_export_make_finish(PLT_RUN_STORE(source), result, &error);
    g_autoptr(GdkContentProvider) provider = NULL;

    if (!bytes) {
        finish(copying, error->message);
        return;
    }
    if (copying->picture) {
        provider = picture_provider(bytes);
        gdk_clipboard_set_content(copying->clipboard, provider);
        finish(copying, _("Picture copied"));
    } else {
        g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));

        gdk_clipboard_set_text(copying->clipboard, text);
        finish(copying, _("Text copied"));
    }
}

static struct copying *new_copying(GtkWidget *widget, gboolean picture)
{
    struct copying *copying = g_new0(struct copying, 1);

    g_weak_ref_init(&copying->widget, widget);
    copying->clipboard = g_object_ref(gtk_widget_get_clipboard(widget));
    copying->picture = picture;
    return copying;
}

void plt_export_copy_picture_with(GtkWidget *widget, PltRunStore *store, GPtrArray *runs,
                                  const PltReportOptions *options)
{
    plt_export_make_async(store, runs, PLT_EXPORT_PNG, options, NULL, on_made, new_copying(widget, TRUE));
}

void plt_export_copy_picture(GtkWidget *widget, PltRunStore *store, GPtrArray *runs, GSettings *settings)
{
    PltReportOptions options = plt_export_options(settings, runs->len);

    plt_export_copy_picture_with(widget, store, runs, &options);
}

void plt_export_copy_text(GtkWidget *widget, PltRunStore *store, GPtrArray *runs, PltExport format)
{
    PltReportOptions options = {0};

    plt_export_make_async(store, runs, format, &options, NULL, on_made, new_copying(widget, FALSE));
}
