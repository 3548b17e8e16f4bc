/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/types.h>

#include "drive/error.h"
#include "drive/filesystem.h"

/* What is known about where a folder or file lies: all that the decision to accept it needs. */
typedef struct plt_place {
    char *path;        /* real path */
    char *fstype;      /* "ext4", or "unknown" */
    char *source;      /* of the mount, or "" */
    char *options;     /* of the mount, or "" */
    char *mount_point; /* or NULL where the mount table does not show it */
    guint64 magic;     /* of statfs, 0 if unknown */
    dev_t dev;
    char *btrfs_id;          /* the file system's UUID as text, or NULL */
    gboolean read_only;      /* the mount or the file system */
    gboolean writable;       /* files may be made by this user */
    guint64 size, free;      /* bytes; free is what an ordinary user may still use; size 0 = not known */
    guint32 block_size;      /* of statfs; 0 = not known */
    struct plt_place *upper; /* where an overlay really writes; NULL if it is none or cannot be seen */
} PltPlace;

/*
 * Looks at PATH (absolute, links followed) through the descriptor FD (O_PATH will do). With FD -1, only what
 * the mount table below ROOT says is known: for recorded trees.
 */
PltPlace *plt_place_new(const char *root, const char *path, int fd);
void plt_place_free(PltPlace *place);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltPlace, plt_place_free)

/* Opens PATH (a folder or a file) on this machine and looks at it; NULL when it cannot be reached. */
PltPlace *plt_place_locate(const char *root, const char *path);

PltFsKind plt_place_kind(const PltPlace *place);

/* Where files are really made: the bottom of a pile of overlays, or PLACE itself. */
const PltPlace *plt_place_base(const PltPlace *place);

/* TRUE when it, or what an overlay writes to, is stored in memory. */
gboolean plt_place_in_memory(const PltPlace *place);

/* May a test file be made here? A pure function of PLACE: one sentence says why not and what to do. */
gboolean plt_place_check(const PltPlace *place, gboolean allow_memory, GError **error);

/*
 * The part of the decision that can be made from the mount table alone, before PATH is touched: a server that
 * does not answer must not hang the program.
 */
gboolean plt_place_check_mount(const char *root, const char *path, GError **error);
