/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/replay.h"

#include <glib/gstdio.h>
#include <string.h>

#include "drive/facts.h"
#include "drive/replay-mask.h"
#include "nvme-drive.h"

static PltInquiry *reload(JsonNode *node)
{
    g_autofree char *text = json_to_string(node, TRUE);
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) parsed = json_from_string(text, &error);
    PltInquiry *inquiry;

    g_assert_no_error(error);
    inquiry = plt_replay_new(parsed, &error);
    g_assert_no_error(error);
    return inquiry;
}

static void test_round_trip(void)
{
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(mock_drive_new_full()), back = NULL;
    g_autoptr(JsonNode) node = plt_replay_record(inquiry, FALSE), again = NULL, facts = NULL;

    back = reload(node);
    g_assert_true(plt_inquiry_is_replay(back));
    g_assert_cmpstr(plt_inquiry_get_name(back), ==, "nvme0n1");
    g_assert_cmpstr(plt_inquiry_get_controller(back), ==, "nvme0");
    g_assert_cmpint(plt_inquiry_get_time(back), ==, 1700000000000000);
    for (guint i = 0; i < PLT_N_TOPICS; i++) {
        const PltAnswer *a = plt_inquiry_ask(inquiry, (PltTopic)i);
        const PltAnswer *b = plt_inquiry_ask(back, (PltTopic)i);
        PltBytes one = plt_answer_bytes(a), other = plt_answer_bytes(b);

        g_assert_cmpint(a->lack, ==, b->lack);
        g_assert_cmpint(a->source, ==, b->source);
        g_assert_cmpuint(a->result, ==, b->result);
        g_assert_cmpmem(one.data, one.size, other.data, other.size);
        if (plt_answer_is_there(b))
            g_assert_cmpstr(plt_source_id(b), ==, "replay");
    }
    /* A recording of a recording is the same recording. */
    again = plt_replay_record(back, FALSE);
    g_assert_true(json_node_equal(node, again));
    facts = plt_drive_facts_to_json(back);
    g_assert_true(JSON_NODE_HOLDS_OBJECT(facts));
}

/* The file that the tests of the command line use is the drive of nvme-drive.c; with PLATEAU_UPDATE_FIXTURES
 * it is made anew. */
static void test_fixture(void)
{
    static const char path[] = TEST_SOURCE_DIR "/tests/fixtures/drives/everything.json";
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(mock_drive_new_full()), kept = NULL;
    g_autoptr(JsonNode) now = plt_replay_record(inquiry, FALSE), then = NULL;
    g_autoptr(GError) error = NULL;

    if (g_getenv("PLATEAU_UPDATE_FIXTURES") != NULL) {
        g_autofree char *text = json_to_string(now, TRUE), *whole = g_strconcat(text, "\n", NULL);

        g_assert_true(g_file_set_contents(path, whole, -1, NULL));
    }
    kept = plt_replay_load(path, &error);
    g_assert_no_error(error);
    then = plt_replay_record(kept, FALSE);
    g_assert_true(json_node_equal(now, then));
}

static void test_lacks(void)
{
    MockDrive *drive = mock_drive_new();
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(drive), back = NULL;
    g_autoptr(JsonNode) node = NULL;
    g_autofree char *reason = NULL;

    drive->fail = -5;
    node = plt_replay_record(inquiry, FALSE);
    back = reload(node);
    g_assert_cmpint(plt_inquiry_ask(back, PLT_TOPIC_SMART_LOG)->lack, ==, PLT_LACK_FAILED);
    reason = plt_answer_reason(plt_inquiry_ask(back, PLT_TOPIC_SMART_LOG));
    g_assert_cmpstr(reason, ==, "The drive does not answer: Input/output error");
}

/* Nothing of the serial number is left: not in Identify, the subsystem's name, a vendor's log, the document.
 */
static void test_mask(void)
{
    MockDrive *drive = mock_drive_new_full();
    g_autoptr(PltInquiry) inquiry = NULL, back = NULL;
    g_autoptr(JsonNode) node = NULL;
    g_autofree char *text = NULL, *hex = NULL;
    guint8 ocp[512];

    make_full_ocp(ocp);
    memcpy(ocp + 300, "S7KHNJ0W000001", 14);
    mock_drive_answer(drive, PLT_NVME_GET_LOG_PAGE, 0xc0, ocp, sizeof ocp, 0);
    inquiry = mock_drive_inquiry(drive);
    node = plt_replay_record(inquiry, TRUE);
    text = json_to_string(node, FALSE);
    hex = plt_bytes_hex((PltBytes){(const guint8 *)"S7KHNJ0W000001", 14});
    g_assert_null(strstr(text, "S7KHNJ0W000001"));
    g_assert_null(strstr(text, hex));
    /* EUI-64 and NGUID. */
    g_assert_null(strstr(text, "0025384b11223344"));
    g_assert_null(strstr(text, "0025380102030405"));
    g_assert_nonnull(strstr(text, "\"masked\":true"));
    back = reload(node);
    g_assert_cmpstr(plt_inquiry_get_serial(back), ==, "XXXX");
    /* All else is as it was: an XXXX of the same length, and the model. */
    g_assert_cmpmem(plt_inquiry_bytes(back, PLT_TOPIC_CONTROLLER).data + 4, 20, "XXXXXXXXXXXXXX      ", 20);
    g_assert_cmpmem(plt_inquiry_bytes(back, PLT_TOPIC_CONTROLLER).data + 24, 18, "Everything SSD 2TB", 18);
    g_assert_cmpmem(plt_inquiry_bytes(back, PLT_TOPIC_SMART_LOG).data, 512,
                    plt_inquiry_bytes(inquiry, PLT_TOPIC_SMART_LOG).data, 512);
}

static void test_mask_ata(void)
{
    g_autofree guint8 *data = g_malloc0(512);
    const char *const secrets[] = {"AB12CD34", NULL};
    g_autoptr(PltAnswer) answer = NULL, masked = NULL;
    const guint8 *out;
    guint8 sum = 0;

    /* Two characters of each word swapped, and a checksum at the end. */
    memcpy(data + 20, "BA21DC43            ", 20);
    memcpy(data + 54, "oMed l              ", 20);
    data[510] = 0xa5;
    for (guint i = 0; i < 511; i++)
        sum = (guint8)(sum + data[i]);
    data[511] = (guint8)(0x100 - sum);
    answer = plt_answer_new_bytes(PLT_SOURCE_SYSFS, g_bytes_new(data, 512), 0);
    masked = plt_replay_mask(answer, PLT_TOPIC_ATA_IDENTIFY, secrets);
    out = plt_answer_bytes(masked).data;
    g_assert_cmpmem(out + 20, 20, "XXXXXXXX            ", 20);
    g_assert_cmpmem(out + 54, 6, "oMed l", 6);
    sum = 0;
    for (guint i = 0; i < 512; i++)
        sum = (guint8)(sum + out[i]);
    g_assert_cmpuint(sum, ==, 0);
}

static void test_mask_documents(void)
{
    const char *const secrets[] = {"AB12CD34", NULL};
    g_autoptr(PltAnswer) answer = plt_answer_new_document(
        PLT_SOURCE_SMARTCTL,
        json_from_string("{\"serial_number\":\"AB12CD34\",\"wwn\":{\"naa\":5},\"n\":[1,true,null,"
                         "\"disk AB12CD34\"],\"model_name\":\"Model\"}",
                         NULL));
    g_autoptr(PltAnswer) masked = plt_replay_mask(answer, PLT_TOPIC_SMARTCTL, secrets);
    g_autofree char *text = json_to_string(masked->document, FALSE);

    g_assert_cmpstr(text, ==,
                    "{\"serial_number\":\"XXXX\",\"wwn\":\"XXXX\",\"n\":[1,true,null,\"disk XXXXXXXX\"],"
                    "\"model_name\":\"Model\"}");
}

static void test_refuses(void)
{
    static const char *const texts[] = {
        "5",
        "[]",
        "{}",
        "{\"schema\":\"plateau.replay/1\",\"name\":\"x\"}",
        "{\"schema\":\"plateau.replay/1\",\"name\":\"x\",\"answers\":[]}",
        "{\"schema\":\"plateau.replay/1\",\"answers\":{}}",
        "{\"schema\":\"plateau.run/1\",\"name\":\"x\",\"answers\":{}}",
        "{\"schema\":\"plateau.replay/1\",\"name\":\"x\",\"answers\":{\"smart-log\":5}}",
        "{\"schema\":\"plateau.replay/1\",\"name\":\"x\",\"answers\":{\"smart-log\":{\"size\":1,"
        "\"data\":\"0011\"}}}",
        "{\"schema\":\"plateau.replay/1\",\"name\":\"x\",\"answers\":{\"smart-log\":{\"size\":4,"
        "\"data\":\"zz\"}}}",
        "{\"schema\":\"plateau.replay/1\",\"name\":\"x\",\"answers\":{\"smart-log\":{\"size\":99999999,"
        "\"data\":\"\"}}}",
        "{\"schema\":\"plateau.replay/1\",\"name\":\"x\",\"answers\":{\"smart-log\":{\"size\":-1,"
        "\"data\":\"\"}}}",
        "{\"schema\":\"plateau.replay/1\",\"name\":\"x\",\"answers\":{\"apst\":{\"result\":4294967296}}}",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(JsonNode) node = json_from_string(texts[i], NULL);
        g_autoptr(GError) error = NULL;

        g_assert_nonnull(node);
        g_assert_null(plt_replay_new(node, &error));
        g_assert_error(error, PLT_ERROR, PLT_ERROR_FORMAT);
    }
}

static void check_load(const char *path, int code)
{
    g_autoptr(GError) error = NULL;

    g_assert_null(plt_replay_load(path, &error));
    g_assert_error(error, PLT_ERROR, code);
}

static void test_load(void)
{
    g_autofree char *folder = g_dir_make_tmp("plateau-replay-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "drive.json", NULL);

    check_load(path, PLT_ERROR_USAGE);
    check_load(folder, PLT_ERROR_FORMAT);
    check_load("/dev/null", PLT_ERROR_FORMAT);
    g_assert_true(g_file_set_contents(path, "not JSON", -1, NULL));
    check_load(path, PLT_ERROR_FORMAT);
    g_assert_true(g_file_set_contents(path, "", -1, NULL));
    check_load(path, PLT_ERROR_FORMAT);
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/replay/round-trip", test_round_trip);
    g_test_add_func("/drive/replay/fixture", test_fixture);
    g_test_add_func("/drive/replay/lacks", test_lacks);
    g_test_add_func("/drive/replay/mask", test_mask);
    g_test_add_func("/drive/replay/mask-ata", test_mask_ata);
    g_test_add_func("/drive/replay/mask-documents", test_mask_documents);
    g_test_add_func("/drive/replay/refuses", test_refuses);
    g_test_add_func("/drive/replay/load", test_load);
    return g_test_run();
}
