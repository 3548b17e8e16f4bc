/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/*
 * An object. Members, each only where it can be read: "program" (version); "cpu" (object: model, sockets,
 * cores, threads, max_mhz); "memory" (bytes); "board"; "kernel"; "distribution", "distribution_short";
 * "governor", "frequency_driver", "energy_preference"; "aspm_policy"; "nvme_poll_queues",
 * "nvme_max_power_latency_us"; "clocksource"; "io_uring_disabled" (0, 1, 2 as the sysctl); "virtual_machine",
 * "container"; "power" ("battery", "mains"), "battery_percent", "power_profile"; "load_1min".
 */
JsonNode *plt_platform_to_json(void);

/* Adds the warnings that the machine deserves now: battery, powersave governor, load, virtual machine. */
void plt_platform_add_warnings(GPtrArray *warnings);

/* "AMD Ryzen 7 7800X3D · Linux 6.12 · Debian 13": the line for captions, from a stored document. */
char *plt_platform_summary(JsonNode *platform);
