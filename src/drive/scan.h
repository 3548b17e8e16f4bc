/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/*
 * One look at all drives of a machine, and one at what is mounted from them: plain data, read in any thread.
 * They are two, since a mount of a drive that does not answer may hold its reader for long.
 */
typedef struct {
    char *sysfs_name;   /* "nvme0n1", "cciss!c0d0" */
    guint64 sequence;   /* the kernel's number of this disk, new for every disk that appears; 0 = none */
    JsonObject *device; /* see plt_device_to_json */
    char *file;         /* what a loop device shows; NULL for others */
    GPtrArray *sensors; /* PltSensor */
} PltDriveState;

typedef struct {
    char *path;   /* where this user may write: the mount point or a folder below it; else the mount point */
    char *point;  /* the mount point */
    char *fstype; /* "ext4" */
    char *source; /* "/dev/nvme0n1p2" */
    GStrv layers; /* top first: "ext4", "LUKS", "partition" */
    guint64 size, free; /* bytes; free is what this user may use */
    gboolean writable;
} PltMountState;

void plt_drive_state_free(PltDriveState *state);
PltMountState *plt_mount_state_copy(const PltMountState *state);
void plt_mount_state_free(PltMountState *state);

/*
 * PltDriveState of the whole drives below ROOT, built-in ones first. Not partitions, what is built on other
 * drives (RAID, LVM, LUKS), optical drives, readers without a medium; loop and zram devices WITH_VIRTUAL.
 */
GPtrArray *plt_scan_drives(const char *root, gboolean with_virtual);

/*
 * sysfs name → GPtrArray of PltMountState, where the drive has a mounted file system, the place with the most
 * free space first. Of several mounts of one file system the one that this user can use stands for all.
 */
GHashTable *plt_scan_mounts(const char *root);
