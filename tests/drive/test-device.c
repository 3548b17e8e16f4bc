/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/device.h"

#include <string.h>

#include "drive/identity.h"
#include "fixture.h"

static void check_text(JsonObject *object, const char *member, const char *expected)
{
    if (expected == NULL)
        g_assert_false(json_object_has_member(object, member));
    else
        g_assert_cmpstr(json_object_get_string_member_with_default(object, member, NULL), ==, expected);
}

static void check_number(JsonObject *object, const char *member, gint64 expected)
{
    g_assert_true(json_object_has_member(object, member));
    g_assert_cmpint(json_object_get_int_member(object, member), ==, expected);
}

static void test_link_text(void)
{
    static const struct {
        const char *speed;
        guint64 width;
        const char *text;
        guint64 bytes;
    } cases[] = {
        /* GT/s x lanes x code / 8 */
        {"2.5 GT/s PCIe", 1, "PCIe 1.0 x1", 250000000},
        {"2.5 GT/s", 1, "PCIe 1.0 x1", 250000000},
        {"5.0 GT/s PCIe", 4, "PCIe 2.0 x4", 2000000000},
        {"8.0 GT/s PCIe", 4, "PCIe 3.0 x4", 3938461538},
        {"16.0 GT/s PCIe", 4, "PCIe 4.0 x4", 7876923076},
        {"32.0 GT/s PCIe", 4, "PCIe 5.0 x4", 15753846153},
        {"64.0 GT/s PCIe", 4, "PCIe 6.0 x4", 29500000000},
        {"Unknown", 4, NULL, 0},
        {"16.0 GT/s PCIe", 0, NULL, 0},
        {NULL, 4, NULL, 0},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint64 bytes = 0;
        g_autofree char *text = plt_link_text(cases[i].speed, cases[i].width, &bytes);

        g_assert_cmpstr(text, ==, cases[i].text);
        g_assert_cmpuint(bytes, ==, cases[i].bytes);
    }
}

static void test_nvme(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = NULL;

    fixture_nvme(fixture, 0);
    drive = plt_device_to_json(fixture->root, "nvme0n1");
    check_text(drive, "name", "nvme0n1");
    check_text(drive, "model", "Samsung SSD 990 PRO 2TB");
    check_text(drive, "serial", "S7KHNJ0W000001");
    check_text(drive, "firmware", "4B2QJXD7");
    check_text(drive, "vendor", NULL);
    check_number(drive, "capacity", G_GINT64_CONSTANT(2000398934016));
    check_text(drive, "bus", "nvme");
    check_text(drive, "controller", "nvme0");
    check_text(drive, "nvme_transport", "pcie");
    check_number(drive, "nsid", 1);
    check_number(drive, "nvme_queues", 17);
    check_number(drive, "numa_node", 0);
    check_text(drive, "link", "PCIe 4.0 x4");
    check_text(drive, "link_max", "PCIe 4.0 x4");
    check_text(drive, "link_slot_max", "PCIe 4.0 x4");
    check_number(drive, "link_bandwidth_bps", G_GINT64_CONSTANT(7876923076));
    check_text(drive, "scheduler", "none");
    check_number(drive, "nr_requests", 1023);
    check_text(drive, "write_cache", "write back");
    g_assert_true(json_object_get_boolean_member(drive, "discard"));
    g_assert_false(json_object_get_boolean_member(drive, "rotational"));
    g_assert_cmpfloat(json_object_get_double_member(drive, "temperature_c"), ==, 41.85);
    g_assert_cmpfloat(json_object_get_double_member(drive, "temperature_warning_c"), ==, 81.85);
}

/* Native multipath: the namespace hangs on the subsystem, and the numbers of both differ. */
static void test_nvme_subsystem(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = NULL;
    g_autofree char *device = fixture_nvme_device(3), *controller = g_path_get_dirname(device);

    fixture_nvme(fixture, 3);
    fixture_block(fixture, "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1", "259:0");
    fixture_link(fixture, "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1/device",
                 "/sys/devices/virtual/nvme-subsystem/nvme-subsys0");
    fixture_link(fixture, "/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme3", controller);
    drive = plt_device_to_json(fixture->root, "nvme0n1");
    check_text(drive, "controller", "nvme3");
    check_text(drive, "model", "Samsung SSD 990 PRO 2TB");
    check_text(drive, "link", "PCIe 4.0 x4");
}

/* Twenty characters, each pair swapped, as ACS-4 lays them out. */
static void ata_put(guint8 *identify, guint word, guint count, const char *text)
{
    g_autofree char *padded = g_strdup_printf("%-*s", (int)(count * 2), text);

    for (guint i = 0; i < count * 2; i += 2) {
        identify[word * 2 + i] = (guint8)padded[i + 1];
        identify[word * 2 + i + 1] = (guint8)padded[i];
    }
}

static void test_sata(void)
{
    static const char page[] = "/sys/devices/pci0000:00/0000:00:17.0/ata5/host4/target4:0:0/4:0:0:0/vpd_pg89";
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = NULL;
    guint8 data[572] = {0x00, 0x89, 0x02, 0x38};

    fixture_sata(fixture, "sda", "8:0", 5);
    ata_put(data + 60, 10, 10, "S6PUNX0T000002");
    ata_put(data + 60, 23, 4, "SVT03B6Q");
    ata_put(data + 60, 27, 20, "Samsung SSD 870 EVO 1TB");
    fixture_write_bytes(fixture, page, data, sizeof data);
    drive = plt_device_to_json(fixture->root, "sda");
    check_text(drive, "model", "Samsung SSD 870 EVO 1TB");
    check_text(drive, "serial", "S6PUNX0T000002");
    check_text(drive, "firmware", "SVT03B6Q");
    check_text(drive, "vendor", NULL);
    check_text(drive, "bus", "sata");
    check_text(drive, "link", "SATA 6.0 Gbps");
    check_number(drive, "link_bandwidth_bps", 600000000);
    check_number(drive, "device_queue_depth", 32);
    check_text(drive, "scheduler", "mq-deadline");
    check_text(drive, "nvme_transport", NULL);
}

/* Without the page, the cut model of the SCSI layer is better than none; a short page is no page. */
static void test_sata_without_page(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = NULL;

    fixture_sata(fixture, "sda", "8:0", 1);
    fixture_write_bytes(fixture,
                        "/sys/devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/vpd_pg89",
                        "\0\x89\0\x04zzzz", 8);
    drive = plt_device_to_json(fixture->root, "sda");
    check_text(drive, "model", "Samsung SSD 870");
    check_text(drive, "firmware", "1B6Q");
    check_text(drive, "serial", NULL);
}

#define USB_DEVICE "/sys/devices/pci0000:00/0000:00:14.0/usb4/4-2"

static void test_usb(void)
{
    static const char disk[] = USB_DEVICE "/4-2:1.0/host6/target6:0:0/6:0:0:0/block/sdc";
    static const char scsi[] = USB_DEVICE "/4-2:1.0/host6/target6:0:0/6:0:0:0";
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = NULL;

    fixture_block(fixture, disk, "8:32");
    fixture_link(fixture, USB_DEVICE "/4-2:1.0/host6/target6:0:0/6:0:0:0/block/sdc/device", scsi);
    fixture_write(fixture, USB_DEVICE "/idVendor", "152d\n");
    fixture_write(fixture, USB_DEVICE "/idProduct", "0583\n");
    fixture_write(fixture, USB_DEVICE "/speed", "10000\n");
    fixture_write(fixture, USB_DEVICE "/4-2:1.0/bInterfaceNumber", "00\n");
    fixture_link(fixture, USB_DEVICE "/4-2:1.0/driver", "/sys/bus/usb/drivers/uas");
    fixture_mkdir(fixture, "/sys/bus/usb/drivers/uas");
    fixture_write(fixture, USB_DEVICE "/4-2:1.0/host6/target6:0:0/6:0:0:0/vendor", "JMicron \n");
    fixture_write(fixture, USB_DEVICE "/4-2:1.0/host6/target6:0:0/6:0:0:0/model", "Tech            \n");
    fixture_write(fixture, "/run/udev/data/b8:32",
                  "S:disk/by-id/usb-x\nE:ID_MODEL_ENC=Portable\\x20SSD\\x20X5\\x20\\x20\n"
                  "E:ID_SERIAL_SHORT=DD56419883914\nE:ID_REVISION=0204\n");
    drive = plt_device_to_json(fixture->root, "sdc");
    check_text(drive, "bus", "usb");
    check_text(drive, "model", "Portable SSD X5");
    check_text(drive, "vendor", "JMicron");
    check_text(drive, "serial", "DD56419883914");
    check_text(drive, "firmware", "0204");
    check_number(drive, "usb_speed_mbps", 10000);
    check_text(drive, "usb_id", "152d:0583");
    check_text(drive, "usb_driver", "uas");
    check_text(drive, "link", "USB 10000 Mb/s");
}

static void test_virtio(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = NULL;

    fixture_block(fixture, "/sys/devices/pci0000:00/0000:00:05.0/virtio2/block/vda", "254:0");
    fixture_link(fixture, "/sys/devices/pci0000:00/0000:00:05.0/virtio2/block/vda/device",
                 "/sys/devices/pci0000:00/0000:00:05.0/virtio2");
    fixture_write(fixture, "/sys/devices/pci0000:00/0000:00:05.0/virtio2/vendor", "0x1af4\n");
    fixture_write(fixture, "/sys/devices/pci0000:00/0000:00:05.0/virtio2/block/vda/serial", "disk-1\n");
    drive = plt_device_to_json(fixture->root, "vda");
    check_text(drive, "bus", "virtio");
    check_text(drive, "serial", "disk-1");
    check_text(drive, "vendor", NULL);
    check_text(drive, "model", NULL);
    g_assert_false(json_object_has_member(drive, "capacity"));
}

static void test_mmc(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = NULL;

    fixture_block(fixture, "/sys/devices/platform/soc/mmc_host/mmc0/mmc0:0001/block/mmcblk0", "179:0");
    fixture_link(fixture, "/sys/devices/platform/soc/mmc_host/mmc0/mmc0:0001/block/mmcblk0/device",
                 "/sys/devices/platform/soc/mmc_host/mmc0/mmc0:0001");
    fixture_write(fixture, "/sys/devices/platform/soc/mmc_host/mmc0/mmc0:0001/name", "SN64G\n");
    fixture_write(fixture, "/sys/devices/platform/soc/mmc_host/mmc0/mmc0:0001/serial", "0x1234abcd\n");
    fixture_write(fixture, "/sys/devices/platform/soc/mmc_host/mmc0/mmc0:0001/fwrev", "0x8\n");
    drive = plt_device_to_json(fixture->root, "mmcblk0");
    check_text(drive, "bus", "mmc");
    check_text(drive, "model", "SN64G");
    check_text(drive, "serial", "0x1234abcd");
    check_text(drive, "firmware", "0x8");
}

/* Bytes that are no text must not reach a document. */
static void test_broken_text(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = NULL;
    g_autofree char *device = fixture_nvme_device(0), *controller = g_path_get_dirname(device);
    g_autofree char *model = g_strconcat(controller, "/model", NULL);

    fixture_nvme(fixture, 0);
    fixture_write(fixture, model, "Broken \xff\xfe model\n");
    drive = plt_device_to_json(fixture->root, "nvme0n1");
    check_text(drive, "model", NULL);
    check_text(drive, "serial", "S7KHNJ0W000001");
}

static void test_ata_text(void)
{
    guint8 data[512] = {0};
    g_autofree char *none = plt_identity_ata_text(data, 27, 20);
    g_autofree char *text = NULL;

    g_assert_null(none);
    ata_put(data, 27, 20,
            "  ABC\x01"
            "D");
    text = plt_identity_ata_text(data, 27, 20);
    g_assert_cmpstr(text, ==, "ABC?D");
}

static void test_gone(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autofree char *device = fixture_nvme_device(0);
    g_autofree char *state = g_strconcat(device, "/../state", NULL);

    /* Without any sysfs nothing can be told. */
    g_assert_false(plt_device_is_gone(fixture->root, "nvme0n1"));
    fixture_nvme(fixture, 0);
    g_assert_false(plt_device_is_gone(fixture->root, "nvme0n1"));
    g_assert_true(plt_device_is_gone(fixture->root, "nvme1n1"));
    fixture_write(fixture, state, "live\n");
    g_assert_false(plt_device_is_gone(fixture->root, "nvme0n1"));
    fixture_write(fixture, state, "resetting\n");
    g_assert_false(plt_device_is_gone(fixture->root, "nvme0n1"));
    fixture_write(fixture, state, "dead\n");
    g_assert_true(plt_device_is_gone(fixture->root, "nvme0n1"));
    fixture_sata(fixture, "sda", "8:0", 1);
    g_assert_false(plt_device_is_gone(fixture->root, "sda"));
}

static void test_unknown(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(JsonObject) drive = plt_device_to_json(fixture->root, "sdz");

    check_text(drive, "name", "sdz");
    g_assert_cmpuint(json_object_get_size(drive), ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/device/link-text", test_link_text);
    g_test_add_func("/drive/device/nvme", test_nvme);
    g_test_add_func("/drive/device/nvme-subsystem", test_nvme_subsystem);
    g_test_add_func("/drive/device/sata", test_sata);
    g_test_add_func("/drive/device/sata-without-page", test_sata_without_page);
    g_test_add_func("/drive/device/usb", test_usb);
    g_test_add_func("/drive/device/virtio", test_virtio);
    g_test_add_func("/drive/device/mmc", test_mmc);
    g_test_add_func("/drive/device/broken-text", test_broken_text);
    g_test_add_func("/drive/device/ata-text", test_ata_text);
    g_test_add_func("/drive/device/unknown", test_unknown);
    g_test_add_func("/drive/device/gone", test_gone);
    return g_test_run();
}
