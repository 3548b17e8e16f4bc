/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-chart"

#include "config.h"

#include "chart/meter.h"

#include <glib.h>
#include <math.h>

#define DECADES 6.0

double plt_meter_bandwidth(double bytes_per_second)
{
    return bytes_per_second > 0.0 ? CLAMP(log10(bytes_per_second / 1e5) / DECADES, 0.0, 1.0) : 0.0;
}

double plt_meter_latency(double ns)
{
    return ns > 0.0 ? CLAMP(1.0 - log10(ns / 1e3) / DECADES, 0.0, 1.0) : 0.0;
}
