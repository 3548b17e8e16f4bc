/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/platform.h"

/* As the public functions, on the tree below ROOT ("" = this machine). */
JsonNode *plt_platform_to_json_at(const char *root);
void plt_platform_add_warnings_at(const char *root, GPtrArray *warnings);

/* Adds "cpu" and what belongs to the processor's power management. */
void plt_processor_add_members(const char *root, JsonObject *platform);

/* The value behind "NAME :" of the first such line in a /proc/cpuinfo text; NULL when there is none. */
char *plt_processor_field(const char *cpuinfo, const char *name);

/* "AMD Ryzen 7 7800X3D 8-Core Processor" without what every such name repeats. */
char *plt_processor_short_name(const char *model);

/* Adds "virtual_machine", "container" where they are so. */
void plt_virtualization_add_members(const char *root, JsonObject *platform);

/* Adds "power": source, battery percentage, profile. */
void plt_power_add_members(const char *root, JsonObject *platform);
