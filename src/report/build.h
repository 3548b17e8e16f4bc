/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/chart.h"
#include "report/language.h"
#include "report/report.h"

/* What a builder is given: the runs (at least one), what was asked for, and the words. */
typedef struct {
    const PltRun *const *runs;
    gsize n_runs;
    const PltReportOptions *options;
    const PltLanguage *language;
} PltReportRequest;

/* Each makes the model of one kind of picture; NULL with an error that says what the run lacks. */
PltPicture *plt_report_build_card(const PltReportRequest *request, GError **error);
PltPicture *plt_report_build_time(const PltReportRequest *request, GError **error);
PltPicture *plt_report_build_blocksize(const PltReportRequest *request, GError **error);

/* The model of the picture that OPTIONS ask for. */
PltPicture *plt_report_build(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options,
                             const PltLanguage *language, GError **error);

/* Heading, notices, captions and source that all pictures of RUN share. */
PltPicture *plt_report_frame(const PltRun *run, const PltLanguage *language);

/* LABEL of a cell in the picture's language, where it is one of those that a shipped suite names. */
const char *plt_report_row_name(const char *label, const PltLanguage *language);

/* "5 s", "12:30 min", with the second in the picture's language. */
char *plt_report_duration(const PltLanguage *language, double seconds);

/* The words that a chart itself needs, in the picture's language. */
void plt_report_set_words(PltChart *chart, const PltLanguage *language);
