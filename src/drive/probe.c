/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive/device-warnings.h"
#include "drive/test-file-private.h"

#define PAGE 4096

/* Largest block that a file system may ask for in direct I/O: XFS and ext4 allow 64 KiB blocks. */
#define MAX_ALIGNMENT (64 << 10)

static gboolean is_alignment(guint32 value)
{
    return value > 0 && value <= MAX_ALIGNMENT && (value & (value - 1)) == 0;
}

/*
 * Before Linux 6.1, and on file systems that do not say it: ext4, XFS and their like ask for the device's
 * logical block; those that keep checksums, or map blocks, for their own block.
 */
static void alignment_guess(PltFolder *folder, PltAlignment *alignment)
{
    static const char *const own_block[] = {"btrfs", "bcachefs", "f2fs", "zfs", "nilfs2", "unknown", NULL};
    const PltPlace *base = plt_place_base(folder->place);

    alignment->offset = plt_folder_device_block(folder);
    if (g_strv_contains(own_block, base->fstype) && is_alignment(base->block_size))
        alignment->offset = MAX(alignment->offset, base->block_size);
    alignment->memory = alignment->offset;
    alignment->possible = TRUE;
}

static void alignment_read(PltFolder *folder, int fd, PltAlignment *alignment)
{
    struct statx status;

    alignment_guess(folder, alignment);
#ifdef STATX_DIOALIGN
    if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) != 0 || !(status.stx_mask & STATX_DIOALIGN))
        return;
    /* Zero says that this file goes through the page cache: encrypted, journalled data, … */
    alignment->possible = status.stx_dio_offset_align != 0;
    if (is_alignment(status.stx_dio_offset_align) && is_alignment(status.stx_dio_mem_align)) {
        alignment->offset = MAX(status.stx_dio_offset_align, 512);
        alignment->memory = MAX(status.stx_dio_mem_align, 1);
    }
#endif
}

static gboolean set_direct(int fd, gboolean direct)
{
    int flags = fcntl(fd, F_GETFL);

    if (flags < 0)
        return FALSE;
    return fcntl(fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

static gboolean try_block(int fd, guint8 *buffer, gsize size)
{
    for (gsize i = 0; i < size; i++)
        buffer[i] = (guint8)(i * 7 + 1);
    if (pwrite(fd, buffer, size, 0) != (gssize)size)
        return FALSE;
    memset(buffer, 0, size);
    if (pread(fd, buffer, size, 0) != (gssize)size)
        return FALSE;
    for (gsize i = 0; i < size; i++) {
        if (buffer[i] != (guint8)(i * 7 + 1))
            return FALSE;
    }
    return TRUE;
}

/* After a direct write and read nothing of the file has any business in the page cache. */
static gboolean is_cached(int fd)
{
    guchar pages[1] = {0};
    void *map = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
    gboolean cached;

    if (map == MAP_FAILED)
        return FALSE;
    cached = mincore(map, PAGE, pages) == 0 && (pages[0] & 1) != 0;
    munmap(map, PAGE);
    return cached;
}

void plt_test_file_probe(PltFolder *folder, int fd, PltAlignment *alignment, PltProbe *probe)
{
    unsigned flags = 0;
    guint8 *buffer = NULL;
    gsize size;

    *probe = (PltProbe){.made = TRUE};
    alignment_read(folder, fd, alignment);
    if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0) {
        probe->nocow = (flags & FS_NOCOW_FL) != 0;
        probe->compressed = (flags & FS_COMPR_FL) != 0;
    }
    size = alignment->offset;
    if (posix_memalign((void **)&buffer, MAX(alignment->memory, PAGE), MAX(size, PAGE)) != 0)
        return;
    probe->direct = set_direct(fd, TRUE) && try_block(fd, buffer, size);
    probe->honoured = probe->direct && alignment->possible && !is_cached(fd);
    free(buffer);
    if (!probe->direct)
        set_direct(fd, FALSE);
    if (ftruncate(fd, 0) != 0)
        g_debug("the probed block stays in the test file: %s", g_strerror(errno));
}

void plt_folder_watch(PltFolder *folder)
{
    if (folder->watched)
        return;
    folder->watched = TRUE;
    folder->waiting = plt_device_waiting(folder->root);
    folder->busy = plt_device_busy(folder->root, folder->stack->drives);
}

const PltProbe *plt_folder_probe(PltFolder *folder)
{
    PltAlignment alignment;
    int fd;

    if (folder->probed || folder->fd < 0)
        return &folder->probe;
    folder->probed = TRUE;
    plt_folder_watch(folder);
    fd = plt_test_file_open(folder, NULL);
    if (fd < 0)
        return &folder->probe;
    plt_test_file_probe(folder, fd, &alignment, &folder->probe);
    close(fd);
    return &folder->probe;
}
