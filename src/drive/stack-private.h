/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The layer that a device-mapper map with UUID makes: "LUKS", "LVM", …; "device mapper" when nobody signed.
 */
const char *plt_stack_dm_layer(const char *uuid);

/* TRUE for PREFIX and a number: "loop0". */
gboolean plt_stack_is_numbered(const char *name, const char *prefix);

/* What the block device NAME below ROOT is: "drive", "partition", "LUKS", "LVM", "md raid1", … Never NULL. */
char *plt_stack_kind(const char *root, const char *name);
