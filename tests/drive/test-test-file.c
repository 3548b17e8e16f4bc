/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive/test-file-private.h"
#include "fixture.h"
#include "scratch.h"

#define MIB (1 << 20)
#define SIZE (8 * MIB)
#define BLOCK 4096

static PltFolder *open_or_skip(const char *path)
{
    PltFolder *folder = plt_folder_open(path, TRUE, NULL);

    if (folder == NULL)
        g_test_skip("the build tree is not on a file system that can be measured");
    return folder;
}

static guint count_entries(const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    guint count = 0;

    while (g_dir_read_name(dir) != NULL)
        count++;
    return count;
}

static gboolean make(PltFolder *folder, PltTestFile *file)
{
    g_autoptr(GError) error = NULL;

    if (plt_folder_make_test_file(folder, SIZE, BLOCK, file, &error))
        return TRUE;
    if (g_error_matches(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED))
        g_test_skip(error->message);
    else
        g_assert_no_error(error);
    return FALSE;
}

static void fill(int fd, off_t from, off_t to)
{
    void *buffer = NULL;

    g_assert_cmpint(posix_memalign(&buffer, 65536, MIB), ==, 0);
    memset(buffer, 0x5a, MIB);
    for (off_t at = from; at < to; at += MIB)
        g_assert_cmpint(pwrite(fd, buffer, (size_t)MIN(MIB, to - at), at), >, 0);
    free(buffer);
}

static void test_leaves_nothing(void)
{
    g_autofree char *path = scratch_folder("nothing");
    g_autoptr(PltFolder) folder = open_or_skip(path);
    PltTestFile file;
    struct stat status;

    if (folder == NULL || !make(folder, &file))
        return;
    g_assert_cmpuint(count_entries(path), ==, 0);
    g_assert_cmpint(fstat(file.fd, &status), ==, 0);
    g_assert_cmpuint(status.st_nlink, ==, 0);
    g_assert_cmpint(status.st_mode & 0777, ==, 0600);
    g_assert_cmpuint(file.size, ==, SIZE);
    g_assert_cmpint(fcntl(file.fd, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
    plt_test_file_close(&file);
    g_assert_cmpint(file.fd, ==, -1);
    plt_test_file_close(&file);
    g_assert_cmpuint(count_entries(path), ==, 0);
}

/* The way for file systems without O_TMPFILE. */
static void test_named(void)
{
    g_autofree char *path = scratch_folder("named");
    g_autoptr(PltFolder) folder = open_or_skip(path);
    g_autoptr(GError) error = NULL;
    struct stat status;
    int fd;

    if (folder == NULL)
        return;
    fd = plt_test_file_open_named(folder, &error);
    g_assert_no_error(error);
    g_assert_cmpint(fstat(fd, &status), ==, 0);
    g_assert_cmpuint(status.st_nlink, ==, 0);
    g_assert_cmpuint(count_entries(path), ==, 0);
    g_assert_cmpint(pwrite(fd, "x", 1, 0), ==, 1);
    close(fd);
}

static void test_direct(void)
{
    g_autofree char *path = scratch_folder("direct");
    g_autoptr(PltFolder) folder = open_or_skip(path);
    PltTestFile file;

    if (folder == NULL || !make(folder, &file))
        return;
    g_assert_cmpuint(file.logical_block, >=, 512);
    g_assert_cmpuint(file.logical_block & (file.logical_block - 1), ==, 0);
    g_assert_cmpuint(BLOCK % file.logical_block, ==, 0);
    g_assert_cmpuint(file.memory_align & (file.memory_align - 1), ==, 0);
    if (file.direct)
        g_assert_cmpint(fcntl(file.fd, F_GETFL) & O_DIRECT, ==, O_DIRECT);
    plt_test_file_close(&file);
}

static void test_written(void)
{
    g_autofree char *path = scratch_folder("written");
    g_autoptr(PltFolder) folder = open_or_skip(path);
    PltTestFile file;

    if (folder == NULL || !make(folder, &file))
        return;
    g_assert_false(plt_test_file_is_written(file.fd, SIZE));
    fill(file.fd, 0, SIZE / 2);
    g_assert_true(plt_test_file_is_written(file.fd, SIZE / 2));
    g_assert_false(plt_test_file_is_written(file.fd, SIZE));
    fill(file.fd, SIZE / 2, SIZE);
    g_assert_true(plt_test_file_is_written(file.fd, SIZE));
    g_assert_false(plt_test_file_is_written(file.fd, SIZE + BLOCK));
    if (fallocate(file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, MIB, 64 << 10) == 0) {
        g_assert_false(plt_test_file_is_written(file.fd, SIZE));
        g_assert_true(plt_test_file_is_written(file.fd, MIB));
    }
    plt_test_file_close(&file);
}

/* More pieces than one call of the kernel's list returns. */
static void test_many_extents(void)
{
    g_autofree char *path = scratch_folder("many");
    g_autoptr(PltFolder) folder = open_or_skip(path);
    PltTestFile file;

    if (folder == NULL || !make(folder, &file))
        return;
    fill(file.fd, 0, SIZE);
    for (off_t at = 0; at < SIZE; at += 2 * BLOCK) {
        if (fallocate(file.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, BLOCK) != 0) {
            plt_test_file_close(&file);
            g_test_skip("no holes can be punched here");
            return;
        }
    }
    g_assert_false(plt_test_file_is_written(file.fd, SIZE));
    for (off_t at = 0; at < SIZE; at += 2 * BLOCK)
        fill(file.fd, at, at + BLOCK);
    g_assert_true(plt_test_file_is_written(file.fd, SIZE));
    plt_test_file_close(&file);
}

static void check_fails(PltFolder *folder, guint64 size, guint32 block, int code)
{
    g_autoptr(GError) error = NULL;
    PltTestFile file;

    g_assert_false(plt_folder_make_test_file(folder, size, block, &file, &error));
    g_assert_error(error, PLT_ERROR, code);
    g_test_message("%s", error->message);
    g_assert_cmpint(file.fd, ==, -1);
}

static void test_sizes(void)
{
    g_autofree char *path = scratch_folder("sizes");
    g_autoptr(PltFolder) folder = open_or_skip(path);

    if (folder == NULL)
        return;
    check_fails(folder, 0, BLOCK, PLT_ERROR_USAGE);
    check_fails(folder, SIZE, 0, PLT_ERROR_USAGE);
    check_fails(folder, SIZE + 512, BLOCK, PLT_ERROR_USAGE);
    check_fails(folder, G_MAXUINT64 - (BLOCK - 1), BLOCK, PLT_ERROR_USAGE);
}

static void test_no_space(void)
{
    g_autofree char *path = scratch_folder("no-space");
    g_autoptr(PltFolder) folder = open_or_skip(path);
    guint64 size;

    if (folder == NULL)
        return;
    size = plt_folder_free_bytes(folder) / MIB * MIB;
    check_fails(folder, size + MIB, BLOCK, PLT_ERROR_NO_SPACE);
    check_fails(folder, G_GUINT64_CONSTANT(1) << 60, BLOCK, PLT_ERROR_NO_SPACE);
}

/* "ulimit -f": without a check the kernel would end the program. */
static void test_file_size_limit(void)
{
    g_autofree char *path = scratch_folder("limit");
    g_autoptr(PltFolder) folder = open_or_skip(path);
    struct rlimit before, limit;

    if (folder == NULL)
        return;
    g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
    limit = before;
    limit.rlim_cur = MIB;
    g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &limit), ==, 0);
    check_fails(folder, SIZE, BLOCK, PLT_ERROR_NO_SPACE);
    g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &before), ==, 0);
}

/* The folder was taken away after it had been opened. */
static void test_folder_gone(void)
{
    g_autofree char *path = scratch_folder("gone");
    g_autoptr(PltFolder) folder = open_or_skip(path);

    if (folder == NULL)
        return;
    g_assert_cmpint(rmdir(path), ==, 0);
    check_fails(folder, SIZE, BLOCK, PLT_ERROR_FAILED);
}

/* What can hardly be brought about here (quotas, broken drives) still has its own sentence. */
static void test_errors(void)
{
    static const struct {
        int errno_value, code;
        const char *word;
    } cases[] = {
        {ENOSPC, PLT_ERROR_NO_SPACE, "space"},
        {EDQUOT, PLT_ERROR_NO_SPACE, "quota"},
        {EFBIG, PLT_ERROR_NO_SPACE, "this size"},
        {EROFS, PLT_ERROR_READ_ONLY, "read-only"},
        {EACCES, PLT_ERROR_PERMISSION, "this user"},
        {EPERM, PLT_ERROR_PERMISSION, "this user"},
        {EIO, PLT_ERROR_DEVICE, "drive"},
        {ENODEV, PLT_ERROR_DEVICE, "drive"},
        {EMFILE, PLT_ERROR_FAILED, "open files"},
    };
    g_autofree char *path = scratch_folder("errors");
    g_autoptr(PltFolder) folder = open_or_skip(path);

    for (gsize i = 0; folder != NULL && i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;

        plt_test_file_set_error(folder, cases[i].errno_value, &error);
        g_assert_error(error, PLT_ERROR, cases[i].code);
        g_assert_nonnull(strstr(error->message, cases[i].word));
        g_assert_nonnull(strstr(error->message, plt_folder_path(folder)));
        g_assert_nonnull(strstr(error->message, ": "));
    }
}

int main(int argc, char **argv)
{
    int result;

    g_test_init(&argc, &argv, NULL);
    scratch_init();
    g_test_add_func("/drive/test-file/leaves-nothing", test_leaves_nothing);
    g_test_add_func("/drive/test-file/named", test_named);
    g_test_add_func("/drive/test-file/direct", test_direct);
    g_test_add_func("/drive/test-file/written", test_written);
    g_test_add_func("/drive/test-file/many-extents", test_many_extents);
    g_test_add_func("/drive/test-file/sizes", test_sizes);
    g_test_add_func("/drive/test-file/no-space", test_no_space);
    g_test_add_func("/drive/test-file/file-size-limit", test_file_size_limit);
    g_test_add_func("/drive/test-file/errors", test_errors);
    g_test_add_func("/drive/test-file/folder-gone", test_folder_gone);
    result = g_test_run();
    scratch_finish();
    return result;
}
