/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/run-store.h"

/*
 * Exports runs: pictures (PNG, SVG, PDF) with their size, scale, theme, language and kind, and a live
 * preview; texts (CSV, JSON, Markdown, CrystalDiskMark's). Saves, or copies to the clipboard. Choices are
 * remembered.
 */
#define PLT_TYPE_EXPORT_DIALOG (plt_export_dialog_get_type())
G_DECLARE_FINAL_TYPE(PltExportDialog, plt_export_dialog, PLT, EXPORT_DIALOG, AdwDialog)

/* RUNS: GPtrArray of PltRun of STORE without samples, at least one. SETTINGS may be NULL. */
PltExportDialog *plt_export_dialog_new(PltRunStore *store, GPtrArray *runs, GSettings *settings);
