/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "drive/bytes.h"

/*
 * One thing that a drive, or the system about it, says: with where it comes from, or why it is not there. The
 * ids of the topics are names in recordings and in documents; they stay.
 */
typedef enum {
    PLT_TOPIC_DEVICE,          /* document: plt_device_to_json */
    PLT_TOPIC_SENSORS,         /* document: array of label, celsius, warning, critical */
    PLT_TOPIC_LINK,            /* document: what sysfs says about the PCIe link's power */
    PLT_TOPIC_PCI_CONFIG,      /* bytes: configuration space of the drive, from 64 to 256 */
    PLT_TOPIC_PORT_CONFIG,     /* bytes: the same of the port above it */
    PLT_TOPIC_ATA_IDENTIFY,    /* bytes: IDENTIFY DEVICE, 512 */
    PLT_TOPIC_CONTROLLER,      /* bytes: NVMe Identify Controller, 4096 */
    PLT_TOPIC_NAMESPACE,       /* bytes: NVMe Identify Namespace of this drive, 4096 */
    PLT_TOPIC_NAMESPACES,      /* bytes: list of active namespaces, 4096 */
    PLT_TOPIC_LOG_PAGES,       /* bytes: supported log pages, 1024 */
    PLT_TOPIC_SMART_LOG,       /* bytes: SMART / Health Information, 512 */
    PLT_TOPIC_ERROR_LOG,       /* bytes: Error Information, 64 an entry */
    PLT_TOPIC_FIRMWARE_LOG,    /* bytes: Firmware Slot Information, 512 */
    PLT_TOPIC_SELF_TEST_LOG,   /* bytes: Device Self-test, 564 */
    PLT_TOPIC_SANITIZE_LOG,    /* bytes: Sanitize Status, 512 */
    PLT_TOPIC_OCP_LOG,         /* bytes: OCP SMART extended (C0h), 512 */
    PLT_TOPIC_POWER_STATE,     /* result: feature 02h */
    PLT_TOPIC_APST,            /* result and 256 bytes: feature 0Ch */
    PLT_TOPIC_TEMPERATURE_MAX, /* result: feature 04h, over-temperature threshold of the whole drive */
    PLT_TOPIC_TEMPERATURE_MIN, /* result: feature 04h, under-temperature threshold */
    PLT_TOPIC_WRITE_CACHE,     /* result: feature 06h */
    PLT_TOPIC_HOST_MEMORY,     /* result and 4096 bytes: feature 0Dh */
    PLT_TOPIC_THERMAL,         /* result: feature 10h, host controlled thermal management */
    PLT_TOPIC_UDISKS,          /* document: properties of the drive's UDisks2 objects */
    PLT_TOPIC_SMARTCTL,        /* document: smartctl --json -x */
    PLT_N_TOPICS,
} PltTopic;

typedef enum {
    PLT_SOURCE_NONE,
    PLT_SOURCE_SYSFS,    /* kernel files that everybody may read */
    PLT_SOURCE_UDISKS,   /* the UDisks2 service */
    PLT_SOURCE_DIRECT,   /* a command to the drive */
    PLT_SOURCE_SMARTCTL, /* the program smartctl */
} PltSource;

/* Why there is no answer; each has one sentence that says what would help. */
typedef enum {
    PLT_LACK_NONE,
    PLT_LACK_BUS,         /* not a thing of drives on this bus */
    PLT_LACK_DRIVE,       /* the drive does not have it */
    PLT_LACK_PERMISSION,  /* root can read it */
    PLT_LACK_KERNEL,      /* this kernel does not let it through, or was built without it */
    PLT_LACK_SERVICE,     /* UDisks2 is not there */
    PLT_LACK_SERVICE_OLD, /* UDisks2 is there and does not know it */
    PLT_LACK_TOOL,        /* smartctl is not installed */
    PLT_LACK_RECORD,      /* the recording does not have it */
    PLT_LACK_FAILED,      /* it was asked for and went wrong: see the detail */
} PltLack;

typedef struct {
    PltSource source;  /* NONE when there is none */
    gboolean replayed; /* out of a recording; SOURCE is where the recording had it from */
    PltLack lack;
    char *detail;       /* with LACK_FAILED: what was said; else NULL */
    GBytes *data;       /* may be NULL */
    guint32 result;     /* dword 0 of the completion of an NVMe command */
    JsonNode *document; /* may be NULL */
} PltAnswer;

PltAnswer *plt_answer_new_bytes(PltSource source, GBytes *data, guint32 result); /* takes DATA; may be NULL */
PltAnswer *plt_answer_new_document(PltSource source, JsonNode *document);        /* takes DOCUMENT */
PltAnswer *plt_answer_new_lack(PltLack lack);
PltAnswer *plt_answer_new_failure(const char *format, ...) G_GNUC_PRINTF(1, 2);
void plt_answer_free(PltAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltAnswer, plt_answer_free)

/* Its bytes, empty when it has none. */
PltBytes plt_answer_bytes(const PltAnswer *answer);

/* Its document when it is an object (an array); else NULL. Borrowed. */
JsonObject *plt_answer_object(const PltAnswer *answer);
JsonArray *plt_answer_array(const PltAnswer *answer);

gboolean plt_answer_is_there(const PltAnswer *answer);

/* "smart-log" and the like; a stable name. */
const char *plt_topic_id(PltTopic topic);

/* FALSE when there is no topic of that name. */
gboolean plt_topic_from_id(const char *id, PltTopic *topic);

/* "error log": for a sentence, in the program's language. */
const char *plt_topic_title(PltTopic topic);

/* "sysfs", "udisks", "direct", "smartctl", "replay". */
const char *plt_source_id(const PltAnswer *answer);
PltSource plt_source_from_id(const char *id);

/* "read from the drive": what such an id means, in the program's language; borrowed. */
const char *plt_source_text(const char *id);

/* "permission" and the like. */
const char *plt_lack_id(PltLack lack);
PltLack plt_lack_from_id(const char *id);

/* A sentence that says why and what would help, without a full stop, in the program's language; NULL for a
 * topic that this drive just has not. Newly allocated. */
char *plt_answer_reason(const PltAnswer *answer);
