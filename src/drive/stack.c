/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/stack.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "drive/stack-private.h"
#include "drive/sysfs.h"

/* Deeper than any real stack; a loop device may (wrongly) seem to lie on itself. */
#define MAX_DEPTH 24

struct walk {
    const char *root;
    PltStack *stack;
    GPtrArray *levels; /* of GPtrArray of char *: the names of the layers at each depth */
    guint top_depth;   /* where the first file system met its block devices; 0 before */
};

static void walk_block(struct walk *walk, const char *name, guint depth);
static void walk_place(struct walk *walk, const PltPlace *place, guint depth);

void plt_stack_free(PltStack *stack)
{
    if (stack == NULL)
        return;
    g_ptr_array_unref(stack->layers);
    g_ptr_array_unref(stack->tops);
    g_ptr_array_unref(stack->drives);
    g_free(stack);
}

static void add_once(GPtrArray *list, const char *text)
{
    if (!g_ptr_array_find_with_equal_func(list, text, g_str_equal, NULL))
        g_ptr_array_add(list, g_strdup(text));
}

static void add_layer(struct walk *walk, guint depth, const char *name)
{
    while (walk->levels->len <= depth)
        g_ptr_array_add(walk->levels, g_ptr_array_new_with_free_func(g_free));
    add_once(g_ptr_array_index(walk->levels, depth), name);
}

static void walk_slaves(struct walk *walk, const char *name, guint depth, gboolean first_only)
{
    g_auto(GStrv) slaves = plt_sysfs_list(walk->root, "/sys/class/block/%s/slaves", name);

    if (slaves[0] == NULL)
        walk->stack->hidden = TRUE;
    for (guint i = 0; slaves[i] != NULL && !(first_only && i > 0); i++)
        walk_block(walk, slaves[i], depth);
}

static void walk_dm(struct walk *walk, const char *name, guint depth)
{
    g_autofree char *uuid = plt_sysfs_read(walk->root, "/sys/class/block/%s/dm/uuid", name);
    const char *layer = plt_stack_dm_layer(uuid);

    add_layer(walk, depth, layer);
    /* The members of a multipath map are ways to one and the same drive. */
    walk_slaves(walk, name, depth + 1, g_str_equal(layer, "multipath"));
}

static void walk_loop(struct walk *walk, const char *name, guint depth)
{
    g_autofree char *file = plt_sysfs_read(walk->root, "/sys/class/block/%s/loop/backing_file", name);
    g_autoptr(PltPlace) place = NULL;

    add_layer(walk, depth, "loop");
    if (file != NULL && g_path_is_absolute(file))
        place = plt_place_locate(walk->root, file);
    if (place != NULL)
        walk_place(walk, place, depth + 1);
    else
        walk->stack->hidden = TRUE;
}

static gboolean walk_partition(struct walk *walk, const char *name, guint depth)
{
    g_autofree char *path = NULL, *folder = NULL, *drive = NULL;

    if (!plt_sysfs_exists(walk->root, "/sys/class/block/%s/partition", name))
        return FALSE;
    path = plt_sysfs_resolve(walk->root, "/sys/class/block/%s", name);
    if (path == NULL)
        return FALSE;
    folder = g_path_get_dirname(path);
    drive = g_path_get_basename(folder);
    add_layer(walk, depth, "partition");
    walk_block(walk, drive, depth + 1);
    return TRUE;
}

static void walk_zram(struct walk *walk, const char *name, guint depth)
{
    g_autofree char *backing = plt_sysfs_read(walk->root, "/sys/class/block/%s/backing_dev", name);

    add_layer(walk, depth, "zram");
    walk->stack->in_memory = TRUE;
    if (backing != NULL && g_str_has_prefix(backing, "/dev/"))
        walk_block(walk, backing + strlen("/dev/"), depth + 1);
}

static void walk_block(struct walk *walk, const char *name, guint depth)
{
    g_autofree char *level = NULL;

    if (depth > MAX_DEPTH || !plt_sysfs_exists(walk->root, "/sys/class/block/%s", name)) {
        walk->stack->hidden = TRUE;
        return;
    }
    if (walk_partition(walk, name, depth))
        return;
    if (plt_sysfs_exists(walk->root, "/sys/class/block/%s/dm", name)) {
        walk_dm(walk, name, depth);
        return;
    }
    level = plt_sysfs_read(walk->root, "/sys/class/block/%s/md/level", name);
    if (level != NULL) {
        g_autofree char *layer = g_strdup_printf("md %s", level);

        add_layer(walk, depth, layer);
        walk_slaves(walk, name, depth + 1, FALSE);
        return;
    }
    if (plt_stack_is_numbered(name, "bcache")) {
        add_layer(walk, depth, "bcache");
        walk_slaves(walk, name, depth + 1, FALSE);
        return;
    }
    if (plt_stack_is_numbered(name, "loop")) {
        walk_loop(walk, name, depth);
        return;
    }
    if (plt_stack_is_numbered(name, "zram")) {
        walk_zram(walk, name, depth);
        return;
    }
    if (plt_stack_is_numbered(name, "ram")) {
        add_layer(walk, depth, "RAM disk");
        walk->stack->in_memory = TRUE;
        return;
    }
    add_once(walk->stack->drives, name);
}

static void walk_top(struct walk *walk, const char *name, guint depth)
{
    /* The file system asked for comes first; one in a loop device's file lies deeper. */
    if (walk->top_depth == 0)
        walk->top_depth = depth;
    if (depth == walk->top_depth)
        add_once(walk->stack->tops, name);
    walk_block(walk, name, depth);
}

/* "/dev/mapper/home" is found by its map's name, since /dev need not be there (sandboxes). */
static char *find_dm_name(const char *root, const char *map)
{
    g_auto(GStrv) names = plt_sysfs_list(root, "/sys/class/block");

    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *name = NULL;

        if (!plt_stack_is_numbered(names[i], "dm-"))
            continue;
        name = plt_sysfs_read(root, "/sys/class/block/%s/dm/name", names[i]);
        if (g_strcmp0(name, map) == 0)
            return g_strdup(names[i]);
    }
    return NULL;
}

static char *name_of_dev(const char *root, dev_t dev)
{
    g_autofree char *path = plt_sysfs_resolve(root, "/sys/dev/block/%u:%u", major(dev), minor(dev));

    return path != NULL ? g_path_get_basename(path) : NULL;
}

static char *name_of_source(const char *root, const char *source)
{
    struct stat status;
    char *name;

    if (!g_str_has_prefix(source, "/dev/"))
        return NULL;
    if (g_str_has_prefix(source, "/dev/mapper/"))
        return find_dm_name(root, source + strlen("/dev/mapper/"));
    name = g_strdelimit(g_strdup(source + strlen("/dev/")), "/", '!');
    if (plt_sysfs_exists(root, "/sys/class/block/%s", name))
        return name;
    g_free(name);
    if (root[0] == '\0' && stat(source, &status) == 0 && S_ISBLK(status.st_mode))
        return name_of_dev(root, status.st_rdev);
    return NULL;
}

/* The folder /sys/fs/btrfs/UUID/devices that belongs to PLACE. */
static char *btrfs_devices(const char *root, const PltPlace *place)
{
    g_autofree char *name = name_of_source(root, place->source);
    g_auto(GStrv) ids = NULL;

    if (place->btrfs_id != NULL)
        return g_strdup_printf("/sys/fs/btrfs/%s/devices", place->btrfs_id);
    ids = plt_sysfs_list(root, "/sys/fs/btrfs");
    for (guint i = 0; name != NULL && ids[i] != NULL; i++) {
        if (plt_sysfs_exists(root, "/sys/fs/btrfs/%s/devices/%s", ids[i], name))
            return g_strdup_printf("/sys/fs/btrfs/%s/devices", ids[i]);
    }
    return NULL;
}

static gboolean walk_btrfs(struct walk *walk, const PltPlace *place, guint depth)
{
    g_autofree char *folder = btrfs_devices(walk->root, place);
    g_auto(GStrv) names = NULL;

    if (folder == NULL)
        return FALSE;
    names = plt_sysfs_list(walk->root, "%s", folder);
    for (guint i = 0; names[i] != NULL; i++)
        walk_top(walk, names[i], depth);
    return names[0] != NULL;
}

/* bcachefs mounts name all their devices: "/dev/sda:/dev/sdb". */
static gboolean walk_sources(struct walk *walk, const char *source, guint depth)
{
    g_auto(GStrv) sources = g_strsplit(source, ":/", -1);
    gboolean any = FALSE;

    for (guint i = 0; sources[i] != NULL; i++) {
        g_autofree char *path = i == 0 ? g_strdup(sources[i]) : g_strconcat("/", sources[i], NULL);
        g_autofree char *name = name_of_source(walk->root, path);

        if (name == NULL)
            continue;
        walk_top(walk, name, depth);
        any = TRUE;
    }
    return any;
}

static void walk_place(struct walk *walk, const PltPlace *place, guint depth)
{
    g_autofree char *name = NULL;

    if (depth > MAX_DEPTH) {
        walk->stack->hidden = TRUE;
        return;
    }
    add_layer(walk, depth, place->fstype);
    switch (plt_place_kind(place)) {
    case PLT_FS_MEMORY:
        walk->stack->in_memory = TRUE;
        return;
    case PLT_FS_OVERLAY:
        if (place->upper != NULL)
            walk_place(walk, place->upper, depth + 1);
        else
            walk->stack->hidden = TRUE;
        return;
    case PLT_FS_FUSE:
    case PLT_FS_NETWORK:
    case PLT_FS_PSEUDO:
        walk->stack->hidden = TRUE;
        return;
    default:
        break;
    }
    if (major(place->dev) != 0)
        name = name_of_dev(walk->root, place->dev);
    if (name != NULL)
        walk_top(walk, name, depth + 1);
    else if (!(g_str_equal(place->fstype, "btrfs") && walk_btrfs(walk, place, depth + 1)) &&
             !walk_sources(walk, place->source, depth + 1))
        walk->stack->hidden = TRUE;
}

static void take_layers(struct walk *walk)
{
    GPtrArray *layers = walk->stack->layers;

    for (guint depth = 0; depth < walk->levels->len; depth++) {
        GPtrArray *level = g_ptr_array_index(walk->levels, depth);

        for (guint i = 0; i < level->len; i++) {
            const char *last = layers->len > 0 ? g_ptr_array_index(layers, layers->len - 1) : NULL;

            /* LVM builds volumes of volumes: one word is enough. */
            if (g_strcmp0(last, g_ptr_array_index(level, i)) != 0)
                g_ptr_array_add(layers, g_strdup(g_ptr_array_index(level, i)));
        }
    }
}

PltStack *plt_stack_new(const char *root, const PltPlace *place)
{
    g_autoptr(GPtrArray) levels = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    PltStack *stack = g_new0(PltStack, 1);
    struct walk walk = {.root = root, .stack = stack, .levels = levels};

    stack->layers = g_ptr_array_new_with_free_func(g_free);
    stack->tops = g_ptr_array_new_with_free_func(g_free);
    stack->drives = g_ptr_array_new_with_free_func(g_free);
    walk_place(&walk, place, 0);
    take_layers(&walk);
    return stack;
}

gboolean plt_stack_has_layer(const PltStack *stack, const char *layer)
{
    size_t length = strlen(layer);

    for (guint i = 0; i < stack->layers->len; i++) {
        const char *name = g_ptr_array_index(stack->layers, i);

        if (strncmp(name, layer, length) == 0 && (name[length] == '\0' || name[length] == ' '))
            return TRUE;
    }
    return FALSE;
}

gboolean plt_stack_shares_drive(const PltStack *a, const PltStack *b)
{
    for (guint i = 0; i < a->drives->len; i++) {
        if (g_ptr_array_find_with_equal_func(b->drives, g_ptr_array_index(a->drives, i), g_str_equal, NULL))
            return TRUE;
    }
    return FALSE;
}
