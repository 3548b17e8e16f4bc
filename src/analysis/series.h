/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How fast something went over time: bytes in equal slices of 100 ms, however the samples were cut. Samples
 * of 10 ms are put together and merged ones are spread, so that a percentile of slices means the same in
 * every run. Four bytes a slice: 48 h are 7 MB.
 */
#define PLT_SERIES_SLICE_NS UINT64_C(100000000)

/* A slice counts in units of 512 bytes: exact for every block size, and good for 21 TB/s. */
#define PLT_SERIES_UNIT 512.0

struct plt_series {
    uint32_t *units;      /* of each slice; owned */
    size_t n;             /* whole slices */
    size_t room;          /* slices that units has space for */
    uint64_t bytes;       /* of everything added, with the last slice that is not whole */
    uint64_t duration_ns; /* likewise */
    double open_bytes;    /* of the slice that is being filled */
    uint64_t open_ns;     /* how much of it has gone by */
    bool failed;          /* no memory: figures would be wrong, so there are none */
};

/* An empty series; plt_series_clear frees what it came to hold and leaves it empty. */
void plt_series_init(struct plt_series *series);
void plt_series_clear(struct plt_series *series);

/* BYTES that were moved in the next DURATION_NS. A time without any is added as 0, never left out. */
void plt_series_add(struct plt_series *series, uint64_t duration_ns, uint64_t bytes);

/* Bytes/s of slice I. */
double plt_series_rate(const struct plt_series *series, size_t i);

/* Bytes of slices FROM to TO - 1. */
double plt_series_sum(const struct plt_series *series, size_t from, size_t to);

/* Median, in bytes/s, of N slices in UNITS, which are sorted in place; 0 for none, or without memory. */
double plt_series_median(uint32_t *units, size_t n);

/*
 * The figures of a part of a series. The average is all bytes by all time; median and the low percentiles are
 * of the 100 ms slices, nearest rank from below (methods.md 0). All in bytes/s, 0 for an empty section.
 */
struct plt_section {
    double bytes;
    double seconds;
    double average_bps;
    double median_bps;
    double p1_bps;   /* what 99 % of the slices reach: the "lower 1 %" of reviews */
    double p0_1_bps; /* what 99.9 % of them reach */
    double min_bps;
    double max_bps;
};

/* Slices FROM to TO - 1 of SERIES. */
struct plt_section plt_analysis_section(const struct plt_series *series, size_t from, size_t to);

/* The whole series, with its last slice that is not whole in bytes, seconds and average. */
struct plt_section plt_analysis_section_all(const struct plt_series *series);

/* Share, 0..1, of the slices that are below half of the average of all; 0 for an empty series. */
double plt_analysis_share_below_half(const struct plt_series *series);
