/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "report/build.h"
#include "report/surface.h"

static const struct {
    const char *name;
    PltPicture *(*build)(const PltReportRequest *request, GError **error);
} kinds[] = {
    {"card", plt_report_build_card},           {"time", plt_report_build_time},
    {"blocksize", plt_report_build_blocksize}, {"overlay", plt_report_build_overlay},
    {"ranking", plt_report_build_ranking},     {"fill", plt_report_build_fill},
};

/* What a suite asks for (run->chart) -> the kind of picture; whatever is not named here gets the card. */
static const struct {
    const char *chart, *kind;
} suite_charts[] = {
    {"blocksize", "blocksize"}, {"time", "time"}, {"fill", "fill"}, {"thermal", "time"}, {"reclaim", "time"},
};

const char *plt_report_kind(const PltRun *run)
{
    for (guint i = 0; i < G_N_ELEMENTS(suite_charts); i++) {
        if (g_strcmp0(run->chart, suite_charts[i].chart) == 0)
            return suite_charts[i].kind;
    }
    return "card";
}

gboolean plt_report_kind_has_samples(const char *kind)
{
    return g_strcmp0(kind, "time") == 0 || g_strcmp0(kind, "fill") == 0 || g_strcmp0(kind, "overlay") == 0;
}

PltPicture *plt_report_build(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options,
                             const PltLanguage *language, GError **error)
{
    return plt_report_build_from(runs, n_runs, options, language, NULL, error);
}

PltPicture *plt_report_build_from(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options,
                                  const PltLanguage *language, const PltSampleSource *source, GError **error)
{
    PltReportRequest request = {
        .runs = runs, .n_runs = n_runs, .options = options, .language = language, .source = source};
    const char *kind = NULL;

    if (n_runs == 0) {
        g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE, _("There is no run to draw: name one."));
        return NULL;
    }
    kind = options->kind ? options->kind : plt_report_kind(runs[0]);
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (g_str_equal(kind, kinds[i].name))
            return kinds[i].build(&request, error);
    }
    g_set_error(
        error, PLT_ERROR, PLT_ERROR_USAGE,
        _("There is no kind of chart named “%s”: choose card, time, blocksize, fill, overlay or ranking."),
        kind);
    return NULL;
}

PltPicture *plt_report_prepare(const PltRun *const *runs, gsize n_runs, const PltReportOptions *options,
                               struct plt_surface_size *size, PltLanguage **language, GError **error)
{
    g_autoptr(PltLanguage) made = NULL;
    PltPicture *picture;

    if (!plt_surface_size_for(options, size, error))
        return NULL;
    made = plt_language_new(options->language, error);
    if (!made)
        return NULL;
    picture = plt_report_build(runs, n_runs, options, made, error);
    if (picture)
        *language = g_steal_pointer(&made);
    return picture;
}

gboolean plt_report_draw(cairo_t *cr, const PltRun *const *runs, gsize n_runs,
                         const PltReportOptions *options, GError **error)
{
    g_autoptr(PltLanguage) language = NULL;
    g_autoptr(PltPicture) picture = NULL;
    struct plt_surface_size size;

    picture = plt_report_prepare(runs, n_runs, options, &size, &language, error);
    if (!picture)
        return FALSE;
    plt_picture_draw(picture, cr, size.width, size.height, options->dark, plt_language_tag(language), NULL);
    return TRUE;
}
