/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/heat-log.h"

#include <math.h>

struct plt_heat_log {
    PltThermometer *thermometer;
    GArray *readings; /* PltThermometerReading */
};

PltHeatLog *plt_heat_log_new(const char *name, PltThermometerFunc func, guint interval_ms)
{
    PltHeatLog *log = NULL;

    if (name == NULL)
        return NULL;
    log = g_new0(PltHeatLog, 1);
    log->thermometer = plt_thermometer_new(name, func, interval_ms);
    log->readings = g_array_new(FALSE, FALSE, sizeof(PltThermometerReading));
    return log;
}

void plt_heat_log_free(PltHeatLog *log)
{
    if (log == NULL)
        return;
    plt_thermometer_free(log->thermometer);
    g_array_unref(log->readings);
    g_free(log);
}

/* Readings are timed by the monotonic clock, the library by the wall's: what is between them now counts. */
void plt_heat_log_pass(PltHeatLog *log, PltRecorder *recorder)
{
    gint64 between_us;

    if (log == NULL)
        return;
    plt_thermometer_take(log->thermometer, log->readings);
    between_us = g_get_real_time() - g_get_monotonic_time();
    for (guint i = 0; i < log->readings->len; i++) {
        const PltThermometerReading *reading = &g_array_index(log->readings, PltThermometerReading, i);

        if (!isnan(reading->celsius))
            plt_recorder_add_temperature(recorder, reading->at_us + between_us, reading->celsius);
    }
    g_array_set_size(log->readings, 0);
}
