/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "drive/answer.h"

/*
 * What the UDisks2 service says about all drives, over D-Bus and without its client library. It reads health
 * as root for users who are not, and asks nobody for a password for it. One snapshot for all drives of a
 * list; not to be used by two threads at once.
 */
typedef struct plt_udisks PltUdisks;

/* Connects and takes the snapshot. Never NULL: where the bus or the service is not there, or does not answer
 * within a few seconds, every answer says so. ADDRESS: of the bus, NULL = the system's. */
PltUdisks *plt_udisks_new(const char *address);
PltUdisks *plt_udisks_ref(PltUdisks *udisks);
void plt_udisks_unref(PltUdisks *udisks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltUdisks, plt_udisks_unref)

/*
 * About the block device NAME ("nvme0n1"), a document with "drive", "nvme", "namespace" and "ata": each the
 * properties of that interface by their own names, where there is one; "nvme" and "ata" with "attributes" as
 * SmartGetAttributes gives them.
 */
PltAnswer *plt_udisks_ask(PltUdisks *udisks, const char *name);
