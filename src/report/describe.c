/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "chart/format.h"
#include "report/build.h"
#include "report/cell.h"

/* Beyond this a listener has forgotten the first figure; the rest is in the table of the export. */
#define MAX_CELLS 8

static char *cell_text(const PltCell *cell, const PltLanguage *language)
{
    static const char *const formats[] = {N_("%s read %s"), N_("%s write %s"), N_("%s mix %s")};
    const struct plt_measure *measure = plt_report_cell_measure(cell);
    g_autofree char *figure = NULL;
    PltQuantity quantity;

    if (!measure)
        return NULL;
    quantity = plt_report_cell_is_access_time(cell) ? plt_format_latency(measure->latency.mean_ns)
                                                    : plt_format_bandwidth(measure->bandwidth_bps);
    figure = plt_quantity_join(&quantity);
    return plt_language_format(language, formats[MIN((guint)cell->spec.op, 2u)], cell->spec.label, figure,
                               NULL);
}

static char *figures(const PltRun *run, const PltLanguage *language)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < run->cells->len && texts->len < MAX_CELLS; i++) {
        char *text = cell_text(run->cells->pdata[i], language);

        if (text)
            g_ptr_array_add(texts, text);
    }
    if (texts->len == 0)
        return NULL;
    g_ptr_array_add(texts, NULL);
    return g_strjoinv(", ", (char **)texts->pdata);
}

static const char *opening(const PltPicture *picture)
{
    if (picture->table)
        return N_("Table of speeds of %s.");
    return picture->charts->len > 0 ? N_("Chart of the throughput of %s.") : N_("Results of %s.");
}

char *plt_report_describe(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options)
{
    g_autoptr(PltLanguage) language = plt_language_new(options->language, NULL);
    g_autoptr(PltPicture) picture = NULL;
    g_autofree char *list = NULL, *first = NULL;
    GString *text = NULL;

    if (!language)
        language = plt_language_new("en", NULL);
    picture = plt_report_build(runs, n_runs, options, language, NULL);
    if (!picture) {
        /* A curve whose samples are not loaded: its figures are those of the table. */
        PltReportOptions table = *options;

        table.kind = "card";
        picture = plt_report_build(runs, n_runs, &table, language, NULL);
    }
    if (!picture)
        return g_strdup("");
    first = plt_language_format(language, opening(picture), picture->title, NULL);
    text = g_string_new(first);
    if (picture->subtitle)
        g_string_append_printf(text, " %s.", picture->subtitle);
    list = figures(runs[0], language);
    if (list)
        g_string_append_printf(text, " %s.", list);
    if (picture->badge)
        g_string_append_printf(text, " %s.", picture->badge);
    return g_string_free(text, FALSE);
}
