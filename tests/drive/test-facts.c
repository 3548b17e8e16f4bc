/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/facts.h"

#include <errno.h>
#include <string.h>

#include "drive/replay.h"
#include "nvme-drive.h"

static const PltFactGroup *find_group(GPtrArray *groups, const char *id)
{
    for (guint i = 0; i < groups->len; i++) {
        const PltFactGroup *group = groups->pdata[i];

        if (g_str_equal(group->id, id))
            return group;
    }
    return NULL;
}

static void check_fact(GPtrArray *groups, const char *id, const char *title, const char *value)
{
    const PltFactGroup *group = find_group(groups, id);

    g_assert_nonnull(group);
    for (guint i = 0; i < group->facts->len; i++) {
        const PltFact *fact = group->facts->pdata[i];

        if (g_str_equal(fact->title, title)) {
            g_assert_cmpstr(fact->value, ==, value);
            return;
        }
    }
    g_error("%s has no “%s”", id, title);
}

static void check_row(GPtrArray *groups, const char *id, guint row, const char *expected)
{
    const PltFactGroup *group = find_group(groups, id);
    g_autofree char *text = NULL;

    g_assert_nonnull(group);
    g_assert_cmpuint(group->rows->len, >, row);
    text = g_strjoinv("|", group->rows->pdata[row]);
    g_assert_cmpstr(text, ==, expected);
}

static void test_full(void)
{
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(mock_drive_new_full());
    g_autoptr(GPtrArray) groups = plt_drive_facts_of(inquiry), missing = plt_drive_facts_missing(inquiry);

    check_fact(groups, "drive", "Model", "Everything SSD 2TB");
    check_fact(groups, "drive", "Capacity", "2 TB (2,000,398,934,016 bytes)");
    check_fact(groups, "drive", "NVMe version", "2.0");
    check_fact(groups, "link", "Now", "PCIe 3.0 ×4 (3.94 GB/s)");
    check_fact(groups, "link", "The drive could", "PCIe 4.0 ×4 (7.88 GB/s)");
    g_assert_cmpuint(find_group(groups, "link")->notes->len, ==, 1);
    check_fact(groups, "formats", "Trimmed blocks read as", "zeros");
    check_row(groups, "formats", 1, "0|512|0|better|in use");
    check_row(groups, "formats", 2, "1|4096|0|best|");
    check_fact(groups, "abilities", "Format", "yes, with crypto erase, all namespaces at once");
    check_fact(groups, "abilities", "Sanitize", "block erase, crypto erase");
    check_fact(groups, "abilities", "Self-test", "yes, the extended one takes 35 min");
    check_fact(groups, "abilities", "Host memory buffer", "asks for 64 MiB, gets 64 MiB");
    check_fact(groups, "abilities", "Thermal management by the host", "from 45 to 83 °C");
    /* 4 KiB x 2^9. */
    check_fact(groups, "abilities", "Largest transfer", "2 MiB");
    check_fact(groups, "power", "Active now", "PS3");
    check_fact(groups, "power", "Changes by itself (APST)", "on");
    check_row(groups, "power", 1, "PS0|yes|8.25 W|7.8 W|1.5 W|||0/0 0/0|PS3 after 100 ms");
    check_row(groups, "power", 4, "PS3 *|no|50 mW||49.9 mW|4000 µs|10 ms|3/3 3/3|PS4 after 2000 ms");
    check_row(groups, "power", 5, "PS4|no|5 mW|||4000 µs|1.2 s|31/4 4/4|");
    check_fact(groups, "temperature", "Warning from", "82 °C");
    check_fact(groups, "temperature", "Alarm set above", "82 °C");
    check_fact(groups, "temperature", "Alarm set below", "0 °C");
    check_fact(groups, "temperature", "Throttles lightly from", "75 °C");
    check_fact(groups, "temperature", "Throttles heavily from", "80 °C");
    check_fact(groups, "health", "Verdict", "Good");
    check_fact(groups, "health", "Rated endurance left", "97 %");
    check_row(groups, "smart", 2, "Temperature|45 °C|");
    /* 2.56 TB to the flash memory for 1.28 TB of the host. */
    check_fact(groups, "ocp", "Write amplification", "2.00");
    check_fact(groups, "firmware", "Slot 1", "4B2QJXD7, active");
    check_fact(groups, "firmware", "Slot 2", "5B2QJXD7, active after the next reset");
    check_fact(groups, "self-tests", "Running", "extended, 45 %");
    check_row(groups, "self-tests", 2, "extended|3000|failed");
    check_fact(groups, "sanitize", "Done", "25 %");
    check_fact(groups, "sanitize", "Block erase takes", "120 s");
    check_row(groups, "errors", 1, "2|unrecovered read error (0281h)|1|4096");
    check_row(groups, "errors", 2, "1|invalid field in command (4002h)|all|0");
    g_assert_cmpuint(missing->len, ==, 0);
}

static void test_missing(void)
{
    MockDrive *drive = mock_drive_new_full();
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(drive);
    g_autoptr(GPtrArray) missing = NULL, groups = NULL;
    const PltMissing *only;

    drive->fail = -EACCES;
    groups = plt_drive_facts_of(inquiry);
    missing = plt_drive_facts_missing(inquiry);
    g_assert_null(find_group(groups, "power"));
    /* One reason, once, with all that it keeps away. */
    g_assert_cmpuint(missing->len, ==, 1);
    only = missing->pdata[0];
    g_assert_cmpstr(only->reason, ==, "Only root can read it: use sudo");
    g_assert_true(g_str_has_prefix(only->titles, "health, "));
    g_assert_nonnull(strstr(only->titles, "error log"));
    g_assert_nonnull(strstr(only->titles, "LBA formats"));
}

/* What an ordinary user sees of an NVMe drive where UDisks2 runs. */
static void test_udisks(void)
{
    g_autoptr(JsonNode) node = json_from_string(
        "{\"schema\":\"plateau.replay/1\",\"name\":\"nvme0n1\",\"controller\":\"nvme0\",\"answers\":{"
        "\"device\":{\"source\":\"sysfs\",\"document\":{\"name\":\"nvme0n1\",\"model\":\"Everything\"}},"
        "\"namespace\":{\"missing\":\"permission\"},\"smart-log\":{\"missing\":\"permission\"},"
        "\"udisks\":{\"source\":\"udisks\",\"document\":{\"nvme\":{\"NVMeRevision\":\"2.0\","
        "\"SmartUpdated\":1700000000,\"attributes\":{\"percent_used\":12}},"
        "\"namespace\":{\"LBAFormats\":[[512,0,2],[4096,0,1],[4096,8,0]],"
        "\"FormattedLBASize\":[4096,0,1]}}}}}",
        NULL);
    g_autoptr(PltInquiry) inquiry = plt_replay_new(node, NULL);
    g_autoptr(GPtrArray) groups = plt_drive_facts_of(inquiry), missing = plt_drive_facts_missing(inquiry);

    check_fact(groups, "drive", "NVMe version", "2.0");
    check_row(groups, "formats", 1, "0|512|0|better|");
    check_row(groups, "formats", 2, "1|4096|0|best|in use");
    check_row(groups, "formats", 3, "2|4096|8||");
    g_assert_cmpstr(find_group(groups, "formats")->source, ==, "udisks");
    check_fact(groups, "health", "Rated endurance left", "88 %");
    g_assert_cmpuint(missing->len, ==, 1);
    g_assert_cmpstr(((PltMissing *)missing->pdata[0])->titles, ==, "full health log");
}

static void test_json(void)
{
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(mock_drive_new_full());
    g_autoptr(JsonNode) node = plt_drive_facts_to_json(inquiry);
    JsonObject *root = json_node_get_object(node);
    JsonObject *controller = json_object_get_object_member(root, "controller");
    JsonObject *state = json_array_get_object_element(json_object_get_array_member(root, "power_states"), 3);

    g_assert_cmpstr(json_object_get_string_member(root, "schema"), ==, "plateau.drive/1");
    g_assert_cmpstr(json_object_get_string_member(controller, "sn"), ==, "S7KHNJ0W000001");
    g_assert_cmpint(json_object_get_int_member(controller, "npss"), ==, 4);
    g_assert_cmpint(json_object_get_int_member(controller, "elpe"), ==, 63);
    g_assert_cmpint(json_object_get_int_member(controller, "hmpre"), ==, 16384);
    g_assert_cmpint(json_object_get_int_member(controller, "tnvmcap"), ==, G_GINT64_CONSTANT(2000398934016));
    g_assert_cmpfloat_with_epsilon(json_object_get_double_member(state, "max_watt"), 0.05, 1e-9);
    g_assert_cmpint(json_object_get_int_member(state, "idle_target"), ==, 4);
    g_assert_false(json_object_has_member(state, "active_watt"));
    g_assert_cmpstr(
        json_object_get_string_member(json_object_get_object_member(root, "sources"), "smart-log"), ==,
        "direct");
    g_assert_cmpuint(json_object_get_size(json_object_get_object_member(root, "missing")), ==, 0);
    g_assert_cmpint(
        json_object_get_int_member(json_object_get_object_member(root, "ocp"), "power_state_changes"), ==,
        12345);
    g_assert_cmpfloat(
        json_object_get_double_member(json_object_get_object_member(root, "sanitize"), "progress"), ==, 0.25);
    g_assert_cmpstr(json_object_get_string_member(json_object_get_object_member(root, "health"), "verdict"),
                    ==, "good");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/facts/full", test_full);
    g_test_add_func("/drive/facts/missing", test_missing);
    g_test_add_func("/drive/facts/udisks", test_udisks);
    g_test_add_func("/drive/facts/json", test_json);
    return g_test_run();
}
