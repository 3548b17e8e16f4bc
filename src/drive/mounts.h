/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/types.h>

/* One line of the mount table. */
struct plt_mount_entry {
    char *point;   /* where it is mounted */
    char *fstype;  /* "ext4", "fuse.sshfs" */
    char *source;  /* "/dev/sda1", "server:/export", "tank/home"; "" where it has none */
    char *options; /* of the mount and of the file system, comma-separated */
    dev_t dev;     /* as in stat; major 0 where no single block device holds it */
};

void plt_mount_entry_free(struct plt_mount_entry *mount);
typedef struct plt_mount_entry PltMountEntry;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltMountEntry, plt_mount_entry_free)

#define PLT_MOUNT_ID_UNKNOWN 0

/*
 * The mount that holds PATH (absolute, without links) in the table /proc/self/mountinfo below ROOT: the one
 * whose number is ID where the kernel told it, else the last one with the longest matching mount point. NULL
 * when the table cannot be read or does not show it, as in a chroot.
 */
struct plt_mount_entry *plt_mounts_find(const char *root, const char *path, guint64 id);

/* The value of an option: NULL when it is not set, "" when it has no value. */
char *plt_mounts_option(const char *options, const char *name);
