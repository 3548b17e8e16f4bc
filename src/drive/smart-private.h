/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/smart.h"

/* The ATA parts of the documents; NULL when they hold no attributes. */
PltSmart *plt_smart_ata_from_udisks(JsonObject *ata);
PltSmart *plt_smart_ata_from_smartctl(JsonObject *document);

/* MEMBER of OBJECT (may be NULL) when it is an object itself; else NULL. Borrowed. */
JsonObject *plt_json_object_member(JsonObject *object, const char *member);
