/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

#include "engine/workload.h"

struct plt_sample_op {
    uint64_t ios;
    uint64_t bytes;
    uint64_t lat_sum_ns;
    uint64_t lat_min_ns; /* 0 when ios is 0 */
    uint64_t lat_max_ns;
};

/*
 * What completed in one tick of the measured window, over all threads. Samples follow each other without a
 * hole: a tick in which nothing completed is a sample with zero I/Os. Times are ns since the window's start.
 */
struct plt_sample {
    uint64_t index;       /* tick number, from 0 */
    uint64_t duration_ns; /* the tick length; the last one of a run may be shorter */
    uint64_t first_ns;    /* first and last completion in the tick; meaningless when no I/O completed */
    uint64_t last_ns;
    uint64_t oldest_ns; /* age of the oldest I/O still in flight at the tick's end */
    uint32_t inflight;  /* I/Os in flight at the tick's end */
    struct plt_sample_op op[PLT_N_OPS];
};

/* At least PLT_STALL_MIN_NS without any completion while I/O was in flight. */
struct plt_stall {
    uint64_t start_ns; /* since the window's start */
    uint64_t length_ns;
    uint32_t inflight;
};

#define PLT_STALL_MIN_NS UINT64_C(200000000)
