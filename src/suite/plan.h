/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/purge.h"
#include "suite/settings.h"
#include "suite/suite.h"

/* What a person may change for one run: "size=4GiB", "runs=5", "only=rnd4k-q1t1-read,…". */
typedef struct plt_overrides PltOverrides;

PltOverrides *plt_overrides_new(void);
void plt_overrides_free(PltOverrides *overrides);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltOverrides, plt_overrides_free)

/*
 * KEY=VALUE, with the keys size, runs, warmup, seconds, interval, data, mix, score, generator, tick, seed
 * and only (docs/suites.md); a key set twice has its last value. An unknown key or an absurd value is an
 * error that says what is allowed, and changes nothing.
 */
gboolean plt_overrides_set(PltOverrides *overrides, const char *assignment, GError **error);

typedef enum {
    PLT_STEP_MEASURE, /* one cell: warm-up runs, then runs */
    PLT_STEP_REST,    /* nothing for rest_ms */
    PLT_STEP_PURGE,   /* the whole drive is erased */
} PltStepKind;

/* Who carries a MEASURE step out, on what. */
typedef enum {
    PLT_WORK_TARGET,    /* the engine, on the test file or the drive */
    PLT_WORK_FILL_FREE, /* the engine, on files that take the free space; on a drive as TARGET */
    PLT_WORK_VERIFY,    /* threads that write and look for stamped blocks, on such files or the drive */
} PltWork;

typedef struct {
    PltStepKind kind;
    PltWork work;
    guint64 rest_ms;
    PltPurgeMethod purge_method;
    guint share_percent;          /* MEASURE: a pass over so much of the target, once; 0 = ends by time */
    PltCellSpec cell;             /* MEASURE */
    struct plt_workload workload; /* MEASURE: ready for the engine but for ramp_ns; see plt_step_run_seed */
    PltScoreRule score_rule;
    guint warmup_runs, runs;
    gboolean optional;         /* skipped with a warning where the target cannot do so small a block */
    guint64 estimated_ms;      /* the whole step */
    guint64 estimated_written; /* bytes, at the plan's speed_guess */
} PltStep;

/* A suite with the overrides applied, every step spelled out. */
typedef struct {
    PltSuite *suite;
    guint64 size;    /* bytes of the test file, or of the drive; PLT_SIZE_ALL until plt_plan_fit */
    gboolean writes; /* a step, or what comes before the first, changes data */
    gboolean purges; /* a step erases the whole drive, by purge_method */
    PltPurgeMethod purge_method;
    gboolean makes_files; /* in a folder its steps make files of their own, instead of one test file */
    guint64 leave;        /* bytes that stay free in a folder with size=all; 0 = see target.h */
    gboolean prepare;     /* the target is written before the first step, not by it */
    /*
     * What the target must be able to do: the smallest block of the steps that are not optional; where all
     * are, the largest block.
     */
    guint32 smallest_block;
    gboolean any_read; /* the file must be written before */
    guint data_zero_percent;
    enum plt_data data;
    guint mix_percent;         /* share of reads of the first mixed cell; 0: no mixed cell is run */
    GPtrArray *steps;          /* PltStep */
    guint64 speed_guess;       /* bytes/s that the estimates are made with */
    guint64 estimated_ms;      /* all steps, and the writing of the test file before them */
    guint64 estimated_written; /* likewise */
    JsonNode *parameters;      /* object: every parameter that will really be used */
} PltPlan;

/*
 * SPEED_GUESS is a bandwidth in bytes/s for the estimates of time and bytes, 0 = a typical NVMe drive's. SEED
 * seeds every workload (each cell gets its own, derived and recorded), so a run can be repeated exactly.
 */
PltPlan *plt_plan_new(PltSuite *suite, const PltOverrides *overrides, guint64 speed_guess, guint64 seed,
                      GError **error);

/*
 * Fits PLAN to a target of LENGTH bytes: what is to cover all of it, and the estimates, become numbers. A
 * plan of a fixed size keeps it. A DRIVE is not written before the first step unless the plan writes anyway.
 */
void plt_plan_fit(PltPlan *plan, guint64 length, gboolean drive);

/*
 * The seed of the RUN-th window of a cell (warm-ups count, from 0): each has its own, derived from the
 * cell's, so that no run reads the very blocks again that the run before left in some cache.
 */
guint64 plt_step_run_seed(const PltStep *step, guint run);

void plt_plan_free(PltPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltPlan, plt_plan_free)
