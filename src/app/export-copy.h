/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/export-format.h"

/* The options that SETTINGS (may be NULL) remember, for pictures of N_RUNS runs; its texts are static. */
PltReportOptions plt_export_options(GSettings *settings, guint n_runs);

/*
 * Puts a picture of RUNS, or their figures as text, on the clipboard of WIDGET's display; a toast over WIDGET
 * says when it is there, or why not.
 */
void plt_export_copy_picture(GtkWidget *widget, PltRunStore *store, GPtrArray *runs, GSettings *settings);
void plt_export_copy_picture_with(GtkWidget *widget, PltRunStore *store, GPtrArray *runs,
                                  const PltReportOptions *options);
void plt_export_copy_text(GtkWidget *widget, PltRunStore *store, GPtrArray *runs, PltExport format);

/* Shows TEXT as a toast in the overlay that WIDGET is in. */
void plt_export_toast(GtkWidget *widget, const char *text);
