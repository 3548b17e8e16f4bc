/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/run-store.h"

/*
 * One run, or several laid over each other: the suite's picture, the curve of every cell, all figures, what
 * the run was made with, and its export. A page for AdwNavigationView with a header bar of its own; its title
 * follows the run's.
 */
#define PLT_TYPE_RESULT_VIEW (plt_result_view_get_type())
G_DECLARE_FINAL_TYPE(PltResultView, plt_result_view, PLT, RESULT_VIEW, AdwNavigationPage)

PltResultView *plt_result_view_new(PltRunStore *store);

void plt_result_view_set_run_id(PltResultView *view, gint64 id);

/* Several, at most PLT_N_SERIES_STYLES, are compared. */
void plt_result_view_set_run_ids(PltResultView *view, const gint64 *ids, gsize n_ids);
