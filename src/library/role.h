/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The role of a cell in its suite (docs/suites.md), taken apart. ROLE may be NULL, which is none. */

/* The number that ROLE has behind PREFIX ("fill-pass-2" behind "fill-pass-": 2); FALSE when it has none. */
gboolean plt_role_number(const char *role, const char *prefix, guint *number);

/* "ratio-q2-r70": queue depth 2 with 70 % reads. */
gboolean plt_role_ratio(const char *role, guint *queue, guint *read_percent);

/* "reclaim-30s", "reclaim-5min", "reclaim-1h": the rest before it, in seconds. */
gboolean plt_role_reclaim(const char *role, double *rest_s);

/* Is ROLE the NAME itself ("thermal"), or one that begins with it and a hyphen ("thermal-read")? */
gboolean plt_role_is(const char *role, const char *name);
