/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "drive/error.h"

static char *existing_place(const char *path, const struct stat *info, GError **error)
{
    char *real;
    char *place;

    if (S_ISDIR(info->st_mode)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("“%s” is a folder, name a file in it"), path);
        return NULL;
    }
    if (!S_ISREG(info->st_mode)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("“%s” is a device or another special file, which is never written to"), path);
        return NULL;
    }
    real = realpath(path, NULL);
    place = g_strdup(real != NULL ? real : path);
    free(real);
    return place;
}

static char *new_place(const char *path, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path);
    struct stat info;

    if (*path == '\0' || g_str_has_suffix(path, "/")) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("“%s” is no name of a file"), path);
        return NULL;
    }
    if (lstat(path, &info) == 0) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("“%s” is a link to something that is not there"),
                    path);
        return NULL;
    }
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("there is no folder “%s” to write into"), folder);
        return NULL;
    }
    return g_strdup(path);
}

char *plt_file_resolve_output(const char *path, GError **error)
{
    struct stat info;

    if (stat(path, &info) == 0)
        return existing_place(path, &info, error);
    if (errno == ENOENT || errno == ENOTDIR)
        return new_place(path, error);
    g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED, _("“%s” cannot be written: %s"), path, g_strerror(errno));
    return NULL;
}

gboolean plt_file_write_output(const char *path, const char *data, gsize length, GError **error)
{
    g_autofree char *place = plt_file_resolve_output(path, error);
    g_autoptr(GError) write_error = NULL;

    if (place == NULL)
        return FALSE;
    if (g_file_set_contents_full(place, data, (gssize)length, G_FILE_SET_CONTENTS_CONSISTENT, 0666,
                                 &write_error))
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED, _("“%s” cannot be written: %s"), path,
                write_error->message);
    return FALSE;
}

/* What was written so far becomes the file only when it is closed without having been cancelled. */
static void drop(GOutputStream *stream)
{
    g_autoptr(GCancellable) cancelled = g_cancellable_new();

    g_cancellable_cancel(cancelled);
    g_output_stream_close(stream, cancelled, NULL);
}

gboolean plt_file_stream_output(const char *path, PltFileFill fill, gpointer user, GError **error)
{
    g_autofree char *place = plt_file_resolve_output(path, error);
    g_autoptr(GFile) file = place != NULL ? g_file_new_for_path(place) : NULL;
    g_autoptr(GFileOutputStream) stream = NULL;
    g_autoptr(GError) write_error = NULL;

    if (file == NULL)
        return FALSE;
    stream = g_file_replace(file, NULL, FALSE, G_FILE_CREATE_NONE, NULL, &write_error);
    if (stream != NULL && !fill(G_OUTPUT_STREAM(stream), user, error)) {
        drop(G_OUTPUT_STREAM(stream));
        return FALSE;
    }
    if (stream != NULL && g_output_stream_close(G_OUTPUT_STREAM(stream), NULL, &write_error))
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED, _("“%s” cannot be written: %s"), path,
                write_error->message);
    return FALSE;
}
