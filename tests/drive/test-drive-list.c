/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/list.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "drive/drive-text.h"
#include "drive/scan.h"
#include "drive/sensor.h"
#include "drive/watch.h"
#include "fixture.h"

/* A drive pulled out: its names are gone, as the kernel takes them away first. */
static void unplug(Fixture *fixture, const char *name, const char *number)
{
    g_autofree char *class = g_strdup_printf("%s/sys/class/block/%s", fixture->root, name);
    g_autofree char *dev = g_strdup_printf("%s/sys/dev/block/%s", fixture->root, number);

    g_assert_cmpint(g_unlink(class), ==, 0);
    g_assert_cmpint(g_unlink(dev), ==, 0);
}

static void write_in(Fixture *fixture, const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_strdup_printf("%s/%s", folder, name);

    fixture_write(fixture, path, text);
}

static gboolean timed_out(gpointer user)
{
    g_error("the list did not answer within 20 s");
    return G_SOURCE_REMOVE;
}

static void looked(gboolean *done)
{
    *done = TRUE;
}

static void wait_until(gboolean *done)
{
    guint source = g_timeout_add_seconds(20, timed_out, NULL);

    while (!*done)
        g_main_context_iteration(NULL, TRUE);
    g_source_remove(source);
}

static PltDriveList *list_new(Fixture *fixture, gboolean with_virtual)
{
    PltDriveList *list = plt_drive_list_new(fixture->root, with_virtual);
    gboolean done = FALSE;

    g_assert_true(plt_drive_list_is_loading(list));
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(list)), ==, 0);
    g_signal_connect_swapped(list, "notify::loading", G_CALLBACK(looked), &done);
    wait_until(&done);
    g_assert_false(plt_drive_list_is_loading(list));
    g_signal_handlers_disconnect_by_data(list, &done);
    return list;
}

/* One look, start to end: a second one that is asked for meanwhile has its own. */
static void look_again(PltDriveList *list)
{
    gboolean done = FALSE;

    g_signal_connect_swapped(list, "refreshed", G_CALLBACK(looked), &done);
    plt_drive_list_refresh(list);
    wait_until(&done);
    g_signal_handlers_disconnect_by_data(list, &done);
}

static char *names_of(PltDriveList *list)
{
    GString *names = g_string_new(NULL);

    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(list)); i++) {
        g_autoptr(PltDrive) drive = g_list_model_get_item(G_LIST_MODEL(list), i);

        g_string_append_printf(names, "%s%s", i > 0 ? " " : "", plt_drive_get_name(drive));
    }
    return g_string_free(names, FALSE);
}

static void assert_names(PltDriveList *list, const char *expected)
{
    g_autofree char *names = names_of(list);

    g_assert_cmpstr(names, ==, expected);
}

static void add_usb(Fixture *fixture, const char *name, const char *number)
{
    static const char port[] = "/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1";
    g_autofree char *scsi = g_strdup_printf("%s/2-1:1.0/host8/target8:0:0/8:0:0:0", port);
    g_autofree char *device = g_strdup_printf("%s/block/%s", scsi, name);
    g_autofree char *to_scsi = g_strconcat(device, "/device", NULL);

    write_in(fixture, port, "idVendor", "0781\n");
    write_in(fixture, port, "idProduct", "558c\n");
    write_in(fixture, port, "speed", "10000\n");
    fixture_block(fixture, device, number);
    fixture_link(fixture, to_scsi, scsi);
    write_in(fixture, scsi, "vendor", "SanDisk \n");
    write_in(fixture, scsi, "model", "Extreme 55AE    \n");
    write_in(fixture, device, "size", "3907029168\n");
    write_in(fixture, device, "removable", "0\n");
}

/* What is there is listed in order, what is no drive is not. */
static void test_order(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltDriveList) list = NULL;
    g_autofree char *nvme = NULL;

    add_usb(fixture, "sda", "8:0");
    fixture_sata(fixture, "sdb", "8:16", 3);
    fixture_nvme(fixture, 10);
    fixture_nvme(fixture, 2);
    nvme = fixture_nvme_device(2);
    fixture_partition(fixture, nvme, "nvme2n1p1", "259:21");
    fixture_virtual(fixture, "dm-0", "254:0", "nvme2n1p1");
    fixture_virtual(fixture, "md0", "9:0", "sdb");
    fixture_virtual(fixture, "loop0", "7:0", "");
    fixture_write(fixture, "/sys/devices/virtual/block/loop0/size", "2048\n");
    fixture_virtual(fixture, "zram0", "252:0", "");
    fixture_write(fixture, "/sys/devices/virtual/block/zram0/size", "0\n");
    /* A reader without a card, and the ways of a multipath drive. */
    fixture_block(fixture, "/sys/devices/pci0000:00/0000:00:1a.0/block/sdc", "8:32");
    fixture_write(fixture, "/sys/devices/pci0000:00/0000:00:1a.0/block/sdc/size", "0\n");
    fixture_block(fixture, "/sys/devices/pci0000:00/0000:00:1b.0/nvme/nvme5/nvme5c5n1", "259:50");
    fixture_write(fixture, "/sys/devices/pci0000:00/0000:00:1b.0/nvme/nvme5/nvme5c5n1/size", "2048\n");
    fixture_write(fixture, "/sys/devices/pci0000:00/0000:00:1b.0/nvme/nvme5/nvme5c5n1/hidden", "1\n");

    list = list_new(fixture, FALSE);
    /* Built in first, by number and not by letter; what can be pulled out after it. */
    assert_names(list, "nvme2n1 nvme10n1 sdb sda");
    g_object_set(list, "with-virtual", TRUE, NULL);
    look_again(list);
    assert_names(list, "nvme2n1 nvme10n1 sdb sda loop0");
}

static void test_properties(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltDriveList) list = NULL;
    PltDrive *drive, *usb;
    double warning = 0;
    g_autoptr(JsonNode) node = NULL;

    fixture_nvme(fixture, 0);
    add_usb(fixture, "sda", "8:0");
    list = list_new(fixture, FALSE);
    drive = plt_drive_list_find(list, "nvme0n1");
    g_assert_nonnull(drive);
    g_assert_null(plt_drive_list_find(list, "nvme1n1"));
    g_assert_cmpstr(plt_drive_get_title(drive), ==, "Samsung SSD 990 PRO 2TB");
    g_assert_cmpstr(plt_drive_get_serial(drive), ==, "S7KHNJ0W000001");
    g_assert_cmpuint(plt_drive_get_capacity(drive), ==, G_GUINT64_CONSTANT(2000398934016));
    g_assert_cmpstr(plt_drive_get_bus(drive), ==, "nvme");
    g_assert_cmpstr(plt_drive_get_bus_title(drive), ==, "PCIe 4.0 ×4");
    g_assert_cmpfloat_with_epsilon(plt_drive_get_temperature(drive), 41.85, 1e-9);
    g_object_get(drive, "temperature-warning", &warning, NULL);
    g_assert_cmpfloat_with_epsilon(warning, 81.85, 1e-9);
    g_assert_false(plt_drive_is_rotational(drive));
    node = plt_drive_to_json(drive);
    g_assert_cmpstr(json_object_get_string_member(json_node_get_object(node), "firmware"), ==, "4B2QJXD7");

    usb = plt_drive_list_find(list, "sda");
    g_assert_cmpstr(plt_drive_get_title(usb), ==, "SanDisk Extreme 55AE");
    g_assert_cmpstr(plt_drive_get_bus_title(usb), ==, "USB 10 Gbit/s");
    g_assert_true(isnan(plt_drive_get_temperature(usb)));
    g_assert_cmpuint(plt_drive_get_sensors(usb)->len, ==, 0);
}

static void count_changes(GListModel *model, guint position, guint removed, guint added, guint *count)
{
    *count += removed * 100 + added;
}

/* Drives that stay keep their objects, whatever comes and goes around them. */
static void test_plug_and_unplug(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltDriveList) list = NULL;
    g_autoptr(PltDrive) kept = NULL;
    guint changes = 0;

    fixture_nvme(fixture, 1);
    fixture_sata(fixture, "sda", "8:0", 3);
    list = list_new(fixture, FALSE);
    kept = g_object_ref(plt_drive_list_find(list, "nvme1n1"));
    g_signal_connect(list, "items-changed", G_CALLBACK(count_changes), &changes);

    fixture_nvme(fixture, 0);
    look_again(list);
    assert_names(list, "nvme0n1 nvme1n1 sda");
    g_assert_cmpuint(changes, ==, 1);
    unplug(fixture, "sda", "8:0");
    look_again(list);
    assert_names(list, "nvme0n1 nvme1n1");
    g_assert_cmpuint(changes, ==, 101);
    g_assert_true(plt_drive_list_find(list, "nvme1n1") == kept);
    look_again(list);
    g_assert_cmpuint(changes, ==, 101);
}

/* The name of a pulled drive goes to the next one: that is another drive. */
static void test_exchange(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltDriveList) list = NULL;
    g_autoptr(PltDrive) first = NULL, second = NULL;
    g_autofree char *device = fixture_nvme_device(0), *controller = g_path_get_dirname(device);

    fixture_nvme(fixture, 0);
    write_in(fixture, device, "diskseq", "4\n");
    list = list_new(fixture, FALSE);
    first = g_object_ref(plt_drive_list_find(list, "nvme0n1"));
    /* The same model: only its number says that it was away. */
    write_in(fixture, device, "diskseq", "9\n");
    look_again(list);
    assert_names(list, "nvme0n1");
    second = g_object_ref(plt_drive_list_find(list, "nvme0n1"));
    g_assert_true(second != first);
    write_in(fixture, controller, "serial", "S7KHNJ0W000002\n");
    look_again(list);
    g_assert_true(plt_drive_list_find(list, "nvme0n1") != second);
    g_assert_cmpstr(plt_drive_get_serial(second), ==, "S7KHNJ0W000001");
}

static void count_notify(GObject *object, GParamSpec *pspec, guint *count)
{
    (*count)++;
}

static void count_signal(PltDrive *drive, guint *count)
{
    (*count)++;
}

static void test_notifications(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltDriveList) list = NULL;
    g_autofree char *device = fixture_nvme_device(0), *controller = g_path_get_dirname(device);
    guint temperature = 0, capacity = 0, changed = 0;
    PltDrive *drive;

    fixture_nvme(fixture, 0);
    list = list_new(fixture, FALSE);
    drive = plt_drive_list_find(list, "nvme0n1");
    g_signal_connect(drive, "notify::temperature", G_CALLBACK(count_notify), &temperature);
    g_signal_connect(drive, "notify::capacity", G_CALLBACK(count_notify), &capacity);
    g_signal_connect(drive, "changed", G_CALLBACK(count_signal), &changed);
    look_again(list);
    g_assert_cmpuint(temperature + capacity + changed, ==, 0);
    write_in(fixture, controller, "hwmon3/temp1_input", "-5000\n");
    look_again(list);
    g_assert_cmpuint(temperature, ==, 1);
    g_assert_cmpuint(capacity + changed, ==, 0);
    g_assert_cmpfloat_with_epsilon(plt_drive_get_temperature(drive), -5, 1e-9);
    write_in(fixture, device, "size", "1953514584\n");
    write_in(fixture, device, "queue/scheduler", "none [kyber] mq-deadline\n");
    look_again(list);
    g_assert_cmpuint(capacity, ==, 1);
    g_assert_cmpuint(changed, ==, 1);
    g_assert_cmpuint(temperature, ==, 1);
}

/* Only while someone watches, and only drives that have a sensor. */
static void test_temperatures(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltDriveList) list = NULL;
    g_autofree char *device = fixture_nvme_device(0), *controller = g_path_get_dirname(device);
    gboolean seen = FALSE;
    PltDrive *drive;

    fixture_nvme(fixture, 0);
    list = list_new(fixture, FALSE);
    drive = plt_drive_list_find(list, "nvme0n1");
    g_signal_connect_swapped(drive, "notify::temperature", G_CALLBACK(looked), &seen);
    write_in(fixture, controller, "hwmon3/temp1_input", "62850\n");
    plt_drive_list_watch_temperatures(list);
    plt_drive_list_watch_temperatures(list);
    wait_until(&seen);
    g_assert_cmpfloat_with_epsilon(plt_drive_get_temperature(drive), 62.85, 1e-9);
    plt_drive_list_unwatch_temperatures(list);
    plt_drive_list_unwatch_temperatures(list);
}

static void test_sensors(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autofree char *device = fixture_nvme_device(0), *controller = g_path_get_dirname(device);
    g_autoptr(GPtrArray) sensors = NULL, none = NULL;
    const PltSensor *main, *second;

    fixture_nvme(fixture, 0);
    write_in(fixture, controller, "hwmon3/temp1_label", "Composite\n");
    write_in(fixture, controller, "hwmon3/temp10_input", "50000\n");
    write_in(fixture, controller, "hwmon3/temp2_input", "55850\n");
    write_in(fixture, controller, "hwmon3/temp2_label", "Sensor 1\n");
    /* 65535 K: the drive names no limit. */
    write_in(fixture, controller, "hwmon3/temp2_max", "65261850\n");
    sensors = plt_sensors_read(fixture->root, "nvme0n1");
    g_assert_cmpuint(sensors->len, ==, 3);
    main = sensors->pdata[0];
    second = sensors->pdata[1];
    g_assert_cmpstr(main->label, ==, "Composite");
    g_assert_cmpfloat_with_epsilon(main->critical, 84.85, 1e-9);
    g_assert_cmpstr(second->label, ==, "Sensor 1");
    g_assert_cmpfloat_with_epsilon(second->celsius, 55.85, 1e-9);
    g_assert_true(isnan(second->warning));
    g_assert_true(isnan(second->critical));
    fixture_sata(fixture, "sda", "8:0", 3);
    none = plt_sensors_read(fixture->root, "sda");
    g_assert_cmpuint(none->len, ==, 0);
}

static PltMount *folder_at(PltDrive *drive, guint position)
{
    g_autoptr(PltMount) mount = g_list_model_get_item(plt_drive_get_folders(drive), position);

    return mount;
}

static void test_folders(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltDriveList) list = NULL;
    g_autofree char *nvme = fixture_nvme_device(0), *layers = NULL;
    PltDrive *drive, *other;
    PltMount *root;
    gboolean mounted = TRUE;
    guint notified = 0;

    fixture_nvme(fixture, 0);
    fixture_partition(fixture, nvme, "nvme0n1p1", "259:1");
    fixture_partition(fixture, nvme, "nvme0n1p2", "259:2");
    fixture_virtual(fixture, "dm-0", "254:0", "nvme0n1p2");
    fixture_write(fixture, "/sys/devices/virtual/block/dm-0/dm/uuid", "CRYPT-LUKS2-1-root\n");
    fixture_sata(fixture, "sda", "8:0", 3);
    fixture_mount(fixture, "20 1 254:0 / / rw,relatime - ext4 /dev/mapper/root rw");
    fixture_mount(fixture, "21 20 259:1 / /boot/efi rw - vfat /dev/nvme0n1p1 rw");
    /* The same file system again, one in memory, one of the kernel's, a server that must not be touched. */
    fixture_mount(fixture, "22 20 254:0 /home /srv/home/of/everybody rw - ext4 /dev/mapper/root rw");
    fixture_mount(fixture, "23 20 0:30 / /tmp rw - tmpfs tmpfs rw");
    fixture_mount(fixture, "24 20 0:31 / /proc rw - proc proc rw");
    fixture_mount(fixture, "25 20 0:32 / /mnt/nas rw - nfs4 nas:/export rw");

    list = list_new(fixture, FALSE);
    drive = plt_drive_list_find(list, "nvme0n1");
    other = plt_drive_list_find(list, "sda");
    g_assert_cmpuint(g_list_model_get_n_items(plt_drive_get_folders(drive)), ==, 2);
    g_assert_cmpuint(g_list_model_get_n_items(plt_drive_get_folders(other)), ==, 0);
    g_object_get(other, "mounted", &mounted, NULL);
    g_assert_false(mounted);
    root = folder_at(drive, 0);
    g_assert_cmpstr(plt_mount_get_path(root), ==, "/");
    g_assert_cmpstr(plt_mount_get_fstype(root), ==, "ext4");
    g_assert_cmpstr(plt_mount_get_source(root), ==, "/dev/mapper/root");
    layers = g_strjoinv(" ", (char **)plt_mount_get_layers(root));
    g_assert_cmpstr(layers, ==, "ext4 LUKS partition");
    g_assert_true(plt_mount_is_writable(root));

    g_signal_connect(other, "notify::mounted", G_CALLBACK(count_notify), &notified);
    fixture_mount(fixture, "26 20 8:0 / /mnt/data ro - xfs /dev/sda ro");
    look_again(list);
    g_assert_cmpuint(notified, ==, 1);
    /* Places that stay keep their objects. */
    g_assert_true(folder_at(drive, 0) == root);
    g_assert_cmpstr(plt_mount_get_path(folder_at(other, 0)), ==, "/mnt/data");
    g_assert_false(plt_mount_is_writable(folder_at(other, 0)));
}

/* A loop device has the mounts on it; so has the drive that carries its file. */
static void test_virtual(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltDriveList) list = NULL;
    PltDrive *loop;

    fixture_sata(fixture, "sda", "8:0", 3);
    fixture_virtual(fixture, "loop3", "7:3", "");
    fixture_write(fixture, "/sys/devices/virtual/block/loop3/size", "8388608\n");
    fixture_write(fixture, "/sys/devices/virtual/block/loop3/loop/backing_file", "/srv/disk.img\n");
    fixture_mount(fixture, "20 1 8:0 / / rw - ext4 /dev/sda rw");
    fixture_mount(fixture, "21 20 7:3 / /mnt rw - ext4 /dev/loop3 rw");
    list = list_new(fixture, TRUE);
    assert_names(list, "sda loop3");
    loop = plt_drive_list_find(list, "loop3");
    g_assert_cmpstr(plt_drive_get_bus(loop), ==, "loop");
    g_assert_cmpstr(plt_drive_get_bus_title(loop), ==, "Loop device");
    g_assert_cmpstr(plt_drive_get_file(loop), ==, "/srv/disk.img");
    g_assert_cmpuint(g_list_model_get_n_items(plt_drive_get_folders(loop)), ==, 1);
    g_assert_cmpstr(plt_mount_get_path(folder_at(loop, 0)), ==, "/mnt");
    g_assert_cmpuint(g_list_model_get_n_items(plt_drive_get_folders(plt_drive_list_find(list, "sda"))), ==,
                     2);
    g_object_set(list, "with-virtual", FALSE, NULL);
    look_again(list);
    assert_names(list, "sda");
}

static void test_words(void)
{
    static const struct {
        const char *link, *text;
    } cases[] = {
        {"PCIe 5.0 x4", "PCIe 5.0 ×4"},       {"SATA 6.0 Gbps", "SATA 6 Gbit/s"},
        {"SATA 1.5 Gbps", "SATA 1.5 Gbit/s"}, {"USB 480 Mb/s", "USB 480 Mbit/s"},
        {"USB 20000 Mb/s", "USB 20 Gbit/s"},  {"something else", "something else"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = plt_drive_link_text(cases[i].link);

        g_assert_cmpstr(text, ==, cases[i].text);
    }
}

static void check_title(const char *vendor, const char *model, const char *expected)
{
    g_autoptr(JsonObject) device = json_object_new();
    g_autofree char *title = NULL;

    json_object_set_string_member(device, "name", "sdx");
    if (vendor != NULL)
        json_object_set_string_member(device, "vendor", vendor);
    if (model != NULL)
        json_object_set_string_member(device, "model", model);
    title = plt_drive_title_text(device);
    g_assert_cmpstr(title, ==, expected);
}

static void test_titles(void)
{
    check_title(NULL, NULL, "sdx");
    check_title("0x1af4", NULL, "sdx");
    check_title(NULL, "CT1000T500SSD8", "CT1000T500SSD8");
    check_title("SanDisk", "Extreme Pro", "SanDisk Extreme Pro");
    check_title("Samsung", "SAMSUNG T7", "SAMSUNG T7");
    check_title("Generic-", "SD/MMC", "SD/MMC");
}

/* Strings with NUL inside, as on the wire. */
#define MESSAGE(text) text, sizeof(text) - 1

static void test_uevents(void)
{
    g_assert_true(plt_watch_is_about_drive(
        MESSAGE("add@/devices/x/block/sda\0ACTION=add\0DEVPATH=/devices/x\0SUBSYSTEM=block\0SEQNUM=7\0")));
    g_assert_true(
        plt_watch_is_about_drive(MESSAGE("libudev\0\xfe\xed\xca\xfe\0\0ACTION=add\0SUBSYSTEM=block\0")));
    g_assert_true(plt_watch_is_about_drive(MESSAGE("add@/x\0SUBSYSTEM=hwmon")));
    g_assert_false(plt_watch_is_about_drive(MESSAGE("add@/x\0SUBSYSTEM=usb\0")));
    g_assert_false(plt_watch_is_about_drive(MESSAGE("add@/x\0SUBSYSTEM=blocks\0")));
    g_assert_false(plt_watch_is_about_drive(MESSAGE("add@/x\0ID_SUBSYSTEM=block\0")));
    g_assert_false(plt_watch_is_about_drive(MESSAGE("")));
}

static void nothing(gpointer user)
{
}

/* This machine's own: whatever it has, it can be looked at and watched. */
static void test_this_machine(void)
{
    PltWatch *watch = plt_watch_new(nothing, NULL);
    PltDriveList *list = plt_drive_list_new(NULL, TRUE), *weak = list;
    gboolean done = FALSE;

    g_signal_connect_swapped(list, "notify::loading", G_CALLBACK(looked), &done);
    wait_until(&done);
    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(list)); i++) {
        g_autoptr(PltDrive) drive = g_list_model_get_item(G_LIST_MODEL(list), i);

        g_assert_cmpuint(plt_drive_get_capacity(drive), >, 0);
        g_assert_true(plt_drive_list_find(list, plt_drive_get_name(drive)) == drive);
    }
    plt_watch_free(watch);
    g_object_add_weak_pointer(G_OBJECT(list), (gpointer *)&weak);
    g_object_unref(list);
    /* The thread that looked may hold it a moment longer. */
    for (guint i = 0; weak != NULL && i < 20000; i++) {
        g_main_context_iteration(NULL, FALSE);
        g_usleep(1000);
    }
    g_assert_null(weak);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/list/order", test_order);
    g_test_add_func("/drive/list/properties", test_properties);
    g_test_add_func("/drive/list/plug-and-unplug", test_plug_and_unplug);
    g_test_add_func("/drive/list/exchange", test_exchange);
    g_test_add_func("/drive/list/notifications", test_notifications);
    g_test_add_func("/drive/list/temperatures", test_temperatures);
    g_test_add_func("/drive/list/sensors", test_sensors);
    g_test_add_func("/drive/list/folders", test_folders);
    g_test_add_func("/drive/list/virtual", test_virtual);
    g_test_add_func("/drive/list/words", test_words);
    g_test_add_func("/drive/list/titles", test_titles);
    g_test_add_func("/drive/list/uevents", test_uevents);
    g_test_add_func("/drive/list/this-machine", test_this_machine);
    return g_test_run();
}
