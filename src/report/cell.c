/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "report/cell.h"

const struct plt_measure *plt_report_run_measure(const PltCell *cell, const PltCellRun *run)
{
    if (cell->spec.op == PLT_CELL_READ && run->op[PLT_OP_READ].ios > 0)
        return &run->op[PLT_OP_READ];
    if (cell->spec.op == PLT_CELL_WRITE && run->op[PLT_OP_WRITE].ios > 0)
        return &run->op[PLT_OP_WRITE];
    return &run->total;
}

const struct plt_measure *plt_report_cell_measure(const PltCell *cell)
{
    const PltCellRun *run = plt_cell_score(cell);

    return run ? plt_report_run_measure(cell, run) : NULL;
}

const struct plt_measure *plt_report_cell_partial(const PltCell *cell)
{
    for (guint i = cell->runs->len; i-- > 0;) {
        const PltCellRun *run = cell->runs->pdata[i];
        const struct plt_measure *measure = plt_report_run_measure(cell, run);

        if (!run->warmup && measure->ios > 0)
            return measure;
    }
    return NULL;
}

gsize plt_report_cell_runs(const PltCell *cell, struct plt_summary *summary)
{
    g_autoptr(GArray) rates = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = cell->runs->pdata[i];

        if (!run->warmup && run->complete)
            g_array_append_val(rates, plt_report_run_measure(cell, run)->bandwidth_bps);
    }
    *summary = plt_analysis_summarise((double *)rates->data, rates->len);
    return rates->len;
}

gboolean plt_report_cell_is_access_time(const PltCell *cell)
{
    return cell->spec.id && strstr(cell->spec.id, "access") != NULL;
}

const char *plt_report_op_word(PltCellOp op)
{
    static const char *const words[] = {
        [PLT_CELL_READ] = N_("Read"),
        [PLT_CELL_WRITE] = N_("Write"),
        [PLT_CELL_MIX] = N_("Mix"),
    };

    return words[MIN((guint)op, G_N_ELEMENTS(words) - 1)];
}

const char *plt_report_status_word(PltRunStatus status, gboolean begun)
{
    if (!begun)
        return status == PLT_RUN_RUNNING ? N_("waiting") : N_("not measured");
    switch (status) {
    case PLT_RUN_RUNNING:
        return N_("measuring");
    case PLT_RUN_STOPPED:
        return N_("stopped");
    case PLT_RUN_FAILED:
        return N_("failed");
    case PLT_RUN_INTERRUPTED:
        return N_("interrupted");
    case PLT_RUN_COMPLETE:
    default:
        return N_("not measured");
    }
}

/* Which of the three figures of AS SSD a cell gives; NULL for none of them. */
static double *score_slot(const PltCell *cell, struct plt_score_input *input)
{
    if (plt_report_cell_is_access_time(cell))
        return NULL;
    if (cell->spec.pattern == PLT_PATTERN_SEQUENTIAL)
        return &input->sequential;
    return cell->spec.threads * cell->spec.queue > 1 ? &input->random64 : &input->random;
}

gboolean plt_report_score(const PltRun *run, struct plt_score *score)
{
    struct plt_score_input input[2] = {{-1.0, -1.0, -1.0}, {-1.0, -1.0, -1.0}};

    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = run->cells->pdata[i];
        const struct plt_measure *measure = plt_report_cell_measure(cell);
        double *slot = NULL;

        if (!measure || cell->spec.op == PLT_CELL_MIX)
            continue;
        slot = score_slot(cell, &input[cell->spec.op == PLT_CELL_WRITE]);
        if (slot)
            *slot = measure->bandwidth_bps / 1e6;
    }
    for (guint i = 0; i < 2; i++) {
        if (input[i].sequential < 0.0 || input[i].random < 0.0 || input[i].random64 < 0.0)
            return FALSE;
    }
    *score = plt_analysis_as_ssd_score(&input[0], &input[1]);
    return TRUE;
}
