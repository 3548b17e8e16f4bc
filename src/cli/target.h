/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/target.h"

/* How the command line names what is measured. */
typedef struct {
    gboolean allow_memory; /* --allow-memory */
    char *range;           /* --range OFFSET+LENGTH, or NULL */
    char *erase;           /* --erase SERIAL, or NULL */
} PltTargetOptions;

/*
 * TEXT is a folder, or a drive: a node below /dev, a kernel's name, an NVMe controller, a serial number. With
 * --erase it is confirmed. NULL with one sentence that names the option where that is all that is missing.
 */
PltTarget *plt_target_choose(const char *text, const PltTargetOptions *options, GError **error);
