/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/run-store.h"

/*
 * The runs of the library: search, filters by suite, drive and date, selection of several to delete or to
 * compare. Activates "win.show-run" (x) and "win.compare-runs" (ax). A widget to put into any page.
 *
 * Properties: "store" (PltRunStore), "drive" s (model of the drive whose runs are shown; NULL = all drives,
 * with a filter to choose one).
 */
#define PLT_TYPE_LIBRARY_PAGE (plt_library_page_get_type())
G_DECLARE_FINAL_TYPE(PltLibraryPage, plt_library_page, PLT, LIBRARY_PAGE, AdwBin)

GtkWidget *plt_library_page_new(void);

void plt_library_page_set_store(PltLibraryPage *page, PltRunStore *store);
void plt_library_page_set_drive(PltLibraryPage *page, const char *model);

/* The cursor goes to the search. */
void plt_library_page_search(PltLibraryPage *page);
