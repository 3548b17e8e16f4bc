/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/analyse.h"

#include <math.h>

#include "library/analyse-document.h"
#include "library/document.h"
#include "library/role.h"

/* Parts of a map: finer than a picture has pixels for points, coarse enough to be read in the document. */
#define MAP_PARTS 200

/* The document while it is being made. */
typedef struct {
    PltLibrary *library;
    const PltRun *run;
    JsonArray *fills, *reclaims, *thermals, *maps;
    GArray *passes;       /* struct plt_fill of the complete fill-pass-N */
    GArray *minutes;      /* struct plt_fill of the reclaim-T, with … */
    GArray *rests;        /* … double, in seconds, and … */
    GPtrArray *entries;   /* … their entry in reclaims */
    double first_p1_bps;  /* of the complete fill-pass-1; NAN without one */
    double reference_bps; /* fastest cache of a fill; 0 without one */
} Analysis;

void plt_analyse_add_samples(const struct plt_sample *samples, guint n_samples, gpointer user)
{
    for (guint i = 0; i < n_samples; i++)
        plt_series_add(user, samples[i].duration_ns,
                       samples[i].op[PLT_OP_READ].bytes + samples[i].op[PLT_OP_WRITE].bytes);
}

gboolean plt_analyse_series(PltLibrary *library, const PltCellRun *cell_run, struct plt_series *series,
                            GError **error)
{
    plt_series_init(series);
    if (cell_run->samples) {
        plt_analyse_add_samples((const struct plt_sample *)(const void *)cell_run->samples->data,
                                cell_run->samples->len, series);
        return TRUE;
    }
    return !library || plt_library_each_samples(library, cell_run, plt_analyse_add_samples, series, error);
}

GArray *plt_analyse_heat(const PltRun *run, const PltCellRun *cell_run)
{
    GArray *heat = g_array_new(FALSE, FALSE, sizeof(struct plt_heat));
    double length = cell_run->total.seconds;
    for (guint i = 0; i < run->temperatures->len; i++) {
        const PltTemperature *one = &g_array_index(run->temperatures, PltTemperature, i);
        struct plt_heat point = {(double)(one->at_us - cell_run->started_us) / 1e6, one->celsius};
        if (point.seconds >= -1 && point.seconds <= length)
            g_array_append_val(heat, point);
    }
    return heat;
}

double plt_analyse_warning_c(const PltRun *run)
{
    JsonObject *drive = plt_document_object(run->drive);
    return drive ? json_object_get_double_member_with_default(drive, "temperature_warning_c", NAN) : NAN;
}

static const struct plt_heat *heat_data(const GArray *heat)
{
    return (const struct plt_heat *)(const void *)heat->data;
}

/* Temperatures and throttling, where there was a sensor. FROM_S is the end of a cache. */
static void add_thermal(Analysis *analysis, JsonObject *entry, const PltCellRun *cell_run,
                        const struct plt_series *series, double from_s)
{
    g_autoptr(GArray) heat = plt_analyse_heat(analysis->run, cell_run);
    g_autofree struct plt_thermal *thermal = g_new0(struct plt_thermal, 1);
    if (heat->len == 0) {
        json_object_set_null_member(entry, "thermal");
        return;
    }
    plt_analysis_thermal(series, from_s, heat_data(heat), heat->len, plt_analyse_warning_c(analysis->run),
                         thermal);
    plt_analyse_set_thermal(entry, thermal);
}

static void add_stalls(JsonObject *entry, const PltCellRun *cell_run)
{
    struct plt_stall_summary stalls = plt_analysis_stalls(
        (const struct plt_stall *)(const void *)cell_run->stalls->data, cell_run->stalls->len,
        (guint64)(cell_run->total.seconds * 1e9), PLT_STALL_MIN_NS);
    plt_analyse_set_stalls(entry, &stalls);
}

/* Was the drive so hot when the speed fell that heat may be the reason? */
static gboolean is_hot(const PltRun *run, const PltCellRun *cell_run, const struct plt_cliff *cliff)
{
    g_autoptr(GArray) heat = plt_analyse_heat(run, cell_run);
    double celsius = plt_analysis_heat_at(heat_data(heat), heat->len, cliff->seconds);
    return cliff->verdict == PLT_CLIFF_FOUND &&
           celsius >= plt_analysis_heat_limit(plt_analyse_warning_c(run));
}

struct plt_fill plt_analyse_fill(const PltRun *run, const PltCellRun *cell_run,
                                 const struct plt_series *series)
{
    struct plt_fill fill = plt_analysis_fill(series);
    if (is_hot(run, cell_run, &fill.cliff)) {
        fill.cliff = (struct plt_cliff){.verdict = PLT_CLIFF_NONE};
        fill.cache = fill.after = (struct plt_section){0};
        fill.phases = plt_analysis_phases(series, 0, series->n);
    }
    return fill;
}

/* Cache, phases, stalls and heat of one long write into ENTRY. */
static struct plt_fill add_fill(Analysis *analysis, JsonObject *entry, const PltCellRun *cell_run,
                                const struct plt_series *series)
{
    struct plt_cliff cliff = plt_analysis_cliff(series);
    struct plt_fill fill = plt_analyse_fill(analysis->run, cell_run, series);
    plt_analyse_set_fill(entry, &fill, &cliff);
    add_stalls(entry, cell_run);
    add_thermal(analysis, entry, cell_run, series, fill.cliff.seconds);
    return fill;
}

static void add_fill_cell(Analysis *analysis, const PltCell *cell, guint number,
                          const struct plt_series *series)
{
    const PltCellRun *cell_run = g_ptr_array_index(cell->runs, number);
    JsonObject *entry = plt_analyse_entry(cell, number);
    struct plt_fill fill = add_fill(analysis, entry, cell_run, series);
    guint pass;
    json_array_add_object_element(analysis->fills, entry);
    if (fill.cliff.verdict == PLT_CLIFF_FOUND)
        analysis->reference_bps = MAX(analysis->reference_bps, fill.cache.median_bps);
    if (!cell_run->complete || !plt_role_number(cell->spec.role, "fill-pass-", &pass))
        return;
    g_array_append_val(analysis->passes, fill);
    if (pass == 1)
        analysis->first_p1_bps = fill.all.p1_bps;
}

static void add_reclaim_cell(Analysis *analysis, const PltCell *cell, guint number, double rest_s,
                             const struct plt_series *series)
{
    JsonObject *entry = plt_analyse_entry(cell, number);
    struct plt_fill fill = add_fill(analysis, entry, g_ptr_array_index(cell->runs, number), series);
    json_array_add_object_element(analysis->reclaims, entry);
    g_array_append_val(analysis->minutes, fill);
    g_array_append_val(analysis->rests, rest_s);
    g_ptr_array_add(analysis->entries, entry);
}

static void add_thermal_cell(Analysis *analysis, const PltCell *cell, guint number,
                             const struct plt_series *series)
{
    const PltCellRun *cell_run = g_ptr_array_index(cell->runs, number);
    JsonObject *entry = plt_analyse_entry(cell, number);
    add_fill(analysis, entry, cell_run, series);
    json_array_add_object_element(analysis->thermals, entry);
}

static void add_map_cell(Analysis *analysis, const PltCell *cell, guint number,
                         const struct plt_series *series)
{
    JsonObject *entry = plt_analyse_entry(cell, number);
    struct plt_zone thirds[3], map[MAP_PARTS];
    struct plt_section all = plt_analysis_section_all(series);
    plt_analysis_zones(series, thirds, G_N_ELEMENTS(thirds));
    plt_analysis_zones(series, map, G_N_ELEMENTS(map));
    plt_analyse_set_map(entry, &all, plt_analysis_share_below_half(series));
    plt_analyse_set_zones(entry, "thirds", thirds, G_N_ELEMENTS(thirds));
    plt_analyse_set_zones(entry, "parts", map, G_N_ELEMENTS(map));
    add_stalls(entry, g_ptr_array_index(cell->runs, number));
    json_array_add_object_element(analysis->maps, entry);
}

static gboolean is_map(const char *role)
{
    static const char *const names[] = {"linear-read", "read-all", "verify", "cool"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        if (plt_role_is(role, names[i]))
            return TRUE;
    }
    return FALSE;
}

/* Has the role figures that are made from samples? */
static gboolean needs_samples(const char *role)
{
    double rest_s;
    return plt_role_is(role, "fill") || plt_role_is(role, "thermal") || plt_role_reclaim(role, &rest_s) ||
           plt_role_is(role, "reclaim-fill") || is_map(role);
}

static void add_by_role(Analysis *analysis, const PltCell *cell, guint number,
                        const struct plt_series *series)
{
    const char *role = cell->spec.role;
    double rest_s;
    if (plt_role_reclaim(role, &rest_s))
        add_reclaim_cell(analysis, cell, number, rest_s, series);
    else if (plt_role_is(role, "fill") || plt_role_is(role, "reclaim-fill"))
        add_fill_cell(analysis, cell, number, series);
    else if (plt_role_is(role, "thermal"))
        add_thermal_cell(analysis, cell, number, series);
    else
        add_map_cell(analysis, cell, number, series);
}

static gboolean add_cell(Analysis *analysis, const PltCell *cell, GError **error)
{
    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *cell_run = g_ptr_array_index(cell->runs, i);
        struct plt_series series;
        if (cell_run->warmup)
            continue;
        gboolean read = plt_analyse_series(analysis->library, cell_run, &series, error);
        if (read && series.duration_ns > 0)
            add_by_role(analysis, cell, i, &series);
        plt_series_clear(&series);
        if (!read)
            return FALSE;
    }
    return TRUE;
}

/* The minutes are compared with each other, so they come last. */
static void finish_reclaim(Analysis *analysis)
{
    guint n = analysis->minutes->len;
    g_autofree struct plt_reclaim *reclaim = g_new0(struct plt_reclaim, n);
    plt_analysis_reclaim((const struct plt_fill *)(const void *)analysis->minutes->data,
                         (const double *)(const void *)analysis->rests->data, n, analysis->reference_bps,
                         reclaim);
    for (guint i = 0; i < n; i++)
        plt_analyse_set_reclaim(g_ptr_array_index(analysis->entries, i), &reclaim[i]);
}

static JsonObject *ratio_object(const PltRun *run)
{
    const struct plt_ratio_weights weights[] = {plt_ratio_weights_80_15_5, plt_ratio_weights_70_20_10};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct plt_ratio_point));
    g_autofree struct plt_ratio *ratio = g_new0(struct plt_ratio, 1);
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(run->cells, i);
        const PltCellRun *score = plt_cell_score(cell);
        struct plt_ratio_point point;
        if (!score || !plt_role_ratio(cell->spec.role, &point.queue, &point.read_percent))
            continue;
        point.bps = score->total.bandwidth_bps;
        g_array_append_val(points, point);
    }
    if (points->len == 0)
        return NULL;
    plt_analysis_ratio((const struct plt_ratio_point *)(const void *)points->data, points->len, ratio);
    return plt_analyse_ratio_object(ratio, weights, G_N_ELEMENTS(weights));
}

static void set_array(JsonObject *object, const char *name, JsonArray *array)
{
    if (json_array_get_length(array) > 0)
        json_object_set_array_member(object, name, json_array_ref(array));
}

static JsonNode *document(const Analysis *analysis)
{
    JsonObject *ratio = ratio_object(analysis->run), *object = json_object_new();
    guint n_passes = analysis->passes->len;
    json_object_set_int_member(object, "version", PLT_ANALYSE_VERSION);
    set_array(object, "fill", analysis->fills);
    if (n_passes > 0)
        json_object_set_double_member(
            object, "fill_average_bps",
            plt_analysis_fill_average((const struct plt_fill *)(const void *)analysis->passes->data,
                                      n_passes));
    if (isfinite(analysis->first_p1_bps))
        json_object_set_double_member(object, "fill_p1_bps", analysis->first_p1_bps);
    set_array(object, "reclaim", analysis->reclaims);
    if (ratio)
        json_object_set_object_member(object, "ratio", ratio);
    set_array(object, "thermal", analysis->thermals);
    set_array(object, "map", analysis->maps);

    gboolean empty = json_object_get_size(object) == 1;
    JsonNode *node = json_node_new(empty ? JSON_NODE_NULL : JSON_NODE_OBJECT);
    if (!empty)
        json_node_set_object(node, object);
    json_object_unref(object);
    return node;
}

static void analysis_init(Analysis *analysis, PltLibrary *library, const PltRun *run)
{
    *analysis = (Analysis){.library = library, .run = run, .first_p1_bps = NAN};
    analysis->fills = json_array_new();
    analysis->reclaims = json_array_new();
    analysis->thermals = json_array_new();
    analysis->maps = json_array_new();
    analysis->passes = g_array_new(FALSE, FALSE, sizeof(struct plt_fill));
    analysis->minutes = g_array_new(FALSE, FALSE, sizeof(struct plt_fill));
    analysis->rests = g_array_new(FALSE, FALSE, sizeof(double));
    analysis->entries = g_ptr_array_new();
}

static void analysis_clear(Analysis *analysis)
{
    json_array_unref(analysis->fills);
    json_array_unref(analysis->reclaims);
    json_array_unref(analysis->thermals);
    json_array_unref(analysis->maps);
    g_array_unref(analysis->passes);
    g_array_unref(analysis->minutes);
    g_array_unref(analysis->rests);
    g_ptr_array_unref(analysis->entries);
}

JsonNode *plt_analyse_run(PltLibrary *library, const PltRun *run, GError **error)
{
    Analysis analysis;
    gboolean read = TRUE;
    JsonNode *node = NULL;
    analysis_init(&analysis, library, run);
    for (guint i = 0; read && i < run->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(run->cells, i);
        if (needs_samples(cell->spec.role))
            read = add_cell(&analysis, cell, error);
    }
    if (read) {
        finish_reclaim(&analysis);
        node = document(&analysis);
    }
    analysis_clear(&analysis);
    if (node && JSON_NODE_HOLDS_NULL(node))
        g_clear_pointer(&node, json_node_unref);
    return node;
}
