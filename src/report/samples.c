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

double plt_report_sample_bps(const struct plt_sample *sample)
{
    guint64 bytes = sample->op[PLT_OP_READ].bytes + sample->op[PLT_OP_WRITE].bytes;

    return sample->duration_ns > 0 ? (double)bytes * 1e9 / (double)sample->duration_ns : NAN;
}
