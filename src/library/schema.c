/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/schema.h"

#include <glib/gi18n-lib.h>

/*
 * Times "_us" are Unix time in microseconds, "_ns" nanoseconds. Names of states, operations, patterns are the
 * ones of run.h, percentiles that are not known are NULL. Ids are never used twice: a person may have written
 * one down. sample_chunk.first counts samples, not ticks: first + count of the last chunk is how many there
 * are.
 */
static const char version_1[] =
    "CREATE TABLE run ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE,"
    "  suite_id TEXT NOT NULL, suite_version INTEGER NOT NULL, suite_name TEXT NOT NULL, chart TEXT,"
    "  status TEXT NOT NULL, status_detail TEXT, started_us INTEGER NOT NULL, ended_us INTEGER NOT NULL,"
    "  title TEXT, note TEXT, program TEXT, drive_model TEXT, target_text TEXT,"
    "  parameters TEXT, target TEXT, drive TEXT, platform TEXT) STRICT;"
    "CREATE INDEX run_by_start ON run (started_us);"
    "CREATE INDEX run_by_status ON run (status);"

    "CREATE TABLE warning ("
    "  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
    "  warning_id TEXT NOT NULL, detail TEXT) STRICT;"
    "CREATE INDEX warning_by_run ON warning (run_id);"

    "CREATE TABLE event ("
    "  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
    "  at_us INTEGER NOT NULL, kind TEXT NOT NULL, detail TEXT) STRICT;"
    "CREATE INDEX event_by_run ON event (run_id);"

    "CREATE TABLE cell ("
    "  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
    "  cell_id TEXT NOT NULL, label TEXT NOT NULL, pattern TEXT NOT NULL, block INTEGER NOT NULL,"
    "  queue INTEGER NOT NULL, threads INTEGER NOT NULL, op TEXT NOT NULL, read_percent INTEGER NOT NULL,"
    "  sync TEXT NOT NULL, score_rule TEXT NOT NULL) STRICT;"
    "CREATE INDEX cell_by_run ON cell (run_id);"

    "CREATE TABLE cell_run ("
    "  id INTEGER PRIMARY KEY, cell_id INTEGER NOT NULL REFERENCES cell ON DELETE CASCADE,"
    "  warmup INTEGER NOT NULL, complete INTEGER NOT NULL, started_us INTEGER NOT NULL,"
    "  tick_ns INTEGER NOT NULL, engine TEXT) STRICT;"
    "CREATE INDEX cell_run_by_cell ON cell_run (cell_id);"

    /* op is "total" or the name of an operation; unreliable has bit i set for percentile i of enum
       plt_percentile */
    "CREATE TABLE figure ("
    "  cell_run_id INTEGER NOT NULL REFERENCES cell_run ON DELETE CASCADE, op TEXT NOT NULL,"
    "  ios INTEGER NOT NULL, bytes INTEGER NOT NULL, seconds REAL NOT NULL,"
    "  bandwidth_bps REAL NOT NULL, iops REAL NOT NULL,"
    "  lat_min_ns INTEGER NOT NULL, lat_max_ns INTEGER NOT NULL, lat_mean_ns REAL,"
    "  p50_ns REAL, p90_ns REAL, p95_ns REAL, p99_ns REAL, p99_9_ns REAL, p99_99_ns REAL, p99_999_ns REAL,"
    "  unreliable INTEGER NOT NULL, PRIMARY KEY (cell_run_id, op)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE histogram ("
    "  id INTEGER PRIMARY KEY, cell_run_id INTEGER NOT NULL REFERENCES cell_run ON DELETE CASCADE,"
    "  op TEXT NOT NULL, data BLOB NOT NULL, UNIQUE (cell_run_id, op)) STRICT;"

    "CREATE TABLE stall ("
    "  cell_run_id INTEGER NOT NULL REFERENCES cell_run ON DELETE CASCADE, start_ns INTEGER NOT NULL,"
    "  length_ns INTEGER NOT NULL, inflight INTEGER NOT NULL, PRIMARY KEY (cell_run_id, start_ns))"
    "  STRICT, WITHOUT ROWID;"

    "CREATE TABLE sample_chunk ("
    "  id INTEGER PRIMARY KEY, cell_run_id INTEGER NOT NULL REFERENCES cell_run ON DELETE CASCADE,"
    "  first INTEGER NOT NULL, count INTEGER NOT NULL, data BLOB NOT NULL,"
    "  UNIQUE (cell_run_id, first)) STRICT;";

/* analysis.version is PLT_ANALYSE_VERSION of the program that made it: another one makes it anew. */
static const char version_2[] =
    "ALTER TABLE cell ADD COLUMN role TEXT;"

    "CREATE TABLE temperature ("
    "  run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, at_us INTEGER NOT NULL,"
    "  celsius REAL NOT NULL, PRIMARY KEY (run_id, at_us)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE analysis ("
    "  run_id INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, version INTEGER NOT NULL,"
    "  document TEXT NOT NULL) STRICT;";

static const PltMigration migrations[] = {
    {1, version_1},
    {2, version_2},
    {0, NULL},
};

static int last_version(const PltMigration *steps)
{
    int version = 0;
    for (; steps->version > 0; steps++)
        version = steps->version;
    return version;
}

int plt_schema_version(void)
{
    return last_version(migrations);
}

/*
 * TRUE with VERSION when the file is ours or has nothing in it. One statement, because another process may be
 * making the library right now: three would see it half before and half after.
 */
static gboolean read_version(PltDatabase *database, int newest, gint64 *version, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database,
                             "SELECT (SELECT count(*) FROM sqlite_schema), application_id, user_version"
                             " FROM pragma_application_id, pragma_user_version",
                             error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return FALSE;
    gint64 tables = row ? sqlite3_column_int64(statement, 0) : 0;
    gint64 application = row ? sqlite3_column_int64(statement, 1) : 0;
    *version = row ? sqlite3_column_int64(statement, 2) : 0;

    if (tables == 0 && application == 0 && *version == 0)
        return TRUE;
    if (application != PLT_SCHEMA_APPLICATION_ID)
        return plt_database_fail(database, SQLITE_NOTADB, error);
    if (*version > newest) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                    _("The library “%s” was made by a newer version of Plateau; use that version to open it"),
                    database->path);
        return FALSE;
    }
    return TRUE;
}

static gboolean apply(PltDatabase *database, const PltMigration *steps, gint64 version, GError **error)
{
    for (; steps->version > 0; steps++) {
        if (steps->version <= version)
            continue;
        g_autofree char *sql = g_strdup_printf("%s; PRAGMA user_version = %d; PRAGMA application_id = %d",
                                               steps->sql, steps->version, PLT_SCHEMA_APPLICATION_ID);
        if (!plt_database_exec(database, sql, error))
            return FALSE;
    }
    return TRUE;
}

gboolean plt_schema_migrate(PltDatabase *database, const PltMigration *steps, GError **error)
{
    int newest = last_version(steps);
    gint64 version;
    if (!read_version(database, newest, &version, error))
        return FALSE;
    if (version == newest)
        return TRUE;

    /* Only an empty file takes this; it lets a deleted run's pages go back to the file system. */
    if (version == 0 && !plt_database_exec(database, "PRAGMA auto_vacuum = INCREMENTAL", error))
        return FALSE;
    /* Another process may have been faster: what counts is the version seen under the lock. */
    if (!plt_database_begin(database, error))
        return FALSE;
    if (!read_version(database, newest, &version, error) || !apply(database, steps, version, error)) {
        plt_database_rollback(database);
        return FALSE;
    }
    return plt_database_commit(database, error);
}

gboolean plt_schema_ensure(PltDatabase *database, GError **error)
{
    return plt_schema_migrate(database, migrations, error);
}
