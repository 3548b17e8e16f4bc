/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * A drive that can be made to stop answering: an ext4 file system on a loop device, mounted nowhere, which a
 * process of its own freezes and thaws. That process thaws it too when ours is gone or 25 s are over, and the
 * device goes with the last descriptor, so nothing is left behind whatever happens.
 */
struct frozen {
    char folder[64]; /* for bed_file */
    char device[32]; /* "/dev/loop7" */
    int mount, backing;
    int to_guard, from_guard;
    int guard; /* pid */
};

/* False, with the case skipped, where it cannot be had: it needs root, loop devices and mkfs.ext4. */
bool frozen_make(struct frozen *frozen);
void frozen_clear(struct frozen *frozen);

/* Return when it is done. */
void frozen_freeze(struct frozen *frozen);
void frozen_thaw(struct frozen *frozen);
