/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* What plateau-cli returns to the shell; the man page and the help list the same. */
typedef enum {
    PLT_EXIT_DONE = 0,
    PLT_EXIT_FAILED = 1,  /* anything that has no number of its own */
    PLT_EXIT_USAGE = 2,   /* a word on the command line is wrong */
    PLT_EXIT_REFUSED = 3, /* this target must not or cannot be measured */
    PLT_EXIT_DEVICE = 4,  /* the drive failed during the run; what was measured is kept */
    PLT_EXIT_STOPPED = 130,
} PltExit;

typedef struct {
    const char *name;
    const char *arguments; /* what follows the options in the usage line, "" for nothing */
    const char *summary;   /* one line for the list of commands, N_() */
    const char *details;   /* paragraphs under the options of `help COMMAND`, N_(); may be NULL */
    PltExit (*run)(char **argv);
} PltCommand;

extern const PltCommand plt_command_list;
extern const PltCommand plt_command_show;
extern const PltCommand plt_command_smart;
extern const PltCommand plt_command_errors;
extern const PltCommand plt_command_self_test;
extern const PltCommand plt_command_power;
extern const PltCommand plt_command_plp;
extern const PltCommand plt_command_purge;
extern const PltCommand plt_command_suites;
extern const PltCommand plt_command_run;
extern const PltCommand plt_command_results;
extern const PltCommand plt_command_result;
extern const PltCommand plt_command_chart;
extern const PltCommand plt_command_export;
extern const PltCommand plt_command_delete;
extern const PltCommand plt_command_note;

/*
 * Reads ARGV (argv[0] is the command's name) by ENTRIES. What is no option goes to *WORDS, byte for byte as
 * typed, and there must be MIN to MAX of it. FALSE when the command is over: *STATUS is then what to return
 * (usage error, or --help was shown).
 */
gboolean plt_command_parse(const PltCommand *command, const GOptionEntry *entries, char **argv, guint min,
                           guint max, GStrv *words, PltExit *status);

/* All commands in the order of the help, NULL at the end. */
extern const PltCommand *const plt_commands[];

/* Does what ARGV (NULL-terminated, argv[0] is the program) asks for. */
PltExit plt_command_dispatch(char **argv);
