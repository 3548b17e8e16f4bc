/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "drive/error.h"
#include "drive/warning.h"
#include "engine/workload.h"

/* A folder on a mounted file system, as a place to measure. */
typedef struct plt_folder PltFolder;

/*
 * Resolves PATH (followed to its real path) and reads what lies under it. Refuses with one sentence and what
 * to do: what does not exist or is no folder; FUSE and network file systems; tmpfs, ramfs and an overlay
 * whose upper layer is one, unless ALLOW_MEMORY; read-only mounts; folders without write permission; anything
 * under /dev, /proc or /sys, also through a link.
 */
PltFolder *plt_folder_open(const char *path, gboolean allow_memory, GError **error);
void plt_folder_free(PltFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltFolder, plt_folder_free)

const char *plt_folder_path(PltFolder *folder);   /* real path */
const char *plt_folder_fstype(PltFolder *folder); /* "ext4", "btrfs", … */
guint64 plt_folder_free_bytes(PltFolder *folder); /* for this user, now */

/* Block device names of the drives underneath ("nvme0n1", "sda"); empty where none can be told. */
GStrv plt_folder_drives(PltFolder *folder);

/* What is between the folder and the drives, top first: "ext4", "LUKS", "LVM", "md raid0", "partition". */
GStrv plt_folder_layers(PltFolder *folder);

/* TRUE when OTHER_PATH lies on one of the same drives: the library, say. */
gboolean plt_folder_shares_drive(PltFolder *folder, const char *other_path);

/* Adds the warnings that the place itself deserves, for a test file of SIZE bytes. */
void plt_folder_add_warnings(PltFolder *folder, guint64 size, GPtrArray *warnings);

/* An object: kind "folder", path, file system, mount options, size, free, layers, drives. */
JsonNode *plt_folder_to_json(PltFolder *folder);

/* An array: model, firmware, serial, capacity, bus, link, queue settings, temperature of each drive
 * underneath. */
JsonNode *plt_folder_drives_to_json(PltFolder *folder);

/* A test file in a folder that nothing can find or leave behind: closed, it is gone. */
typedef struct {
    int fd;
    guint64 size;
    guint32 logical_block;
    guint32 memory_align;
    gboolean direct; /* O_DIRECT is on and was seen to work */
} PltTestFile;

/*
 * Makes a file of SIZE bytes: O_TMPFILE, or created with a random name and unlinked at once where the file
 * system has no O_TMPFILE; NOCOW set where the file system has it; free space checked first; O_DIRECT or
 * refused. BLOCK is the smallest block that will be used: refused when it is no multiple of what the file
 * system asks. The content is undefined (holes) until it is written: see the runner's prepare step.
 */
gboolean plt_folder_make_test_file(PltFolder *folder, guint64 size, guint32 block, PltTestFile *file,
                                   GError **error);
void plt_test_file_close(PltTestFile *file);

/* TRUE when the first SIZE bytes of FD are all written extents: no holes, no unwritten ones (FIEMAP,
 * SEEK_HOLE). */
gboolean plt_test_file_is_written(int fd, guint64 size);
