/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/inquiry.h"

#include <errno.h>
#include <string.h>

#include "drive/sysfs.h"
#include "fixture.h"
#include "nvme-drive.h"

static void test_full(void)
{
    MockDrive *drive = mock_drive_new_full();
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(drive);

    for (guint i = PLT_TOPIC_CONTROLLER; i <= PLT_TOPIC_THERMAL; i++) {
        const PltAnswer *answer = plt_inquiry_ask(inquiry, (PltTopic)i);

        g_assert_true(plt_answer_is_there(answer));
        g_assert_cmpstr(plt_source_id(answer), ==, "direct");
        g_assert_null(plt_answer_reason(answer));
    }
    g_assert_cmpuint(plt_inquiry_bytes(inquiry, PLT_TOPIC_SMART_LOG).size, ==, 512);
    /* 64 entries of 64 bytes: ELPE is 63. */
    g_assert_cmpuint(plt_inquiry_bytes(inquiry, PLT_TOPIC_ERROR_LOG).size, ==, 4096);
    g_assert_cmpuint(plt_inquiry_bytes(inquiry, PLT_TOPIC_SELF_TEST_LOG).size, ==, 564);
    g_assert_cmpuint(plt_inquiry_ask(inquiry, PLT_TOPIC_POWER_STATE)->result, ==, 3);
    g_assert_cmpuint(drive->n_refused, ==, 0);
    /* All logs of an NVMe 2.0 drive: seven of them. */
    g_assert_cmpuint(drive->n_retained, ==, 7);
}

static void test_asks_once(void)
{
    MockDrive *drive = mock_drive_new_full();
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(drive);
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_CONTROLLER);

    g_assert_true(plt_inquiry_ask(inquiry, PLT_TOPIC_CONTROLLER) == answer);
    g_assert_cmpuint(drive->n_commands, ==, 1);
}

/* What Identify says that the drive has not is never asked for: a refused log may cost an entry in its error
 * log. */
static void test_does_not_ask(void)
{
    static const PltTopic absent[] = {PLT_TOPIC_LOG_PAGES, PLT_TOPIC_SELF_TEST_LOG, PLT_TOPIC_SANITIZE_LOG,
                                      PLT_TOPIC_APST,      PLT_TOPIC_HOST_MEMORY,   PLT_TOPIC_THERMAL};
    MockDrive *drive = mock_drive_new();
    g_autoptr(PltInquiry) inquiry = NULL;
    guint8 data[4096];

    make_qemu_controller(data);
    mock_drive_answer(drive, PLT_NVME_IDENTIFY, 1, data, sizeof data, 0);
    inquiry = mock_drive_inquiry(drive);
    for (gsize i = 0; i < G_N_ELEMENTS(absent); i++)
        g_assert_cmpint(plt_inquiry_ask(inquiry, absent[i])->lack, ==, PLT_LACK_DRIVE);
    g_assert_cmpuint(drive->n_commands, ==, 1);
    /* NVMe 1.4, and QEMU's vendor: C0h is tried. It is not there. */
    g_assert_cmpint(plt_inquiry_ask(inquiry, PLT_TOPIC_OCP_LOG)->lack, ==, PLT_LACK_DRIVE);
    g_assert_cmpuint(drive->n_commands, ==, 2);
    g_assert_cmpuint(drive->n_retained, ==, 1);
    /* One entry of an error log that has one. */
    plt_inquiry_ask(inquiry, PLT_TOPIC_ERROR_LOG);
    g_assert_cmpuint(drive->n_commands, ==, 3);
}

static void test_no_ocp_of_strangers(void)
{
    MockDrive *drive = mock_drive_new();
    g_autoptr(PltInquiry) inquiry = NULL;
    guint8 data[4096];

    make_qemu_controller(data);
    put_number(data, 0, 2, 0x144d);
    put_number(data, 80, 4, 0x10200);
    mock_drive_answer(drive, PLT_NVME_IDENTIFY, 1, data, sizeof data, 0);
    inquiry = mock_drive_inquiry(drive);
    g_assert_cmpint(plt_inquiry_ask(inquiry, PLT_TOPIC_OCP_LOG)->lack, ==, PLT_LACK_DRIVE);
    g_assert_cmpuint(drive->n_commands, ==, 1);
    /* Before NVMe 1.3 the bit that retains events is reserved. */
    plt_inquiry_ask(inquiry, PLT_TOPIC_SMART_LOG);
    g_assert_cmpuint(drive->n_commands, ==, 2);
    g_assert_cmpuint(drive->n_retained, ==, 0);
}

static void test_failures(void)
{
    static const struct {
        int status;
        PltLack lack;
        const char *reason;
    } cases[] = {
        {-EACCES, PLT_LACK_PERMISSION, "Only root can read it: use sudo"},
        {-EPERM, PLT_LACK_PERMISSION, "Only root can read it: use sudo"},
        {-ENODEV, PLT_LACK_FAILED, "The drive has been removed or does not answer"},
        {-EIO, PLT_LACK_FAILED, "The drive does not answer: Input/output error"},
        {0x4002, PLT_LACK_DRIVE, "The drive does not have it"},
        {0x0001, PLT_LACK_DRIVE, "The drive does not have it"},
        {0x2006, PLT_LACK_FAILED, "The drive refused: internal error (2006h)"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        MockDrive *drive = mock_drive_new_full();
        g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(drive);
        const PltAnswer *answer;
        g_autofree char *reason = NULL;

        drive->fail = cases[i].status;
        answer = plt_inquiry_ask(inquiry, PLT_TOPIC_SMART_LOG);
        g_assert_cmpint(answer->lack, ==, cases[i].lack);
        reason = plt_answer_reason(answer);
        g_assert_cmpstr(reason, ==, cases[i].reason);
        g_assert_cmpuint(plt_answer_bytes(answer).size, ==, 0);
    }
}

typedef struct {
    PltInquiryBackend base;
    PltLack lack;
} LackBackend;

static PltAnswer *lack_ask(PltInquiryBackend *backend, PltInquiry *inquiry, PltTopic topic)
{
    PltLack lack = ((LackBackend *)backend)->lack;

    if (topic != PLT_TOPIC_SMART_LOG)
        return NULL;
    return lack != PLT_LACK_NONE ? plt_answer_new_lack(lack)
                                 : plt_answer_new_bytes(PLT_SOURCE_UDISKS, NULL, 7);
}

static void lack_free(PltInquiryBackend *backend)
{
    g_free(backend);
}

static void add_lack(PltInquiry *inquiry, PltLack lack)
{
    LackBackend *backend = g_new0(LackBackend, 1);

    backend->base.ask = lack_ask;
    backend->base.free = lack_free;
    backend->lack = lack;
    plt_inquiry_add(inquiry, &backend->base);
}

static void test_order(void)
{
    g_autoptr(PltInquiry) found = plt_inquiry_new_bare("/nonexistent", "sda");
    g_autoptr(PltInquiry) lacking = plt_inquiry_new_bare("/nonexistent", "sda");

    add_lack(found, PLT_LACK_PERMISSION);
    add_lack(found, PLT_LACK_NONE);
    add_lack(found, PLT_LACK_FAILED);
    g_assert_cmpuint(plt_inquiry_ask(found, PLT_TOPIC_SMART_LOG)->result, ==, 7);
    g_assert_cmpint(plt_inquiry_ask(found, PLT_TOPIC_DEVICE)->lack, ==, PLT_LACK_BUS);
    add_lack(lacking, PLT_LACK_BUS);
    add_lack(lacking, PLT_LACK_PERMISSION);
    add_lack(lacking, PLT_LACK_DRIVE);
    g_assert_cmpint(plt_inquiry_ask(lacking, PLT_TOPIC_SMART_LOG)->lack, ==, PLT_LACK_PERMISSION);
}

/* Another machine's tree: what everybody may read, and nothing else. */
static void test_tree(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(PltInquiry) inquiry = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *pci = NULL, *config = NULL;
    guint8 data[256] = {0};

    fixture_nvme(fixture, 0);
    pci = plt_sysfs_resolve(fixture->root, "/sys/class/nvme/nvme0/device");
    g_assert_nonnull(pci);
    config = g_strconcat(pci, "/config", NULL);
    fixture_write_bytes(fixture, config, data, 64);
    inquiry = plt_inquiry_new(fixture->root, "nvme0n1", NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(plt_inquiry_get_model(inquiry), ==, "Samsung SSD 990 PRO 2TB");
    g_assert_cmpstr(plt_inquiry_get_serial(inquiry), ==, "S7KHNJ0W000001");
    g_assert_cmpstr(plt_inquiry_get_controller(inquiry), ==, "nvme0");
    g_assert_cmpint(plt_inquiry_ask(inquiry, PLT_TOPIC_PCI_CONFIG)->lack, ==, PLT_LACK_PERMISSION);
    g_assert_cmpint(plt_inquiry_ask(inquiry, PLT_TOPIC_PORT_CONFIG)->lack, ==, PLT_LACK_BUS);
    g_assert_cmpint(plt_inquiry_ask(inquiry, PLT_TOPIC_CONTROLLER)->lack, ==, PLT_LACK_BUS);
    g_assert_nonnull(plt_answer_array(plt_inquiry_ask(inquiry, PLT_TOPIC_SENSORS)));
    g_assert_null(plt_inquiry_new(fixture->root, "nvme1n1", NULL, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

static void check_name(Fixture *fixture, const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *name = plt_inquiry_find_name(fixture->root, text, &error);

    g_assert_cmpstr(name, ==, expected);
    if (expected == NULL)
        g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

static void test_find(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autofree char *device = fixture_nvme_device(2);
    g_autoptr(GError) error = NULL;

    fixture_nvme(fixture, 2);
    fixture_partition(fixture, device, "nvme2n1p1", "259:21");
    fixture_write(fixture, "/dev/nvme2n1", "");
    fixture_link(fixture, "/dev/disk/by-id/nvme-Samsung", "/dev/nvme2n1");
    check_name(fixture, "nvme2n1", "nvme2n1");
    check_name(fixture, "/dev/nvme2n1", "nvme2n1");
    check_name(fixture, "/dev/disk/by-id/nvme-Samsung", "nvme2n1");
    check_name(fixture, "nvme2", "nvme2n1");
    check_name(fixture, "S7KHNJ0W000001", "nvme2n1");
    check_name(fixture, "nvme9n1", NULL);
    check_name(fixture, "", NULL);
    check_name(fixture, "..", NULL);
    check_name(fixture, "../../etc", NULL);
    check_name(fixture, "nvme2n1p1", NULL);
    g_assert_null(plt_inquiry_find_name(fixture->root, "nvme2n1p1", &error));
    g_assert_nonnull(strstr(error->message, "“nvme2n1”"));
}

/* Two namespaces, or two drives with the serial number that a cheap maker gives to all. */
static void test_find_several(void)
{
    g_autoptr(Fixture) fixture = fixture_new();
    g_autoptr(GError) error = NULL;

    fixture_nvme(fixture, 0);
    fixture_nvme(fixture, 1);
    g_assert_null(plt_inquiry_find_name(fixture->root, "S7KHNJ0W000001", &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "nvme0n1, nvme1n1"));
}

static void test_ids(void)
{
    for (guint i = 0; i < PLT_N_TOPICS; i++) {
        PltTopic topic;

        g_assert_true(plt_topic_from_id(plt_topic_id((PltTopic)i), &topic));
        g_assert_cmpuint(topic, ==, i);
        g_assert_cmpuint(strlen(plt_topic_title((PltTopic)i)), >, 2);
    }
    for (guint i = PLT_LACK_BUS; i <= PLT_LACK_FAILED; i++)
        g_assert_cmpint(plt_lack_from_id(plt_lack_id((PltLack)i)), ==, (int)i);
    g_assert_cmpint(plt_lack_from_id("no such"), ==, PLT_LACK_RECORD);
    g_assert_cmpint(plt_lack_from_id("none"), ==, PLT_LACK_RECORD);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/inquiry/full", test_full);
    g_test_add_func("/drive/inquiry/asks-once", test_asks_once);
    g_test_add_func("/drive/inquiry/does-not-ask", test_does_not_ask);
    g_test_add_func("/drive/inquiry/no-ocp-of-strangers", test_no_ocp_of_strangers);
    g_test_add_func("/drive/inquiry/failures", test_failures);
    g_test_add_func("/drive/inquiry/order", test_order);
    g_test_add_func("/drive/inquiry/tree", test_tree);
    g_test_add_func("/drive/inquiry/find", test_find);
    g_test_add_func("/drive/inquiry/find-several", test_find_several);
    g_test_add_func("/drive/inquiry/ids", test_ids);
    return g_test_run();
}
