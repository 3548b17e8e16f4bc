/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/replay.h"

#include <errno.h>
#include <sys/stat.h>

#include <glib/gi18n-lib.h>

#include "drive/replay-mask.h"
#include "drive/smart-private.h"

#define SCHEMA "plateau.replay/1"

/* The largest answer there is has 4096 bytes; a file that says more is not one of ours. */
#define DATA_MAX 65536

/* A recording has some 50 kB. */
#define FILE_MAX (16 * 1024 * 1024)

/* Bytes without the zeros at their end, which are most of every answer. */
static char *hex_of(GBytes *bytes)
{
    gsize size = 0;
    const guint8 *data = g_bytes_get_data(bytes, &size);

    while (size > 0 && data[size - 1] == 0)
        size--;
    return plt_bytes_hex((PltBytes){data, size});
}

static JsonObject *answer_to_json(const PltAnswer *answer)
{
    JsonObject *object = json_object_new();
    PltAnswer from = {.source = answer->source};

    if (answer->lack != PLT_LACK_NONE) {
        json_object_set_string_member(object, "missing", plt_lack_id(answer->lack));
        if (answer->detail != NULL)
            json_object_set_string_member(object, "detail", answer->detail);
        return object;
    }
    json_object_set_string_member(object, "source", plt_source_id(&from));
    if (answer->result != 0)
        json_object_set_int_member(object, "result", answer->result);
    if (answer->data != NULL) {
        g_autofree char *hex = hex_of(answer->data);

        json_object_set_int_member(object, "size", (gint64)g_bytes_get_size(answer->data));
        json_object_set_string_member(object, "data", hex);
    }
    if (answer->document != NULL)
        json_object_set_member(object, "document", json_node_copy(answer->document));
    return object;
}

JsonNode *plt_replay_record(PltInquiry *inquiry, gboolean mask)
{
    JsonObject *object = json_object_new(), *answers = json_object_new();
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    const char *serial = plt_inquiry_get_serial(inquiry);
    const char *const secrets[] = {serial, NULL};

    json_object_set_string_member(object, "schema", SCHEMA);
    json_object_set_string_member(object, "program", "Plateau " PLT_VERSION);
    json_object_set_string_member(object, "name", plt_inquiry_get_name(inquiry));
    if (plt_inquiry_get_controller(inquiry) != NULL)
        json_object_set_string_member(object, "controller", plt_inquiry_get_controller(inquiry));
    json_object_set_int_member(object, "taken_us", plt_inquiry_get_time(inquiry));
    json_object_set_boolean_member(object, "masked", mask);
    for (guint i = 0; i < PLT_N_TOPICS; i++) {
        const PltAnswer *answer = plt_inquiry_ask(inquiry, (PltTopic)i);
        g_autoptr(PltAnswer) masked = mask ? plt_replay_mask(answer, (PltTopic)i, secrets) : NULL;

        if (answer->lack != PLT_LACK_BUS)
            json_object_set_object_member(answers, plt_topic_id((PltTopic)i),
                                          answer_to_json(masked != NULL ? masked : answer));
    }
    json_object_set_object_member(object, "answers", answers);
    json_node_take_object(node, object);
    return node;
}

typedef struct {
    PltInquiryBackend base;
    JsonObject *answers;
} ReplayBackend;

/* NULL when the object is malformed. */
static PltAnswer *answer_from_json(JsonObject *object)
{
    const char *missing = json_object_get_string_member_with_default(object, "missing", NULL);
    const char *hex = json_object_get_string_member_with_default(object, "data", NULL);
    gint64 size = json_object_get_int_member_with_default(object, "size", 0);
    gint64 result = json_object_get_int_member_with_default(object, "result", 0);
    JsonNode *document = json_object_get_member(object, "document");
    g_autoptr(PltAnswer) answer = NULL;

    if (missing != NULL) {
        answer = plt_answer_new_lack(plt_lack_from_id(missing));
        answer->detail = g_strdup(json_object_get_string_member_with_default(object, "detail", NULL));
        return g_steal_pointer(&answer);
    }
    if (size < 0 || size > DATA_MAX || result < 0 || result > G_MAXUINT32)
        return NULL;
    answer = plt_answer_new_bytes(
        plt_source_from_id(json_object_get_string_member_with_default(object, "source", NULL)), NULL,
        (guint32)result);
    answer->replayed = TRUE;
    if (document != NULL)
        answer->document = json_node_copy(document);
    if (hex != NULL && (answer->data = plt_bytes_from_hex(hex, (gsize)size)) == NULL)
        return NULL;
    return g_steal_pointer(&answer);
}

static PltAnswer *replay_ask(PltInquiryBackend *backend, PltInquiry *inquiry, PltTopic topic)
{
    ReplayBackend *replay = (ReplayBackend *)backend;
    JsonObject *object = plt_json_object_member(replay->answers, plt_topic_id(topic));

    return object != NULL ? answer_from_json(object) : NULL;
}

static void replay_free(PltInquiryBackend *backend)
{
    ReplayBackend *replay = (ReplayBackend *)backend;

    json_object_unref(replay->answers);
    g_free(replay);
}

/* Every answer is looked at once: a file is refused as a whole, not answer by answer. */
static gboolean check_answers(JsonObject *answers, GError **error)
{
    for (guint i = 0; i < PLT_N_TOPICS; i++) {
        const char *id = plt_topic_id((PltTopic)i);
        JsonObject *object = plt_json_object_member(answers, id);
        g_autoptr(PltAnswer) answer = object != NULL ? answer_from_json(object) : NULL;

        if (json_object_has_member(answers, id) && answer == NULL) {
            g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT,
                        _("the recording is damaged: “%s” is not what it should be"), id);
            return FALSE;
        }
    }
    return TRUE;
}

PltInquiry *plt_replay_new(JsonNode *node, GError **error)
{
    JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    const char *schema =
        object != NULL ? json_object_get_string_member_with_default(object, "schema", NULL) : NULL;
    const char *name =
        object != NULL ? json_object_get_string_member_with_default(object, "name", NULL) : NULL;
    JsonObject *answers = plt_json_object_member(object, "answers");
    ReplayBackend *replay;
    PltInquiry *inquiry;

    if (g_strcmp0(schema, SCHEMA) != 0 || name == NULL || answers == NULL) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT,
                    _("this is no recording of a drive (%s): “plateau-cli show DRIVE --save FILE” makes one"),
                    SCHEMA);
        return NULL;
    }
    if (!check_answers(answers, error))
        return NULL;
    replay = g_new0(ReplayBackend, 1);
    replay->base.ask = replay_ask;
    replay->base.free = replay_free;
    replay->answers = json_object_ref(answers);
    inquiry = plt_inquiry_new_bare("", name);
    plt_inquiry_set_replay(inquiry, json_object_get_string_member_with_default(object, "controller", NULL),
                           json_object_get_int_member_with_default(object, "taken_us", 0));
    plt_inquiry_add(inquiry, &replay->base);
    return inquiry;
}

/* A file of any size, or none at all, may be named. */
static gboolean check_file(const char *path, GError **error)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        int code = errno;

        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE, _("“%s” cannot be read: %s"), path, g_strerror(code));
        return FALSE;
    }
    if (!S_ISREG(status.st_mode) || status.st_size > FILE_MAX) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, _("“%s” is no recording of a drive"), path);
        return FALSE;
    }
    return TRUE;
}

PltInquiry *plt_replay_load(const char *path, GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(GError) problem = NULL;

    if (!check_file(path, error))
        return NULL;
    if (!json_parser_load_from_file(parser, path, &problem)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_FORMAT, _("“%s” is no JSON document: %s"), path,
                    problem->message);
        return NULL;
    }
    return plt_replay_new(json_parser_get_root(parser), error);
}
