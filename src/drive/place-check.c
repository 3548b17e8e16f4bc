/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/place.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "drive/mounts.h"

static gboolean is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static gboolean check_fuse(const char *shown, const char *path, const char *fstype, const char *source,
                           GError **error)
{
    gboolean portal = g_strcmp0(fstype, "fuse.portal") == 0 || g_strcmp0(source, "portal") == 0 ||
                      (is_below(path, "/run/user") && strstr(path, "/doc/") != NULL);

    if (portal)
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("“%s” reaches Plateau only through the document portal (%s), so it would measure the "
                      "portal and not the drive: give Plateau access to the folder itself, or use a Plateau "
                      "that is not sandboxed"),
                    shown, fstype);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("“%s” is on a FUSE file system (%s), where a program stands between the folder and the "
                      "drive: choose a folder on a file system of the kernel, such as ext4, XFS or Btrfs"),
                    shown, fstype);
    return FALSE;
}

/* The kinds that are never accepted and need only names: also asked before the path is touched. */
static gboolean check_kind(PltFsKind kind, const char *shown, const char *path, const char *fstype,
                           const char *source, GError **error)
{
    switch (kind) {
    case PLT_FS_FUSE:
        return check_fuse(shown, path, fstype, source, error);
    case PLT_FS_NETWORK:
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("“%s” is on %s, a file system that another machine stores, so the network would be "
                      "measured: choose a folder on a drive of this machine"),
                    shown, fstype);
        return FALSE;
    case PLT_FS_PSEUDO:
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("“%s” is on %s, which the kernel makes up and no drive stores: choose a folder on a "
                      "drive"),
                    shown, fstype);
        return FALSE;
    case PLT_FS_READ_ONLY:
        g_set_error(error, PLT_ERROR, PLT_ERROR_READ_ONLY,
                    _("“%s” is on %s, a file system that cannot be written: choose a folder on another one"),
                    shown, fstype);
        return FALSE;
    default:
        return TRUE;
    }
}

static gboolean check_path(const char *shown, const char *path, GError **error)
{
    static const char *const kept[] = {"/dev", "/proc", "/sys"};

    for (gsize i = 0; i < G_N_ELEMENTS(kept); i++) {
        if (!is_below(path, kept[i]))
            continue;
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("“%s” lies under %s, which belongs to the kernel and holds no files of a drive: choose "
                      "a folder on a mounted drive"),
                    shown, kept[i]);
        return FALSE;
    }
    return TRUE;
}

static gboolean check_memory(const PltPlace *place, const char *shown, GError **error)
{
    const PltPlace *upper = plt_place_base(place);

    if (upper == place)
        g_set_error(
            error, PLT_ERROR, PLT_ERROR_REFUSED,
            _("“%s” is on %s, which is kept in memory, so no drive would be measured: choose a folder "
              "on a drive, or allow memory"),
            shown, place->fstype);
    else
        g_set_error(
            error, PLT_ERROR, PLT_ERROR_REFUSED,
            _("“%s” is on an overlay that writes to %s, which is kept in memory, so no drive would be "
              "measured: choose a folder on a drive, or allow memory"),
            shown, upper->fstype);
    return FALSE;
}

static gboolean check_upper(const PltPlace *place, const char *shown, GError **error)
{
    const PltPlace *upper = place->upper;

    for (; upper != NULL; upper = upper->upper) {
        if (check_kind(plt_place_kind(upper), shown, upper->path, upper->fstype, upper->source, error))
            continue;
        g_prefix_error(error, _("The folder is an overlay (%s) over another file system: "), place->fstype);
        return FALSE;
    }
    return TRUE;
}

gboolean plt_place_check(const PltPlace *place, gboolean allow_memory, GError **error)
{
    g_autofree char *shown = g_filename_display_name(place->path);
    PltFsKind kind = plt_place_kind(place);

    if (!check_path(shown, place->path, error) ||
        !check_kind(kind, shown, place->path, place->fstype, place->source, error) ||
        !check_upper(place, shown, error))
        return FALSE;
    if (!allow_memory && plt_place_in_memory(place))
        return check_memory(place, shown, error);
    if (place->read_only) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_READ_ONLY,
                    _("“%s” is on a file system (%s) that is mounted read-only: mount it for writing, or "
                      "choose another folder"),
                    shown, place->fstype);
        return FALSE;
    }
    if (!place->writable) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION,
                    _("No files may be made in “%s” (%s) by this user: choose a folder of your own, or "
                      "change its permissions"),
                    shown, place->fstype);
        return FALSE;
    }
    return TRUE;
}

gboolean plt_place_check_mount(const char *root, const char *path, GError **error)
{
    g_autofree char *shown = g_filename_display_name(path);
    g_autoptr(PltMountEntry) mount = NULL;
    PltFsKind kind;

    /* With ".." a link may make the written path lead elsewhere than its text says. */
    if (!g_path_is_absolute(path) || strstr(path, "/..") != NULL)
        return TRUE;
    mount = plt_mounts_find(root, path, PLT_MOUNT_ID_UNKNOWN);
    if (mount == NULL)
        return TRUE;
    kind = plt_filesystem_kind(mount->fstype, 0);
    if (kind != PLT_FS_FUSE && kind != PLT_FS_NETWORK)
        return TRUE;
    return check_kind(kind, shown, path, mount->fstype, mount->source, error);
}
