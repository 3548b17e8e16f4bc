/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/library.h"

/* Takes the next piece of an export. FALSE with an error ends it. */
typedef gboolean (*PltExportFunc)(const char *text, gsize length, gpointer user, GError **error);

/*
 * plt_export_samples_csv of a run whose samples are not loaded: they go through memory chunk by chunk, so two
 * days of them take no more than a minute does. RUN is one of plt_library_load.
 */
gboolean plt_export_stream_samples(PltLibrary *library, const PltRun *run, PltExportFunc func, gpointer user,
                                   GError **error);

/*
 * One line for each 0.1 % of what a window was to move (or moved, where that is not known): cell, run,
 * percent, seconds since its beginning, bytes/s within the 0.1 %.
 */
gboolean plt_export_stream_log(PltLibrary *library, const PltRun *run, PltExportFunc func, gpointer user,
                               GError **error);
