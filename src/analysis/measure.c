/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/measure.h"

#include <stddef.h>

#include "analysis/statistics.h"

static const struct {
    double share;
    const char *key;
} percentiles[PLT_N_PERCENTILES] = {
    [PLT_P50] = {0.5, "p50"},
    [PLT_P90] = {0.9, "p90"},
    [PLT_P95] = {0.95, "p95"},
    [PLT_P99] = {0.99, "p99"},
    [PLT_P99_9] = {0.999, "p99_9"},
    [PLT_P99_99] = {0.9999, "p99_99"},
    [PLT_P99_999] = {0.99999, "p99_999"},
};

double plt_percentile_share(enum plt_percentile p)
{
    return (unsigned)p < PLT_N_PERCENTILES ? percentiles[p].share : 0.0;
}

const char *plt_percentile_key(enum plt_percentile p)
{
    return (unsigned)p < PLT_N_PERCENTILES ? percentiles[p].key : NULL;
}

static struct plt_latency latency_of(const struct plt_histogram *histogram)
{
    struct plt_latency latency = {0};

    if (histogram == NULL || histogram->count == 0)
        return latency;

    latency.min_ns = histogram->min_ns;
    latency.max_ns = histogram->max_ns;
    latency.mean_ns = plt_histogram_mean_ns(histogram);
    for (unsigned p = 0; p < PLT_N_PERCENTILES; p++) {
        latency.percentile_ns[p] = plt_histogram_percentile_ns(histogram, percentiles[p].share);
        latency.reliable[p] = plt_analysis_percentile_reliable(histogram->count, percentiles[p].share);
    }
    return latency;
}

struct plt_measure plt_analysis_measure(uint64_t ios, uint64_t bytes, uint64_t window_ns,
                                        const struct plt_histogram *histogram)
{
    struct plt_measure measure = {.ios = ios, .bytes = bytes, .seconds = (double)window_ns / 1e9};

    /* An empty window has no rate; a division would hand infinity to every chart above. */
    if (window_ns > 0) {
        measure.bandwidth_bps = (double)bytes / measure.seconds;
        measure.iops = (double)ios / measure.seconds;
    }
    measure.latency = latency_of(histogram);
    return measure;
}

double plt_analysis_iops_to_mbps(double iops, uint32_t block)
{
    return iops * block / 1e6;
}

double plt_analysis_mbps_to_iops(double mbps, uint32_t block)
{
    return block > 0 ? mbps * 1e6 / block : 0.0;
}
