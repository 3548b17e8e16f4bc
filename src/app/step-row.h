/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "app/step-item.h"

/* A line in the list of steps: a sign and a word for its state, its name, its figure. Properties: "item"
 * (PltStepItem). */
#define PLT_TYPE_STEP_ROW (plt_step_row_get_type())
G_DECLARE_FINAL_TYPE(PltStepRow, plt_step_row, PLT, STEP_ROW, AdwBin)
