/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/recorder.h"
#include "suite/thermometer.h"

/* The drive's temperature once a second, into the library. It costs one mutex a call. */
typedef struct plt_heat_log PltHeatLog;

/* Of the drive NAME by FUNC; NULL when NAME is. */
PltHeatLog *plt_heat_log_new(const char *name, PltThermometerFunc func, guint interval_ms);
void plt_heat_log_free(PltHeatLog *log);

/* Hands what was read since the last call to RECORDER. LOG may be NULL. */
void plt_heat_log_pass(PltHeatLog *log, PltRecorder *recorder);
