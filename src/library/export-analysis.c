/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "config.h"

#include "library/export-analysis.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "library/document.h"
#include "library/export-rows.h"
#include "library/role.h"

static void table_free(PltExportTable *table)
{
    g_free(table->title);
    g_ptr_array_unref(table->cells);
    g_ptr_array_unref(table->notes);
    g_free(table);
}

static PltExportTable *add_table(GPtrArray *tables, const char *title, guint n_columns)
{
    PltExportTable *table = g_new0(PltExportTable, 1);
    table->title = g_strdup(title);
    table->n_columns = n_columns;
    table->cells = g_ptr_array_new_with_free_func(g_free);
    table->notes = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(tables, table);
    return table;
}

static void take(PltExportTable *table, char *text)
{
    g_ptr_array_add(table->cells, text);
}

static void add(PltExportTable *table, const char *text)
{
    take(table, g_strdup(text));
}

char *plt_export_bytes(double bytes)
{
    static const struct {
        double size;
        const char *name;
    } units[] = {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}};
    guint i = 0;
    if (isnan(bytes))
        return plt_export_number(bytes, 0, FALSE);
    /* Below the half of the last digit that is shown the smaller unit has three digits. */
    while (i + 1 < G_N_ELEMENTS(units) && bytes < units[i].size * 0.9995)
        i++;
    double value = bytes / units[i].size;
    g_autofree char *number = plt_export_number(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, TRUE);
    return g_strdup_printf("%s %s", number, units[i].name);
}

/* The object MEMBER of OBJECT; NULL when it is null or not there. */
static JsonObject *object_of(JsonObject *object, const char *member)
{
    JsonNode *node = object ? json_object_get_member(object, member) : NULL;
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static JsonArray *array_of(JsonObject *object, const char *member)
{
    JsonNode *node = object ? json_object_get_member(object, member) : NULL;
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

/* NAN when there is no such number, or no object. */
static double number_of(JsonObject *object, const char *member)
{
    return object ? json_object_get_double_member_with_default(object, member, NAN) : NAN;
}

static const char *text_of(JsonObject *object, const char *member)
{
    return json_object_get_string_member_with_default(object, member, "");
}

/* Speeds here go over many seconds: a whole MB/s is as fine as they are, two decimals below 10. */
static char *speed(double bps)
{
    double mbps = bps / 1e6;
    return plt_export_number(mbps, mbps < 9.995 ? 2 : mbps < 99.95 ? 1 : 0, TRUE);
}

static char *duration(double seconds)
{
    if (isnan(seconds))
        return plt_export_number(seconds, 0, FALSE);
    guint whole = (guint)lround(seconds);
    if (seconds < 59.95)
        return g_strdup_printf(_("%.1f s"), seconds);
    if (whole < 3600)
        return g_strdup_printf(_("%u min %u s"), whole / 60, whole % 60);
    return g_strdup_printf(_("%u h %u min"), whole / 3600, whole / 60 % 60);
}

static char *percent(double share)
{
    g_autofree char *number = plt_export_number(share * 100, 1, FALSE);
    return isnan(share) ? g_strdup(number) : g_strdup_printf("%s %%", number);
}

static const PltCell *find_cell(const PltRun *run, const char *id)
{
    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = g_ptr_array_index(run->cells, i);
        if (g_strcmp0(cell->spec.id, id) == 0)
            return cell;
    }
    return NULL;
}

/* "Pass 2", or the title of the cell: "SEQ128K Q8T1 read". */
static char *entry_title(const PltRun *run, JsonObject *entry)
{
    const char *role = text_of(entry, "role"), *id = text_of(entry, "cell");
    const PltCell *cell = find_cell(run, id);
    guint pass;
    if (plt_role_number(role, "fill-pass-", &pass))
        return g_strdup_printf(_("Pass %u"), pass);
    return cell ? plt_export_cell_title(cell) : g_strdup(id);
}

typedef enum {
    FIGURE_BYTES,
    FIGURE_TIME,
    FIGURE_SPEED,
    FIGURE_SHARE,
    FIGURE_COUNT,
    FIGURE_CELSIUS,
} FigureKind;

/* A row of a table whose columns are entries: where it stands in an entry, and how it is written. */
typedef struct {
    const char *label;        /* NULL: the word for a cache of this kind of drive */
    const char *part, *inner; /* objects within the entry, or NULL */
    const char *member;
    FigureKind kind;
} Figure;

static char *figure_text(double value, FigureKind kind)
{
    switch (kind) {
    case FIGURE_BYTES:
        return plt_export_bytes(value);
    case FIGURE_TIME:
        return duration(value);
    case FIGURE_SPEED:
        return speed(value);
    case FIGURE_SHARE:
        return percent(value);
    case FIGURE_COUNT:
        return plt_export_number(value, 0, TRUE);
    case FIGURE_CELSIUS:
        return plt_export_number(value, 0, FALSE);
    }
    g_return_val_if_reached(g_strdup(""));
}

static double figure_value(JsonObject *entry, const Figure *figure)
{
    JsonObject *part = figure->part ? object_of(entry, figure->part) : entry;
    if (figure->inner)
        part = object_of(part, figure->inner);
    return number_of(part, figure->member);
}

/* Times and amounts of 0 are of what did not happen: no stall, no throttling. */
static gboolean is_worth(double value, FigureKind kind)
{
    return !isnan(value) && (value != 0 || (kind != FIGURE_TIME && kind != FIGURE_BYTES));
}

/* What a hard disk keeps writes in first is a cache as well, but not one of flash. */
static const char *cache_word(const PltRun *run)
{
    JsonObject *drive = plt_document_object(run->drive);
    return drive && json_object_get_boolean_member_with_default(drive, "rotational", FALSE) ? _("Write cache")
                                                                                            : _("SLC cache");
}

/* FIGURE of each entry as a row, unless none of them has it. */
static void add_figure(PltExportTable *table, const PltRun *run, JsonArray *entries, const Figure *figure)
{
    guint n = json_array_get_length(entries);
    gboolean any = FALSE;
    for (guint i = 0; i < n; i++)
        any = any || is_worth(figure_value(json_array_get_object_element(entries, i), figure), figure->kind);
    if (!any)
        return;
    add(table, figure->label ? _(figure->label) : cache_word(run));
    for (guint i = 0; i < n; i++)
        take(table,
             figure_text(figure_value(json_array_get_object_element(entries, i), figure), figure->kind));
}

static const Figure fill_figures[] = {
    {N_("Written"), "all", NULL, "bytes", FIGURE_BYTES},
    {N_("Time"), "all", NULL, "seconds", FIGURE_TIME},
    {N_("Average, MB/s"), "all", NULL, "average_bps", FIGURE_SPEED},
    {N_("Lower 1 %, MB/s"), "all", NULL, "p1_bps", FIGURE_SPEED},
    {NULL, "cache", NULL, "bytes", FIGURE_BYTES},
    {N_("– average, MB/s"), "cache", NULL, "average_bps", FIGURE_SPEED},
    {N_("– median, MB/s"), "cache", NULL, "median_bps", FIGURE_SPEED},
    {N_("After the cache, average, MB/s"), "after", NULL, "average_bps", FIGURE_SPEED},
    {N_("– median, MB/s"), "after", NULL, "median_bps", FIGURE_SPEED},
    {N_("– lower 1 %, MB/s"), "after", NULL, "p1_bps", FIGURE_SPEED},
    {N_("Slow phase, MB/s"), "phases", "slow", "average_bps", FIGURE_SPEED},
    {N_("– bytes in it"), "phases", "slow", "bytes", FIGURE_BYTES},
    {N_("Fast phase, MB/s"), "phases", "fast", "average_bps", FIGURE_SPEED},
    {N_("– bytes in it"), "phases", "fast", "bytes", FIGURE_BYTES},
    {N_("Samples below half the average"), NULL, NULL, "below_half_share", FIGURE_SHARE},
    {N_("Stalls"), "stalls", NULL, "count", FIGURE_COUNT},
    {N_("– in total"), "stalls", NULL, "total_s", FIGURE_TIME},
    {N_("– the longest"), "stalls", NULL, "longest_s", FIGURE_TIME},
};

static const Figure heat_figures[] = {
    {N_("At the start, °C"), "thermal", NULL, "start_c", FIGURE_CELSIUS},
    {N_("Highest, °C"), "thermal", NULL, "max_c", FIGURE_CELSIUS},
    {N_("Steady, °C"), "thermal", NULL, "steady_c", FIGURE_CELSIUS},
    {N_("– steady after"), "thermal", NULL, "steady_since_s", FIGURE_TIME},
    {N_("Times it throttled"), "thermal", NULL, "n_events", FIGURE_COUNT},
    {N_("– in total"), "thermal", NULL, "throttled_s", FIGURE_TIME},
};

/* What the verdict says where there is no cache to show. Takes nothing; NULL for one that was found. */
static char *verdict_note(const PltRun *run, JsonObject *entry)
{
    const char *verdict = text_of(entry, "verdict");
    g_autofree char *title = entry_title(run, entry);
    if (g_str_equal(verdict, "none"))
        return g_strdup_printf(_("%s: no cliff found. Nowhere did the speed fall at once and for good, "
                                 "which is not to say that there is no cache."),
                               title);
    if (g_str_equal(verdict, "too-short"))
        return g_strdup_printf(_("%s: too short to look for the end of a cache."), title);
    if (g_str_equal(verdict, "heat")) {
        g_autofree char *place = plt_export_bytes(number_of(object_of(entry, "cliff"), "bytes"));
        return g_strdup_printf(_("%s: the speed fell at %s while the drive was hot. That may be heat and not "
                                 "the end of a cache; repeat it with better cooling."),
                               title, place);
    }
    return NULL;
}

static void add_notes(PltExportTable *table, const PltRun *run, JsonArray *entries)
{
    for (guint i = 0; i < json_array_get_length(entries); i++) {
        JsonObject *entry = json_array_get_object_element(entries, i);
        g_autofree char *title = entry_title(run, entry);
        char *note = verdict_note(run, entry);
        if (note)
            g_ptr_array_add(table->notes, note);
        if (!json_object_get_boolean_member_with_default(entry, "complete", TRUE))
            g_ptr_array_add(table->notes,
                            g_strdup_printf(_("%s was not finished: these are figures of a part."), title));
    }
}

/* Entries of one table, side by side: with more it would be wider than a terminal. */
#define PER_TABLE 4

/* Up to PER_TABLE of ENTRIES from *FIRST on, which moves behind them; NULL when there are no more. */
static JsonArray *next_part(JsonArray *entries, guint *first)
{
    guint end = MIN(*first + PER_TABLE, json_array_get_length(entries));
    if (*first >= end)
        return NULL;
    JsonArray *part = json_array_sized_new(PER_TABLE);
    for (; *first < end; (*first)++)
        json_array_add_object_element(part, json_object_ref(json_array_get_object_element(entries, *first)));
    return part;
}

static PltExportTable *add_entries_table(GPtrArray *tables, const PltRun *run, const char *title,
                                         JsonArray *entries)
{
    PltExportTable *table = add_table(tables, title, 1 + json_array_get_length(entries));
    add(table, "");
    for (guint i = 0; i < json_array_get_length(entries); i++)
        take(table, entry_title(run, json_array_get_object_element(entries, i)));
    return table;
}

static void add_fill_table(GPtrArray *tables, const PltRun *run, JsonArray *entries)
{
    PltExportTable *table = add_entries_table(tables, run, _("Filling"), entries);
    for (guint i = 0; i < G_N_ELEMENTS(fill_figures); i++)
        add_figure(table, run, entries, &fill_figures[i]);
    for (guint i = 0; i < G_N_ELEMENTS(heat_figures); i++)
        add_figure(table, run, entries, &heat_figures[i]);
    add_notes(table, run, entries);
}

/* The writes before a rest are alike, and the table of the rests says what they were for. */
static JsonArray *shown_fills(JsonObject *analysis)
{
    JsonArray *all = array_of(analysis, "fill"), *shown = json_array_new();
    for (guint i = 0; all && i < json_array_get_length(all); i++) {
        JsonObject *entry = json_array_get_object_element(all, i);
        if (!plt_role_is(text_of(entry, "role"), "reclaim-fill"))
            json_array_add_object_element(shown, json_object_ref(entry));
    }
    return shown;
}

static void add_fill(GPtrArray *tables, const PltRun *run, JsonObject *analysis)
{
    g_autoptr(JsonArray) entries = shown_fills(analysis);
    double average = number_of(analysis, "fill_average_bps");
    guint first = 0;
    for (JsonArray *part; (part = next_part(entries, &first)); json_array_unref(part))
        add_fill_table(tables, run, part);
    if (tables->len == 0 || isnan(average) || json_array_get_length(entries) < 2)
        return;
    PltExportTable *last = g_ptr_array_index(tables, tables->len - 1);
    g_autofree char *text = speed(average);
    g_ptr_array_add(last->notes, g_strdup_printf(_("All passes together: %s MB/s on average."), text));
}

static void add_heat_notes(PltExportTable *table, const PltRun *run, JsonArray *entries)
{
    for (guint i = 0; i < json_array_get_length(entries); i++) {
        JsonObject *entry = json_array_get_object_element(entries, i);
        g_autofree char *title = entry_title(run, entry);
        if (!object_of(entry, "thermal"))
            g_ptr_array_add(table->notes, g_strdup_printf(_("%s: no temperatures were recorded."), title));
        else if (isnan(number_of(object_of(entry, "thermal"), "limit_c")))
            g_ptr_array_add(
                table->notes,
                g_strdup_printf(_("%s: the drive names no temperature that is too warm for it, so "
                                  "nothing is called throttling."),
                                title));
    }
}

static void add_heat(GPtrArray *tables, const PltRun *run, JsonObject *analysis)
{
    static const Figure speeds[] = {
        {N_("Average, MB/s"), "all", NULL, "average_bps", FIGURE_SPEED},
        {N_("In the first minute, MB/s"), "thermal", NULL, "base_bps", FIGURE_SPEED},
    };
    JsonArray *entries = array_of(analysis, "thermal");
    guint first = 0;
    if (!entries)
        return;
    for (JsonArray *part; (part = next_part(entries, &first)); json_array_unref(part)) {
        PltExportTable *table = add_entries_table(tables, run, _("Temperature"), part);
        for (guint i = 0; i < G_N_ELEMENTS(speeds); i++)
            add_figure(table, run, part, &speeds[i]);
        for (guint i = 0; i < G_N_ELEMENTS(heat_figures); i++)
            add_figure(table, run, part, &heat_figures[i]);
        add_heat_notes(table, run, part);
    }
}

static char *recovered_text(JsonObject *entry)
{
    const char *verdict = text_of(entry, "recovered");
    g_autofree char *bytes = plt_export_bytes(number_of(entry, "recovered_bytes"));
    if (g_str_equal(verdict, "none"))
        return g_strdup(_("none seen"));
    return g_str_equal(verdict, "at-least") ? g_strdup_printf("≥ %s", bytes) : g_strdup(bytes);
}

static void add_reclaim(GPtrArray *tables, const PltRun *run, JsonObject *analysis)
{
    JsonArray *entries = array_of(analysis, "reclaim");
    if (!entries)
        return;
    PltExportTable *table = add_table(tables, _("Cache that a rest brings back"), 5);
    add(table, _("Rest"));
    add(table, cache_word(run));
    add(table, _("Written in all"));
    add(table, _("In the cache, MB/s"));
    add(table, _("After it, MB/s"));
    for (guint i = 0; i < json_array_get_length(entries); i++) {
        JsonObject *entry = json_array_get_object_element(entries, i);
        take(table, duration(number_of(entry, "rest_s")));
        take(table, recovered_text(entry));
        take(table, plt_export_bytes(number_of(entry, "total_bytes")));
        take(table, speed(number_of(entry, "cache_bps")));
        take(table, speed(number_of(entry, "after_bps")));
    }
}

static double element(JsonArray *array, guint i)
{
    JsonNode *node = array && i < json_array_get_length(array) ? json_array_get_element(array, i) : NULL;
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_double(node) : NAN;
}

/* "80/15/5". */
static char *weights_text(JsonObject *weighted)
{
    JsonArray *weights = array_of(weighted, "weights");
    GString *text = g_string_new(NULL);
    for (guint i = 0; weights && i < json_array_get_length(weights); i++)
        g_string_append_printf(text, "%s%.0f", i > 0 ? "/" : "", element(weights, i) * 100);
    return g_string_free(text, FALSE);
}

/* One column of a ratio table is a curve: of a queue depth, or weighted. */
static void add_ratio_rows(PltExportTable *table, JsonArray *shares, const GPtrArray *curves)
{
    for (guint i = 0; i < json_array_get_length(shares); i++) {
        take(table, g_strdup_printf("%" G_GINT64_FORMAT " %%", json_array_get_int_element(shares, i)));
        for (guint k = 0; k < curves->len; k++)
            take(table, speed(element(array_of(curves->pdata[k], "bps"), i)));
    }
    add(table, _("Mixed, mean"));
    for (guint k = 0; k < curves->len; k++)
        take(table, speed(number_of(curves->pdata[k], "mixed_bps")));
}

static void add_ratio(GPtrArray *tables, JsonObject *analysis)
{
    JsonObject *ratio = object_of(analysis, "ratio");
    JsonArray *shares = array_of(ratio, "read_percent");
    JsonArray *curves = array_of(ratio, "curves"), *weighted = array_of(ratio, "weighted");
    g_autoptr(GPtrArray) columns = g_ptr_array_new();
    if (!shares || !curves || !weighted)
        return;
    for (guint i = 0; i < json_array_get_length(curves); i++)
        g_ptr_array_add(columns, json_array_get_object_element(curves, i));
    for (guint i = 0; i < json_array_get_length(weighted); i++)
        g_ptr_array_add(columns, json_array_get_object_element(weighted, i));
    PltExportTable *table = add_table(tables, _("MB/s by share of reads"), 1 + columns->len);
    add(table, _("Reads"));
    for (guint i = 0; i < columns->len; i++) {
        JsonObject *column = columns->pdata[i];
        take(table, json_object_has_member(column, "queue")
                        ? g_strdup_printf("Q%" G_GINT64_FORMAT, json_object_get_int_member(column, "queue"))
                        : weights_text(column));
    }
    add_ratio_rows(table, shares, columns);
}

static void add_zone(PltExportTable *table, const char *name, JsonObject *zone)
{
    add(table, name);
    take(table, speed(number_of(zone, "average_bps")));
    take(table, speed(number_of(zone, "min_bps")));
    take(table, speed(number_of(zone, "max_bps")));
}

static void add_map(GPtrArray *tables, const PltRun *run, JsonObject *entry)
{
    static const char *const names[] = {N_("First third"), N_("Middle third"), N_("Last third")};
    JsonArray *thirds = array_of(entry, "thirds");
    g_autofree char *name = entry_title(run, entry);
    g_autofree char *title = g_strdup_printf(_("By place: %s"), name);
    PltExportTable *table = add_table(tables, title, 4);
    add(table, _("Place"));
    add(table, _("Average, MB/s"));
    add(table, _("Lowest"));
    add(table, _("Highest"));
    for (guint i = 0; thirds && i < MIN(json_array_get_length(thirds), G_N_ELEMENTS(names)); i++)
        add_zone(table, _(names[i]), json_array_get_object_element(thirds, i));
    add_zone(table, _("All"), object_of(entry, "all"));
}

GPtrArray *plt_export_analysis(const PltRun *run)
{
    GPtrArray *tables = g_ptr_array_new_with_free_func((GDestroyNotify)table_free);
    if (!run->analysis || !JSON_NODE_HOLDS_OBJECT(run->analysis))
        return tables;
    JsonObject *analysis = json_node_get_object(run->analysis);
    JsonArray *maps = array_of(analysis, "map");
    add_fill(tables, run, analysis);
    add_reclaim(tables, run, analysis);
    add_ratio(tables, analysis);
    add_heat(tables, run, analysis);
    for (guint i = 0; maps && i < json_array_get_length(maps); i++)
        add_map(tables, run, json_array_get_object_element(maps, i));
    return tables;
}
