/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include "drive/stack-tree.h"

/* What the guard wants to know of every block device, and that BELOW (a list, blanks between) carry it. */
static void add_virtual(Fixture *f, const char *name, const char *number, const char *below)
{
    g_autofree char *folder = g_strconcat("/sys/devices/virtual/block/", name, NULL);
    g_autofree char *ro = g_strconcat(folder, "/ro", NULL);
    g_autofree char *holders = g_strconcat(folder, "/holders", NULL);
    g_autofree char *device = g_strconcat("/sys/class/block/", name, NULL);
    g_auto(GStrv) names = g_strsplit(below, " ", -1);

    /* A relative link is right only in the folder where it really lies. */
    fixture_virtual(f, name, number, below);
    fixture_write(f, ro, "0\n");
    fixture_mkdir(f, holders);
    for (guint i = 0; names[i] != NULL; i++) {
        g_autofree char *drive = fixture_nvme_device(0);
        g_autofree char *link = g_strdup_printf(
            "%s/%s/holders/%s", g_str_has_prefix(names[i], "nvme") ? drive : "/sys/devices/virtual/block",
            names[i], name);

        fixture_link(f, link, device);
    }
}

static void add_partition(Fixture *f, const char *name, const char *number)
{
    g_autofree char *drive = fixture_nvme_device(0);
    g_autofree char *ro = g_strdup_printf("/sys/class/block/%s/ro", name);
    g_autofree char *holders = g_strdup_printf("/sys/class/block/%s/holders", name);

    fixture_partition(f, drive, name, number);
    fixture_write(f, ro, "0\n");
    fixture_mkdir(f, holders);
}

static char *tree_of(Fixture *f)
{
    g_autoptr(PltGuardFacts) facts = plt_guard_look(f->root, "nvme0n1", PLT_USE_READ);
    g_autoptr(JsonNode) tree = plt_stack_tree(f->root, facts);

    return tree != NULL ? json_to_string(tree, FALSE) : NULL;
}

static Fixture *machine_new(void)
{
    Fixture *f = fixture_new();

    fixture_nvme(f, 0);
    fixture_write(f, "/sys/class/block/nvme0n1/size", "2048\n");
    fixture_write(f, "/sys/class/block/nvme0n1/ro", "0\n");
    fixture_mkdir(f, "/sys/class/block/nvme0n1/holders");
    return f;
}

static void test_blank(void)
{
    g_autoptr(Fixture) f = machine_new();
    g_autofree char *text = tree_of(f);

    g_assert_cmpstr(text, ==,
                    "{\"name\":\"nvme0n1\",\"kind\":\"drive\",\"size\":1048576,\"mounts\":[],"
                    "\"swap\":false,\"children\":[]}");
}

/* A partition, LUKS on it, LVM on that, mounted: one below the other. */
static void test_notebook(void)
{
    g_autoptr(Fixture) f = machine_new();
    g_autofree char *text = NULL;

    add_partition(f, "nvme0n1p3", "259:3");
    fixture_write(f, "/sys/class/block/nvme0n1p3/size", "2\n");
    fixture_write(f, "/run/udev/data/b259:3", "E:ID_FS_TYPE=crypto_LUKS\n");
    add_virtual(f, "dm-0", "253:0", "nvme0n1p3");
    fixture_write(f, "/sys/devices/virtual/block/dm-0/dm/name", "secret\n");
    fixture_write(f, "/sys/devices/virtual/block/dm-0/dm/uuid", "CRYPT-LUKS2-0123-secret\n");
    add_virtual(f, "dm-1", "253:1", "dm-0");
    fixture_write(f, "/sys/devices/virtual/block/dm-1/dm/name", "vg-home\n");
    fixture_write(f, "/sys/devices/virtual/block/dm-1/dm/uuid", "LVM-abcdef\n");
    fixture_write(f, "/run/udev/data/b253:1", "E:ID_FS_TYPE=ext4\nE:ID_FS_LABEL=Home\n");
    fixture_mount(f, "22 1 253:1 / /home rw - ext4 /dev/mapper/vg-home rw");
    text = tree_of(f);
    g_assert_cmpstr(text, ==,
                    "{\"name\":\"nvme0n1\",\"kind\":\"drive\",\"size\":1048576,\"mounts\":[],\"swap\":false,"
                    "\"children\":[{\"name\":\"nvme0n1p3\",\"kind\":\"partition\",\"size\":1024,"
                    "\"content\":\"crypto_LUKS\",\"mounts\":[],\"swap\":false,\"children\":["
                    "{\"name\":\"dm-0\",\"map\":\"secret\",\"kind\":\"LUKS\",\"size\":0,\"mounts\":[],"
                    "\"swap\":false,\"children\":[{\"name\":\"dm-1\",\"map\":\"vg-home\",\"kind\":\"LVM\","
                    "\"size\":0,\"content\":\"ext4\",\"label\":\"Home\",\"mounts\":[\"/home\"],"
                    "\"swap\":false,\"children\":[]}]}]}]}");
}

/* An array over two partitions of one drive stands on both. */
static void test_array(void)
{
    g_autoptr(Fixture) f = machine_new();
    g_autofree char *text = NULL;
    g_auto(GStrv) parts = NULL;

    add_partition(f, "nvme0n1p1", "259:1");
    add_partition(f, "nvme0n1p2", "259:2");
    add_virtual(f, "md0", "9:0", "nvme0n1p1 nvme0n1p2");
    fixture_write(f, "/sys/devices/virtual/block/md0/md/level", "raid1\n");
    fixture_write(f, "/proc/swaps", "Filename Type Size Used Priority\n/dev/md0 partition 1 0 -2\n");
    text = tree_of(f);
    parts = g_strsplit(text, "{\"name\":\"md0\",\"kind\":\"md raid1\",\"size\":0,\"mounts\":[],\"swap\":true",
                       -1);
    g_assert_cmpuint(g_strv_length(parts), ==, 3);
}

/* A damaged tree in which two devices hold each other ends. */
static void test_loop(void)
{
    g_autoptr(Fixture) f = machine_new();
    g_autofree char *text = NULL;

    add_partition(f, "nvme0n1p1", "259:1");
    add_virtual(f, "dm-0", "253:0", "nvme0n1p1");
    fixture_link(f, "/sys/devices/virtual/block/dm-0/holders/nvme0n1p1", "/sys/class/block/nvme0n1p1");
    text = tree_of(f);
    g_assert_nonnull(text);
}

static void test_gone(void)
{
    g_autoptr(Fixture) f = fixture_new();
    g_autofree char *text = tree_of(f);

    g_assert_null(text);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/stack-tree/blank", test_blank);
    g_test_add_func("/drive/stack-tree/notebook", test_notebook);
    g_test_add_func("/drive/stack-tree/array", test_array);
    g_test_add_func("/drive/stack-tree/loop", test_loop);
    g_test_add_func("/drive/stack-tree/gone", test_gone);
    return g_test_run();
}
