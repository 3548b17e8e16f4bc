/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"

/* One call of the recorder, copied: what waits for the disk. Which members are set depends on the kind. */
typedef enum {
    PLT_ENTRY_CELL,      /* spec, rule */
    PLT_ENTRY_CELL_RUN,  /* warmup, at_us, tick_ns */
    PLT_ENTRY_SAMPLES,   /* samples */
    PLT_ENTRY_HISTOGRAM, /* op, histogram */
    PLT_ENTRY_END,       /* figures, engine */
    PLT_ENTRY_WARNING,   /* name, detail */
    PLT_ENTRY_EVENT,     /* name, detail, at_us */
    PLT_ENTRY_HEAT,      /* celsius, at_us */
    PLT_ENTRY_FINISH,    /* status, detail, at_us */
} PltEntryKind;

typedef struct {
    PltEntryKind kind;
    PltCellSpec spec;
    PltScoreRule rule;
    gboolean warmup;
    gint64 at_us;
    guint64 tick_ns;
    GArray *samples; /* struct plt_sample */
    enum plt_op op;
    GByteArray *histogram; /* blob */
    PltCellRun *figures;   /* without histograms, samples and engine */
    char *engine;          /* JSON */
    char *name, *detail;
    double celsius;
    PltRunStatus status;
} PltEntry;

PltEntry *plt_entry_new(PltEntryKind kind);
void plt_entry_free(PltEntry *entry);

/* Figures, stalls and engine document of RUN; its histograms are entries of their own. */
PltEntry *plt_entry_new_end(const PltCellRun *run);

/* Merges neighbouring samples in place, two into one tick as long as both: half as many, nothing lost but
 * detail. */
void plt_entry_merge_samples(GArray *samples);
