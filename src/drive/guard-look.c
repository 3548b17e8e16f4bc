/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/device.h"
#include "drive/guard-private.h"
#include "drive/identity.h"
#include "drive/sysfs.h"

/* More than any stack has; a loop in a damaged tree ends here. */
#define MOST_DEVICES 4096

void plt_guard_be_unsure(PltGuardFacts *facts, const char *detail)
{
    facts->unsure = TRUE;
    if (facts->unsure_detail == NULL)
        facts->unsure_detail = g_strdup(detail);
}

static guint64 read_size(const char *root, const char *name)
{
    guint64 sectors = 0;

    /* In units of 512 bytes, whatever the logical block is. */
    plt_sysfs_read_number(&sectors, root, "/sys/class/block/%s/size", name);
    return sectors * 512;
}

static void look_at_identity(const char *root, PltDriveSeal *seal, const char *name)
{
    g_autoptr(JsonObject) identity = json_object_new();
    guint64 number = 0;

    plt_identity_add_members(root, name, identity);
    seal->name = g_strdup(name);
    seal->model = g_strdup(json_object_get_string_member_with_default(identity, "model", NULL));
    seal->serial = g_strdup(json_object_get_string_member_with_default(identity, "serial", NULL));
    seal->wwid = plt_sysfs_read(root, "/sys/class/block/%s/wwid", name);
    if (seal->wwid == NULL)
        seal->wwid = plt_sysfs_read(root, "/sys/class/block/%s/device/wwid", name);
    plt_sysfs_read_number(&seal->diskseq, root, "/sys/class/block/%s/diskseq", name);
    seal->size = read_size(root, name);
    if (plt_sysfs_read_number(&number, root, "/sys/class/block/%s/queue/logical_block_size", name))
        seal->logical_block = (guint32)number;
}

static PltGuardDevice *find(PltGuardFacts *facts, const char *name)
{
    for (guint i = 0; i < facts->devices->len; i++) {
        PltGuardDevice *device = g_ptr_array_index(facts->devices, i);

        if (g_str_equal(device->name, name))
            return device;
    }
    return NULL;
}

static gboolean is_partition(const char *root, const char *name)
{
    return plt_sysfs_exists(root, "/sys/class/block/%s/partition", name);
}

static PltGuardDevice *add(const char *root, PltGuardFacts *facts, const char *name, const char *parent)
{
    PltGuardDevice *device = find(facts, name);
    guint64 number;

    if (device != NULL)
        return device;
    if (facts->devices->len >= MOST_DEVICES) {
        plt_guard_be_unsure(facts, _("too many devices stand on it"));
        return NULL;
    }
    device = plt_guard_device_new(name, parent);
    device->size = read_size(root, name);
    if (plt_sysfs_read_number(&number, root, "/sys/class/block/%s/ro", name))
        device->read_only = number != 0;
    else
        plt_guard_be_unsure(facts, name);
    plt_guard_look_for_content(root, device);
    g_ptr_array_add(facts->devices, device);
    return device;
}

static void add_partitions(const char *root, PltGuardFacts *facts, const char *name)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/class/block/%s", name);

    for (guint i = 0; names[i] != NULL; i++)
        if (plt_sysfs_exists(root, "/sys/class/block/%s/%s/partition", name, names[i]))
            add(root, facts, names[i], name);
}

/* "md127 (md raid1)", "dm-3 (vg-home)": a name that the person knows it by. */
static char *describe_holder(const char *root, const char *name)
{
    g_autofree char *level = plt_sysfs_read(root, "/sys/class/block/%s/md/level", name);
    g_autofree char *map = plt_sysfs_read(root, "/sys/class/block/%s/dm/name", name);

    if (level != NULL)
        return g_strdup_printf("%s (%s)", name, level);
    return map != NULL ? g_strdup_printf("%s (%s)", name, map) : g_strdup(name);
}

static void add_holders(const char *root, PltGuardFacts *facts, PltGuardDevice *device)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/class/block/%s/holders", device->name);

    /* The kernel makes the folder for every block device: without it, nothing can be said. */
    if (!plt_sysfs_exists(root, "/sys/class/block/%s/holders", device->name))
        plt_guard_be_unsure(facts, device->name);
    for (guint i = 0; names[i] != NULL; i++) {
        g_ptr_array_add(device->holders, describe_holder(root, names[i]));
        add(root, facts, names[i], device->name);
    }
}

/* A loop device does not claim what it shows, so the kernel names it nowhere as a holder. */
static void add_loops(const char *root, PltGuardFacts *facts)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/class/block");

    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *file = NULL;
        PltGuardDevice *device;

        if (!g_str_has_prefix(names[i], "loop") || find(facts, names[i]) != NULL)
            continue;
        file = plt_sysfs_read(root, "/sys/class/block/%s/loop/backing_file", names[i]);
        device = file != NULL ? plt_guard_find_path(root, facts, file) : NULL;
        if (device != NULL) {
            g_ptr_array_add(device->holders, g_strdup(names[i]));
            add(root, facts, names[i], device->name);
        }
    }
}

/* Everything that stands on what is there already, from bottom to top. */
static void add_all_above(const char *root, PltGuardFacts *facts)
{
    guint done = 0, before;

    do {
        before = facts->devices->len;
        for (; done < facts->devices->len; done++) {
            PltGuardDevice *device = g_ptr_array_index(facts->devices, done);

            if (!is_partition(root, device->name))
                add_partitions(root, facts, device->name);
            add_holders(root, facts, device);
        }
        add_loops(root, facts);
    } while (facts->devices->len > before);
}

/* A cache device of bcache has no holder until a backing device is attached. */
static void look_for_members(const char *root, PltGuardFacts *facts)
{
    gboolean zfs = plt_sysfs_exists(root, "/proc/spl/kstat/zfs");

    for (guint i = 0; i < facts->devices->len; i++) {
        PltGuardDevice *device = g_ptr_array_index(facts->devices, i);

        if (plt_sysfs_exists(root, "/sys/class/block/%s/bcache", device->name))
            device->member_of = g_strdup("bcache");
        else if (zfs && g_strcmp0(device->content, "zfs_member") == 0)
            device->member_of = g_strdup("ZFS");
    }
}

static char *subsystem_of(const char *root, const char *controller)
{
    return controller != NULL ? plt_sysfs_read(root, "/sys/class/nvme/%s/subsysnqn", controller) : NULL;
}

/*
 * Sanitize acts on the whole NVM subsystem, Format on every namespace of the controller where the drive says
 * so (FNA): all that could be hit counts.
 */
static void add_siblings(const char *root, PltGuardFacts *facts, const char *name)
{
    g_autofree char *controller = plt_identity_controller(root, name);
    g_autofree char *subsystem = subsystem_of(root, controller);
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/class/block");

    for (guint i = 0; controller != NULL && names[i] != NULL; i++) {
        g_autofree char *other = plt_identity_controller(root, names[i]);
        g_autofree char *others = subsystem_of(root, other);
        guint64 hidden = 0;

        if (other == NULL || is_partition(root, names[i]) || g_str_equal(names[i], name))
            continue;
        plt_sysfs_read_number(&hidden, root, "/sys/class/block/%s/hidden", names[i]);
        if (hidden == 0 &&
            (g_str_equal(other, controller) || (subsystem != NULL && g_strcmp0(others, subsystem) == 0))) {
            g_ptr_array_add(facts->siblings, g_strdup(names[i]));
            add(root, facts, names[i], NULL);
        }
    }
}

PltGuardFacts *plt_guard_look(const char *root, const char *name, PltDriveUse use)
{
    PltGuardFacts *facts = plt_guard_facts_new();

    root = root != NULL ? root : "";
    look_at_identity(root, &facts->seal, name);
    facts->gone = !plt_sysfs_exists(root, "/sys/class/block/%s/dev", name) || plt_device_is_gone(root, name);
    if (facts->gone)
        return facts;
    if (is_partition(root, name))
        plt_guard_be_unsure(facts, _("it is a partition"));
    add(root, facts, name, NULL);
    if (use == PLT_USE_ERASE)
        add_siblings(root, facts, name);
    add_all_above(root, facts);
    look_for_members(root, facts);
    plt_guard_look_for_mounts(root, facts);
    plt_guard_look_for_swap(root, facts);
    plt_guard_look_for_users(root, facts);
    return facts;
}
