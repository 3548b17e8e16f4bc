/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "drive/error.h"
#include "library/run.h"

typedef enum {
    PLT_REPORT_PNG,
    PLT_REPORT_SVG,
    PLT_REPORT_PDF,
} PltReportFormat;

typedef struct {
    int width, height; /* points; 0 = 1200 x 675 */
    double scale;      /* pixels per point, PNG only; 0 = 1 */
    gboolean dark;
    const char *language; /* "en", "ko"; NULL = the program's */
    /* "card", "time", "blocksize", "fill"; of several runs "overlay", "ranking"; NULL = what the suite asks
     * for. */
    const char *kind;
    /* A cell's id. NULL: "time" shows all that have samples, "overlay" and "ranking" the first in common. */
    const char *cell;
} PltReportOptions;

/* The kind of picture that the suite of RUN asks for. Static. */
const char *plt_report_kind(const PltRun *run);

/* TRUE when KIND is drawn from samples, which have to be loaded. */
gboolean plt_report_kind_has_samples(const char *kind);

/* Draws RUNS (one or several, as KIND allows) on CR, filling width x height points from the origin. */
gboolean plt_report_draw(cairo_t *cr, const PltRun *const *runs, gsize n_runs,
                         const PltReportOptions *options, GError **error);

/* The same to a file; written to a temporary name beside it and renamed, so PATH is whole or untouched. */
gboolean plt_report_save(const char *path, PltReportFormat format, const PltRun *const *runs, gsize n_runs,
                         const PltReportOptions *options, GError **error);

/* The format by the ending of PATH; FALSE when it is none of .png, .svg, .pdf. */
gboolean plt_report_format_for_path(const char *path, PltReportFormat *format);

/*
 * One to three sentences that say what the picture shows, with the main figures, in the picture's language:
 * for screen readers and as the alternative text of a web page. Never NULL; newly allocated.
 */
char *plt_report_describe(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options);
