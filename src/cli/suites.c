/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/choose.h"
#include "cli/command.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "cli/table.h"

/* A plan with nothing changed; a suite that has none is shown without time and bytes. */
static PltPlan *default_plan(PltSuite *suite)
{
    g_autoptr(PltOverrides) overrides = plt_overrides_new();

    return plt_plan_new(suite, overrides, 0, 0, NULL);
}

static void add_row(PltTable *table, PltSuite *suite)
{
    g_autoptr(PltPlan) plan = default_plan(suite);
    g_autofree char *time = plan != NULL ? plt_cli_format_duration(plan->estimated_ms) : NULL;
    g_autofree char *bytes = plan != NULL ? plt_cli_format_bytes(plan->estimated_written) : NULL;

    plt_cli_table_add(table, plt_suite_id(suite), time, bytes, plt_suite_name(suite),
                      plt_suite_description(suite));
}

static void print_table(GPtrArray *suites)
{
    g_autoptr(PltTable) table = plt_cli_table_new("lrrlf");
    g_autofree char *text = NULL;

    plt_cli_table_add(table, _("ID"), _("TIME"), _("WRITES"), _("NAME"), _("DESCRIPTION"));
    for (guint i = 0; i < suites->len; i++)
        add_row(table, g_ptr_array_index(suites, i));
    text = plt_cli_table_format(table, plt_terminal_width(STDOUT_FILENO));
    plt_output_print(text);
}

static void add_cells(JsonBuilder *builder, const PltPlan *plan)
{
    json_builder_set_member_name(builder, "cells");
    json_builder_begin_array(builder);
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind == PLT_STEP_MEASURE)
            json_builder_add_string_value(builder, step->cell.id);
    }
    json_builder_end_array(builder);
}

static void add_json(JsonBuilder *builder, PltSuite *suite)
{
    g_autoptr(PltPlan) plan = default_plan(suite);

    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "id");
    json_builder_add_string_value(builder, plt_suite_id(suite));
    json_builder_set_member_name(builder, "version");
    json_builder_add_int_value(builder, plt_suite_version(suite));
    json_builder_set_member_name(builder, "name");
    json_builder_add_string_value(builder, plt_suite_name(suite));
    json_builder_set_member_name(builder, "description");
    json_builder_add_string_value(builder, plt_suite_description(suite));
    json_builder_set_member_name(builder, "group");
    json_builder_add_string_value(builder, plt_suite_group(suite));
    json_builder_set_member_name(builder, "chart");
    json_builder_add_string_value(builder, plt_suite_chart(suite));
    json_builder_set_member_name(builder, "erases");
    json_builder_add_boolean_value(builder, plt_suite_erases(suite));
    if (plan != NULL) {
        json_builder_set_member_name(builder, "estimated_seconds");
        json_builder_add_double_value(builder, (double)plan->estimated_ms / 1000);
        json_builder_set_member_name(builder, "estimated_written_bytes");
        json_builder_add_int_value(builder, (gint64)plan->estimated_written);
        json_builder_set_member_name(builder, "size_bytes");
        json_builder_add_int_value(builder, (gint64)plan->size);
        add_cells(builder, plan);
    }
    json_builder_end_object(builder);
}

static void print_json(GPtrArray *suites)
{
    g_autoptr(JsonBuilder) builder = json_builder_new_immutable();
    g_autoptr(JsonNode) root = NULL;

    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "schema");
    json_builder_add_string_value(builder, "plateau.suites/1");
    json_builder_set_member_name(builder, "suites");
    json_builder_begin_array(builder);
    for (guint i = 0; i < suites->len; i++)
        add_json(builder, g_ptr_array_index(suites, i));
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    root = json_builder_get_root(builder);
    plt_output_json(root);
}

/* One suite in full: what it says about itself and every step. */
static PltExit show_suite(const char *text, gboolean json)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_choose_suite(text, &error);
    g_autoptr(PltOverrides) overrides = plt_overrides_new();
    g_autoptr(PltPlan) plan = suite != NULL ? plt_plan_new(suite, overrides, 0, 0, &error) : NULL;

    if (plan == NULL)
        return plt_output_fail(error);
    if (json) {
        g_autoptr(JsonNode) node = plt_plan_to_json(plan, NULL);

        plt_output_json(node);
    } else {
        g_autofree char *steps = plt_plan_describe(plan, NULL, plt_terminal_width(STDOUT_FILENO));

        plt_output_printf("%s\n\n%s", plt_suite_description(suite), steps);
    }
    return PLT_EXIT_DONE;
}

static PltExit list_suites(gboolean json)
{
    g_autoptr(GPtrArray) errors = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) suites = plt_suite_list(errors);

    for (guint i = 0; i < errors->len; i++)
        plt_output_error("%s", (const char *)g_ptr_array_index(errors, i));
    if (json)
        print_json(suites);
    else
        print_table(suites);
    if (suites->len > 0)
        return PLT_EXIT_DONE;
    if (errors->len == 0)
        plt_output_error(_("no suites were found; PLATEAU_SUITES_DIR can say where they are"));
    return PLT_EXIT_FAILED;
}

static PltExit run_suites(char **argv)
{
    gboolean json = FALSE;
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &json, N_("Print a JSON document"), NULL},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_suites, entries, argv, 0, 1, &words, &status))
        return status;
    return words[0] != NULL ? show_suite(words[0], json) : list_suites(json);
}

const PltCommand plt_command_suites = {
    .name = "suites",
    .arguments = "[SUITE]",
    .summary = N_("List the suites, or show every step of one"),
    .details = N_("SUITE is the id of a suite, or a suite file. Time and bytes are estimates for an NVMe "
                  "drive.\nA person's own suite files are looked for in $XDG_DATA_HOME/plateau/suites."),
    .run = run_suites,
};
