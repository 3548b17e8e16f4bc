/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/database.h"
#include "library/queue.h"

/* Turns entries into rows: what the recorder's thread works with. Not thread-safe. */
typedef struct plt_writer PltWriter;

/* Takes over DATABASE. */
PltWriter *plt_writer_new(PltDatabase *database, gint64 run_id);
void plt_writer_free(PltWriter *writer);

/*
 * Writes ENTRIES (PltEntry) in one transaction, all or none: after a failure the same entries can be given
 * again.
 */
gboolean plt_writer_write(PltWriter *writer, GQueue *entries, GError **error);

/* Moves what the log holds into the file if that is due; IDLE tells that nothing is being measured now. */
void plt_writer_checkpoint(PltWriter *writer, gboolean idle);
