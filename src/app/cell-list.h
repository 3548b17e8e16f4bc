/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "library/run.h"

/*
 * The cells of RUNS (GPtrArray of PltRun), each once, as entries of a drop-down: "SEQ1M Q8T1, Read". IDS
 * becomes a new array with the id of each (char *). With SAMPLES only those that have a curve. WITH_ALL puts
 * an entry for all cells (id NULL) first when there is more than one.
 */
GtkStringList *plt_cell_list_new(GPtrArray *runs, gboolean samples, gboolean with_all, GPtrArray **ids);

/* The entry of ID (may be NULL) in IDS; 0 when it is not there. */
guint plt_cell_list_find(GPtrArray *ids, const char *id);
