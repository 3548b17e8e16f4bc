/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "drive/drive.h"
#include "suite/job.h"

/*
 * The runs of this session: a GListModel of the PltJob that are on their way, oldest first. While there is
 * one, the program stays alive without a window, and the session is asked not to suspend or log out. A run's
 * start, end and failure are announced to screen readers; its end is a notification where no window is in
 * front.
 *
 * Signals: "job-started" (PltJob), "job-ended" (PltJob; it is no longer in the list then).
 */
#define PLT_TYPE_JOB_LIST (plt_job_list_get_type())
G_DECLARE_FINAL_TYPE(PltJobList, plt_job_list, PLT, JOB_LIST, GObject)

/* APPLICATION may be NULL (a test): nothing is held, inhibited or announced then. It owns the list, and the
 * list does not hold it. */
PltJobList *plt_job_list_new(GtkApplication *application);

/* Where the runs are recorded; NULL, as from the start: where the program keeps its results. */
void plt_job_list_set_library_path(PltJobList *list, const char *path);

/*
 * Starts PLAN on TARGET, which lies on DRIVE. Takes PLAN and TARGET, also when it refuses: a drive has one
 * run at a time. The job belongs to the list.
 */
PltJob *plt_job_list_start(PltJobList *list, PltPlan *plan, PltTarget *target, PltDrive *drive,
                           GError **error);

/* The run on the drive NAME ("nvme0n1"), or NULL. */
PltJob *plt_job_list_find_for_drive(PltJobList *list, const char *name);

/* The runs of this session on the drive NAME, oldest first, with those that have ended (the last few). New
 * array of PltJob with references. */
GPtrArray *plt_job_list_get_history(PltJobList *list, const char *name);

/* The drive that JOB runs on: its kernel name and what people call it; NULL for a job of another list. */
const char *plt_job_list_get_drive_name(PltJobList *list, PltJob *job);
const char *plt_job_list_get_drive_title(PltJobList *list, PltJob *job);
