/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* Short texts out of the documents of a run. Each is newly allocated, or NULL where nothing is known. */

/* "Samsung SSD 990 PRO 2TB", or several models joined by " + "; DRIVE is one object or an array of them.
 * A drive without a model is called by its device name. */
char *plt_document_drive(JsonNode *drive);

/* The folder or device that was measured. */
char *plt_document_target(JsonNode *target);

/* The object NODE or, of an array, its first one; NULL when it is neither. Belongs to NODE, which may be
 * NULL. */
JsonObject *plt_document_object(JsonNode *node);

/* Members of an object (or of NODE's first object if it is an array), NULL or 0 where there is none. */
const char *plt_document_string(JsonNode *node, const char *member);
const char *plt_document_member_string(JsonNode *node, const char *object, const char *member);
gint64 plt_document_int(JsonNode *node, const char *member);

/* A copy of NODE with valid UTF-8 in every text, and null for a number that is none (NAN, infinity). */
JsonNode *plt_document_copy(JsonNode *node);

/*
 * NODE as JSON text that every reader takes: valid UTF-8 whatever bytes a name had, null for a number that is
 * none. NULL for NULL.
 */
char *plt_document_text(JsonNode *node);

/* "1 GiB", "512 MiB", "1536 KiB", "512 B": the largest binary unit that divides BYTES. */
char *plt_document_size(guint64 bytes);
