/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "engine/engine.h"

/*
 * Several loads that are one window for the person: free space that takes more than one file. What lies
 * between two loads (a file is made) belongs to none, so the window is as long as its loads.
 */
typedef struct {
    struct plt_engine_result result; /* as if it had been one load; what it points to belongs to the sum */
    struct plt_histogram *histograms[PLT_N_OPS];
    GArray *stalls; /* struct plt_stall */
    double queue_ns, busy_ns;
} PltLoadSum;

PltLoadSum *plt_load_sum_new(void);
void plt_load_sum_free(PltLoadSum *sum);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltLoadSum, plt_load_sum_free)

/* Adds a load that follows the ones before. */
void plt_load_sum_add(PltLoadSum *sum, const struct plt_engine_result *result);

/* Moves SAMPLE of the load that is to be added next to its place in the window. */
void plt_load_sum_place(const PltLoadSum *sum, struct plt_sample *sample);
