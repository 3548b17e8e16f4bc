/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/answer.h"

#include <glib/gi18n-lib.h>

static const struct {
    const char *id, *title;
} topics[PLT_N_TOPICS] = {
    [PLT_TOPIC_DEVICE] = {"device", N_("the kernel's facts")},
    [PLT_TOPIC_SENSORS] = {"sensors", N_("temperature sensors")},
    [PLT_TOPIC_LINK] = {"link", N_("power saving of the link")},
    [PLT_TOPIC_PCI_CONFIG] = {"pci-config", N_("payload and request size of the link")},
    [PLT_TOPIC_PORT_CONFIG] = {"port-config", N_("the slot's side of the link")},
    [PLT_TOPIC_ATA_IDENTIFY] = {"ata-identify", N_("ATA identification")},
    [PLT_TOPIC_CONTROLLER] = {"controller", N_("power states and abilities")},
    [PLT_TOPIC_NAMESPACE] = {"namespace", N_("LBA formats")},
    [PLT_TOPIC_NAMESPACES] = {"namespaces", N_("list of namespaces")},
    [PLT_TOPIC_LOG_PAGES] = {"log-pages", N_("list of log pages")},
    [PLT_TOPIC_SMART_LOG] = {"smart-log", N_("full health log")},
    [PLT_TOPIC_ERROR_LOG] = {"error-log", N_("error log")},
    [PLT_TOPIC_FIRMWARE_LOG] = {"firmware-log", N_("firmware slots")},
    [PLT_TOPIC_SELF_TEST_LOG] = {"self-test-log", N_("self-test log")},
    [PLT_TOPIC_SANITIZE_LOG] = {"sanitize-log", N_("sanitize status")},
    [PLT_TOPIC_OCP_LOG] = {"ocp-log", N_("OCP health log")},
    [PLT_TOPIC_POWER_STATE] = {"power-state", N_("active power state")},
    [PLT_TOPIC_APST] = {"apst", N_("autonomous power state transitions")},
    [PLT_TOPIC_TEMPERATURE_MAX] = {"temperature-max", N_("upper temperature threshold")},
    [PLT_TOPIC_TEMPERATURE_MIN] = {"temperature-min", N_("lower temperature threshold")},
    [PLT_TOPIC_WRITE_CACHE] = {"write-cache", N_("write cache setting")},
    [PLT_TOPIC_HOST_MEMORY] = {"host-memory", N_("host memory buffer")},
    [PLT_TOPIC_THERMAL] = {"thermal", N_("thermal management by the host")},
    [PLT_TOPIC_UDISKS] = {"udisk"
                          "s",
                          N_("what UDisks2 knows")},
    [PLT_TOPIC_SMARTCTL] = {"s"
                            "m"
                            "a"
                            "r"
                            "t"
                            "c"
                            "t"
                            "l",
                            N_("what smartctl reads")},
};

static const char *const source_ids[] = {
    [PLT_SOURCE_NONE] = "none",     [PLT_SOURCE_SYSFS] = "sysfs",       [PLT_SOURCE_UDISKS] = "udisks",
    [PLT_SOURCE_DIRECT] = "direct", [PLT_SOURCE_SMARTCTL] = "smartctl",
};

static const char *const lack_ids[] = {
    [PLT_LACK_NONE] = "none",
    [PLT_LACK_BUS] = "bus",
    [PLT_LACK_DRIVE] = "drive",
    [PLT_LACK_PERMISSION] = "permission",
    [PLT_LACK_KERNEL] = "kernel",
    [PLT_LACK_SERVICE] = "service",
    [PLT_LACK_SERVICE_OLD] = "service-old",
    [PLT_LACK_TOOL] = "tool",
    [PLT_LACK_RECORD] = "record",
    [PLT_LACK_FAILED] = "failed",
};

PltAnswer *plt_answer_new_bytes(PltSource source, GBytes *data, guint32 result)
{
    PltAnswer *answer = g_new0(PltAnswer, 1);

    answer->source = source;
    answer->data = data;
    answer->result = result;
    return answer;
}

PltAnswer *plt_answer_new_document(PltSource source, JsonNode *document)
{
    PltAnswer *answer = g_new0(PltAnswer, 1);

    answer->source = source;
    answer->document = document;
    return answer;
}

PltAnswer *plt_answer_new_lack(PltLack lack)
{
    PltAnswer *answer = g_new0(PltAnswer, 1);

    answer->lack = lack;
    return answer;
}

PltAnswer *plt_answer_new_failure(const char *format, ...)
{
    PltAnswer *answer = plt_answer_new_lack(PLT_LACK_FAILED);
    va_list arguments;

    va_start(arguments, format);
    answer->detail = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return answer;
}

void plt_answer_free(PltAnswer *answer)
{
    if (answer == NULL)
        return;
    g_free(answer->detail);
    g_clear_pointer(&answer->data, g_bytes_unref);
    g_clear_pointer(&answer->document, json_node_unref);
    g_free(answer);
}

PltBytes plt_answer_bytes(const PltAnswer *answer)
{
    PltBytes bytes = {NULL, 0};

    if (answer->data != NULL)
        bytes.data = g_bytes_get_data(answer->data, &bytes.size);
    return bytes;
}

JsonObject *plt_answer_object(const PltAnswer *answer)
{
    if (answer->document == NULL || !JSON_NODE_HOLDS_OBJECT(answer->document))
        return NULL;
    return json_node_get_object(answer->document);
}

JsonArray *plt_answer_array(const PltAnswer *answer)
{
    if (answer->document == NULL || !JSON_NODE_HOLDS_ARRAY(answer->document))
        return NULL;
    return json_node_get_array(answer->document);
}

gboolean plt_answer_is_there(const PltAnswer *answer)
{
    return answer->lack == PLT_LACK_NONE;
}

const char *plt_topic_id(PltTopic topic)
{
    return topics[topic].id;
}

gboolean plt_topic_from_id(const char *id, PltTopic *topic)
{
    for (guint i = 0; i < PLT_N_TOPICS; i++) {
        if (g_strcmp0(topics[i].id, id) == 0) {
            *topic = (PltTopic)i;
            return TRUE;
        }
    }
    return FALSE;
}

const char *plt_topic_title(PltTopic topic)
{
    return _(topics[topic].title);
}

const char *plt_source_id(const PltAnswer *answer)
{
    return answer->replayed ? "replay" : source_ids[answer->source];
}

PltSource plt_source_from_id(const char *id)
{
    for (guint i = 0; i < G_N_ELEMENTS(source_ids); i++) {
        if (g_strcmp0(id, source_ids[i]) == 0)
            return (PltSource)i;
    }
    return PLT_SOURCE_NONE;
}

const char *plt_source_text(const char *id)
{
    static const struct {
        const char *id, *text;
    } texts[] = {
        {"sysfs", N_("known to the kernel")},  {"udisks", N_("read by UDisks2")},
        {"direct", N_("read from the drive")}, {"smartctl", N_("read by smartctl")},
        {"replay", N_("from a recording")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (g_strcmp0(id, texts[i].id) == 0)
            return _(texts[i].text);
    }
    return "";
}

const char *plt_lack_id(PltLack lack)
{
    return lack_ids[lack];
}

PltLack plt_lack_from_id(const char *id)
{
    for (guint i = 1; i < G_N_ELEMENTS(lack_ids); i++) {
        if (g_strcmp0(id, lack_ids[i]) == 0)
            return (PltLack)i;
    }
    return PLT_LACK_RECORD;
}

char *plt_answer_reason(const PltAnswer *answer)
{
    switch (answer->lack) {
    case PLT_LACK_NONE:
    case PLT_LACK_BUS:
        return NULL;
    case PLT_LACK_DRIVE:
        return g_strdup(_("The drive does not have it"));
    case PLT_LACK_PERMISSION:
        return g_strdup(_("Only root can read it: use sudo"));
    case PLT_LACK_KERNEL:
        return g_strdup(
            _("This kernel does not pass it on to ordinary users: use sudo, or Linux 6.2 or later"));
    case PLT_LACK_SERVICE:
        return g_strdup(_("The UDisks2 service is not there: install or start it, or ask as root"));
    case PLT_LACK_SERVICE_OLD:
        return g_strdup(
            _("This version of UDisks2 does not know it: ask as root, or install UDisks2 2.10 or later"));
    case PLT_LACK_TOOL:
        return g_strdup(_("The program smartctl is not installed: install smartmontools"));
    case PLT_LACK_RECORD:
        return g_strdup(_("The recording does not have it"));
    case PLT_LACK_FAILED:
        return g_strdup(answer->detail != NULL ? answer->detail : _("It could not be read"));
    }
    return NULL;
}
