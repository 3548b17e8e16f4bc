/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/facts.h"

#include <math.h>

#include "drive/health.h"
#include "drive/nvme-identify.h"
#include "drive/nvme-log.h"
#include "drive/pcie.h"
#include "drive/power-state.h"

static void set_wide(JsonObject *object, const char *member, PltWide value)
{
    if (value.high == 0 && value.low <= G_MAXINT64) {
        json_object_set_int_member(object, member, (gint64)value.low);
    } else {
        g_autofree char *text = plt_wide_to_text(value);

        json_object_set_string_member(object, member, text);
    }
}

static void set_watt(JsonObject *object, const char *member, double watt)
{
    if (!isnan(watt))
        json_object_set_double_member(object, member, watt);
}

/* The names of the standard's fields, which other tools print too. */
static void add_controller(JsonObject *root, const PltNvmeController *controller)
{
    const struct {
        const char *name;
        gint64 value;
    } numbers[] = {
        {"vid", controller->vendor_id},
        {"ssvid", controller->subsystem_vendor_id},
        {"ieee", controller->ieee_oui},
        {"cmic", controller->multipath},
        {"mdts", controller->mdts},
        {"cntlid", controller->controller_id},
        {"ver", controller->version},
        {"rtd3r", controller->resume_us},
        {"rtd3e", controller->shutdown_us},
        {"ctratt", controller->attributes},
        {"oacs", controller->oacs},
        {"frmw", controller->firmware_updates},
        {"lpa", controller->lpa},
        {"elpe", controller->error_entries - 1},
        {"npss", controller->n_power_states - 1},
        {"apsta", controller->apsta},
        {"wctemp", controller->warning_k},
        {"cctemp", controller->critical_k},
        {"hmpre", (gint64)(controller->hmb_preferred / 4096)},
        {"hmmin", (gint64)(controller->hmb_min / 4096)},
        {"edstt", controller->self_test_minutes},
        {"hctma", controller->hctma},
        {"mntmt", controller->thermal_min_k},
        {"mxtmt", controller->thermal_max_k},
        {"sanicap", controller->sanicap},
        {"nn", controller->n_namespaces},
        {"oncs", controller->oncs},
        {"fna", controller->fna},
        {"vwc", controller->vwc},
    };
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "sn", controller->serial);
    json_object_set_string_member(object, "mn", controller->model);
    json_object_set_string_member(object, "fr", controller->firmware);
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
        json_object_set_int_member(object, numbers[i].name, numbers[i].value);
    set_wide(object, "tnvmcap", controller->capacity);
    set_wide(object, "unvmcap", controller->unallocated);
    json_object_set_string_member(object, "subnqn", controller->subnqn);
    json_object_set_object_member(root, "controller", object);
}

static void add_power_states(JsonObject *root, const PltNvmeController *controller,
                             const PltPowerTransition *transitions)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < controller->n_power_states; i++) {
        const PltPowerState *state = &controller->power_states[i];
        JsonObject *object = json_object_new();

        json_object_set_int_member(object, "state", i);
        json_object_set_boolean_member(object, "operational", state->operational);
        set_watt(object, "max_watt", state->max_watt);
        set_watt(object, "active_watt", state->active_watt);
        if (state->active_workload != 0)
            json_object_set_int_member(object, "active_workload", state->active_workload);
        set_watt(object, "idle_watt", state->idle_watt);
        json_object_set_int_member(object, "entry_us", state->entry_us);
        json_object_set_int_member(object, "exit_us", state->exit_us);
        json_object_set_int_member(object, "read_throughput", state->read_throughput);
        json_object_set_int_member(object, "read_latency", state->read_latency);
        json_object_set_int_member(object, "write_throughput", state->write_throughput);
        json_object_set_int_member(object, "write_latency", state->write_latency);
        if (transitions != NULL && transitions[i].idle_ms != 0) {
            json_object_set_int_member(object, "idle_target", transitions[i].target);
            json_object_set_int_member(object, "idle_ms", transitions[i].idle_ms);
        }
        json_array_add_object_element(array, object);
    }
    json_object_set_array_member(root, "power_states", array);
}

static void add_namespace(JsonObject *root, const PltNvmeNamespace *ns)
{
    JsonObject *object = json_object_new();
    JsonArray *formats = json_array_new();

    json_object_set_int_member(object, "nsze", (gint64)ns->size);
    json_object_set_int_member(object, "ncap", (gint64)ns->capacity);
    json_object_set_int_member(object, "nuse", (gint64)ns->used);
    json_object_set_int_member(object, "nsfeat", ns->features);
    json_object_set_int_member(object, "dlfeat", ns->deallocated);
    json_object_set_int_member(object, "noiob", ns->optimal_boundary_blocks);
    json_object_set_int_member(object, "protection", ns->protection);
    json_object_set_boolean_member(object, "shared", ns->shared);
    set_wide(object, "nvmcap", ns->nvm_bytes);
    json_object_set_string_member(object, "nguid", ns->nguid);
    json_object_set_string_member(object, "eui64", ns->eui64);
    if (ns->active < ns->n_formats)
        json_object_set_int_member(object, "active_format", ns->active);
    for (guint i = 0; i < ns->n_formats; i++) {
        JsonObject *format = json_object_new();

        json_object_set_int_member(format, "data_size", ns->formats[i].data_size);
        json_object_set_int_member(format, "metadata_size", ns->formats[i].metadata_size);
        json_object_set_int_member(format, "performance", ns->formats[i].performance);
        json_array_add_object_element(formats, format);
    }
    json_object_set_array_member(object, "formats", formats);
    json_object_set_object_member(root, "namespace", object);
}

static void add_features(JsonObject *root, PltInquiry *inquiry)
{
    static const struct {
        PltTopic topic;
        const char *name;
    } features[] = {
        {PLT_TOPIC_POWER_STATE, "power_management"},     {PLT_TOPIC_APST, "apst"},
        {PLT_TOPIC_TEMPERATURE_MAX, "temperature_over"}, {PLT_TOPIC_TEMPERATURE_MIN, "temperature_under"},
        {PLT_TOPIC_WRITE_CACHE, "volatile_write_cache"}, {PLT_TOPIC_HOST_MEMORY, "host_memory_buffer"},
        {PLT_TOPIC_THERMAL, "host_thermal_management"},
    };
    JsonObject *object = json_object_new();

    for (gsize i = 0; i < G_N_ELEMENTS(features); i++) {
        const PltAnswer *answer = plt_inquiry_ask(inquiry, features[i].topic);

        if (plt_answer_is_there(answer))
            json_object_set_int_member(object, features[i].name, answer->result);
    }
    json_object_set_object_member(root, "features", object);
}

static void add_errors(JsonObject *root, PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_ERROR_LOG);
    g_autoptr(GArray) errors = plt_nvme_errors_decode(plt_answer_bytes(answer));
    JsonArray *array;

    if (!plt_answer_is_there(answer))
        return;
    array = json_array_new();
    for (guint i = 0; i < errors->len; i++) {
        const PltNvmeError *error = &g_array_index(errors, PltNvmeError, i);
        JsonObject *object = json_object_new();

        set_wide(object, "error_count", plt_wide(error->count));
        json_object_set_int_member(object, "sqid", error->queue);
        json_object_set_int_member(object, "cmdid", error->command);
        json_object_set_int_member(object, "status_field", error->status);
        json_object_set_int_member(object, "parm_error_location", error->parameter);
        set_wide(object, "lba", plt_wide(error->lba));
        json_object_set_int_member(object, "nsid", error->nsid);
        json_array_add_object_element(array, object);
    }
    json_object_set_array_member(root, "error_log", array);
}

static void add_firmware(JsonObject *root, PltInquiry *inquiry)
{
    JsonObject *object;
    JsonArray *slots;
    PltNvmeFirmware firmware;

    if (!plt_nvme_firmware_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_FIRMWARE_LOG), &firmware))
        return;
    object = json_object_new();
    slots = json_array_new();
    json_object_set_int_member(object, "active_slot", firmware.active);
    json_object_set_int_member(object, "next_slot", firmware.next);
    for (guint i = 0; i < G_N_ELEMENTS(firmware.slots); i++)
        json_array_add_string_element(slots, firmware.slots[i]);
    json_object_set_array_member(object, "slots", slots);
    json_object_set_object_member(root, "firmware", object);
}

static void add_self_tests(JsonObject *root, PltInquiry *inquiry)
{
    JsonObject *object;
    JsonArray *results;
    PltNvmeSelfTests tests;

    if (!plt_nvme_self_tests_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_SELF_TEST_LOG), &tests))
        return;
    object = json_object_new();
    results = json_array_new();
    json_object_set_int_member(object, "running", tests.running);
    json_object_set_int_member(object, "done_percent", tests.done_percent);
    for (guint i = 0; i < tests.n_results; i++) {
        const PltNvmeSelfTest *test = &tests.results[i];
        JsonObject *entry = json_object_new();

        json_object_set_int_member(entry, "code", test->kind);
        json_object_set_int_member(entry, "result", test->result);
        set_wide(entry, "power_on_hours", plt_wide(test->hours));
        if (test->has_lba)
            set_wide(entry, "lba", plt_wide(test->lba));
        if (test->has_nsid)
            json_object_set_int_member(entry, "nsid", test->nsid);
        if (test->has_status)
            json_object_set_int_member(entry, "status", test->status);
        json_array_add_object_element(results, entry);
    }
    json_object_set_array_member(object, "results", results);
    json_object_set_object_member(root, "self_tests", object);
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
    JsonArray *reasons = json_array_new();

    json_object_set_string_member(object, "verdict", plt_verdict_id(health->verdict));
    if (health->life_percent >= 0)
        json_object_set_int_member(object, "life_percent", health->life_percent);
    for (guint i = 0; i < health->reasons->len; i++)
        json_array_add_string_element(reasons, health->reasons->pdata[i]);
    json_object_set_array_member(object, "reasons", reasons);
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

static void add_nvme(JsonObject *root, PltInquiry *inquiry)
{
    const PltAnswer *apst = plt_inquiry_ask(inquiry, PLT_TOPIC_APST);
    PltPowerTransition transitions[PLT_POWER_STATES_MAX];
    gboolean has_apst = plt_power_transitions_decode(plt_answer_bytes(apst), transitions);
    PltNvmeController controller;
    PltNvmeNamespace ns;

    if (plt_nvme_controller_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_CONTROLLER), &controller)) {
        add_controller(root, &controller);
        add_power_states(root, &controller, has_apst ? transitions : NULL);
    }
    if (plt_nvme_namespace_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_NAMESPACE), &ns))
        add_namespace(root, &ns);
    add_features(root, inquiry);
    add_firmware(root, inquiry);
    add_self_tests(root, inquiry);
    add_errors(root, inquiry);
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
        add_nvme(root, inquiry);
    add_health(root, inquiry);
    add_topics(root, inquiry);
    json_node_take_object(node, root);
    return node;
}
