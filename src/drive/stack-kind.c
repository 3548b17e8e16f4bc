/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/stack-private.h"
#include "drive/sysfs.h"

/* Device-mapper tables carry their owner's name in front of the uuid. */
const char *plt_stack_dm_layer(const char *uuid)
{
    static const struct {
        const char *prefix, *layer;
    } owners[] = {
        {"CRYPT-LUKS", "LUKS"},
        {"CRYPT-BITLK", "BitLocker"},
        {"CRYPT-TCRYPT", "VeraCrypt"},
        {"CRYPT-VERITY", "dm-verity"},
        {"CRYPT-INTEGRITY", "dm-integrity"},
        {"CRYPT-", "dm-crypt"},
        {"LVM-", "LVM"},
        {"mpath-", "multipath"},
        {"DMRAID-", "dmraid"},
        {"VDO-", "VDO"},
        {"stratis-", "Stratis"},
        {"part", "partition"},
    };

    for (gsize i = 0; uuid != NULL && i < G_N_ELEMENTS(owners); i++) {
        if (g_str_has_prefix(uuid, owners[i].prefix))
            return owners[i].layer;
    }
    return "device mapper";
}

gboolean plt_stack_is_numbered(const char *name, const char *prefix)
{
    return g_str_has_prefix(name, prefix) && g_ascii_isdigit(name[strlen(prefix)]);
}

static const char *simple_kind(const char *root, const char *name)
{
    if (plt_sysfs_exists(root, "/sys/class/block/%s/partition", name))
        return N_("partition");
    if (plt_stack_is_numbered(name, "bcache"))
        return "bcache";
    if (plt_stack_is_numbered(name, "loop"))
        return "loop";
    if (plt_stack_is_numbered(name, "zram"))
        return "zram";
    return plt_stack_is_numbered(name, "ram") ? "RAM disk" : N_("drive");
}

char *plt_stack_kind(const char *root, const char *name)
{
    g_autofree char *level = plt_sysfs_read(root, "/sys/class/block/%s/md/level", name);
    g_autofree char *uuid = plt_sysfs_read(root, "/sys/class/block/%s/dm/uuid", name);

    if (level != NULL)
        return g_strdup_printf("md %s", level);
    if (plt_sysfs_exists(root, "/sys/class/block/%s/dm", name))
        return g_strdup(plt_stack_dm_layer(uuid));
    return g_strdup(simple_kind(root, name));
}
