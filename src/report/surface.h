/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/picture.h"
#include "report/language.h"
#include "report/report.h"

struct plt_surface_size {
    int width, height; /* points */
    double scale;      /* pixels per point */
};

/* The size that OPTIONS ask for, with the defaults filled in; USAGE when it cannot be drawn. */
gboolean plt_surface_size_for(const PltReportOptions *options, struct plt_surface_size *size, GError **error);

/*
 * What drawing and saving begin with: the checked size, the picture's language and its model. NULL with an
 * error, and *LANGUAGE untouched, when one of them cannot be had.
 */
PltPicture *plt_report_prepare(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options,
                               struct plt_surface_size *size, PltLanguage **language, GError **error);

/*
 * PICTURE as the bytes of a file of FORMAT. DESCRIPTION says in words what it shows, for those who cannot
 * see it; it goes into the file where the format has a place for it. Both may be in any language.
 */
GByteArray *plt_surface_render(const PltPicture *picture, PltReportFormat format,
                               const struct plt_surface_size *size, gboolean dark, const char *language,
                               const char *description, GError **error);
