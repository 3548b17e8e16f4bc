/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdio.h>

#include "invariants.h"
#include "options.h"
#include "target.h"

/* Everything that is known after a load. */
struct load_outcome {
    const struct load_options *options;
    const struct load_target *target;
    const struct plt_engine_result *result;
    const struct load_invariant *invariants;
    size_t n_invariants;
    const struct plt_sample *samples;
    size_t n_samples;
    uint64_t live_gap_max_ns; /* longest time between two samples handed over, by the receiver's clock */
    uint64_t stop_ns;         /* from the signal that ended the load to its end, 0 = there was none */
};

/* Writes OUTCOME as one JSON object and a line feed. Keys carry their units; docs are in the bench's README.
 */
void load_print(FILE *out, const struct load_outcome *outcome);
