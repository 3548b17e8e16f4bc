/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* One temperature sensor of a drive, as the kernel's hwmon shows it. */
typedef struct {
    char *label;    /* "Composite", "Sensor 2"; NULL where the kernel gives none */
    double celsius; /* now */
    double warning; /* °C from which the drive calls itself too warm; NAN where it names none */
    double critical;
} PltSensor;

void plt_sensor_free(PltSensor *sensor);

/*
 * The sensors of the drive NAME (a sysfs name), the one that stands for the whole drive first; empty where
 * there is none. The kernel asks the drive: may take some milliseconds.
 */
GPtrArray *plt_sensors_read(const char *root, const char *name);
