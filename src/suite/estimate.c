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

/* Bytes a second that the load writes: bounded by the drive, by its latency at that depth, and by a limit. */
static double write_rate(const struct plt_workload *load, double speed)
{
    double share = load->read_percent >= 100 ? 0 : (100 - load->read_percent) / 100.0;
    double depth = (double)load->queue * load->threads;
    double by_latency = depth * load->block / (WRITE_LATENCY_S + load->block / speed);
    double rate = MIN(MIN(speed, by_latency), IOPS_MAX * load->block) * share;

    if (load->rate_bps[PLT_OP_WRITE] != 0)
        rate = MIN(rate, (double)load->rate_bps[PLT_OP_WRITE]);
    return rate;
}

/* A discard of a whole drive, or a format, takes seconds. */
#define PURGE_MS 10000

static guint64 pass_rate(const struct plt_workload *load, guint64 speed)
{
    guint64 limit = load->rate_bps[load->read_percent == 0 ? PLT_OP_WRITE : PLT_OP_READ];

    return limit != 0 ? MIN(limit, speed) : speed;
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

        step->estimated_ms = plt_estimate_write_ms(step->workload.bytes, pass_rate(&step->workload, speed));
        step->estimated_written = written;
        return;
    }
    step->estimated_ms = (step->warmup_runs + step->runs) * (step->workload.duration_ns / 1000000);
    seconds = (double)step->estimated_ms / 1000;
    step->estimated_written = (guint64)(write_rate(&step->workload, (double)speed) * seconds);
}

guint64 plt_estimate_write_ms(guint64 bytes, guint64 speed)
{
    double ms = (double)bytes * 1000 / (double)speed;

    return (guint64)ms + ((double)(guint64)ms < ms);
}
