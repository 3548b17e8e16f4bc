/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/suite-item.h"

/*
 * A suite in the list: what it is, how long it takes and what it writes, and whether it erases the drive.
 * Activates "benchmark.choose", "benchmark.settings" and "benchmark.start" with the suite's id.
 *
 * Properties: "item" (PltSuiteItem).
 */
#define PLT_TYPE_SUITE_ROW (plt_suite_row_get_type())
G_DECLARE_FINAL_TYPE(PltSuiteRow, plt_suite_row, PLT, SUITE_ROW, AdwActionRow)

GtkWidget *plt_suite_row_new(PltSuiteItem *item);
