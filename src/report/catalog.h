/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/error.h"

/*
 * A compiled gettext catalog (.mo, the format of the GNU gettext manual, "The Format of GNU MO Files") as a
 * table of msgid -> text, both UTF-8; a plural entry gives its first form under its singular. FORMAT when it
 * is no catalog, is damaged or not UTF-8.
 */
GHashTable *plt_catalog_load(const char *path, GError **error);
GHashTable *plt_catalog_parse(const char *data, gsize length, GError **error);
