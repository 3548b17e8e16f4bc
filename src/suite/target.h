/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "drive/block.h"
#include "drive/folder.h"
#include "suite/plan.h"

/*
 * What a run acts on: a folder, in which it makes a test file, or a whole drive, or a range of one. Only
 * suites that write need a confirmation for a drive, and without one nothing is ever written to it.
 */
typedef struct plt_target PltTarget;

/* Takes FOLDER over. */
PltTarget *plt_target_new_folder(PltFolder *folder);

/*
 * The drive of SEAL, which is what the person was shown; of it LENGTH bytes from OFFSET, 0 = all behind
 * OFFSET. NULL with a sentence when that is no range of it, or no multiple of its logical block.
 */
PltTarget *plt_target_new_drive(const PltDriveSeal *seal, guint64 offset, guint64 length, GError **error);
void plt_target_free(PltTarget *target);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltTarget, plt_target_free)

PltFolder *plt_target_get_folder(PltTarget *target);        /* NULL for a drive */
const PltDriveSeal *plt_target_get_seal(PltTarget *target); /* NULL for a folder */
guint64 plt_target_get_offset(PltTarget *target);           /* bytes; 0 for a folder */
guint64 plt_target_get_length(PltTarget *target);           /* bytes that a suite may use at most */

/*
 * Likewise for PLAN. In a folder that is what is free but for what PLAN leaves, by default the larger of 1
 * GiB and 1 % of what is free.
 */
guint64 plt_target_get_room(PltTarget *target, const PltPlan *plan);
guint64 plt_target_get_margin(PltTarget *target, const PltPlan *plan); /* bytes; 0 for a drive */

GStrv plt_target_get_drives(PltTarget *target); /* kernel names; newly allocated */

/*
 * The person has typed TYPED (or given it to the command line) to agree that the drive is overwritten. FALSE
 * with a sentence when it does not fit, see plt_guard_confirms. A folder needs none.
 */
gboolean plt_target_confirm(PltTarget *target, const char *typed, GError **error);

/*
 * Could PLAN run on TARGET now? Asks the guard, the confirmation and the space; nothing is opened for writing
 * and nothing written. FALSE with one sentence.
 */
gboolean plt_target_check(PltTarget *target, const PltPlan *plan, GError **error);

/*
 * Opens the target for PLAN: makes the test file, or opens the drive once for the whole run, for writing only
 * if the plan writes. May wait for a password. FALSE with one sentence.
 */
gboolean plt_target_open(PltTarget *target, const PltPlan *plan, GCancellable *cancellable, GError **error);
void plt_target_close(PltTarget *target);

/* The run's "target" and "drive" documents; an open target knows more. */
JsonNode *plt_target_to_json(PltTarget *target);
JsonNode *plt_target_drives_to_json(PltTarget *target);

/* What is on a drive and would be lost to PLAN, see plt_guard_losses_to_json; an empty array for a folder. */
JsonNode *plt_target_losses_to_json(PltTarget *target, const PltPlan *plan);

/* The rest is for an open target. */

/* Asked before every step that changes data: is it still the drive that may be written? */
gboolean plt_target_check_write(PltTarget *target, GError **error);

/*
 * The engine works on FILE, which stays the caller's, until this is called with NULL: for folders whose plan
 * makes files of its own.
 */
void plt_target_lend_file(PltTarget *target, const PltTestFile *file);

/* What the engine works on with blocks of BLOCK bytes. */
void plt_target_get_engine(PltTarget *target, guint32 block, struct plt_engine_target *engine);

guint32 plt_target_get_logical_block(PltTarget *target);
PltBlock *plt_target_get_block(PltTarget *target); /* NULL for a folder */
gboolean plt_target_is_gone(PltTarget *target);
gboolean plt_target_is_written(PltTarget *target); /* no holes: see plt_test_file_is_written */
gboolean plt_target_shares_drive(PltTarget *target, const char *path);

/* Adds what a reader of the figures must know. */
void plt_target_add_warnings(PltTarget *target, const PltPlan *plan, GPtrArray *warnings);
