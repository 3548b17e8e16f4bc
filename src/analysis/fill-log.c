/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/fill-log.h"

#define ENTRIES 1000

/* Bytes up to the end of entry I, from 0. */
static double end_of(const struct plt_fill_log *log, unsigned i)
{
    return (double)log->total * (i + 1) / ENTRIES;
}

void plt_fill_log_add(struct plt_fill_log *log, uint64_t duration_ns, uint64_t bytes, plt_fill_log_func func,
                      void *user)
{
    double before = (double)log->bytes, seconds = (double)duration_ns / 1e9;
    double after = before + (double)bytes;

    while (log->total > 0 && bytes > 0 && log->n < ENTRIES && after >= end_of(log, log->n)) {
        double at = log->seconds + seconds * (end_of(log, log->n) - before) / (double)bytes;
        double length = at - log->entry_seconds;
        struct plt_fill_log_entry entry = {.thousandth = log->n + 1, .seconds = at};

        entry.rate_bps = length > 0 ? (double)log->total / ENTRIES / length : 0;
        log->entry_seconds = at;
        log->n++;
        func(&entry, user);
    }
    log->bytes += bytes;
    log->seconds += seconds;
}
