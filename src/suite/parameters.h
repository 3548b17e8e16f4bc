/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/content.h"
#include "suite/plan.h"

/*
 * Everything that PLAN will really use, as an object: what the suite says with SETTINGS over it, the SEED,
 * and one object per cell with what can differ between cells. 64-bit seeds are hexadecimal strings, because
 * JSON readers take numbers as doubles.
 */
JsonNode *plt_parameters_to_json(const PltPlan *plan, const struct plt_settings *settings, GStrv only,
                                 guint64 seed);
