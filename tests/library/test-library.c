/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <glib/gstdio.h>
#include <math.h>

#include "library/export.h"

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

/* A run without cells that began at STARTED_US. */
static gint64 store_small(const char *path, const char *uuid, gint64 started_us)
{
    g_autoptr(PltRun) run = fixture_new_run();
    g_free(run->uuid);
    run->uuid = g_strdup(uuid);
    run->started_us = started_us;
    run->status = PLT_RUN_COMPLETE;
    run->ended_us = started_us + 1;
    return fixture_store(path, run, 0);
}

static void test_default_path(void)
{
    g_autofree char *path = plt_library_default_path();
    g_assert_true(g_str_has_prefix(path, g_get_user_data_dir()));
    g_assert_true(g_str_has_suffix(path, "/plateau/library.db"));
}

static void test_empty(Place *place, gconstpointer data)
{
    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) list = plt_library_list(library, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(list->len, ==, 0);
    g_assert_cmpint(plt_library_find(library, "last", &error), ==, 0);
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_cmpint(plt_library_recover(library, &error), ==, 0);
    g_assert_no_error(error);
}

static void test_makes_its_folder(Place *place, gconstpointer data)
{
    g_autofree char *path = g_build_filename(place->folder, "a", "b", "library.db", NULL);
    g_autoptr(PltLibrary) library = fixture_open(path);
    g_assert_true(g_file_test(path, G_FILE_TEST_IS_REGULAR));
}

static gpointer open_in_thread(gpointer path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = plt_library_open(path, &error);
    g_autoptr(GPtrArray) list = library ? plt_library_list(library, &error) : NULL;
    return g_steal_pointer(&error);
}

/* Several programs start at once and none has a library yet. */
static void test_made_by_many_at_once(Place *place, gconstpointer data)
{
    for (guint round = 0; round < 8; round++) {
        g_autofree char *path = g_strdup_printf("%s/%u.db", place->folder, round);
        GThread *threads[6];
        for (guint i = 0; i < G_N_ELEMENTS(threads); i++)
            threads[i] = g_thread_new("open", open_in_thread, path);
        for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
            g_autoptr(GError) error = g_thread_join(threads[i]);
            g_assert_no_error(error);
        }
    }
}

/* Names that SQLite takes for a database in memory are files here like any other. */
static void test_odd_names(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *before = g_get_current_dir();
    g_assert_null(plt_library_open("", &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
    g_assert_cmpint(g_chdir(place->folder), ==, 0);
    plt_library_close(fixture_open(":memory:"));
    plt_library_close(fixture_open("file:a?mode=memory"));
    g_assert_true(g_file_test(":memory:", G_FILE_TEST_IS_REGULAR));
    g_assert_true(g_file_test("file:a?mode=memory", G_FILE_TEST_IS_REGULAR));
    g_assert_cmpint(g_chdir(before), ==, 0);
}

/* A folder may have any bytes in its name, and 0 / 0 happens: neither may make a run unreadable. */
static void test_odd_documents(Place *place, gconstpointer data)
{
    g_autoptr(PltRun) run = fixture_run();
    JsonObject *target = json_node_get_object(run->target);
    json_object_set_string_member(target, "path", "/mnt/\xe9t\xe9");
    json_object_set_double_member(target, "nan", NAN);
    json_object_set_double_member(target, "infinity", -INFINITY);
    PltCellRun *first = g_ptr_array_index(((PltCell *)run->cells->pdata[0])->runs, 0);
    JsonArray *list = json_array_new();
    json_array_add_double_element(list, NAN);
    json_array_add_int_element(list, 7);
    json_object_set_array_member(json_node_get_object(first->engine), "list", list);
    gint64 id = fixture_store(place->path, run, 1);
    g_autofree char *exported = plt_export_json(run);
    g_autoptr(JsonNode) parsed = json_from_string(exported, NULL);
    g_assert_nonnull(parsed);

    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(GError) error = NULL;
    g_autoptr(PltRun) back = plt_library_load(library, id, &error);
    g_assert_no_error(error);
    target = json_node_get_object(back->target);
    g_assert_cmpstr(json_object_get_string_member(target, "path"), ==, "/mnt/\xef\xbf\xbdt\xef\xbf\xbd");
    g_assert_true(json_object_get_null_member(target, "nan"));
    g_assert_true(json_object_get_null_member(target, "infinity"));
    first = g_ptr_array_index(((PltCell *)back->cells->pdata[0])->runs, 0);
    list = json_object_get_array_member(json_node_get_object(first->engine), "list");
    g_assert_true(json_array_get_null_element(list, 0));
    g_assert_cmpint(json_array_get_int_element(list, 1), ==, 7);
}

static void test_round_trip(Place *place, gconstpointer data)
{
    g_autoptr(PltRun) run = fixture_run();
    PltCellRun *first = g_ptr_array_index(((PltCell *)run->cells->pdata[0])->runs, 1);
    first->histogram[PLT_OP_READ] = g_new0(struct plt_histogram, 1);
    plt_histogram_reset(first->histogram[PLT_OP_READ]);
    for (guint i = 0; i < 1000; i++)
        plt_histogram_add(first->histogram[PLT_OP_READ], 1000 * i * i);
    gint64 id = fixture_store(place->path, run, 700);

    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(GError) error = NULL;
    g_autoptr(PltRun) back = plt_library_load(library, id, &error);
    g_assert_no_error(error);
    g_assert_cmpint(back->id, ==, id);
    fixture_assert_same_run(back, run);

    PltCellRun *loaded = g_ptr_array_index(((PltCell *)back->cells->pdata[1])->runs, 1);
    g_assert_null(loaded->samples);
    g_assert_cmpuint(loaded->n_samples, ==, 700);
    g_assert_true(plt_library_load_samples(library, loaded, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(loaded->samples->len, ==, 700);
    for (guint i = 0; i < 700; i++) {
        struct plt_sample expected = fixture_sample(i);
        fixture_assert_same_sample(&g_array_index(loaded->samples, struct plt_sample, i), &expected);
    }
}

static void test_list(Place *place, gconstpointer data)
{
    gint64 old = store_small(place->path, "00000000-0000-4000-8000-000000000001", 1000);
    g_autoptr(PltRun) run = fixture_run();
    gint64 newest = fixture_store(place->path, run, 1);
    gint64 middle = store_small(place->path, "00000000-0000-4000-8000-000000000002", 2000);

    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(GPtrArray) list = plt_library_list(library, NULL);
    g_assert_cmpuint(list->len, ==, 3);
    const PltRunSummary *summary = g_ptr_array_index(list, 0);
    g_assert_cmpint(summary->id, ==, newest);
    g_assert_cmpstr(summary->uuid, ==, run->uuid);
    g_assert_cmpstr(summary->suite_id, ==, "cdm-nvme");
    g_assert_cmpstr(summary->suite_name, ==, "CrystalDiskMark-style, NVMe SSD");
    g_assert_cmpstr(summary->title, ==, run->title);
    g_assert_cmpstr(summary->note, ==, run->note);
    g_assert_cmpstr(summary->drive_model, ==, "Example SSD 2TB");
    g_assert_cmpstr(summary->target_text, ==, "/mnt/test");
    g_assert_cmpint(summary->status, ==, PLT_RUN_STOPPED);
    g_assert_cmpint(summary->started_us, ==, run->started_us);
    g_assert_cmpint(summary->ended_us, ==, run->ended_us);
    g_assert_cmpuint(summary->n_cells, ==, 5);
    g_assert_cmpint(((PltRunSummary *)list->pdata[1])->id, ==, middle);
    g_assert_cmpint(((PltRunSummary *)list->pdata[2])->id, ==, old);
}

static void assert_find_fails(PltLibrary *library, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_assert_cmpint(plt_library_find(library, text, &error), ==, 0);
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

static void test_find(Place *place, gconstpointer data)
{
    gint64 one = store_small(place->path, "abcdef00-0000-4000-8000-000000000001", 3000);
    gint64 two = store_small(place->path, "abcd1234-0000-4000-8000-000000000002", 2000);
    gint64 three = store_small(place->path, "12345678-0000-4000-8000-000000000003", 1000);
    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, two);

    g_assert_cmpint(plt_library_find(library, "last", NULL), ==, one);
    g_assert_cmpint(plt_library_find(library, number, NULL), ==, two);
    g_assert_cmpint(plt_library_find(library, "abcdef00-0000-4000-8000-000000000001", NULL), ==, one);
    g_assert_cmpint(plt_library_find(library, "ABCDe", NULL), ==, one);
    g_assert_cmpint(plt_library_find(library, "abcd1", NULL), ==, two);
    g_assert_cmpint(plt_library_find(library, "12345678", NULL), ==, three);
    assert_find_fails(library, "abcd");
    assert_find_fails(library, "99");
    /* no such number, though a uuid begins with it */
    assert_find_fails(library, "1234567");
    assert_find_fails(library, "");
    assert_find_fails(library, "%");
    assert_find_fails(library, "Last");
    assert_find_fails(library, "-1");
    assert_find_fails(library, "99999999999999999999999999");
    g_assert_cmpint(plt_library_find(library, "99", NULL), ==, 0);
}

static void test_texts(Place *place, gconstpointer data)
{
    gint64 id = store_small(place->path, "00000000-0000-4000-8000-000000000001", 1000);
    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(GError) error = NULL;
    g_assert_true(plt_library_set_title(library, id, "It's a \"title\"; DROP TABLE run", &error));
    g_assert_true(plt_library_set_note(library, id, "메모", &error));
    g_autoptr(PltRun) run = plt_library_load(library, id, &error);
    g_assert_cmpstr(run->title, ==, "It's a \"title\"; DROP TABLE run");
    g_assert_cmpstr(run->note, ==, "메모");

    g_assert_true(plt_library_set_title(library, id, "", &error));
    g_assert_true(plt_library_set_note(library, id, NULL, &error));
    g_clear_pointer(&run, plt_run_free);
    run = plt_library_load(library, id, &error);
    g_assert_null(run->title);
    g_assert_null(run->note);

    g_assert_false(plt_library_set_title(library, id + 1, "x", &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_null(plt_library_load(library, id + 1, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

static gint64 rows_of_all_tables(const char *path)
{
    return fixture_number(path, "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM warning)"
                                " + (SELECT count(*) FROM event) + (SELECT count(*) FROM cell)"
                                " + (SELECT count(*) FROM cell_run) + (SELECT count(*) FROM figure)"
                                " + (SELECT count(*) FROM histogram) + (SELECT count(*) FROM stall)"
                                " + (SELECT count(*) FROM sample_chunk)");
}

static void test_delete(Place *place, gconstpointer data)
{
    g_autoptr(PltRun) run = fixture_run();
    gint64 kept = store_small(place->path, "00000000-0000-4000-8000-000000000001", 1000);
    gint64 rows = rows_of_all_tables(place->path), pages = fixture_number(place->path, "PRAGMA page_count");
    gint64 id = fixture_store(place->path, run, 5000);
    g_assert_cmpint(fixture_number(place->path, "PRAGMA page_count"), >, pages + 100);

    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(GError) error = NULL;
    g_assert_true(plt_library_delete(library, id, &error));
    g_assert_no_error(error);
    g_assert_cmpint(rows_of_all_tables(place->path), ==, rows);
    /* All but a page or two that tables keep of their growth. */
    g_assert_cmpint(fixture_number(place->path, "PRAGMA page_count"), <=, pages + 2);
    g_autofree char *integrity = fixture_text(place->path, "PRAGMA integrity_check");
    g_assert_cmpstr(integrity, ==, "ok");

    g_assert_false(plt_library_delete(library, id, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_clear_error(&error);
    /* A number that a person has written down never means another run. */
    gint64 next = store_small(place->path, "00000000-0000-4000-8000-000000000009", 5000);
    g_assert_cmpint(next, >, id);
    g_assert_cmpint(kept, <, id);
}

static void test_delete_refuses_a_live_run(Place *place, gconstpointer data)
{
    g_autoptr(PltRun) run = fixture_new_run();
    g_autoptr(GError) error = NULL;
    PltRecorder *recorder = plt_recorder_new(place->path, run, FALSE, &error);
    g_assert_no_error(error);
    gint64 id = plt_recorder_run_id(recorder);
    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_assert_false(plt_library_delete(library, id, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_REFUSED);
    g_clear_error(&error);
    g_assert_true(plt_recorder_finish(recorder, PLT_RUN_COMPLETE, NULL, 2000, &error));
    g_assert_true(plt_library_delete(library, id, &error));
    g_assert_no_error(error);
}

/* Damage inside the file, which SQLite itself cannot see. */
static void test_damaged_content(Place *place, gconstpointer data)
{
    static const char *const damages[] = {
        "UPDATE run SET status = 'sleeping'",
        "UPDATE run SET platform = '{\"cpu\":'",
        "UPDATE cell SET pattern = 'spiral'",
        "UPDATE cell_run SET engine = ']'",
        "UPDATE figure SET op = 'erase' WHERE op = 'read'",
        "UPDATE histogram SET data = x'0102'",
    };
    for (guint i = 0; i < G_N_ELEMENTS(damages); i++) {
        g_autoptr(PltRun) run = fixture_run();
        PltCellRun *first = g_ptr_array_index(((PltCell *)run->cells->pdata[0])->runs, 0);
        first->histogram[PLT_OP_READ] = g_new0(struct plt_histogram, 1);
        plt_histogram_reset(first->histogram[PLT_OP_READ]);
        gint64 id = fixture_store(place->path, run, 1);
        fixture_exec(place->path, damages[i]);
        g_autoptr(PltLibrary) library = fixture_open(place->path);
        g_autoptr(GError) error = NULL;
        g_assert_null(plt_library_load(library, id, &error));
        g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
        g_clear_error(&error);
        g_assert_true(plt_library_delete(library, id, &error));
        g_assert_no_error(error);
    }
}

static void test_damaged_samples(Place *place, gconstpointer data)
{
    g_autoptr(PltRun) run = fixture_run();
    gint64 id = fixture_store(place->path, run, 700);
    fixture_exec(place->path, "UPDATE sample_chunk SET data = substr(data, 1, 100) WHERE first = 256");
    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(GError) error = NULL;
    g_autoptr(PltRun) back = plt_library_load(library, id, &error);
    g_assert_no_error(error);
    PltCellRun *loaded = g_ptr_array_index(((PltCell *)back->cells->pdata[0])->runs, 0);
    g_assert_false(plt_library_load_samples(library, loaded, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
    g_assert_null(loaded->samples);
}

#define ADD(name, function) g_test_add("/library/library/" name, Place, NULL, set_up, function, tear_down)

/* What a cell is in its suite, and the temperatures of the run, come back as they were given. */
static void test_role_and_temperatures(Place *place, gconstpointer data)
{
    g_autoptr(PltRun) run = fixture_new_run();
    g_autoptr(GError) error = NULL;
    PltRecorder *recorder = plt_recorder_new(place->path, run, FALSE, &error);
    PltCellSpec spec = fixture_spec();
    g_assert_no_error(error);
    gint64 id = plt_recorder_run_id(recorder);
    spec.role = (char *)"fill-pass-1";
    plt_recorder_begin_cell(recorder, &spec, PLT_SCORE_BEST);
    plt_recorder_add_temperature(recorder, run->started_us + 2000000, 43.5);
    plt_recorder_add_temperature(recorder, run->started_us + 1000000, 41);
    g_assert_true(plt_recorder_finish(recorder, PLT_RUN_COMPLETE, NULL, run->started_us + 3000000, &error));

    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(PltRun) loaded = plt_library_load(library, id, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(((PltCell *)loaded->cells->pdata[0])->spec.role, ==, "fill-pass-1");
    g_assert_cmpuint(loaded->temperatures->len, ==, 2);
    PltTemperature first = g_array_index(loaded->temperatures, PltTemperature, 0);
    PltTemperature second = g_array_index(loaded->temperatures, PltTemperature, 1);
    g_assert_cmpint(first.at_us, ==, run->started_us + 1000000);
    g_assert_cmpfloat(first.celsius, ==, 41);
    g_assert_cmpfloat(second.celsius, ==, 43.5);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library/library/default-path", test_default_path);
    ADD("empty", test_empty);
    ADD("makes-its-folder", test_makes_its_folder);
    ADD("made-by-many-at-once", test_made_by_many_at_once);
    ADD("odd-names", test_odd_names);
    ADD("odd-documents", test_odd_documents);
    ADD("round-trip", test_round_trip);
    ADD("list", test_list);
    ADD("find", test_find);
    ADD("texts", test_texts);
    ADD("delete", test_delete);
    ADD("delete-refuses-a-live-run", test_delete_refuses_a_live_run);
    ADD("damaged-content", test_damaged_content);
    ADD("damaged-samples", test_damaged_samples);
    ADD("role-and-temperatures", test_role_and_temperatures);
    return g_test_run();
}
