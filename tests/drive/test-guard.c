/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "drive/guard.h"

/*
 * The guard's table: every state of a drive in which it must not be written, and those in which it may. Each
 * case is a machine with two NVMe drives and a SATA disk; nvme0n1 with a partition is the one that is asked
 * about, and nothing else of it is in use.
 */

#define UUID "0a0a0a0a-1b1b-2c2c-3d3d-4e4e4e4e4e4e"

static void system_root(Fixture *f)
{
    fixture_mount(f, "22 1 259:1 / / rw - ext4 /dev/nvme0n1p1 rw");
}

static void mounted_partition(Fixture *f)
{
    fixture_mount(f, "30 22 259:1 / /srv/data rw - ext4 /dev/nvme0n1p1 rw");
}

static void mounted_drive(Fixture *f)
{
    fixture_mount(f, "30 22 259:0 / /srv/data rw - xfs /dev/nvme0n1 rw");
}

/* The number of a btrfs is its own: only the source leads to a device. */
static void mounted_by_source(Fixture *f)
{
    fixture_mount(f, "30 22 0:43 /sub /srv/data rw - btrfs /dev/nvme0n1p1 rw");
}

/* Mounted under another name, in a mount namespace that is not ours. */
static void mounted_elsewhere(Fixture *f)
{
    fixture_write(f, "/proc/77/mountinfo", "90 80 259:1 / /container rw - ext4 /dev/nvme0n1p1 rw\n");
    fixture_link(f, "/proc/77/ns/mnt", "/mnt:[4026532000]");
}

static void btrfs_member(Fixture *f)
{
    fixture_mount(f, "30 22 0:43 / /srv/pool rw - btrfs /dev/sda rw");
    fixture_link(f, "/sys/fs/btrfs/" UUID "/devices/sda", "/sys/class/block/sda");
    fixture_link(f, "/sys/fs/btrfs/" UUID "/devices/nvme0n1p1", "/sys/class/block/nvme0n1p1");
}

/* btrfs says so although no mount table shows it. */
static void btrfs_hidden(Fixture *f)
{
    fixture_link(f, "/sys/fs/btrfs/" UUID "/devices/nvme0n1p1", "/sys/class/block/nvme0n1p1");
}

static void bcachefs_member(Fixture *f)
{
    fixture_mount(f, "30 22 0:44 / /srv/pool rw - bcachefs /dev/sda:/dev/nvme0n1p1 rw");
}

static void swap_partition(Fixture *f)
{
    fixture_write(
        f, "/proc/swaps",
        "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/dev/nvme0n1p1 partition\t2097148\t0\t-2\n");
}

static void swap_map(Fixture *f)
{
    fixture_virtual(f, "dm-0", "253:0", "nvme0n1p1");
    fixture_write(f, "/sys/devices/virtual/block/dm-0/dm/name", "cryptswap\n");
    fixture_write(f, "/sys/devices/virtual/block/dm-0/ro", "0\n");
    fixture_mkdir(f, "/sys/devices/virtual/block/dm-0/holders");
    fixture_link(f, "/sys/class/block/nvme0n1p1/holders/dm-0", "/sys/class/block/dm-0");
    fixture_write(f, "/proc/swaps",
                  "Filename Type Size Used Priority\n/dev/mapper/cryptswap partition 1 0 -2\n");
}

static void resume_number(Fixture *f)
{
    fixture_write(f, "/sys/power/resume", "259:1\n");
}

static void resume_path(Fixture *f)
{
    fixture_write(f, "/proc/cmdline", "root=/dev/sda2 ro resume=/dev/nvme0n1p1 quiet\n");
}

static void resume_uuid(Fixture *f)
{
    fixture_write(f, "/proc/cmdline", "ro resume=UUID=" UUID "\n");
    fixture_write(f, "/dev/nvme0n1p1", "");
    fixture_link(f, "/dev/disk/by-uuid/" UUID, "/dev/nvme0n1p1");
}

static void hold(Fixture *f, const char *holder, const char *number, const char *held)
{
    g_autofree char *device = g_strconcat("/sys/devices/virtual/block/", holder, NULL);
    g_autofree char *ro = g_strconcat(device, "/ro", NULL);
    g_autofree char *holders = g_strconcat(device, "/holders", NULL);
    g_autofree char *link = g_strdup_printf("/sys/class/block/%s/holders/%s", held, holder);
    g_autofree char *class = g_strconcat("/sys/class/block/", holder, NULL);

    fixture_virtual(f, holder, number, held);
    fixture_write(f, ro, "0\n");
    fixture_mkdir(f, holders);
    fixture_link(f, link, class);
}

static void md_member(Fixture *f)
{
    hold(f, "md127", "9:127", "nvme0n1p1");
    fixture_write(f, "/sys/devices/virtual/block/md127/md/level", "raid1\n");
}

static void md_of_drive(Fixture *f)
{
    hold(f, "md127", "9:127", "nvme0n1");
    fixture_write(f, "/sys/devices/virtual/block/md127/md/level", "raid0\n");
}

static void luks_open(Fixture *f)
{
    hold(f, "dm-0", "253:0", "nvme0n1p1");
    fixture_write(f, "/sys/devices/virtual/block/dm-0/dm/name", "secret\n");
}

/* A file system on a volume on LUKS: what is said is where it is mounted. */
static void lvm_on_luks(Fixture *f)
{
    luks_open(f);
    hold(f, "dm-1", "253:1", "dm-0");
    fixture_write(f, "/sys/devices/virtual/block/dm-1/dm/name", "vg-home\n");
    fixture_mount(f, "22 1 253:1 / /home rw - ext4 /dev/mapper/vg-home rw");
}

static void bcache_backing(Fixture *f)
{
    hold(f, "bcache0", "251:0", "nvme0n1p1");
}

static void bcache_cache(Fixture *f)
{
    fixture_mkdir(f, "/sys/class/block/nvme0n1p1/bcache");
}

static void zfs_member(Fixture *f)
{
    fixture_mkdir(f, "/proc/spl/kstat/zfs");
    fixture_write(f, "/run/udev/data/b259:1", "E:ID_FS_TYPE=zfs_member\n");
}

static void loop_over(Fixture *f)
{
    fixture_virtual(f, "loop3", "7:3", "");
    fixture_write(f, "/sys/devices/virtual/block/loop3/loop/backing_file", "/dev/nvme0n1p1\n");
    fixture_write(f, "/sys/devices/virtual/block/loop3/ro", "0\n");
    fixture_mkdir(f, "/sys/devices/virtual/block/loop3/holders");
}

static void open_in_program(Fixture *f, const char *flags)
{
    g_autofree char *link = g_build_filename(f->root, "proc/4711/fd/12", NULL);
    g_autofree char *text = g_strdup_printf("pos:\t0\nflags:\t%s\nmnt_id:\t22\n", flags);

    fixture_write(f, "/proc/4711/comm", "qemu-system-x86\n");
    fixture_mkdir(f, "/proc/4711/fd");
    g_assert_cmpint(symlink("/dev/nvme0n1", link), ==, 0);
    fixture_write(f, "/proc/4711/fdinfo/12", text);
}

static void open_for_writing(Fixture *f)
{
    open_in_program(f, "02140002"); /* O_RDWR | O_DIRECT | O_CLOEXEC */
}

static void open_for_reading(Fixture *f)
{
    open_in_program(f, "02100000");
}

static void read_only(Fixture *f)
{
    fixture_write(f, "/sys/class/block/nvme0n1/ro", "1\n");
}

static void no_medium(Fixture *f)
{
    fixture_write(f, "/sys/class/block/nvme0n1/size", "0\n");
}

static void no_mount_table(Fixture *f)
{
    g_autofree char *path = g_build_filename(f->root, "proc/self/mountinfo", NULL);

    g_assert_cmpint(remove(path), ==, 0);
}

static void no_holders(Fixture *f)
{
    g_autofree char *path = g_build_filename(f->root, "sys/class/block/nvme0n1p1/holders", NULL);

    g_assert_cmpint(remove(path), ==, 0);
}

static void no_ro(Fixture *f)
{
    g_autofree char *path = g_build_filename(f->root, "sys/class/block/nvme0n1/ro", NULL);

    g_assert_cmpint(remove(path), ==, 0);
}

static void other_serial(Fixture *f)
{
    fixture_write(f, "/sys/class/nvme/nvme0/serial", "S7KHNJ0W000002      \n");
}

static void no_serial(Fixture *f)
{
    fixture_write(f, "/sys/class/nvme/nvme0/serial", "\n");
}

static void plugged_again(Fixture *f)
{
    fixture_write(f, "/sys/class/block/nvme0n1/diskseq", "18\n");
}

static void other_size(Fixture *f)
{
    fixture_write(f, "/sys/class/block/nvme0n1/size", "3907029160\n");
}

static void other_block(Fixture *f)
{
    fixture_write(f, "/sys/class/block/nvme0n1/queue/logical_block_size", "4096\n");
}

static void other_wwid(Fixture *f)
{
    fixture_write(f, "/sys/class/block/nvme0n1/wwid", "eui.0025385b01402a2f\n");
}

static void unplugged(Fixture *f)
{
    g_autofree char *path = g_build_filename(f->root, "sys/class/block/nvme0n1", NULL);

    g_assert_cmpint(remove(path), ==, 0);
}

/* A second namespace of the same controller, with a file system in use. */
static void sibling(Fixture *f)
{
    g_autofree char *device = fixture_nvme_device(0);
    g_autofree char *folder = g_path_get_dirname(device);
    g_autofree char *other = g_strconcat(folder, "/nvme0n2", NULL);
    g_autofree char *link = g_strconcat(other, "/device", NULL);

    fixture_block(f, other, "259:5");
    fixture_link(f, link, folder);
    fixture_write(f, "/sys/class/block/nvme0n2/ro", "0\n");
    fixture_write(f, "/sys/class/block/nvme0n2/size", "2048\n");
    fixture_mkdir(f, "/sys/class/block/nvme0n2/holders");
}

static void mounted_sibling(Fixture *f)
{
    sibling(f);
    fixture_mount(f, "30 22 259:5 / /srv/other rw - ext4 /dev/nvme0n2 rw");
}

/* Another controller of the same subsystem: sanitize would hit its namespaces as well. */
static void mounted_in_subsystem(Fixture *f)
{
    fixture_write(f, "/sys/class/nvme/nvme0/subsysnqn", "nqn.2014.08.org.example:one\n");
    fixture_write(f, "/sys/class/nvme/nvme1/subsysnqn", "nqn.2014.08.org.example:one\n");
    fixture_mount(f, "30 22 259:10 / /srv/other rw - ext4 /dev/nvme1n1 rw");
}

static void mounted_other_drive(Fixture *f)
{
    fixture_mount(f, "30 22 259:10 / /srv/other rw - ext4 /dev/nvme1n1 rw");
}

static void idle_members(Fixture *f)
{
    fixture_write(f, "/run/udev/data/b259:1", "E:ID_FS_TYPE=LVM2_member\nE:ID_PART_ENTRY_NAME=pv\n");
}

static void nothing(Fixture *f)
{
}

static const struct guard_case {
    const char *name;
    void (*set_up)(Fixture *);
    PltDriveUse use;
    int code;          /* -1: allowed */
    const char *words; /* in the sentence */
} table[] = {
    {"system", system_root, PLT_USE_WRITE, PLT_ERROR_REFUSED, "holds the running system (/)"},
    {"mounted-partition", mounted_partition, PLT_USE_WRITE, PLT_ERROR_REFUSED,
     "nvme0n1p1 is mounted (/srv/data)"},
    {"mounted-drive", mounted_drive, PLT_USE_WRITE, PLT_ERROR_REFUSED, "nvme0n1 is mounted (/srv/data)"},
    {"mounted-by-source", mounted_by_source, PLT_USE_WRITE, PLT_ERROR_REFUSED, "/srv/data"},
    {"mounted-elsewhere", mounted_elsewhere, PLT_USE_WRITE, PLT_ERROR_REFUSED, "is mounted (/container)"},
    {"btrfs-member", btrfs_member, PLT_USE_WRITE, PLT_ERROR_REFUSED, "is mounted (/srv/pool)"},
    {"btrfs-hidden", btrfs_hidden, PLT_USE_WRITE, PLT_ERROR_REFUSED, "belongs to btrfs"},
    {"bcachefs-member", bcachefs_member, PLT_USE_WRITE, PLT_ERROR_REFUSED, "is mounted (/srv/pool)"},
    {"swap", swap_partition, PLT_USE_WRITE, PLT_ERROR_REFUSED, "nvme0n1p1 is swap space"},
    {"swap-on-map", swap_map, PLT_USE_WRITE, PLT_ERROR_REFUSED, "dm-0 is swap space"},
    {"resume-number", resume_number, PLT_USE_WRITE, PLT_ERROR_REFUSED, "nvme0n1p1 is swap space"},
    {"resume-path", resume_path, PLT_USE_WRITE, PLT_ERROR_REFUSED, "nvme0n1p1 is swap space"},
    {"resume-uuid", resume_uuid, PLT_USE_WRITE, PLT_ERROR_REFUSED, "nvme0n1p1 is swap space"},
    {"md", md_member, PLT_USE_WRITE, PLT_ERROR_REFUSED, "in use by md127 (raid1)"},
    {"md-of-drive", md_of_drive, PLT_USE_WRITE, PLT_ERROR_REFUSED, "nvme0n1 is in use by md127 (raid0)"},
    {"luks", luks_open, PLT_USE_WRITE, PLT_ERROR_REFUSED, "in use by dm-0 (secret)"},
    {"lvm-on-luks", lvm_on_luks, PLT_USE_WRITE, PLT_ERROR_REFUSED, "holds the running system (/home)"},
    {"bcache", bcache_backing, PLT_USE_WRITE, PLT_ERROR_REFUSED, "in use by bcache0"},
    {"bcache-cache", bcache_cache, PLT_USE_WRITE, PLT_ERROR_REFUSED, "belongs to bcache"},
    {"zfs", zfs_member, PLT_USE_WRITE, PLT_ERROR_REFUSED, "belongs to ZFS"},
    {"loop", loop_over, PLT_USE_WRITE, PLT_ERROR_REFUSED, "in use by loop3"},
    {"open", open_for_writing, PLT_USE_WRITE, PLT_ERROR_REFUSED, "qemu-system-x86 (4711)"},
    {"read-only", read_only, PLT_USE_WRITE, PLT_ERROR_READ_ONLY, "nvme0n1 is read-only"},
    {"no-medium", no_medium, PLT_USE_WRITE, PLT_ERROR_REFUSED, "not the drive any more"},
    {"no-mount-table", no_mount_table, PLT_USE_WRITE, PLT_ERROR_REFUSED, "cannot be told"},
    {"no-holders", no_holders, PLT_USE_WRITE, PLT_ERROR_REFUSED, "cannot be told"},
    {"no-ro", no_ro, PLT_USE_WRITE, PLT_ERROR_REFUSED, "cannot be told"},
    {"other-serial", other_serial, PLT_USE_WRITE, PLT_ERROR_REFUSED, "not the drive any more"},
    {"no-serial", no_serial, PLT_USE_WRITE, PLT_ERROR_REFUSED, "not the drive any more"},
    {"plugged-again", plugged_again, PLT_USE_WRITE, PLT_ERROR_REFUSED, "not the drive any more"},
    {"other-size", other_size, PLT_USE_WRITE, PLT_ERROR_REFUSED, "not the drive any more"},
    {"other-block", other_block, PLT_USE_WRITE, PLT_ERROR_REFUSED, "not the drive any more"},
    {"other-wwid", other_wwid, PLT_USE_WRITE, PLT_ERROR_REFUSED, "not the drive any more"},
    {"unplugged", unplugged, PLT_USE_WRITE, PLT_ERROR_GONE, "nvme0n1 is no longer there"},
    {"erase-sibling", mounted_sibling, PLT_USE_ERASE, PLT_ERROR_REFUSED, "nvme0n2 is mounted (/srv/other)"},
    {"erase-subsystem", mounted_in_subsystem, PLT_USE_ERASE, PLT_ERROR_REFUSED, "nvme1n1 is mounted"},
    {"erase-mounted", mounted_partition, PLT_USE_ERASE, PLT_ERROR_REFUSED, "is mounted (/srv/data)"},
    {"read-unplugged", unplugged, PLT_USE_READ, PLT_ERROR_GONE, "no longer there"},
    {"read-other", other_serial, PLT_USE_READ, PLT_ERROR_REFUSED, "not the drive any more"},

    {"idle", nothing, PLT_USE_WRITE, -1, NULL},
    {"idle-erase", nothing, PLT_USE_ERASE, -1, NULL},
    {"idle-members", idle_members, PLT_USE_WRITE, -1, NULL},
    {"open-for-reading", open_for_reading, PLT_USE_WRITE, -1, NULL},
    {"write-sibling", mounted_sibling, PLT_USE_WRITE, -1, NULL},
    {"erase-idle-sibling", sibling, PLT_USE_ERASE, -1, NULL},
    {"other-mounted", mounted_other_drive, PLT_USE_ERASE, -1, NULL},
    {"read-system", system_root, PLT_USE_READ, -1, NULL},
    {"read-md", md_of_drive, PLT_USE_READ, -1, NULL},
    {"read-read-only", read_only, PLT_USE_READ, -1, NULL},
    {"read-unsure", no_mount_table, PLT_USE_READ, -1, NULL},
};

static void add_drive_files(Fixture *f, const char *name)
{
    g_autofree char *ro = g_strdup_printf("/sys/class/block/%s/ro", name);
    g_autofree char *holders = g_strdup_printf("/sys/class/block/%s/holders", name);

    fixture_write(f, ro, "0\n");
    fixture_mkdir(f, holders);
}

static Fixture *machine_new(void)
{
    Fixture *f = fixture_new();
    g_autofree char *device = fixture_nvme_device(0);

    fixture_nvme(f, 0);
    fixture_nvme(f, 1);
    fixture_sata(f, "sda", "8:0", 1);
    fixture_partition(f, device, "nvme0n1p1", "259:1");
    add_drive_files(f, "nvme0n1");
    add_drive_files(f, "nvme0n1p1");
    add_drive_files(f, "nvme1n1");
    add_drive_files(f, "sda");
    fixture_write(f, "/sys/class/block/nvme0n1/diskseq", "17\n");
    fixture_write(f, "/sys/class/block/nvme0n1/wwid", "eui.0025385b01402a2e\n");
    fixture_write(f, "/sys/power/resume", "0:0\n");
    fixture_mount(f, "22 1 8:0 / / rw - ext4 /dev/sda rw");
    return f;
}

static void test_case(gconstpointer data)
{
    const struct guard_case *c = data;
    g_autoptr(Fixture) f = machine_new();
    g_autoptr(PltGuardFacts) before = plt_guard_look(f->root, "nvme0n1", c->use);
    g_autoptr(PltDriveSeal) seal = plt_drive_seal_copy(&before->seal);
    g_autoptr(PltGuardFacts) facts = NULL;
    g_autoptr(GError) error = NULL;
    gboolean allowed;

    c->set_up(f);
    facts = plt_guard_look(f->root, "nvme0n1", c->use);
    allowed = plt_guard_check(facts, seal, c->use, &error);
    if (c->code < 0) {
        g_assert_no_error(error);
        g_assert_true(allowed);
        return;
    }
    g_assert_false(allowed);
    g_assert_error(error, PLT_ERROR, c->code);
    g_test_message("%s", error->message);
    if (strstr(error->message, c->words) == NULL)
        g_error("“%s” is not in “%s”", c->words, error->message);
}

/* Nothing was shown yet: the state alone decides. */
static void test_nothing_expected(void)
{
    g_autoptr(Fixture) f = machine_new();
    g_autoptr(PltGuardFacts) facts = plt_guard_look(f->root, "nvme0n1", PLT_USE_WRITE);
    g_autoptr(PltGuardFacts) empty = NULL, partition = NULL;
    g_autoptr(GError) error = NULL;

    g_assert_true(plt_guard_check(facts, NULL, PLT_USE_WRITE, NULL));
    no_medium(f);
    empty = plt_guard_look(f->root, "nvme0n1", PLT_USE_WRITE);
    g_assert_false(plt_guard_check(empty, NULL, PLT_USE_WRITE, &error));
    g_assert_nonnull(strstr(error->message, "there is no medium in nvme0n1"));
    partition = plt_guard_look(f->root, "nvme0n1p1", PLT_USE_WRITE);
    g_assert_false(plt_guard_check(partition, NULL, PLT_USE_WRITE, NULL));
}

static void test_seal(void)
{
    g_autoptr(Fixture) f = machine_new();
    g_autoptr(PltGuardFacts) facts = plt_guard_look(f->root, "nvme0n1", PLT_USE_WRITE);

    g_assert_cmpstr(facts->seal.name, ==, "nvme0n1");
    g_assert_cmpstr(facts->seal.model, ==, "Samsung SSD 990 PRO 2TB");
    g_assert_cmpstr(facts->seal.serial, ==, "S7KHNJ0W000001");
    g_assert_cmpstr(facts->seal.wwid, ==, "eui.0025385b01402a2e");
    g_assert_cmpuint(facts->seal.diskseq, ==, 17);
    g_assert_cmpuint(facts->seal.size, ==, G_GUINT64_CONSTANT(2000398934016));
    g_assert_cmpuint(facts->seal.logical_block, ==, 512);
}

static void test_confirmation(void)
{
    static const struct {
        const char *serial, *typed;
        gboolean confirms;
    } cases[] = {
        {"S7KHNJ0W000001", "0001", TRUE},
        {"S7KHNJ0W000001", " 0001\n", TRUE},
        {"S7KHNJ0W00AbcD", "abcd", TRUE},
        {"S7KHNJ0W000001", "S7KHNJ0W000001", TRUE},
        {"S7KHNJ0W000001", "001", FALSE},
        {"S7KHNJ0W000001", "00001", FALSE},
        {"S7KHNJ0W000001", "", FALSE},
        {"S7KHNJ0W000001", "   ", FALSE},
        {"S7KHNJ0W000001", NULL, FALSE},
        {"S7KHNJ0W000001", "nvme0n1", FALSE},
        {"S7KHNJ0W000001", "\xff", FALSE},
        {"12", "12", TRUE},
        {"12", "2", FALSE},
        {NULL, "nvme0n1", TRUE},
        {NULL, "", FALSE},
        {"", "nvme0n1", TRUE},
        {NULL, "0001", FALSE},
        {"일이삼사오", "이삼사오", TRUE},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        PltDriveSeal seal = {.name = (char *)"nvme0n1", .serial = (char *)cases[i].serial};

        if (plt_guard_confirms(&seal, cases[i].typed) != cases[i].confirms)
            g_error("“%s” for “%s”", cases[i].typed, cases[i].serial);
    }
}

static void test_confirmation_shown(void)
{
    PltDriveSeal seal = {.name = (char *)"cciss!c0d0", .serial = (char *)"S7KHNJ0W000001"};
    g_autofree char *serial = plt_guard_confirmation(&seal);
    g_autofree char *name = NULL;

    seal.serial = NULL;
    name = plt_guard_confirmation(&seal);
    g_assert_cmpstr(serial, ==, "0001");
    g_assert_cmpstr(name, ==, "cciss/c0d0");
}

static void test_losses(void)
{
    g_autoptr(Fixture) f = machine_new();
    g_autoptr(PltGuardFacts) facts = NULL;
    g_autoptr(JsonNode) node = NULL;
    g_autofree char *text = NULL;

    fixture_write(f, "/run/udev/data/b259:0", "E:ID_PART_TABLE_TYPE=gpt\n");
    fixture_write(f, "/run/udev/data/b259:1",
                  "E:ID_FS_TYPE=ext4\nE:ID_FS_LABEL=Photos\nE:ID_PART_TABLE_TYPE=gpt\n");
    fixture_write(f, "/sys/class/block/nvme0n1p1/size", "2048\n");
    facts = plt_guard_look(f->root, "nvme0n1", PLT_USE_WRITE);
    node = plt_guard_losses_to_json(facts);
    text = json_to_string(node, FALSE);
    g_assert_cmpstr(text, ==,
                    "[{\"name\":\"nvme0n1\",\"size\":2000398934016,\"content\":\"gpt\"},"
                    "{\"name\":\"nvme0n1p1\",\"size\":1048576,\"content\":\"ext4\",\"label\":\"Photos\"}]");
}

static void test_no_losses(void)
{
    g_autoptr(Fixture) f = machine_new();
    g_autoptr(PltGuardFacts) facts = plt_guard_look(f->root, "nvme1n1", PLT_USE_WRITE);
    g_autoptr(JsonNode) node = plt_guard_losses_to_json(facts);

    g_assert_cmpuint(json_array_get_length(json_node_get_array(node)), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autofree char *path =
            g_strdup_printf("/drive/guard/%s/%s", table[i].code < 0 ? "allowed" : "refused", table[i].name);

        g_test_add_data_func(path, &table[i], test_case);
    }
    g_test_add_func("/drive/guard/nothing-expected", test_nothing_expected);
    g_test_add_func("/drive/guard/seal", test_seal);
    g_test_add_func("/drive/guard/confirmation", test_confirmation);
    g_test_add_func("/drive/guard/confirmation-shown", test_confirmation_shown);
    g_test_add_func("/drive/guard/losses", test_losses);
    g_test_add_func("/drive/guard/no-losses", test_no_losses);
    return g_test_run();
}
