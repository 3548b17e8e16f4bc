/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "suite/job.h"

/*
 * A step of a run in the list of steps. Properties (read-only, notify): "title" s, "state" s ("Waiting",
 * "Warm-up", "Run 2 of 3", "Done", "Skipped", "Stopped", "Failed"), "figure" s ("7,012 MB/s" or ""),
 * "icon-name" s, "active" b (it is under way), "failed" b.
 */
#define PLT_TYPE_STEP_ITEM (plt_step_item_get_type())
G_DECLARE_FINAL_TYPE(PltStepItem, plt_step_item, PLT, STEP_ITEM, GObject)

/* What is not a step of the plan: the writing of the test file. */
#define PLT_STEP_PREPARATION G_MAXUINT

/* STEP is an index into the plan's steps, or PLT_STEP_PREPARATION. */
PltStepItem *plt_step_item_new(const PltPlan *plan, guint step);

guint plt_step_item_get_step(PltStepItem *item);

/* It is under way. */
gboolean plt_step_item_is_active(PltStepItem *item);

/* Takes over how far JOB is. */
void plt_step_item_update(PltStepItem *item, PltJob *job);

/* All steps of PLAN that are worth a line: a list of PltStepItem. Pauses of less than a minute are none. */
GListStore *plt_step_item_list(const PltPlan *plan);
