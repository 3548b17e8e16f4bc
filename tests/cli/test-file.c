/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "drive/error.h"

static char *folder;

static char *in_folder(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void check_content(const char *path, const char *expected)
{
    g_autofree char *content = NULL;

    g_assert_true(g_file_get_contents(path, &content, NULL, NULL));
    g_assert_cmpstr(content, ==, expected);
}

static void refuses(const char *path)
{
    g_autoptr(GError) error = NULL;

    g_assert_false(plt_file_write_output(path, "new", 3, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

static void test_writes(void)
{
    g_autofree char *path = in_folder("new.csv");
    g_autoptr(GError) error = NULL;

    g_assert_true(plt_file_write_output(path, "first", 5, &error));
    check_content(path, "first");
    g_assert_true(plt_file_write_output(path, "second", 6, &error));
    check_content(path, "second");
    g_assert_cmpint(g_unlink(path), ==, 0);
}

static void test_link(void)
{
    g_autofree char *path = in_folder("real.csv"), *link = in_folder("link.csv");
    g_autoptr(GError) error = NULL;

    g_assert_true(g_file_set_contents(path, "old", 3, NULL));
    g_assert_cmpint(symlink("real.csv", link), ==, 0);
    g_assert_true(plt_file_write_output(link, "new", 3, &error));
    g_assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    check_content(path, "new");
    g_assert_cmpint(g_unlink(path), ==, 0);
    refuses(link); /* leads to nothing now */
    g_assert_cmpint(g_unlink(link), ==, 0);
}

static void test_special(void)
{
    g_autofree char *fifo = in_folder("fifo");

    g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
    refuses(fifo);
    g_assert_cmpint(g_unlink(fifo), ==, 0);
    refuses("/dev/null");
    refuses(folder);
}

static void test_no_folder(void)
{
    g_autofree char *missing = in_folder("missing/file.csv"), *slash = in_folder("missing/");
    g_autofree char *under_file = in_folder("file/under.csv"), *file = in_folder("file");

    refuses(missing);
    refuses(slash);
    refuses("");
    g_assert_true(g_file_set_contents(file, "x", 1, NULL));
    refuses(under_file);
    check_content(file, "x");
    g_assert_cmpint(g_unlink(file), ==, 0);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("plateau-file-XXXXXX", NULL);
    g_test_add_func("/cli/file/writes", test_writes);
    g_test_add_func("/cli/file/link", test_link);
    g_test_add_func("/cli/file/special", test_special);
    g_test_add_func("/cli/file/no-folder", test_no_folder);
    status = g_test_run();
    g_rmdir(folder);
    g_free(folder);
    return status;
}
