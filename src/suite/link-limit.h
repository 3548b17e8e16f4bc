/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/*
 * Bytes per second that the links of DRIVES (an array as plt_folder_drives_to_json makes it) carry together
 * each way, after their line code: more cannot come from the drives, whatever stands between them and the
 * folder. 0 where one of them does not say it, or there is none.
 */
guint64 plt_link_limit(JsonNode *drives);

/* TRUE when BYTES in NS, all in one direction, are more than LIMIT allows; never where LIMIT is 0. */
gboolean plt_link_is_exceeded(guint64 limit, guint64 bytes, guint64 ns);
