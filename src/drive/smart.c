/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/smart.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#define SCHEMA "plateau.smart/1"

static void attribute_free(gpointer data)
{
    PltSmartAttribute *attribute = data;

    g_free(attribute->id);
    g_free(attribute->name);
    g_free(attribute);
}

PltSmart *plt_smart_new(PltSmartKind kind)
{
    PltSmart *smart = g_new0(PltSmart, 1);

    smart->kind = kind;
    smart->passed = -1;
    smart->endurance_used_percent = -1;
    smart->attributes = g_ptr_array_new_with_free_func(attribute_free);
    return smart;
}

void plt_smart_free(PltSmart *smart)
{
    if (smart == NULL)
        return;
    g_ptr_array_unref(smart->attributes);
    g_free(smart);
}

PltSmartAttribute *plt_smart_add(PltSmart *smart, const char *id, PltWide raw)
{
    PltSmartAttribute *attribute = g_new0(PltSmartAttribute, 1);

    attribute->id = g_strdup(id);
    attribute->raw = raw;
    attribute->value = attribute->worst = attribute->threshold = -1;
    g_ptr_array_add(smart->attributes, attribute);
    return attribute;
}

const PltSmartAttribute *plt_smart_find(const PltSmart *smart, const char *id)
{
    for (guint i = 0; i < smart->attributes->len; i++) {
        const PltSmartAttribute *attribute = smart->attributes->pdata[i];

        if (g_str_equal(attribute->id, id))
            return attribute;
    }
    return NULL;
}

gboolean plt_smart_get(const PltSmart *smart, const char *id, guint64 *value)
{
    const PltSmartAttribute *attribute = plt_smart_find(smart, id);

    if (attribute == NULL)
        return FALSE;
    *value = plt_wide_clamp(attribute->raw);
    return TRUE;
}

guint plt_smart_ata_id(const PltSmartAttribute *attribute)
{
    if (!g_str_has_prefix(attribute->id, "ata_"))
        return 0;
    return (guint)g_ascii_strtoull(attribute->id + strlen("ata_"), NULL, 10);
}

/* The best of what is there, and of what is not the reason of the way that would have been the best. */
static PltSmart *read_by(PltInquiry *inquiry, PltTopic topic)
{
    const PltAnswer *answer = plt_inquiry_ask(inquiry, topic);
    JsonObject *object = plt_answer_object(answer);
    PltSmart *smart = NULL;

    if (topic == PLT_TOPIC_SMART_LOG)
        smart = plt_smart_from_nvme_log(plt_answer_bytes(answer));
    else if (object != NULL)
        smart = topic == PLT_TOPIC_UDISKS ? plt_smart_from_udisks(object) : plt_smart_from_smartctl(object);
    if (smart == NULL)
        return NULL;
    smart->source = answer->source;
    smart->replayed = answer->replayed;
    if (smart->taken_us == 0)
        smart->taken_us = plt_inquiry_get_time(inquiry);
    return smart;
}

/* Why a drive of this kind has none whatever one does; NULL for others. */
static const char *reason_of_bus(const char *bus)
{
    if (g_strcmp0(bus, "virtio") == 0 || g_strcmp0(bus, "xen") == 0 || g_strcmp0(bus, "hyperv") == 0)
        return _("A virtual drive reports no health: its host knows the real drive");
    if (g_strcmp0(bus, "loop") == 0 || g_strcmp0(bus, "zram") == 0)
        return _("This is no drive of its own");
    if (g_strcmp0(bus, "mmc") == 0)
        return _("Memory cards keep no health log that could be read");
    return NULL;
}

/* That of the way that an ordinary user would have, unless the drive itself has said something. */
static char *reason_for(PltInquiry *inquiry, gboolean with_smartctl)
{
    const PltAnswer *log = plt_inquiry_ask(inquiry, PLT_TOPIC_SMART_LOG);
    const PltAnswer *udisks = plt_inquiry_ask(inquiry, PLT_TOPIC_UDISKS);
    const PltAnswer *smartctl = with_smartctl ? plt_inquiry_ask(inquiry, PLT_TOPIC_SMARTCTL) : udisks;
    JsonObject *device = plt_inquiry_object(inquiry, PLT_TOPIC_DEVICE);
    const char *bus = device != NULL ? json_object_get_string_member_with_default(device, "bus", NULL) : NULL;

    if (reason_of_bus(bus) != NULL)
        return g_strdup(reason_of_bus(bus));
    if (log->lack == PLT_LACK_FAILED || log->lack == PLT_LACK_DRIVE || log->lack == PLT_LACK_RECORD)
        return plt_answer_reason(log);
    if (plt_inquiry_is_nvme(inquiry))
        return plt_answer_reason(udisks->lack > PLT_LACK_BUS ? udisks : log);
    if (smartctl->lack != PLT_LACK_NONE && smartctl->lack != PLT_LACK_BUS)
        return plt_answer_reason(smartctl);
    if (plt_answer_is_there(smartctl))
        return g_strdup(_("The drive, or the bridge in front of it, passes on no health attributes"));
    return plt_answer_reason(udisks);
}

PltSmart *plt_smart_peek(PltInquiry *inquiry, char **reason)
{
    JsonObject *device = plt_inquiry_object(inquiry, PLT_TOPIC_DEVICE);
    gboolean sleeps =
        device == NULL || json_object_get_boolean_member_with_default(device, "rotational", TRUE);
    PltSmart *smart = read_by(inquiry, PLT_TOPIC_SMART_LOG);

    if (smart == NULL)
        smart = read_by(inquiry, PLT_TOPIC_UDISKS);
    if (smart == NULL && !sleeps)
        smart = read_by(inquiry, PLT_TOPIC_SMARTCTL);
    if (smart == NULL && reason != NULL)
        *reason = reason_for(inquiry, !sleeps);
    return smart;
}

PltSmart *plt_smart_read(PltInquiry *inquiry, char **reason)
{
    static const PltTopic ways[] = {PLT_TOPIC_SMART_LOG, PLT_TOPIC_SMARTCTL, PLT_TOPIC_UDISKS};

    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        PltSmart *smart = read_by(inquiry, ways[i]);

        if (smart != NULL)
            return smart;
    }
    if (reason != NULL)
        *reason = reason_for(inquiry, TRUE);
    return NULL;
}

static void set_number(JsonObject *object, const char *member, PltWide value)
{
    /* JSON readers lose digits, or more, above 2^63: such a count is written as text. */
    if (value.high == 0 && value.low <= G_MAXINT64) {
        json_object_set_int_member(object, member, (gint64)value.low);
    } else {
        g_autofree char *text = plt_wide_to_text(value);

        json_object_set_string_member(object, member, text);
    }
}

static JsonObject *attribute_to_json(const PltSmartAttribute *attribute)
{
    JsonObject *object = json_object_new();

    json_object_set_string_member(object, "id", attribute->id);
    if (attribute->name != NULL)
        json_object_set_string_member(object, "name", attribute->name);
    set_number(object, "raw", attribute->raw);
    if (attribute->value >= 0)
        json_object_set_int_member(object, "value", attribute->value);
    if (attribute->worst >= 0)
        json_object_set_int_member(object, "worst", attribute->worst);
    if (attribute->threshold >= 0)
        json_object_set_int_member(object, "threshold", attribute->threshold);
    if (attribute->prefail)
        json_object_set_boolean_member(object, "prefail", TRUE);
    if (attribute->failed_before)
        json_object_set_boolean_member(object, "failed_before", TRUE);
    return object;
}

JsonNode *plt_smart_to_json(const PltSmart *smart)
{
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    JsonObject *object = json_object_new();
    JsonArray *array = json_array_new();
    PltAnswer from = {.source = smart->source, .replayed = smart->replayed};

    json_object_set_string_member(object, "schema", SCHEMA);
    json_object_set_string_member(object, "kind", smart->kind == PLT_SMART_NVME ? "nvme" : "ata");
    json_object_set_string_member(object, "source", plt_source_id(&from));
    json_object_set_int_member(object, "taken_us", smart->taken_us);
    if (smart->passed >= 0)
        json_object_set_boolean_member(object, "passed", smart->passed != 0);
    if (smart->endurance_used_percent >= 0)
        json_object_set_int_member(object, "endurance_used_percent", smart->endurance_used_percent);
    for (guint i = 0; i < smart->attributes->len; i++)
        json_array_add_object_element(array, attribute_to_json(smart->attributes->pdata[i]));
    json_object_set_array_member(object, "attributes", array);
    json_node_take_object(node, object);
    return node;
}

static gboolean read_wide(JsonObject *object, const char *member, PltWide *value)
{
    JsonNode *node = json_object_get_member(object, member);

    if (node == NULL || !JSON_NODE_HOLDS_VALUE(node))
        return FALSE;
    if (json_node_get_value_type(node) == G_TYPE_STRING)
        return plt_wide_from_text(json_node_get_string(node), value);
    if (json_node_get_value_type(node) != G_TYPE_INT64 || json_node_get_int(node) < 0)
        return FALSE;
    *value = plt_wide((guint64)json_node_get_int(node));
    return TRUE;
}

static int small_member(JsonObject *object, const char *member)
{
    gint64 value = json_object_get_int_member_with_default(object, member, -1);

    return value >= 0 && value <= 255 ? (int)value : -1;
}

static gboolean attribute_from_json(PltSmart *smart, JsonNode *node)
{
    JsonObject *object = JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    const char *id = object != NULL ? json_object_get_string_member_with_default(object, "id", NULL) : NULL;
    PltSmartAttribute *attribute;
    PltWide raw;

    if (id == NULL || !read_wide(object, "raw", &raw))
        return FALSE;
    attribute = plt_smart_add(smart, id, raw);
    attribute->name = g_strdup(json_object_get_string_member_with_default(object, "name", NULL));
    attribute->value = small_member(object, "value");
    attribute->worst = small_member(object, "worst");
    attribute->threshold = small_member(object, "threshold");
    attribute->prefail = json_object_get_boolean_member_with_default(object, "prefail", FALSE);
    attribute->failed_before = json_object_get_boolean_member_with_default(object, "failed_before", FALSE);
    return TRUE;
}

PltSmart *plt_smart_from_json(JsonNode *node, GError **error)
{
    JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    const char *schema =
        object != NULL ? json_object_get_string_member_with_default(object, "schema", NULL) : NULL;
    JsonNode *list = object != NULL ? json_object_get_member(object, "attributes") : NULL;
    JsonArray *array = list != NULL && JSON_NODE_HOLDS_ARRAY(list) ? json_node_get_array(list) : NULL;
    g_autoptr(PltSmart) smart = NULL;

    if (g_strcmp0(schema, SCHEMA) != 0 || array == NULL) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, _("these are no health attributes (%s)"), SCHEMA);
        return NULL;
    }
    smart =
        plt_smart_new(g_strcmp0(json_object_get_string_member_with_default(object, "kind", NULL), "ata") == 0
                          ? PLT_SMART_ATA
                          : PLT_SMART_NVME);
    smart->source = plt_source_from_id(json_object_get_string_member_with_default(object, "source", NULL));
    smart->taken_us = json_object_get_int_member_with_default(object, "taken_us", 0);
    smart->endurance_used_percent = small_member(object, "endurance_used_percent");
    if (json_object_has_member(object, "passed"))
        smart->passed = json_object_get_boolean_member_with_default(object, "passed", TRUE);
    for (guint i = 0; i < json_array_get_length(array); i++) {
        if (!attribute_from_json(smart, json_array_get_element(array, i))) {
            g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT,
                        _("health attribute %u has no id or no raw value"), i + 1);
            return NULL;
        }
    }
    return g_steal_pointer(&smart);
}

GArray *plt_smart_difference(const PltSmart *before, const PltSmart *after)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(PltSmartChange));

    for (guint i = 0; i < after->attributes->len; i++) {
        const PltSmartAttribute *now = after->attributes->pdata[i], *old = plt_smart_find(before, now->id);
        PltSmartChange change = {.before = old, .after = now};

        if (old != NULL && plt_wide_compare(old->raw, now->raw) == 0)
            continue;
        if (old != NULL) {
            change.distance = plt_wide_distance(old->raw, now->raw);
            change.less = plt_wide_compare(now->raw, old->raw) < 0;
        }
        g_array_append_val(changes, change);
    }
    for (guint i = 0; i < before->attributes->len; i++) {
        PltSmartChange change = {.before = before->attributes->pdata[i]};

        if (plt_smart_find(after, change.before->id) == NULL)
            g_array_append_val(changes, change);
    }
    return changes;
}
