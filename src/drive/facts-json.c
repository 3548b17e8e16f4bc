/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/facts-private.h"

#include "drive/ata.h"
#include "drive/health.h"
#include "drive/pcie.h"

static void add_ata(JsonObject *root, PltInquiry *inquiry)
{
    JsonObject *object;
    PltAta ata;
    const struct {
        const char *name;
        const gboolean *value;
    } flags[] = {
        {"smart", &ata.smart},
        {"smart_enabled", &ata.smart_enabled},
        {"self_tests", &ata.self_tests},
        {"write_cache", &ata.write_cache},
        {"write_cache_enabled", &ata.write_cache_enabled},
        {"trim", &ata.trim},
        {"trim_deterministic", &ata.trim_deterministic},
        {"trim_zeroes", &ata.trim_zeroes},
        {"sanitize_block", &ata.sanitize_block},
        {"sanitize_crypto", &ata.sanitize_crypto},
        {"sanitize_overwrite", &ata.sanitize_overwrite},
        {"security", &ata.security},
        {"security_frozen", &ata.security_frozen},
    };

    if (!plt_ata_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_ATA_IDENTIFY), &ata))
        return;
    object = json_object_new();
    for (gsize i = 0; i < G_N_ELEMENTS(flags); i++)
        json_object_set_boolean_member(object, flags[i].name, *flags[i].value);
    json_object_set_int_member(object, "queue_depth", ata.queue_depth);
    json_object_set_int_member(object, "rotation", ata.rotation);
    json_object_set_int_member(object, "generation", ata.speed);
    json_object_set_int_member(object, "generation_max", ata.speed_max);
    json_object_set_int_member(object, "logical_block", ata.logical);
    json_object_set_int_member(object, "physical_block", ata.physical);
    json_object_set_object_member(root, "ata", object);
}

static JsonObject *pcie_to_json(const PltPcie *pcie)
{
    JsonObject *object = json_object_new();

    json_object_set_int_member(object, "payload", pcie->payload);
    json_object_set_int_member(object, "payload_max", pcie->payload_max);
    json_object_set_int_member(object, "read_request", pcie->request);
    json_object_set_int_member(object, "generation", pcie->speed);
    json_object_set_int_member(object, "lanes", pcie->width);
    json_object_set_int_member(object, "generation_max", pcie->speed_max);
    json_object_set_int_member(object, "lanes_max", pcie->width_max);
    json_object_set_boolean_member(object, "aspm_l0s", pcie->aspm_l0s);
    json_object_set_boolean_member(object, "aspm_l1", pcie->aspm_l1);
    return object;
}

static void add_link(JsonObject *root, PltInquiry *inquiry)
{
    JsonObject *object = json_object_new(), *power = plt_inquiry_object(inquiry, PLT_TOPIC_LINK);
    PltPcie pcie;

    if (power != NULL)
        json_object_set_object_member(object, "power", json_object_ref(power));
    if (plt_pcie_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_PCI_CONFIG), &pcie))
        json_object_set_object_member(object, "drive", pcie_to_json(&pcie));
    if (plt_pcie_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_PORT_CONFIG), &pcie))
        json_object_set_object_member(object, "slot", pcie_to_json(&pcie));
    json_object_set_object_member(root, "link", object);
}

static void add_health(JsonObject *root, PltInquiry *inquiry)
{
    g_autoptr(PltSmart) smart = plt_smart_read(inquiry, NULL);
    JsonObject *device = plt_inquiry_object(inquiry, PLT_TOPIC_DEVICE), *object = json_object_new();
    g_autoptr(PltHealth) health = plt_health_judge(
        smart, plt_inquiry_get_model(inquiry),
        device != NULL && json_object_get_boolean_member_with_default(device, "rotational", FALSE));

    plt_health_add_to_json(health, object);
    json_object_set_object_member(root, "health", object);
    if (smart != NULL)
        json_object_set_member(root, "smart", plt_smart_to_json(smart));
}

/* Where each topic comes from, or why it is missing. */
static void add_topics(JsonObject *root, PltInquiry *inquiry)
{
    JsonObject *sources = json_object_new(), *missing = json_object_new();

    for (guint i = 0; i < PLT_N_TOPICS; i++) {
        const PltAnswer *answer = plt_inquiry_ask(inquiry, (PltTopic)i);
        g_autofree char *reason = plt_answer_reason(answer);
        const char *id = plt_topic_id((PltTopic)i);
        JsonObject *object;

        if (plt_answer_is_there(answer)) {
            json_object_set_string_member(sources, id, plt_source_id(answer));
            continue;
        }
        if (answer->lack == PLT_LACK_BUS)
            continue;
        object = json_object_new();
        json_object_set_string_member(object, "reason", plt_lack_id(answer->lack));
        if (reason != NULL)
            json_object_set_string_member(object, "text", reason);
        json_object_set_object_member(missing, id, object);
    }
    json_object_set_object_member(root, "sources", sources);
    json_object_set_object_member(root, "missing", missing);
}

JsonNode *plt_drive_facts_to_json(PltInquiry *inquiry)
{
    JsonObject *root = json_object_new();
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    const PltAnswer *device = plt_inquiry_ask(inquiry, PLT_TOPIC_DEVICE);
    const PltAnswer *sensors = plt_inquiry_ask(inquiry, PLT_TOPIC_SENSORS);

    json_object_set_string_member(root, "schema", "plateau.drive/1");
    json_object_set_string_member(root, "name", plt_inquiry_get_name(inquiry));
    json_object_set_int_member(root, "taken_us", plt_inquiry_get_time(inquiry));
    if (device->document != NULL)
        json_object_set_member(root, "device", json_node_copy(device->document));
    if (sensors->document != NULL)
        json_object_set_member(root, "sensors", json_node_copy(sensors->document));
    add_link(root, inquiry);
    if (plt_inquiry_is_nvme(inquiry))
        plt_drive_facts_add_nvme(root, inquiry);
    else
        add_ata(root, inquiry);
    add_health(root, inquiry);
    add_topics(root, inquiry);
    json_node_take_object(node, root);
    return node;
}
