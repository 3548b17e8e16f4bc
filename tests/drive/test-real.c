/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fixture.h"
#include "scratch.h"

/* File systems of the running kernel in loop devices: what each really does with the test file. */

#define MIB (1 << 20)

static PltFolder *open_checked(const char *path)
{
    g_autoptr(GError) error = NULL;
    PltFolder *folder = plt_folder_open(path, TRUE, &error);
    g_auto(GStrv) layers = NULL;

    g_assert_no_error(error);
    layers = plt_folder_layers(folder);
    g_assert_cmpstr(layers[0], ==, plt_folder_fstype(folder));
    g_assert_cmpstr(layers[1], ==, "loop");
    return folder;
}

static void make_file(PltFolder *folder, guint32 block, PltTestFile *file)
{
    g_autoptr(GError) error = NULL;

    plt_folder_make_test_file(folder, 16 * MIB, block, file, &error);
    g_assert_no_error(error);
}

static gboolean warns(PltFolder *folder, const char *id)
{
    g_autoptr(GPtrArray) warnings = fixture_warnings_new();

    plt_folder_add_warnings(folder, G_GUINT64_CONSTANT(1) << 30, warnings);
    return fixture_has_warning(warnings, id, NULL);
}

/* Direct I/O works, nothing is written yet, and after one pass everything is. */
static void check_plain(const char *path, guint32 block)
{
    g_autoptr(PltFolder) folder = open_checked(path);
    g_autofree char *memory = NULL;
    char *buffer;
    PltTestFile file;

    make_file(folder, block, &file);
    g_assert_true(file.direct);
    g_assert_cmpuint(file.logical_block, ==, block);
    g_assert_false(plt_test_file_is_written(file.fd, file.size));
    memory = g_malloc(2 * MIB);
    buffer = (char *)(((guintptr)memory + MIB - 1) / MIB * MIB);
    memset(buffer, 1, MIB);
    for (guint64 at = 0; at < file.size; at += MIB)
        g_assert_cmpint(pwrite(file.fd, buffer, MIB, (off_t)at), ==, MIB);
    g_assert_true(plt_test_file_is_written(file.fd, file.size));
    plt_test_file_close(&file);
    g_assert_false(warns(folder, "direct-not-honoured"));
    g_assert_false(warns(folder, "direct-refused"));
    g_assert_true(warns(folder, "loop"));
}

static void test_ext4(void)
{
    g_autofree char *path = scratch_image("ext4", "mkfs.ext4", "-q", "", 0);

    if (path != NULL)
        check_plain(path, 512);
}

/* It knows no unwritten extents, so the file begins as one hole. */
static void test_ext2(void)
{
    g_autofree char *path = scratch_image("ext2", "mkfs.ext2", "-q", "", 0);

    if (path != NULL)
        check_plain(path, 512);
}

static void test_xfs(void)
{
    g_autofree char *path = scratch_image("xfs", "mkfs.xfs", "-q", "", 0);

    if (path != NULL)
        check_plain(path, 512);
}

static void test_big_block(void)
{
    g_autofree char *path = scratch_image("big", "mkfs.ext4", "-q -b 4096", "", 4096);
    g_autoptr(PltFolder) folder = NULL;
    g_autoptr(GError) error = NULL;
    PltTestFile file;

    if (path == NULL)
        return;
    check_plain(path, 4096);
    folder = open_checked(path);
    g_assert_false(plt_folder_make_test_file(folder, 16 * MIB, 512, &file, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "512"));
    g_assert_nonnull(strstr(error->message, "4096"));
}

static void test_data_journal(void)
{
    g_autofree char *path = scratch_image("journal", "mkfs.ext4", "-q", "data=journal,sync", 0);
    g_autoptr(PltFolder) folder = NULL;
    PltTestFile file;

    if (path == NULL)
        return;
    folder = open_checked(path);
    make_file(folder, 4096, &file);
    g_assert_false(file.direct);
    plt_test_file_close(&file);
    g_assert_true(warns(folder, "data-journal"));
    g_assert_true(warns(folder, "sync-mount"));
    g_assert_true(warns(folder, "direct-not-honoured"));
}

static unsigned flags_of(int fd)
{
    unsigned flags = 0;

    g_assert_cmpint(ioctl(fd, FS_IOC_GETFLAGS, &flags), ==, 0);
    return flags;
}

/* The mount compresses, the test file does not: it is marked before its first byte. */
static void test_btrfs(void)
{
    g_autofree char *path = scratch_image("btrfs", "mkfs.btrfs", "-q", "compress=zstd", 0);
    g_autoptr(PltFolder) folder = NULL;
    g_autoptr(JsonNode) node = NULL;
    PltTestFile file;

    if (path == NULL)
        return;
    check_plain(path, 4096);
    folder = open_checked(path);
    make_file(folder, 4096, &file);
    g_assert_cmpuint(flags_of(file.fd) & FS_NOCOW_FL, ==, FS_NOCOW_FL);
    g_assert_cmpuint(flags_of(file.fd) & FS_COMPR_FL, ==, 0);
    plt_test_file_close(&file);
    g_assert_false(warns(folder, "copy-on-write"));
    g_assert_false(warns(folder, "compression"));
    node = plt_folder_to_json(folder);
    g_assert_false(json_object_get_boolean_member(json_node_get_object(node), "copy_on_write"));
    g_assert_cmpstr(json_object_get_string_member(json_node_get_object(node), "direct_io"), ==, "yes");
}

/* A folder that asks for compression hands that on to its files: the mark must take it away again. */
static void test_btrfs_compressed_folder(void)
{
    g_autofree char *path = scratch_image("btrfs-c", "mkfs.btrfs", "-q", "compress=lzo", 0);
    g_autoptr(PltFolder) folder = NULL;
    g_autofree char *command = g_strdup_printf("chattr +c %s", path);
    PltTestFile file;

    if (path == NULL || !scratch_run(command))
        return;
    folder = open_checked(path);
    make_file(folder, 4096, &file);
    g_assert_cmpuint(flags_of(file.fd) & FS_NOCOW_FL, ==, FS_NOCOW_FL);
    g_assert_cmpuint(flags_of(file.fd) & FS_COMPR_FL, ==, 0);
    g_assert_true(file.direct);
    plt_test_file_close(&file);
    g_assert_false(warns(folder, "compression"));
}

/* The reserve check passes, the file system's own bookkeeping does not leave the room: one clear sentence. */
static void test_full(void)
{
    g_autofree char *path = scratch_image("full", "mkfs.ext4", "-q", "", 0);
    g_autoptr(PltFolder) folder = NULL;
    g_autoptr(GPtrArray) warnings = fixture_warnings_new();
    g_autoptr(GError) error = NULL;
    PltTestFile file;
    guint64 size;

    if (path == NULL)
        return;
    folder = open_checked(path);
    size = plt_folder_free_bytes(folder) / MIB * MIB;
    g_assert_false(plt_folder_make_test_file(folder, size, 4096, &file, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_NO_SPACE);
    plt_folder_add_warnings(folder, size, warnings);
    g_assert_true(fixture_has_warning(warnings, "nearly-full", NULL));
    /* Half of it fits, and a second half does not: the first holds its space though nothing is written. */
    make_file(folder, 4096, &file);
    plt_test_file_close(&file);
    g_assert_true(plt_folder_make_test_file(folder, size / 2 / MIB * MIB, 4096, &file, NULL));
    g_ptr_array_set_size(warnings, 0);
    /* Its space is not counted twice. */
    plt_folder_add_warnings(folder, file.size, warnings);
    g_assert_false(fixture_has_warning(warnings, "nearly-full", NULL));
    g_assert_false(plt_folder_make_test_file(folder, size / 2 / MIB * MIB, 4096, &(PltTestFile){0}, NULL));
    plt_test_file_close(&file);
}

int main(int argc, char **argv)
{
    int result;

    g_test_init(&argc, &argv, NULL);
    scratch_init();
    g_test_add_func("/drive/real/ext4", test_ext4);
    g_test_add_func("/drive/real/ext2", test_ext2);
    g_test_add_func("/drive/real/xfs", test_xfs);
    g_test_add_func("/drive/real/big-block", test_big_block);
    g_test_add_func("/drive/real/data-journal", test_data_journal);
    g_test_add_func("/drive/real/btrfs", test_btrfs);
    g_test_add_func("/drive/real/btrfs-compressed-folder", test_btrfs_compressed_folder);
    g_test_add_func("/drive/real/full", test_full);
    result = g_test_run();
    scratch_finish();
    return result;
}
