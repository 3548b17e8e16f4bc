/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "cli/table.h"
#include "suite/target.h"

/* What a run would do, for people and for programs. TARGET is where, or NULL when only the suite is shown. */

/* Several lines: suite, target, drive, test file, time, bytes, then every step. Newly allocated. */
char *plt_plan_describe(const PltPlan *plan, PltTarget *target, guint width);

/* The lines above the steps only. */
char *plt_plan_describe_head(const PltPlan *plan, PltTarget *target);

/* Adds a row for each of LOSSES, see plt_guard_losses_to_json, to TABLE of two columns. */
void plt_plan_add_losses(PltTable *table, JsonArray *losses);

/* A `plateau.plan/1` object. */
JsonNode *plt_plan_to_json(const PltPlan *plan, PltTarget *target);

/* "Samsung SSD 990 PRO 2TB (nvme0n1)", several joined by " + "; NULL when no drive can be told. */
char *plt_plan_drive_text(PltTarget *target);

/* "RND4K Q32T16 read", "SEQ1M Q8T1 mix 70 %" */
char *plt_plan_cell_label(const PltCellSpec *spec);
