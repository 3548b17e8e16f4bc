/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine/engine.h"

/* What the samples of one load add up to. Fed by load_tally_add, in order. */
struct load_tally {
    uint64_t samples;
    uint64_t duration_ns;
    uint64_t holes;   /* samples whose number does not follow the one before */
    uint64_t uneven;  /* samples other than the last that are not one tick long */
    uint64_t outside; /* samples whose completions lie outside the window so far */
    uint64_t tick_ns;
    uint64_t last_duration_ns;
    double open_ns; /* at most the ages, all together, of what was in flight at the last sample's end */
    struct plt_sample_op op[PLT_N_OPS];
};

void load_tally_init(struct load_tally *tally, uint64_t tick_ns);
void load_tally_add(struct load_tally *tally, const struct plt_sample *sample);

/* One relation that must hold between figures of the same result, whatever the target did. */
struct load_invariant {
    char name[48];
    bool ok;
    double value;
    double expected;
};

#define LOAD_MAX_INVARIANTS 80

/* The percentiles that are checked and printed, as shares. */
extern const double load_percentiles[];
extern const size_t n_load_percentiles;

/* Writes the invariants of RESULT to LIST of LOAD_MAX_INVARIANTS and returns how many there are. */
size_t load_invariants_check(struct load_invariant *list, const struct plt_workload *workload,
                             const struct plt_engine_result *result, const struct load_tally *tally);
