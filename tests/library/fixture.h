/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/library.h"
#include "library/recorder.h"

/* A new empty folder, removed with all that is in it by fixture_remove, which frees the path. */
char *fixture_folder(void);
void fixture_remove(char *folder);

/* "library.db" in FOLDER. */
char *fixture_path(const char *folder);

/*
 * A run with fixed figures, written by hand and not computed: three workloads, reads, writes, one mix, a
 * warm-up and three runs each, stalls, an unreliable percentile, an unfinished run, warnings, and texts with
 * every character that some format has to escape.
 */
PltRun *fixture_run(void);

/* The head of a run that is being recorded: no cells yet. */
PltRun *fixture_new_run(void);

PltCellSpec fixture_spec(void); /* RND4K Q32T1 read; static texts */

/* Sample number INDEX of a plausible series: the same figures for the same number, none alike. */
struct plt_sample fixture_sample(guint64 index);

/* Records RUN, which has ended, at PATH with N_SAMPLES samples in each cell run; the new id. */
gint64 fixture_store(const char *path, PltRun *run, guint n_samples);

/* An open library; asserts that it opens. */
PltLibrary *fixture_open(const char *path);

/* Sum over an array of struct plt_sample. */
struct plt_sample_op fixture_sum(const GArray *samples, enum plt_op op);

/* One number out of a database file, by SQL; -1 when that fails. */
gint64 fixture_number(const char *path, const char *sql);
char *fixture_text(const char *path, const char *sql);

/* Runs SQL on PATH and fails the test if that fails. */
void fixture_exec(const char *path, const char *sql);

/* Asserts that two runs are the same in every stored detail but ids. */
void fixture_assert_same_run(const PltRun *a, const PltRun *b);

/* Compared member by member: the structure has padding. */
void fixture_assert_same_sample(const struct plt_sample *a, const struct plt_sample *b);

/* A file of tests/library/fixtures; asserts that it is there. */
char *fixture_read(const char *name);
