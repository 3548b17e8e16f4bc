/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/facts-private.h"

#include <math.h>

#include "drive/nvme-log.h"

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

static void add_sanitize(JsonObject *root, PltInquiry *inquiry)
{
    JsonObject *object;
    PltNvmeSanitize sanitize;

    if (!plt_nvme_sanitize_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_SANITIZE_LOG), &sanitize))
        return;
    object = json_object_new();
    json_object_set_int_member(object, "state", sanitize.state);
    json_object_set_double_member(object, "progress", sanitize.progress);
    json_object_set_int_member(object, "overwrite_passes", sanitize.passes);
    json_object_set_boolean_member(object, "global_data_erased", sanitize.nothing_written_since);
    if (sanitize.block_erase_s != G_MAXUINT32)
        json_object_set_int_member(object, "block_erase_s", sanitize.block_erase_s);
    if (sanitize.crypto_erase_s != G_MAXUINT32)
        json_object_set_int_member(object, "crypto_erase_s", sanitize.crypto_erase_s);
    if (sanitize.overwrite_s != G_MAXUINT32)
        json_object_set_int_member(object, "overwrite_s", sanitize.overwrite_s);
    json_object_set_object_member(root, "sanitize", object);
}

static void add_ocp(JsonObject *root, PltInquiry *inquiry)
{
    JsonObject *object;
    PltNvmeOcp ocp;

    if (!plt_nvme_ocp_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_OCP_LOG), &ocp))
        return;
    object = json_object_new();
    json_object_set_int_member(object, "version", ocp.version);
    set_wide(object, "physical_media_units_written", ocp.written);
    set_wide(object, "physical_media_units_read", ocp.read);
    set_wide(object, "bad_user_blocks", plt_wide(ocp.bad_user_blocks));
    json_object_set_int_member(object, "bad_user_blocks_normalized", ocp.bad_user_normalized);
    set_wide(object, "bad_system_blocks", plt_wide(ocp.bad_system_blocks));
    json_object_set_int_member(object, "bad_system_blocks_normalized", ocp.bad_system_normalized);
    set_wide(object, "xor_recoveries", plt_wide(ocp.xor_recoveries));
    set_wide(object, "uncorrectable_reads", plt_wide(ocp.uncorrectable_reads));
    set_wide(object, "soft_ecc_errors", plt_wide(ocp.soft_ecc_errors));
    json_object_set_int_member(object, "end_to_end_detected", ocp.end_to_end_detected);
    json_object_set_int_member(object, "end_to_end_corrected", ocp.end_to_end_corrected);
    json_object_set_int_member(object, "system_data_used_percent", ocp.system_data_used_percent);
    set_wide(object, "refreshes", plt_wide(ocp.refreshes));
    json_object_set_int_member(object, "erase_count_min", ocp.erase_count_min);
    json_object_set_int_member(object, "erase_count_max", ocp.erase_count_max);
    json_object_set_int_member(object, "throttle_events", ocp.throttle_events);
    json_object_set_int_member(object, "throttle_status", ocp.throttle_status);
    set_wide(object, "pcie_correctable_errors", plt_wide(ocp.pcie_correctable_errors));
    set_wide(object, "incomplete_shutdowns", plt_wide(ocp.incomplete_shutdowns));
    json_object_set_int_member(object, "free_blocks_percent", ocp.free_blocks_percent);
    if (ocp.capacitor_health_percent != G_MAXUINT16)
        json_object_set_int_member(object, "capacitor_health_percent", ocp.capacitor_health_percent);
    set_wide(object, "unaligned_ios", plt_wide(ocp.unaligned_ios));
    set_wide(object, "plp_starts", ocp.plp_starts);
    set_wide(object, "endurance_estimate", ocp.endurance_estimate);
    set_wide(object, "link_retrainings", plt_wide(ocp.link_retrainings));
    set_wide(object, "power_state_changes", plt_wide(ocp.power_state_changes));
    json_object_set_object_member(root, "ocp", object);
}

void plt_drive_facts_add_nvme(JsonObject *root, PltInquiry *inquiry)
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
    add_sanitize(root, inquiry);
    add_ocp(root, inquiry);
}
