/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "options.h"

struct load_target {
    struct plt_engine_target engine;
    const char *kind; /* "file", "block" or "nop" */
};

/*
 * Opens what OPTIONS names. A block device other than an unused loop or zram device is opened for reading
 * only. Contents are overwritten only when --overwrite was given. False when refused; the reason, one
 * sentence, is in REASON.
 */
bool load_target_open(struct load_target *target, const struct load_options *options, char *reason,
                      size_t size);
void load_target_close(struct load_target *target);
