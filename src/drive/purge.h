/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/block.h"

/* How a drive is made as new. */
typedef enum {
    PLT_PURGE_AUTO,     /* the first of the following that drive and access allow */
    PLT_PURGE_SANITIZE, /* NVMe Sanitize, block erase, deallocating */
    PLT_PURGE_FORMAT,   /* NVMe Format, user data erase */
    PLT_PURGE_DISCARD,  /* BLKDISCARD of everything, in steps that can be cancelled */
} PltPurgeMethod;

/* The names in suite files and on the command line: "auto", "sanitize", "format", "discard". */
const char *plt_purge_method_name(PltPurgeMethod method);
gboolean plt_purge_method_from_name(const char *name, PltPurgeMethod *method);

/* What the use of METHOD asks of the guard: ERASE for sanitize, format and auto where the drive has them. */
PltDriveUse plt_purge_use(const char *root, const char *name, PltPurgeMethod method);

/* FRACTION done, 0..1; on the calling thread. */
typedef void (*PltPurgeFunc)(double fraction, gpointer user);

/*
 * Erases BLOCK, which must be open for plt_purge_use, by METHOD; the guard is asked again first. LBA_SIZE
 * chooses the LBA format by its data size, 0 keeps the active one (others only with FORMAT, as root). Blocks
 * until the drive has finished. A sanitize goes on in the drive whatever happens: cancelling is refused once
 * it has begun; a discard stops between two steps. *RECORD (may be NULL) gets the object that the run keeps:
 * "method", "passes" of what was really done in order, "lba_size", "seconds", "why" a better method was not
 * used, "ends_read_zero" (b) where the drive promises that empty blocks do. FALSE with one sentence when it
 * failed or was stopped.
 */
gboolean plt_purge(PltBlock *block, PltPurgeMethod method, guint32 lba_size, PltPurgeFunc func, gpointer user,
                   GCancellable *cancellable, JsonNode **record, GError **error);
