/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/run-store.h"

/* Asks for another name of the run ID. */
void plt_run_rename(GtkWidget *parent, PltRunStore *store, gint64 id);

/*
 * Takes runs out of the list at once and out of the library when the offer to undo it, a toast over the
 * window that PARENT is in, has gone.
 */
void plt_run_delete(GtkWidget *parent, PltRunStore *store, const gint64 *ids, gsize n_ids);
