/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/stall.h"

struct plt_stall_summary plt_analysis_stalls(const struct plt_stall *stalls, size_t n, uint64_t window_ns,
                                             uint64_t min_ns)
{
    struct plt_stall_summary summary = {0};

    for (size_t i = 0; i < n; i++) {
        if (stalls[i].length_ns < min_ns)
            continue;
        summary.count++;
        summary.total_ns += stalls[i].length_ns;
        if (stalls[i].length_ns > summary.longest_ns)
            summary.longest_ns = stalls[i].length_ns;
    }
    if (window_ns > 0)
        summary.share = (double)summary.total_ns / (double)window_ns;
    return summary;
}
