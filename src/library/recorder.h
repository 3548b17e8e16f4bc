/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/library.h"

/*
 * Writes one run into the library while it happens. The calls only copy what they are given into a queue and
 * return; a thread of the recorder writes, in order, and commits at least once a second. All calls come from
 * one thread (the runner's). A failing disk never stops the run: what could not be written is kept and tried
 * again, and what is left unwritten at the end is reported by plt_recorder_finish. Memory stays bounded: when
 * more than PLT_RECORDER_MAX_SAMPLES samples wait, neighbours are merged into longer ticks, which loses
 * detail and no I/O, and is recorded as the event "samples-merged".
 */
typedef struct plt_recorder PltRecorder;

/* 3.6 h of 100 ms samples, 27 MB. */
#define PLT_RECORDER_MAX_SAMPLES 131072

/*
 * Starts to record RUN (status RUNNING; uuid, suite, parameters, target, drive, platform, warnings,
 * started_us set; cells empty) at PATH (NULL = default). DURABLE asks for a commit that survives a power cut
 * each second (synchronous=FULL). Without it a crash of the program is survived, a power cut leaves a whole
 * library that lacks the last minutes, and the disk is flushed only between measured windows (or when 64 MB
 * wait). The run has its id when this returns: see plt_recorder_run_id.
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

/*
 * What has completed so far of OP in the current cell run (plt_engine_peek). Optional, every few seconds: it
 * is what an interrupted run has its percentiles from.
 */
void plt_recorder_set_histogram(PltRecorder *recorder, enum plt_op op, const struct plt_histogram *histogram);

/* A warning that came up on the way. */
void plt_recorder_add_warning(PltRecorder *recorder, const char *id, const char *detail);

/* Something that happened now and belongs into the run's record (PltEvent). */
void plt_recorder_add_event(PltRecorder *recorder, const char *kind, const char *detail);

/* What the drive's sensor said at Unix time AT_US. May be called from any thread. */
void plt_recorder_add_temperature(PltRecorder *recorder, gint64 at_us, double celsius);

/*
 * Writes how the run ended, waits until all is on disk and frees the recorder. FALSE with the first failure
 * of the whole recording when something could not be written; the run then counts as interrupted.
 */
gboolean plt_recorder_finish(PltRecorder *recorder, PltRunStatus status, const char *detail, gint64 ended_us,
                             GError **error);
