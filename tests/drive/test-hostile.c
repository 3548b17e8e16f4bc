/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Drives, bridges and files that answer with anything. Whatever comes, nothing may crash, read outside of
 * what came (the sanitizers watch), or make a document that is none. The bytes are random, but the same in
 * every run.
 */
#include <string.h>

#include "drive/ata.h"
#include "drive/facts.h"
#include "drive/health.h"
#include "drive/nvme-identify.h"
#include "drive/nvme-log.h"
#include "drive/pcie.h"
#include "drive/replay.h"
#include "nvme-drive.h"

#define ROUNDS 400

/* Bytes in memory of exactly their size, so that a read behind the end is seen. */
static guint8 *random_bytes(GRand *rand, gsize size)
{
    guint8 *data = g_malloc(MAX(size, 1));
    guint kind = (guint)g_rand_int_range(rand, 0, 4);

    for (gsize i = 0; i < size; i++) {
        if (kind == 0)
            data[i] = 0xff;
        else if (kind == 1)
            data[i] = g_rand_int_range(rand, 0, 16) == 0 ? (guint8)g_rand_int(rand) : 0;
        else
            data[i] = (guint8)g_rand_int(rand);
    }
    return data;
}

static void decode_all(PltBytes bytes)
{
    PltNvmeController controller;
    PltNvmeNamespace ns;
    PltPowerTransition transitions[PLT_POWER_STATES_MAX];
    PltNvmeFirmware firmware;
    PltNvmeSelfTests tests;
    PltNvmeSanitize sanitize;
    PltNvmeOcp ocp;
    PltPcie pcie;
    PltAta ata;
    g_autoptr(GArray) errors = plt_nvme_errors_decode(bytes), list = plt_nvme_namespaces_decode(bytes);
    g_autoptr(PltSmart) smart = plt_smart_from_nvme_log(bytes);
    g_autoptr(PltHealth) health = plt_health_judge(smart, NULL, FALSE);

    plt_nvme_controller_decode(bytes, &controller);
    plt_nvme_namespace_decode(bytes, &ns);
    g_assert_cmpuint(ns.active, <=, ns.n_formats);
    plt_power_transitions_decode(bytes, transitions);
    for (guint i = 0; i < PLT_POWER_STATES_MAX; i++)
        g_assert_cmpuint(transitions[i].target, <, PLT_POWER_STATES_MAX);
    plt_nvme_firmware_decode(bytes, &firmware);
    plt_nvme_self_tests_decode(bytes, &tests);
    g_assert_cmpuint(tests.n_results, <=, 20);
    plt_nvme_sanitize_decode(bytes, &sanitize);
    plt_nvme_ocp_decode(bytes, &ocp);
    plt_pcie_decode(bytes, &pcie);
    plt_ata_decode(bytes, &ata);
}

static void test_decoders(void)
{
    static const gsize sizes[] = {0, 1, 63, 64, 255, 256, 511, 512, 563, 564, 1024, 3071, 3072, 4095, 4096};
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261201);

    for (guint round = 0; round < ROUNDS; round++) {
        gsize size = sizes[round % G_N_ELEMENTS(sizes)];
        g_autofree guint8 *data = random_bytes(rand, size);

        decode_all((PltBytes){data, size});
    }
}

/* Everything that is made of an inquiry: valid UTF-8 and valid JSON, and a recording that loads again. */
static void report_all(PltInquiry *inquiry)
{
    g_autoptr(GPtrArray) groups = plt_drive_facts_of(inquiry), missing = plt_drive_facts_missing(inquiry);
    g_autoptr(JsonNode) facts = plt_drive_facts_to_json(inquiry), record = plt_replay_record(inquiry, TRUE);
    g_autofree char *text = json_to_string(facts, TRUE), *recorded = json_to_string(record, TRUE);
    g_autoptr(JsonNode) parsed = json_from_string(text, NULL), again = json_from_string(recorded, NULL);
    g_autoptr(PltInquiry) back = NULL;

    g_assert_nonnull(parsed);
    g_assert_true(g_utf8_validate(text, -1, NULL));
    back = plt_replay_new(again, NULL);
    g_assert_nonnull(back);
    for (guint i = 0; i < groups->len; i++) {
        const PltFactGroup *group = groups->pdata[i];

        for (guint k = 0; k < group->facts->len; k++)
            g_assert_true(g_utf8_validate(((PltFact *)group->facts->pdata[k])->value, -1, NULL));
        for (guint k = 0; k < group->rows->len; k++)
            g_assert_cmpuint(g_strv_length(group->rows->pdata[k]), ==, strlen(group->align));
    }
    for (guint i = 0; i < missing->len; i++)
        g_assert_true(g_utf8_validate(((PltMissing *)missing->pdata[i])->reason, -1, NULL));
}

static void test_drive(void)
{
    static const struct {
        guint8 opcode, which;
        gsize size;
    } commands[] = {
        {PLT_NVME_IDENTIFY, 0, 4096},         {PLT_NVME_IDENTIFY, 1, 4096},
        {PLT_NVME_IDENTIFY, 2, 4096},         {PLT_NVME_GET_LOG_PAGE, 0x00, 1024},
        {PLT_NVME_GET_LOG_PAGE, 0x01, 16384}, {PLT_NVME_GET_LOG_PAGE, 0x02, 512},
        {PLT_NVME_GET_LOG_PAGE, 0x03, 512},   {PLT_NVME_GET_LOG_PAGE, 0x06, 564},
        {PLT_NVME_GET_LOG_PAGE, 0x81, 512},   {PLT_NVME_GET_LOG_PAGE, 0xc0, 512},
        {PLT_NVME_GET_FEATURES, 0x02, 0},     {PLT_NVME_GET_FEATURES, 0x04, 0},
        {PLT_NVME_GET_FEATURES, 0x06, 0},     {PLT_NVME_GET_FEATURES, 0x0c, 256},
        {PLT_NVME_GET_FEATURES, 0x0d, 4096},  {PLT_NVME_GET_FEATURES, 0x10, 0},
    };
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261202);

    for (guint round = 0; round < ROUNDS / 8; round++) {
        MockDrive *drive = mock_drive_new();
        g_autoptr(PltInquiry) inquiry = NULL;

        for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
            g_autofree guint8 *data = random_bytes(rand, commands[i].size);

            mock_drive_answer(drive, commands[i].opcode, commands[i].which, data, commands[i].size,
                              g_rand_int(rand));
        }
        inquiry = mock_drive_inquiry(drive);
        report_all(inquiry);
    }
}

/* A random JSON value, nested a little, with the names that readers look for. */
static JsonNode *random_json(GRand *rand, guint depth)
{
    static const char *const names[] = {
        "id",
        "name",
        "raw",
        "value",
        "table",
        "attributes",
        "nvme",
        "ata",
        "namespace",
        "LBAFormats",
        "SmartUpdated",
        "temp_sensors",
        "model",
        "bus",
        "capacity",
        "link",
        "rotational",
        "celsius",
        "smart_status",
        "passed",
        "logical_block",
        "temperature_c",
        "flags",
        "SmartCriticalWarning",
        "ata_smart_attributes",
        "nvme_smart_health_information_log",
        "FormattedLBASize",
        "endurance_used",
    };
    JsonNode *node;
    guint kind = (guint)g_rand_int_range(rand, 0, depth > 0 ? 9 : 6);

    if (kind >= 6) {
        node = json_node_new(kind == 6 ? JSON_NODE_ARRAY : JSON_NODE_OBJECT);
        if (kind == 6)
            json_node_take_array(node, json_array_new());
        else
            json_node_take_object(node, json_object_new());
        for (gint i = g_rand_int_range(rand, 0, 12); i > 0; i--) {
            JsonNode *child = random_json(rand, depth - 1);

            if (kind == 6)
                json_array_add_element(json_node_get_array(node), child);
            else
                json_object_set_member(json_node_get_object(node),
                                       names[g_rand_int_range(rand, 0, G_N_ELEMENTS(names))], child);
        }
        return node;
    }
    node = json_node_new(kind == 0 ? JSON_NODE_NULL : JSON_NODE_VALUE);
    if (kind == 1)
        json_node_set_string(node, g_rand_boolean(rand) ? "ata_5" : "\xe2\x80\xae");
    else if (kind == 2)
        json_node_set_boolean(node, g_rand_boolean(rand));
    else if (kind == 3)
        json_node_set_double(node, g_rand_double_range(rand, -1e30, 1e30));
    else if (kind >= 4)
        json_node_set_int(node, (gint64)((guint64)g_rand_int(rand) << 32 | g_rand_int(rand)) >>
                                    g_rand_int_range(rand, 0, 64));
    return node;
}

/* A file that is a recording in form, with anything in it. */
static void test_recording(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261203);

    for (guint round = 0; round < ROUNDS; round++) {
        g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);
        JsonObject *object = json_object_new(), *answers = json_object_new();
        g_autoptr(PltInquiry) inquiry = NULL;
        g_autoptr(GError) error = NULL;

        for (guint i = 0; i < PLT_N_TOPICS; i++) {
            gsize size = (gsize)g_rand_int_range(rand, 0, 600);
            g_autofree guint8 *data = random_bytes(rand, size);
            g_autofree char *hex = plt_bytes_hex((PltBytes){data, size});
            JsonObject *answer = json_object_new();

            json_object_set_int_member(answer, "size", g_rand_boolean(rand) ? 4096 : (gint64)size);
            json_object_set_string_member(answer, "data", hex);
            json_object_set_member(answer, "document", random_json(rand, 4));
            json_object_set_object_member(answers, plt_topic_id((PltTopic)i), answer);
        }
        json_object_set_string_member(object, "schema", "plateau.replay/1");
        json_object_set_string_member(object, "name", "x");
        if (g_rand_boolean(rand))
            json_object_set_string_member(object, "controller", "nvme0");
        json_object_set_object_member(object, "answers", answers);
        json_node_take_object(node, object);
        inquiry = plt_replay_new(node, &error);
        g_assert_no_error(error);
        report_all(inquiry);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/hostile/decoders", test_decoders);
    g_test_add_func("/drive/hostile/drive", test_drive);
    g_test_add_func("/drive/hostile/recording", test_recording);
    return g_test_run();
}
