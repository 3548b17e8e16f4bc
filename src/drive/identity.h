/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* Adds vendor, model, serial and firmware of the drive NAME: see drive/device.h. */
void plt_identity_add_members(const char *root, const char *name, JsonObject *object);

/* The NVMe controller ("nvme3") that serves the namespace NAME; their numbers need not match. NULL if none.
 */
char *plt_identity_controller(const char *root, const char *name);

/*
 * A text of ATA IDENTIFY DEVICE: COUNT words from WORD, each with its two characters swapped, padded with
 * blanks (ACS-4, 3.4.9). DATA is the 512-byte page. NULL when there is nothing but blanks.
 */
char *plt_identity_ata_text(const guint8 *data, guint word, guint count);
