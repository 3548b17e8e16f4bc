/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "drive/warning.h"

/*
 * Adds the warnings that the drives NAMES (sysfs names) deserve, with their queues and links. Watches them
 * for 100 ms to see whether somebody else uses them; a recorded tree (ROOT not "") stands still.
 */
void plt_device_add_warnings(const char *root, GPtrArray *names, GPtrArray *warnings);
