/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <math.h>

#include "report/build.h"

gboolean plt_report_has_samples(const PltReportRequest *request, const PltCellRun *run)
{
    return (run->samples && run->samples->len > 0) || (request->source && run->n_samples > 0);
}

gboolean plt_report_each_samples(const PltReportRequest *request, const PltCellRun *run, PltSamplesFunc func,
                                 gpointer user, GError **error)
{
    if (run->samples) {
        func((const struct plt_sample *)run->samples->data, run->samples->len, user);
        return TRUE;
    }
    return !request->source || request->source->each(request->source->data, run, func, user, error);
}

/* NAN for a sample without a length. */
static double rate_bps(const struct plt_sample *sample)
{
    guint64 bytes = sample->op[PLT_OP_READ].bytes + sample->op[PLT_OP_WRITE].bytes;

    return sample->duration_ns > 0 ? (double)bytes * 1e9 / (double)sample->duration_ns : NAN;
}

struct pen {
    PltPyramid *line;
    double at;
};

static void append_samples(const struct plt_sample *samples, guint n_samples, gpointer user)
{
    struct pen *pen = user;

    for (guint i = 0; i < n_samples; i++) {
        double length = (double)samples[i].duration_ns / 1e9;

        plt_pyramid_append_at(pen->line, pen->at + length / 2.0, rate_bps(&samples[i]));
        pen->at += length;
    }
}

gboolean plt_report_append_window(const PltReportRequest *request, const PltCellRun *run, PltPyramid *line,
                                  double *at, GError **error)
{
    struct pen pen = {line, *at};
    gboolean read = plt_report_each_samples(request, run, append_samples, &pen, error);

    plt_pyramid_append_at(line, pen.at, NAN);
    *at = pen.at;
    return read;
}
