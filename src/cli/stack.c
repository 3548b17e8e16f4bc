/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/stack.h"

#include <glib/gi18n-lib.h>

#include "cli/format.h"
#include "cli/output.h"
#include "cli/table.h"
#include "drive/answer.h"
#include "drive/stack-tree.h"

static const char *text_of(JsonObject *object, const char *member)
{
    return json_object_get_string_member_with_default(object, member, "");
}

/* "/boot, /home", "[swap]": where the system has it. */
static char *place_of(JsonObject *object)
{
    JsonArray *mounts = json_object_get_array_member(object, "mounts");
    g_autoptr(GString) text = g_string_new(json_object_get_boolean_member(object, "swap") ? _("[swap]") : "");

    for (guint i = 0; i < json_array_get_length(mounts); i++)
        g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                               json_array_get_string_element(mounts, i));
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* "└ nvme0n1p1", "  └ dm-0 (vg-home)" */
static char *name_of(JsonObject *object, guint depth)
{
    const char *map = text_of(object, "map"), *branch = plt_output_is_unicode() ? "└ " : "- ";
    g_autofree char *indent = g_strnfill(depth > 0 ? 2 * (gsize)(depth - 1) : 0, ' ');
    g_autofree char *label = map[0] != '\0' ? g_strdup_printf(" (%s)", map) : g_strdup("");

    return g_strconcat(indent, depth > 0 ? branch : "", text_of(object, "name"), label, NULL);
}

static void add_device(PltTable *table, JsonObject *object, guint depth)
{
    JsonArray *children = json_object_get_array_member(object, "children");
    g_autofree char *name = name_of(object, depth);
    g_autofree char *size = plt_cli_format_bytes((guint64)json_object_get_int_member(object, "size"));
    g_autofree char *place = place_of(object);

    plt_cli_table_add(table, name, _(text_of(object, "kind")), size, text_of(object, "content"),
                      text_of(object, "label"), place);
    for (guint i = 0; i < json_array_get_length(children); i++)
        add_device(table, json_array_get_object_element(children, i), depth + 1);
}

void plt_cli_print_stack(const char *name, guint width)
{
    g_autoptr(PltGuardFacts) facts = plt_guard_look("", name, PLT_USE_WRITE);
    g_autoptr(JsonNode) tree = plt_stack_tree("", facts);
    g_autoptr(PltTable) table = plt_cli_table_new("llrllf");
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;

    if (tree == NULL)
        return;
    add_device(table, json_node_get_object(tree), 0);
    text = plt_cli_table_format(table, width);
    plt_output_printf("\n%s (%s)\n%s\n", _("What stands on it"), plt_source_text("sysfs"), text);
    if (plt_guard_check(facts, NULL, PLT_USE_WRITE, &error))
        plt_output_printf("%s\n", _("May be written as a whole: yes, nothing was found that uses it."));
    else
        plt_output_printf(_("May be written as a whole: no; %s.\n"), error->message);
}

void plt_cli_add_stack(const char *name, JsonNode *document)
{
    g_autoptr(PltGuardFacts) facts = plt_guard_look("", name, PLT_USE_WRITE);
    JsonObject *object = json_node_get_object(document), *whole = json_object_new();
    JsonNode *tree = plt_stack_tree("", facts);
    g_autoptr(GError) error = NULL;

    if (tree != NULL)
        json_object_set_member(object, "stack", tree);
    json_object_set_boolean_member(whole, "writable", plt_guard_check(facts, NULL, PLT_USE_WRITE, &error));
    if (error != NULL)
        json_object_set_string_member(whole, "reason", error->message);
    json_object_set_object_member(object, "whole_drive", whole);
}
