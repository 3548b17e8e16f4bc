/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Real file systems for tests, in a mount namespace of the test's own: whatever happens, they vanish with it.
 * Root gets loop devices as well; others get what a user namespace allows (tmpfs, overlays, bind mounts).
 */

/* Call first in main, while the program has one thread. */
void scratch_init(void);

/* Unmounts and removes everything. */
void scratch_finish(void);

/* A new folder in the build tree; newly allocated. */
char *scratch_folder(const char *name);

/* FALSE, and the test is marked as skipped, where it cannot be done here. */
gboolean scratch_mount(const char *source, const char *target, const char *fstype, unsigned long flags,
                       const char *data);

/*
 * A loop mount of a fresh file system of 320 MiB, made by the program MKFS with ARGUMENTS (separated by
 * blanks); NULL and skipped where the program, the kernel's driver or the right is missing. LOGICAL_BLOCK is
 * the loop device's, 0 = its own.
 */
char *scratch_image(const char *name, const char *mkfs, const char *arguments, const char *options,
                    guint logical_block);

/* Runs COMMAND; TRUE when it could be started and ended with 0. */
gboolean scratch_run(const char *command);
