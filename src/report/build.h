/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/chart.h"
#include "library/library.h"
#include "report/language.h"
#include "report/report.h"

/* Where the samples of a cell run are read when they are not loaded. */
typedef struct {
    gboolean (*each)(gpointer data, const PltCellRun *run, PltSamplesFunc func, gpointer user,
                     GError **error);
    gpointer data;
} PltSampleSource;

/* What a builder is given: the runs (at least one), what was asked for, and the words. */
typedef struct {
    const PltRun *const *runs;
    gsize n_runs;
    const PltReportOptions *options;
    const PltLanguage *language;
    const PltSampleSource *source; /* NULL = run->samples */
} PltReportRequest;

gboolean plt_report_has_samples(const PltReportRequest *request, const PltCellRun *run);

/* Hands all samples of RUN to FUNC, in order and in pieces. FALSE with an error when they cannot be read. */
gboolean plt_report_each_samples(const PltReportRequest *request, const PltCellRun *run, PltSamplesFunc func,
                                 gpointer user, GError **error);

/*
 * Puts the samples of RUN, reads and writes together in bytes/s, into LINE (uneven) from *AT seconds on, and
 * a hole behind them: the pen is lifted between two windows. *AT is then the window's end. FALSE with an
 * error when they cannot be read; what was read until then, and the hole, are there all the same.
 */
gboolean plt_report_append_window(const PltReportRequest *request, const PltCellRun *run, PltPyramid *line,
                                  double *at, GError **error);

/* Each makes the model of one kind of picture; NULL with an error that says what the run lacks. */
PltPicture *plt_report_build_card(const PltReportRequest *request, GError **error);
PltPicture *plt_report_build_time(const PltReportRequest *request, GError **error);
PltPicture *plt_report_build_fill(const PltReportRequest *request, GError **error);
PltPicture *plt_report_build_blocksize(const PltReportRequest *request, GError **error);

/* Several runs in one cell (OPTIONS' cell, or the first that most have): curves, and scores in order. */
PltPicture *plt_report_build_overlay(const PltReportRequest *request, GError **error);
PltPicture *plt_report_build_ranking(const PltReportRequest *request, GError **error);

/* The model of the picture that OPTIONS ask for. */
PltPicture *plt_report_build(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options,
                             const PltLanguage *language, GError **error);

/* The same with samples that are not loaded from SOURCE (may be NULL). */
PltPicture *plt_report_build_from(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options,
                                  const PltLanguage *language, const PltSampleSource *source, GError **error);

/* Heading, notices, captions and source that all pictures of RUN share. */
PltPicture *plt_report_frame(const PltRun *run, const PltLanguage *language);

/* LABEL of a cell in the picture's language, where it is one of those that a shipped suite names. */
const char *plt_report_row_name(const char *label, const PltLanguage *language);

/* "5 s", "12:30 min", with the second in the picture's language. */
char *plt_report_duration(const PltLanguage *language, double seconds);

/* The words that a chart itself needs, in the picture's language. */
void plt_report_set_words(PltChart *chart, const PltLanguage *language);
