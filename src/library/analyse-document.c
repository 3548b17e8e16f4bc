/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/analyse-document.h"

#include <math.h>

static void set_number(JsonObject *object, const char *name, double value)
{
    if (isfinite(value))
        json_object_set_double_member(object, name, value);
    else
        json_object_set_null_member(object, name);
}

static void set_text(JsonObject *object, const char *name, const char *text)
{
    if (text)
        json_object_set_string_member(object, name, text);
    else
        json_object_set_null_member(object, name);
}

JsonObject *plt_analyse_entry(const PltCell *cell, guint number)
{
    const PltCellRun *run = g_ptr_array_index(cell->runs, number);
    JsonObject *entry = json_object_new();
    set_text(entry, "cell", cell->spec.id);
    set_text(entry, "role", cell->spec.role);
    json_object_set_int_member(entry, "run", number);
    json_object_set_boolean_member(entry, "complete", run->complete);
    return entry;
}

static JsonObject *section_object(const struct plt_section *section)
{
    JsonObject *object = json_object_new();
    set_number(object, "bytes", section->bytes);
    set_number(object, "seconds", section->seconds);
    set_number(object, "average_bps", section->average_bps);
    set_number(object, "median_bps", section->median_bps);
    set_number(object, "p1_bps", section->p1_bps);
    set_number(object, "p0_1_bps", section->p0_1_bps);
    set_number(object, "min_bps", section->min_bps);
    set_number(object, "max_bps", section->max_bps);
    return object;
}

static void set_section(JsonObject *object, const char *name, const struct plt_section *section)
{
    if (section->seconds > 0)
        json_object_set_object_member(object, name, section_object(section));
    else
        json_object_set_null_member(object, name);
}

static JsonObject *phase_object(const struct plt_level *phase)
{
    JsonObject *object = json_object_new();
    set_number(object, "bytes", phase->bytes);
    set_number(object, "seconds", phase->seconds);
    set_number(object, "average_bps", phase->average_bps);
    set_number(object, "median_bps", phase->median_bps);
    return object;
}

static void set_phases(JsonObject *entry, const struct plt_phases *phases)
{
    if (!phases->found) {
        json_object_set_null_member(entry, "phases");
        return;
    }
    JsonObject *object = json_object_new();
    set_number(object, "threshold_bps", phases->threshold_bps);
    json_object_set_object_member(object, "slow", phase_object(&phases->slow));
    json_object_set_object_member(object, "fast", phase_object(&phases->fast));
    json_object_set_object_member(entry, "phases", object);
}

static void set_cliff(JsonObject *entry, const struct plt_cliff *cliff)
{
    if (cliff->verdict != PLT_CLIFF_FOUND) {
        json_object_set_null_member(entry, "cliff");
        return;
    }
    JsonObject *object = json_object_new();
    set_number(object, "bytes", cliff->bytes);
    set_number(object, "seconds", cliff->seconds);
    set_number(object, "before_bps", cliff->before_bps);
    set_number(object, "after_bps", cliff->after_bps);
    json_object_set_object_member(entry, "cliff", object);
}

void plt_analyse_set_fill(JsonObject *entry, const struct plt_fill *fill, const struct plt_cliff *cliff)
{
    gboolean heat = cliff->verdict != fill->cliff.verdict;
    set_section(entry, "all", &fill->all);
    set_text(entry, "verdict", heat ? "heat" : plt_cliff_verdict_name(cliff->verdict));
    set_cliff(entry, cliff);
    set_section(entry, "cache", &fill->cache);
    set_section(entry, "after", &fill->after);
    set_phases(entry, &fill->phases);
    set_number(entry, "below_half_share", fill->below_half);
}

void plt_analyse_set_stalls(JsonObject *entry, const struct plt_stall_summary *stalls)
{
    JsonObject *object = json_object_new();
    json_object_set_int_member(object, "count", (gint64)stalls->count);
    set_number(object, "total_s", (double)stalls->total_ns / 1e9);
    set_number(object, "longest_s", (double)stalls->longest_ns / 1e9);
    set_number(object, "share", stalls->share);
    json_object_set_object_member(entry, "stalls", object);
}

static JsonArray *event_array(const struct plt_thermal *thermal)
{
    JsonArray *array = json_array_new();
    for (size_t i = 0; i < MIN(thermal->n_events, PLT_THERMAL_MAX_EVENTS); i++) {
        const struct plt_throttle *event = &thermal->event[i];
        JsonObject *object = json_object_new();
        set_number(object, "start_s", event->start_s);
        set_number(object, "length_s", event->length_s);
        set_number(object, "celsius", event->celsius);
        set_number(object, "before_bps", event->before_bps);
        set_number(object, "during_bps", event->during_bps);
        set_number(object, "depth", event->depth);
        json_array_add_object_element(array, object);
    }
    return array;
}

void plt_analyse_set_thermal(JsonObject *entry, const struct plt_thermal *thermal)
{
    JsonObject *object = json_object_new();
    set_number(object, "start_c", thermal->start_c);
    set_number(object, "min_c", thermal->min_c);
    set_number(object, "max_c", thermal->max_c);
    set_number(object, "steady_c", thermal->steady_c);
    set_number(object, "steady_since_s", thermal->steady_since_s);
    set_number(object, "limit_c", thermal->limit_c);
    set_number(object, "base_bps", thermal->base_bps);
    /* Without a limit nothing is known about throttling, which is not the same as none. */
    set_number(object, "throttled_s", isfinite(thermal->limit_c) ? thermal->throttled_s : NAN);
    if (isfinite(thermal->limit_c))
        json_object_set_int_member(object, "n_events", (gint64)thermal->n_events);
    else
        json_object_set_null_member(object, "n_events");
    json_object_set_array_member(object, "events", event_array(thermal));
    json_object_set_object_member(entry, "thermal", object);
}

void plt_analyse_set_reclaim(JsonObject *entry, const struct plt_reclaim *reclaim)
{
    gboolean known = reclaim->verdict != PLT_RECLAIM_UNKNOWN;
    set_number(entry, "rest_s", reclaim->rest_s);
    set_text(entry, "recovered", plt_reclaim_verdict_name(reclaim->verdict));
    set_number(entry, "recovered_bytes", known ? reclaim->recovered_bytes : NAN);
    set_number(entry, "total_bytes", reclaim->total_bytes);
    set_number(entry, "cache_bps", reclaim->cache_bps > 0 ? reclaim->cache_bps : NAN);
    set_number(entry, "after_bps", reclaim->after_bps > 0 ? reclaim->after_bps : NAN);
}

void plt_analyse_set_map(JsonObject *entry, const struct plt_section *all, double below_half)
{
    set_section(entry, "all", all);
    set_number(entry, "below_half_share", below_half);
}

void plt_analyse_set_zones(JsonObject *entry, const char *name, const struct plt_zone *zones, guint n)
{
    JsonArray *array = json_array_sized_new(n);
    for (guint i = 0; i < n; i++) {
        JsonObject *object = json_object_new();
        set_number(object, "from_bytes", zones[i].from_bytes);
        set_number(object, "to_bytes", zones[i].to_bytes);
        set_number(object, "average_bps", zones[i].average_bps);
        set_number(object, "min_bps", zones[i].min_bps);
        set_number(object, "max_bps", zones[i].max_bps);
        json_array_add_object_element(array, object);
    }
    json_object_set_array_member(entry, name, array);
}

/* null for NAN. */
static JsonArray *number_array(const double *values, size_t n)
{
    JsonArray *array = json_array_sized_new((guint)n);
    for (size_t i = 0; i < n; i++) {
        if (isfinite(values[i]))
            json_array_add_double_element(array, values[i]);
        else
            json_array_add_null_element(array);
    }
    return array;
}

static JsonArray *unsigned_array(const unsigned *values, size_t n)
{
    JsonArray *array = json_array_sized_new((guint)n);
    for (size_t i = 0; i < n; i++)
        json_array_add_int_element(array, values[i]);
    return array;
}

static JsonObject *weighted_object(const struct plt_ratio *ratio, const struct plt_ratio_weights *weights)
{
    double curve[PLT_RATIO_MAX_SHARES];
    double mixed = plt_analysis_ratio_weighted(ratio, weights, curve);
    JsonObject *object = json_object_new();
    json_object_set_array_member(object, "queues", unsigned_array(weights->queue, weights->n));
    json_object_set_array_member(object, "weights", number_array(weights->weight, weights->n));
    json_object_set_array_member(object, "bps", number_array(curve, ratio->n_shares));
    set_number(object, "mixed_bps", mixed);
    return object;
}

JsonObject *plt_analyse_ratio_object(const struct plt_ratio *ratio, const struct plt_ratio_weights *weights,
                                     guint n_weights)
{
    JsonObject *object = json_object_new();
    JsonArray *curves = json_array_new(), *weighted = json_array_new();
    json_object_set_array_member(object, "read_percent",
                                 unsigned_array(ratio->read_percent, ratio->n_shares));
    for (size_t q = 0; q < ratio->n_queues; q++) {
        JsonObject *curve = json_object_new();
        json_object_set_int_member(curve, "queue", ratio->queue[q]);
        json_object_set_array_member(curve, "bps", number_array(ratio->bps[q], ratio->n_shares));
        set_number(curve, "mixed_bps", ratio->mixed_bps[q]);
        json_array_add_object_element(curves, curve);
    }
    for (guint i = 0; i < n_weights; i++)
        json_array_add_object_element(weighted, weighted_object(ratio, &weights[i]));
    json_object_set_array_member(object, "curves", curves);
    json_object_set_array_member(object, "weighted", weighted);
    return object;
}
