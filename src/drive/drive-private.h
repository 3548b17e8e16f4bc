/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/drive.h"
#include "drive/scan.h"

/* Takes STATE over. */
PltDrive *plt_drive_new(PltDriveState *state);

/* TRUE when STATE is still of the disk that DRIVE is: the same name may come back with another one. */
gboolean plt_drive_is_same(PltDrive *drive, const PltDriveState *state);

/* Takes STATE over and notifies what changed. */
void plt_drive_update(PltDrive *drive, PltDriveState *state);

/* MOUNTS (PltMountState) may be NULL: nothing is mounted. Objects of places that stay are kept. */
void plt_drive_update_folders(PltDrive *drive, GPtrArray *mounts);

/* Takes SENSORS over. */
void plt_drive_update_sensors(PltDrive *drive, GPtrArray *sensors);

const char *plt_drive_get_sysfs_name(PltDrive *drive);

/* Takes STATE over. */
PltMount *plt_mount_new(PltMountState *state);

/* FALSE when STATE is of another place; else takes what changed (not STATE itself) and notifies. */
gboolean plt_mount_update(PltMount *mount, const PltMountState *state);
