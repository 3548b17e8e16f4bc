/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* The drop-downs over the list of runs: their first entry stands for all, the others come from the runs. */

/* ALL and then every suite, or drive, of RUNS (GListModel of PltRunItem), each once and in order. */
GtkStringList *plt_library_choices_collect(GListModel *runs, const char *all, gboolean suites);

/* Takes STRINGS as the entries; what was chosen stays chosen where it is still there. */
void plt_library_choices_fill(GtkDropDown *drop_down, GtkStringList *strings);

/* The chosen entry, newly allocated; NULL for all. */
char *plt_library_choices_get(GtkDropDown *drop_down);
