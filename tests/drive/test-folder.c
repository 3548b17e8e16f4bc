/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/folder.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "scratch.h"

static void check_refused(const char *path, gboolean allow_memory, int code, const char *named)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltFolder) folder = plt_folder_open(path, allow_memory, &error);

    g_assert_null(folder);
    g_assert_error(error, PLT_ERROR, code);
    g_test_message("%s", error->message);
    g_assert_null(strchr(error->message, '\n'));
    if (named != NULL)
        g_assert_nonnull(strstr(error->message, named));
}

static PltFolder *open_checked(const char *path)
{
    g_autoptr(GError) error = NULL;
    PltFolder *folder = plt_folder_open(path, TRUE, &error);

    g_assert_no_error(error);
    return folder;
}

/* The file system of the build tree may be one that is refused: then nothing can be tried there. */
static PltFolder *open_or_skip(const char *path)
{
    PltFolder *folder = plt_folder_open(path, TRUE, NULL);

    if (folder == NULL)
        g_test_skip("the build tree is not on a file system that can be measured");
    return folder;
}

static void test_opens(void)
{
    g_autofree char *path = scratch_folder("plain");
    g_autofree char *link = g_strconcat(path, "-link", NULL);
    g_autofree char *dotted = g_strconcat(path, "/../plain/.", NULL);
    g_autofree char *real = realpath(path, NULL);
    g_autoptr(PltFolder) folder = NULL, linked = NULL, roundabout = NULL;

    g_assert_cmpint(symlink(path, link), ==, 0);
    folder = open_or_skip(path);
    if (folder == NULL)
        return;
    g_assert_cmpstr(plt_folder_path(folder), ==, real);
    g_assert_cmpint(strlen(plt_folder_fstype(folder)), >, 0);
    g_assert_cmpuint(plt_folder_free_bytes(folder), >, 0);
    linked = open_checked(link);
    g_assert_cmpstr(plt_folder_path(linked), ==, real);
    roundabout = open_checked(dotted);
    g_assert_cmpstr(plt_folder_path(roundabout), ==, real);
    g_assert_true(plt_folder_shares_drive(folder, link));
}

static void test_relative(void)
{
    g_autofree char *path = scratch_folder("relative");
    g_autofree char *real = realpath(path, NULL), *before = g_get_current_dir();
    g_autoptr(PltFolder) folder = NULL;

    g_assert_cmpint(chdir(path), ==, 0);
    folder = open_or_skip(".");
    g_assert_cmpint(chdir(before), ==, 0);
    if (folder != NULL)
        g_assert_cmpstr(plt_folder_path(folder), ==, real);
}

static void test_no_folder(void)
{
    g_autofree char *path = scratch_folder("no-folder");
    g_autofree char *file = g_build_filename(path, "file", NULL), *below = g_build_filename(file, "x", NULL);
    g_autofree char *missing = g_build_filename(path, "missing", NULL);
    g_autofree char *circle = g_build_filename(path, "circle", NULL);
    g_autofree char *long_name = g_strnfill(300, 'x'), *too_long = g_build_filename(path, long_name, NULL);

    g_assert_true(g_file_set_contents(file, "x", 1, NULL));
    g_assert_cmpint(symlink(circle, circle), ==, 0);
    check_refused(missing, FALSE, PLT_ERROR_USAGE, "missing");
    check_refused(file, FALSE, PLT_ERROR_USAGE, "file");
    check_refused(below, FALSE, PLT_ERROR_USAGE, "file/x");
    check_refused(circle, FALSE, PLT_ERROR_USAGE, "circle");
    check_refused(too_long, FALSE, PLT_ERROR_FAILED, "xxx");
    check_refused("", FALSE, PLT_ERROR_USAGE, NULL);
}

static void test_kernel_folders(void)
{
    g_autofree char *path = scratch_folder("kernel");
    g_autofree char *link = g_build_filename(path, "link", NULL);
    g_autofree char *device = g_build_filename(path, "device", NULL);

    check_refused("/dev", TRUE, PLT_ERROR_REFUSED, "/dev");
    check_refused("/proc", TRUE, PLT_ERROR_REFUSED, "/proc");
    check_refused("/proc/self", TRUE, PLT_ERROR_REFUSED, "/proc");
    check_refused("/sys/block", TRUE, PLT_ERROR_REFUSED, "/sys");
    check_refused("/dev/null", TRUE, PLT_ERROR_REFUSED, "/dev/null");
    g_assert_cmpint(symlink("/dev", link), ==, 0);
    check_refused(link, TRUE, PLT_ERROR_REFUSED, "/dev");
    g_assert_cmpint(symlink("/dev/null", device), ==, 0);
    check_refused(device, TRUE, PLT_ERROR_REFUSED, "device");
}

/* The same file system under a harmless name. */
static void test_bound_dev(void)
{
    g_autofree char *path = scratch_folder("bound-dev");

    if (scratch_mount("/dev", path, "bind", MS_BIND | MS_REC, NULL))
        check_refused(path, FALSE, PLT_ERROR_REFUSED, "bound-dev");
}

static void test_memory(void)
{
    g_autofree char *path = scratch_folder("memory");
    g_autoptr(PltFolder) folder = NULL;
    g_autoptr(GPtrArray) warnings = fixture_warnings_new();

    if (!scratch_mount("none", path, "tmpfs", 0, "size=64m"))
        return;
    check_refused(path, FALSE, PLT_ERROR_REFUSED, "tmpfs");
    folder = open_checked(path);
    plt_folder_add_warnings(folder, 1 << 20, warnings);
    g_assert_true(fixture_has_warning(warnings, "memory", "tmpfs"));
    g_assert_false(fixture_has_warning(warnings, "direct-not-honoured", NULL));
}

static void test_overlay_on_memory(void)
{
    g_autofree char *memory = scratch_folder("overlay-memory"), *merged = scratch_folder("overlay-merged");
    g_autofree char *lower = scratch_folder("overlay-lower"), *upper = NULL, *work = NULL, *data = NULL;
    g_autoptr(PltFolder) folder = NULL;
    g_auto(GStrv) layers = NULL;

    if (!scratch_mount("none", memory, "tmpfs", 0, "size=64m"))
        return;
    upper = scratch_folder("overlay-memory/upper");
    work = scratch_folder("overlay-memory/work");
    data = g_strdup_printf("lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work);
    if (!scratch_mount("overlay", merged, "overlay", 0, data))
        return;
    check_refused(merged, FALSE, PLT_ERROR_REFUSED, "tmpfs");
    folder = open_checked(merged);
    layers = plt_folder_layers(folder);
    g_assert_cmpstr(layers[0], ==, "overlay");
    g_assert_cmpstr(layers[1], ==, "tmpfs");
}

static void test_read_only(void)
{
    g_autofree char *memory = scratch_folder("read-only"), *bound = scratch_folder("read-only-bound");

    if (!scratch_mount("none", memory, "tmpfs", 0, "size=1m") ||
        !scratch_mount(memory, bound, "bind", MS_BIND, NULL) ||
        !scratch_mount(NULL, bound, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL))
        return;
    check_refused(bound, TRUE, PLT_ERROR_READ_ONLY, "tmpfs");
    check_refused(bound, FALSE, PLT_ERROR_REFUSED, "tmpfs");
}

static void test_permission(void)
{
    g_autofree char *closed = scratch_folder("closed"), *inside = scratch_folder("closed/inside");
    g_autofree char *fixed = scratch_folder("fixed");
    gboolean root = geteuid() == 0;

    if (root && seteuid(65534) != 0) {
        g_test_skip("this root cannot become somebody else");
        return;
    }
    if (root && access(closed, F_OK) != 0) {
        g_assert_cmpint(seteuid(0), ==, 0);
        g_test_skip("the build tree is closed to others");
        return;
    }
    g_assert_cmpint(root ? seteuid(0) : 0, ==, 0);
    g_assert_cmpint(g_chmod(closed, 0700), ==, 0);
    g_assert_cmpint(g_chmod(fixed, 0555), ==, 0);
    if (root)
        g_assert_cmpint(seteuid(65534), ==, 0);
    else
        g_assert_cmpint(g_chmod(closed, 0000), ==, 0);
    check_refused(inside, TRUE, PLT_ERROR_PERMISSION, "inside");
    check_refused(fixed, TRUE, PLT_ERROR_PERMISSION, "fixed");
    if (root)
        g_assert_cmpint(seteuid(0), ==, 0);
    g_chmod(closed, 0700);
    g_chmod(fixed, 0755);
}

static void test_squashfs(void)
{
    g_autofree char *source = scratch_folder("squash-source"), *target = scratch_folder("squash");
    g_autofree char *image = g_strconcat(source, ".img", NULL);
    g_autofree char *make = g_strdup_printf("mksquashfs %s %s -quiet -no-progress", source, image);
    g_autofree char *set_up = g_strdup_printf("mount -o loop %s %s", image, target);
    g_autofree char *take_down = g_strdup_printf("umount %s", target);

    if (geteuid() != 0 || !scratch_run(make) || !scratch_run(set_up)) {
        g_test_skip("no squashfs can be mounted here");
        return;
    }
    check_refused(target, TRUE, PLT_ERROR_READ_ONLY, "squashfs");
    g_assert_true(scratch_run(take_down));
}

static void test_fuse(void)
{
    g_autofree char *source = scratch_folder("fuse-source"), *target = scratch_folder("fuse");
    g_autofree char *below = g_build_filename(target, "does-not-exist", NULL);
    g_autofree char *set_up = g_strdup_printf("bindfs %s %s", source, target);
    g_autofree char *take_down = g_strdup_printf("umount %s", target);

    if (geteuid() != 0 || !scratch_run(set_up)) {
        g_test_skip("no FUSE file system (bindfs) can be mounted here");
        return;
    }
    check_refused(target, TRUE, PLT_ERROR_REFUSED, "FUSE");
    /* Refused from the mount table, without asking the file system for the name. */
    check_refused(below, TRUE, PLT_ERROR_REFUSED, "FUSE");
    g_assert_true(scratch_run(take_down));
}

static void test_document(void)
{
    g_autofree char *path = scratch_folder("document");
    g_autoptr(PltFolder) folder = open_or_skip(path);
    g_autoptr(JsonNode) node = NULL, drives = NULL;
    g_auto(GStrv) names = NULL;
    JsonObject *object;

    if (folder == NULL)
        return;
    node = plt_folder_to_json(folder);
    drives = plt_folder_drives_to_json(folder);
    names = plt_folder_drives(folder);
    object = json_node_get_object(node);
    g_assert_cmpstr(json_object_get_string_member(object, "kind"), ==, "folder");
    g_assert_cmpstr(json_object_get_string_member(object, "path"), ==, plt_folder_path(folder));
    g_assert_cmpstr(json_object_get_string_member(object, "filesystem"), ==, plt_folder_fstype(folder));
    g_assert_cmpint(json_object_get_int_member(object, "size"), >, 0);
    g_assert_cmpuint(json_array_get_length(json_object_get_array_member(object, "drives")), ==,
                     g_strv_length(names));
    g_assert_cmpuint(json_array_get_length(json_node_get_array(drives)), ==, g_strv_length(names));
}

int main(int argc, char **argv)
{
    int result;

    g_test_init(&argc, &argv, NULL);
    scratch_init();
    g_test_add_func("/drive/folder/opens", test_opens);
    g_test_add_func("/drive/folder/relative", test_relative);
    g_test_add_func("/drive/folder/refuses-no-folder", test_no_folder);
    g_test_add_func("/drive/folder/refuses-kernel-folders", test_kernel_folders);
    g_test_add_func("/drive/folder/refuses-bound-dev", test_bound_dev);
    g_test_add_func("/drive/folder/refuses-memory", test_memory);
    g_test_add_func("/drive/folder/refuses-overlay-on-memory", test_overlay_on_memory);
    g_test_add_func("/drive/folder/refuses-read-only", test_read_only);
    g_test_add_func("/drive/folder/refuses-without-permission", test_permission);
    g_test_add_func("/drive/folder/refuses-squashfs", test_squashfs);
    g_test_add_func("/drive/folder/refuses-fuse", test_fuse);
    g_test_add_func("/drive/folder/document", test_document);
    result = g_test_run();
    scratch_finish();
    return result;
}
