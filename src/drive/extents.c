/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/folder.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define EXTENTS_PER_CALL 256

/* What reading would not fetch from a drive, or not yet. */
#define NOT_WRITTEN (FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_UNKNOWN)

static gboolean has_no_hole(int fd, guint64 size)
{
    off_t before = lseek(fd, 0, SEEK_CUR);
    off_t hole = lseek(fd, 0, SEEK_HOLE);

    if (before >= 0)
        lseek(fd, before, SEEK_SET);
    return hole >= 0 && (guint64)hole >= size;
}

/* Goes on from *AT over the extents in MAP: FALSE at a gap, or where an extent is not written. */
static gboolean extents_follow(const struct fiemap *map, guint64 size, guint64 *at)
{
    for (guint i = 0; i < map->fm_mapped_extents && *at < size; i++) {
        const struct fiemap_extent *extent = &map->fm_extents[i];

        if (extent->fe_logical > *at || (extent->fe_flags & NOT_WRITTEN) != 0)
            return FALSE;
        *at = MAX(*at, extent->fe_logical + extent->fe_length);
    }
    return TRUE;
}

gboolean plt_test_file_is_written(int fd, guint64 size)
{
    gsize bytes = sizeof(struct fiemap) + EXTENTS_PER_CALL * sizeof(struct fiemap_extent);
    g_autofree struct fiemap *map = g_malloc0(bytes);
    guint64 at = 0;

    while (at < size) {
        guint64 before = at;

        map->fm_start = at;
        map->fm_length = size - at;
        map->fm_flags = FIEMAP_FLAG_SYNC;
        map->fm_extent_count = EXTENTS_PER_CALL;
        map->fm_mapped_extents = 0;
        if (ioctl(fd, FS_IOC_FIEMAP, map) != 0) {
            if (errno == EINTR)
                continue;
            return has_no_hole(fd, size);
        }
        if (!extents_follow(map, size, &at) || at == before)
            return FALSE;
    }
    return TRUE;
}
