/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/folder.h"

/* How free space is filled: N_FILES files of FILE_SIZE bytes, the last one of LAST_SIZE. */
typedef struct {
    guint64 total; /* bytes of all files */
    guint64 file_size, last_size;
    guint n_files;
} PltSpacePlan;

/*
 * The files that take FREE bytes but for LEAVE, each at most FILE_MAX, all of whole BLOCKs. FALSE when not
 * even one block is left to fill.
 */
gboolean plt_space_plan(guint64 free_bytes, guint64 leave, guint64 file_max, guint32 block,
                        PltSpacePlan *plan);

/* Bytes of file I. */
guint64 plt_space_file_size(const PltSpacePlan *plan, guint i);

/* The largest file that the file system FSTYPE can have, in bytes; G_MAXINT64 where it hardly has a limit. */
guint64 plt_space_file_max(const char *fstype);

/*
 * Closes FILES (GArray of PltTestFile, without names) and waits, at most 10 s, until FOLDER has their bytes
 * free again: Btrfs and XFS give space back some time after a file has gone.
 */
void plt_space_give_back(PltFolder *folder, GArray *files);

/*
 * TRUE when somebody else has used up so much of what was to be left that the fill has to give way: less than
 * half of LEAVE is free.
 */
gboolean plt_space_is_short(guint64 free_bytes, guint64 leave);
