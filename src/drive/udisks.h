/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
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
 * Opens the block device at PATH ("/dev/sda"), O_DIRECT, for reading or for reading and writing; for writing
 * with O_EXCL. Without MAY_ASK a password that would be needed is a refusal; with it the call takes as long
 * as the person does. ADDRESS as above. Returns a descriptor that the caller owns, or -1 with one sentence.
 */
int plt_udisks_open_device(const char *address, const char *path, gboolean write, gboolean may_ask,
                           GCancellable *cancellable, GError **error);

/*
 * About the block device NAME ("nvme0n1"), a document with "drive", "nvme", "namespace" and "ata": each the
 * properties of that interface by their own names, where there is one; "nvme" and "ata" with "attributes" as
 * SmartGetAttributes gives them.
 */
PltAnswer *plt_udisks_ask(PltUdisks *udisks, const char *name);
