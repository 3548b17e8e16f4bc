/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/smart.h"

/*
 * One word for the health of a drive, by the rules of CrystalDiskInfo 9 (CheckDiskStatus) with its default
 * limits, so that it can be compared with what other reviewers show; besides, a drive that calls itself
 * failing is bad. Notices of single attributes follow GSmartControl. Pure functions.
 */
typedef enum {
    PLT_VERDICT_UNKNOWN, /* no attributes, or those of a virtual drive */
    PLT_VERDICT_GOOD,
    PLT_VERDICT_CAUTION,
    PLT_VERDICT_BAD,
} PltVerdict;

typedef struct {
    PltVerdict verdict;
    int life_percent;   /* left of the rated endurance, 0 to 100; -1 = not known */
    GPtrArray *reasons; /* char *: sentences in the program's language; empty for a good drive */
} PltHealth;

/* SMART may be NULL: unknown. MODEL may be NULL. */
PltHealth *plt_health_judge(const PltSmart *smart, const char *model, gboolean rotational);
void plt_health_free(PltHealth *health);

/* Members "verdict", "life_percent" (where known) and "reasons" of OBJECT. */
void plt_health_add_to_json(const PltHealth *health, JsonObject *object);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltHealth, plt_health_free)

/* "good", "caution", "bad", "unknown": stable; and the word for people, borrowed. */
const char *plt_verdict_id(PltVerdict verdict);
const char *plt_verdict_text(PltVerdict verdict);

typedef enum {
    PLT_LEVEL_NONE,
    PLT_LEVEL_NOTICE,
    PLT_LEVEL_WARNING,
    PLT_LEVEL_ALERT,
} PltLevel;

/* Whether ATTRIBUTE of SMART stands out; *NOTE (borrowed, may be NULL) says why in a few words. */
PltLevel plt_health_level(const PltSmart *smart, const PltSmartAttribute *attribute, const char **note);

/* TRUE for a model that only a virtual machine shows. */
gboolean plt_health_is_virtual(const char *model);

/* What is left of an ATA SSD's endurance by its vendor's attribute; -1 where none is known. */
int plt_health_ata_life(const PltSmart *smart, const char *model);
