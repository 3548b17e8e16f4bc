/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-words.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "chart/format.h"

char *plt_words_time(guint64 ms)
{
    PltQuantity quantity = plt_format_duration((double)ms / 1000);

    return plt_quantity_join(&quantity);
}

char *plt_words_bytes(guint64 bytes)
{
    PltQuantity quantity = plt_format_capacity((double)bytes);

    return plt_quantity_join(&quantity);
}

char *plt_words_plan(const PltPlan *plan)
{
    /* Whole seconds: an estimate has no tenths. */
    g_autofree char *time = plt_words_time(MAX((plan->estimated_ms + 500) / 1000, 1) * 1000);
    /* Two figures: the speed of the drive is not known yet. */
    double step = pow(10, floor(log10(MAX((double)plan->estimated_written, 1))) - 1);
    g_autofree char *bytes = plt_words_bytes((guint64)(round((double)plan->estimated_written / step) * step));

    if (plan->size == PLT_SIZE_ALL)
        return g_strdup(plan->writes ? _("As long as it takes to write all there is")
                                     : _("As long as it takes to read all there is"));
    /* Translators: what a benchmark takes, such as “About 3:15 min · writes about 41 GB”. */
    return g_strdup_printf(_("About %s · writes about %s"), time, bytes);
}

const char *plt_words_op(PltCellOp op)
{
    switch (op) {
    case PLT_CELL_WRITE:
        return _("Write");
    case PLT_CELL_MIX:
        return _("Mix");
    case PLT_CELL_READ:
    default:
        return _("Read");
    }
}

const char *plt_words_label(const char *label)
{
    return label != NULL && *label != '\0' ? g_dgettext(GETTEXT_PACKAGE, label) : "";
}

char *plt_words_cell(const PltCellSpec *spec)
{
    /* Translators: a measured workload and what it does: “RND4K Q32T16 Read”. */
    return g_strdup_printf(_("%s %s"), plt_words_label(spec->label), plt_words_op(spec->op));
}

char *plt_words_phase(const PltPlan *plan, const PltRunnerProgress *progress)
{
    const PltStep *step = progress->step < plan->steps->len ? plan->steps->pdata[progress->step] : NULL;
    guint run;

    switch (progress->phase) {
    case PLT_RUNNER_PREPARING:
        return g_strdup(_("Writing the test file"));
    case PLT_RUNNER_WARMUP:
        return g_strdup(_("Warm-up"));
    case PLT_RUNNER_RESTING:
        return g_strdup(_("Resting"));
    case PLT_RUNNER_PURGING:
        return g_strdup(_("Erasing the drive"));
    case PLT_RUNNER_ENDED:
        return g_strdup("");
    case PLT_RUNNER_MEASURING:
    default:
        break;
    }
    if (step == NULL || step->runs <= 1)
        return g_strdup(_("Measuring"));
    run = progress->run >= step->warmup_runs ? progress->run - step->warmup_runs + 1 : 1;
    return g_strdup_printf(_("Run %u of %u"), run, step->runs);
}

static const struct {
    const char *id, *text;
} units[PLT_N_FIGURE_UNITS] = {
    [PLT_FIGURE_MBPS] = {"MB/s", "MB/s"},
    [PLT_FIGURE_GBPS] = {"GB/s", "GB/s"},
    [PLT_FIGURE_IOPS] = {"IOPS", "IOPS"},
    [PLT_FIGURE_US] = {"us", "µs"},
};

const char *plt_words_unit(PltFigureUnit unit)
{
    return units[MIN((guint)unit, PLT_N_FIGURE_UNITS - 1)].text;
}

const char *plt_words_unit_id(PltFigureUnit unit)
{
    return units[MIN((guint)unit, PLT_N_FIGURE_UNITS - 1)].id;
}

PltFigureUnit plt_words_unit_from_id(const char *id)
{
    for (guint i = 0; i < PLT_N_FIGURE_UNITS; i++)
        if (g_strcmp0(units[i].id, id) == 0)
            return (PltFigureUnit)i;
    return PLT_FIGURE_MBPS;
}

char *plt_words_figure(PltFigureUnit unit, double bandwidth_bps, double iops, double mean_ns)
{
    switch (unit) {
    case PLT_FIGURE_GBPS:
        return plt_format_number(bandwidth_bps / 1e9, 3);
    case PLT_FIGURE_IOPS:
        return plt_format_figures(iops, 3);
    case PLT_FIGURE_US:
        return plt_format_figures(mean_ns / 1e3, 3);
    case PLT_FIGURE_MBPS:
    default:
        return plt_format_figures(bandwidth_bps / 1e6, 3);
    }
}
