/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/drive.h"
#include "cli/output.h"
#include "cli/table.h"
#include "drive/nvme-command.h"
#include "drive/nvme-log.h"

/* Parameter Error Location: the byte of the command in bits 7:0, the bit in 10:8; FFFFh = not of a parameter.
 */
static char *place_text(const PltNvmeError *error)
{
    guint byte = error->parameter & 0xff;
    guint bit = error->parameter >> 8 & 7;

    if (error->parameter == G_MAXUINT16 || (error->status & 0x7ff) != 0x002)
        return g_strdup("");
    return g_strdup_printf(_("dword %u, bit %u"), byte / 4, byte % 4 * 8 + bit);
}

static char *namespace_text(guint32 nsid)
{
    if (nsid == 0)
        return g_strdup("");
    return nsid == PLT_NVME_BROADCAST ? g_strdup(_("all")) : g_strdup_printf("%u", nsid);
}

/* Errors of the medium (status code type 2) and blocks beyond its end have a place; in others it is noise. */
static gboolean has_lba(const PltNvmeError *error)
{
    return (error->status >> 8 & 7) == 2 || (error->status & 0x7ff) == 0x080;
}

static void print_table(GArray *errors)
{
    g_autoptr(PltTable) table = plt_cli_table_new("rlrrl");
    g_autofree char *text = NULL;

    plt_cli_table_add(table, _("NUMBER"), _("STATUS"), _("NAMESPACE"), _("LBA"), _("AT"));
    for (guint i = 0; i < errors->len; i++) {
        const PltNvmeError *error = &g_array_index(errors, PltNvmeError, i);
        g_autofree char *number = g_strdup_printf("%" G_GUINT64_FORMAT, error->count);
        g_autofree char *status = plt_nvme_status_text(error->status);
        g_autofree char *nsid = namespace_text(error->nsid), *place = place_text(error);
        g_autofree char *lba =
            has_lba(error) ? g_strdup_printf("%" G_GUINT64_FORMAT, error->lba) : g_strdup("");

        plt_cli_table_add(table, number, status, nsid, lba, place);
    }
    text = plt_cli_table_format(table, plt_terminal_width(STDOUT_FILENO));
    plt_output_print(text);
}

static void print_errors(PltInquiry *inquiry, GArray *errors)
{
    const char *model = plt_inquiry_get_model(inquiry);

    plt_output_printf("%s\n\n", model != NULL ? model : plt_inquiry_get_name(inquiry));
    if (errors->len == 0) {
        plt_output_print(_("The error log is empty.\n"));
    } else {
        print_table(errors);
        plt_output_print(_("\nThe newest comes first. Commands that the drive does not know are entered too: "
                           "they are no fault of it.\n"));
    }
    plt_cli_print_circumstances(inquiry);
}

static JsonObject *error_to_json(const PltNvmeError *error)
{
    JsonObject *object = json_object_new();

    json_object_set_int_member(object, "number", (gint64)error->count);
    json_object_set_int_member(object, "status", error->status);
    json_object_set_int_member(object, "queue", error->queue);
    json_object_set_int_member(object, "command", error->command);
    json_object_set_int_member(object, "parameter", error->parameter);
    json_object_set_int_member(object, "nsid", error->nsid);
    if (has_lba(error))
        json_object_set_int_member(object, "lba", (gint64)error->lba);
    return object;
}

static void print_json(PltInquiry *inquiry, GArray *errors)
{
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);
    JsonObject *object = json_object_new();
    JsonArray *array = json_array_new();

    json_object_set_string_member(object, "schema", "plateau.errors/1");
    json_object_set_string_member(object, "drive", plt_inquiry_get_name(inquiry));
    for (guint i = 0; i < errors->len; i++)
        json_array_add_object_element(array, error_to_json(&g_array_index(errors, PltNvmeError, i)));
    json_object_set_array_member(object, "errors", array);
    json_node_take_object(node, object);
    plt_output_json(node);
}

static PltExit show_errors(const char *name, const char *replay, gboolean json)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltInquiry) inquiry = plt_cli_open_drive(name, replay, &error);
    g_autoptr(GArray) errors = NULL;
    const PltAnswer *answer;

    if (inquiry == NULL)
        return plt_output_fail(error);
    answer = plt_inquiry_ask(inquiry, PLT_TOPIC_ERROR_LOG);
    if (!plt_answer_is_there(answer)) {
        g_autofree char *reason = plt_answer_reason(answer);

        plt_output_error(_("the error log of %s is not known. %s."), plt_inquiry_get_name(inquiry),
                         reason != NULL ? reason : _("Only NVMe drives keep one that can be read so"));
        return PLT_EXIT_FAILED;
    }
    errors = plt_nvme_errors_decode(plt_answer_bytes(answer));
    if (json)
        print_json(inquiry, errors);
    else
        print_errors(inquiry, errors);
    return PLT_EXIT_DONE;
}

static PltExit run_errors(char **argv)
{
    gboolean json = FALSE;
    g_autofree char *replay = NULL;
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &json, N_("Print the plateau.errors/1 document"),
         NULL},
        {"replay", 'r', G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &replay,
         N_("Show the drive that FILE is a recording of"), N_("FILE")},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_errors, entries, argv, 0, 1, &words, &status))
        return status;
    return show_errors(words[0], replay, json);
}

const PltCommand plt_command_errors = {
    .name = "errors",
    .arguments = "[DRIVE]",
    .summary = N_("Show the error log of an NVMe drive in words"),
    .details =
        N_("DRIVE as in “plateau-cli help show”. Only root can read the log. Nothing is written to the "
           "drive."),
    .run = run_errors,
};
