/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "drive/drive.h"

/*
 * A drive in the sidebar: icon by its bus, model, capacity and link, temperature while the drive tells it.
 * Properties: "drive" (PltDrive), "running" b: a benchmark is on its way on it.
 */
#define PLT_TYPE_DRIVE_ROW (plt_drive_row_get_type())
G_DECLARE_FINAL_TYPE(PltDriveRow, plt_drive_row, PLT, DRIVE_ROW, GtkListBoxRow)

GtkWidget *plt_drive_row_new(PltDrive *drive);

PltDrive *plt_drive_row_get_drive(PltDriveRow *row);
void plt_drive_row_set_running(PltDriveRow *row, gboolean running);
