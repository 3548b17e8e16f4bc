/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "drive/guard.h"

/*
 * A whole drive that is open for a run: one descriptor, from start to end, for reading or for writing. For
 * WRITE and ERASE it is opened with O_EXCL, on every namespace that the use would hit, so that nothing can be
 * mounted meanwhile, and locked, so that nothing probes it. The node is opened directly where this user may,
 * else by UDisks2's OpenDevice, once.
 */
typedef struct plt_block PltBlock;

typedef enum {
    PLT_BLOCK_MAY_ASK = 1 << 0, /* a password may be asked for (polkit); without it that is a refusal */
} PltBlockFlags;

/*
 * Opens the drive of SEAL for USE, after the guard has been asked. NULL with one sentence when the guard or
 * the system refuses. May wait for the person: not for the main loop's thread.
 */
PltBlock *plt_block_open(const PltDriveSeal *seal, PltDriveUse use, PltBlockFlags flags,
                         GCancellable *cancellable, GError **error);
void plt_block_close(PltBlock *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltBlock, plt_block_close)

/*
 * The guard once more, with what BLOCK itself holds left out: asked before every step that changes data. The
 * identity is read through the held descriptor's device number, not by name. FALSE with one sentence.
 */
gboolean plt_block_check(PltBlock *block, GError **error);

int plt_block_fd(PltBlock *block); /* O_DIRECT; owned by BLOCK */
PltDriveUse plt_block_use(PltBlock *block);
const PltDriveSeal *plt_block_seal(PltBlock *block);
guint64 plt_block_size(PltBlock *block);          /* bytes, as the kernel says now */
guint32 plt_block_logical_block(PltBlock *block); /* bytes, as the kernel says now */
guint32 plt_block_memory_align(PltBlock *block);
gboolean plt_block_is_gone(PltBlock *block); /* unplugged since */

/*
 * The object "target" of a run: "kind" ("drive"), "name", "size", "logical_block", "physical_block", "access"
 * ("direct", "udisks"), "exclusive" (b), "drives" (array with the name), "in_use" (b: something was mounted
 * when it was opened for reading).
 */
JsonNode *plt_block_to_json(PltBlock *block);
/* Warnings about the drive and what goes on at it, as plt_folder_add_warnings. */
void plt_block_add_warnings(PltBlock *block, GPtrArray *warnings);
