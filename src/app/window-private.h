/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/drive-page.h"
#include "app/library-page.h"
#include "app/window.h"

struct _PltWindow {
    AdwApplicationWindow parent_instance;
    AdwToastOverlay *toasts;
    AdwNavigationSplitView *split_view;
    AdwNavigationPage *content_page;
    AdwNavigationView *content_view;
    AdwNavigationPage *empty_page;
    GtkStack *empty_stack;
    AdwNavigationPage *library_page;
    AdwBin *library_bin; /* empty until the library is looked at */
    GtkMenuButton *menu_button;
    GtkListBox *sidebar;
    GtkListBoxRow *library_row;
    GtkLabel *library_count;

    PltDriveList *drives;
    PltJobList *jobs;
    PltRunStore *store;
    GSettings *settings;
    GHashTable *pages;       /* PltDrive → PltDrivePage, kept while the drive is there: each has its state */
    gboolean watching;       /* temperatures */
    gboolean sidebar_hidden; /* by the person, in a window that is wide enough for it */
    guint collapse_source;
};

/* window-sidebar.c: rows follow drives and jobs; what is selected is what is shown. */
void plt_window_connect_sidebar(PltWindow *window);
void plt_window_sidebar_row_selected(PltWindow *window, GtkListBoxRow *row);
void plt_window_sidebar_row_activated(PltWindow *window, GtkListBoxRow *row);

/* Selects the drive NAME, which shows its page; NULL when it is not there. */
PltDrivePage *plt_window_select_drive(PltWindow *window, const char *name);
void plt_window_select_library(PltWindow *window);

/* Made at the first call. */
PltLibraryPage *plt_window_get_library(PltWindow *window);

/* The page of what is selected, below pages that were opened on it; NULL for the library or nothing. */
PltDrivePage *plt_window_get_drive_page(PltWindow *window);

/* window-actions.c */
void plt_window_install_actions(GtkWidgetClass *widget_class);
