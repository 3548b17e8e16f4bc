/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "cli/arguments.h"
#include "cli/choose.h"
#include "cli/command.h"
#include "cli/watch.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "cli/store.h"
#include "cli/table.h"
#include "cli/target.h"
#include "library/export.h"

typedef struct {
    char *library;
    GStrv assignments;
    PltTargetOptions target;
    gboolean json, quiet, dry_run;
} Options;

static void options_clear(Options *options)
{
    g_free(options->library);
    g_strfreev(options->assignments);
    g_free(options->target.range);
    g_free(options->target.erase);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static PltPlan *make_plan(const char *suite_text, const Options *options, GError **error)
{
    g_autoptr(PltOverrides) overrides = plt_overrides_new();
    g_autoptr(PltSuite) suite = NULL;
    guint64 seed = (guint64)g_random_int() << 32 | g_random_int();

    for (guint i = 0; options->assignments != NULL && options->assignments[i] != NULL; i++)
        if (!plt_overrides_set(overrides, options->assignments[i], error))
            return NULL;
    suite = plt_choose_suite(suite_text, error);
    return suite != NULL ? plt_plan_new(suite, overrides, 0, seed, error) : NULL;
}

static PltExit show_plan(const PltPlan *plan, PltTarget *target, const Options *options)
{
    if (options->json) {
        g_autoptr(JsonNode) node = plt_plan_to_json(plan, target);

        plt_output_json(node);
    } else {
        g_autofree char *text = plt_plan_describe(plan, target, plt_terminal_width(STDOUT_FILENO));

        plt_output_print(text);
        plt_output_print(_("\nThis is only the plan: nothing was measured or written.\n"));
    }
    return PLT_EXIT_DONE;
}

static gboolean is_pipe(int fd)
{
    struct stat info;

    return fstat(fd, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
}

/* Somebody watches: not when a program reads what comes out. */
static gboolean is_watched(const Options *options)
{
    return !options->quiet && isatty(STDERR_FILENO) && !is_pipe(STDOUT_FILENO);
}

static void announce(const PltPlan *plan, PltTarget *target)
{
    g_autofree char *head = plt_plan_describe_head(plan, target);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(head), "\n", -1);

    for (guint i = 0; lines[i] != NULL; i++)
        plt_output_note("%s", lines[i]);
    plt_output_note(" ");
}

static void show_run(const PltRun *run, const Options *options)
{
    g_autofree char *text = options->json ? plt_export_json(run) : plt_export_terminal(run);

    if (options->json)
        plt_output_write(text, strlen(text));
    else
        plt_output_print(text);
}

/* TRUE when every window that began was measured to its end: what failed then was not the drive. */
static gboolean all_measured(const PltRun *run)
{
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(run->cells, i);

        for (guint j = 0; j < cell->runs->len; j++)
            if (!((const PltCellRun *)g_ptr_array_index(cell->runs, j))->complete)
                return FALSE;
    }
    return run->cells->len > 0;
}

static PltExit conclude(const PltRun *run, const Options *options)
{
    const char *detail = run->status_detail;

    switch (run->status) {
    case PLT_RUN_COMPLETE:
        return PLT_EXIT_DONE;
    case PLT_RUN_STOPPED:
        if (!options->quiet)
            plt_output_note(_("Stopped; what was measured is kept as run %" PRId64 "."), run->id);
        return PLT_EXIT_STOPPED;
    case PLT_RUN_FAILED:
    case PLT_RUN_INTERRUPTED:
    case PLT_RUN_RUNNING:
        break;
    }
    plt_output_error("%s", detail != NULL ? detail : _("the run failed"));
    return run->status == PLT_RUN_FAILED && !all_measured(run) ? PLT_EXIT_DEVICE : PLT_EXIT_FAILED;
}

/* A wrong word for a target is a refused target: a script that measures many folders asks only whether. */
static PltExit refuse(const GError *error)
{
    PltExit status = plt_output_target_status(error);

    plt_output_error("%s", error->message);
    return status == PLT_EXIT_USAGE ? PLT_EXIT_REFUSED : status;
}

static PltExit measure(PltPlan *plan, PltTarget *target, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = plt_store_open(options->library, TRUE, &error);
    g_autoptr(PltRun) run = NULL;
    gboolean watched = is_watched(options);
    gboolean stopped = FALSE, can_keep;

    if (library == NULL)
        return plt_output_fail(error);
    can_keep = !plt_library_is_read_only(library);
    g_clear_pointer(&library, plt_library_close);
    if (watched)
        announce(plan, target);
    run = plt_watch_execute(plan, target, options->library, watched, &stopped, &error);
    if (run == NULL && stopped)
        return PLT_EXIT_STOPPED;
    if (run == NULL)
        return can_keep ? refuse(error) : plt_output_fail(error);
    show_run(run, options);
    if (watched && run->status == PLT_RUN_COMPLETE)
        plt_output_note(_("Kept as run %" PRId64 "; “plateau-cli chart %" PRId64 " -o card.png” draws it."),
                        run->id, run->id);
    return conclude(run, options);
}

static PltExit run_run(char **argv)
{
    g_auto(Options) options = {0};
    g_auto(GStrv) words = NULL;
    g_auto(GStrv) expanded = plt_arguments_expand(argv);
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPlan) plan = NULL;
    g_autoptr(PltTarget) target = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"set", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING_ARRAY, &options.assignments,
         N_("Change a parameter for this run; more KEY=VALUE may follow"), N_("KEY=VALUE")},
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.json,
         N_("Print the plateau.run/1 document instead of the table"), NULL},
        {"dry-run", 'n', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.dry_run,
         N_("Show the plan and end: nothing is measured or written"), NULL},
        {"quiet", 'q', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.quiet,
         N_("Only the result, and errors"), NULL},
        {"allow-memory", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.target.allow_memory,
         N_("Measure a folder that lies in memory (tmpfs)"), NULL},
        {"erase", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.target.erase,
         N_("Agree that all on this drive is lost: its serial number, or the last four characters"),
         N_("SERIAL")},
        {"range", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.target.range,
         N_("Use only this part of a drive, as in 0+800GiB"), N_("OFFSET+LENGTH")},
        plt_store_option(&options.library),
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_run, entries, expanded, 2, 2, &words, &status))
        return status;
    plan = make_plan(words[0], &options, &error);
    if (plan == NULL)
        return plt_output_fail(error);
    target = plt_target_choose(words[1], &options.target, &error);
    if (target == NULL)
        return refuse(error);
    plt_plan_fit(plan, plt_target_get_room(target, plan), plt_target_get_folder(target) == NULL);
    return options.dry_run ? show_plan(plan, target, &options) : measure(plan, target, &options);
}

const PltCommand plt_command_run = {
    .name = "run",
    .arguments = "SUITE TARGET",
    .summary = N_("Measure a drive, through a folder on it or as a whole"),
    .details =
        N_("SUITE is an id from “plateau-cli suites”, or a suite file. TARGET is a folder on the drive; "
           "a test\nfile is made in it that nothing can leave behind. Or it is a whole drive, as in "
           "/dev/nvme0n1: "
           "a suite\nthat writes then needs --erase, and all on the drive is lost.\n\n"
           "Parameters for --set:\n"
           "  size=1GiB        size of the test file\n"
           "  runs=3           measured runs of each cell\n"
           "  warmup=1         runs before them that are no score\n"
           "  seconds=5        length of a run\n"
           "  interval=5       seconds of rest between two cells\n"
           "  data=random      what is written: random, zero, or the share of zeros, as in 50%\n"
           "  mix=70           also the mixed cells, with this share of reads\n"
           "  score=best       which run counts: best or median\n"
           "  generator=…      of random offsets: xoshiro256pp or tausworthe64\n"
           "  tick=100ms       length of a sample: 100ms or 10ms\n"
           "  leave=1GiB       what stays free where all the free space is used\n"
           "  only=CELL,CELL   just these cells\n\n"
           "Ctrl+C ends the run and keeps what was measured."),
    .run = run_run,
};
