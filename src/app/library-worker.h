/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "library/library.h"

/*
 * A thread that reads and writes one library in the order of being asked, so that the main loop never waits
 * for a disk that is being measured.
 */
typedef struct plt_library_worker PltLibraryWorker;

/*
 * What is done there: TASK is returned by the function itself. LIBRARY is NULL when there is no file yet.
 */
typedef void (*PltLibraryWork)(GTask *task, PltLibrary *library);

/* PATH NULL = the usual place. Nothing is opened before the first work. */
PltLibraryWorker *plt_library_worker_new(const char *path);

/* Waits for what has been asked, then closes the library. */
void plt_library_worker_free(PltLibraryWorker *worker);

/* Takes TASK. When the library cannot be opened the task ends with that error and WORK is not called. */
void plt_library_worker_push(PltLibraryWorker *worker, GTask *task, PltLibraryWork work);

/* TRUE when what was opened can only be read; FALSE before anything was. */
gboolean plt_library_worker_is_read_only(PltLibraryWorker *worker);

/* Waits until all that was pushed so far is done. */
void plt_library_worker_wait(PltLibraryWorker *worker);
