/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/guard.h"

PltGuardDevice *plt_guard_device_new(const char *name, const char *parent);
void plt_guard_device_free(PltGuardDevice *device);
PltGuardFacts *plt_guard_facts_new(void);

/* DETAIL is what could not be read; the first one stays. */
void plt_guard_be_unsure(PltGuardFacts *facts, const char *detail);

/* Fills mounts of FACTS' devices from the mount tables of all processes that can be seen below ROOT. */
void plt_guard_look_for_mounts(const char *root, PltGuardFacts *facts);

/* Likewise swap space: what is active, and what the system would resume from. */
void plt_guard_look_for_swap(const char *root, PltGuardFacts *facts);

/* Likewise programs other than this one that have a device open for writing. */
void plt_guard_look_for_users(const char *root, PltGuardFacts *facts);

/* Fills content and label: from udev's notes, or from the device itself where there are none. */
void plt_guard_look_for_content(const char *root, PltGuardDevice *device);

/* The device among FACTS' that PATH means ("/dev/sda1", "/dev/mapper/x", links followed); NULL if none. */
PltGuardDevice *plt_guard_find_path(const char *root, PltGuardFacts *facts, const char *path);

/* The one with the number "MAJOR:MINOR"; NULL if none. */
PltGuardDevice *plt_guard_find_number(const char *root, PltGuardFacts *facts, const char *number);
