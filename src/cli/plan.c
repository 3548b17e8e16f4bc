/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/plan.h"

#include <glib/gi18n-lib.h>

#include "cli/format.h"
#include "cli/table.h"
#include "drive/device.h"

static const char *member_string(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);

    return node != NULL && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

char *plt_plan_drive_text(PltTarget *target)
{
    g_autoptr(JsonNode) node = plt_target_drives_to_json(target);
    g_autoptr(GString) text = g_string_new(NULL);
    JsonArray *drives = node != NULL && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;

    for (guint i = 0; drives != NULL && i < json_array_get_length(drives); i++) {
        JsonNode *element = json_array_get_element(drives, i);
        const char *model, *name;

        if (!JSON_NODE_HOLDS_OBJECT(element))
            continue;
        model = member_string(json_node_get_object(element), "model");
        name = member_string(json_node_get_object(element), "name");
        if (model == NULL && name == NULL)
            continue;
        g_string_append_printf(text, "%s%s", text->len > 0 ? " + " : "", model != NULL ? model : name);
        if (model != NULL && name != NULL)
            g_string_append_printf(text, " (%s)", name);
    }
    return text->len > 0 ? g_string_free_and_steal(g_steal_pointer(&text)) : NULL;
}

char *plt_plan_cell_label(const PltCellSpec *spec)
{
    if (spec->op == PLT_CELL_MIX)
        return g_strdup_printf(_("%s mix %u %%"), spec->label, spec->read_percent);
    return g_strdup_printf("%s %s", spec->label, spec->op == PLT_CELL_READ ? _("read") : _("write"));
}

static char *folder_text(PltFolder *folder)
{
    g_auto(GStrv) layers = plt_folder_layers(folder);
    g_autofree char *path = g_filename_display_name(plt_folder_path(folder));
    g_autofree char *stack = layers != NULL ? g_strjoinv(_(" on "), layers) : g_strdup("");
    g_autofree char *free_space = plt_cli_format_bytes(plt_folder_free_bytes(folder));

    return g_strdup_printf(_("%s (%s, %s free)"), path, *stack != '\0' ? stack : plt_folder_fstype(folder),
                           free_space);
}

static char *range_text(PltTarget *target)
{
    const PltDriveSeal *seal = plt_target_get_seal(target);
    g_autofree char *name = plt_device_display_name(seal->name);
    g_autofree char *size = plt_cli_format_bytes(seal->size);
    g_autofree char *length = plt_cli_format_bytes(plt_target_get_length(target));
    g_autofree char *offset = plt_cli_format_bytes(plt_target_get_offset(target));

    if (plt_target_get_length(target) == seal->size)
        return g_strdup_printf(_("the whole drive %s (%s)"), name, size);
    return g_strdup_printf(_("%s of the drive %s (%s) from %s on"), length, name, size, offset);
}

/* "nvme0n1p1: ext4 “Photos” (512 GB)" */
void plt_plan_add_losses(PltTable *table, JsonArray *losses)
{
    for (guint i = 0; i < json_array_get_length(losses); i++) {
        JsonObject *loss = json_array_get_object_element(losses, i);
        const char *label = member_string(loss, "label"), *content = member_string(loss, "content");
        g_autofree char *size =
            plt_cli_format_bytes((guint64)json_object_get_int_member_with_default(loss, "size", 0));
        g_autofree char *quoted = label != NULL ? g_strdup_printf(" “%s”", label) : g_strdup("");
        g_autofree char *text =
            g_strdup_printf("%s: %s%s (%s)", member_string(loss, "name"),
                            content != NULL ? content : _("unknown content"), quoted, size);

        plt_cli_table_add(table, i == 0 ? _("Is lost") : "", text);
    }
}

static void add_target(PltTable *table, const PltPlan *plan, PltTarget *target)
{
    PltFolder *folder = plt_target_get_folder(target);
    g_autofree char *drive = plt_plan_drive_text(target);
    g_autofree char *text = folder != NULL ? folder_text(folder) : range_text(target);

    plt_cli_table_add(table, _("Target"), text);
    plt_cli_table_add(table, _("Drive"), drive != NULL ? drive : _("unknown"));
    if (folder == NULL && plan->writes) {
        g_autoptr(JsonNode) losses = plt_target_losses_to_json(target, plan);

        plt_plan_add_losses(table, json_node_get_array(losses));
    }
}

static char *data_text(const PltPlan *plan)
{
    switch (plan->data) {
    case PLT_DATA_ZERO:
        return g_strdup(_("all zero"));
    case PLT_DATA_COMPRESSIBLE:
        return g_strdup_printf(_("%u %% zero, the rest random"), plan->data_zero_percent);
    case PLT_DATA_RANDOM:
        break;
    }
    return g_strdup(_("random data"));
}

/* TRUE when no step writes for as long as it takes. */
static gboolean ends_by_amount(const PltPlan *plan)
{
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind == PLT_STEP_MEASURE && step->share_percent == 0 && step->estimated_written > 0)
            return FALSE;
    }
    return TRUE;
}

char *plt_plan_describe_head(const PltPlan *plan, PltTarget *target)
{
    g_autoptr(PltTable) table = plt_cli_table_new("ll");
    g_autofree char *suite =
        g_strdup_printf("%s (%s)", plt_suite_name(plan->suite), plt_suite_id(plan->suite));
    gboolean is_drive = target != NULL && plt_target_get_folder(target) == NULL;
    g_autofree char *size =
        plan->size == PLT_SIZE_ALL ? g_strdup(_("all there is")) : plt_cli_format_size(plan->size);
    g_autofree char *data = data_text(plan);
    g_autofree char *file = g_strdup_printf("%s, %s", size, data);
    g_autofree char *time = plt_cli_format_duration(MAX(plan->estimated_ms, 1000));
    g_autofree char *about = g_strdup_printf(_("about %s"), time);
    g_autofree char *bytes = plt_cli_format_bytes(plan->estimated_written);
    g_autofree char *writes = plan->estimated_written == 0 ? g_strdup(_("nothing"))
                              : ends_by_amount(plan)
                                  ? g_strdup(bytes)
                                  : g_strdup_printf(_("about %s, more on a faster drive"), bytes);

    plt_cli_table_add(table, _("Suite"), suite);
    if (target != NULL)
        add_target(table, plan, target);
    plt_cli_table_add(table, is_drive ? _("Range used") : _("Test file"), file);
    plt_cli_table_add(table, _("Time"), about);
    plt_cli_table_add(table, _("Writes"), writes);
    return plt_cli_table_format(table, 0);
}

static char *runs_text(const PltStep *step)
{
    if (step->warmup_runs == 0)
        return g_strdup_printf("%u", step->runs);
    return g_strdup_printf("%u+%u", step->warmup_runs, step->runs);
}

static void add_step(PltTable *table, const PltStep *step, guint number)
{
    g_autofree char *time = plt_cli_format_clock(step->estimated_ms);
    g_autofree char *label = NULL, *runs = NULL, *bytes = NULL, *place = NULL;

    if (step->kind != PLT_STEP_MEASURE) {
        plt_cli_table_add(table, "", step->kind == PLT_STEP_REST ? _("rest") : _("purge"), "", "", time, "");
        return;
    }
    place = g_strdup_printf("%u", number);
    label = plt_plan_cell_label(&step->cell);
    runs = runs_text(step);
    bytes = step->estimated_written > 0 ? plt_cli_format_bytes(step->estimated_written) : g_strdup("–");
    plt_cli_table_add(table, place, label, step->cell.id, runs, time, bytes);
}

static gboolean has_warmup(const PltPlan *plan)
{
    for (guint i = 0; i < plan->steps->len; i++)
        if (((const PltStep *)g_ptr_array_index(plan->steps, i))->warmup_runs > 0)
            return TRUE;
    return FALSE;
}

char *plt_plan_describe(const PltPlan *plan, PltTarget *target, guint width)
{
    g_autoptr(PltTable) table = plt_cli_table_new("rllrrr");
    g_autofree char *head = plt_plan_describe_head(plan, target);
    gboolean is_drive = target != NULL && plt_target_get_folder(target) == NULL;
    g_autofree char *size = plt_cli_format_bytes(plan->size);
    g_autofree char *steps = NULL;
    guint number = 0;

    plt_cli_table_add(table, _("STEP"), _("CELL"), _("ID"), _("RUNS"), _("TIME"), _("WRITES"));
    if (plan->prepare && plan->size != PLT_SIZE_ALL)
        plt_cli_table_add(table, "", is_drive ? _("write the range") : _("write the test file"), "", "", "",
                          size);
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        number += step->kind == PLT_STEP_MEASURE;
        add_step(table, step, number);
    }
    steps = plt_cli_table_format(table, width);
    return g_strconcat(
        head, "\n", steps,
        has_warmup(plan) ? _("\nRuns: warm-up runs (kept, but no score) + runs that count.\n") : "", NULL);
}

static const char *const kind_names[] = {
    [PLT_STEP_MEASURE] = "measure", [PLT_STEP_REST] = "rest", [PLT_STEP_PURGE] = "purge"};

static void add_step_json(JsonBuilder *builder, const PltStep *step)
{
    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "kind");
    json_builder_add_string_value(builder, kind_names[step->kind]);
    if (step->kind == PLT_STEP_MEASURE) {
        json_builder_set_member_name(builder, "id");
        json_builder_add_string_value(builder, step->cell.id);
        json_builder_set_member_name(builder, "label");
        json_builder_add_string_value(builder, step->cell.label);
        json_builder_set_member_name(builder, "pattern");
        json_builder_add_string_value(builder,
                                      step->cell.pattern == PLT_PATTERN_RANDOM ? "random" : "sequential");
        json_builder_set_member_name(builder, "block");
        json_builder_add_int_value(builder, step->cell.block);
        json_builder_set_member_name(builder, "queues");
        json_builder_add_int_value(builder, step->cell.queue);
        json_builder_set_member_name(builder, "threads");
        json_builder_add_int_value(builder, step->cell.threads);
        json_builder_set_member_name(builder, "op");
        json_builder_add_string_value(builder, plt_cell_op_name(step->cell.op));
        json_builder_set_member_name(builder, "read_percent");
        json_builder_add_int_value(builder, step->cell.read_percent);
        json_builder_set_member_name(builder, "warmup_runs");
        json_builder_add_int_value(builder, step->warmup_runs);
        json_builder_set_member_name(builder, "runs");
        json_builder_add_int_value(builder, step->runs);
    }
    json_builder_set_member_name(builder, "estimated_seconds");
    json_builder_add_double_value(builder, (double)step->estimated_ms / 1000);
    json_builder_set_member_name(builder, "estimated_written_bytes");
    json_builder_add_int_value(builder, (gint64)step->estimated_written);
    json_builder_end_object(builder);
}

static void add_suite_json(JsonBuilder *builder, const PltSuite *suite)
{
    json_builder_set_member_name(builder, "suite");
    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "id");
    json_builder_add_string_value(builder, plt_suite_id(suite));
    json_builder_set_member_name(builder, "version");
    json_builder_add_int_value(builder, plt_suite_version(suite));
    json_builder_set_member_name(builder, "name");
    json_builder_add_string_value(builder, plt_suite_name(suite));
    json_builder_end_object(builder);
}

JsonNode *plt_plan_to_json(const PltPlan *plan, PltTarget *target)
{
    g_autoptr(JsonBuilder) builder = json_builder_new_immutable();

    json_builder_begin_object(builder);
    json_builder_set_member_name(builder, "schema");
    json_builder_add_string_value(builder, "plateau.plan/1");
    add_suite_json(builder, plan->suite);
    if (target != NULL) {
        json_builder_set_member_name(builder, "target");
        json_builder_add_value(builder, plt_target_to_json(target));
        json_builder_set_member_name(builder, "drive");
        json_builder_add_value(builder, plt_target_drives_to_json(target));
    }
    json_builder_set_member_name(builder, "parameters");
    json_builder_add_value(builder, json_node_copy(plan->parameters));
    if (plan->size != PLT_SIZE_ALL) {
        json_builder_set_member_name(builder, "size_bytes");
        json_builder_add_int_value(builder, (gint64)plan->size);
    }
    json_builder_set_member_name(builder, "writes");
    json_builder_add_boolean_value(builder, plan->writes);
    json_builder_set_member_name(builder, "estimated_seconds");
    json_builder_add_double_value(builder, (double)plan->estimated_ms / 1000);
    json_builder_set_member_name(builder, "estimated_written_bytes");
    json_builder_add_int_value(builder, (gint64)plan->estimated_written);
    json_builder_set_member_name(builder, "steps");
    json_builder_begin_array(builder);
    for (guint i = 0; i < plan->steps->len; i++)
        add_step_json(builder, g_ptr_array_index(plan->steps, i));
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    return json_builder_get_root(builder);
}
