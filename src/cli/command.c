/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/match.h"
#include "cli/output.h"

const PltCommand *const plt_commands[] = {
    &plt_command_list,
    &plt_command_show,
    &plt_command_smart,
    &plt_command_errors,
    &plt_command_self_test,
    &plt_command_power,
    &plt_command_plp,
    &plt_command_purge,
    &plt_command_suites,
    &plt_command_run,
    &plt_command_results,
    &plt_command_result,
    &plt_command_chart,
    &plt_command_export,
    &plt_command_delete,
    &plt_command_note,
    NULL,
};

static const PltCommand *find_command(const char *name)
{
    for (guint i = 0; plt_commands[i] != NULL; i++)
        if (g_str_equal(plt_commands[i]->name, name))
            return plt_commands[i];
    return NULL;
}

static void print_command_help(const PltCommand *command, GOptionContext *context)
{
    g_autofree char *help = g_option_context_get_help(context, FALSE, NULL);

    plt_output_print(help);
    if (command->details != NULL)
        plt_output_printf("%s\n", _(command->details));
}

static gboolean check_words(const PltCommand *command, GStrv words, guint min, guint max)
{
    guint n = words != NULL ? g_strv_length(words) : 0;

    if (n >= min && n <= max)
        return TRUE;
    if (n < min)
        plt_output_error(_("%s needs %s, see “plateau-cli help %s”"), command->name, command->arguments,
                         command->name);
    else
        plt_output_error(_("“%s” is one word too many for %s, see “plateau-cli help %s”"), words[max],
                         command->name, command->name);
    return FALSE;
}

gboolean plt_command_parse(const PltCommand *command, const GOptionEntry *entries, char **argv, guint min,
                           guint max, GStrv *words, PltExit *status)
{
    gboolean help = FALSE;
    g_auto(GStrv) rest = NULL;
    g_auto(GStrv) copy = g_strdupv(argv);
    g_autoptr(GError) error = NULL;
    g_autoptr(GOptionContext) context = g_option_context_new(command->arguments);
    const GOptionEntry own[] = {
        {"help", 'h', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &help, N_("Show this help"), NULL},
        {G_OPTION_REMAINING, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME_ARRAY, &rest, NULL, NULL},
        G_OPTION_ENTRY_NULL,
    };
    g_autofree char *prgname = g_strconcat("plateau-cli ", command->name, NULL);

    *status = PLT_EXIT_USAGE;
    /* GOption prints this name in the usage line. */
    g_set_prgname(prgname);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_translation_domain(context, GETTEXT_PACKAGE);
    if (entries != NULL)
        g_option_context_add_main_entries(context, entries, GETTEXT_PACKAGE);
    g_option_context_add_main_entries(context, own, GETTEXT_PACKAGE);
    if (!g_option_context_parse_strv(context, &copy, &error)) {
        plt_output_error(_("%s, see “plateau-cli help %s”"), error->message, command->name);
        return FALSE;
    }
    if (help) {
        print_command_help(command, context);
        *status = PLT_EXIT_DONE;
        return FALSE;
    }
    if (!check_words(command, rest, min, max))
        return FALSE;
    *words = rest != NULL ? g_steal_pointer(&rest) : g_new0(char *, 1);
    return TRUE;
}

static void print_help(void)
{
    plt_output_print(_("Usage: plateau-cli COMMAND [OPTION…] [ARGUMENT…]\n\nMeasures drives and keeps, "
                       "lists, draws and exports the results.\n\nCommands:\n"));
    for (guint i = 0; plt_commands[i] != NULL; i++)
        plt_output_printf("  %-9s  %s\n", plt_commands[i]->name, _(plt_commands[i]->summary));
    plt_output_printf("  %-9s  %s\n", "help", _("Explain a command"));
    plt_output_print(_("\n“plateau-cli help COMMAND” lists a command's options; "
                       "“plateau-cli --version” prints the version.\n\n"
                       "Exit status:\n"
                       "    0  done\n"
                       "    1  failed for another reason than those below\n"
                       "    2  something on the command line is wrong\n"
                       "    3  the target was refused: nothing was measured\n"
                       "    4  the drive reported an error: what was measured until then is kept\n"
                       "  130  stopped by Ctrl+C or a signal: what was measured until then is kept\n"));
}

static PltExit unknown_command(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    for (guint i = 0; plt_commands[i] != NULL; i++)
        g_ptr_array_add(names, (gpointer)plt_commands[i]->name);
    g_ptr_array_add(names, NULL);

    g_autofree char *close = plt_match_close(name, (const char *const *)names->pdata);

    if (close != NULL)
        plt_output_error(_("there is no command “%s”; close to it: %s"), name, close);
    else
        plt_output_error(_("there is no command “%s”, see “plateau-cli help”"), name);
    return PLT_EXIT_USAGE;
}

static PltExit help_command(char **argv)
{
    const PltCommand *command;
    char *help_argv[] = {argv[0], (char *)"--help", NULL};

    if (argv[1] == NULL || g_str_equal(argv[1], "help")) {
        print_help();
        return PLT_EXIT_DONE;
    }
    command = find_command(argv[1]);
    return command != NULL ? command->run(help_argv) : unknown_command(argv[1]);
}

PltExit plt_command_dispatch(char **argv)
{
    const PltCommand *command;

    if (argv[0] == NULL || argv[1] == NULL) {
        plt_output_error(_("a command is missing, see “plateau-cli help”"));
        return PLT_EXIT_USAGE;
    }
    if (g_str_equal(argv[1], "--version")) {
        plt_output_print("plateau-cli " PLT_VERSION "\n");
        return PLT_EXIT_DONE;
    }
    if (g_str_equal(argv[1], "--help") || g_str_equal(argv[1], "-h")) {
        print_help();
        return PLT_EXIT_DONE;
    }
    if (g_str_equal(argv[1], "help"))
        return help_command(argv + 1);
    if (argv[1][0] == '-') {
        plt_output_error(_("the command comes first, then its options, see “plateau-cli help”"));
        return PLT_EXIT_USAGE;
    }
    command = find_command(argv[1]);
    return command != NULL ? command->run(argv + 1) : unknown_command(argv[1]);
}
