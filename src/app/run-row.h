/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/run-item.h"

/*
 * A run in the list of the library: name, suite and date, how it ended, its headline. In selection mode it
 * has a check mark.
 *
 * Properties: "item" (PltRunItem), "selecting" b, "selected" b. Signals: "toggled" (clicked while selecting),
 * "menu-asked" (d, d: secondary click or long press, in the row's own coordinates).
 */
#define PLT_TYPE_RUN_ROW (plt_run_row_get_type())
G_DECLARE_FINAL_TYPE(PltRunRow, plt_run_row, PLT, RUN_ROW, GtkWidget)

GtkWidget *plt_run_row_new(void);

void plt_run_row_set_item(PltRunRow *row, PltRunItem *item);
PltRunItem *plt_run_row_get_item(PltRunRow *row);
void plt_run_row_set_selecting(PltRunRow *row, gboolean selecting);
void plt_run_row_set_selected(PltRunRow *row, gboolean selected);
