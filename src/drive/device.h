/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/*
 * What sysfs below ROOT says about the whole drive NAME (a sysfs name: "nvme0n1", "cciss!c0d0"), as an
 * object; the members are listed at plt_folder_drives_to_json. What cannot be read is left out.
 */
JsonObject *plt_device_to_json(const char *root, const char *name);

/* How the drive is reached: "nvme", "sata", "usb", "virtio", "mmc", …; NULL when it cannot be told. */
const char *plt_device_bus(const char *root, const char *name);

/*
 * TRUE when the drive that was there is no longer: unplugged, or given up by its driver. FALSE where that
 * cannot be told.
 */
gboolean plt_device_is_gone(const char *root, const char *name);

/* "cciss!c0d0" as people and /dev write it: "cciss/c0d0". */
char *plt_device_display_name(const char *name);

/*
 * "16.0 GT/s PCIe" and a number of lanes as one text, "PCIe 4.0 x4"; NULL when the speed is unknown. BYTES
 * (may be NULL) gets what the link carries per second each way after its line code, before packet headers.
 */
char *plt_link_text(const char *speed, guint64 width, guint64 *bytes);

/* Adds the members of the drive's PCIe, SATA or USB link. Used by plt_device_to_json. */
void plt_link_add_members(const char *root, const char *name, JsonObject *object);
