/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/database.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "library/schema.h"

/* Longer than any commit of another writer takes; the deletion of a two-day run takes the longest. */
#define BUSY_TIMEOUT_MS 10000

static PltError code_of(int rc, int system_errno)
{
    switch (rc & 0xff) {
    case SQLITE_FULL:
        return PLT_ERROR_NO_SPACE;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return PLT_ERROR_FORMAT;
    case SQLITE_READONLY:
        return PLT_ERROR_READ_ONLY;
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return PLT_ERROR_PERMISSION;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        if (system_errno == ENOSPC || system_errno == EDQUOT || system_errno == EFBIG)
            return PLT_ERROR_NO_SPACE;
        if (system_errno == EROFS)
            return PLT_ERROR_READ_ONLY;
        if (system_errno == EACCES || system_errno == EPERM)
            return PLT_ERROR_PERMISSION;
        return (rc & 0xff) == SQLITE_IOERR ? PLT_ERROR_DEVICE : PLT_ERROR_FAILED;
    default:
        return PLT_ERROR_FAILED;
    }
}

static void set_error(GError **error, PltError code, int rc, const char *path, const char *detail)
{
    const char *format;
    if (rc == SQLITE_NOTADB)
        format = _("“%s” is not a Plateau library; choose another file or move this one away");
    else if (code == PLT_ERROR_FORMAT)
        format = _("The library “%s” is damaged; restore it from a copy, or move it away to begin a new one");
    else if (code == PLT_ERROR_NO_SPACE)
        format = _("There is no space left for the library “%s”; free some and try again");
    else if (code == PLT_ERROR_READ_ONLY)
        format = _("The library “%s” can only be read; make it and its folder writable");
    else if (code == PLT_ERROR_PERMISSION)
        format = _("The library “%s” may not be opened or written by this user");
    else if (rc == SQLITE_BUSY || rc == SQLITE_LOCKED)
        format = _("Another program keeps the library “%s” busy; close it and try again");
    else
        format = NULL;

    if (format) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        g_set_error(error, PLT_ERROR, code, format, path);
#pragma GCC diagnostic pop
    } else {
        g_set_error(error, PLT_ERROR, code, _("The library “%s” cannot be used: %s"), path, detail);
    }
}

gboolean plt_database_fail(PltDatabase *database, int rc, GError **error)
{
    int system_errno = sqlite3_system_errno(database->db);
    const char *detail = system_errno != 0 && ((rc & 0xff) == SQLITE_IOERR || (rc & 0xff) == SQLITE_CANTOPEN)
                             ? g_strerror(system_errno)
                             : sqlite3_errmsg(database->db);
    set_error(error, code_of(rc, system_errno), rc & 0xff, database->path, detail);
    return FALSE;
}

gboolean plt_database_fail_damaged(PltDatabase *database, const char *what, GError **error)
{
    g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT,
                _("A run in the library “%s” is damaged (%s); delete it, or restore the library from a copy"),
                database->path, what);
    return FALSE;
}

gboolean plt_database_exec(PltDatabase *database, const char *sql, GError **error)
{
    int rc = sqlite3_exec(database->db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? TRUE : plt_database_fail(database, rc, error);
}

sqlite3_stmt *plt_database_prepare(PltDatabase *database, const char *sql, GError **error)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(database->db, sql, -1, &statement, NULL);
    if (rc != SQLITE_OK)
        plt_database_fail(database, rc, error);
    return statement;
}

gboolean plt_database_step(PltDatabase *database, sqlite3_stmt *statement, gboolean *row, GError **error)
{
    int rc = sqlite3_step(statement);
    *row = rc == SQLITE_ROW;
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? TRUE : plt_database_fail(database, rc, error);
}

gboolean plt_database_done(PltDatabase *database, sqlite3_stmt *statement, GError **error)
{
    gboolean row;
    return plt_database_step(database, statement, &row, error);
}

gboolean plt_database_number(PltDatabase *database, const char *sql, gint64 *number, GError **error)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(database, sql, error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    *number = row ? sqlite3_column_int64(statement, 0) : 0;
    return TRUE;
}

gboolean plt_database_begin(PltDatabase *database, GError **error)
{
    return plt_database_exec(database, "BEGIN IMMEDIATE", error);
}

gboolean plt_database_commit(PltDatabase *database, GError **error)
{
    if (plt_database_exec(database, "COMMIT", error))
        return TRUE;
    plt_database_rollback(database);
    return FALSE;
}

void plt_database_rollback(PltDatabase *database)
{
    /* SQLite may have rolled back by itself, after a full disk for one: then there is nothing to do. */
    if (!sqlite3_get_autocommit(database->db))
        sqlite3_exec(database->db, "ROLLBACK", NULL, NULL, NULL);
}

void plt_bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_TRANSIENT);
}

char *plt_column_text(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? g_utf8_make_valid(text, -1) : NULL;
}

/* Makes the folder of PATH, and says plainly what stands in the way: SQLite only knows "unable to open". */
static gboolean prepare_place(const char *path, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path);
    if (g_mkdir_with_parents(folder, 0700) != 0) {
        int code = errno;
        set_error(error, code_of(SQLITE_CANTOPEN, code), SQLITE_CANTOPEN, path, g_strerror(code));
        return FALSE;
    }
    if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
        set_error(error, PLT_ERROR_FORMAT, SQLITE_NOTADB, path, NULL);
        return FALSE;
    }
    if (!g_file_test(path, G_FILE_TEST_EXISTS) && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0) {
        int code = errno;
        set_error(error, code_of(SQLITE_CANTOPEN, code), SQLITE_CANTOPEN, path, g_strerror(code));
        return FALSE;
    }
    return TRUE;
}

/*
 * WAL, so that a reader never waits for the recorder. Where the file system has no shared memory for it,
 * SQLite stays with its rollback journal, which is slower and just as safe. NORMAL: a commit outlives this
 * program, the log is flushed only before a checkpoint, and the file stays whole after a power cut.
 */
static gboolean set_up(PltDatabase *database, GError **error)
{
    return plt_schema_ensure(database, error) &&
           plt_database_exec(database, "PRAGMA journal_mode = WAL", error) &&
           plt_database_exec(
               database, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF",
               error);
}

/*
 * The change to WAL wants the file alone and does not wait by itself: while several programs make one
 * library, each tries again until it is its turn.
 */
static gboolean set_up_in_turn(PltDatabase *database, GError **error)
{
    gint64 deadline_us = g_get_monotonic_time() + BUSY_TIMEOUT_MS * 1000;
    for (;;) {
        g_autoptr(GError) failure = NULL;
        if (set_up(database, &failure))
            return TRUE;
        if ((sqlite3_errcode(database->db) & 0xff) != SQLITE_BUSY || g_get_monotonic_time() > deadline_us) {
            g_propagate_error(error, g_steal_pointer(&failure));
            return FALSE;
        }
        g_usleep(5000);
    }
}

static gboolean check_writable(PltDatabase *database, GError **error)
{
    if (!sqlite3_db_readonly(database->db, "main"))
        return TRUE;
    return plt_database_fail(database, SQLITE_READONLY, error);
}

/* A connection to PATH, which SQLite is given as NAME. */
static PltDatabase *connect(const char *path, const char *name, int flags, GError **error)
{
    g_autoptr(PltDatabase) database = g_new0(PltDatabase, 1);
    database->path = g_strdup(path);
    int rc = sqlite3_open_v2(name, &database->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc != SQLITE_OK) {
        plt_database_fail(database, rc, error);
        return NULL;
    }
    /* Links resolved: what lies beside the library (lock.h) must have one place for everybody who opens it.
     */
    char *real_path = realpath(path, NULL);
    if (real_path) {
        g_free(database->path);
        database->path = g_strdup(real_path);
        free(real_path);
    }
    sqlite3_extended_result_codes(database->db, 1);
    sqlite3_busy_timeout(database->db, BUSY_TIMEOUT_MS);
    sqlite3_db_config(database->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return g_steal_pointer(&database);
}

PltDatabase *plt_database_open(const char *name, GError **error)
{
    /* Absolute, because SQLite keeps "" and ":memory:" in memory. */
    g_autofree char *path = g_canonicalize_filename(name, NULL);
    if (!prepare_place(path, error))
        return NULL;

    g_autoptr(PltDatabase) database = connect(path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
    if (!database || !check_writable(database, error) || !set_up_in_turn(database, error))
        return NULL;
    return g_steal_pointer(&database);
}

/* Commits that are in the log and not yet in the file itself. */
static gboolean has_log(const char *path)
{
    g_autofree char *log = g_strconcat(path, "-wal", NULL);
    GStatBuf status;
    return g_stat(log, &status) == 0 && status.st_size > 0;
}

static PltDatabase *connect_to_read(const char *path, const char *name, GError **error)
{
    g_autoptr(PltDatabase) database = connect(path, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
    if (!database || !plt_schema_ensure(database, error) ||
        !plt_database_exec(database, "PRAGMA trusted_schema = OFF", error))
        return NULL;
    return g_steal_pointer(&database);
}

PltDatabase *plt_database_open_to_read(const char *name, GError **error)
{
    g_autofree char *path = g_canonicalize_filename(name, NULL);
    g_autofree char *uri = g_filename_to_uri(path, NULL, error);
    g_autoptr(GError) failure = NULL;
    if (!uri)
        return NULL;
    PltDatabase *database = connect_to_read(path, uri, &failure);
    /* Where nothing can be made beside the file, SQLite reads it only as one that nobody changes. What is
     * still in a log would be missed then. */
    if (!database && !has_log(path)) {
        g_autofree char *unchanging = g_strconcat(uri, "?immutable=1", NULL);
        return connect_to_read(path, unchanging, error);
    }
    if (!database)
        g_propagate_error(error, g_steal_pointer(&failure));
    return database;
}

void plt_database_close(PltDatabase *database)
{
    if (!database)
        return;
    sqlite3_close(database->db);
    g_free(database->path);
    g_free(database);
}
