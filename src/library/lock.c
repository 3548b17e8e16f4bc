/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct plt_lock {
    int fd;
    char *path;
};

static char *lock_path(const char *library_path, const char *uuid)
{
    return g_strdup_printf("%s-run-%s", library_path, uuid);
}

static PltLock *lock_new(int fd, const char *path)
{
    PltLock *lock = g_new0(PltLock, 1);
    lock->fd = fd;
    lock->path = g_strdup(path);
    return lock;
}

void plt_lock_release(PltLock *lock)
{
    if (!lock)
        return;
    /* Removed while it is still held: nobody can take it for a dead recorder's in between. */
    g_unlink(lock->path);
    close(lock->fd);
    g_free(lock->path);
    g_free(lock);
}

/* 0 with the lock, or an errno. EAGAIN: recovery of another process looked at the file just now and removed
 * it. */
static int try_to_take(const char *path, int *fd)
{
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*fd < 0)
        return errno;
    struct stat status;
    int code = 0;
    if (flock(*fd, LOCK_EX | LOCK_NB) != 0)
        code = errno;
    else if (fstat(*fd, &status) != 0)
        code = errno;
    else if (status.st_nlink == 0)
        code = EAGAIN;
    if (code != 0)
        close(*fd);
    return code;
}

PltLock *plt_lock_take(const char *library_path, const char *uuid, GError **error)
{
    g_autofree char *path = lock_path(library_path, uuid);
    int fd = -1, code = EAGAIN;
    for (int attempt = 0; attempt < 100 && code == EAGAIN; attempt++) {
        if (attempt > 0)
            g_usleep(1000);
        code = try_to_take(path, &fd);
    }
    if (code == 0)
        return lock_new(fd, path);

    PltError kind = code == ENOSPC || code == EDQUOT ? PLT_ERROR_NO_SPACE
                    : code == EROFS                  ? PLT_ERROR_READ_ONLY
                    : code == EACCES                 ? PLT_ERROR_PERMISSION
                                                     : PLT_ERROR_FAILED;
    g_set_error(error, PLT_ERROR, kind, _("The run cannot be recorded: “%s” cannot be made: %s"), path,
                g_strerror(code));
    return NULL;
}

PltLockState plt_lock_try(const char *library_path, const char *uuid, PltLock **lock)
{
    g_autofree char *path = lock_path(library_path, uuid);
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT ? PLT_LOCK_MISSING : PLT_LOCK_HELD;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        return PLT_LOCK_HELD;
    }
    *lock = lock_new(fd, path);
    return PLT_LOCK_FREE;
}

GStrv plt_lock_list(const char *library_path)
{
    g_autofree char *folder = g_path_get_dirname(library_path);
    g_autofree char *name = g_path_get_basename(library_path);
    g_autofree char *prefix = g_strconcat(name, "-run-", NULL);
    g_autoptr(GStrvBuilder) uuids = g_strv_builder_new();
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *entry;
    while (dir && (entry = g_dir_read_name(dir))) {
        if (g_str_has_prefix(entry, prefix))
            g_strv_builder_add(uuids, entry + strlen(prefix));
    }
    return g_strv_builder_end(uuids);
}
