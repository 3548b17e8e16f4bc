/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/job-list.h"
#include "app/run-store.h"
#include "drive/list.h"

/*
 * The program: one instance a session. It owns what outlives a window: the list of drives, the running jobs,
 * the store of results and the settings.
 */
#define PLT_TYPE_APPLICATION (plt_application_get_type())
G_DECLARE_FINAL_TYPE(PltApplication, plt_application, PLT, APPLICATION, AdwApplication)

PltApplication *plt_application_new(void);

/* The running program; NULL in a test without one. */
PltApplication *plt_application_get_default(void);

PltDriveList *plt_application_get_drives(PltApplication *application);
PltJobList *plt_application_get_jobs(PltApplication *application);
PltRunStore *plt_application_get_store(PltApplication *application);
GSettings *plt_application_get_settings(PltApplication *application);

/* Where results are kept; NULL means the library's usual place. */
const char *plt_application_get_library_path(PltApplication *application);
