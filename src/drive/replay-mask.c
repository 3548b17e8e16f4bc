/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/replay-mask.h"

#include <string.h>

/* A shorter text would be found in everything. */
#define SECRET_MIN 4

typedef struct {
    PltTopic topic;
    guint offset, size;
    char with;
} Field;

/* Identify: serial number, FRU GUID, the subsystem's name, which holds the serial on many drives; NGUID and
 * EUI64. */
static const Field fields[] = {
    {PLT_TOPIC_CONTROLLER, 4, 20, 'X'},     {PLT_TOPIC_CONTROLLER, 112, 16, '\0'},
    {PLT_TOPIC_CONTROLLER, 768, 256, '\0'}, {PLT_TOPIC_NAMESPACE, 104, 24, '\0'},
    {PLT_TOPIC_ATA_IDENTIFY, 20, 20, 'X'},  {PLT_TOPIC_ATA_IDENTIFY, 216, 8, '\0'},
};

/* Members of documents that identify a drive, whoever wrote them. */
static const char *const members[] = {
    "serial",
    "Serial",
    "serial_number",
    "Id",
    "WWN",
    "wwn",
    "NGUID",
    "EUI64",
    "UUID",
    "nguid",
    "eui64",
    "SubsystemNQN",
    "FGUID",
    "uuid",
    "logical_unit_id",
    "nvme_subsystem_nqn",
    "SiblingId",
    "nvme_ieee_oui_identifier",
};

static void mask_field(guint8 *data, gsize size, const Field *field)
{
    for (guint i = 0; i < field->size && field->offset + i < size; i++) {
        /* The blanks that pad a text stay, and so does its length. */
        if (field->with == '\0' || data[field->offset + i] != ' ')
            data[field->offset + i] = (guint8)field->with;
    }
}

/* ATA texts have the two characters of a word swapped. */
static void swap_pairs(char *text)
{
    for (gsize i = 0; text[i] != '\0' && text[i + 1] != '\0'; i += 2) {
        char c = text[i];

        text[i] = text[i + 1];
        text[i + 1] = c;
    }
}

static void mask_secret(guint8 *data, gsize size, const char *secret)
{
    gsize length = strlen(secret);
    guint8 *found;

    if (length < SECRET_MIN)
        return;
    while ((found = memmem(data, size, secret, length)) != NULL)
        memset(found, 'X', length);
}

/* IDENTIFY DEVICE ends with a checksum over all its bytes when byte 510 is A5h (ACS-4, word 255). */
static void repair_checksum(guint8 *data, gsize size)
{
    guint8 sum = 0;

    if (size != 512 || data[510] != 0xa5)
        return;
    for (gsize i = 0; i < 511; i++)
        sum = (guint8)(sum + data[i]);
    data[511] = (guint8)(0x100 - sum);
}

static GBytes *mask_bytes(GBytes *bytes, PltTopic topic, const char *const *secrets)
{
    gsize size = g_bytes_get_size(bytes);
    g_autofree guint8 *data = g_memdup2(g_bytes_get_data(bytes, NULL), size);

    for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
        if (fields[i].topic == topic)
            mask_field(data, size, &fields[i]);
    }
    for (guint i = 0; data != NULL && secrets[i] != NULL; i++) {
        g_autofree char *swapped = g_strdup(secrets[i]);

        swap_pairs(swapped);
        mask_secret(data, size, secrets[i]);
        mask_secret(data, size, swapped);
    }
    if (topic == PLT_TOPIC_ATA_IDENTIFY && data != NULL)
        repair_checksum(data, size);
    return g_bytes_new_take(g_steal_pointer(&data), size);
}

static char *mask_text(const char *text, const char *const *secrets)
{
    char *masked = g_strdup(text);

    for (guint i = 0; secrets[i] != NULL; i++)
        mask_secret((guint8 *)masked, strlen(masked), secrets[i]);
    return masked;
}

static JsonNode *mask_node(JsonNode *node, const char *const *secrets);

static JsonNode *mask_object(JsonObject *object, const char *const *secrets)
{
    JsonObject *masked = json_object_new();
    JsonNode *result = json_node_new(JSON_NODE_OBJECT);
    JsonObjectIter iter;
    const char *name;
    JsonNode *member;

    json_object_iter_init_ordered(&iter, object);
    while (json_object_iter_next_ordered(&iter, &name, &member)) {
        gboolean secret = FALSE;

        for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
            secret = secret || g_str_equal(name, members[i]);
        if (secret)
            json_object_set_string_member(masked, name, "XXXX");
        else
            json_object_set_member(masked, name, mask_node(member, secrets));
    }
    json_node_take_object(result, masked);
    return result;
}

static JsonNode *mask_node(JsonNode *node, const char *const *secrets)
{
    JsonNode *result;

    if (JSON_NODE_HOLDS_OBJECT(node))
        return mask_object(json_node_get_object(node), secrets);
    if (JSON_NODE_HOLDS_ARRAY(node)) {
        JsonArray *array = json_array_new();

        for (guint i = 0; i < json_array_get_length(json_node_get_array(node)); i++)
            json_array_add_element(array,
                                   mask_node(json_array_get_element(json_node_get_array(node), i), secrets));
        result = json_node_new(JSON_NODE_ARRAY);
        json_node_take_array(result, array);
        return result;
    }
    if (JSON_NODE_HOLDS_VALUE(node) && json_node_get_value_type(node) == G_TYPE_STRING) {
        g_autofree char *text = mask_text(json_node_get_string(node), secrets);

        result = json_node_new(JSON_NODE_VALUE);
        json_node_set_string(result, text);
        return result;
    }
    return json_node_copy(node);
}

PltAnswer *plt_replay_mask(const PltAnswer *answer, PltTopic topic, const char *const *secrets)
{
    PltAnswer *masked = plt_answer_new_lack(answer->lack);

    masked->source = answer->source;
    masked->replayed = answer->replayed;
    masked->result = answer->result;
    masked->detail = answer->detail != NULL ? mask_text(answer->detail, secrets) : NULL;
    if (answer->data != NULL)
        masked->data = mask_bytes(answer->data, topic, secrets);
    if (answer->document != NULL)
        masked->document = mask_node(answer->document, secrets);
    return masked;
}
