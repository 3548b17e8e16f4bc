/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "invariants.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const double load_percentiles[] = {0.01, 0.05, 0.10, 0.25,  0.50,   0.75,
                                   0.90, 0.95, 0.99, 0.999, 0.9999, 0.99999};
const size_t n_load_percentiles = sizeof load_percentiles / sizeof load_percentiles[0];

/*
 * Little's law: mean I/Os in flight = I/Os per second x mean latency, so the latencies' sum is the integral
 * over the I/Os in flight. It is exact for a window that starts and ends idle. Otherwise the sum has too much
 * what the first I/Os waited before the window, and lacks what the I/Os that are open at its end have waited.
 */
#define LITTLE_TOLERANCE 0.02

/* Each sum over N latencies that were converted from clock cycles one tick at a time may be off by 1 ns. */
#define ROUNDING_NS 1.0

void load_tally_init(struct load_tally *tally, uint64_t tick_ns)
{
    *tally = (struct load_tally){.tick_ns = tick_ns};
}

static void add_op(struct plt_sample_op *into, const struct plt_sample_op *from)
{
    if (!from->ios)
        return;
    if (!into->ios || from->lat_min_ns < into->lat_min_ns)
        into->lat_min_ns = from->lat_min_ns;
    if (from->lat_max_ns > into->lat_max_ns)
        into->lat_max_ns = from->lat_max_ns;
    into->ios += from->ios;
    into->bytes += from->bytes;
    into->lat_sum_ns += from->lat_sum_ns;
}

void load_tally_add(struct load_tally *tally, const struct plt_sample *sample)
{
    uint64_t start_ns = tally->duration_ns;
    uint64_t ios = 0;

    if (sample->index != tally->samples)
        tally->holes++;
    if (tally->samples && tally->last_duration_ns != tally->tick_ns)
        tally->uneven++;
    tally->samples++;
    tally->last_duration_ns = sample->duration_ns;
    tally->open_ns = (double)sample->inflight * (double)sample->oldest_ns;
    tally->duration_ns += sample->duration_ns;
    for (int op = 0; op < PLT_N_OPS; op++) {
        ios += sample->op[op].ios;
        add_op(&tally->op[op], &sample->op[op]);
    }
    if (ios && (sample->first_ns > sample->last_ns || sample->first_ns < start_ns ||
                sample->last_ns > tally->duration_ns))
        tally->outside++;
}

struct checks {
    struct load_invariant *list;
    size_t n;
};

static void __attribute__((format(printf, 5, 6))) add(struct checks *checks, bool ok, double value,
                                                      double expected, const char *format, ...)
{
    struct load_invariant *invariant;
    va_list args;

    if (checks->n == LOAD_MAX_INVARIANTS)
        return;
    invariant = &checks->list[checks->n++];
    *invariant = (struct load_invariant){.ok = ok, .value = value, .expected = expected};
    va_start(args, format);
    vsnprintf(invariant->name, sizeof invariant->name, format, args);
    va_end(args);
}

static void equal(struct checks *checks, uint64_t value, uint64_t expected, const char *op, const char *what)
{
    add(checks, value == expected, (double)value, (double)expected, "%s-%s", op, what);
}

static void within(struct checks *checks, double value, double expected, double bound, const char *op,
                   const char *what)
{
    add(checks, fabs(value - expected) <= bound, value, expected, "%s-%s", op, what);
}

static void check_percentiles(struct checks *checks, const struct plt_histogram *h, const char *name)
{
    double before = (double)h->min_ns;
    bool monotone = true;

    for (size_t i = 0; i < n_load_percentiles; i++) {
        double value = plt_histogram_percentile_ns(h, load_percentiles[i]);
        monotone = monotone && value >= before;
        before = value;
    }
    add(checks, monotone && (double)h->max_ns >= before, before, (double)h->max_ns, "%s-percentiles-monotone",
        name);
}

static void check_histogram(struct checks *checks, const struct plt_histogram *h,
                            const struct plt_sample_op *total, uint64_t samples, const char *name)
{
    uint64_t count = 0;
    double mean;

    if (!h) {
        add(checks, false, 0, (double)total->ios, "%s-histogram-count", name);
        return;
    }
    for (size_t i = 0; i < PLT_HISTOGRAM_BUCKETS; i++)
        count += h->bucket[i];
    equal(checks, count, total->ios, name, "histogram-count");
    equal(checks, h->count, count, name, "histogram-buckets");
    within(checks, (double)h->sum_ns, (double)total->lat_sum_ns, ROUNDING_NS * (double)(samples + 1), name,
           "histogram-latency-sum");
    mean = plt_histogram_mean_ns(h);
    add(checks, (double)h->min_ns <= mean && mean <= (double)h->max_ns, mean, (double)h->max_ns,
        "%s-min-mean-max", name);
    check_percentiles(checks, h, name);
}

static void check_op(struct checks *checks, enum plt_op op, const struct plt_workload *workload,
                     const struct plt_engine_result *result, const struct load_tally *tally)
{
    const struct plt_sample_op *total = &result->total[op], *sum = &tally->op[op];
    const char *name = plt_op_name(op);

    equal(checks, sum->ios, total->ios, name, "samples-ios");
    equal(checks, sum->bytes, total->bytes, name, "samples-bytes");
    if (!total->ios)
        return;
    equal(checks, total->bytes, op == PLT_OP_FLUSH ? 0 : total->ios * workload->block, name,
          "ios-times-block");
    within(checks, (double)sum->lat_sum_ns, (double)total->lat_sum_ns,
           ROUNDING_NS * (double)(tally->samples + 1), name, "samples-latency-sum");
    equal(checks, sum->lat_min_ns, total->lat_min_ns, name, "samples-latency-min");
    equal(checks, sum->lat_max_ns, total->lat_max_ns, name, "samples-latency-max");
    check_histogram(checks, result->histogram[op], total, tally->samples, name);
}

static void check_samples(struct checks *checks, const struct plt_workload *workload,
                          const struct plt_engine_result *result, const struct load_tally *tally)
{
    equal(checks, tally->samples, result->ticks, "samples", "delivered");
    equal(checks, tally->holes, 0, "samples", "without-a-hole");
    equal(checks, tally->uneven, 0, "samples", "one-tick-long");
    equal(checks, tally->outside, 0, "samples", "completions-inside");
    equal(checks, tally->duration_ns, result->window_ns, "samples", "fill-the-window");
    if (workload->duration_ns && result->end == PLT_END_TIME)
        equal(checks, result->window_ns, workload->duration_ns, "window", "as-long-as-asked");
}

/* In flight at the window's start: each for no longer than the ramp, or than the longest latency counted. */
static double waited_before(const struct plt_workload *workload, const struct plt_engine_result *result)
{
    uint64_t longest = 0;

    for (int op = 0; op < PLT_N_OPS; op++)
        longest = result->total[op].lat_max_ns > longest ? result->total[op].lat_max_ns : longest;
    longest = workload->ramp_ns < longest ? workload->ramp_ns : longest;
    return (double)longest * workload->queue * workload->threads;
}

static void check_queue(struct checks *checks, const struct plt_workload *workload,
                        const struct plt_engine_result *result, const struct load_tally *tally)
{
    double lat_sum = 0, little, measured = result->effective_queue, window = (double)result->window_ns;
    double nominal = (double)workload->queue * workload->threads, tolerance = LITTLE_TOLERANCE * measured;

    for (int op = 0; op < PLT_N_OPS; op++)
        lat_sum += (double)result->total[op].lat_sum_ns;
    if (!result->window_ns)
        return;
    little = lat_sum / window;
    add(checks,
        little <= measured + tolerance + waited_before(workload, result) / window &&
            little >= measured - tolerance - tally->open_ns / window,
        little, measured, "queue-littles-law");
    add(checks, measured <= nominal * (1 + 1e-9), measured, nominal, "queue-at-most-nominal");
    add(checks, (double)result->late_ios <= nominal, (double)result->late_ios, nominal, "queue-late-ios");
}

size_t load_invariants_check(struct load_invariant *list, const struct plt_workload *workload,
                             const struct plt_engine_result *result, const struct load_tally *tally)
{
    struct checks checks = {list, 0};

    for (int op = 0; op < PLT_N_OPS; op++)
        check_op(&checks, (enum plt_op)op, workload, result, tally);
    check_samples(&checks, workload, result, tally);
    check_queue(&checks, workload, result, tally);
    return checks.n;
}
