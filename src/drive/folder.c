/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "drive/device.h"
#include "drive/folder-private.h"
#include "drive/sysfs.h"

static void set_open_error(const char *path, int code, GError **error)
{
    g_autofree char *shown = g_filename_display_name(path);

    switch (code) {
    case ENOENT:
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("“%s” does not exist: make the folder first, or choose another one"), shown);
        break;
    case ENOTDIR:
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("“%s” is not a folder: give the folder in which the test file is to be made"), shown);
        break;
    case EACCES:
    case EPERM:
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION,
                    _("“%s” may not be entered by this user: choose a folder of your own"), shown);
        break;
    case ELOOP:
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("“%s” is a link that leads back to itself: choose another folder"), shown);
        break;
    default:
        g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED,
                    _("“%s” cannot be opened (%s): choose another folder"), shown, g_strerror(code));
        break;
    }
}

static char *real_path_of(int fd, const char *path)
{
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
    char real[PATH_MAX];
    char *found = g_file_read_link(link, NULL);

    /* Without /proc the name can only be followed a second time. */
    if (found == NULL && realpath(path, real) != NULL)
        found = g_strdup(real);
    return found != NULL ? found : g_strdup(path);
}

PltFolder *plt_folder_new(const char *root, PltPlace *place, int fd, gboolean allow_memory)
{
    PltFolder *folder = g_new0(PltFolder, 1);

    folder->root = g_strdup(root);
    folder->fd = fd;
    folder->allow_memory = allow_memory;
    folder->place = place;
    folder->stack = plt_stack_new(root, place);
    return folder;
}

/* What is no folder is refused here: a device node for being one, wherever it lies. */
static gboolean check_type(const char *path, int fd, GError **error)
{
    g_autofree char *shown = g_filename_display_name(path);
    struct stat status;

    if (fstat(fd, &status) != 0) {
        set_open_error(path, errno, error);
        return FALSE;
    }
    if (S_ISDIR(status.st_mode))
        return TRUE;
    if (!S_ISBLK(status.st_mode) && !S_ISCHR(status.st_mode)) {
        set_open_error(path, ENOTDIR, error);
        return FALSE;
    }
    g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                _("“%s” is a device and not a folder: choose a folder on a mounted drive"), shown);
    return FALSE;
}

PltFolder *plt_folder_open(const char *path, gboolean allow_memory, GError **error)
{
    g_autofree char *here = NULL, *absolute = NULL, *real = NULL;
    g_autoptr(PltPlace) place = NULL;
    int fd;

    if (path == NULL || path[0] == '\0') {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("No folder was given: name one to measure in"));
        return NULL;
    }
    here = g_get_current_dir();
    absolute = g_path_is_absolute(path) ? g_strdup(path) : g_build_filename(here, path, NULL);
    if (!plt_place_check_mount("", absolute, error))
        return NULL;
    fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        set_open_error(path, errno, error);
        return NULL;
    }
    if (!check_type(path, fd, error)) {
        close(fd);
        return NULL;
    }
    real = real_path_of(fd, path);
    place = plt_place_new("", real, fd);
    if (!plt_place_check(place, allow_memory, error)) {
        close(fd);
        return NULL;
    }
    return plt_folder_new("", g_steal_pointer(&place), fd, allow_memory);
}

void plt_folder_free(PltFolder *folder)
{
    if (folder == NULL)
        return;
    if (folder->fd >= 0)
        close(folder->fd);
    plt_place_free(folder->place);
    plt_stack_free(folder->stack);
    g_free(folder->root);
    g_free(folder);
}

const char *plt_folder_path(PltFolder *folder)
{
    return folder->place->path;
}

const char *plt_folder_fstype(PltFolder *folder)
{
    return folder->place->fstype;
}

guint64 plt_folder_free_bytes(PltFolder *folder)
{
    struct statvfs space;

    if (folder->fd < 0 || fstatvfs(folder->fd, &space) != 0)
        return folder->place->free;
    return (guint64)space.f_bavail * space.f_frsize;
}

guint64 plt_folder_free_before(PltFolder *folder)
{
    return folder->has_reserved ? folder->free_before : plt_folder_free_bytes(folder);
}

static GStrv strv_of(GPtrArray *list, char *(*copy)(const char *))
{
    GStrv strings = g_new0(char *, list->len + 1);

    for (guint i = 0; i < list->len; i++)
        strings[i] = copy(g_ptr_array_index(list, i));
    return strings;
}

static char *copy_text(const char *text)
{
    return g_strdup(text);
}

GStrv plt_folder_drives(PltFolder *folder)
{
    return strv_of(folder->stack->drives, plt_device_display_name);
}

GStrv plt_folder_layers(PltFolder *folder)
{
    return strv_of(folder->stack->layers, copy_text);
}

/* The place itself, or the nearest folder above it that is already there. */
static PltPlace *nearest_place(const char *root, const char *path)
{
    g_autofree char *current = g_canonicalize_filename(path, NULL);

    for (;;) {
        g_autofree char *real = plt_sysfs_resolve(root, "%s", current);
        char *up;

        if (real != NULL)
            return plt_place_locate(root, real);
        if (g_str_equal(current, "/"))
            return NULL;
        up = g_path_get_dirname(current);
        g_free(current);
        current = up;
    }
}

gboolean plt_folder_shares_drive(PltFolder *folder, const char *other_path)
{
    g_autoptr(PltPlace) other = nearest_place(folder->root, other_path);
    g_autoptr(PltStack) stack = NULL;

    if (other == NULL)
        return FALSE;
    if (other->dev == folder->place->dev && other->dev != 0)
        return TRUE;
    stack = plt_stack_new(folder->root, other);
    return plt_stack_shares_drive(folder->stack, stack);
}

gboolean plt_folder_is_gone(PltFolder *folder)
{
    for (guint i = 0; i < folder->stack->drives->len; i++) {
        if (plt_device_is_gone(folder->root, g_ptr_array_index(folder->stack->drives, i)))
            return TRUE;
    }
    return FALSE;
}

guint32 plt_folder_device_block(PltFolder *folder)
{
    guint64 largest = 0, block;

    for (guint i = 0; i < folder->stack->tops->len; i++) {
        const char *name = g_ptr_array_index(folder->stack->tops, i);
        gboolean partition = plt_sysfs_exists(folder->root, "/sys/class/block/%s/partition", name);

        /* A partition has no queue of its own: the drive's is one folder up. */
        if (plt_sysfs_read_number(&block, folder->root, "/sys/class/block/%s/%squeue/logical_block_size",
                                  name, partition ? "../" : ""))
            largest = MAX(largest, block);
    }
    return largest >= 512 && largest <= (1 << 20) ? (guint32)largest : 512;
}
