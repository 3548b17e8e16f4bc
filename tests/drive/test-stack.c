/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

static void check_list(GPtrArray *list, const char *expected)
{
    GString *text = g_string_new(NULL);

    for (guint i = 0; i < list->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (const char *)g_ptr_array_index(list, i));
    g_assert_cmpstr(text->str, ==, expected);
    g_string_free(text, TRUE);
}

static PltStack *stack_of(Fixture *fixture, const char *path)
{
    g_autoptr(PltPlace) place = plt_place_locate(fixture->root, path);

    return plt_stack_new(fixture->root, place);
}

static void check_stack(Fixture *fixture, const char *path, const char *layers, const char *drives)
{
    g_autoptr(PltStack) stack = stack_of(fixture, path);

    check_list(stack->layers, layers);
    check_list(stack->drives, drives);
}

/* The usual encrypted notebook: ext4 on LVM on LUKS on a partition. */
static Fixture *notebook_new(void)
{
    Fixture *fixture = fixture_new();
    g_autofree char *device = fixture_nvme_device(0);

    fixture_nvme(fixture, 0);
    fixture_partition(fixture, device, "nvme0n1p3", "259:3");
    fixture_virtual(fixture, "dm-0", "253:0", "nvme0n1p3");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-0/dm/name", "nvme0n1p3_crypt\n");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-0/dm/uuid", "CRYPT-LUKS2-0123-nvme0n1p3_crypt\n");
    fixture_virtual(fixture, "dm-1", "253:1", "dm-0");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-1/dm/name", "vg-home\n");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-1/dm/uuid", "LVM-abcdef\n");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-1/queue/logical_block_size", "4096\n");
    fixture_mount(fixture, "22 1 253:1 / / rw - ext4 /dev/mapper/vg-home rw");
    return fixture;
}

static void test_notebook(void)
{
    g_autoptr(Fixture) fixture = notebook_new();
    g_autoptr(PltStack) stack = stack_of(fixture, "/home");

    check_stack(fixture, "/home", "ext4, LVM, LUKS, partition", "nvme0n1");
    check_list(stack->tops, "dm-1");
    g_assert_false(stack->hidden);
    g_assert_false(stack->in_memory);
    g_assert_true(plt_stack_has_layer(stack, "LUKS"));
    g_assert_false(plt_stack_has_layer(stack, "LU"));
}

static Fixture *two_sata_new(void)
{
    Fixture *fixture = fixture_new();

    fixture_sata(fixture, "sda", "8:0", 1);
    fixture_sata(fixture, "sdb", "8:16", 2);
    return fixture;
}

/* The source names one drive, sysfs knows both; "features" and others stand beside the UUIDs. */
static void test_btrfs(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();
    g_autoptr(PltStack) stack = NULL;

    fixture_mkdir(fixture, "/sys/fs/btrfs/features");
    fixture_link(fixture, "/sys/fs/btrfs/11111111-2222-3333-4444-555555555555/devices/sda",
                 "/sys/class/block/sda");
    fixture_link(fixture, "/sys/fs/btrfs/11111111-2222-3333-4444-555555555555/devices/sdb",
                 "/sys/class/block/sdb");
    fixture_mount(fixture, "22 1 0:25 /@ / rw - btrfs /dev/sdb rw,subvol=/@");
    check_stack(fixture, "/data", "btrfs", "sda, sdb");
    stack = stack_of(fixture, "/data");
    check_list(stack->tops, "sda, sdb");
}

/* A sandbox shows no /sys/fs: what the mount table names must do. */
static void test_btrfs_without_sysfs(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();

    fixture_mount(fixture, "22 1 0:25 / / rw - btrfs /dev/sdb rw");
    check_stack(fixture, "/data", "btrfs", "sdb");
}

static void test_bcachefs(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();

    fixture_mount(fixture, "22 1 0:25 / / rw - bcachefs /dev/sda:/dev/sdb rw");
    check_stack(fixture, "/data", "bcachefs", "sda, sdb");
}

static void test_md(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();

    fixture_partition(fixture,
                      "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sda", "sda1",
                      "8:1");
    fixture_partition(fixture,
                      "/sys/devices/pci0000:00/0000:00:17.0/ata2/host1/target1:0:0/1:0:0:0/block/sdb", "sdb1",
                      "8:17");
    fixture_virtual(fixture, "md127", "9:127", "sda1 sdb1");
    fixture_write(fixture, "/sys/devices/virtual/block/md127/md/level", "raid1\n");
    fixture_mount(fixture, "22 1 9:127 / / rw - xfs /dev/md127 rw");
    check_stack(fixture, "/", "xfs, md raid1, partition", "sda, sdb");
}

static void test_zram(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltStack) stack = NULL;

    fixture_virtual(fixture, "zram0", "252:0", "");
    fixture_mount(fixture, "22 1 252:0 / /scratch rw - ext4 /dev/zram0 rw");
    stack = stack_of(fixture, "/scratch");
    check_stack(fixture, "/scratch", "ext4, zram", "");
    g_assert_true(stack->in_memory);
    g_assert_false(stack->hidden);
}

static void test_loop(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();
    g_autoptr(PltStack) stack = NULL, memory = NULL;

    fixture_virtual(fixture, "loop0", "7:0", "");
    fixture_write(fixture, "/sys/devices/virtual/block/loop0/loop/backing_file", "/home/image file.img\n");
    fixture_virtual(fixture, "loop1", "7:1", "");
    fixture_write(fixture, "/sys/devices/virtual/block/loop1/loop/backing_file", "/tmp/image.img\n");
    fixture_mount(fixture, "22 1 8:16 / / rw - ext4 /dev/sdb rw");
    fixture_mount(fixture, "23 22 0:40 / /tmp rw - tmpfs tmpfs rw");
    fixture_mount(fixture, "24 22 7:0 / /mnt/a rw - xfs /dev/loop0 rw");
    fixture_mount(fixture, "25 22 7:1 / /mnt/b rw - xfs /dev/loop1 rw");
    check_stack(fixture, "/mnt/a", "xfs, loop, ext4", "sdb");
    check_stack(fixture, "/mnt/b", "xfs, loop, tmpfs", "");
    stack = stack_of(fixture, "/mnt/a");
    check_list(stack->tops, "loop0");
    memory = stack_of(fixture, "/mnt/b");
    g_assert_true(memory->in_memory);
}

/* A loop device whose file lies on its own file system must not be walked for ever. */
static void test_loop_on_itself(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltStack) stack = NULL;

    fixture_virtual(fixture, "loop0", "7:0", "");
    fixture_write(fixture, "/sys/devices/virtual/block/loop0/loop/backing_file", "/mnt/image.img\n");
    fixture_mount(fixture, "24 22 7:0 / /mnt rw - xfs /dev/loop0 rw");
    stack = stack_of(fixture, "/mnt");
    g_assert_true(stack->hidden);
    g_assert_cmpuint(stack->drives->len, ==, 0);
}

static void test_loop_detached(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltStack) stack = NULL;

    fixture_virtual(fixture, "loop0", "7:0", "");
    fixture_mount(fixture, "24 22 7:0 / /mnt rw - xfs /dev/loop0 rw");
    stack = stack_of(fixture, "/mnt");
    g_assert_true(stack->hidden);
}

static void test_overlay(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();

    fixture_mount(fixture, "22 1 8:16 / / rw - ext4 /dev/sdb rw");
    fixture_mount(fixture, "23 22 0:31 / /merged rw - overlay overlay "
                           "rw,lowerdir=/a,upperdir=/var/up,workdir=/var/work");
    check_stack(fixture, "/merged/x", "overlay, ext4", "sdb");
}

/* Both ways lead to one drive, which is counted once. */
static void test_multipath(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();

    fixture_virtual(fixture, "dm-0", "253:0", "sda sdb");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-0/dm/uuid", "mpath-36001405\n");
    fixture_virtual(fixture, "dm-1", "253:1", "dm-0");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-1/dm/uuid", "part1-mpath-36001405\n");
    fixture_mount(fixture, "22 1 253:1 / / rw - ext4 /dev/mapper/m1 rw");
    check_stack(fixture, "/", "ext4, partition, multipath", "sda");
}

/* LVM builds its volumes of hidden volumes: one word for all of them. */
static void test_lvm_raid(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();

    fixture_virtual(fixture, "dm-0", "253:0", "sda");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-0/dm/uuid", "LVM-a-rimage_0\n");
    fixture_virtual(fixture, "dm-1", "253:1", "sdb");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-1/dm/uuid", "LVM-a-rimage_1\n");
    fixture_virtual(fixture, "dm-2", "253:2", "dm-0 dm-1");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-2/dm/uuid", "LVM-a\n");
    fixture_mount(fixture, "22 1 253:2 / / rw - ext4 /dev/mapper/vg-lv rw");
    check_stack(fixture, "/", "ext4, LVM", "sda, sdb");
}

/* In btrfs the device number says nothing, so the mapped device is found by its name. */
static void test_btrfs_on_luks(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();

    fixture_virtual(fixture, "dm-0", "253:0", "sdb");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-0/dm/uuid", "CRYPT-LUKS1-0123-home\n");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-0/dm/name", "home\n");
    fixture_mount(fixture, "22 1 0:25 / /home rw - btrfs /dev/mapper/home rw");
    check_stack(fixture, "/home", "btrfs, LUKS", "sdb");
}

static void test_bcache(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();

    fixture_virtual(fixture, "bcache0", "251:0", "sda sdb");
    fixture_mount(fixture, "22 1 251:0 / / rw - ext4 /dev/bcache0 rw");
    check_stack(fixture, "/", "ext4, bcache", "sda, sdb");
}

/* sysfs writes the "/" of old controllers' names as "!". */
static void test_exclamation_mark(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltFolder) folder = NULL;
    g_auto(GStrv) drives = NULL;

    fixture_block(fixture, "/sys/devices/pci0000:00/0000:00:03.0/cciss0/block/cciss!c0d0", "104:0");
    fixture_partition(fixture, "/sys/devices/pci0000:00/0000:00:03.0/cciss0/block/cciss!c0d0", "cciss!c0d0p1",
                      "104:1");
    fixture_mount(fixture, "22 1 0:25 / / rw - btrfs /dev/cciss/c0d0p1 rw");
    check_stack(fixture, "/", "btrfs, partition", "cciss!c0d0");
    folder = fixture_folder(fixture, "/");
    drives = plt_folder_drives(folder);
    g_assert_cmpstr(drives[0], ==, "cciss/c0d0");
    g_assert_null(drives[1]);
}

static void test_zfs(void)
{
    g_autoptr(Fixture) fixture = two_sata_new();
    g_autoptr(PltStack) stack = NULL;

    fixture_mount(fixture, "22 1 0:25 / /tank rw - zfs tank/data rw,xattr");
    stack = stack_of(fixture, "/tank");
    check_list(stack->layers, "zfs");
    g_assert_true(stack->hidden);
}

static void test_shares_drive(void)
{
    g_autoptr(Fixture) fixture = notebook_new();
    g_autoptr(PltFolder) folder = fixture_folder(fixture, "/home");

    fixture_sata(fixture, "sda", "8:0", 1);
    fixture_mkdir(fixture, "/media/sata");
    fixture_mkdir(fixture, "/boot/efi");
    fixture_mount(fixture, "23 22 8:0 / /media/sata rw - ext4 /dev/sda rw");
    fixture_mount(fixture, "24 22 259:3 / /boot/efi rw - vfat /dev/nvme0n1p3 rw");
    g_assert_true(plt_folder_shares_drive(folder, "/"));
    g_assert_true(plt_folder_shares_drive(folder, "/boot/efi"));
    g_assert_true(plt_folder_shares_drive(folder, "/not/yet/there"));
    g_assert_false(plt_folder_shares_drive(folder, "/media/sata"));
    g_assert_false(plt_folder_shares_drive(folder, "/media/sata/not/yet/there"));
}

static void test_device_block(void)
{
    g_autoptr(Fixture) fixture = notebook_new();
    g_autoptr(PltFolder) mapped = NULL, partition = NULL;
    g_autofree char *device = fixture_nvme_device(1);
    g_autofree char *block = g_strconcat(device, "/queue/logical_block_size", NULL);

    fixture_nvme(fixture, 1);
    fixture_write(fixture, block, "4096\n");
    fixture_partition(fixture, device, "nvme1n1p1", "259:11");
    fixture_mount(fixture, "23 22 259:11 / /mnt rw - ext4 /dev/nvme1n1p1 rw");
    mapped = fixture_folder(fixture, "/home");
    partition = fixture_folder(fixture, "/mnt");
    /* The map says 4096 though the drive below has 512: what the file system sits on decides. */
    g_assert_cmpuint(plt_folder_device_block(mapped), ==, 4096);
    g_assert_cmpuint(plt_folder_device_block(partition), ==, 4096);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/stack/notebook", test_notebook);
    g_test_add_func("/drive/stack/btrfs", test_btrfs);
    g_test_add_func("/drive/stack/btrfs-without-sysfs", test_btrfs_without_sysfs);
    g_test_add_func("/drive/stack/btrfs-on-luks", test_btrfs_on_luks);
    g_test_add_func("/drive/stack/bcachefs", test_bcachefs);
    g_test_add_func("/drive/stack/md", test_md);
    g_test_add_func("/drive/stack/zram", test_zram);
    g_test_add_func("/drive/stack/loop", test_loop);
    g_test_add_func("/drive/stack/loop-on-itself", test_loop_on_itself);
    g_test_add_func("/drive/stack/loop-detached", test_loop_detached);
    g_test_add_func("/drive/stack/overlay", test_overlay);
    g_test_add_func("/drive/stack/multipath", test_multipath);
    g_test_add_func("/drive/stack/lvm-raid", test_lvm_raid);
    g_test_add_func("/drive/stack/bcache", test_bcache);
    g_test_add_func("/drive/stack/exclamation-mark", test_exclamation_mark);
    g_test_add_func("/drive/stack/zfs", test_zfs);
    g_test_add_func("/drive/stack/shares-drive", test_shares_drive);
    g_test_add_func("/drive/stack/device-block", test_device_block);
    return g_test_run();
}
