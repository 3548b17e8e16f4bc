/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* Words for the documents of plt_device_to_json, in the program's language; newly allocated. */

/* "NVMe", "USB"; NULL for a bus that is not known. */
char *plt_drive_bus_name(const char *bus);

/* The link where it is known ("PCIe 4.0 ×4", "SATA 6 Gbit/s", "USB 10 Gbit/s"), else the bus, else "". */
char *plt_drive_bus_text(JsonObject *device);

/* A link as the document writes it, "PCIe 4.0 x4" or "SATA 6.0 Gbps", for people to read. */
char *plt_drive_link_text(const char *link);

/* "SanDisk Extreme Pro": the model, with its maker where the model does not begin with it; else the name. */
char *plt_drive_title_text(JsonObject *device);
