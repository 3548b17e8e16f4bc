/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/drive.h"

/*
 * All drives of this machine, as a GListModel of PltDrive that follows plug and unplug (kernel uevents),
 * mounts (the mount table's change event) and, once a second while someone asks for it, temperatures. Loop
 * and zram devices only when asked. All reading is done in threads: the list is empty when it is made and
 * fills from the main loop.
 *
 * Properties: "loading" b (read-only; TRUE until drives and mounts were looked at once), "with-virtual" b.
 * The signal "refreshed" tells that everything was looked at and nothing has changed since.
 */
#define PLT_TYPE_DRIVE_LIST (plt_drive_list_get_type())
G_DECLARE_FINAL_TYPE(PltDriveList, plt_drive_list, PLT, DRIVE_LIST, GObject)

/* ROOT: where /sys and /proc are taken from, NULL = "/": tests have a tree of their own. */
PltDriveList *plt_drive_list_new(const char *root, gboolean with_virtual);

PltDrive *plt_drive_list_find(PltDriveList *list,
                              const char *name); /* owned by the list; NULL if not there */

gboolean plt_drive_list_is_loading(PltDriveList *list);

/* Looks again now: free space changes without an event. A recorded tree (ROOT) is looked at only by this. */
void plt_drive_list_refresh(PltDriveList *list);

/* Temperatures are read once a second between the two calls; they count. */
void plt_drive_list_watch_temperatures(PltDriveList *list);
void plt_drive_list_unwatch_temperatures(PltDriveList *list);
