/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "suite/estimate.h"

/*
 * What one small write takes on an NVMe drive before its bytes count: 12 µs is a fast one answering from its
 * cache, so bytes written are rather overstated than understated, which is the safe side for endurance.
 */
#define WRITE_LATENCY_S 12e-6

/* No client drive and few hosts get past this with any block size. */
#define IOPS_MAX 2e6

/* Bytes a second that the load moves: bounded by the drive, and by its latency at that depth. */
static double total_rate(const struct plt_workload *load, double speed)
{
    double depth = (double)load->queue * load->threads;
    double by_latency = depth * load->block / (WRITE_LATENCY_S + load->block / speed);

    return MIN(MIN(speed, by_latency), IOPS_MAX * load->block);
}

static double write_share(const struct plt_workload *load)
{
    return load->read_percent >= 100 ? 0 : (100 - load->read_percent) / 100.0;
}

/* Bytes a second that it writes: a limit counts too. */
static double write_rate(const struct plt_workload *load, double speed)
{
    double rate = total_rate(load, speed) * write_share(load);

    return load->rate_bps[PLT_OP_WRITE] != 0 ? MIN(rate, (double)load->rate_bps[PLT_OP_WRITE]) : rate;
}

/* A discard of a whole drive, or a format, takes seconds. */
#define PURGE_MS 10000

static guint64 pass_rate(const struct plt_workload *load, guint64 speed)
{
    guint64 limit = load->rate_bps[load->read_percent == 0 ? PLT_OP_WRITE : PLT_OP_READ];

    return limit != 0 ? MIN(limit, speed) : speed;
}

/* A run that ends by an amount too is over when either is reached. */
static void limit_by_amount(PltStep *step, double speed)
{
    double bytes = (double)step->workload.bytes * (step->warmup_runs + step->runs);
    guint64 ms = (guint64)(bytes * 1000 / total_rate(&step->workload, speed)) + 1;
    guint64 written = (guint64)(bytes * write_share(&step->workload));

    /* A synced write may take 40 µs or 4 ms: nobody knows before. */
    if (step->workload.sync == PLT_SYNC_NONE)
        step->estimated_ms = MIN(step->estimated_ms, ms);
    step->estimated_written = MIN(step->estimated_written, written);
}

void plt_estimate_step(PltStep *step, guint64 speed)
{
    double seconds;

    if (step->kind == PLT_STEP_REST) {
        step->estimated_ms = step->rest_ms;
        return;
    }
    if (step->kind == PLT_STEP_PURGE) {
        step->estimated_ms = PURGE_MS;
        return;
    }
    if (step->share_percent != 0) {
        guint64 written = step->workload.read_percent == 0 ? step->workload.bytes : 0;

        guint n = step->warmup_runs + step->runs;

        step->estimated_ms =
            n * plt_estimate_write_ms(step->workload.bytes, pass_rate(&step->workload, speed));
        step->estimated_written = n * written;
        return;
    }
    step->estimated_ms = (step->warmup_runs + step->runs) * (step->workload.duration_ns / 1000000);
    seconds = (double)step->estimated_ms / 1000;
    step->estimated_written = (guint64)(write_rate(&step->workload, (double)speed) * seconds);
    if (step->workload.bytes != 0)
        limit_by_amount(step, (double)speed);
}

guint64 plt_estimate_write_ms(guint64 bytes, guint64 speed)
{
    double ms = (double)bytes * 1000 / (double)speed;

    return (guint64)ms + ((double)(guint64)ms < ms);
}
