/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/mounts.h"

#include <libmount/libmount.h>
#include <string.h>

void plt_mount_entry_free(struct plt_mount_entry *mount)
{
    if (mount == NULL)
        return;
    g_free(mount->point);
    g_free(mount->fstype);
    g_free(mount->source);
    g_free(mount->options);
    g_free(mount);
}

static gboolean path_is_below(const char *path, const char *point)
{
    size_t length = strlen(point);

    if (length == 1)
        return path[0] == '/';
    return strncmp(path, point, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static struct plt_mount_entry *mount_copy(struct libmnt_fs *fs)
{
    struct plt_mount_entry *mount = g_new0(struct plt_mount_entry, 1);
    const char *source = mnt_fs_get_source(fs);
    const char *options = mnt_fs_get_options(fs);

    mount->point = g_strdup(mnt_fs_get_target(fs));
    mount->fstype = g_strdup(mnt_fs_get_fstype(fs));
    mount->source = g_strdup(source != NULL ? source : "");
    mount->options = g_strdup(options != NULL ? options : "");
    mount->dev = mnt_fs_get_devno(fs);
    return mount;
}

static struct libmnt_fs *table_find(struct libmnt_table *table, const char *path, guint64 id)
{
    struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
    struct libmnt_fs *fs, *best = NULL;
    size_t best_length = 0;

    while (iter != NULL && mnt_table_next_fs(table, iter, &fs) == 0) {
        const char *point = mnt_fs_get_target(fs);

        if (point == NULL || mnt_fs_get_fstype(fs) == NULL)
            continue;
        if (id != PLT_MOUNT_ID_UNKNOWN && (guint64)mnt_fs_get_id(fs) == id) {
            best = fs;
            break;
        }
        if (id == PLT_MOUNT_ID_UNKNOWN && path_is_below(path, point) && strlen(point) >= best_length) {
            best = fs;
            best_length = strlen(point);
        }
    }
    mnt_free_iter(iter);
    return best;
}

struct plt_mount_entry *plt_mounts_find(const char *root, const char *path, guint64 id)
{
    g_autofree char *file = g_strconcat(root, "/proc/self/mountinfo", NULL);
    struct libmnt_table *table = mnt_new_table_from_file(file);
    struct libmnt_fs *fs;
    struct plt_mount_entry *mount = NULL;

    if (table == NULL)
        return NULL;
    fs = table_find(table, path, id);
    if (fs != NULL)
        mount = mount_copy(fs);
    mnt_unref_table(table);
    return mount;
}

char *plt_mounts_option(const char *options, const char *name)
{
    char *value = NULL;
    size_t size = 0;

    if (options == NULL || mnt_optstr_get_option(options, name, &value, &size) != 0)
        return NULL;
    return value != NULL ? g_strndup(value, size) : g_strdup("");
}
