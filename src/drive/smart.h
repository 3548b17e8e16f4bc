/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/inquiry.h"
#include "drive/wide.h"

/*
 * The health attributes of a drive at one moment, in one shape whoever read them, that can be kept as JSON
 * and compared with those of another moment. Values are raw: what people read is made by plt_smart_text.
 */
typedef enum {
    PLT_SMART_NVME,
    PLT_SMART_ATA,
} PltSmartKind;

typedef struct {
    char *id;   /* NVMe: nvme-cli's name ("percent_used"); ATA: "ata_5" */
    char *name; /* ATA: what the reader calls it ("Reallocated_Sector_Ct"); NULL for NVMe */
    PltWide raw;
    int value, worst, threshold; /* ATA, normalized; -1 = not said, always so for NVMe */
    gboolean prefail;            /* ATA: its failure announces the drive's */
    gboolean failed_before;      /* ATA: was at its threshold once */
} PltSmartAttribute;

typedef struct {
    PltSmartKind kind;
    PltSource source;
    gboolean replayed;
    gint64 taken_us;            /* unix µs */
    int passed;                 /* the drive's own verdict: 1, 0, or -1 where it was not asked */
    int endurance_used_percent; /* ATA device statistics; -1 = not said */
    GPtrArray *attributes;      /* PltSmartAttribute, in the order of the standard or the drive */
} PltSmart;

PltSmart *plt_smart_new(PltSmartKind kind);
void plt_smart_free(PltSmart *smart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltSmart, plt_smart_free)

/*
 * By the best way there is: the drive's own log, UDisks2, smartctl. NULL where there is none: *REASON (newly
 * allocated, may be NULL when nobody knows) then says why. What a way does not tell has no attribute.
 */
PltSmart *plt_smart_read(PltInquiry *inquiry, char **reason);

/* The same, but by no way that could wake a sleeping disk: for lists. */
PltSmart *plt_smart_peek(PltInquiry *inquiry, char **reason);

/* NULL when BYTES is no SMART / Health Information log (512 bytes, not all zero). */
PltSmart *plt_smart_from_nvme_log(PltBytes bytes);

/* From the documents of those topics; NULL when they hold no attributes. */
PltSmart *plt_smart_from_udisks(JsonObject *document);
PltSmart *plt_smart_from_smartctl(JsonObject *document);

/* NULL when SMART has no such attribute. Borrowed. */
const PltSmartAttribute *plt_smart_find(const PltSmart *smart, const char *id);

/* The raw value; FALSE when there is none. */
gboolean plt_smart_get(const PltSmart *smart, const char *id, guint64 *value);

/* Adds one at the end; borrowed. */
PltSmartAttribute *plt_smart_add(PltSmart *smart, const char *id, PltWide raw);

/* The number in "ata_5"; 0 for others. */
guint plt_smart_ata_id(const PltSmartAttribute *attribute);

/* "plateau.smart/1": see docs/drive-report.md. */
JsonNode *plt_smart_to_json(const PltSmart *smart);
PltSmart *plt_smart_from_json(JsonNode *node, GError **error);

/* What has changed between two looks. */
typedef struct {
    const PltSmartAttribute *before, *after; /* borrowed from the two; one may be NULL */
    PltWide distance;                        /* of the raw values */
    gboolean less;                           /* AFTER is the smaller */
} PltSmartChange;

/* PltSmartChange of all attributes that differ, in the order of AFTER. Both must outlive it. */
GArray *plt_smart_difference(const PltSmart *before, const PltSmart *after);

/* For people, in the program's language, newly allocated unless said otherwise. */
const char *plt_smart_title(const PltSmartAttribute *attribute); /* borrowed; "Percentage used" */
const char *
plt_smart_explanation(const PltSmartAttribute *attribute); /* borrowed; one sentence, NULL unknown */
char *plt_smart_text(const PltSmartAttribute *attribute);  /* "38 °C", "12.3 TB", "5" */
char *plt_smart_change_text(const PltSmartChange *change); /* "+1.2 GB", "-3 °C" */

/* Words for the bits of the critical warning, joined by ", "; "none" for 0. */
char *plt_smart_warning_text(guint64 bits);
