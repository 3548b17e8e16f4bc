/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/run-store.h"
#include "drive/drive.h"

/*
 * All about one drive, as a page of a navigation view: Benchmark, Health (where it has a sensor), Details,
 * Results. Properties: "drive" (PltDrive).
 */
#define PLT_TYPE_DRIVE_PAGE (plt_drive_page_get_type())
G_DECLARE_FINAL_TYPE(PltDrivePage, plt_drive_page, PLT, DRIVE_PAGE, AdwNavigationPage)

/* STORE may be NULL: no results are shown then. */
PltDrivePage *plt_drive_page_new(PltDrive *drive, PltRunStore *store);

PltDrive *plt_drive_page_get_drive(PltDrivePage *page);

/* The NUMBER-th tab from 1, of those that this drive has; nothing happens when there are fewer. */
void plt_drive_page_show_tab(PltDrivePage *page, guint number);

/* The run that is on its way on this drive. */
void plt_drive_page_show_job(PltDrivePage *page);

/* The results of this drive, with the search open. */
void plt_drive_page_search(PltDrivePage *page);
gboolean plt_drive_page_shows_results(PltDrivePage *page);
