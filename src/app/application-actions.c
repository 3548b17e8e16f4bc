/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/about.h"
#include "app/application-private.h"
#include "app/preferences-dialog.h"

static void show_about(GSimpleAction *action, GVariant *parameter, gpointer user)
{
    plt_about_present(GTK_WIDGET(gtk_application_get_active_window(GTK_APPLICATION(user))));
}

static void show_preferences(GSimpleAction *action, GVariant *parameter, gpointer user)
{
    PltApplication *application = user;
    GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(application));

    adw_dialog_present(ADW_DIALOG(plt_preferences_dialog_new(plt_application_get_settings(application))),
                       GTK_WIDGET(window));
}

/* Windows close as by their button; what runs goes on to its end and keeps the program. */
static void quit(GSimpleAction *action, GVariant *parameter, gpointer user)
{
    GList *windows = gtk_application_get_windows(GTK_APPLICATION(user));
    g_autoptr(GList) copy = g_list_copy(windows);

    for (GList *item = copy; item != NULL; item = item->next)
        gtk_window_close(item->data);
}

/* What notifications activate: the window comes to the front with the drive or the result in it. */
static void show_in_window(GSimpleAction *action, GVariant *parameter, gpointer user)
{
    GtkWindow *window;
    g_autofree char *name = g_strconcat("win.", g_action_get_name(G_ACTION(action)), NULL);

    g_application_activate(G_APPLICATION(user));
    window = gtk_application_get_active_window(GTK_APPLICATION(user));
    if (window != NULL)
        gtk_widget_activate_action_variant(GTK_WIDGET(window), name, parameter);
}

static const GActionEntry actions[] = {
    {.name = "about", .activate = show_about},
    {.name = "preferences", .activate = show_preferences},
    {.name = "quit", .activate = quit},
    {.name = "show-drive", .activate = show_in_window, .parameter_type = "s"},
    {.name = "show-job", .activate = show_in_window, .parameter_type = "s"},
    {.name = "show-run", .activate = show_in_window, .parameter_type = "x"},
};

/* Keys of the whole program; ui/help-overlay.blp tells them to people. */
static const struct {
    const char *action;
    const char *keys[3];
} keys[] = {
    {"app.preferences", {"<Control>comma"}}, {"app.quit", {"<Control>q"}},
    {"window.close", {"<Control>w"}},        {"win.toggle-sidebar", {"F9"}},
    {"win.search", {"<Control>f"}},          {"win.show-library", {"<Control>l"}},
    {"win.refresh", {"<Control>r", "F5"}},   {"win.show-tab(uint32 1)", {"<Alt>1"}},
    {"win.show-tab(uint32 2)", {"<Alt>2"}},  {"win.show-tab(uint32 3)", {"<Alt>3"}},
    {"win.show-tab(uint32 4)", {"<Alt>4"}},
};

void plt_application_add_actions(PltApplication *application)
{
    g_action_map_add_action_entries(G_ACTION_MAP(application), actions, G_N_ELEMENTS(actions), application);
    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
        gtk_application_set_accels_for_action(GTK_APPLICATION(application), keys[i].action,
                                              (const char *const *)keys[i].keys);
}
