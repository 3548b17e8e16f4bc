/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/space.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* FAT counts a file's bytes in 32 bits; 64 MiB less is a whole number of every block. */
#define FAT_FILE_MAX ((G_GUINT64_CONSTANT(4) << 30) - (G_GUINT64_CONSTANT(64) << 20))

/* 10 s in all. */
#define GIVE_BACK_TRIES 100
#define GIVE_BACK_US 100000

gboolean plt_space_plan(guint64 free_bytes, guint64 leave, guint64 file_max, guint32 block,
                        PltSpacePlan *plan)
{
    guint64 total = free_bytes > leave ? (free_bytes - leave) / block * block : 0;
    guint64 most = file_max / block * block;

    *plan = (PltSpacePlan){0};
    if (total == 0 || most == 0 || (total - 1) / most >= G_MAXUINT)
        return FALSE;
    plan->total = total;
    plan->n_files = (guint)((total - 1) / most + 1);
    plan->file_size = plan->n_files > 1 ? most : total;
    plan->last_size = total - (plan->n_files - 1) * plan->file_size;
    return TRUE;
}

guint64 plt_space_file_size(const PltSpacePlan *plan, guint i)
{
    return i + 1 < plan->n_files ? plan->file_size : plan->last_size;
}

guint64 plt_space_file_max(const char *fstype)
{
    if (strcmp(fstype, "vfat") == 0 || strcmp(fstype, "msdos") == 0)
        return FAT_FILE_MAX;
    return G_MAXINT64;
}

/* What the files hold: those that could not grow are shorter than they were to be. */
static guint64 taken_by(GArray *files)
{
    guint64 bytes = 0;

    for (guint i = 0; i < files->len; i++) {
        struct stat status;

        if (fstat(g_array_index(files, PltTestFile, i).fd, &status) == 0)
            bytes += (guint64)status.st_blocks * 512;
    }
    return bytes;
}

/* The file system is asked to finish what it still has to do. */
static void flush(PltFolder *folder)
{
    int fd = open(plt_folder_path(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return;
    if (syncfs(fd) != 0)
        g_debug("the file system could not be flushed");
    close(fd);
}

void plt_space_give_back(PltFolder *folder, GArray *files)
{
    guint64 bytes = taken_by(files);
    guint64 wanted = plt_folder_free_bytes(folder) + bytes - bytes / 100;

    if (files->len == 0)
        return;
    g_array_set_size(files, 0);
    for (guint i = 0; i < GIVE_BACK_TRIES && plt_folder_free_bytes(folder) < wanted; i++) {
        if (i % 10 == 0)
            flush(folder);
        g_usleep(GIVE_BACK_US);
    }
}

gboolean plt_space_is_short(guint64 free_bytes, guint64 leave)
{
    return free_bytes < leave / 2;
}
