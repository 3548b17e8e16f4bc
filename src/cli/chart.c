/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/output.h"
#include "cli/store.h"
#include "report/report.h"

/* Below this nothing can be read; above it cairo's image surfaces end (32767 pixels a side). */
#define MIN_SIDE 200
#define MAX_SIDE 16384
#define MAX_PIXELS 32767
#define MAX_SCALE 8.0

typedef struct {
    char *library, *output, *kind, *cell, *size, *language;
    double scale;
    gboolean dark;
} Options;

static void options_clear(Options *options)
{
    g_free(options->library);
    g_free(options->output);
    g_free(options->kind);
    g_free(options->cell);
    g_free(options->size);
    g_free(options->language);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean usage_error(GError **error, const char *text)
{
    g_set_error_literal(error, PLT_ERROR, PLT_ERROR_USAGE, text);
    return FALSE;
}

static gboolean parse_size(const char *text, PltReportOptions *report, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    gint64 width, height;

    if (g_strv_length(parts) != 2 ||
        !g_ascii_string_to_signed(parts[0], 10, MIN_SIDE, MAX_SIDE, &width, NULL) ||
        !g_ascii_string_to_signed(parts[1], 10, MIN_SIDE, MAX_SIDE, &height, NULL))
        return usage_error(error, _("--size needs WIDTHxHEIGHT with 200 to 16384 each, as in 1200x675"));
    report->width = (int)width;
    report->height = (int)height;
    return TRUE;
}

static gboolean is_one_of(const char *text, const char *const *allowed)
{
    return text == NULL || g_strv_contains(allowed, text);
}

static gboolean check_options(const Options *options, PltReportOptions *report, PltReportFormat *format,
                              GError **error)
{
    static const char *const kinds[] = {"card", "time", "blocksize", "fill", "overlay", "ranking", NULL};
    static const char *const languages[] = {"en", "ko", NULL};

    if (options->output == NULL)
        return usage_error(error,
                           _("-o FILE is missing; its ending says what it becomes: .png, .svg or .pdf"));
    if (!plt_report_format_for_path(options->output, format))
        return usage_error(error, _("the name after -o must end in .png, .svg or .pdf"));
    if (!is_one_of(options->kind, kinds))
        return usage_error(error, _("--kind is card, time, blocksize, fill, overlay or ranking"));
    if (!is_one_of(options->language, languages))
        return usage_error(error, _("--lang is en or ko"));
    if (!(options->scale > 0 && options->scale <= MAX_SCALE))
        return usage_error(error, _("--scale is more than 0, at most 8"));
    if (options->cell != NULL && !plt_report_kind_has_samples(options->kind) &&
        g_strcmp0(options->kind, "ranking") != 0)
        return usage_error(error, _("--cell belongs to --kind time, fill, overlay and ranking"));
    if (options->size != NULL && !parse_size(options->size, report, error))
        return FALSE;
    if (MAX(report->width, report->height) * options->scale > MAX_PIXELS)
        return usage_error(error, _("--size times --scale is more than 32767 pixels"));
    report->scale = options->scale;
    report->dark = options->dark;
    report->language = options->language;
    report->kind = options->kind;
    report->cell = options->cell;
    return TRUE;
}

static gboolean has_cell(const PltRun *run, const char *id)
{
    for (guint i = 0; i < run->cells->len; i++)
        if (g_str_equal(((const PltCell *)g_ptr_array_index(run->cells, i))->spec.id, id))
            return TRUE;
    return FALSE;
}

/* The runs of IDS with what a chart of KIND needs of them; NULL on error. */
static GPtrArray *load_runs(PltLibrary *library, char **ids, const Options *options, GError **error)
{
    g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify)plt_run_free);

    for (guint i = 0; ids[i] != NULL; i++) {
        PltRun *run = plt_cli_store_load(library, ids[i], error);

        if (run == NULL)
            return NULL;
        g_ptr_array_add(runs, run);
        if (options->cell != NULL && !has_cell(run, options->cell)) {
            g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                        _("run %" PRId64 " has no cell “%s”, “plateau-cli export %" PRId64
                          " --format csv” names them"),
                        run->id, options->cell, run->id);
            return NULL;
        }
        if (plt_report_kind_has_samples(options->kind != NULL ? options->kind : plt_report_kind(run)) &&
            !plt_cli_store_load_samples(library, run, options->cell, error))
            return NULL;
    }
    return g_steal_pointer(&runs);
}

static PltExit draw_chart(const Options *options, char **ids)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = NULL;
    g_autoptr(GPtrArray) runs = NULL;
    g_autofree char *place = NULL;
    PltReportOptions report = {.width = 1200, .height = 675};
    PltReportFormat format;

    if (!check_options(options, &report, &format, &error))
        return plt_output_fail(error);
    place = plt_file_resolve_output(options->output, &error);
    if (place == NULL)
        return plt_output_fail(error);
    library = plt_store_open_existing(options->library, &error);
    if (library == NULL)
        return plt_output_fail(error);
    runs = load_runs(library, ids, options, &error);
    if (runs == NULL)
        return plt_output_fail(error);
    if (!plt_report_save(place, format, (const PltRun *const *)runs->pdata, runs->len, &report, &error))
        return plt_output_fail(error);
    return PLT_EXIT_DONE;
}

static PltExit run_chart(char **argv)
{
    g_auto(Options) options = {.scale = 1};
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"output", 'o', G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &options.output,
         N_("The picture: a name that ends in .png, .svg or .pdf"), N_("FILE")},
        {"kind", 'k', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.kind,
         N_("card, time, blocksize, fill, overlay or ranking; without it, what the suite is made for"),
         N_("KIND")},
        {"cell", 'c', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.cell,
         N_("With --kind time: the cell, such as seq1m-q8t1-write"), N_("CELL")},
        {"size", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.size, N_("Size in points (1200x675)"),
         N_("WxH")},
        {"scale", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_DOUBLE, &options.scale,
         N_("Pixels per point of a PNG (1)"), N_("N")},
        {"dark", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.dark, N_("Light on dark"), NULL},
        {"lang", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.language,
         N_("Language of the picture: en or ko"), N_("LANG")},
        plt_store_option(&options.library),
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_chart, entries, argv, 1, G_MAXUINT, &words, &status))
        return status;
    return draw_chart(&options, words);
}

const PltCommand plt_command_chart = {
    .name = "chart",
    .arguments = "ID…",
    .summary = N_("Draw one run, or several, as PNG, SVG or PDF"),
    .details = N_("ID is a run's number, the beginning of its uuid, or “last”."),
    .run = run_chart,
};
