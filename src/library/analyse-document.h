/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "analysis/fill.h"
#include "analysis/ratio.h"
#include "analysis/reclaim.h"
#include "analysis/stall.h"
#include "analysis/thermal.h"
#include "analysis/zones.h"
#include "library/run.h"

/* The figures as the objects of the analysis document (docs/run-format.md). NAN becomes null. */

/* cell, role, run (its number) and complete: what every entry begins with. */
JsonObject *plt_analyse_entry(const PltCell *cell, guint number);

/* CLIFF is what the samples alone say; FILL has none of it where the drive was too hot to call it a cache. */
void plt_analyse_set_fill(JsonObject *entry, const struct plt_fill *fill, const struct plt_cliff *cliff);
void plt_analyse_set_stalls(JsonObject *entry, const struct plt_stall_summary *stalls);
void plt_analyse_set_thermal(JsonObject *entry, const struct plt_thermal *thermal);
void plt_analyse_set_reclaim(JsonObject *entry, const struct plt_reclaim *reclaim);
void plt_analyse_set_map(JsonObject *entry, const struct plt_section *all, double below_half);
void plt_analyse_set_zones(JsonObject *entry, const char *name, const struct plt_zone *zones, guint n);

JsonObject *plt_analyse_ratio_object(const struct plt_ratio *ratio, const struct plt_ratio_weights *weights,
                                     guint n_weights);
