/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "suite/parameters.h"

static void set_key(JsonBuilder *builder, const char *name, gint64 value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_int_value(builder, value);
}

static void set_text(JsonBuilder *builder, const char *name, const char *value)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_string_value(builder, value);
}

static void set_seconds(JsonBuilder *builder, const char *name, guint64 ms)
{
    json_builder_set_member_name(builder, name);
    json_builder_add_double_value(builder, (double)ms / 1000);
}

static void set_seed(JsonBuilder *builder, guint64 seed)
{
    g_autofree char *text = g_strdup_printf("0x%016" G_GINT64_MODIFIER "x", seed);

    set_text(builder, "seed", text);
}

/* Only what is not as usual: a list of cells with every key spelled out hides the ones that matter. */
static void set_special(JsonBuilder *builder, const struct plt_workload *load)
{
    if (load->sync != PLT_SYNC_NONE)
        set_text(builder, "sync", plt_section_sync_name(load->sync));
    if (load->flush_every != 0)
        set_key(builder, "flush_every", load->flush_every);
    if (load->separate_streams)
        set_text(builder, "streams", "separate");
    if (load->slices) {
        json_builder_set_member_name(builder, "slices");
        json_builder_add_boolean_value(builder, TRUE);
    }
    if (load->rate_bps[PLT_OP_READ] != 0)
        set_key(builder, "rate_read_bps", (gint64)load->rate_bps[PLT_OP_READ]);
    if (load->rate_bps[PLT_OP_WRITE] != 0)
        set_key(builder, "rate_write_bps", (gint64)load->rate_bps[PLT_OP_WRITE]);
    if (load->think_every != 0) {
        set_seconds(builder, "think_seconds", load->think_ns / 1000000);
        set_key(builder, "think_every", load->think_every);
    }
}

static void add_cell(JsonBuilder *builder, const PltStep *step)
{
    const struct plt_workload *load = &step->workload;

    json_builder_begin_object(builder);
    set_text(builder, "id", step->cell.id);
    set_key(builder, "runs", step->runs);
    set_key(builder, "warmup", step->warmup_runs);
    if (step->share_percent != 0)
        set_key(builder, "share_percent", step->share_percent);
    else
        set_seconds(builder, "seconds", load->duration_ns / 1000000);
    set_key(builder, "read_percent", load->read_percent);
    set_text(builder, "score", plt_settings_score_name(step->score_rule));
    set_text(builder, "generator", plt_settings_generator_name(load->generator));
    set_key(builder, "tick_ms", (gint64)(load->tick_ns / 1000000));
    set_seed(builder, load->seed);
    set_special(builder, load);
    json_builder_end_object(builder);
}

static void add_plan(JsonBuilder *builder, const PltPlan *plan, const struct plt_settings *settings)
{
    g_autofree char *data = plt_settings_data_text(plan->data, plan->data_zero_percent);

    if (plan->size != PLT_SIZE_ALL)
        set_key(builder, "size", (gint64)plan->size);
    if (plan->leave != 0)
        set_key(builder, "leave", (gint64)plan->leave);
    set_key(builder, "runs", settings->runs);
    set_key(builder, "warmup", settings->warmup);
    if (settings->set & PLT_SETTING_SECONDS)
        set_seconds(builder, "seconds", settings->duration_ms);
    set_seconds(builder, "interval", settings->interval_ms);
    set_text(builder, "data", data);
    set_key(builder, "mix_percent", plan->mix_percent);
    set_text(builder, "score", plt_settings_score_name(settings->score));
    set_text(builder, "order", plt_order_name(plan->suite->order));
}

JsonNode *plt_parameters_to_json(const PltPlan *plan, const struct plt_settings *settings, GStrv only,
                                 guint64 seed)
{
    g_autoptr(JsonBuilder) builder = json_builder_new();

    json_builder_begin_object(builder);
    add_plan(builder, plan, settings);
    set_seed(builder, seed);
    if (only != NULL) {
        json_builder_set_member_name(builder, "only");
        json_builder_begin_array(builder);
        for (guint i = 0; only[i] != NULL; i++)
            json_builder_add_string_value(builder, only[i]);
        json_builder_end_array(builder);
    }
    json_builder_set_member_name(builder, "cells");
    json_builder_begin_array(builder);
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind == PLT_STEP_MEASURE)
            add_cell(builder, step);
    }
    json_builder_end_array(builder);
    json_builder_end_object(builder);
    return json_builder_get_root(builder);
}
