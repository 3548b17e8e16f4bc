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

/* The object of the drive that the block device NAME is on; newly allocated, NULL when it is not known. */
char *plt_udisks_find_drive(PltUdisks *udisks, const char *name);

/* A method of INTERFACE ("Drive.Ata") with the answer of type REPLY; takes floating ARGUMENTS. */
GVariant *plt_udisks_call(PltUdisks *udisks, const char *path, const char *interface, const char *method,
                          GVariant *arguments, const char *reply, int timeout, GError **error);

/* The properties of INTERFACE after the service has looked at the drive; NULL when there is no such one. */
GVariant *plt_udisks_look(PltUdisks *udisks, const char *path, const char *interface);

/* a{sv} with what the service needs to know of a call; floating. */
GVariant *plt_udisks_options(gboolean may_ask, gint32 flags);

/* The service's error NAME ("NotAuthorized"), or one that begins so. */
gboolean plt_udisks_is_error(const GError *error, const char *name);
