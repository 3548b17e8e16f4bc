/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/folder.h"
#include "drive/place.h"
#include "drive/stack.h"

/* What a throw-away file in the folder showed. */
typedef struct {
    gboolean made;       /* FALSE: no file could be made, the rest says nothing */
    gboolean direct;     /* O_DIRECT could be switched on, and a block written and read with it */
    gboolean honoured;   /* … and the page cache stayed empty */
    gboolean nocow;      /* FS_NOCOW_FL is set */
    gboolean compressed; /* FS_COMPR_FL is set */
} PltProbe;

struct plt_folder {
    char *root; /* "" for this machine, else a recorded tree */
    int fd;     /* O_PATH; -1 for a recorded tree */
    gboolean allow_memory;
    PltPlace *place;
    PltStack *stack;
    gboolean probed;
    PltProbe probe;
    gboolean watched;      /* the next two were measured */
    double busy;           /* share of the time in which others used the drives, 0..1 */
    guint64 waiting;       /* bytes that waited in memory to be written */
    gboolean has_reserved; /* a test file was made; before it, this was free: */
    guint64 free_before;
};

/* Takes PLACE over; FD may be -1. */
PltFolder *plt_folder_new(const char *root, PltPlace *place, int fd, gboolean allow_memory);

/* Makes the throw-away file on first use. */
const PltProbe *plt_folder_probe(PltFolder *folder);

/* Looks at what others do with the drives, for 100 ms; to be called before the first own I/O. */
void plt_folder_watch(PltFolder *folder);

/* Free bytes as they were before the last test file was made here, or now. */
guint64 plt_folder_free_before(PltFolder *folder);

/* The logical block of the device that the file system sits on; 512 where it cannot be told. */
guint32 plt_folder_device_block(PltFolder *folder);
