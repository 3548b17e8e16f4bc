/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/library.h"

/*
 * Writes one run into the library while it happens. The calls only copy what they are given into a queue and
 * return; a thread of the recorder writes, in order, and commits at least once a second. All calls come from
 * one thread (the runner's). A failing disk never stops the run: the first failure is kept and reported by
 * plt_recorder_finish.
 */
typedef struct plt_recorder PltRecorder;

/*
 * Starts to record RUN (status RUNNING; uuid, suite, parameters, target, drive, platform, warnings,
 * started_us set; cells empty) at PATH (NULL = default). DURABLE asks for a commit that survives a power cut
 * each second (synchronous=FULL); without it only a crash of the program is survived, and the disk is not
 * flushed. The run has its id when this returns: see plt_recorder_run_id.
 */
PltRecorder *plt_recorder_new(const char *path, const PltRun *run, gboolean durable, GError **error);

gint64 plt_recorder_run_id(PltRecorder *recorder);

/* A cell begins; what follows belongs to it. */
void plt_recorder_begin_cell(PltRecorder *recorder, const PltCellSpec *spec, PltScoreRule rule);

/* A measured window of the current cell begins. */
void plt_recorder_begin_cell_run(PltRecorder *recorder, gboolean warmup, gint64 started_us, guint64 tick_ns);

/* One closed tick of the current cell run. */
void plt_recorder_add_sample(PltRecorder *recorder, const struct plt_sample *sample);

/* The current cell run ended: its figures, histograms, stalls and engine document are copied from RUN. */
void plt_recorder_end_cell_run(PltRecorder *recorder, const PltCellRun *run);

/* A warning that came up on the way. */
void plt_recorder_add_warning(PltRecorder *recorder, const char *id, const char *detail);

/*
 * Writes how the run ended, waits until all is on disk and frees the recorder. FALSE with the first failure
 * of the whole recording.
 */
gboolean plt_recorder_finish(PltRecorder *recorder, PltRunStatus status, const char *detail, gint64 ended_us,
                             GError **error);
