/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/scan.h"

#include <libmount/libmount.h>
#include <string.h>

#include "drive/place.h"
#include "drive/stack.h"
#include "drive/sysfs.h"

/* A mount that was looked at, and where it belongs. */
typedef struct {
    PltMountState *state;
    char *file_system; /* the block devices it sits on: the same for all mounts of one file system */
    GPtrArray *drives; /* char *, sysfs names */
} Found;

PltMountState *plt_mount_state_copy(const PltMountState *state)
{
    PltMountState *copy = g_memdup2(state, sizeof *state);

    copy->path = g_strdup(state->path);
    copy->point = g_strdup(state->point);
    copy->fstype = g_strdup(state->fstype);
    copy->source = g_strdup(state->source);
    copy->layers = g_strdupv(state->layers);
    return copy;
}

void plt_mount_state_free(PltMountState *state)
{
    g_free(state->path);
    g_free(state->point);
    g_free(state->fstype);
    g_free(state->source);
    g_strfreev(state->layers);
    g_free(state);
}

static void found_free(Found *found)
{
    plt_mount_state_free(found->state);
    g_free(found->file_system);
    g_ptr_array_unref(found->drives);
    g_free(found);
}

/* Only what may lie on a drive is touched at all: a server that does not answer must not hold the list. */
static gboolean may_be_on_drive(const char *fstype)
{
    PltFsKind kind = plt_filesystem_kind(fstype, 0);

    return kind == PLT_FS_DRIVE || kind == PLT_FS_OVERLAY;
}

/* The mount points of file systems that may lie on drives, each once. */
static GPtrArray *list_points(const char *root)
{
    g_autofree char *file = g_strconcat(root, "/proc/self/mountinfo", NULL);
    GPtrArray *points = g_ptr_array_new_with_free_func(g_free);
    struct libmnt_table *table = mnt_new_table_from_file(file);
    struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
    struct libmnt_fs *fs;

    while (table != NULL && iter != NULL && mnt_table_next_fs(table, iter, &fs) == 0) {
        const char *point = mnt_fs_get_target(fs), *fstype = mnt_fs_get_fstype(fs);

        if (point != NULL && fstype != NULL && may_be_on_drive(fstype) &&
            !g_ptr_array_find_with_equal_func(points, point, g_str_equal, NULL))
            g_ptr_array_add(points, g_strdup(point));
    }
    mnt_free_iter(iter);
    mnt_unref_table(table);
    return points;
}

/* A folder of this user's on the same mount as POINT; NULL when there is none. */
static char *own_folder(const char *point)
{
    const char *const candidates[] = {g_get_home_dir(), g_get_user_data_dir(), g_get_user_cache_dir(),
                                      "/var/tmp", "/tmp"};

    for (gsize i = 0; i < G_N_ELEMENTS(candidates); i++) {
        g_autoptr(PltPlace) place = plt_place_locate("", candidates[i]);

        if (place != NULL && place->writable && g_strcmp0(place->mount_point, point) == 0)
            return g_strdup(candidates[i]);
    }
    return NULL;
}

static GStrv layers_of(const PltStack *stack)
{
    GStrv layers = g_new0(char *, stack->layers->len + 1);

    for (guint i = 0; i < stack->layers->len; i++)
        layers[i] = g_strdup(stack->layers->pdata[i]);
    return layers;
}

static PltMountState *state_of(const char *root, const PltPlace *place, const PltStack *stack)
{
    PltMountState *state = g_new0(PltMountState, 1);

    state->point = g_strdup(place->mount_point);
    state->path = g_strdup(place->mount_point);
    state->fstype = g_strdup(place->fstype);
    state->source = g_strdup(place->source);
    state->layers = layers_of(stack);
    state->size = place->size;
    state->free = place->free;
    state->writable = place->writable && !place->read_only;
    if (!state->writable && !place->read_only && root[0] == '\0') {
        char *own = own_folder(place->mount_point);

        state->writable = own != NULL;
        if (own != NULL) {
            g_free(state->path);
            state->path = own;
        }
    }
    return state;
}

/* The whole drive that carries the block device NAME: its own name unless it is a partition. */
static char *whole_of(const char *root, const char *name)
{
    g_autofree char *path = NULL, *folder = NULL;

    if (!plt_sysfs_exists(root, "/sys/class/block/%s/partition", name))
        return g_strdup(name);
    path = plt_sysfs_resolve(root, "/sys/class/block/%s", name);
    folder = path != NULL ? g_path_get_dirname(path) : NULL;
    return folder != NULL ? g_path_get_basename(folder) : g_strdup(name);
}

static void add_name(GPtrArray *names, char *name)
{
    if (g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
        g_free(name);
    else
        g_ptr_array_add(names, name);
}

/* NULL when POINT is hidden by another mount, in memory, or on nothing that can be seen. */
static Found *look_at(const char *root, const char *point)
{
    g_autoptr(PltPlace) place = plt_place_locate(root, point);
    g_autoptr(PltStack) stack = NULL;
    PltFsKind kind;
    Found *found;

    if (place == NULL || g_strcmp0(place->mount_point, point) != 0 || plt_place_in_memory(place))
        return NULL;
    kind = plt_place_kind(place);
    if (kind != PLT_FS_DRIVE && kind != PLT_FS_OVERLAY)
        return NULL;
    stack = plt_stack_new(root, place);
    if (stack->tops->len == 0)
        return NULL;
    found = g_new0(Found, 1);
    found->state = state_of(root, place, stack);
    g_ptr_array_add(stack->tops, NULL);
    found->file_system = g_strjoinv("\n", (char **)stack->tops->pdata);
    found->drives = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < stack->drives->len; i++)
        add_name(found->drives, g_strdup(stack->drives->pdata[i]));
    /* A loop or zram device is a drive of its own here, whatever carries it. */
    for (guint i = 0; stack->tops->pdata[i] != NULL; i++)
        add_name(found->drives, whole_of(root, stack->tops->pdata[i]));
    return found;
}

/* TRUE when A is the better place on the file system that A and B show. */
static gboolean is_better(const PltMountState *a, const PltMountState *b)
{
    if (a->writable != b->writable)
        return a->writable;
    return strlen(a->path) < strlen(b->path);
}

static int states_compare(gconstpointer a, gconstpointer b)
{
    const PltMountState *one = *(const PltMountState *const *)a, *other = *(const PltMountState *const *)b;

    if (one->writable != other->writable)
        return one->writable ? -1 : 1;
    if (one->free != other->free)
        return one->free > other->free ? -1 : 1;
    return strcmp(one->path, other->path);
}

static void add_to_drives(GHashTable *drives, const Found *found)
{
    for (guint i = 0; i < found->drives->len; i++) {
        GPtrArray *states = g_hash_table_lookup(drives, found->drives->pdata[i]);

        if (states == NULL) {
            states = g_ptr_array_new_with_free_func((GDestroyNotify)plt_mount_state_free);
            g_hash_table_insert(drives, g_strdup(found->drives->pdata[i]), states);
        }
        g_ptr_array_add(states, plt_mount_state_copy(found->state));
        g_ptr_array_sort(states, states_compare);
    }
}

GHashTable *plt_scan_mounts(const char *root)
{
    GHashTable *drives =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GHashTable) best =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)found_free);
    g_autoptr(GPtrArray) points = list_points(root);
    GHashTableIter iter;
    gpointer value;

    for (guint i = 0; i < points->len; i++) {
        Found *found = look_at(root, points->pdata[i]), *other;

        if (found == NULL)
            continue;
        other = g_hash_table_lookup(best, found->file_system);
        if (other == NULL || is_better(found->state, other->state))
            g_hash_table_replace(best, found->file_system, found);
        else
            found_free(found);
    }
    g_hash_table_iter_init(&iter, best);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        add_to_drives(drives, value);
    return drives;
}
