/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include <math.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "cli/command.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/table.h"
#include "drive/drive-text.h"
#include "drive/health.h"
#include "drive/scan.h"
#include "drive/sensor.h"
#include "drive/udisks.h"

/* One line of the list. */
typedef struct {
    const PltDriveState *state; /* borrowed */
    GPtrArray *mounts;          /* PltMountState, borrowed; NULL where nothing is mounted */
    PltHealth *health;
    char *no_health; /* why it is not known; NULL when it is, or when nobody can say */
} Row;

static void row_free(gpointer data)
{
    Row *row = data;

    plt_health_free(row->health);
    g_free(row->no_health);
    g_free(row);
}

static const char *text_of(const Row *row, const char *member)
{
    return json_object_get_string_member_with_default(row->state->device, member, NULL);
}

static Row *row_new(const PltDriveState *state, GHashTable *mounts, PltUdisks *udisks)
{
    Row *row = g_new0(Row, 1);
    g_autoptr(PltInquiry) inquiry = plt_inquiry_new(NULL, state->sysfs_name, udisks, NULL);
    g_autoptr(PltSmart) smart = inquiry != NULL ? plt_smart_peek(inquiry, &row->no_health) : NULL;

    row->state = state;
    row->mounts = g_hash_table_lookup(mounts, state->sysfs_name);
    row->health =
        plt_health_judge(smart, text_of(row, "model"),
                         json_object_get_boolean_member_with_default(state->device, "rotational", FALSE));
    return row;
}

static const PltSensor *sensor_of(const Row *row)
{
    return row->state->sensors->len > 0 ? row->state->sensors->pdata[0] : NULL;
}

static char *mounts_text(const Row *row)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_auto(GStrv) points = NULL;

    for (guint i = 0; row->mounts != NULL && i < row->mounts->len; i++)
        g_strv_builder_add(builder, ((PltMountState *)row->mounts->pdata[i])->point);
    points = g_strv_builder_end(builder);
    return g_strjoinv(", ", points);
}

static void add_row(PltTable *table, const Row *row)
{
    JsonObject *device = row->state->device;
    const PltSensor *sensor = sensor_of(row);
    g_autofree char *title = plt_drive_title_text(device), *bus = plt_drive_bus_text(device);
    g_autofree char *capacity =
        plt_cli_format_bytes((guint64)json_object_get_int_member_with_default(device, "capacity", 0));
    g_autofree char *temperature = sensor != NULL ? g_strdup_printf("%.0f °C", sensor->celsius) : NULL;
    g_autofree char *mounts = mounts_text(row);
    const char *health =
        row->health->verdict != PLT_VERDICT_UNKNOWN ? plt_verdict_text(row->health->verdict) : "";

    plt_cli_table_add(table, text_of(row, "name"), text_of(row, "model") != NULL ? title : "", capacity, bus,
                      temperature, health, mounts);
}

/* Each reason once, with the drives that it is about. */
static void print_reasons(GPtrArray *rows)
{
    g_autoptr(GHashTable) done = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < rows->len; i++) {
        const char *reason = ((Row *)rows->pdata[i])->no_health;
        g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
        g_auto(GStrv) names = NULL;
        g_autofree char *list = NULL;

        if (reason == NULL || !g_hash_table_add(done, (gpointer)reason))
            continue;
        for (guint k = i; k < rows->len; k++) {
            if (g_strcmp0(((Row *)rows->pdata[k])->no_health, reason) == 0)
                g_strv_builder_add(builder, text_of(rows->pdata[k], "name"));
        }
        names = g_strv_builder_end(builder);
        list = g_strjoinv(", ", names);
        plt_output_printf(_("\nThe health of %s is not known. %s.\n"), list, reason);
    }
}

static void print_table(GPtrArray *rows)
{
    g_autoptr(PltTable) table = plt_cli_table_new("lfrlrlf");
    g_autofree char *text = NULL;

    plt_cli_table_add(table, _("NAME"), _("MODEL"), _("CAPACITY"), _("LINK"), _("TEMP"), _("HEALTH"),
                      _("MOUNTED"));
    for (guint i = 0; i < rows->len; i++)
        add_row(table, rows->pdata[i]);
    text = plt_cli_table_format(table, plt_terminal_width(STDOUT_FILENO));
    plt_output_print(text);
    print_reasons(rows);
}

static JsonArray *mounts_to_json(const Row *row)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; row->mounts != NULL && i < row->mounts->len; i++) {
        const PltMountState *mount = row->mounts->pdata[i];
        JsonObject *object = json_object_new();
        g_autofree char *point = g_utf8_make_valid(mount->point, -1);
        g_autofree char *source = mount->source != NULL ? g_utf8_make_valid(mount->source, -1) : NULL;

        json_object_set_string_member(object, "point", point);
        json_object_set_string_member(object, "filesystem", mount->fstype);
        if (source != NULL)
            json_object_set_string_member(object, "source", source);
        json_object_set_int_member(object, "size", (gint64)mount->size);
        json_object_set_int_member(object, "free", (gint64)mount->free);
        json_object_set_boolean_member(object, "writable", mount->writable);
        json_array_add_object_element(array, object);
    }
    return array;
}

static JsonObject *row_to_json(const Row *row)
{
    JsonObject *object = json_object_new();

    json_object_set_object_member(object, "device", json_object_ref(row->state->device));
    if (row->state->file != NULL) {
        g_autofree char *file = g_utf8_make_valid(row->state->file, -1);

        json_object_set_string_member(object, "file", file);
    }
    json_object_set_array_member(object, "mounts", mounts_to_json(row));
    json_object_set_string_member(object, "health", plt_verdict_id(row->health->verdict));
    if (row->health->life_percent >= 0)
        json_object_set_int_member(object, "life_percent", row->health->life_percent);
    if (row->no_health != NULL)
        json_object_set_string_member(object, "no_health", row->no_health);
    return object;
}

static void print_json(GPtrArray *rows)
{
    JsonObject *root = json_object_new();
    JsonArray *array = json_array_new();
    g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);

    for (guint i = 0; i < rows->len; i++)
        json_array_add_object_element(array, row_to_json(rows->pdata[i]));
    json_object_set_string_member(root, "schema", "plateau.drives/1");
    json_object_set_array_member(root, "drives", array);
    json_node_take_object(node, root);
    plt_output_json(node);
}

static PltExit list_drives(gboolean all, gboolean json)
{
    g_autoptr(GPtrArray) states = plt_scan_drives("", all);
    g_autoptr(GHashTable) mounts = plt_scan_mounts("");
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(row_free);
    g_autoptr(PltUdisks) udisks = plt_udisks_new(NULL);

    for (guint i = 0; i < states->len; i++)
        g_ptr_array_add(rows, row_new(states->pdata[i], mounts, udisks));
    if (json)
        print_json(rows);
    else if (rows->len > 0)
        print_table(rows);
    else
        plt_output_print(all ? _("There are no drives here.\n")
                             : _("There are no drives here; --all also lists loop devices and zram.\n"));
    return PLT_EXIT_DONE;
}

static PltExit run_list(char **argv)
{
    gboolean all = FALSE, json = FALSE;
    g_auto(GStrv) words = NULL;
    PltExit status;
    const GOptionEntry entries[] = {
        {"all", 'a', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &all, N_("Also loop devices and zram"), NULL},
        {"json", 'j', G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &json, N_("Print a JSON document"), NULL},
        G_OPTION_ENTRY_NULL,
    };

    if (!plt_command_parse(&plt_command_list, entries, argv, 0, 0, &words, &status))
        return status;
    return list_drives(all, json);
}

const PltCommand plt_command_list = {
    .name = "list",
    .arguments = "",
    .summary = N_("List the drives of this computer"),
    .details = N_("Nothing is written to a drive, and a sleeping disk is left asleep."),
    .run = run_list,
};
