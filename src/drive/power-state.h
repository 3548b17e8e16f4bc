/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/bytes.h"

/* Power states of an NVMe drive (NVM Express Base Specification, Power State Descriptor and features). */
#define PLT_POWER_STATES_MAX 32

typedef struct {
    guint index;
    double max_watt; /* NAN where the drive does not say, as the other two */
    double idle_watt, active_watt;
    guint active_workload;     /* which of the standard's workloads active_watt is of; 0 = not said */
    gboolean operational;      /* can read and write in it */
    guint32 entry_us, exit_us; /* at most; 0 = not said */
    /* Ranks among the states of this drive, 0 is the best. */
    guint8 read_throughput, read_latency, write_throughput, write_latency;
} PltPowerState;

/* BYTES: the 32 of one descriptor. */
PltPowerState plt_power_state_decode(PltBytes bytes, guint index);

/* Autonomous Power State Transitions: where the drive goes by itself from a state, and after how long. */
typedef struct {
    guint target;
    guint32 idle_ms; /* 0 = it stays */
} PltPowerTransition;

/* BYTES: the 256 of feature 0Ch. FALSE, and all zero, when there are fewer. */
gboolean plt_power_transitions_decode(PltBytes bytes, PltPowerTransition transitions[PLT_POWER_STATES_MAX]);

/* "8.25 W", "50 mW", "2.6 mW"; NULL for NAN. Newly allocated. */
char *plt_power_text(double watt);

/* "16 µs", "10 ms", "1.4 s"; NULL for 0: not said. Newly allocated. */
char *plt_power_latency_text(guint32 us);
