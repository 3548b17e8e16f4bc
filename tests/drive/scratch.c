/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static char *base;
static GPtrArray *mounted;    /* targets, in order */
static const char *no_mounts; /* why not, or NULL */

static gboolean write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    gboolean done = fd >= 0 && write(fd, text, strlen(text)) == (gssize)strlen(text);

    if (fd >= 0)
        close(fd);
    return done;
}

static void enter_namespace(void)
{
    g_autofree char *users = g_strdup_printf("0 %u 1", geteuid());
    g_autofree char *groups = g_strdup_printf("0 %u 1", getegid());

    if (geteuid() == 0) {
        if (unshare(CLONE_NEWNS) != 0)
            no_mounts = "no mount namespace may be made";
        return;
    }
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_text("/proc/self/setgroups", "deny") ||
        !write_text("/proc/self/uid_map", users) || !write_text("/proc/self/gid_map", groups))
        no_mounts = "neither root nor user namespaces";
}

void scratch_init(void)
{
    /* The build tree is more likely to be on a drive than /tmp is. */
    base = g_build_filename(access(TEST_BUILD_DIR, W_OK) == 0 ? TEST_BUILD_DIR : g_get_tmp_dir(),
                            "scratch-XXXXXX", NULL);
    mounted = g_ptr_array_new_with_free_func(g_free);
    g_assert_nonnull(g_mkdtemp(base));
    enter_namespace();
    /* Private from here on down, so that nothing reaches the machine's own namespace. */
    if (no_mounts == NULL &&
        (mount(base, base, NULL, MS_BIND, NULL) != 0 || mount(NULL, base, NULL, MS_PRIVATE, NULL) != 0))
        no_mounts = "mounting is not allowed";
    if (no_mounts == NULL)
        g_ptr_array_add(mounted, g_strdup(base));
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    return remove(path);
}

void scratch_finish(void)
{
    while (mounted->len > 0) {
        umount2(g_ptr_array_index(mounted, mounted->len - 1), MNT_DETACH);
        g_ptr_array_remove_index(mounted, mounted->len - 1);
    }
    nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    g_ptr_array_unref(mounted);
    g_free(base);
}

char *scratch_folder(const char *name)
{
    char *path = g_build_filename(base, name, NULL);

    g_assert_cmpint(g_mkdir_with_parents(path, 0755), ==, 0);
    return path;
}

gboolean scratch_mount(const char *source, const char *target, const char *fstype, unsigned long flags,
                       const char *data)
{
    if (no_mounts != NULL) {
        g_test_skip(no_mounts);
        return FALSE;
    }
    if (mount(source, target, fstype, flags, data) != 0) {
        g_autofree char *why = g_strdup_printf("mount %s: %s", fstype, g_strerror(errno));

        g_test_skip(why);
        return FALSE;
    }
    if (!(flags & MS_REMOUNT))
        g_ptr_array_add(mounted, g_strdup(target));
    return TRUE;
}

gboolean scratch_run(const char *command)
{
    g_autofree char *out = NULL, *err = NULL;
    g_autoptr(GError) error = NULL;
    int status = -1;

    if (!g_spawn_command_line_sync(command, &out, &err, &status, &error)) {
        g_test_message("%s: %s", command, error->message);
        return FALSE;
    }
    if (status != 0)
        g_test_message("%s: %s", command, err);
    return status == 0;
}

static gboolean mount_image(const char *image_path, const char *target_path, const char *options,
                            guint logical_block)
{
    g_autofree char *image = g_shell_quote(image_path);
    g_autofree char *target = g_shell_quote(target_path);
    g_autofree char *loop = g_strdup_printf("loop%s%s", options[0] != '\0' ? "," : "", options);
    g_autofree char *command = NULL, *set_up = NULL, *tear_down = NULL, *out = NULL;
    gboolean done;
    int status = -1;

    if (logical_block == 0) {
        command = g_strdup_printf("mount -o %s %s %s", loop, image, target);
        return scratch_run(command);
    }
    set_up = g_strdup_printf("losetup -f --show -b %u %s", logical_block, image);
    if (!g_spawn_command_line_sync(set_up, &out, NULL, &status, NULL) || status != 0)
        return FALSE;
    g_strstrip(out);
    command = g_strdup_printf("mount %s %s", out, target);
    done = scratch_run(command);
    /* Detached while mounted, it goes when the mount goes. */
    tear_down = g_strdup_printf("losetup -d %s", out);
    scratch_run(tear_down);
    return done;
}

char *scratch_image(const char *name, const char *mkfs, const char *arguments, const char *options,
                    guint logical_block)
{
    g_autofree char *program = g_find_program_in_path(mkfs);
    g_autofree char *image = g_strdup_printf("%s/%s.img", base, name);
    g_autofree char *quoted = g_shell_quote(image);
    g_autofree char *command = g_strdup_printf("%s %s %s", mkfs, arguments, quoted);
    g_autofree char *why = g_strdup_printf("no %s with “%s” here", mkfs, options);
    char *target;

    if (no_mounts != NULL || geteuid() != 0 || program == NULL) {
        g_test_skip(program == NULL ? why : "loop devices need root");
        return NULL;
    }
    target = scratch_folder(name);
    close(open(image, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    if (truncate(image, 320 << 20) != 0 || !scratch_run(command) ||
        !mount_image(image, target, options, logical_block)) {
        g_test_skip(why);
        g_free(target);
        return NULL;
    }
    g_ptr_array_add(mounted, g_strdup(target));
    return target;
}
