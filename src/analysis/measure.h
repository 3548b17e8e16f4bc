/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/histogram.h"
#include "engine/sample.h"

enum plt_percentile {
    PLT_P50,
    PLT_P90,
    PLT_P95,
    PLT_P99,
    PLT_P99_9,
    PLT_P99_99,
    PLT_P99_999,
    PLT_N_PERCENTILES,
};

/* The share (0..1) that an enum value stands for, and its key in files: "p99_9". */
double plt_percentile_share(enum plt_percentile p);
const char *plt_percentile_key(enum plt_percentile p);

struct plt_latency {
    uint64_t min_ns;
    uint64_t max_ns;
    double mean_ns;
    double percentile_ns[PLT_N_PERCENTILES];
    /* count x (1 - p) >= 10, so that at least ten I/Os stand above it (methods.md 0); else shown greyed */
    bool reliable[PLT_N_PERCENTILES];
};

/* The figures of one measured window. Rates are decimal: bandwidth in bytes/s, MB/s = 10^6 of them. */
struct plt_measure {
    uint64_t ios;
    uint64_t bytes;
    double seconds;
    double bandwidth_bps;
    double iops;
    struct plt_latency latency;
};

/* Figures of IOS I/Os and BYTES bytes in WINDOW_NS, latencies from HISTOGRAM (may be NULL: all 0). */
struct plt_measure plt_analysis_measure(uint64_t ios, uint64_t bytes, uint64_t window_ns,
                                        const struct plt_histogram *histogram);

/* MB/s (10^6 bytes/s) of IOPS I/Os of BLOCK bytes a second, and back. */
double plt_analysis_iops_to_mbps(double iops, uint32_t block);
double plt_analysis_mbps_to_iops(double mbps, uint32_t block);
