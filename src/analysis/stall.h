/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "engine/sample.h"

/* Stalls of at least a given length, taken together. */
struct plt_stall_summary {
    size_t count;
    uint64_t total_ns;
    uint64_t longest_ns;
    double share; /* of the window, 0..1; 0 for an empty window */
};

/* Of the N stalls of a window of WINDOW_NS those that last MIN_NS or longer. */
struct plt_stall_summary plt_analysis_stalls(const struct plt_stall *stalls, size_t n, uint64_t window_ns,
                                             uint64_t min_ns);
