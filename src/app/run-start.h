/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/job-list.h"

/* From here on a person is asked before the start: a drive of 500 GB has written a tenth of itself then. */
#define PLT_RUN_START_ASK_BYTES G_GUINT64_CONSTANT(50000000000)

/*
 * Starts PLAN (taken) in the folder PATH of DRIVE, or on the whole of DRIVE where its suite erases one: looks
 * at the target in a thread, refuses what cannot be measured before anything is written, asks on PARENT where
 * a drive is erased, much is written, or another drive is being measured, and hands it to JOBS. SETTINGS (may
 * be NULL) remembers for which suites not to ask again.
 */
void plt_run_start_async(GtkWidget *parent, PltJobList *jobs, PltDrive *drive, PltPlan *plan,
                         const char *path, GSettings *settings, GAsyncReadyCallback callback, gpointer user);

/* The job, which belongs to the list. NULL with an error: a PLT_ERROR whose sentence a person should read, or
 * G_IO_ERROR_CANCELLED where that person said no. */
PltJob *plt_run_start_finish(GAsyncResult *result, GError **error);
