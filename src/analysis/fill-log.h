/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

/* One line of the log of a pass: the 0.1 % of the whole that ends here. */
struct plt_fill_log_entry {
    unsigned thousandth; /* 1 to 1000 */
    double seconds;      /* since the pass began */
    double rate_bps;     /* bytes/s within this 0.1 % */
};

/* A pass over TOTAL bytes, after Naraeon's dirty test, which logs the speed each 0.1 % (peers.md 4.6). */
struct plt_fill_log {
    uint64_t total;
    uint64_t bytes;
    double seconds;
    double entry_seconds; /* when the current 0.1 % began */
    unsigned n;           /* entries so far */
};

typedef void (*plt_fill_log_func)(const struct plt_fill_log_entry *entry, void *user);

/*
 * BYTES more in the next DURATION_NS. FUNC is called for each 0.1 % that is full with it; where several end
 * in one sample, its time is shared out by bytes.
 */
void plt_fill_log_add(struct plt_fill_log *log, uint64_t duration_ns, uint64_t bytes, plt_fill_log_func func,
                      void *user);
