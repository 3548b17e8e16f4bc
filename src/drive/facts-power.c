/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/facts-private.h"

#include <glib/gi18n-lib.h>

static char *transition_text(const PltPowerTransition *transition)
{
    if (transition->idle_ms == 0)
        return g_strdup("");
    return g_strdup_printf(_("PS%u after %u ms"), transition->target, transition->idle_ms);
}

static void add_state(PltFactGroup *group, const PltPowerState *state, const PltPowerTransition *transition,
                      gboolean active)
{
    g_autofree char *name = g_strdup_printf("PS%u%s", state->index, active ? " *" : "");
    g_autofree char *max = plt_power_text(state->max_watt), *running = plt_power_text(state->active_watt);
    g_autofree char *idle = plt_power_text(state->idle_watt);
    g_autofree char *entry = plt_power_latency_text(state->entry_us);
    g_autofree char *leave = plt_power_latency_text(state->exit_us);
    g_autofree char *ranks = g_strdup_printf("%u/%u %u/%u", state->read_throughput, state->write_throughput,
                                             state->read_latency, state->write_latency);
    g_autofree char *next = transition != NULL ? transition_text(transition) : g_strdup("");

    plt_fact_add_row(group, name, state->operational ? _("yes") : _("no"), max, running, idle, entry, leave,
                     ranks, next);
}

PltFactGroup *plt_drive_facts_power(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_CONTROLLER);
    const PltAnswer *state = plt_inquiry_ask(inquiry, PLT_TOPIC_POWER_STATE);
    const PltAnswer *apst = plt_inquiry_ask(inquiry, PLT_TOPIC_APST);
    PltPowerTransition transitions[PLT_POWER_STATES_MAX];
    gboolean has_apst;
    PltNvmeController controller;
    PltFactGroup *group;
    guint active = G_MAXUINT;

    if (!plt_nvme_controller_decode(plt_answer_bytes(answer), &controller))
        return NULL;
    group = plt_fact_group_new("power", _("Power states"), answer);
    if (plt_answer_is_there(state)) {
        active = state->result & 31;
        plt_fact_add(group, _("Active now"), g_strdup_printf("PS%u", active));
    }
    has_apst = plt_power_transitions_decode(plt_answer_bytes(apst), transitions);
    if ((controller.apsta & 1) == 0)
        plt_fact_add(group, _("Changes by itself (APST)"), g_strdup(_("the drive cannot")));
    else if (plt_answer_is_there(apst))
        plt_fact_add(group, _("Changes by itself (APST)"), g_strdup(apst->result & 1 ? _("on") : _("off")));
    plt_fact_add_heading(group, "llrrrrrll", _("STATE"), _("WORKS"), _("MAXIMUM"), _("ACTIVE"), _("IDLE"),
                         _("ENTRY"), _("EXIT"), _("RANKS"), _("WHEN IDLE"));
    for (guint i = 0; i < controller.n_power_states; i++)
        add_state(group, &controller.power_states[i], has_apst && (apst->result & 1) ? &transitions[i] : NULL,
                  i == active);
    plt_fact_add_note(group,
                      g_strdup(_("Ranks: throughput read/write and latency read/write, 0 is the best of "
                                 "this drive.")));
    return group;
}

static void add_kelvin(PltFactGroup *group, const char *title, guint kelvin)
{
    if (kelvin != 0)
        plt_fact_add(group, title, g_strdup_printf("%d °C", (int)kelvin - 273));
}

static void add_sensors(PltFactGroup *group, JsonArray *sensors)
{
    for (guint i = 0; sensors != NULL && i < json_array_get_length(sensors); i++) {
        JsonNode *node = json_array_get_element(sensors, i);
        JsonObject *sensor = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
        const char *label =
            sensor != NULL ? json_object_get_string_member_with_default(sensor, "label", NULL) : NULL;

        if (sensor != NULL && json_object_has_member(sensor, "celsius"))
            plt_fact_add(
                group, label != NULL ? label : _("Now"),
                g_strdup_printf("%.0f °C", json_object_get_double_member_with_default(sensor, "celsius", 0)));
    }
}

PltFactGroup *plt_drive_facts_temperature(PltInquiry *inquiry)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, PLT_TOPIC_SENSORS);
    const PltAnswer *max = plt_inquiry_ask(inquiry, PLT_TOPIC_TEMPERATURE_MAX);
    const PltAnswer *min = plt_inquiry_ask(inquiry, PLT_TOPIC_TEMPERATURE_MIN);
    const PltAnswer *thermal = plt_inquiry_ask(inquiry, PLT_TOPIC_THERMAL);
    const PltAnswer *identify = plt_inquiry_ask(inquiry, PLT_TOPIC_CONTROLLER);
    PltFactGroup *group =
        plt_fact_group_new("temperature", _("Temperature"), plt_answer_is_there(answer) ? answer : identify);
    PltNvmeController controller;

    add_sensors(group, plt_answer_array(answer));
    if (plt_nvme_controller_decode(plt_answer_bytes(identify), &controller)) {
        add_kelvin(group, _("Warning from"), controller.warning_k);
        add_kelvin(group, _("Critical from"), controller.critical_k);
    }
    if (plt_answer_is_there(max))
        add_kelvin(group, _("Alarm set above"), max->result & 0xffff);
    if (plt_answer_is_there(min))
        add_kelvin(group, _("Alarm set below"), min->result & 0xffff);
    if (plt_answer_is_there(thermal)) {
        add_kelvin(group, _("Throttles lightly from"), thermal->result >> 16);
        add_kelvin(group, _("Throttles heavily from"), thermal->result & 0xffff);
        if (thermal->result == 0)
            plt_fact_add(group, _("Throttling set by the system"), g_strdup(_("none")));
    }
    return group;
}
