/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/test-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive/size.h"

/*
 * Left free beside the test file: the file system's own records of it (at worst one 4 KiB block of extents
 * for each 340 extents) and the results, should they be stored there too.
 */
#define SPACE_MARGIN (G_GUINT64_CONSTANT(16) << 20)

void plt_test_file_set_error(PltFolder *folder, int code, GError **error)
{
    g_autofree char *shown = g_filename_display_name(folder->place->path);
    const char *fstype = folder->place->fstype;
    struct stat status;

    if (fstat(folder->fd, &status) == 0 && status.st_nlink == 0) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED,
                    _("“%s” was removed in the meantime: choose another folder"), shown);
        return;
    }
    switch (code) {
    case ENOSPC:
        g_set_error(error, PLT_ERROR, PLT_ERROR_NO_SPACE,
                    _("“%s” has no space left for the test file: free some space, or choose a smaller size"),
                    shown);
        break;
    case EDQUOT:
        g_set_error(
            error, PLT_ERROR, PLT_ERROR_NO_SPACE,
            _("The quota of this user in “%s” does not allow the test file: choose a smaller size, or "
              "another folder"),
            shown);
        break;
    case EFBIG:
        g_set_error(error, PLT_ERROR, PLT_ERROR_NO_SPACE,
                    _("The file system of “%s” (%s) or a limit of this user does not allow a file of this "
                      "size: choose a smaller size"),
                    shown, fstype);
        break;
    case EROFS:
        g_set_error(error, PLT_ERROR, PLT_ERROR_READ_ONLY,
                    _("“%s” has become read-only (%s): mount it for writing, or choose another folder"),
                    shown, fstype);
        break;
    case EACCES:
    case EPERM:
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION,
                    _("No test file may be made in “%s” (%s) by this user: choose a folder of your own, or "
                      "change its permissions"),
                    shown, fstype);
        break;
    case EIO:
    case ENODEV:
    case ENXIO:
        g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE,
                    _("The drive under “%s” reported an error while the test file was made (%s): check the "
                      "drive"),
                    shown, g_strerror(code));
        break;
    default:
        g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED,
                    _("The test file could not be made in “%s” (%s): choose another folder"), shown,
                    g_strerror(code));
        break;
    }
}

int plt_test_file_open_named(PltFolder *folder, GError **error)
{
    for (guint try = 0; try < 16; try++) {
        g_autofree char *name = g_strdup_printf(".plateau-%08x%08x", g_random_int(), g_random_int());
        int fd = openat(folder->fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

        if (fd < 0 && errno == EEXIST)
            continue;
        if (fd < 0) {
            plt_test_file_set_error(folder, errno, error);
            return -1;
        }
        if (unlinkat(folder->fd, name, 0) != 0) {
            g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED,
                        _("The test file “%s” in “%s” could not be taken out of the folder (%s): delete it "
                          "and choose another folder"),
                        name, folder->place->path, g_strerror(errno));
            close(fd);
            return -1;
        }
        return fd;
    }
    plt_test_file_set_error(folder, EEXIST, error);
    return -1;
}

/*
 * Only an empty file can be marked, and only some file systems know the mark: no failure if it cannot. A
 * folder may hand "compress" on to its files, which Btrfs lets go only in a step of its own.
 */
static void set_nocow(PltFolder *folder, int fd)
{
    const unsigned compression = FS_COMPR_FL | FS_NOCOMP_FL;
    unsigned flags = 0;

    if (!plt_filesystem_copies_on_write(plt_place_base(folder->place)->fstype) ||
        ioctl(fd, FS_IOC_GETFLAGS, &flags) != 0)
        return;
    if (flags & compression) {
        flags &= ~compression;
        if (ioctl(fd, FS_IOC_SETFLAGS, &flags) != 0)
            return;
    }
    flags |= FS_NOCOW_FL;
    if (ioctl(fd, FS_IOC_SETFLAGS, &flags) != 0)
        g_debug("no NOCOW in %s: %s", folder->place->path, g_strerror(errno));
}

int plt_test_file_open(PltFolder *folder, GError **error)
{
    /* With O_EXCL nobody can give the file a name later. */
    int fd = openat(folder->fd, ".", O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT))
        fd = plt_test_file_open_named(folder, error);
    else if (fd < 0)
        plt_test_file_set_error(folder, errno, error);
    if (fd >= 0)
        set_nocow(folder, fd);
    return fd;
}

gboolean plt_folder_check_size(PltFolder *folder, guint64 size, guint32 block, GError **error)
{
    guint64 free_bytes = plt_folder_free_bytes(folder);
    struct rlimit limit;

    if (size == 0 || block == 0 || size % block != 0 || size > G_MAXINT64) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("A test file of %" PRIu64 " bytes cannot be used with blocks of %u bytes: "
                      "choose a size that is a multiple of the block"),
                    size, block);
        return FALSE;
    }
    /* Beyond this limit the kernel does not only fail, it ends the program (SIGXFSZ). */
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && size > limit.rlim_cur) {
        plt_test_file_set_error(folder, EFBIG, error);
        return FALSE;
    }
    /* Some file systems do not tell their size: there only the attempt shows it. */
    if (folder->place->size > 0 && (free_bytes < size || free_bytes - size < SPACE_MARGIN)) {
        g_autofree char *shown = g_filename_display_name(folder->place->path);
        g_autofree char *have = plt_size_text(free_bytes);
        g_autofree char *file = plt_size_text(size);
        g_autofree char *need = plt_size_text(size + SPACE_MARGIN);

        g_set_error(error, PLT_ERROR, PLT_ERROR_NO_SPACE,
                    _("“%s” (%s) has %s free, but a test file of %s needs %s: free some space, or choose a "
                      "smaller size"),
                    shown, folder->place->fstype, have, file, need);
        return FALSE;
    }
    return TRUE;
}

static gboolean check_direct(PltFolder *folder, const PltProbe *probe, const PltAlignment *alignment,
                             guint32 block, GError **error)
{
    g_autofree char *shown = g_filename_display_name(folder->place->path);

    if (probe->direct && block % alignment->offset != 0) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("Blocks of %u bytes are no multiple of the logical block of “%s”, which is %u bytes: "
                      "choose a larger block"),
                    block, shown, alignment->offset);
        return FALSE;
    }
    if (probe->direct || plt_place_in_memory(folder->place))
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                _("The file system of “%s” (%s) does not allow direct I/O, so its cache would be measured "
                  "instead of the drive: choose a folder on another file system"),
                shown, folder->place->fstype);
    return FALSE;
}

/*
 * Space is taken with fallocate: a full drive or a quota shows at once and not in the middle of a run, nobody
 * else can take it, and the file lies in few pieces although several writers fill it (512 MiB by eight: 2 on
 * XFS and 4 on Btrfs, where a file that was only made longer got 2 to 3 and 16 to 37). Its extents are
 * "unwritten" until the runner's prepare step has written them. Where every write goes to a new place anyway,
 * taking space would only make the file system do it twice. FAT can take space but not make a file longer
 * without filling it: there the prepare step makes the file grow.
 */
static int reserve(PltFolder *folder, int fd, guint64 size, gboolean in_place)
{
    const char *fstype = plt_place_base(folder->place)->fstype;
    int code = EOPNOTSUPP;

    if (g_str_equal(fstype, "vfat") || g_str_equal(fstype, "msdos"))
        return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)size) == 0 || errno == EOPNOTSUPP ? 0 : errno;
    while (in_place && (code = fallocate(fd, 0, 0, (off_t)size) == 0 ? 0 : errno) == EINTR)
        continue;
    if (code != EOPNOTSUPP && code != ENOSYS)
        return code;
    return ftruncate(fd, (off_t)size) == 0 ? 0 : errno;
}

gboolean plt_folder_make_test_file(PltFolder *folder, guint64 size, guint32 block, PltTestFile *file,
                                   GError **error)
{
    PltProbe *probe = &folder->probe;
    PltAlignment alignment;
    int fd, code;

    *file = (PltTestFile){.fd = -1};
    if (!plt_folder_check_size(folder, size, block, error))
        return FALSE;
    folder->watched = FALSE;
    plt_folder_watch(folder);
    fd = plt_test_file_open(folder, error);
    if (fd < 0)
        return FALSE;
    plt_test_file_probe(folder, fd, &alignment, probe);
    folder->probed = TRUE;
    if (!check_direct(folder, probe, &alignment, block, error)) {
        close(fd);
        return FALSE;
    }
    folder->free_before = plt_folder_free_bytes(folder);
    folder->has_reserved = TRUE;
    code = reserve(folder, fd, size,
                   probe->nocow || !plt_filesystem_copies_on_write(plt_place_base(folder->place)->fstype));
    if (code != 0) {
        plt_test_file_set_error(folder, code, error);
        close(fd);
        return FALSE;
    }
    file->fd = fd;
    file->size = size;
    file->logical_block = probe->direct ? alignment.offset : 512;
    file->memory_align = probe->direct ? alignment.memory : 0;
    file->direct = probe->direct && probe->honoured;
    return TRUE;
}

void plt_test_file_close(PltTestFile *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}
