/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/drive-row.h"
#include "app/window-private.h"

/* Stands for the library in the setting "last-drive": no device is called so. */
#define LIBRARY_NAME "library"

static void set_root(PltWindow *window, AdwNavigationPage *page)
{
    g_autoptr(GListModel) stack = adw_navigation_view_get_navigation_stack(window->content_view);
    g_autoptr(AdwNavigationPage) root = g_list_model_get_item(stack, 0);

    if (root == page)
        adw_navigation_view_pop_to_page(window->content_view, page);
    else
        adw_navigation_view_replace(window->content_view, &page, 1);
    adw_navigation_page_set_title(window->content_page, adw_navigation_page_get_title(page));
}

PltDrivePage *plt_window_get_drive_page(PltWindow *window)
{
    g_autoptr(GListModel) stack = adw_navigation_view_get_navigation_stack(window->content_view);
    g_autoptr(AdwNavigationPage) root = g_list_model_get_item(stack, 0);

    return PLT_IS_DRIVE_PAGE(root) ? PLT_DRIVE_PAGE(root) : NULL;
}

static PltDrivePage *page_of(PltWindow *window, PltDrive *drive)
{
    PltDrivePage *page = g_hash_table_lookup(window->pages, drive);

    if (page == NULL) {
        page = g_object_ref_sink(plt_drive_page_new(drive, window->store));
        g_hash_table_insert(window->pages, drive, page);
    }
    return page;
}

void plt_window_sidebar_row_selected(PltWindow *window, GtkListBoxRow *row)
{
    if (row == NULL || window->pages == NULL)
        return;
    if (PLT_IS_DRIVE_ROW(row)) {
        PltDrive *drive = plt_drive_row_get_drive(PLT_DRIVE_ROW(row));

        set_root(window, ADW_NAVIGATION_PAGE(page_of(window, drive)));
        g_settings_set_string(window->settings, "last-drive", plt_drive_get_name(drive));
    } else {
        plt_window_get_library(window);
        set_root(window, window->library_page);
        g_settings_set_string(window->settings, "last-drive", LIBRARY_NAME);
    }
}

/* Also for the row that is selected already: back from a result to the page below it. */
void plt_window_sidebar_row_activated(PltWindow *window, GtkListBoxRow *row)
{
    plt_window_sidebar_row_selected(window, row);
    adw_navigation_split_view_set_show_content(window->split_view, TRUE);
}

PltLibraryPage *plt_window_get_library(PltWindow *window)
{
    if (adw_bin_get_child(window->library_bin) == NULL) {
        GtkWidget *library = plt_library_page_new();

        plt_library_page_set_store(PLT_LIBRARY_PAGE(library), window->store);
        adw_bin_set_child(window->library_bin, library);
    }
    return PLT_LIBRARY_PAGE(adw_bin_get_child(window->library_bin));
}

static GtkListBoxRow *row_of(PltWindow *window, const char *name)
{
    for (int i = 0;; i++) {
        GtkListBoxRow *row = gtk_list_box_get_row_at_index(window->sidebar, i);

        if (row == NULL || !PLT_IS_DRIVE_ROW(row))
            return NULL;
        if (g_strcmp0(plt_drive_get_name(plt_drive_row_get_drive(PLT_DRIVE_ROW(row))), name) == 0)
            return row;
    }
}

PltDrivePage *plt_window_select_drive(PltWindow *window, const char *name)
{
    GtkListBoxRow *row = row_of(window, name);

    if (row == NULL)
        return NULL;
    gtk_list_box_select_row(window->sidebar, row);
    plt_window_sidebar_row_activated(window, row);
    return plt_window_get_drive_page(window);
}

void plt_window_select_library(PltWindow *window)
{
    gtk_list_box_select_row(window->sidebar, window->library_row);
    plt_window_sidebar_row_activated(window, window->library_row);
}

static void show_empty(PltWindow *window)
{
    gboolean loading = plt_drive_list_is_loading(window->drives);

    gtk_list_box_unselect_all(window->sidebar);
    gtk_stack_set_visible_child_name(window->empty_stack, loading ? "loading" : "none");
    set_root(window, window->empty_page);
    /* In a narrow window the list alone would not say why it is empty. */
    if (!loading)
        adw_navigation_split_view_set_show_content(window->split_view, TRUE);
}

/* A window that is opened while something runs is opened for that. FALSE when nothing does. */
static gboolean show_running(PltWindow *window)
{
    g_autoptr(PltJob) job = g_list_model_get_item(G_LIST_MODEL(window->jobs), 0);
    PltDrivePage *page =
        job != NULL ? plt_window_select_drive(window, plt_job_list_get_drive_name(window->jobs, job)) : NULL;

    if (page != NULL)
        plt_drive_page_show_job(page);
    return page != NULL;
}

/* What was shown last, else the first drive that something is mounted from, else the first. */
static void select_something(PltWindow *window)
{
    g_autofree char *last = g_settings_get_string(window->settings, "last-drive");
    guint n = g_list_model_get_n_items(G_LIST_MODEL(window->drives));
    GtkListBoxRow *row = row_of(window, last);

    /* Not before: the first row that gets the keyboard focus would be taken for chosen. */
    gtk_list_box_set_selection_mode(window->sidebar, GTK_SELECTION_SINGLE);
    if (show_running(window))
        return;
    if (row == NULL && g_str_equal(last, LIBRARY_NAME))
        row = window->library_row;
    for (guint i = 0; row == NULL && i < n; i++) {
        g_autoptr(PltDrive) drive = g_list_model_get_item(G_LIST_MODEL(window->drives), i);

        if (g_list_model_get_n_items(plt_drive_get_folders(drive)) > 0)
            row = row_of(window, plt_drive_get_name(drive));
    }
    if (row == NULL && n > 0)
        row = gtk_list_box_get_row_at_index(window->sidebar, 0);
    if (row == NULL) {
        show_empty(window);
        return;
    }
    gtk_list_box_select_row(window->sidebar, row);
    gtk_widget_grab_focus(GTK_WIDGET(row));
}

static void update_running(PltWindow *window)
{
    for (int i = 0;; i++) {
        GtkListBoxRow *row = gtk_list_box_get_row_at_index(window->sidebar, i);

        if (row == NULL || !PLT_IS_DRIVE_ROW(row))
            return;
        plt_drive_row_set_running(
            PLT_DRIVE_ROW(row),
            plt_job_list_find_for_drive(
                window->jobs, plt_drive_get_name(plt_drive_row_get_drive(PLT_DRIVE_ROW(row)))) != NULL);
    }
}

/* Loop and zram devices come and go by a program's or the person's own doing. */
static void announce_removal(PltWindow *window, PltDrive *drive)
{
    const char *bus = plt_drive_get_bus(drive);
    g_autofree char *text = NULL;

    if (g_strcmp0(bus, "loop") == 0 || g_strcmp0(bus, "zram") == 0)
        return;
    /* Translators: a drive was unplugged; %s is its model. */
    text = g_strdup_printf(_("%s was removed"), plt_drive_get_title(drive));
    plt_window_add_toast(window, text);
}

static void remove_row(PltWindow *window, GtkListBoxRow *row)
{
    g_autoptr(PltDrive) drive = g_object_ref(plt_drive_row_get_drive(PLT_DRIVE_ROW(row)));
    PltDrivePage *page = g_hash_table_lookup(window->pages, drive);
    gboolean shown = page != NULL && page == plt_window_get_drive_page(window);

    gtk_list_box_remove(window->sidebar, GTK_WIDGET(row));
    if (shown)
        set_root(window, window->empty_page);
    g_hash_table_remove(window->pages, drive);
    announce_removal(window, drive);
}

static void drives_changed(PltWindow *window, guint position, guint removed, guint added, GListModel *drives)
{
    for (guint i = 0; i < removed; i++)
        remove_row(window, gtk_list_box_get_row_at_index(window->sidebar, (int)position));
    for (guint i = position; i < position + added; i++) {
        g_autoptr(PltDrive) drive = g_list_model_get_item(drives, i);

        gtk_list_box_insert(window->sidebar, plt_drive_row_new(drive), (int)i);
    }
    update_running(window);
    /* At the start the choice waits for the mounts, which it looks at. */
    if (gtk_list_box_get_selected_row(window->sidebar) == NULL && !plt_drive_list_is_loading(window->drives))
        select_something(window);
}

static void loading_changed(PltWindow *window)
{
    if (!plt_drive_list_is_loading(window->drives) && gtk_list_box_get_selected_row(window->sidebar) == NULL)
        select_something(window);
}

/* Headings: one above the drives, a line above the library. */
static void update_header(GtkListBoxRow *row, GtkListBoxRow *before, gpointer user)
{
    PltWindow *window = user;
    GtkWidget *header = NULL;

    if (row == window->library_row) {
        header = before != NULL ? gtk_separator_new(GTK_ORIENTATION_HORIZONTAL) : NULL;
    } else if (before == NULL) {
        header = gtk_label_new(_("Drives"));
        gtk_label_set_xalign(GTK_LABEL(header), 0);
        gtk_widget_add_css_class(header, "heading");
        gtk_widget_add_css_class(header, "sidebar-heading");
    }
    gtk_list_box_row_set_header(row, header);
}

/* Tab would go to the next row, which shows it: the page that is shown could not be reached. */
static gboolean tab_forward(GtkWidget *list, GVariant *arguments, gpointer user)
{
    PltWindow *window = user;

    return !adw_navigation_split_view_get_collapsed(window->split_view) &&
           gtk_widget_child_focus(GTK_WIDGET(window->content_page), GTK_DIR_TAB_FORWARD);
}

static gboolean tab_backward(GtkWidget *list, GVariant *arguments, gpointer user)
{
    PltWindow *window = user;

    return gtk_widget_child_focus(GTK_WIDGET(window->menu_button), GTK_DIR_TAB_BACKWARD);
}

static void add_tab_keys(PltWindow *window)
{
    GtkEventController *keys = gtk_shortcut_controller_new();

    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys), gtk_shortcut_new(gtk_shortcut_trigger_parse_string("Tab|KP_Tab"),
                                                        gtk_callback_action_new(tab_forward, window, NULL)));
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_shortcut_trigger_parse_string("<Shift>Tab|<Shift>ISO_Left_Tab|<Shift>KP_Tab"),
                         gtk_callback_action_new(tab_backward, window, NULL)));
    gtk_widget_add_controller(GTK_WIDGET(window->sidebar), keys);
}

void plt_window_connect_sidebar(PltWindow *window)
{
    GListModel *drives = G_LIST_MODEL(window->drives);

    add_tab_keys(window);
    gtk_list_box_set_header_func(window->sidebar, update_header, window, NULL);
    g_signal_connect_object(drives, "items-changed", G_CALLBACK(drives_changed), window, G_CONNECT_SWAPPED);
    g_signal_connect_object(drives, "notify::loading", G_CALLBACK(loading_changed), window,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(window->jobs, "items-changed", G_CALLBACK(update_running), window,
                            G_CONNECT_SWAPPED);
    show_empty(window);
    drives_changed(window, 0, 0, g_list_model_get_n_items(drives), drives);
}
