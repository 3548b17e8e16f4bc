/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/window-private.h"

#include "app/jobs-button.h"

G_DEFINE_FINAL_TYPE(PltWindow, plt_window, ADW_TYPE_APPLICATION_WINDOW)

/* Drives are asked for their temperature only while somebody can see it. */
static void update_watching(PltWindow *window)
{
    gboolean seen = gtk_widget_get_mapped(GTK_WIDGET(window)) && !gtk_window_is_suspended(GTK_WINDOW(window));

    if (seen == window->watching || window->drives == NULL)
        return;
    window->watching = seen;
    if (seen)
        plt_drive_list_watch_temperatures(window->drives);
    else
        plt_drive_list_unwatch_temperatures(window->drives);
}

/* Free space changes without an event; who comes back to the window sees it as it is. */
static void active_changed(PltWindow *window)
{
    if (gtk_window_is_active(GTK_WINDOW(window)) && window->drives != NULL)
        plt_drive_list_refresh(window->drives);
}

/* In a window that is wide enough, the person decides; in a narrow one, the breakpoint. */
static void update_collapsed(gpointer user)
{
    PltWindow *window = user;

    window->collapse_source = 0;
    if (adw_application_window_get_current_breakpoint(ADW_APPLICATION_WINDOW(window)) == NULL)
        adw_navigation_split_view_set_collapsed(window->split_view, window->sidebar_hidden);
}

/* Not at once: the view is in the middle of its own change. */
static void queue_update_collapsed(PltWindow *window)
{
    if (window->collapse_source == 0)
        window->collapse_source = g_idle_add_once(update_collapsed, window);
}

/* Asked for again, by key or by the way back, the sidebar stands beside the page as before. */
static void show_content_changed(PltWindow *window)
{
    if (adw_navigation_split_view_get_show_content(window->split_view))
        return;
    window->sidebar_hidden = FALSE;
    queue_update_collapsed(window);
}

static void update_library_count(PltWindow *window)
{
    guint n = g_list_model_get_n_items(G_LIST_MODEL(window->store));
    g_autofree char *text = n > 0 ? g_strdup_printf("%u", n) : g_strdup("");

    gtk_label_set_label(window->library_count, text);
}

static void store_failed(PltWindow *window, const char *sentence)
{
    plt_window_add_toast(window, sentence);
}

static void plt_window_map(GtkWidget *widget)
{
    GTK_WIDGET_CLASS(plt_window_parent_class)->map(widget);
    update_watching(PLT_WINDOW(widget));
}

static void plt_window_unmap(GtkWidget *widget)
{
    GTK_WIDGET_CLASS(plt_window_parent_class)->unmap(widget);
    update_watching(PLT_WINDOW(widget));
}

/* What was deleted could be taken back as long as the window with the offer was there. */
static gboolean plt_window_close_request(GtkWindow *base)
{
    PltWindow *window = PLT_WINDOW(base);

    if (window->store != NULL)
        plt_run_store_commit(window->store);
    return GTK_WINDOW_CLASS(plt_window_parent_class)->close_request(base);
}

static void plt_window_dispose(GObject *object)
{
    PltWindow *window = PLT_WINDOW(object);

    if (window->watching)
        plt_drive_list_unwatch_temperatures(window->drives);
    window->watching = FALSE;
    g_clear_handle_id(&window->collapse_source, g_source_remove);
    g_clear_pointer(&window->pages, g_hash_table_unref);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_WINDOW);
    g_clear_object(&window->drives);
    g_clear_object(&window->jobs);
    g_clear_object(&window->store);
    g_clear_object(&window->settings);
    G_OBJECT_CLASS(plt_window_parent_class)->dispose(object);
}

static void bind_children(GtkWidgetClass *widget_class)
{
    gtk_widget_class_bind_template_child(widget_class, PltWindow, toasts);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, split_view);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, content_page);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, content_view);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, empty_page);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, empty_stack);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, library_page);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, library_bin);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, menu_button);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, sidebar);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, library_row);
    gtk_widget_class_bind_template_child(widget_class, PltWindow, library_count);
    gtk_widget_class_bind_template_callback_full(widget_class, "row_selected",
                                                 G_CALLBACK(plt_window_sidebar_row_selected));
    gtk_widget_class_bind_template_callback_full(widget_class, "row_activated",
                                                 G_CALLBACK(plt_window_sidebar_row_activated));
}

static void plt_window_class_init(PltWindowClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    g_type_ensure(PLT_TYPE_JOBS_BUTTON);
    G_OBJECT_CLASS(klass)->dispose = plt_window_dispose;
    widget_class->map = plt_window_map;
    widget_class->unmap = plt_window_unmap;
    GTK_WINDOW_CLASS(klass)->close_request = plt_window_close_request;
    gtk_widget_class_set_template_from_resource(widget_class, "/io/github/plateau_bench/Plateau/window.ui");
    bind_children(widget_class);
    plt_window_install_actions(widget_class);
}

static void plt_window_init(PltWindow *window)
{
    window->pages = g_hash_table_new_full(NULL, NULL, NULL, g_object_unref);
    gtk_widget_init_template(GTK_WIDGET(window));
    if (g_str_has_suffix(PLT_APPLICATION_ID, ".Devel"))
        gtk_widget_add_css_class(GTK_WIDGET(window), "devel");
    g_signal_connect(window, "notify::suspended", G_CALLBACK(update_watching), NULL);
    g_signal_connect(window, "notify::current-breakpoint", G_CALLBACK(queue_update_collapsed), NULL);
    g_signal_connect(window, "notify::is-active", G_CALLBACK(active_changed), NULL);
    g_signal_connect_swapped(window->split_view, "notify::show-content", G_CALLBACK(show_content_changed),
                             window);
}

static void bind_settings(PltWindow *window)
{
    g_settings_bind(window->settings, "window-width", window, "default-width", G_SETTINGS_BIND_DEFAULT);
    g_settings_bind(window->settings, "window-height", window, "default-height", G_SETTINGS_BIND_DEFAULT);
    g_settings_bind(window->settings, "window-maximized", window, "maximized", G_SETTINGS_BIND_DEFAULT);
}

PltWindow *plt_window_new(PltApplication *application)
{
    PltWindow *window = g_object_new(PLT_TYPE_WINDOW, "application", application, NULL);

    window->drives = g_object_ref(plt_application_get_drives(application));
    window->jobs = g_object_ref(plt_application_get_jobs(application));
    window->store = g_object_ref(plt_application_get_store(application));
    window->settings = g_object_ref(plt_application_get_settings(application));
    bind_settings(window);
    g_signal_connect_object(window->store, "items-changed", G_CALLBACK(update_library_count), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(window->store, "failed", G_CALLBACK(store_failed), window, G_CONNECT_SWAPPED);
    update_library_count(window);
    plt_window_connect_sidebar(window);
    return window;
}

void plt_window_add_toast(PltWindow *window, const char *text)
{
    AdwToast *toast = adw_toast_new(text);

    /* The text is plain: paths and model names may hold what markup would take for itself. */
    adw_toast_set_use_markup(toast, FALSE);
    adw_toast_overlay_add_toast(window->toasts, toast);
}
