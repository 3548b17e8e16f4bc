/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "drive/udisks.h"

/* For what the service has in memory. */
#define PLT_UDISKS_TIMEOUT_MS 5000

/* A connection of our own to the bus at ADDRESS, NULL = the system's: the shared one ends the program when
 * the bus goes away. */
GDBusConnection *plt_udisks_connect(const char *address, GError **error);

/* The service is not installed, or could not be started. */
gboolean plt_udisks_is_absent(const GError *error);
