/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/mounts.h"

#include <sys/sysmacros.h>

#include "fixture.h"

static Fixture *machine_new(void)
{
    Fixture *fixture = fixture_new();

    fixture_mount(fixture, "22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro");
    fixture_mount(fixture, "30 22 0:25 / /home rw,noatime shared:2 - btrfs /dev/mapper/home "
                           "rw,compress=zstd:3,ssd,space_cache=v2");
    fixture_mount(fixture, "31 30 8:1 / /home/ann/my\\040disk rw,nosuid - ext4 /dev/sda1 rw");
    fixture_mount(fixture, "32 22 0:44 / /mnt rw - tmpfs tmpfs rw");
    fixture_mount(fixture, "33 32 0:50 / /mnt ro - nfs4 server:/export ro,vers=4.2");
    return fixture;
}

static void check(Fixture *fixture, const char *path, guint64 id, const char *fstype, const char *source)
{
    g_autoptr(PltMountEntry) mount = plt_mounts_find(fixture->root, path, id);

    g_assert_nonnull(mount);
    g_assert_cmpstr(mount->fstype, ==, fstype);
    g_assert_cmpstr(mount->source, ==, source);
}

static void test_longest(void)
{
    g_autoptr(Fixture) fixture = machine_new();

    check(fixture, "/", 0, "ext4", "/dev/nvme0n1p2");
    check(fixture, "/homework", 0, "ext4", "/dev/nvme0n1p2");
    check(fixture, "/home", 0, "btrfs", "/dev/mapper/home");
    check(fixture, "/home/ann", 0, "btrfs", "/dev/mapper/home");
    check(fixture, "/home/ann/my disk/test", 0, "ext4", "/dev/sda1");
}

/* Of two mounts on one point only the later is seen, unless the kernel named the other by its number. */
static void test_overmounted(void)
{
    g_autoptr(Fixture) fixture = machine_new();

    check(fixture, "/mnt/x", 0, "nfs4", "server:/export");
    check(fixture, "/mnt/x", 32, "tmpfs", "tmpfs");
}

static void test_fields(void)
{
    g_autoptr(Fixture) fixture = machine_new();
    g_autoptr(PltMountEntry) mount = plt_mounts_find(fixture->root, "/home", 0);
    g_autoptr(PltMountEntry) drive = plt_mounts_find(fixture->root, "/home/ann/my disk", 0);
    g_autofree char *compress = plt_mounts_option(mount->options, "compress");
    g_autofree char *ssd = plt_mounts_option(mount->options, "ssd");
    g_autofree char *sync = plt_mounts_option(mount->options, "sync");

    g_assert_cmpstr(mount->point, ==, "/home");
    g_assert_cmpstr(compress, ==, "zstd:3");
    g_assert_cmpstr(ssd, ==, "");
    g_assert_null(sync);
    g_assert_cmpuint(major(mount->dev), ==, 0);
    g_assert_cmpstr(drive->point, ==, "/home/ann/my disk");
    g_assert_cmpuint(drive->dev, ==, makedev(8, 1));
}

static void test_absent(void)
{
    g_autoptr(Fixture) fixture = fixture_new();

    g_assert_null(plt_mounts_find(fixture->root, "/", 0));
    fixture_mount(fixture, "30 22 8:1 / /home rw - ext4 /dev/sda1 rw");
    g_assert_null(plt_mounts_find(fixture->root, "/srv", 0));
    g_assert_null(plt_mounts_find(fixture->root, "/home", 99));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/mounts/longest", test_longest);
    g_test_add_func("/drive/mounts/overmounted", test_overmounted);
    g_test_add_func("/drive/mounts/fields", test_fields);
    g_test_add_func("/drive/mounts/absent", test_absent);
    return g_test_run();
}
