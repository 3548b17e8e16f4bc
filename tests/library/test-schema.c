/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library/schema.h"

typedef struct {
    char *folder, *path;
} Place;

static void set_up(Place *place, gconstpointer data)
{
    place->folder = fixture_folder();
    place->path = fixture_path(place->folder);
}

static void tear_down(Place *place, gconstpointer data)
{
    fixture_remove(place->folder);
    g_free(place->path);
}

static char *contents(const char *path, gsize *size)
{
    g_autoptr(GError) error = NULL;
    char *data = NULL;
    g_file_get_contents(path, &data, size, &error);
    g_assert_no_error(error);
    return data;
}

/* Opening fails with CODE, one sentence that names the file, and every byte of the file as before. */
static void assert_refused(const char *path, PltError code)
{
    gsize before_size, after_size;
    g_autofree char *before = contents(path, &before_size);
    g_autoptr(GError) error = NULL;
    g_assert_null(plt_library_open(path, &error));
    g_assert_error(error, PLT_ERROR, (gint)code);
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, path));
    g_assert_null(strchr(error->message, '\n'));
    g_autofree char *after = contents(path, &after_size);
    g_assert_cmpmem(before, before_size, after, after_size);
}

/*
 * Every version that ever was has a file fixtures/schema-vN.sql: a whole library as SQL text, made with that
 * version. Each one must open, and hold the run that was put into it.
 */
static void test_every_version_migrates(Place *place, gconstpointer data)
{
    for (int version = 1; version <= plt_schema_version(); version++) {
        g_autofree char *name = g_strdup_printf("schema-v%d.sql", version);
        g_autofree char *sql = fixture_read(name);
        g_autofree char *path = g_strdup_printf("%s/v%d.db", place->folder, version);
        fixture_exec(path, sql);
        g_assert_cmpint(fixture_number(path, "PRAGMA user_version"), ==, version);

        g_autoptr(PltLibrary) library = fixture_open(path);
        g_assert_cmpint(fixture_number(path, "PRAGMA user_version"), ==, plt_schema_version());
        g_autoptr(GError) error = NULL;
        gint64 id = plt_library_find(library, "last", &error);
        g_autoptr(PltRun) run = plt_library_load(library, id, &error);
        g_assert_no_error(error);
        g_autoptr(PltRun) expected = fixture_run();
        fixture_assert_same_run(run, expected);
        PltCellRun *cell_run = g_ptr_array_index(((PltCell *)run->cells->pdata[0])->runs, 1);
        g_assert_true(plt_library_load_samples(library, cell_run, &error));
        g_assert_cmpuint(cell_run->samples->len, ==, 3);
        struct plt_sample sample = fixture_sample(2);
        fixture_assert_same_sample(&g_array_index(cell_run->samples, struct plt_sample, 2), &sample);
    }
}

/* A new library and one that came from version 1 have the same tables. */
static void test_migrated_equals_new(Place *place, gconstpointer data)
{
    static const char schema[] = "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema"
                                 " WHERE sql NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY name)";
    g_autofree char *old_path = g_build_filename(place->folder, "old.db", NULL);
    g_autofree char *sql = fixture_read("schema-v1.sql");
    fixture_exec(old_path, sql);
    plt_library_close(fixture_open(old_path));
    plt_library_close(fixture_open(place->path));
    g_autofree char *old_schema = fixture_text(old_path, schema);
    g_autofree char *new_schema = fixture_text(place->path, schema);
    g_assert_cmpstr(old_schema, ==, new_schema);
    g_assert_nonnull(new_schema);
}

static gboolean migrate(const char *path, const PltMigration *steps, GError **error)
{
    PltDatabase database = {.path = (char *)path};
    g_assert_cmpint(sqlite3_open(path, &database.db), ==, SQLITE_OK);
    gboolean migrated = plt_schema_migrate(&database, steps, error);
    sqlite3_close(database.db);
    return migrated;
}

static const PltMigration one_step[] = {{1, "CREATE TABLE a (x)"}, {0, NULL}};
static const PltMigration three_steps[] = {
    {1, "CREATE TABLE a (x)"},
    {2, "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x * 2"},
    {3, "CREATE TABLE b AS SELECT y FROM a"},
    {0, NULL},
};
static const PltMigration failing_step[] = {
    {1, "CREATE TABLE a (x)"},
    {2, "UPDATE a SET x = 0; ALTER TABLE a ADD COLUMN y; SELECT * FROM nowhere"},
    {0, NULL},
};

static void test_steps(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(migrate(place->path, one_step, &error));
    fixture_exec(place->path, "INSERT INTO a VALUES (21)");
    g_assert_true(migrate(place->path, three_steps, &error));
    g_assert_no_error(error);
    g_assert_cmpint(fixture_number(place->path, "SELECT y FROM b"), ==, 42);
    g_assert_cmpint(fixture_number(place->path, "PRAGMA user_version"), ==, 3);
    /* And once more: nothing to do. */
    g_assert_true(migrate(place->path, three_steps, &error));
    g_assert_cmpint(fixture_number(place->path, "SELECT count(*) FROM b"), ==, 1);
}

static void test_failing_step_changes_nothing(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(migrate(place->path, one_step, &error));
    fixture_exec(place->path, "INSERT INTO a VALUES (21)");
    g_assert_false(migrate(place->path, failing_step, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_FAILED);
    g_assert_cmpint(fixture_number(place->path, "PRAGMA user_version"), ==, 1);
    g_assert_cmpint(fixture_number(place->path, "SELECT x FROM a"), ==, 21);
    g_assert_cmpint(fixture_number(place->path, "SELECT count(*) FROM pragma_table_info('a')"), ==, 1);
}

static void test_newer_version(Place *place, gconstpointer data)
{
    plt_library_close(fixture_open(place->path));
    fixture_exec(place->path, "PRAGMA user_version = 99; PRAGMA journal_mode = DELETE");
    assert_refused(place->path, PLT_ERROR_UNSUPPORTED);
}

static void test_other_files(Place *place, gconstpointer data)
{
    g_autofree char *text = g_build_filename(place->folder, "text", NULL);
    g_autofree char *other = g_build_filename(place->folder, "other.db", NULL);
    g_autofree char *block = g_malloc(8192);
    memset(block, 'x', 8192);
    g_assert_true(g_file_set_contents(text, block, 8192, NULL));
    assert_refused(text, PLT_ERROR_FORMAT);
    g_assert_true(g_file_set_contents(text, "short", -1, NULL));
    assert_refused(text, PLT_ERROR_FORMAT);
    fixture_exec(other, "CREATE TABLE bookmarks (url)");
    assert_refused(other, PLT_ERROR_FORMAT);
    fixture_exec(other, "DROP TABLE bookmarks; PRAGMA user_version = 1");
    assert_refused(other, PLT_ERROR_FORMAT);

    g_autoptr(GError) error = NULL;
    g_assert_null(plt_library_open(place->folder, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
}

static void test_file_as_folder(Place *place, gconstpointer data)
{
    g_autofree char *path = g_build_filename(place->path, "library.db", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_set_contents(place->path, "", 0, NULL));
    g_assert_null(plt_library_open(path, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_FAILED);
    g_test_message("%s", error->message);
}

/* Loads RUN with all its samples; NULL with ERROR at the first damage. */
static PltRun *load_all(const char *path, gint64 id, GError **error)
{
    g_autoptr(PltLibrary) library = plt_library_open(path, error);
    g_autoptr(PltRun) run = library ? plt_library_load(library, id, error) : NULL;
    for (guint i = 0; run && i < run->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(run->cells, i);
        for (guint k = 0; k < cell->runs->len; k++) {
            if (!plt_library_load_samples(library, g_ptr_array_index(cell->runs, k), error))
                return NULL;
        }
    }
    return g_steal_pointer(&run);
}

/*
 * Cut anywhere: an error, sooner or later, and never a crash or a change. SQLite takes a last page that is
 * not whole for one with zeros at its end; what is in there differs from run to run, as commits fall.
 */
static void test_truncated(Place *place, gconstpointer data)
{
    g_autoptr(PltRun) run = fixture_run();
    gsize size;
    gint64 id = fixture_store(place->path, run, 300);
    g_autofree char *whole = contents(place->path, &size);
    g_assert_cmpuint(size, >, 16 * 4096);
    /* One byte counts as an empty file to SQLite, and holds nothing that could be lost. */
    for (gsize cut = 2; cut < size; cut += cut < 200 ? 50 : 4096 * 3 + 1) {
        g_autoptr(GError) error = NULL;
        g_assert_true(g_file_set_contents(place->path, whole, (gssize)cut, NULL));
        g_autoptr(PltRun) back = load_all(place->path, id, &error);
        g_assert_true((back == NULL) == (error != NULL));
        if (cut <= size - 4096)
            g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
        else if (back)
            fixture_assert_same_run(back, run);
    }
}

/* Bits flipped all over the file: whatever it gives, no crash, and no endless loop. */
static void test_flipped(Place *place, gconstpointer data)
{
    g_autoptr(PltRun) run = fixture_run();
    gsize size;
    gint64 id = fixture_store(place->path, run, 300);
    g_autofree char *whole = contents(place->path, &size);
    for (int round = 0; round < 150; round++) {
        g_autofree char *copy = g_memdup2(whole, size);
        for (int n = 0; n < 20; n++)
            copy[g_test_rand_int_range(100, (gint32)size)] ^= (char)(1 << g_test_rand_int_range(0, 8));
        g_assert_true(g_file_set_contents(place->path, copy, (gssize)size, NULL));
        g_autoptr(GError) error = NULL;
        g_autoptr(PltLibrary) library = plt_library_open(place->path, &error);
        if (!library)
            continue;
        g_autoptr(PltRun) back = plt_library_load(library, id, NULL);
        g_autoptr(GPtrArray) list = plt_library_list(library, NULL);
        for (guint i = 0; back && i < back->cells->len; i++) {
            PltCell *cell = g_ptr_array_index(back->cells, i);
            for (guint k = 0; k < cell->runs->len; k++)
                plt_library_load_samples(library, g_ptr_array_index(cell->runs, k), NULL);
        }
        plt_library_recover(library, NULL);
    }
}

/* Runs TEST in a child that is nobody, because nothing is read-only to root. */
static void as_nobody(Place *place)
{
    if (geteuid() == 0) {
        g_assert_cmpint(chown(place->folder, 65534, 65534), ==, 0);
        g_assert_cmpint(seteuid(65534), ==, 0);
    }
}

static void as_before(void)
{
    if (getuid() == 0)
        g_assert_cmpint(seteuid(0), ==, 0);
}

/* What is in it can be listed and loaded, every change is refused in a sentence, and no byte is another one.
 */
static void assert_readable(const char *path, const PltRun *run)
{
    gsize before_size, after_size;
    g_autofree char *before = contents(path, &before_size);
    g_autoptr(GError) error = NULL;
    {
        g_autoptr(PltLibrary) library = plt_library_open(path, &error);
        g_assert_no_error(error);
        g_assert_true(plt_library_is_read_only(library));
        g_autoptr(GPtrArray) list = plt_library_list(library, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(list->len, ==, 1);
        gint64 id = ((PltRunSummary *)list->pdata[0])->id;
        g_autoptr(PltRun) loaded = plt_library_load(library, id, &error);
        g_assert_no_error(error);
        g_assert_cmpuint(loaded->cells->len, ==, run->cells->len);
        g_assert_false(plt_library_set_title(library, id, "other", &error));
        g_assert_error(error, PLT_ERROR, PLT_ERROR_READ_ONLY);
        g_clear_error(&error);
        g_assert_false(plt_library_delete(library, id, &error));
        g_assert_nonnull(error);
    }
    g_autofree char *after = contents(path, &after_size);
    g_assert_cmpmem(before, before_size, after, after_size);
}

static void test_read_only_file(Place *place, gconstpointer data)
{
    as_nobody(place);
    g_autoptr(PltRun) run = fixture_run();
    fixture_store(place->path, run, 1);
    g_assert_cmpint(g_chmod(place->path, 0444), ==, 0);
    assert_readable(place->path, run);
    g_autoptr(GError) error = NULL;
    g_assert_null(plt_recorder_new(place->path, run, FALSE, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_READ_ONLY);
    as_before();
}

static void test_read_only_folder(Place *place, gconstpointer data)
{
    as_nobody(place);
    g_autoptr(PltRun) run = fixture_run();
    g_autoptr(GError) error = NULL;
    fixture_store(place->path, run, 1);
    g_assert_cmpint(g_chmod(place->folder, 0555), ==, 0);
    assert_readable(place->path, run);
    g_assert_null(plt_recorder_new(place->path, run, FALSE, &error));
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, place->path));
    g_clear_error(&error);

    g_autofree char *other = g_build_filename(place->folder, "other.db", NULL);
    g_assert_null(plt_library_open(other, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_PERMISSION);
    g_assert_cmpint(g_chmod(place->folder, 0755), ==, 0);
    plt_library_close(fixture_open(place->path));
    as_before();
}

#define ADD(name, function) g_test_add("/library/schema/" name, Place, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("every-version-migrates", test_every_version_migrates);
    ADD("migrated-equals-new", test_migrated_equals_new);
    ADD("steps", test_steps);
    ADD("failing-step-changes-nothing", test_failing_step_changes_nothing);
    ADD("newer-version", test_newer_version);
    ADD("other-files", test_other_files);
    ADD("file-as-folder", test_file_as_folder);
    ADD("truncated", test_truncated);
    ADD("flipped", test_flipped);
    ADD("read-only-file", test_read_only_file);
    ADD("read-only-folder", test_read_only_folder);
    return g_test_run();
}
