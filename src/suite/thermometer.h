/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* °C of the drive NAME now; NAN where there is no sensor. Called on a thread of its own: it may take its
 * time. */
typedef double (*PltThermometerFunc)(const char *name);

typedef struct {
    gint64 at_us; /* monotonic */
    double celsius;
} PltThermometerReading;

/*
 * Reads a drive's temperature in steady steps on a thread of its own. A sensor that has no answer at the
 * first asking is not asked again; one that fails later leaves a gap.
 */
typedef struct plt_thermometer PltThermometer;

PltThermometer *plt_thermometer_new(const char *name, PltThermometerFunc func, guint interval_ms);

/* Returns at once, also while the sensor does not answer: the thread goes when it does. */
void plt_thermometer_free(PltThermometer *thermometer);

/* Moves what was read since the last call to READINGS (PltThermometerReading). */
void plt_thermometer_take(PltThermometer *thermometer, GArray *readings);
