/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/store.h"
#include "cli/table.h"

typedef struct {
    char *library, *drive, *suite;
    int limit; /* 0 = all */
    gboolean json;
} Options;

static void options_clear(Options *options)
{
    g_free(options->library);
    g_free(options->drive);
    g_free(options->suite);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean contains_folded(const char *text, const char *part)
{
    g_autofree char *valid = NULL, *folded_text = NULL, *folded_part = NULL;

    if (text == NULL)
        return FALSE;
    valid = g_utf8_make_valid(text, -1);
    folded_text = g_utf8_casefold(valid, -1);
    folded_part = g_utf8_casefold(part, -1);
    return strstr(folded_text, folded_part) != NULL;
}

static gboolean matches(const PltRunSummary *run, const Options *options)
{
    if (options->suite != NULL && g_strcmp0(run->suite_id, options->suite) != 0)
        return FALSE;
    return options->drive == NULL || contains_folded(run->drive_model, options->drive) ||
           contains_folded(run->target_text, options->drive);
}

static GPtrArray *select_runs(GPtrArray *all, const Options *options)
{
    GPtrArray *selected = g_ptr_array_new();

    for (guint i = 0; all != NULL && i < all->len; i++) {
        PltRunSummary *run = g_ptr_array_index(all, i);

        if (options->limit > 0 && selected->len >= (guint)options->limit)
            break;
        if (matches(run, options))
            g_ptr_array_add(selected, run);
    }
    return selected;
}

static const char *status_text(PltRunStatus status)
{
    switch (status) {
    case PLT_RUN_RUNNING:
        return _("running");
    case PLT_RUN_COMPLETE:
        return _("complete");
    case PLT_RUN_STOPPED:
        return _("stopped");
    case PLT_RUN_FAILED:
        return _("failed");
    case PLT_RUN_INTERRUPTED:
        return _("interrupted");
    }
    return "";
}

static void print_table(GPtrArray *runs)
{
    g_autoptr(PltTable) table = plt_cli_table_new("rlllrfff");
    g_autofree char *text = NULL;

    plt_cli_table_add(table, _("ID"), _("DATE"), _("SUITE"), _("STATUS"), _("CELLS"), _("DRIVE"), _("TARGET"),
                      _("NOTE"));
    for (guint i = 0; i < runs->len; i++) {
        const PltRunSummary *run = g_ptr_array_index(runs, i);
        g_autofree char *id = g_strdup_printf("%" G_GINT64_FORMAT, run->id);
        g_autofree char *date = plt_cli_format_date(run->started_us);
        g_autofree char *cells = g_strdup_printf("%u", run->n_cells);

        plt_cli_table_add(table, id, date, run->suite_id, status_text(run->status), cells, run->drive_model,
                          run->target_text, run->title != NULL ? run->title : run->note);
    }
    text = plt_cli_table_format(table, plt_terminal_width(STDOUT_FILENO));
    plt_output_print(text);
}

static void add_string(JsonBuilder *builder, const char *name, const char *value)
{
    g_autofree char *valid = value != NULL ? g_utf8_make_valid(value, -1) : NULL;

    json_builder_set_member_name(builder, name);
    if (valid != NULL)
        json_builder_add_string_value(builder, valid);
    else
        json_builder_add_null_value(builder);
}

static void add_json(JsonBuilder *builder, const PltRunSummary *run)
{
    g_autofree char *started = plt_cli_format_iso8601(run->started_us);
    g_autofree char *ended = plt_cli_format_iso8601(run->ended_us);

    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "id");
    json_builder_add_int_value(builder, run->id);
    add_string(builder, "uuid", run->uuid);
    json_builder_set_member_name(builder, "suite");
    json_builder_begin_object(builder);
    add_string(builder, "id", run->suite_id);
    add_string(builder, "name", run->suite_name);
    json_builder_end_object(builder);
    add_string(builder, "status", plt_run_status_name(run->status));
    add_string(builder, "started", started);
    add_string(builder, "ended", ended);
    add_string(builder, "drive", run->drive_model);
    add_string(builder, "target", run->target_text);
    add_string(builder, "title", run->title);
    add_string(builder, "note", run->note);
    json_builder_set_member_name(builder, "cells");
    json_builder_add_int_value(builder, run->n_cells);
    json_builder_end_object(builder);
}

static void print_json(GPtrArray *runs)
{
    g_autoptr(JsonBuilder) builder = json_builder_new_immutable();
    g_autoptr(JsonNode) root = NULL;

    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "schema");
    json_builder_add_string_value(builder, "plateau.results/1");
    json_builder_set_member_name(builder, "results");
    json_builder_begin_array(builder);
    for (guint i = 0; i < runs->len; i++)
        add_json(builder, g_ptr_array_index(runs, i));
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    root = json_builder_get_root(builder);
    plt_output_json(root);
}

static PltExit list_results(const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = plt_store_open(options->library, FALSE, &error);
    g_autoptr(GPtrArray) all = NULL;
    g_autoptr(GPtrArray) runs = NULL;

    if (error != NULL)
        return plt_output_fail(error);
    if (library != NULL) {
        all = plt_library_list(library, &error);
        if (all == NULL)
            return plt_output_fail(error);
    }
    runs = select_runs(all, options);
    if (options->json)
        print_json(runs);
    else if (runs->len > 0)
        print_table(runs);
    else if (all != NULL && all->len > 0)
        plt_output_note(_("No run matches."));
    else
        plt_output_note(_("There are no results yet: “plateau-cli run quick FOLDER” makes the first."));
    return PLT_EXIT_DONE;
}

static PltExit run_results(char **argv)
{
    g_auto(Options) options = {0};
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.json, N_("Print a JSON document"),
         NULL},
        {"drive", 'd', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.drive,
         N_("Only runs whose drive or target has TEXT in its name"), N_("TEXT")},
        {"suite", 's', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.suite, N_("Only runs of this suite"),
         N_("ID")},
        {"limit", 'n', G_OPTION_FLAG_NONE, G_OPTION_ARG_INT, &options.limit, N_("The newest N runs at most"),
         N_("N")},
        plt_store_option(&options.library),
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_results, entries, argv, 0, 0, &words, &status))
        return status;
    if (options.limit < 0) {
        plt_output_error(_("--limit needs a number of 1 or more"));
        return PLT_EXIT_USAGE;
    }
    return list_results(&options);
}

const PltCommand plt_command_results = {
    .name = "results",
    .arguments = "",
    .summary = N_("List the runs that are kept, newest first"),
    .run = run_results,
};
