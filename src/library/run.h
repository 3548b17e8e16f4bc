/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "analysis/measure.h"
#include "drive/warning.h"
#include "engine/sample.h"

/* How a run stands. The names in files are plt_run_status_name's: "running", "complete", "stopped", … */
typedef enum {
    PLT_RUN_RUNNING,
    PLT_RUN_COMPLETE,
    PLT_RUN_STOPPED,     /* by the person */
    PLT_RUN_FAILED,      /* status_detail says by what and where */
    PLT_RUN_INTERRUPTED, /* the program or the machine went away; found at the next start */
} PltRunStatus;

typedef enum {
    PLT_CELL_READ,
    PLT_CELL_WRITE,
    PLT_CELL_MIX,
} PltCellOp;

/* Which of a cell's runs is the cell's score. */
typedef enum {
    PLT_SCORE_BEST,   /* highest bandwidth, as CrystalDiskMark; its latency is of that same run */
    PLT_SCORE_MEDIAN, /* the run whose bandwidth is the (lower) median */
} PltScoreRule;

/* What a cell measures, as the run really did it. */
typedef struct {
    char *id;    /* "rnd4k-q32t16-read" */
    char *label; /* "RND4K Q32T16" */
    enum plt_pattern pattern;
    guint32 block; /* bytes */
    guint queue;
    guint threads;
    PltCellOp op;
    guint read_percent; /* 100, 0, or the mix ratio */
    enum plt_sync sync;
    char *role; /* what it is in its suite: "fill-pass-1", "ratio-q1-r70" (docs/suites.md); NULL for most */
} PltCellSpec;

/* One measured window of a cell. */
typedef struct {
    gint64 id;         /* in the library; 0 while not stored */
    gboolean warmup;   /* discarded run: kept for the record, never a score */
    gboolean complete; /* FALSE: stopped, failed or interrupted inside it */
    gint64 started_us; /* Unix time of the measured window's start, in µs */
    struct plt_measure total;
    struct plt_measure op[PLT_N_OPS];
    struct plt_histogram *histogram[PLT_N_OPS]; /* owned; NULL where none */
    guint64 tick_ns;
    guint64 n_samples;
    GArray *stalls;  /* struct plt_stall; never NULL */
    GArray *samples; /* struct plt_sample; NULL until plt_library_load_samples */
    JsonNode *
        engine; /* how it was made: backend, submit_cap, effective_queue, busy, notes …; owned; may be NULL */
} PltCellRun;

typedef struct {
    gint64 id;
    PltCellSpec spec;
    PltScoreRule score_rule;
    GPtrArray *runs; /* PltCellRun, warm-ups first; never NULL */
} PltCell;

/* Something that happened to the run and that its record shall keep: "recovered", "samples-merged". */
typedef struct {
    gint64 at_us; /* Unix time in µs */
    char *kind;
    char *detail; /* or NULL */
} PltEvent;

/* What the drive's own sensor said during the run. */
typedef struct {
    gint64 at_us; /* Unix time in µs */
    double celsius;
} PltTemperature;

/* One execution of a suite: what the library keeps, what JSON shows, what reports draw. */
typedef struct {
    gint64 id; /* 0 while not stored */
    char *uuid;
    char *suite_id;
    guint suite_version;
    char *suite_name;
    char *chart; /* the report the suite asks for: "quick-card", "blocksize", "as-ssd" */
    PltRunStatus status;
    char *status_detail;         /* one sentence, or NULL */
    gint64 started_us, ended_us; /* Unix time in µs; ended_us 0 while running */
    char *note;                  /* the person's words, or NULL */
    char *title;                 /* the person's name for it, or NULL */
    char *program;               /* "Plateau 0.1.0" */
    JsonNode *parameters;        /* object: everything that was really used */
    JsonNode *target;            /* object: see drive/folder.h plt_target_to_json */
    JsonNode *drive;             /* object: model, firmware, capacity, … of the drive(s) underneath */
    JsonNode *platform;          /* object: see drive/platform.h */
    GPtrArray *warnings;         /* PltWarning */
    GPtrArray *events;           /* PltEvent, oldest first */
    GPtrArray *cells;            /* PltCell in the order of measuring */
    GArray *temperatures;        /* PltTemperature, oldest first; never NULL */
    JsonNode *analysis;          /* object: see library/analyse.h; NULL while there is none */
} PltRun;

PltRun *plt_run_new(void);
void plt_run_free(PltRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltRun, plt_run_free)

PltEvent *plt_event_new(gint64 at_us, const char *kind, const char *detail);
void plt_event_free(PltEvent *event);

PltCell *plt_cell_new(const PltCellSpec *spec, PltScoreRule rule);
void plt_cell_free(PltCell *cell);
PltCellRun *plt_cell_run_new(void);
void plt_cell_run_free(PltCellRun *run);

void plt_cell_spec_copy(const PltCellSpec *from, PltCellSpec *to);
void plt_cell_spec_clear(PltCellSpec *spec);

/* The run that is the cell's score by its rule, among complete runs that are no warm-up; NULL if none. */
const PltCellRun *plt_cell_score(const PltCell *cell);

/* The run in progress or the last one with figures, for a live view; NULL if none. */
const PltCellRun *plt_cell_latest(const PltCell *cell);

/*
 * Median bandwidth in bytes/s of the complete runs that are no warm-up (the mean of the middle two of an even
 * number), and 100 x (highest - lowest) / median. NAN if there is no such run.
 */
double plt_cell_median_bps(const PltCell *cell);
double plt_cell_spread_percent(const PltCell *cell);

/* The names in files, and back: FALSE for a name that is none. */
const char *plt_run_status_name(PltRunStatus status);
const char *plt_cell_op_name(PltCellOp op);                  /* "read", "write", "mix" */
const char *plt_cell_pattern_name(enum plt_pattern pattern); /* "sequential", "random" */
const char *plt_cell_sync_name(enum plt_sync sync);          /* "none", "dsync", "sync", "fsync", … */
const char *plt_score_rule_name(PltScoreRule rule);          /* "best", "median" */
gboolean plt_run_status_from_name(const char *name, PltRunStatus *status);
gboolean plt_cell_op_from_name(const char *name, PltCellOp *op);
gboolean plt_cell_pattern_from_name(const char *name, enum plt_pattern *pattern);
gboolean plt_cell_sync_from_name(const char *name, enum plt_sync *sync);
gboolean plt_score_rule_from_name(const char *name, PltScoreRule *rule);
