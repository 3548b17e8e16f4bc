/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "app/result-view.h"
#include "app/window-private.h"

static void show_drive(GtkWidget *widget, const char *action, GVariant *parameter)
{
    plt_window_select_drive(PLT_WINDOW(widget), g_variant_get_string(parameter, NULL));
}

static void show_job(GtkWidget *widget, const char *action, GVariant *parameter)
{
    PltDrivePage *page = plt_window_select_drive(PLT_WINDOW(widget), g_variant_get_string(parameter, NULL));

    if (page != NULL)
        plt_drive_page_show_job(page);
}

static void show_library(GtkWidget *widget, const char *action, GVariant *parameter)
{
    plt_window_select_library(PLT_WINDOW(widget));
}

static void push_result(PltWindow *window, const gint64 *ids, gsize n_ids)
{
    PltResultView *view = plt_result_view_new(window->store);

    if (n_ids == 1)
        plt_result_view_set_run_id(view, ids[0]);
    else
        plt_result_view_set_run_ids(view, ids, n_ids);
    adw_navigation_view_push(window->content_view, ADW_NAVIGATION_PAGE(view));
    adw_navigation_split_view_set_show_content(window->split_view, TRUE);
}

static void show_run(GtkWidget *widget, const char *action, GVariant *parameter)
{
    gint64 id = g_variant_get_int64(parameter);

    push_result(PLT_WINDOW(widget), &id, 1);
}

static void compare_runs(GtkWidget *widget, const char *action, GVariant *parameter)
{
    gsize n_ids = 0;
    const gint64 *ids = g_variant_get_fixed_array(parameter, &n_ids, sizeof *ids);

    if (n_ids > 0)
        push_result(PLT_WINDOW(widget), ids, n_ids);
}

/* Where results are on the screen, there; else in the library. */
static void search(GtkWidget *widget, const char *action, GVariant *parameter)
{
    PltWindow *window = PLT_WINDOW(widget);
    PltDrivePage *page = plt_window_get_drive_page(window);

    if (page != NULL && plt_drive_page_shows_results(page)) {
        plt_drive_page_search(page);
        return;
    }
    plt_window_select_library(window);
    plt_library_page_search(plt_window_get_library(window));
}

static void refresh(GtkWidget *widget, const char *action, GVariant *parameter)
{
    PltWindow *window = PLT_WINDOW(widget);

    plt_drive_list_refresh(window->drives);
    plt_run_store_refresh(window->store);
}

static void toast(GtkWidget *widget, const char *action, GVariant *parameter)
{
    plt_window_add_toast(PLT_WINDOW(widget), g_variant_get_string(parameter, NULL));
}

/* In a narrow window, to and from the list; in a wide one, the list goes away until it is asked for. */
static void toggle_sidebar(GtkWidget *widget, const char *action, GVariant *parameter)
{
    PltWindow *window = PLT_WINDOW(widget);
    AdwNavigationSplitView *split_view = window->split_view;

    if (adw_application_window_get_current_breakpoint(ADW_APPLICATION_WINDOW(window)) == NULL &&
        !window->sidebar_hidden) {
        adw_navigation_split_view_set_show_content(split_view, TRUE);
        window->sidebar_hidden = TRUE;
        adw_navigation_split_view_set_collapsed(split_view, TRUE);
    } else {
        adw_navigation_split_view_set_show_content(split_view,
                                                   !adw_navigation_split_view_get_show_content(split_view));
    }
}

static void show_tab(GtkWidget *widget, const char *action, GVariant *parameter)
{
    PltDrivePage *page = plt_window_get_drive_page(PLT_WINDOW(widget));

    if (page != NULL)
        plt_drive_page_show_tab(page, g_variant_get_uint32(parameter));
}

void plt_window_install_actions(GtkWidgetClass *widget_class)
{
    static const struct {
        const char *name, *type;
        GtkWidgetActionActivateFunc func;
    } actions[] = {
        {"win.show-drive", "s", show_drive},      {"win.show-job", "s", show_job},
        {"win.show-library", NULL, show_library}, {"win.show-run", "x", show_run},
        {"win.compare-runs", "ax", compare_runs}, {"win.search", NULL, search},
        {"win.refresh", NULL, refresh},           {"win.toast", "s", toast},
        {"win.show-tab", "u", show_tab},          {"win.toggle-sidebar", NULL, toggle_sidebar},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(actions); i++)
        gtk_widget_class_install_action(widget_class, actions[i].name, actions[i].type, actions[i].func);
}
