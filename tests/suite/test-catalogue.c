/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "suite/suite.h"

#define CELL "[a]\npattern=random\nblock=4K\nqueue=1\nop=read\n"

/* Two folders of suites, of the program and of the person, that go away with the test. */
typedef struct {
    char *root, *shipped, *own;
    GPtrArray *errors;
} Fixture;

static void set_up(Fixture *fixture, gconstpointer data)
{
    fixture->root = g_dir_make_tmp("plateau-suites-XXXXXX", NULL);
    fixture->shipped = g_build_filename(fixture->root, "shipped", NULL);
    /* The person's folder is fixed for the life of the process: main sets XDG_DATA_HOME. */
    fixture->own = g_build_filename(g_get_user_data_dir(), "plateau", "suites", NULL);
    fixture->errors = g_ptr_array_new_with_free_func(g_free);
    g_mkdir_with_parents(fixture->shipped, 0700);
    g_mkdir_with_parents(fixture->own, 0700);
    g_setenv("PLATEAU_SUITES_DIR", fixture->shipped, TRUE);
}

static void empty_folder(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;

    while ((name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);

        g_assert_cmpint(g_remove(path), ==, 0);
    }
    g_rmdir(folder);
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    empty_folder(fixture->shipped);
    empty_folder(fixture->own);
    g_rmdir(fixture->root);
    g_ptr_array_unref(fixture->errors);
    g_free(fixture->root);
    g_free(fixture->shipped);
    g_free(fixture->own);
}

static void add(const char *folder, const char *file, const char *id, const char *more)
{
    g_autofree char *path = g_build_filename(folder, file, NULL);
    g_autofree char *text = g_strdup_printf(
        "[suite]\nid=%s\nname=%s\ndescription=d\nsize=1G\nseconds=5\n%s" CELL, id, folder, more);

    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char *ids_of(GPtrArray *suites)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < suites->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? "," : "", plt_suite_id(g_ptr_array_index(suites, i)));
    return g_string_free_and_steal(text);
}

/* By group, then by place, then by id. */
static void test_order(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GPtrArray) suites = NULL;
    g_autofree char *ids = NULL;

    add(fixture->shipped, "1.suite", "tool", "group=tools\nplace=1\n");
    add(fixture->shipped, "2.suite", "second", "group=quick\nplace=20\n");
    add(fixture->shipped, "3.suite", "first", "group=quick\nplace=10\n");
    add(fixture->own, "4.suite", "mine-b", "");
    add(fixture->own, "5.suite", "mine-a", "");
    add(fixture->shipped, "6.suite", "fill", "group=fill\n");
    add(fixture->shipped, "not-a-suite.txt", "text", "");
    suites = plt_suite_list(fixture->errors);
    ids = ids_of(suites);
    g_assert_cmpstr(ids, ==, "first,second,mine-a,mine-b,fill,tool");
    g_assert_cmpuint(fixture->errors->len, ==, 0);
}

static void test_own_replaces(Fixture *fixture, gconstpointer data)
{
    g_autoptr(PltSuite) suite = NULL;
    g_autoptr(GPtrArray) suites = NULL;

    add(fixture->shipped, "a.suite", "same", "");
    add(fixture->own, "b.suite", "same", "version=7\n");
    suites = plt_suite_list(fixture->errors);
    g_assert_cmpuint(suites->len, ==, 1);
    suite = plt_suite_find("same", NULL);
    g_assert_cmpstr(plt_suite_name(suite), ==, fixture->own);
    g_assert_cmpuint(plt_suite_version(suite), ==, 7);
    g_assert_cmpuint(fixture->errors->len, ==, 0);
}

/* Within one folder the first file by name has the id, and the other one is reported. */
static void test_twin(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GPtrArray) suites = NULL;

    add(fixture->shipped, "b.suite", "same", "version=2\n");
    add(fixture->shipped, "a.suite", "same", "version=1\n");
    suites = plt_suite_list(fixture->errors);
    g_assert_cmpuint(suites->len, ==, 1);
    g_assert_cmpuint(plt_suite_version(g_ptr_array_index(suites, 0)), ==, 1);
    g_assert_cmpuint(fixture->errors->len, ==, 1);
    g_assert_nonnull(strstr(g_ptr_array_index(fixture->errors, 0), "b.suite"));
}

/* A broken file is left out and reported; a pipe does not hang the program, a folder is no file. */
static void test_broken(Fixture *fixture, gconstpointer data)
{
    g_autofree char *pipe = g_build_filename(fixture->shipped, "b.suite", NULL);
    g_autofree char *folder = g_build_filename(fixture->shipped, "c.suite", NULL);
    g_autofree char *link = g_build_filename(fixture->shipped, "d.suite", NULL);
    g_autoptr(GPtrArray) suites = NULL;
    g_autofree char *ids = NULL;

    add(fixture->shipped, "a.suite", "broken", "colour=red\n");
    g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
    g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    g_assert_cmpint(symlink("/nonexistent/x", link), ==, 0);
    add(fixture->shipped, "e.suite", "good", "");
    suites = plt_suite_list(fixture->errors);
    ids = ids_of(suites);
    g_assert_cmpstr(ids, ==, "good");
    g_assert_cmpuint(fixture->errors->len, ==, 4);
    g_assert_nonnull(strstr(g_ptr_array_index(fixture->errors, 0), "a.suite:7: "));
    g_assert_nonnull(strstr(g_ptr_array_index(fixture->errors, 1), "b.suite is no file"));
    g_assert_nonnull(strstr(g_ptr_array_index(fixture->errors, 2), "c.suite is no file"));
    g_assert_nonnull(strstr(g_ptr_array_index(fixture->errors, 3), "d.suite cannot be read"));
    /* The same without anybody to tell. */
    g_clear_pointer(&suites, g_ptr_array_unref);
    suites = plt_suite_list(NULL);
    g_assert_cmpuint(suites->len, ==, 1);
}

/* An unknown id lists the known ones, and what stands in the way of the one that was meant. */
static void test_unknown(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;

    add(fixture->shipped, "a.suite", "one", "");
    add(fixture->shipped, "b.suite", "two", "colour=red\n");
    g_assert_null(plt_suite_find("two", &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "no suite “two”; there are: one,"));
    g_assert_nonnull(strstr(error->message, "b.suite:7: "));
}

static void test_none(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) suites = NULL;

    g_setenv("PLATEAU_SUITES_DIR", "/nonexistent/suites", TRUE);
    suites = plt_suite_list(fixture->errors);
    g_assert_cmpuint(suites->len, ==, 0);
    g_assert_cmpuint(fixture->errors->len, ==, 0);
    g_assert_null(plt_suite_find("quick", &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "PLATEAU_SUITES_DIR"));
}

/* A path is loaded as it is, wherever it lies. */
static void test_path(Fixture *fixture, gconstpointer data)
{
    g_autofree char *path = g_build_filename(fixture->root, "elsewhere.suite", NULL);
    g_autofree char *missing = g_build_filename(fixture->root, "missing.suite", NULL);
    g_autoptr(PltSuite) suite = NULL;
    g_autoptr(GError) error = NULL;

    add(fixture->root, "elsewhere.suite", "elsewhere", "");
    suite = plt_suite_find(path, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(plt_suite_id(suite), ==, "elsewhere");
    g_assert_null(plt_suite_find(missing, &error));
    g_assert_nonnull(strstr(error->message, "missing.suite cannot be read"));
    g_remove(path);
}

static void test_too_large(Fixture *fixture, gconstpointer data)
{
    g_autofree char *path = g_build_filename(fixture->shipped, "a.suite", NULL);
    g_autoptr(GError) error = NULL;

    add(fixture->shipped, "a.suite", "a", "");
    g_assert_cmpint(truncate(path, 1 << 30), ==, 0);
    g_assert_null(plt_suite_load(path, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
    g_assert_nonnull(strstr(error->message, "larger than 1 MiB"));
}

/* The name in the person's language, the plain one for everybody else. */
static void test_language(void)
{
    static const char text[] =
        "[suite]\nid=a\nname=Plain\nname[ko]=한국어\nname[ko_KR]=대한민국\nname[xx]=Other\n"
        "description=d\nsize=1G\nseconds=5\n" CELL;

    if (g_test_subprocess()) {
        g_autoptr(PltSuite) suite = plt_suite_parse(text, -1, "f", NULL);

        /* Not g_print: it would convert to the character set of a locale that a test has not set. */
        printf("name is %s, original %s\n", plt_suite_name(suite), plt_suite_original_name(suite));
        return;
    }
    g_setenv("LANGUAGE", "ko", TRUE);
    g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
    g_test_trap_assert_passed();
    g_test_trap_assert_stdout("*name is 한국어, original Plain*");
    g_setenv("LANGUAGE", "de:ko_KR", TRUE);
    g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
    g_test_trap_assert_stdout("*name is 대한민국, original Plain*");
    g_setenv("LANGUAGE", "de", TRUE);
    g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
    g_test_trap_assert_stdout("*name is Plain, original Plain*");
}

static void add_test(const char *path, void (*test)(Fixture *fixture, gconstpointer data))
{
    g_test_add(path, Fixture, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
    g_autofree char *home = g_dir_make_tmp("plateau-home-XXXXXX", NULL);
    g_autofree char *inner = g_build_filename(home, "plateau", NULL);
    int result;

    g_setenv("XDG_DATA_HOME", home, TRUE);
    g_test_init(&argc, &argv, NULL);
    add_test("/suite/catalogue/order", test_order);
    add_test("/suite/catalogue/own-replaces", test_own_replaces);
    add_test("/suite/catalogue/twin", test_twin);
    add_test("/suite/catalogue/broken", test_broken);
    add_test("/suite/catalogue/unknown", test_unknown);
    add_test("/suite/catalogue/none", test_none);
    add_test("/suite/catalogue/path", test_path);
    add_test("/suite/catalogue/too-large", test_too_large);
    g_test_add_func("/suite/catalogue/language", test_language);
    result = g_test_run();
    g_rmdir(inner);
    g_rmdir(home);
    return result;
}
