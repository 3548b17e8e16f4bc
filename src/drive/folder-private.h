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
};

/* Takes PLACE over; FD may be -1. */
PltFolder *plt_folder_new(const char *root, PltPlace *place, int fd, gboolean allow_memory);

/* Makes the throw-away file on first use. */
const PltProbe *plt_folder_probe(PltFolder *folder);

/* The logical block of the device that the file system sits on; 512 where it cannot be told. */
guint32 plt_folder_device_block(PltFolder *folder);
