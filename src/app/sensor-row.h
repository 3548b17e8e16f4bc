/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "drive/sensor.h"

/* A temperature sensor: name, what it shows now, and where that lies between cool and the drive's limits. */
#define PLT_TYPE_SENSOR_ROW (plt_sensor_row_get_type())
G_DECLARE_FINAL_TYPE(PltSensorRow, plt_sensor_row, PLT, SENSOR_ROW, AdwPreferencesRow)

GtkWidget *plt_sensor_row_new(void);

void plt_sensor_row_update(PltSensorRow *row, const PltSensor *sensor);
