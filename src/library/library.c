/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/library.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "library/analyse.h"
#include "library/database.h"
#include "library/load.h"
#include "library/lock.h"
#include "library/recover.h"
#include "library/store.h"

struct plt_library {
    PltDatabase *database;
    gboolean read_only;
};

char *plt_library_default_path(void)
{
    return g_build_filename(g_get_user_data_dir(), "plateau", "library.db", NULL);
}

/* What stands in the way of writing does not stand in the way of reading. */
static gboolean may_be_read(const char *path, const GError *failure)
{
    return (failure->code == PLT_ERROR_READ_ONLY || failure->code == PLT_ERROR_PERMISSION ||
            failure->code == PLT_ERROR_FAILED) &&
           g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

PltLibrary *plt_library_open(const char *path, GError **error)
{
    g_autofree char *real_path = path ? g_strdup(path) : plt_library_default_path();
    g_autoptr(GError) failure = NULL;
    PltDatabase *database = plt_database_open(real_path, &failure);
    gboolean read_only = !database && may_be_read(real_path, failure);
    if (read_only)
        database = plt_database_open_to_read(real_path, NULL);
    if (!database) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return NULL;
    }
    PltLibrary *library = g_new0(PltLibrary, 1);
    library->database = database;
    library->read_only = read_only;
    return library;
}

gboolean plt_library_is_read_only(PltLibrary *library)
{
    return library->read_only;
}

void plt_library_close(PltLibrary *library)
{
    if (!library)
        return;
    plt_database_close(library->database);
    g_free(library);
}

int plt_library_recover(PltLibrary *library, GError **error)
{
    return plt_recover_runs(library->database, error);
}

void plt_run_summary_free(PltRunSummary *summary)
{
    if (!summary)
        return;
    g_free(summary->uuid);
    g_free(summary->suite_id);
    g_free(summary->suite_name);
    g_free(summary->title);
    g_free(summary->note);
    g_free(summary->drive_model);
    g_free(summary->target_text);
    g_free(summary);
}

static PltRunSummary *column_summary(sqlite3_stmt *statement)
{
    g_autoptr(PltRunSummary) summary = g_new0(PltRunSummary, 1);
    if (!plt_run_status_from_name((const char *)sqlite3_column_text(statement, 8), &summary->status))
        return NULL;
    summary->id = sqlite3_column_int64(statement, 0);
    summary->uuid = plt_column_text(statement, 1);
    summary->suite_id = plt_column_text(statement, 2);
    summary->suite_name = plt_column_text(statement, 3);
    summary->title = plt_column_text(statement, 4);
    summary->note = plt_column_text(statement, 5);
    summary->drive_model = plt_column_text(statement, 6);
    summary->target_text = plt_column_text(statement, 7);
    summary->started_us = sqlite3_column_int64(statement, 9);
    summary->ended_us = sqlite3_column_int64(statement, 10);
    summary->n_cells = (guint)sqlite3_column_int64(statement, 11);
    return g_steal_pointer(&summary);
}

GPtrArray *plt_library_list(PltLibrary *library, GError **error)
{
    PltDatabase *database = library->database;
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database,
                             "SELECT id, uuid, suite_id, suite_name, title, note, drive_model, target_text,"
                             " status, started_us, ended_us,"
                             " (SELECT count(*) FROM cell WHERE cell.run_id = run.id)"
                             " FROM run ORDER BY started_us DESC, id DESC",
                             error);
    gboolean row;
    if (!statement || !plt_database_step(database, statement, &row, error))
        return NULL;
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func((GDestroyNotify)plt_run_summary_free);
    while (row) {
        PltRunSummary *summary = column_summary(statement);
        if (!summary) {
            plt_database_fail_damaged(database, "status", error);
            return NULL;
        }
        g_ptr_array_add(list, summary);
        if (!plt_database_step(database, statement, &row, error))
            return NULL;
    }
    return g_steal_pointer(&list);
}

gboolean plt_library_each_samples(PltLibrary *library, const PltCellRun *run, PltSamplesFunc func,
                                  gpointer user, GError **error)
{
    return plt_load_chunks(library->database, run->id, func, user, error);
}

gboolean plt_library_load_samples(PltLibrary *library, PltCellRun *run, GError **error)
{
    g_autoptr(GArray) samples =
        g_array_sized_new(FALSE, FALSE, sizeof(struct plt_sample), (guint)MIN(run->n_samples, 1 << 22));
    if (!plt_load_samples(library->database, run->id, samples, error))
        return FALSE;
    g_clear_pointer(&run->samples, g_array_unref);
    run->n_samples = samples->len;
    run->samples = g_steal_pointer(&samples);
    return TRUE;
}

/* The stored analysis of the run if it is of this version; NULL if there is none. */
static JsonNode *stored_analysis(PltLibrary *library, gint64 id)
{
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        library->database, "SELECT document FROM analysis WHERE run_id = ?1 AND version = ?2", NULL);
    gboolean row = FALSE;
    if (!statement)
        return NULL;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, PLT_ANALYSE_VERSION);
    if (!plt_database_step(library->database, statement, &row, NULL) || !row)
        return NULL;
    return json_from_string((const char *)sqlite3_column_text(statement, 0), NULL);
}

gboolean plt_library_analyse(PltLibrary *library, PltRun *run, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_clear_pointer(&run->analysis, json_node_unref);
    if (run->status == PLT_RUN_RUNNING)
        return TRUE;
    run->analysis = stored_analysis(library, run->id);
    if (run->analysis)
        return TRUE;
    run->analysis = plt_analyse_run(library, run, &failure);
    if (failure) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    /* In a library that can only be read it is made each time. */
    if (run->analysis)
        plt_store_put_analysis(library->database, run->id, PLT_ANALYSE_VERSION, run->analysis, NULL);
    return TRUE;
}

PltRun *plt_library_load(PltLibrary *library, gint64 id, GError **error)
{
    g_autoptr(GError) damage = NULL;
    PltRun *run = plt_load_run(library->database, id, error);
    /* Damaged samples are told to the one who asks for samples; the figures of the cells are good. */
    if (run && !plt_library_analyse(library, run, &damage))
        g_debug("run %" G_GINT64_FORMAT ": no analysis: %s", id, damage->message);
    return run;
}

void plt_library_analyse_recorded(const char *path, PltRun *run)
{
    g_autoptr(PltLibrary) library = plt_library_open(path, NULL);
    g_autoptr(PltRun) stored = library ? plt_library_load(library, run->id, NULL) : NULL;
    if (!stored)
        return;
    g_clear_pointer(&run->analysis, json_node_unref);
    run->analysis = g_steal_pointer(&stored->analysis);
    g_array_set_size(run->temperatures, 0);
    g_array_append_vals(run->temperatures, stored->temperatures->data, stored->temperatures->len);
}

static gboolean set_text(PltLibrary *library, const char *sql, gint64 id, const char *text, GError **error)
{
    PltDatabase *database = library->database;
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(database, sql, error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, id);
    plt_bind_text(statement, 2, text && *text ? text : NULL);
    if (!plt_database_done(database, statement, error))
        return FALSE;
    if (sqlite3_changes(database->db) > 0)
        return TRUE;
    g_autofree char *uuid = plt_load_uuid(database, id, error);
    return uuid != NULL;
}

gboolean plt_library_set_title(PltLibrary *library, gint64 id, const char *title, GError **error)
{
    return set_text(library, "UPDATE run SET title = ?2 WHERE id = ?1", id, title, error);
}

gboolean plt_library_set_note(PltLibrary *library, gint64 id, const char *note, GError **error)
{
    return set_text(library, "UPDATE run SET note = ?2 WHERE id = ?1", id, note, error);
}

static gboolean delete_row(PltDatabase *database, gint64 id, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database, "DELETE FROM run WHERE id = ?1", error);
    if (!statement)
        return FALSE;
    sqlite3_bind_int64(statement, 1, id);
    return plt_database_done(database, statement, error);
}

gboolean plt_library_delete(PltLibrary *library, gint64 id, GError **error)
{
    PltDatabase *database = library->database;
    g_autofree char *uuid = plt_load_uuid(database, id, error);
    if (!uuid)
        return FALSE;
    g_autoptr(PltLock) lock = NULL;
    if (plt_lock_try(database->path, uuid, &lock) == PLT_LOCK_HELD) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("Run %" PRId64 " is still being measured; stop it before you delete it"), id);
        return FALSE;
    }
    if (!delete_row(database, id, error))
        return FALSE;
    /* Gives the pages back to the file system. A reader may be in the way: then a later deletion does it. */
    sqlite3_exec(database->db, "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL,
                 NULL);
    return TRUE;
}

/* Decimal digits that are taken for the start of a uuid: all of its first group. */
#define UUID_DIGITS 8

static gboolean is_decimal(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

/* The id of the only run whose uuid begins with TEXT; 0 without an error when there is none. */
static gint64 find_uuid(PltDatabase *database, const char *text, GError **error)
{
    /* 'g' sorts after every digit that a uuid has, so the range is what begins with TEXT; the index serves
     * it. */
    g_autoptr(sqlite3_stmt) statement = plt_database_prepare(
        database, "SELECT id FROM run WHERE uuid >= ?1 AND uuid < ?1 || 'g' ORDER BY uuid LIMIT 2", error);
    gboolean row;
    g_autofree char *start = g_ascii_strdown(text, -1);
    if (!statement)
        return 0;
    plt_bind_text(statement, 1, start);
    if (!plt_database_step(database, statement, &row, error) || !row)
        return 0;
    gint64 id = sqlite3_column_int64(statement, 0);
    if (!plt_database_step(database, statement, &row, error))
        return 0;
    if (row) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("“%s” is the start of several runs' identifiers; give more of it"), text);
        return 0;
    }
    return id;
}

static gint64 find_id(PltDatabase *database, gint64 wanted, GError **error)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(database, "SELECT id FROM run WHERE id = ?1", error);
    gboolean row;
    if (!statement)
        return 0;
    sqlite3_bind_int64(statement, 1, wanted);
    return plt_database_step(database, statement, &row, error) && row ? wanted : 0;
}

gint64 plt_library_find(PltLibrary *library, const char *text, GError **error)
{
    PltDatabase *database = library->database;
    GError *failure = NULL;
    gint64 id = 0;
    if (strcmp(text, "last") == 0) {
        plt_database_number(database, "SELECT id FROM run ORDER BY started_us DESC, id DESC LIMIT 1", &id,
                            &failure);
    } else {
        if (is_decimal(text))
            id = find_id(database, g_ascii_strtoll(text, NULL, 10), &failure);
        /* “2” after run 2 was deleted must not be the run whose uuid happens to begin with 2. */
        gboolean is_number = is_decimal(text) && strlen(text) < UUID_DIGITS;
        if (id == 0 && !failure && !is_number && *text &&
            strspn(text, "0123456789abcdefABCDEF-") == strlen(text))
            id = find_uuid(database, text, &failure);
    }
    if (failure)
        g_propagate_error(error, failure);
    else if (id == 0 && strcmp(text, "last") == 0)
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE, _("The library holds no run yet"));
    else if (id == 0)
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("There is no run “%s” in the library; give its number, its identifier or “last”"),
                    text);
    return id;
}
