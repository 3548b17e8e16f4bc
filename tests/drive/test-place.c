/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "fixture.h"

#define ACCEPTED -1

struct decision {
    const char *path, *fstype, *source;
    guint64 magic;
    int code;          /* PLT_ERROR_…, or ACCEPTED */
    int code_allowing; /* the same with memory allowed */
};

/* Magic numbers from linux/magic.h, as statfs gives them. */
static const struct decision decisions[] = {
    {"/home/ann", "ext4", "/dev/sda1", 0xef53, ACCEPTED, ACCEPTED},
    {"/home/ann", "xfs", "/dev/sda1", 0x58465342, ACCEPTED, ACCEPTED},
    {"/home/ann", "btrfs", "/dev/sda1", 0x9123683e, ACCEPTED, ACCEPTED},
    {"/home/ann", "bcachefs", "/dev/sda:/dev/sdb", 0xca451a4e, ACCEPTED, ACCEPTED},
    {"/tank/ann", "zfs", "tank/ann", 0x2fc12fc1, ACCEPTED, ACCEPTED},
    {"/media/stick", "vfat", "/dev/sdb1", 0x4d44, ACCEPTED, ACCEPTED},
    {"/media/stick", "exfat", "/dev/sdb1", 0x2011bab0, ACCEPTED, ACCEPTED},
    {"/media/windows", "ntfs3", "/dev/sdb1", 0x7366746e, ACCEPTED, ACCEPTED},
    {"/media/dvd", "udf", "/dev/sr0", 0x15013346, ACCEPTED, ACCEPTED},
    {"/x", "a-file-system-of-2040", "/dev/sda1", 0x12345678, ACCEPTED, ACCEPTED},
    {"/media/windows", "fuseblk", "/dev/sdb1", 0x65735546, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/home/ann/remote", "fuse.sshfs", "ann@far:", 0x65735546, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/run/user/1000/doc/ab12/Downloads", "fuse.portal", "portal", 0x65735546, PLT_ERROR_REFUSED,
     PLT_ERROR_REFUSED},
    {"/x", "unknown", "", 0x65735546, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "nfs", "server:/e", 0x6969, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "nfs4", "server:/e", 0x6969, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "cifs", "//server/share", 0xff534d42, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "smb3", "//server/share", 0xfe534d42, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "unknown", "", 0xfe534d42, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "9p", "hostshare", 0x01021997, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "virtiofs", "hostshare", 0x6a656a63, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "ceph", "10.0.0.1:/", 0x00c36400, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "afs", "#root", 0x5346414f, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/net", "davfs", "https://server/", 0, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/run/user/1000", "tmpfs", "tmpfs", 0x01021994, PLT_ERROR_REFUSED, ACCEPTED},
    {"/x", "unknown", "", 0x01021994, PLT_ERROR_REFUSED, ACCEPTED},
    {"/x", "ramfs", "ramfs", 0x858458f6, PLT_ERROR_REFUSED, ACCEPTED},
    {"/x", "rootfs", "rootfs", 0x01021994, PLT_ERROR_REFUSED, ACCEPTED},
    {"/x", "hugetlbfs", "hugetlbfs", 0x958458f6, PLT_ERROR_REFUSED, ACCEPTED},
    {"/snap/core", "squashfs", "/dev/loop3", 0x73717368, PLT_ERROR_READ_ONLY, PLT_ERROR_READ_ONLY},
    {"/media/cd", "iso9660", "/dev/sr0", 0x9660, PLT_ERROR_READ_ONLY, PLT_ERROR_READ_ONLY},
    {"/x", "erofs", "/dev/loop3", 0xe0f5e1e2, PLT_ERROR_READ_ONLY, PLT_ERROR_READ_ONLY},
    {"/mnt/dev", "devtmpfs", "udev", 0x01021994, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/mnt/proc", "proc", "proc", 0x9fa0, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/mnt/sys", "sysfs", "sysfs", 0x62656572, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/mnt/cgroup", "cgroup2", "cgroup2", 0x63677270, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/dev", "devtmpfs", "udev", 0x01021994, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/dev/shm", "tmpfs", "tmpfs", 0x01021994, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/proc/1", "ext4", "/dev/sda1", 0xef53, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/sys/x", "ext4", "/dev/sda1", 0xef53, PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    {"/devices/x", "ext4", "/dev/sda1", 0xef53, ACCEPTED, ACCEPTED},
};

static PltPlace *place_of(const char *path, const char *fstype, const char *source, guint64 magic)
{
    PltPlace *place = g_new0(PltPlace, 1);

    place->path = g_strdup(path);
    place->fstype = g_strdup(fstype);
    place->source = g_strdup(source);
    place->options = g_strdup("rw");
    place->magic = magic;
    place->writable = TRUE;
    return place;
}

/* One sentence: no line feed, no full stop at its end, a colon before what to do, and the names in it. */
static void check_sentence(const GError *error, const char *path)
{
    g_assert_null(strchr(error->message, '\n'));
    g_assert_null(strstr(error->message, ". "));
    g_assert_cmpint(error->message[strlen(error->message) - 1], !=, '.');
    g_assert_nonnull(strstr(error->message, ": "));
    g_assert_nonnull(strstr(error->message, path));
}

static void check_decision(PltPlace *place, gboolean allow_memory, int code)
{
    g_autoptr(GError) error = NULL;
    gboolean accepted = plt_place_check(place, allow_memory, &error);

    if (code == ACCEPTED) {
        g_assert_no_error(error);
        g_assert_true(accepted);
        return;
    }
    g_assert_false(accepted);
    g_assert_error(error, PLT_ERROR, code);
    check_sentence(error, place->path);
}

static void test_kinds(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(decisions); i++) {
        const struct decision *decision = &decisions[i];
        g_autoptr(PltPlace) place =
            place_of(decision->path, decision->fstype, decision->source, decision->magic);

        g_test_message("%s on %s", decision->path, decision->fstype);
        check_decision(place, FALSE, decision->code);
        check_decision(place, TRUE, decision->code_allowing);
    }
}

static void test_names_file_system(void)
{
    g_autoptr(PltPlace) place = place_of("/home/ann/remote", "fuse.sshfs", "ann@far:", 0x65735546);
    g_autoptr(GError) error = NULL;

    g_assert_false(plt_place_check(place, TRUE, &error));
    g_assert_nonnull(strstr(error->message, "fuse.sshfs"));
}

static void test_portal(void)
{
    g_autoptr(PltPlace) place =
        place_of("/run/user/1000/doc/ab12/Downloads", "fuse.portal", "portal", 0x65735546);
    g_autoptr(GError) error = NULL;

    g_assert_false(plt_place_check(place, TRUE, &error));
    g_assert_nonnull(strstr(error->message, "portal"));
}

static void test_overlay(void)
{
    static const struct {
        const char *upper;
        int code, code_allowing;
    } cases[] = {
        {"ext4", ACCEPTED, ACCEPTED},
        {"tmpfs", PLT_ERROR_REFUSED, ACCEPTED},
        {"ramfs", PLT_ERROR_REFUSED, ACCEPTED},
        {"nfs4", PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
        {"fuse.bindfs", PLT_ERROR_REFUSED, PLT_ERROR_REFUSED},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(PltPlace) place = place_of("/merged", "overlay", "overlay", 0x794c7630);
        g_autoptr(PltPlace) twice = place_of("/twice", "overlay", "overlay", 0x794c7630);

        place->upper = place_of("/upper", cases[i].upper, "x", 0);
        check_decision(place, FALSE, cases[i].code);
        check_decision(place, TRUE, cases[i].code_allowing);
        twice->upper = g_steal_pointer(&place);
        check_decision(twice, FALSE, cases[i].code);
    }
}

/* Its upper layer may lie outside a container's view: what is there then is not known to be memory. */
static void test_overlay_hidden(void)
{
    g_autoptr(PltPlace) place = place_of("/merged", "overlay", "overlay", 0x794c7630);

    check_decision(place, FALSE, ACCEPTED);
}

static void test_read_only(void)
{
    g_autoptr(PltPlace) place = place_of("/mnt/x", "ext4", "/dev/sda1", 0xef53);

    place->read_only = TRUE;
    check_decision(place, FALSE, PLT_ERROR_READ_ONLY);
    check_decision(place, TRUE, PLT_ERROR_READ_ONLY);
}

static void test_permission(void)
{
    g_autoptr(PltPlace) place = place_of("/root", "ext4", "/dev/sda1", 0xef53);

    place->writable = FALSE;
    check_decision(place, FALSE, PLT_ERROR_PERMISSION);
}

/* What the mount table shows is refused before a server is asked for anything. */
static void test_before_touching(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(GError) network = NULL, fuse = NULL;

    fixture_mount(fixture, "22 1 8:1 / / rw - ext4 /dev/sda1 rw");
    fixture_mount(fixture, "23 22 0:50 / /net rw - nfs4 server:/export rw");
    fixture_mount(fixture, "24 22 0:51 / /run/user/1000/doc rw - fuse.portal portal rw");
    g_assert_false(plt_place_check_mount(fixture->root, "/net/deep/down", &network));
    g_assert_error(network, PLT_ERROR, PLT_ERROR_REFUSED);
    g_assert_false(plt_place_check_mount(fixture->root, "/run/user/1000/doc/1/x", &fuse));
    g_assert_error(fuse, PLT_ERROR, PLT_ERROR_REFUSED);
    g_assert_true(plt_place_check_mount(fixture->root, "/home", NULL));
    /* Where a ".." leads is only known once links have been followed. */
    g_assert_true(plt_place_check_mount(fixture->root, "/net/../home", NULL));
}

/* Places read from a mount table alone, as the stack needs them for what it finds on the way. */
static void test_from_mount_table(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltPlace) place = NULL;

    fixture_mount(fixture, "22 1 8:1 / / rw - ext4 /dev/sda1 rw");
    fixture_mount(fixture, "23 22 0:30 / /ram rw - tmpfs tmpfs rw");
    fixture_mount(fixture, "24 22 0:31 / /merged rw - overlay overlay "
                           "rw,lowerdir=/a:/b,upperdir=/ram/up\\054per,workdir=/ram/work,uuid=on");
    place = plt_place_locate(fixture->root, "/merged/folder");
    g_assert_cmpstr(place->fstype, ==, "overlay");
    g_assert_nonnull(place->upper);
    g_assert_cmpstr(place->upper->path, ==, "/ram/up,per");
    g_assert_cmpstr(place->upper->fstype, ==, "tmpfs");
    g_assert_true(plt_place_in_memory(place));
    check_decision(place, FALSE, PLT_ERROR_REFUSED);
}

static void test_read_only_mount_table(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltPlace) place = NULL;

    fixture_mount(fixture, "22 1 8:1 / /mnt ro,relatime - ext4 /dev/sda1 rw");
    place = plt_place_locate(fixture->root, "/mnt/x");
    check_decision(place, FALSE, PLT_ERROR_READ_ONLY);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/place/kinds", test_kinds);
    g_test_add_func("/drive/place/names-file-system", test_names_file_system);
    g_test_add_func("/drive/place/refuses-portal", test_portal);
    g_test_add_func("/drive/place/overlay", test_overlay);
    g_test_add_func("/drive/place/overlay-hidden", test_overlay_hidden);
    g_test_add_func("/drive/place/read-only", test_read_only);
    g_test_add_func("/drive/place/permission", test_permission);
    g_test_add_func("/drive/place/before-touching", test_before_touching);
    g_test_add_func("/drive/place/from-mount-table", test_from_mount_table);
    g_test_add_func("/drive/place/read-only-mount-table", test_read_only_mount_table);
    return g_test_run();
}
