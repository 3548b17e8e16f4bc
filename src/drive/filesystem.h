/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* What a file system means for a measurement. */
typedef enum {
    PLT_FS_DRIVE,     /* stored on block devices of this machine, or unknown: accepted */
    PLT_FS_OVERLAY,   /* writes go to a folder on another file system */
    PLT_FS_MEMORY,    /* stored in memory */
    PLT_FS_FUSE,      /* a program stands between the folder and the drive */
    PLT_FS_NETWORK,   /* another machine (or the host of this one) stores it */
    PLT_FS_PSEUDO,    /* stores nothing: shows the kernel's state */
    PLT_FS_READ_ONLY, /* can never be written */
} PltFsKind;

/*
 * FSTYPE is the mount table's name, MAGIC the one of statfs; either may be missing (NULL, 0). The name
 * decides where it is known, since one magic number may stand for several types (devtmpfs and tmpfs).
 */
PltFsKind plt_filesystem_kind(const char *fstype, guint64 magic);

/* The usual name for a magic number, for places that the mount table does not show; NULL if unknown. */
const char *plt_filesystem_name(guint64 magic);

/* The magic number for a name, 0 if unknown. */
guint64 plt_filesystem_magic(const char *fstype);

/* TRUE where a rewritten block goes to a new place unless a file is marked otherwise. */
gboolean plt_filesystem_copies_on_write(const char *fstype);
