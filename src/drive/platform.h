/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/*
 * An object: cpu (model, sockets, cores, threads), memory bytes, kernel, distribution, governor, ASPM policy,
 * poll queues, virtual machine or container, power (battery or mains), load, clock source, program version.
 * What cannot be read is left out.
 */
JsonNode *plt_platform_to_json(void);

/* Adds the warnings that the machine deserves now: battery, powersave governor, load, virtual machine. */
void plt_platform_add_warnings(GPtrArray *warnings);

/* "AMD Ryzen 7 7800X3D · Linux 6.12 · Debian 13": the line for captions, from a stored document. */
char *plt_platform_summary(JsonNode *platform);
