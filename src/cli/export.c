/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/file.h"
#include "cli/output.h"
#include "cli/store.h"
#include "library/export-stream.h"
#include "library/export.h"

typedef gboolean (*StreamFunc)(PltLibrary *library, const PltRun *run, PltExportFunc func, gpointer user,
                               GError **error);

typedef struct {
    const char *name;
    gboolean samples; /* needs them loaded */
    char *(*make)(const PltRun *run);
    StreamFunc stream; /* instead of it: too long to be in memory at once */
} Format;

static const Format formats[] = {
    {"json", TRUE, plt_export_json, NULL},
    {"csv", FALSE, plt_export_csv, NULL},
    {"analysis-csv", FALSE, plt_export_analysis_csv, NULL},
    {"samples-csv", FALSE, NULL, plt_export_stream_samples},
    {"log-csv", FALSE, NULL, plt_export_stream_log},
    {"cdm", FALSE, plt_export_cdm_text, NULL},
    {"markdown", FALSE, plt_export_markdown, NULL},
};

static const Format *find_format(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
        if (g_strcmp0(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* What a stream needs to know. */
typedef struct {
    PltLibrary *library;
    const PltRun *run;
    StreamFunc func;
} Source;

static gboolean to_output(const char *text, gsize length, gpointer user, GError **error)
{
    plt_output_write(text, length);
    return TRUE;
}

static gboolean to_stream(const char *text, gsize length, gpointer stream, GError **error)
{
    return g_output_stream_write_all(stream, text, length, NULL, NULL, error);
}

static gboolean fill_file(GOutputStream *stream, gpointer user, GError **error)
{
    const Source *source = user;

    return source->func(source->library, source->run, to_stream, stream, error);
}

static gboolean stream_result(Source *source, const char *output, GError **error)
{
    if (output == NULL || g_str_equal(output, "-"))
        return source->func(source->library, source->run, to_output, NULL, error);
    return plt_file_stream_output(output, fill_file, source, error);
}

static PltExit export_result(const char *library_path, const char *id, const Format *format,
                             const char *output)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = plt_store_open_existing(library_path, &error);
    g_autoptr(PltRun) run = library != NULL ? plt_cli_store_load(library, id, &error) : NULL;
    g_autofree char *text = NULL;

    if (run == NULL || (format->samples && !plt_cli_store_load_samples(library, run, NULL, &error)))
        return plt_output_fail(error);
    if (format->stream != NULL) {
        Source source = {.library = library, .run = run, .func = format->stream};

        return stream_result(&source, output, &error) ? PLT_EXIT_DONE : plt_output_fail(error);
    }
    text = format->make(run);
    if (output == NULL || g_str_equal(output, "-"))
        plt_output_write(text, strlen(text));
    else if (!plt_file_write_output(output, text, strlen(text), &error))
        return plt_output_fail(error);
    return PLT_EXIT_DONE;
}

static PltExit run_export(char **argv)
{
    g_autofree char *library = NULL, *name = NULL, *output = NULL;
    g_auto(GStrv) words = NULL;
    const Format *format;
    PltExit status;
    const GOptionEntry entries[] = {
        {"format", 'f', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &name,
         N_("json, csv, samples-csv, log-csv, analysis-csv, cdm or markdown"), N_("FORMAT")},
        {"output", 'o', G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &output,
         N_("Write to FILE; without it, or with “-”, to standard output"), N_("FILE")},
        plt_store_option(&library),
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_export, entries, argv, 1, 1, &words, &status))
        return status;
    format = find_format(name);
    if (format == NULL) {
        plt_output_error(
            name == NULL
                ? _("--format is missing: json, csv, samples-csv, log-csv, analysis-csv, cdm or markdown")
                : _("there is no such format: json, csv, samples-csv, log-csv, analysis-csv, cdm or "
                    "markdown"));
        return PLT_EXIT_USAGE;
    }
    return export_result(library, words[0], format, output);
}

const PltCommand plt_command_export = {
    .name = "export",
    .arguments = "ID",
    .summary = N_("Write one run as JSON, CSV, Markdown or text"),
    .details = N_("ID is a run's number, the beginning of its uuid, or “last”.\n\nFormats:\n"
                  "  json          everything, samples too (plateau.run/1)\n"
                  "  csv           a line per measured window and direction\n"
                  "  samples-csv   a line per 100 ms of measuring\n"
                  "  log-csv       a line per thousandth of a pass\n"
                  "  analysis-csv  a line per figure: caches, phases, throttling\n"
                  "  cdm           the text layout of CrystalDiskMark 9\n"
                  "  markdown      a table for a review"),
    .run = run_export,
};
