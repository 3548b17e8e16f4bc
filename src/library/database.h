/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

#include "drive/error.h"

/* One connection to a library file: what the library, the recorder and recovery share. One thread at a time.
 */
typedef struct {
    sqlite3 *db;
    char *path;
} PltDatabase;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(sqlite3_stmt, sqlite3_finalize)

/*
 * Opens, makes or migrates PATH (not NULL; its folder is made, for the user alone). Nothing is changed in a
 * file that is no library or was made by a newer program.
 */
PltDatabase *plt_database_open(const char *path, GError **error);

/* Opens a library of this version at PATH without changing anything, where nothing can be written. */
PltDatabase *plt_database_open_to_read(const char *path, GError **error);
void plt_database_close(PltDatabase *database);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltDatabase, plt_database_close)

/* Sets ERROR to the one sentence that the result code RC of the last call deserves. Always FALSE. */
gboolean plt_database_fail(PltDatabase *database, int rc, GError **error);

/* FALSE with a FORMAT error: what was read is not what a library holds. WHAT names it, English. */
gboolean plt_database_fail_damaged(PltDatabase *database, const char *what, GError **error);

gboolean plt_database_exec(PltDatabase *database, const char *sql, GError **error);
sqlite3_stmt *plt_database_prepare(PltDatabase *database, const char *sql, GError **error);

/* Steps to the next row: ROW tells whether there is one. */
gboolean plt_database_step(PltDatabase *database, sqlite3_stmt *statement, gboolean *row, GError **error);

/* Steps a statement that gives no rows. */
gboolean plt_database_done(PltDatabase *database, sqlite3_stmt *statement, GError **error);

/* The first column of the first row of SQL, which has to give one. */
gboolean plt_database_number(PltDatabase *database, const char *sql, gint64 *number, GError **error);

/* A write transaction; waits for other writers. ROLLBACK never fails in a way that matters. */
gboolean plt_database_begin(PltDatabase *database, GError **error);
gboolean plt_database_commit(PltDatabase *database, GError **error);
void plt_database_rollback(PltDatabase *database);

/* NULL stays NULL; the text is copied. */
void plt_bind_text(sqlite3_stmt *statement, int place, const char *text);
char *plt_column_text(sqlite3_stmt *statement, int column);
