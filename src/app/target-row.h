/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "drive/drive.h"

/*
 * Where a drive is measured: one of its mounted folders, the one with most free space first, or another
 * folder on it. A folder that must not be measured says so below, before anything starts.
 *
 * Properties: "drive" (PltDrive), "path" s (read-only, notifies; NULL = none can be had), "error" s
 * (read-only, notifies; why "path" cannot be measured, or NULL).
 */
#define PLT_TYPE_TARGET_ROW (plt_target_row_get_type())
G_DECLARE_FINAL_TYPE(PltTargetRow, plt_target_row, PLT, TARGET_ROW, AdwBin)

void plt_target_row_set_drive(PltTargetRow *row, PltDrive *drive);
const char *plt_target_row_get_path(PltTargetRow *row);
const char *plt_target_row_get_error(PltTargetRow *row);

/* What a run needs there: a test file of SIZE bytes, used in blocks of BLOCK. Too little space is an error.
 */
void plt_target_row_set_need(PltTargetRow *row, guint64 size, guint32 block);

/* A sentence of the GError that kept a run from starting; NULL takes it away. */
void plt_target_row_set_error(PltTargetRow *row, const char *message);

/* Asks for a folder, as the button beside the list does. */
void plt_target_row_choose_folder(PltTargetRow *row);
