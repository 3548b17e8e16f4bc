/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/statistics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

void plt_analysis_sort(double *values, size_t n)
{
    if (n > 16) {
        qsort(values, n, sizeof(*values), compare_doubles);
        return;
    }
    /* Few values come by the hundred thousand: a call per comparison would be most of the time. */
    for (size_t i = 1; i < n; i++) {
        double value = values[i];
        size_t k = i;

        for (; k > 0 && values[k - 1] > value; k--)
            values[k] = values[k - 1];
        values[k] = value;
    }
}

double plt_analysis_mean(const double *values, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return n > 0 ? sum / (double)n : 0;
}

double plt_analysis_stddev(const double *values, size_t n)
{
    double mean = plt_analysis_mean(values, n);
    double sum = 0;

    if (n < 2)
        return 0;

    /* Around the mean, not sum of squares less square of sums: rates of 10^10 B/s would cancel to noise. */
    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (double)(n - 1));
}

double plt_analysis_median(const double *sorted, size_t n)
{
    if (n == 0)
        return 0;
    if (n % 2 == 1)
        return sorted[n / 2];
    return sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
}

size_t plt_analysis_rank(size_t n, double share)
{
    double rank;

    if (n == 0)
        return 0;

    /*
     * SHARE as a double is off by up to half an ulp and the product by another half: 0.07 x 100 comes out
     * above 7, and its ceiling would be 8. Two ulps back undo that and are far below 1 / n for any n that
     * fits into memory.
     */
    rank = ceil(share * (double)n * (1 - 2 * DBL_EPSILON));
    if (!(rank >= 1))
        return 0;
    return rank >= (double)n ? n - 1 : (size_t)rank - 1;
}

double plt_analysis_percentile(const double *sorted, size_t n, double share)
{
    return n > 0 ? sorted[plt_analysis_rank(n, share)] : 0;
}

bool plt_analysis_percentile_reliable(uint64_t count, double share)
{
    /*
     * 1 - 0.99999 carries a relative error near 10^-11, while one I/O more or less at that threshold (10^6)
     * changes the product by 10^-6: 10^-9 is between the two.
     */
    return (double)count * (1 - share) >= 10 * (1 - 1e-9);
}

double plt_analysis_slope(const double *values, size_t n)
{
    double mean = plt_analysis_mean(values, n);
    double middle = (double)(n > 0 ? n - 1 : 0) / 2;
    double sum_xy = 0;
    double sum_xx = 0;

    if (n < 2)
        return 0;

    for (size_t i = 0; i < n; i++) {
        double x = (double)i - middle;

        sum_xy += x * (values[i] - mean);
        sum_xx += x * x;
    }
    return sum_xy / sum_xx;
}

static double percent_of_mean(double value, const double *values, size_t n)
{
    double mean = plt_analysis_mean(values, n);

    return mean != 0 ? 100 * fabs(value / mean) : 0;
}

double plt_analysis_slope_fio_percent(const double *values, size_t n)
{
    return percent_of_mean(plt_analysis_slope(values, n), values, n);
}

double plt_analysis_slope_snia_percent(const double *values, size_t n)
{
    if (n < 2)
        return 0;
    return percent_of_mean(plt_analysis_slope(values, n) * (double)(n - 1), values, n);
}

double plt_analysis_consistency_percent(const double *sorted, size_t n)
{
    double mean = plt_analysis_mean(sorted, n);

    return mean != 0 ? 100 * plt_analysis_percentile(sorted, n, 0.001) / mean : 0;
}

double plt_analysis_weighted(const double *values, const double *weights, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += weights[i] * values[i];
    return sum;
}

double plt_analysis_mixed_mean(const double *values, size_t n)
{
    return n > 2 ? plt_analysis_mean(values + 1, n - 2) : 0;
}

double plt_analysis_average_rate(const double *bytes, const double *rates, size_t n)
{
    double all_bytes = 0;
    double all_time = 0;

    for (size_t i = 0; i < n; i++) {
        if (!(rates[i] > 0))
            continue;
        all_bytes += bytes[i];
        all_time += bytes[i] / rates[i];
    }
    return all_time > 0 ? all_bytes / all_time : 0;
}

double plt_analysis_queue_depth(double iops, double latency_ns)
{
    return iops * latency_ns / 1e9;
}

struct plt_summary plt_analysis_summarise(double *values, size_t n)
{
    struct plt_summary summary = {.n = n};

    if (n == 0)
        return summary;

    plt_analysis_sort(values, n);
    summary.min = values[0];
    summary.max = values[n - 1];
    summary.mean = plt_analysis_mean(values, n);
    summary.median = plt_analysis_median(values, n);
    summary.p1 = plt_analysis_percentile(values, n, 0.01);
    summary.p0_1 = plt_analysis_percentile(values, n, 0.001);
    summary.stddev = plt_analysis_stddev(values, n);
    if (summary.mean != 0)
        summary.variation = summary.stddev / summary.mean;
    if (summary.median != 0)
        summary.spread = (summary.max - summary.min) / summary.median;
    return summary;
}
