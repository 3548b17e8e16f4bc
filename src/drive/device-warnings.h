/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "drive/warning.h"

/* Adds the warnings that the drives NAMES (sysfs names) deserve, with their queues and links. */
void plt_device_add_warnings(const char *root, GPtrArray *names, GPtrArray *warnings);

/* Busy for more than this share of the time watched: a running copy, not the commit of a journal. */
#define PLT_DEVICE_BUSY 0.50

/*
 * The share of 100 ms, which it takes, in which at least one I/O was on its way in the busiest of the drives
 * NAMES. 0 at once in a recorded tree (ROOT not ""), which stands still.
 */
double plt_device_busy(const char *root, GPtrArray *names);

/* Bytes of written data that wait in memory to be stored, on whatever drive. */
guint64 plt_device_waiting(const char *root);
