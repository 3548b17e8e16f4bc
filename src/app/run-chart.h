/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/chart-view.h"
#include "suite/job.h"

/*
 * What a job measures as charts that grow: throughput over the time of the run, with a section for each cell
 * that has ended and the drive's temperature on the second axis once there is one; and the median and 99th
 * percentile of latency, second by second, in a chart of their own.
 */
typedef struct plt_run_chart PltRunChart;

/* The views must outlive it. */
PltRunChart *plt_run_chart_new(PltChartView *rates, PltChartView *latencies);
void plt_run_chart_free(PltRunChart *chart);

/* Shows JOB from its start, running or not; NULL = nothing. */
void plt_run_chart_set_job(PltRunChart *chart, PltJob *job);

/* Takes over what has come since. */
void plt_run_chart_update(PltRunChart *chart);

/* While it is not seen, the chart of latencies is not kept up to date. */
void plt_run_chart_set_latencies_shown(PltRunChart *chart, gboolean shown);
