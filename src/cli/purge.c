/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/plan.h"
#include "cli/table.h"
#include "cli/task.h"
#include "drive/device.h"
#include "drive/inquiry.h"
#include "drive/purge.h"

typedef struct {
    char *method_name, *erase;
    int lba_size;
    gboolean json, dry_run;
    PltPurgeMethod method;
} Options;

static void options_clear(Options *options)
{
    g_free(options->method_name);
    g_free(options->erase);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

typedef struct {
    PltBlock *block;
    const Options *options;
    gint64 started_us;
    gint thousandths; /* atomic; -1 = the drive does not say */
    JsonNode *record;
    GError *error;
} Purge;

static gboolean read_method(Options *options)
{
    options->method = options->lba_size != 0 ? PLT_PURGE_FORMAT : PLT_PURGE_AUTO;
    if (options->method_name != NULL && !plt_purge_method_from_name(options->method_name, &options->method))
        plt_output_error(_("“%s” is no way to purge: there are auto, sanitize, format and discard"),
                         options->method_name);
    else if (options->lba_size != 0 && options->lba_size != 512 && options->lba_size != 4096)
        plt_output_error(_("--lba-size is 512 or 4096"));
    else if (options->lba_size != 0 && options->method != PLT_PURGE_FORMAT)
        plt_output_error(
            _("only a format sets the size of the blocks: --lba-size goes with --method format"));
    else
        return TRUE;
    return FALSE;
}

static PltExit refuse(const GError *error)
{
    PltExit status = plt_output_target_status(error);

    plt_output_error("%s", error->message);
    return status;
}

static const char *method_text(const Options *options)
{
    switch (options->method) {
    case PLT_PURGE_SANITIZE:
        return _("sanitize by block erase");
    case PLT_PURGE_FORMAT:
        return _("format with erasure of user data");
    case PLT_PURGE_DISCARD:
        return _("TRIM of everything");
    case PLT_PURGE_AUTO:
        break;
    }
    return _("the best that the drive has: sanitize, format or TRIM");
}

/* Other namespaces: a sanitize hits them all, a format those that the drive formats with this one. */
static void add_siblings(PltTable *table, const PltGuardFacts *facts)
{
    for (guint i = 0; i < facts->siblings->len; i++)
        plt_cli_table_add(table, i == 0 ? _("May be lost too") : "",
                          (const char *)g_ptr_array_index(facts->siblings, i));
}

static JsonArray *siblings_to_json(const PltGuardFacts *facts)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < facts->siblings->len; i++)
        json_array_add_string_element(array, g_ptr_array_index(facts->siblings, i));
    return array;
}

/* What would be done, and what would be lost. */
static char *describe(const PltGuardFacts *facts, const Options *options)
{
    g_autoptr(PltTable) table = plt_cli_table_new("ll");
    g_autoptr(JsonNode) losses = plt_guard_losses_to_json(facts);
    g_autofree char *name = plt_device_display_name(facts->seal.name);
    g_autofree char *size = plt_cli_format_bytes(facts->seal.size);
    g_autofree char *drive =
        g_strdup_printf("%s (%s, %s)", facts->seal.model != NULL ? facts->seal.model : name, name, size);
    g_autofree char *block = g_strdup_printf(
        _("%u bytes"), options->lba_size != 0 ? (guint)options->lba_size : facts->seal.logical_block);

    plt_cli_table_add(table, _("Drive"), drive);
    plt_cli_table_add(table, _("Serial number"),
                      facts->seal.serial != NULL ? facts->seal.serial : _("unknown"));
    plt_cli_table_add(table, _("Method"), method_text(options));
    plt_cli_table_add(table, _("Block"), block);
    plt_plan_add_losses(table, json_node_get_array(losses));
    if (json_array_get_length(json_node_get_array(losses)) == 0)
        plt_cli_table_add(table, _("Is lost"), _("all that is on it; nothing known was found"));
    add_siblings(table, facts);
    return plt_cli_table_format(table, 0);
}

static JsonNode *plan_to_json(const PltGuardFacts *facts, const Options *options)
{
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);
    JsonObject *object = json_object_new();
    g_autofree char *name = plt_device_display_name(facts->seal.name);

    json_object_set_string_member(object, "schema", "plateau.purge/1");
    json_object_set_string_member(object, "drive", name);
    if (facts->seal.model != NULL)
        json_object_set_string_member(object, "model", facts->seal.model);
    if (facts->seal.serial != NULL)
        json_object_set_string_member(object, "serial", facts->seal.serial);
    json_object_set_string_member(object, "wanted", plt_purge_method_name(options->method));
    json_object_set_member(object, "lost", plt_guard_losses_to_json(facts));
    json_object_set_array_member(object, "lost_too", siblings_to_json(facts));
    json_node_take_object(node, object);
    return node;
}

static PltExit show_plan(const PltGuardFacts *facts, const Options *options)
{
    if (options->json) {
        g_autoptr(JsonNode) node = plan_to_json(facts, options);

        plt_output_json(node);
    } else {
        g_autofree char *text = describe(facts, options);

        plt_output_print(text);
        plt_output_print(_("\nThis is only the plan: nothing was erased.\n"));
    }
    return PLT_EXIT_DONE;
}

/* TRUE when the person has agreed; else one sentence that says how to. */
static gboolean is_confirmed(const PltGuardFacts *facts, const Options *options)
{
    g_autofree char *name = plt_device_display_name(facts->seal.name);
    g_autofree char *needed = plt_guard_confirmation(&facts->seal);

    if (options->erase == NULL)
        plt_output_error(_("all on %s would be lost: agree to that with --erase %s"), name, needed);
    else if (!plt_guard_confirms(&facts->seal, options->erase))
        plt_output_error(_("“%s” is not the serial number of %s, nor its last four characters: nothing is "
                           "erased"),
                         options->erase, name);
    else
        return TRUE;
    return FALSE;
}

static void on_progress(double fraction, gpointer user)
{
    Purge *purge = user;

    g_atomic_int_set(&purge->thousandths, (gint)(fraction * 1000));
}

static void purge_thread(GCancellable *cancellable, gpointer user)
{
    Purge *purge = user;

    plt_purge(purge->block, purge->options->method, (guint32)purge->options->lba_size, on_progress, purge,
              cancellable, &purge->record, &purge->error);
}

static char *draw(gpointer user)
{
    Purge *purge = user;
    gint thousandths = g_atomic_int_get(&purge->thousandths);
    g_autofree char *clock =
        plt_cli_format_clock((guint64)(g_get_monotonic_time() - purge->started_us) / 1000);

    return thousandths < 0 ? g_strdup_printf(_("Erasing the drive  %s"), clock)
                           : g_strdup_printf(_("Erasing the drive  %d %%  %s"), thousandths / 10, clock);
}

static void print_record(JsonObject *record)
{
    const char *why = json_object_get_string_member_with_default(record, "why", NULL);
    g_autofree char *time = plt_cli_format_duration(
        (guint64)(json_object_get_double_member_with_default(record, "seconds", 0) * 1000));

    plt_output_printf(_("Purged by %s in %s; blocks of %d bytes.\n"),
                      json_object_get_string_member(record, "method"), time,
                      (int)json_object_get_int_member(record, "lba_size"));
    if (why != NULL)
        plt_output_printf(_("Nothing better was possible: %s.\n"), _(why));
    if (json_object_has_member(record, "ends_read_zero"))
        plt_output_print(json_object_get_boolean_member(record, "ends_read_zero")
                             ? _("Its first and last MiB read as zeros.\n")
                             : _("Its first and last MiB do not read as zeros, though the drive says that "
                                 "empty blocks do.\n"));
}

static PltExit conclude(const Purge *purge, const PltGuardFacts *facts, gboolean stopped)
{
    if (purge->error != NULL) {
        if (g_error_matches(purge->error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
            plt_output_note(_("Stopped; what was erased until then is lost."));
            return PLT_EXIT_STOPPED;
        }
        return refuse(purge->error);
    }
    if (purge->options->json) {
        g_autoptr(JsonNode) node = plan_to_json(facts, purge->options);

        json_object_set_member(json_node_get_object(node), "done", json_node_copy(purge->record));
        plt_output_json(node);
    } else {
        print_record(json_node_get_object(purge->record));
    }
    return stopped ? PLT_EXIT_STOPPED : PLT_EXIT_DONE;
}

static PltExit erase(const PltGuardFacts *facts, PltDriveUse use, const Options *options)
{
    static const PltTask task = {
        .work = purge_thread,
        .draw = draw,
        .stopping = N_("Stopping; a sanitize or format that the drive has begun it brings to its end. Once "
                       "more leaves at once."),
        .may_leave = TRUE,
        .why = N_("A drive is being erased")};
    g_autoptr(GError) error = NULL;
    g_autoptr(PltBlock) block = plt_block_open(&facts->seal, use, PLT_BLOCK_MAY_ASK, NULL, &error);
    Purge purge = {
        .block = block, .options = options, .started_us = g_get_monotonic_time(), .thousandths = -1};
    gboolean stopped;
    PltExit status;

    if (block == NULL)
        return refuse(error);
    stopped = plt_task_run(&task, &purge);
    status = conclude(&purge, facts, stopped);
    g_clear_error(&purge.error);
    g_clear_pointer(&purge.record, json_node_unref);
    return status;
}

static PltExit purge(const char *text, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *name = plt_inquiry_find_name("", text, &error);
    g_autoptr(PltGuardFacts) facts = NULL;
    PltDriveUse use;

    if (name == NULL)
        return plt_output_fail(error);
    use = plt_purge_use("", name, options->method);
    facts = plt_guard_look("", name, use);
    if (!plt_guard_check(facts, NULL, use, &error))
        return refuse(error);
    if (options->dry_run)
        return show_plan(facts, options);
    if (!options->json) {
        g_autofree char *plan = describe(facts, options);
        g_auto(GStrv) lines = g_strsplit(g_strchomp(plan), "\n", -1);

        for (guint i = 0; lines[i] != NULL; i++)
            plt_output_note("%s", lines[i]);
    }
    return is_confirmed(facts, options) ? erase(facts, use, options) : PLT_EXIT_REFUSED;
}

static PltExit run_purge(char **argv)
{
    g_auto(Options) options = {0};
    g_auto(GStrv) words = NULL;
    g_autofree char *shown = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"method", 'm', G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.method_name,
         N_("How: auto, sanitize, format or discard"), N_("METHOD")},
        {"lba-size", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_INT, &options.lba_size,
         N_("Format it with blocks of this size: 512 or 4096"), N_("BYTES")},
        {"erase", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options.erase,
         N_("Agree that all on this drive is lost: its serial number, or the last four characters"),
         N_("SERIAL")},
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.json,
         N_("Print the plateau.purge/1 document"), NULL},
        {"dry-run", 'n', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options.dry_run,
         N_("Show what would be lost and end: nothing is erased"), NULL},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_purge, entries, argv, 1, 1, &words, &status))
        return status;
    if (!read_method(&options))
        return PLT_EXIT_USAGE;
    shown = g_utf8_make_valid(words[0], -1);
    return purge(shown, &options);
}

const PltCommand plt_command_purge = {
    .name = "purge",
    .arguments = "DRIVE",
    .summary = N_("Make a drive as new: all on it is lost"),
    .details = N_("DRIVE as in “plateau-cli help show”. It is sanitized by block erase where it can be, else "
                  "formatted,\nelse trimmed; the first two need root and an NVMe drive. A drive that is in "
                  "use is refused, and where\na format or sanitize would hit other namespaces, only a method "
                  "that was named does so."),
    .run = run_purge,
};
