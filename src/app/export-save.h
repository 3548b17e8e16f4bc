/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/export-format.h"

/*
 * Asks for a file and writes RUNS into it in FORMAT; OPTIONS (its texts are copied) count for pictures. A
 * toast over WIDGET says how it went.
 */
void plt_export_save(GtkWidget *widget, PltRunStore *store, GPtrArray *runs, PltExport format,
                     const PltReportOptions *options);
