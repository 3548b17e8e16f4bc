/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/plan.h"
#include "suite/settings.h"

struct plt_overrides {
    struct plt_settings settings;
    GStrv only; /* NULL = all cells */
    gboolean has_seed;
    guint64 seed; /* instead of the one that the caller of plt_plan_new drew */
};
