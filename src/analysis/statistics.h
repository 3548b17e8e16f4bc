/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Statistics of a series of values, usually the 100 ms samples of one section or the runs of one cell. Units
 * are whatever the caller puts in. An empty series gives 0 everywhere. Nothing here allocates.
 */
struct plt_summary {
    size_t n;
    double min;
    double max;
    double mean;
    double median;
    double p1;        /* what 99 % of the samples reach: nearest rank from below */
    double p0_1;      /* what 99.9 % of the samples reach */
    double stddev;    /* sample standard deviation, n - 1 */
    double variation; /* coefficient of variation: stddev / mean, 0 when the mean is 0 */
    double spread;    /* (max - min) / median, 0 when the median is 0 */
};

/* Sorts VALUES upwards in place. The functions that ask for SORTED values need this first. */
void plt_analysis_sort(double *values, size_t n);

/* Sorts VALUES in place and summarises them. */
struct plt_summary plt_analysis_summarise(double *values, size_t n);

double plt_analysis_mean(const double *values, size_t n);
double plt_analysis_stddev(const double *values, size_t n);

/* Middle value, or the mean of the two middle ones. */
double plt_analysis_median(const double *sorted, size_t n);

/*
 * Nearest rank from below: the ceil(SHARE x n)-th smallest value, the smallest at least. SHARE is 0..1; P0.1
 * of 3000 values is the third smallest.
 */
double plt_analysis_percentile(const double *sorted, size_t n, double share);

/* The place, from 0, of that value among N sorted ones. */
size_t plt_analysis_rank(size_t n, double share);

/*
 * Whether a latency percentile of COUNT I/Os may be printed as a fact: COUNT x (1 - SHARE) >= 10, so at least
 * ten I/Os lie above it.
 */
bool plt_analysis_percentile_reliable(uint64_t count, double share);

/*
 * Slope of the least-squares line through equally spaced values, per sample, x = 0 … n - 1; the form of fio's
 * steady-state check. 0 for fewer than two values.
 */
double plt_analysis_slope(const double *values, size_t n);

/* |slope| per sample in % of the mean, as fio's `bw_slope:10%` compares it. 0 when the mean is 0. */
double plt_analysis_slope_fio_percent(const double *values, size_t n);

/*
 * |slope| x (n - 1), what the line climbs inside the window, in % of the mean: SNIA PTS 2.0.2, where a steady
 * window of 5 rounds stays below 10 %. 0 when the mean is 0.
 */
double plt_analysis_slope_snia_percent(const double *values, size_t n);

/* 100 x P0.1 / mean of the samples: consistency as Samsung defines it for IOPS, here for MB/s as well. */
double plt_analysis_consistency_percent(const double *sorted, size_t n);

/* sum(WEIGHTS[i] x VALUES[i]); weights as in 0.80, 0.15, 0.05 for QD 1, 2, 4. */
double plt_analysis_weighted(const double *values, const double *weights, size_t n);

/* Mean without the first and the last value: a read/write ratio sweep without its two pure ends. */
double plt_analysis_mixed_mean(const double *values, size_t n);

/*
 * Average rate of sections that moved BYTES[i] at RATES[i] each: all bytes by all time, which is not the mean
 * of the rates. A section of rate 0 is left out.
 */
double plt_analysis_average_rate(const double *bytes, const double *rates, size_t n);

/* Little's law: I/Os in flight on average at IOPS a second that take LATENCY_NS each. */
double plt_analysis_queue_depth(double iops, double latency_ns);
