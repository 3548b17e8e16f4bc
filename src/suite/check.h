/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/cells.h"
#include "suite/plan.h"

/* Whether the cell ITEM can be measured with SETTINGS: times known, block and slices inside the test file. */
gboolean plt_check_cell(const PltItem *item, const struct plt_settings *settings, GError **error);

/*
 * Which of ITEMS a run measures: one gboolean each. A mixed cell only with a ratio, and with only= just the
 * cells that it names (rests between steps stay away then). NULL when nothing is left or a name is unknown.
 */
gboolean *plt_check_choice(const PltSuite *suite, GPtrArray *items, const PltOverrides *overrides,
                           GError **error);

/* plt_plan_new, and on error the step that is to blame in CULPRIT (may be NULL; unchanged if none). */
PltPlan *plt_plan_make(PltSuite *suite, const PltOverrides *overrides, guint64 speed_guess, guint64 seed,
                       const PltSection **culprit, GError **error);
