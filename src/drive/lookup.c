/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/inquiry.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/identity.h"
#include "drive/sysfs.h"

/* The last name of PATH with links followed: /dev/disk/by-id/… leads to "nvme0n1". */
static char *name_of(const char *root, const char *text)
{
    g_autofree char *full = NULL, *real = NULL;

    if (!g_str_has_prefix(text, "/dev/"))
        return g_strdelimit(g_strdup(text), "/", '!');
    real = plt_sysfs_resolve(root, "%s", text);
    full = g_strdup(real != NULL ? real : text);
    if (!g_str_has_prefix(full, "/dev/"))
        return g_path_get_basename(full);
    return g_strdelimit(g_strdup(full + strlen("/dev/")), "/", '!');
}

/* Namespaces of the controller NAME, or the drive with the serial number NAME; names joined by ", ". */
static GStrv candidates(const char *root, const char *text)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/class/block");

    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *controller = plt_identity_controller(root, names[i]);
        g_autoptr(JsonObject) identity = json_object_new();

        if (plt_sysfs_exists(root, "/sys/class/block/%s/partition", names[i]))
            continue;
        plt_identity_add_members(root, names[i], identity);
        if (g_strcmp0(controller, text) == 0 ||
            g_strcmp0(json_object_get_string_member_with_default(identity, "serial", NULL), text) == 0)
            g_strv_builder_add(builder, names[i]);
    }
    return g_strv_builder_end(builder);
}

static char *find_other(const char *root, const char *text, const char *name, GError **error)
{
    g_auto(GStrv) found = candidates(root, name);
    g_autofree char *list = g_strjoinv(", ", found);

    if (g_strv_length(found) == 1)
        return g_strdup(found[0]);
    if (found[0] != NULL)
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("“%s” has several drives, name one of them: %s"),
                    text, list);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("there is no drive “%s”; “plateau-cli list” shows those that are there"), text);
    return NULL;
}

char *plt_inquiry_find_name(const char *root, const char *text, GError **error)
{
    g_autofree char *name = NULL, *folder = NULL, *parent = NULL;

    root = root != NULL ? root : "";
    name = name_of(root, text);
    /* A name becomes part of paths. */
    if (name[0] == '\0' || strstr(name, "..") != NULL || strchr(name, '/') != NULL)
        return find_other(root, text, "", error);
    if (!plt_sysfs_exists(root, "/sys/class/block/%s/dev", name))
        return find_other(root, text, name, error);
    if (!plt_sysfs_exists(root, "/sys/class/block/%s/partition", name))
        return g_steal_pointer(&name);
    folder = plt_sysfs_resolve(root, "/sys/class/block/%s/..", name);
    parent = folder != NULL ? g_path_get_basename(folder) : g_strdup("?");
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("“%s” is a partition; the drive is “%s”"), text, parent);
    return NULL;
}
