/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/folder-private.h"

/* What direct I/O on a file asks for, in bytes. */
typedef struct {
    gboolean possible;
    guint32 memory;
    guint32 offset;
} PltAlignment;

/*
 * Opens an empty file without a name in FOLDER for reading and writing, with NOCOW set where the file system
 * knows it. -1 with ERROR filled.
 */
int plt_test_file_open(PltFolder *folder, GError **error);

/*
 * The same for file systems without O_TMPFILE (FAT, exFAT …): made with a random name that is taken away at
 * once, so that it is there for some microseconds only.
 */
int plt_test_file_open_named(PltFolder *folder, GError **error);

/* What the errno value CODE means for a test file in FOLDER, as a sentence. */
void plt_test_file_set_error(PltFolder *folder, int code, GError **error);

/* Reads the alignment that FD asks for, and sets PROBE to what one block written and read shows. */
void plt_test_file_probe(PltFolder *folder, int fd, PltAlignment *alignment, PltProbe *probe);
