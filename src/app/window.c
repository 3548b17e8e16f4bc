/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/window.h"

struct _PltWindow {
    AdwApplicationWindow parent_instance;
    AdwToastOverlay *toasts;
    AdwNavigationView *content_view;
};

G_DEFINE_FINAL_TYPE(PltWindow, plt_window, ADW_TYPE_APPLICATION_WINDOW)

static void plt_window_dispose(GObject *object)
{
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_WINDOW);
    G_OBJECT_CLASS(plt_window_parent_class)->dispose(object);
}

static void plt_window_class_init(PltWindowClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_window_dispose;
    gtk_widget_class_set_template_from_resource(widget_class, "/io/github/plateau_bench/Plateau/window.ui");
    gtk_widget_class_bind_template_child(widget_class, PltWindow, toasts);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, content_view);
}

static void plt_window_init(PltWindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
}

PltWindow *plt_window_new(PltApplication *application)
{
    return g_object_new(PLT_TYPE_WINDOW, "application", application, NULL);
}

void plt_window_add_toast(PltWindow *window, const char *text)
{
    AdwToast *toast = adw_toast_new(text);

    /* The text is plain: paths and model names may hold what markup would take for itself. */
    adw_toast_set_use_markup(toast, FALSE);
    adw_toast_overlay_add_toast(window->toasts, toast);
}
