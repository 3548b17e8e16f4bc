/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#define GIB (G_GUINT64_CONSTANT(1) << 30)

static GPtrArray *warnings_of(Fixture *fixture, const char *path)
{
    GPtrArray *warnings = fixture_warnings_new();
    g_autoptr(PltFolder) folder = fixture_folder(fixture, path);

    plt_folder_add_warnings(folder, 4 * GIB, warnings);
    return warnings;
}

static void check(Fixture *fixture, const char *id, const char *detail)
{
    g_autoptr(GPtrArray) warnings = warnings_of(fixture, "/");

    if (!fixture_has_warning(warnings, id, detail))
        g_error("no warning “%s” (%s)", id, detail);
}

static void check_not(Fixture *fixture, const char *id)
{
    g_autoptr(GPtrArray) warnings = warnings_of(fixture, "/");

    g_assert_false(fixture_has_warning(warnings, id, NULL));
}

static Fixture *nvme_new(void)
{
    Fixture *fixture = fixture_new();

    fixture_nvme(fixture, 0);
    fixture_mount(fixture, "22 1 259:0 / / rw,relatime,discard - ext4 /dev/nvme0n1 rw,errors=remount-ro");
    return fixture;
}

static void write_drive(Fixture *fixture, const char *name, const char *text)
{
    g_autofree char *path = g_strconcat("/sys/class/block/nvme0n1/", name, NULL);

    fixture_write(fixture, path, text);
}

/* A proper drive under a plain file system deserves no word. */
static void test_quiet(void)
{
    g_autoptr(Fixture) fixture = nvme_new();
    g_autoptr(GPtrArray) warnings = warnings_of(fixture, "/");

    for (guint i = 0; i < warnings->len; i++)
        g_error("warning “%s”", ((PltWarning *)g_ptr_array_index(warnings, i))->id);
}

static void test_size(void)
{
    g_autoptr(Fixture) fixture = nvme_new();
    g_autoptr(PltFolder) folder = fixture_folder(fixture, "/");
    g_autoptr(GPtrArray) small = fixture_warnings_new(), exact = fixture_warnings_new();

    plt_folder_add_warnings(folder, 256 << 20, small);
    g_assert_true(fixture_has_warning(small, "small-test-file", "256 MiB"));
    plt_folder_add_warnings(folder, GIB, exact);
    g_assert_false(fixture_has_warning(exact, "small-test-file", NULL));
}

static void check_full(guint64 free_bytes, guint64 size, const char *detail)
{
    g_autoptr(Fixture) fixture = nvme_new();
    g_autoptr(PltFolder) folder = fixture_folder(fixture, "/");
    g_autoptr(GPtrArray) warnings = fixture_warnings_new();

    folder->place->size = 100 * GIB;
    folder->place->free = free_bytes;
    plt_folder_add_warnings(folder, size, warnings);
    g_assert_true(fixture_has_warning(warnings, "nearly-full", detail) == (detail != NULL));
}

static void test_nearly_full(void)
{
    check_full(11 * GIB, GIB, NULL);
    check_full(12 * GIB, 4 * GIB, "92 %");
    check_full(5 * GIB, 0, "95 %");
    /* What does not fit is refused elsewhere: here it only must not wrap. */
    check_full(5 * GIB, 50 * GIB, "100 %");
}

static void check_mount(const char *line, const char *id, const char *detail)
{
    g_autoptr(Fixture) fixture = fixture_new();

    fixture_nvme(fixture, 0);
    fixture_mount(fixture, line);
    if (id != NULL)
        check(fixture, id, detail);
    else
        check_not(fixture, detail);
}

static void test_file_system(void)
{
    check_mount("22 1 0:25 / / rw - btrfs /dev/nvme0n1 rw,compress=zstd:3", "compression", "btrfs zstd:3");
    check_mount("22 1 0:25 / / rw - btrfs /dev/nvme0n1 rw,compress-force=lzo", "compression", "btrfs lzo");
    check_mount("22 1 0:25 / / rw - btrfs /dev/nvme0n1 rw,compress=no", NULL, "compression");
    check_mount("22 1 0:25 / / rw - btrfs /dev/nvme0n1 rw", NULL, "compression");
    check_mount("22 1 0:25 / / rw - btrfs /dev/nvme0n1 rw", "copy-on-write", "btrfs");
    check_mount("22 1 0:25 / / rw - bcachefs /dev/nvme0n1 rw,compression=lz4", "compression", "bcachefs lz4");
    check_mount("22 1 0:25 / / rw - zfs tank/data rw", "zfs", "tank/data");
    check_mount("22 1 0:25 / / rw - zfs tank/data rw", "drive-unknown", "zfs");
    check_mount("22 1 259:0 / / rw - ext4 /dev/nvme0n1 rw,data=journal", "data-journal", NULL);
    check_mount("22 1 259:0 / / rw - ext4 /dev/nvme0n1 rw,data=ordered", NULL, "data-journal");
    check_mount("22 1 259:0 / / rw,sync - ext4 /dev/nvme0n1 rw", "sync-mount", NULL);
    check_mount("22 1 259:0 / / rw - ext4 /dev/nvme0n1 rw,async", NULL, "sync-mount");
}

static void check_dm(const char *uuid, const char *id, const char *detail)
{
    g_autoptr(Fixture) fixture = fixture_new();

    fixture_nvme(fixture, 0);
    fixture_virtual(fixture, "dm-0", "253:0", "nvme0n1");
    fixture_write(fixture, "/sys/class/block/dm-0/dm/uuid", uuid);
    fixture_mount(fixture, "22 1 253:0 / / rw - ext4 /dev/mapper/x rw");
    check(fixture, id, detail);
}

static void test_layers(void)
{
    check_dm("CRYPT-LUKS2-0123-x\n", "encryption", "LUKS");
    check_dm("CRYPT-PLAIN-x\n", "encryption", "dm-crypt");
    check_dm("CRYPT-BITLK-x\n", "encryption", "BitLocker");
    check_dm("LVM-x\n", "lvm", NULL);
    check_dm("mpath-x\n", "multipath", NULL);
    check_dm("CRYPT-VERITY-x\n", "device-mapper", "dm-verity");
    check_dm("somebody-else\n", "device-mapper", "device mapper");
}

static void test_several_drives(void)
{
    g_autoptr(Fixture) fixture = fixture_new();

    fixture_sata(fixture, "sda", "8:0", 1);
    fixture_sata(fixture, "sdb", "8:16", 2);
    fixture_virtual(fixture, "md0", "9:0", "sda sdb");
    fixture_write(fixture, "/sys/class/block/md0/md/level", "raid0\n");
    fixture_mount(fixture, "22 1 9:0 / / rw - ext4 /dev/md0 rw");
    check(fixture, "raid", "md raid0");
    check(fixture, "several-drives", "sda, sdb");
}

static void test_memory(void)
{
    g_autoptr(Fixture) fixture = fixture_new();

    fixture_virtual(fixture, "zram0", "252:0", "");
    fixture_mount(fixture, "22 1 252:0 / / rw - ext4 /dev/zram0 rw");
    check(fixture, "memory", "ext4, zram");
    check_not(fixture, "drive-unknown");
}

static void test_loop(void)
{
    g_autoptr(Fixture) fixture = nvme_new();
    g_autoptr(GPtrArray) warnings = NULL;

    fixture_virtual(fixture, "loop0", "7:0", "");
    fixture_write(fixture, "/sys/class/block/loop0/loop/backing_file", "/image.img\n");
    fixture_mount(fixture, "23 22 7:0 / /mnt rw - ext4 /dev/loop0 rw");
    warnings = warnings_of(fixture, "/mnt");
    g_assert_true(fixture_has_warning(warnings, "loop", NULL));
    g_assert_false(fixture_has_warning(warnings, "memory", NULL));
}

static void test_scheduler(void)
{
    g_autoptr(Fixture) fixture = nvme_new();

    write_drive(fixture, "queue/scheduler", "none mq-deadline kyber [bfq] \n");
    check(fixture, "scheduler", "bfq");
    write_drive(fixture, "queue/scheduler", "none\n");
    check_not(fixture, "scheduler");
}

static void write_pci(Fixture *fixture, const char *name, const char *text)
{
    g_autofree char *path = g_strconcat("/sys/class/nvme/nvme0/device/", name, NULL);

    fixture_write(fixture, path, text);
}

static void test_link(void)
{
    g_autoptr(Fixture) fixture = nvme_new();

    write_pci(fixture, "current_link_speed", "8.0 GT/s PCIe\n");
    check(fixture, "link-below", "PCIe 3.0 x4 < PCIe 4.0 x4");
    check_not(fixture, "link-slot");
    write_pci(fixture, "current_link_speed", "16.0 GT/s PCIe\n");
    write_pci(fixture, "current_link_width", "2\n");
    check(fixture, "link-below", "PCIe 4.0 x2 < PCIe 4.0 x4");
}

/* The link is as fast as the slot allows: not a fault, but the slot is below the drive. */
static void test_slot(void)
{
    g_autoptr(Fixture) fixture = nvme_new();

    write_pci(fixture, "max_link_speed", "32.0 GT/s PCIe\n");
    check(fixture, "link-slot", "PCIe 4.0 x4 < PCIe 5.0 x4");
    check_not(fixture, "link-below");
    write_pci(fixture, "current_link_speed", "2.5 GT/s PCIe\n");
    check(fixture, "link-below", "PCIe 1.0 x4 < PCIe 4.0 x4");
}

static void test_temperature(void)
{
    g_autoptr(Fixture) fixture = nvme_new();

    fixture_write(fixture, "/sys/class/nvme/nvme0/hwmon3/temp1_input", "74850\n");
    check(fixture, "drive-hot", "75 °C");
}

static void test_sata(void)
{
    g_autoptr(Fixture) fixture = fixture_new();

    fixture_sata(fixture, "sda", "8:0", 1);
    fixture_mount(fixture, "22 1 8:0 / / rw - ext4 /dev/sda rw");
    check_not(fixture, "sata-link");
    check_not(fixture, "scheduler");
    check_not(fixture, "rotational");
    fixture_write(fixture, "/sys/devices/pci0000:00/0000:00:17.0/ata1/link1/ata_link/link1/sata_spd",
                  "3.0 Gbps\n");
    fixture_write(fixture, "/sys/class/block/sda/queue/rotational", "1\n");
    fixture_write(fixture, "/sys/class/block/sda/queue/write_cache", "write through\n");
    check(fixture, "sata-link", "3.0 Gbps");
    check(fixture, "rotational", "Samsung SSD 870");
    check(fixture, "write-cache-off", "Samsung SSD 870");
}

#define USB_STICK "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-4"

static void test_usb(void)
{
    g_autoptr(Fixture) fixture = fixture_new();

    fixture_block(fixture, USB_STICK "/1-4:1.0/host6/target6:0:0/6:0:0:0/block/sdc", "8:32");
    fixture_partition(fixture, USB_STICK "/1-4:1.0/host6/target6:0:0/6:0:0:0/block/sdc", "sdc1", "8:33");
    fixture_write(fixture, USB_STICK "/idVendor", "0781\n");
    fixture_write(fixture, USB_STICK "/speed", "480\n");
    fixture_mount(fixture, "22 1 8:33 / / rw - vfat /dev/sdc1 rw");
    check(fixture, "usb-bridge", "sdc");
    check(fixture, "usb-slow", "USB 480 Mb/s");
    fixture_write(fixture, USB_STICK "/speed", "5000\n");
    check_not(fixture, "usb-slow");
}

/* virtio says "rotational" of everything. */
static void test_virtual(void)
{
    g_autoptr(Fixture) fixture = fixture_new();

    fixture_block(fixture, "/sys/devices/pci0000:00/0000:00:05.0/virtio2/block/vda", "254:0");
    fixture_write(fixture, "/sys/class/block/vda/queue/rotational", "1\n");
    fixture_write(fixture, "/sys/class/block/vda/queue/write_cache", "write through\n");
    fixture_mount(fixture, "22 1 254:0 / / rw - ext4 /dev/vda rw");
    check(fixture, "virtual-drive", "vda");
    check_not(fixture, "rotational");
    check_not(fixture, "write-cache-off");
}

static void test_virtual_nvme(void)
{
    g_autoptr(Fixture) fixture = nvme_new();

    fixture_write(fixture, "/sys/class/nvme/nvme0/model", "QEMU NVMe Ctrl\n");
    check(fixture, "virtual-drive", "QEMU NVMe Ctrl");
    fixture_write(fixture, "/sys/class/nvme/nvme0/model", "Fast SSD\n");
    fixture_write(fixture, "/sys/class/nvme/nvme0/transport", "tcp\n");
    check(fixture, "network-drive", "tcp");
    check_not(fixture, "virtual-drive");
}

static void test_writeback(void)
{
    g_autoptr(Fixture) fixture = nvme_new();

    fixture_write(fixture, "/proc/meminfo",
                  "MemTotal:       32000000 kB\nDirty:            262144 kB\nWriteback:        262144 kB\n"
                  "WritebackTmp:    999999 kB\n");
    check(fixture, "writeback", "512 MiB");
    fixture_write(fixture, "/proc/meminfo", "MemTotal: 32000000 kB\nDirty: 1000 kB\nWriteback: 0 kB\n");
    check_not(fixture, "writeback");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/warnings/quiet", test_quiet);
    g_test_add_func("/drive/warnings/size", test_size);
    g_test_add_func("/drive/warnings/nearly-full", test_nearly_full);
    g_test_add_func("/drive/warnings/file-system", test_file_system);
    g_test_add_func("/drive/warnings/layers", test_layers);
    g_test_add_func("/drive/warnings/several-drives", test_several_drives);
    g_test_add_func("/drive/warnings/memory", test_memory);
    g_test_add_func("/drive/warnings/loop", test_loop);
    g_test_add_func("/drive/warnings/scheduler", test_scheduler);
    g_test_add_func("/drive/warnings/link", test_link);
    g_test_add_func("/drive/warnings/slot", test_slot);
    g_test_add_func("/drive/warnings/temperature", test_temperature);
    g_test_add_func("/drive/warnings/sata", test_sata);
    g_test_add_func("/drive/warnings/usb", test_usb);
    g_test_add_func("/drive/warnings/virtual", test_virtual);
    g_test_add_func("/drive/warnings/virtual-nvme", test_virtual_nvme);
    g_test_add_func("/drive/warnings/writeback", test_writeback);
    return g_test_run();
}
