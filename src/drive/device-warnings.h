/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "drive/warning.h"

/* Adds the warnings that the drives NAMES (sysfs names) deserve, with their queues and links. */
void plt_device_add_warnings(const char *root, GPtrArray *names, GPtrArray *warnings);

/*
 * Adds the warnings about others that use the drives now: watches them for 100 ms, and looks at what waits to
 * be written. A recorded tree (ROOT not "") stands still and is only asked for the latter.
 */
void plt_device_add_activity(const char *root, GPtrArray *names, GPtrArray *warnings);
