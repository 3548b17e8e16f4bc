/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/error.h"

/*
 * Who records a run right now? The recorder holds an advisory lock on a file of its own beside the library,
 * "library.db-run-UUID". The kernel drops the lock with the process, however it ends, so no process id is
 * ever compared; the file is removed at the end, or by recovery when its process was killed.
 */
typedef struct plt_lock PltLock;

/* Takes the lock of run UUID of the library at LIBRARY_PATH. NULL with ERROR when it cannot be had. */
PltLock *plt_lock_take(const char *library_path, const char *uuid, GError **error);

typedef enum {
    PLT_LOCK_HELD,    /* its recorder lives, or nothing can be told */
    PLT_LOCK_FREE,    /* its recorder died: the caller has the lock now, in LOCK */
    PLT_LOCK_MISSING, /* its recorder has ended or never was */
} PltLockState;

/* Tries the lock of a run that somebody else may be recording. */
PltLockState plt_lock_try(const char *library_path, const char *uuid, PltLock **lock);

/* Removes the file and gives the lock back. */
void plt_lock_release(PltLock *lock);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltLock, plt_lock_release)

/* The uuids that have a lock file beside the library. */
GStrv plt_lock_list(const char *library_path);
