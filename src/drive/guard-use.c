/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <fcntl.h>
#include <libmount/libmount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "drive/guard-private.h"
#include "drive/sysfs.h"

PltGuardDevice *plt_guard_find_number(const char *root, PltGuardFacts *facts, const char *number)
{
    for (guint i = 0; i < facts->devices->len; i++) {
        PltGuardDevice *device = g_ptr_array_index(facts->devices, i);
        g_autofree char *own = plt_sysfs_read(root, "/sys/class/block/%s/dev", device->name);

        if (g_strcmp0(own, number) == 0)
            return device;
    }
    return NULL;
}

static PltGuardDevice *find_name(const char *root, PltGuardFacts *facts, const char *name)
{
    for (guint i = 0; i < facts->devices->len; i++) {
        PltGuardDevice *device = g_ptr_array_index(facts->devices, i);
        g_autofree char *map = plt_sysfs_read(root, "/sys/class/block/%s/dm/name", device->name);

        if (g_str_equal(device->name, name) || g_strcmp0(map, name) == 0)
            return device;
    }
    return NULL;
}

PltGuardDevice *plt_guard_find_path(const char *root, PltGuardFacts *facts, const char *path)
{
    g_autofree char *real = plt_sysfs_resolve(root, "%s", path);
    const char *full = real != NULL ? real : path;
    g_autofree char *name = NULL;
    struct stat status;

    if (root[0] == '\0' && stat(path, &status) == 0 && S_ISBLK(status.st_mode)) {
        g_autofree char *number = g_strdup_printf("%u:%u", major(status.st_rdev), minor(status.st_rdev));

        return plt_guard_find_number(root, facts, number);
    }
    if (!g_str_has_prefix(full, "/dev/"))
        return NULL;
    if (g_str_has_prefix(full, "/dev/mapper/"))
        return find_name(root, facts, full + strlen("/dev/mapper/"));
    name = g_strdelimit(g_strdup(full + strlen("/dev/")), "/", '!');
    return find_name(root, facts, name);
}

static void add_once(GPtrArray *list, const char *text)
{
    if (!g_ptr_array_find_with_equal_func(list, text, g_str_equal, NULL))
        g_ptr_array_add(list, g_strdup(text));
}

/* A btrfs of several devices names one of them as its source, and none by number. */
static void add_btrfs_mount(const char *root, PltGuardFacts *facts, const char *source, const char *point)
{
    g_auto(GStrv) ids = plt_sysfs_list(root, "/sys/fs/btrfs");
    g_autofree char *name = g_path_get_basename(source);

    for (guint i = 0; ids[i] != NULL; i++) {
        g_auto(GStrv) members = plt_sysfs_list(root, "/sys/fs/btrfs/%s/devices", ids[i]);

        if (!g_strv_contains((const char *const *)members, name))
            continue;
        for (guint j = 0; members[j] != NULL; j++) {
            PltGuardDevice *device = find_name(root, facts, members[j]);

            if (device != NULL)
                add_once(device->mounts, point);
        }
    }
}

static void add_mount(const char *root, PltGuardFacts *facts, struct libmnt_fs *fs)
{
    dev_t dev = mnt_fs_get_devno(fs);
    const char *source = mnt_fs_get_source(fs), *point = mnt_fs_get_target(fs);
    g_autofree char *number = g_strdup_printf("%u:%u", major(dev), minor(dev));
    PltGuardDevice *device = plt_guard_find_number(root, facts, number);
    g_auto(GStrv) sources = NULL;

    if (device != NULL)
        add_once(device->mounts, point);
    if (source == NULL || source[0] != '/' || point == NULL)
        return;
    /* bcachefs names all its devices: "/dev/sda:/dev/sdb". */
    sources = g_strsplit(source, ":/", -1);
    for (guint i = 0; sources[i] != NULL; i++) {
        g_autofree char *path = i == 0 ? g_strdup(sources[i]) : g_strconcat("/", sources[i], NULL);

        device = plt_guard_find_path(root, facts, path);
        if (device != NULL)
            add_once(device->mounts, point);
    }
    if (g_strcmp0(mnt_fs_get_fstype(fs), "btrfs") == 0)
        add_btrfs_mount(root, facts, source, point);
}

static gboolean read_mounts(const char *root, PltGuardFacts *facts, const char *process)
{
    g_autofree char *file = g_strdup_printf("%s/proc/%s/mountinfo", root, process);
    struct libmnt_table *table = mnt_new_table_from_file(file);
    struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
    struct libmnt_fs *fs;

    while (table != NULL && iter != NULL && mnt_table_next_fs(table, iter, &fs) == 0)
        add_mount(root, facts, fs);
    mnt_free_iter(iter);
    if (table == NULL)
        return FALSE;
    mnt_unref_table(table);
    return TRUE;
}

/* btrfs lists its mounted file systems by device, also those that no table we may read shows. */
static void look_for_hidden_btrfs(const char *root, PltGuardFacts *facts)
{
    g_auto(GStrv) ids = plt_sysfs_list(root, "/sys/fs/btrfs");

    for (guint i = 0; ids[i] != NULL; i++) {
        g_auto(GStrv) members = plt_sysfs_list(root, "/sys/fs/btrfs/%s/devices", ids[i]);

        for (guint j = 0; members[j] != NULL; j++) {
            PltGuardDevice *device = find_name(root, facts, members[j]);

            if (device != NULL && device->mounts->len == 0 && device->member_of == NULL)
                device->member_of = g_strdup("btrfs");
        }
    }
}

static gboolean is_process(const char *name)
{
    return name[0] != '\0' && strspn(name, "0123456789") == strlen(name);
}

static char *read_link(const char *root, const char *process, const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/proc/%s/%s", root, process, name);

    return g_file_read_link(path, NULL);
}

void plt_guard_look_for_mounts(const char *root, PltGuardFacts *facts)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_auto(GStrv) processes = plt_sysfs_list(root, "/proc");

    if (!read_mounts(root, facts, "self"))
        plt_guard_be_unsure(facts, "/proc/self/mountinfo");
    /* A container or a sandboxed service may have mounted what we do not see. */
    for (guint i = 0; processes[i] != NULL; i++) {
        char *space = is_process(processes[i]) ? read_link(root, processes[i], "ns/mnt") : NULL;

        if (space != NULL && g_hash_table_add(seen, space))
            read_mounts(root, facts, processes[i]);
    }
    look_for_hidden_btrfs(root, facts);
}

static void mark_swap(const char *root, PltGuardFacts *facts, const char *path)
{
    PltGuardDevice *device = plt_guard_find_path(root, facts, path);

    if (device != NULL)
        device->swap = TRUE;
}

/* The kernel writes blanks and others in names as "\040". */
static char *unescape(const char *text)
{
    return g_strcompress(text);
}

static void read_active_swap(const char *root, PltGuardFacts *facts)
{
    g_autofree char *text = plt_sysfs_read(root, "/proc/swaps");
    g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++) {
        g_autofree char *word = g_strndup(lines[i], strcspn(lines[i], " \t"));
        g_autofree char *path = unescape(word);

        if (path[0] == '/')
            mark_swap(root, facts, path);
    }
}

/* "resume=UUID=…", "resume=/dev/sda2" on the kernel's command line. */
static void read_resume_option(const char *root, PltGuardFacts *facts)
{
    static const struct {
        const char *prefix, *folder;
    } tags[] = {
        {"UUID=", "by-uuid"},
        {"PARTUUID=", "by-partuuid"},
        {"LABEL=", "by-label"},
        {"PARTLABEL=", "by-partlabel"},
    };
    g_autofree char *text = plt_sysfs_read(root, "/proc/cmdline");
    g_auto(GStrv) words = g_strsplit_set(text != NULL ? text : "", " \n", -1);

    for (guint i = 0; words[i] != NULL; i++) {
        const char *value = words[i] + strlen("resume=");

        if (!g_str_has_prefix(words[i], "resume="))
            continue;
        if (value[0] == '/')
            mark_swap(root, facts, value);
        for (gsize j = 0; j < G_N_ELEMENTS(tags); j++) {
            g_autofree char *path = NULL;

            if (!g_str_has_prefix(value, tags[j].prefix))
                continue;
            path = g_strdup_printf("/dev/disk/%s/%s", tags[j].folder, value + strlen(tags[j].prefix));
            mark_swap(root, facts, path);
        }
    }
}

void plt_guard_look_for_swap(const char *root, PltGuardFacts *facts)
{
    g_autofree char *resume = plt_sysfs_read(root, "/sys/power/resume");
    PltGuardDevice *device = NULL;

    read_active_swap(root, facts);
    read_resume_option(root, facts);
    if (resume != NULL && !g_str_equal(resume, "0:0"))
        device = plt_guard_find_number(root, facts, resume);
    if (device != NULL)
        device->swap = TRUE;
}

/* The flags that a descriptor was opened with: octal in fdinfo. */
static gboolean may_write(const char *root, const char *process, const char *descriptor)
{
    g_autofree char *text = plt_sysfs_read(root, "/proc/%s/fdinfo/%s", process, descriptor);
    const char *flags = text != NULL ? strstr(text, "flags:") : NULL;

    return flags != NULL && (g_ascii_strtoull(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) != O_RDONLY;
}

static void look_at_process(const char *root, PltGuardFacts *facts, const char *process)
{
    g_auto(GStrv) descriptors = plt_sysfs_list(root, "/proc/%s/fd", process);

    for (guint i = 0; descriptors[i] != NULL; i++) {
        g_autofree char *place = g_strconcat("fd/", descriptors[i], NULL);
        g_autofree char *path = read_link(root, process, place);
        PltGuardDevice *device = NULL;
        g_autofree char *command = NULL, *user = NULL;

        if (path == NULL || !g_str_has_prefix(path, "/dev/"))
            continue;
        device = plt_guard_find_path(root, facts, path);
        if (device == NULL || !may_write(root, process, descriptors[i]))
            continue;
        command = plt_sysfs_read(root, "/proc/%s/comm", process);
        user = g_strdup_printf("%s (%s)", command != NULL ? command : "?", process);
        add_once(device->users, user);
    }
}

/* Root sees all programs, others their own. A virtual machine that has the drive claims nothing. */
void plt_guard_look_for_users(const char *root, PltGuardFacts *facts)
{
    g_autofree char *self = root[0] == '\0' ? g_strdup_printf("%d", (int)getpid()) : NULL;
    g_auto(GStrv) processes = plt_sysfs_list(root, "/proc");

    for (guint i = 0; processes[i] != NULL; i++)
        if (is_process(processes[i]) && g_strcmp0(processes[i], self) != 0)
            look_at_process(root, facts, processes[i]);
}
