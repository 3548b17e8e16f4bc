/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/*
 * The running benchmarks in a header bar: how far the one is, or all together; away while nothing runs.
 * Clicked, it goes to the run ("win.show-job"); with several, to a list of them. Properties: "compact" b: the
 * percentage alone, for a narrow header bar.
 */
#define PLT_TYPE_JOBS_BUTTON (plt_jobs_button_get_type())
G_DECLARE_FINAL_TYPE(PltJobsButton, plt_jobs_button, PLT, JOBS_BUTTON, AdwBin)
