/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "drive/mounts.h"

/* An overlay on an overlay on …: the kernel allows two levels (FILESYSTEM_MAX_STACK_DEPTH). */
#define MAX_STACKED 4

static PltPlace *place_new(const char *root, const char *path, int fd, guint depth);

void plt_place_free(PltPlace *place)
{
    if (place == NULL)
        return;
    g_free(place->path);
    g_free(place->fstype);
    g_free(place->source);
    g_free(place->options);
    g_free(place->mount_point);
    g_free(place->btrfs_id);
    plt_place_free(place->upper);
    g_free(place);
}

static char *btrfs_id_read(int fd)
{
    /* FS_INFO works on a readable descriptor only, and an O_PATH one is not. */
    int folder = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    struct btrfs_ioctl_fs_info_args info = {0};
    GString *id;

    if (folder < 0)
        return NULL;
    if (ioctl(folder, BTRFS_IOC_FS_INFO, &info) != 0) {
        close(folder);
        return NULL;
    }
    close(folder);
    id = g_string_new(NULL);
    for (guint i = 0; i < sizeof info.fsid; i++)
        g_string_append_printf(id, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", info.fsid[i]);
    return g_string_free(id, FALSE);
}

static guint64 look_at(PltPlace *place, int fd)
{
    struct statvfs space;
    struct statfs type;
    struct statx status;

    if (fstatvfs(fd, &space) == 0) {
        place->size = (guint64)space.f_blocks * space.f_frsize;
        place->free = (guint64)space.f_bavail * space.f_frsize;
        place->read_only = (space.f_flag & ST_RDONLY) != 0;
    }
    if (fstatfs(fd, &type) == 0) {
        place->magic = (guint32)type.f_type;
        place->block_size = (guint32)type.f_bsize;
    }
    place->writable = faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0 || errno == EROFS;
    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS | STATX_MNT_ID, &status) != 0)
        return PLT_MOUNT_ID_UNKNOWN;
    place->dev = makedev(status.stx_dev_major, status.stx_dev_minor);
    return status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : PLT_MOUNT_ID_UNKNOWN;
}

static void take_mount(PltPlace *place, PltMountEntry *mount, gboolean looked)
{
    g_auto(GStrv) options = g_strsplit(mount->options, ",", -1);

    place->fstype = g_strdup(mount->fstype);
    place->source = g_strdup(mount->source);
    place->options = g_strdup(mount->options);
    place->mount_point = g_strdup(mount->point);
    if (looked)
        return;
    place->magic = plt_filesystem_magic(mount->fstype);
    place->dev = mount->dev;
    place->read_only = g_strv_contains((const char *const *)options, "ro");
    place->writable = TRUE;
}

/*
 * An overlay prints lowerdir, upperdir, workdir in this order; the value may hold commas once libmount has
 * undone the kernel's escapes, so it ends where the next name begins. eCryptfs names its folder as source.
 */
static char *upper_path(const PltPlace *place)
{
    const char *start, *end;

    if (g_str_equal(place->fstype, "ecryptfs"))
        return g_str_has_prefix(place->source, "/") ? g_strdup(place->source) : NULL;
    start = strstr(place->options, "upperdir=");
    if (start == NULL)
        return NULL;
    start += strlen("upperdir=");
    end = strstr(start, ",workdir=");
    return end != NULL ? g_strndup(start, (gsize)(end - start)) : g_strdup(start);
}

static PltPlace *locate(const char *root, const char *path, guint depth)
{
    int fd;
    PltPlace *place;

    if (root[0] != '\0')
        return place_new(root, path, -1, depth);
    fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    place = place_new(root, path, fd, depth);
    close(fd);
    return place;
}

static PltPlace *place_new(const char *root, const char *path, int fd, guint depth)
{
    PltPlace *place = g_new0(PltPlace, 1);
    guint64 id = fd >= 0 ? look_at(place, fd) : PLT_MOUNT_ID_UNKNOWN;
    g_autoptr(PltMountEntry) mount = plt_mounts_find(root, path, id);

    place->path = g_strdup(path);
    if (mount != NULL) {
        take_mount(place, mount, fd >= 0);
    } else {
        const char *name = plt_filesystem_name(place->magic);

        place->fstype = g_strdup(name != NULL ? name : "unknown");
        place->source = g_strdup("");
        place->options = g_strdup("");
    }
    if (fd >= 0 && g_str_equal(place->fstype, "btrfs"))
        place->btrfs_id = btrfs_id_read(fd);
    if (plt_place_kind(place) == PLT_FS_OVERLAY && depth < MAX_STACKED) {
        g_autofree char *upper = upper_path(place);

        if (upper != NULL)
            place->upper = locate(root, upper, depth + 1);
    }
    return place;
}

PltPlace *plt_place_new(const char *root, const char *path, int fd)
{
    return place_new(root, path, fd, 0);
}

PltPlace *plt_place_locate(const char *root, const char *path)
{
    return locate(root, path, 0);
}

PltFsKind plt_place_kind(const PltPlace *place)
{
    return plt_filesystem_kind(place->fstype, place->magic);
}

const PltPlace *plt_place_base(const PltPlace *place)
{
    while (place->upper != NULL)
        place = place->upper;
    return place;
}

gboolean plt_place_in_memory(const PltPlace *place)
{
    return plt_place_kind(plt_place_base(place)) == PLT_FS_MEMORY;
}
