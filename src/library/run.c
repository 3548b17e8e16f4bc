/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/run.h"

#include <math.h>

PltRun *plt_run_new(void)
{
    PltRun *run = g_new0(PltRun, 1);
    run->warnings = g_ptr_array_new_with_free_func((GDestroyNotify)plt_warning_free);
    run->events = g_ptr_array_new_with_free_func((GDestroyNotify)plt_event_free);
    run->cells = g_ptr_array_new_with_free_func((GDestroyNotify)plt_cell_free);
    run->temperatures = g_array_new(FALSE, FALSE, sizeof(PltTemperature));
    return run;
}

void plt_run_free(PltRun *run)
{
    if (!run)
        return;
    g_free(run->uuid);
    g_free(run->suite_id);
    g_free(run->suite_name);
    g_free(run->chart);
    g_free(run->status_detail);
    g_free(run->note);
    g_free(run->title);
    g_free(run->program);
    g_clear_pointer(&run->parameters, json_node_unref);
    g_clear_pointer(&run->target, json_node_unref);
    g_clear_pointer(&run->drive, json_node_unref);
    g_clear_pointer(&run->platform, json_node_unref);
    g_ptr_array_unref(run->warnings);
    g_ptr_array_unref(run->events);
    g_ptr_array_unref(run->cells);
    g_array_unref(run->temperatures);
    g_clear_pointer(&run->analysis, json_node_unref);
    g_free(run);
}

PltEvent *plt_event_new(gint64 at_us, const char *kind, const char *detail)
{
    PltEvent *event = g_new0(PltEvent, 1);
    event->at_us = at_us;
    event->kind = g_strdup(kind);
    event->detail = g_strdup(detail);
    return event;
}

void plt_event_free(PltEvent *event)
{
    if (!event)
        return;
    g_free(event->kind);
    g_free(event->detail);
    g_free(event);
}

PltCell *plt_cell_new(const PltCellSpec *spec, PltScoreRule rule)
{
    PltCell *cell = g_new0(PltCell, 1);
    plt_cell_spec_copy(spec, &cell->spec);
    cell->score_rule = rule;
    cell->runs = g_ptr_array_new_with_free_func((GDestroyNotify)plt_cell_run_free);
    return cell;
}

void plt_cell_free(PltCell *cell)
{
    if (!cell)
        return;
    plt_cell_spec_clear(&cell->spec);
    g_ptr_array_unref(cell->runs);
    g_free(cell);
}

PltCellRun *plt_cell_run_new(void)
{
    PltCellRun *run = g_new0(PltCellRun, 1);
    run->stalls = g_array_new(FALSE, FALSE, sizeof(struct plt_stall));
    return run;
}

void plt_cell_run_free(PltCellRun *run)
{
    if (!run)
        return;
    for (int op = 0; op < PLT_N_OPS; op++)
        g_free(run->histogram[op]);
    g_array_unref(run->stalls);
    g_clear_pointer(&run->samples, g_array_unref);
    g_clear_pointer(&run->engine, json_node_unref);
    g_free(run);
}

void plt_cell_spec_copy(const PltCellSpec *from, PltCellSpec *to)
{
    *to = *from;
    to->id = g_strdup(from->id);
    to->label = g_strdup(from->label);
    to->role = g_strdup(from->role);
}

void plt_cell_spec_clear(PltCellSpec *spec)
{
    g_clear_pointer(&spec->id, g_free);
    g_clear_pointer(&spec->label, g_free);
    g_clear_pointer(&spec->role, g_free);
}

static int compare_bandwidth(gconstpointer a, gconstpointer b)
{
    double x = (*(PltCellRun *const *)a)->total.bandwidth_bps;
    double y = (*(PltCellRun *const *)b)->total.bandwidth_bps;
    return (x > y) - (x < y);
}

/* The runs that may be a score, slowest first; those of one speed in the order of measuring. */
static GPtrArray *scored_runs(const PltCell *cell)
{
    GPtrArray *runs = g_ptr_array_new();
    for (guint i = 0; i < cell->runs->len; i++) {
        PltCellRun *run = g_ptr_array_index(cell->runs, i);
        if (run->complete && !run->warmup)
            g_ptr_array_add(runs, run);
    }
    g_ptr_array_sort(runs, compare_bandwidth);
    return runs;
}

const PltCellRun *plt_cell_score(const PltCell *cell)
{
    g_autoptr(GPtrArray) runs = scored_runs(cell);
    if (runs->len == 0)
        return NULL;
    if (cell->score_rule == PLT_SCORE_MEDIAN)
        return g_ptr_array_index(runs, (runs->len - 1) / 2);

    guint best = runs->len - 1;
    while (best > 0 && compare_bandwidth(&runs->pdata[best - 1], &runs->pdata[best]) == 0)
        best--;
    return g_ptr_array_index(runs, best);
}

const PltCellRun *plt_cell_latest(const PltCell *cell)
{
    for (guint i = cell->runs->len; i > 0; i--) {
        const PltCellRun *run = g_ptr_array_index(cell->runs, i - 1);
        if (!run->complete || run->total.ios > 0)
            return run;
    }
    return NULL;
}

double plt_cell_median_bps(const PltCell *cell)
{
    g_autoptr(GPtrArray) runs = scored_runs(cell);
    if (runs->len == 0)
        return NAN;
    const PltCellRun *low = g_ptr_array_index(runs, (runs->len - 1) / 2);
    const PltCellRun *high = g_ptr_array_index(runs, runs->len / 2);
    return (low->total.bandwidth_bps + high->total.bandwidth_bps) / 2;
}

double plt_cell_spread_percent(const PltCell *cell)
{
    double median = plt_cell_median_bps(cell);
    if (!(median > 0))
        return NAN;
    g_autoptr(GPtrArray) runs = scored_runs(cell);
    const PltCellRun *low = g_ptr_array_index(runs, 0);
    const PltCellRun *high = g_ptr_array_index(runs, runs->len - 1);
    return 100 * (high->total.bandwidth_bps - low->total.bandwidth_bps) / median;
}

static const char *const status_names[] = {"running", "complete", "stopped", "failed", "interrupted", NULL};
static const char *const op_names[] = {"read", "write", "mix", NULL};
static const char *const pattern_names[] = {"sequential", "random", NULL};
static const char *const sync_names[] = {"none", "dsync", "sync", "fsync", "fdatasync", NULL};
static const char *const rule_names[] = {"best", "median", NULL};

static const char *name_of(const char *const *names, guint value)
{
    for (guint i = 0; names[i]; i++) {
        if (i == value)
            return names[i];
    }
    g_return_val_if_reached("unknown");
}

static gboolean value_of(const char *const *names, const char *name, guint *value)
{
    for (guint i = 0; name && names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            *value = i;
            return TRUE;
        }
    }
    return FALSE;
}

#define DEFINE_NAMES(prefix, type, table)                      \
    const char *prefix##_name(type value)                      \
    {                                                          \
        return name_of(table, value);                          \
    }                                                          \
    gboolean prefix##_from_name(const char *name, type *value) \
    {                                                          \
        guint number;                                          \
        if (!value_of(table, name, &number))                   \
            return FALSE;                                      \
        *value = (type)number;                                 \
        return TRUE;                                           \
    }

DEFINE_NAMES(plt_run_status, PltRunStatus, status_names)
DEFINE_NAMES(plt_cell_op, PltCellOp, op_names)
DEFINE_NAMES(plt_cell_pattern, enum plt_pattern, pattern_names)
DEFINE_NAMES(plt_cell_sync, enum plt_sync, sync_names)
DEFINE_NAMES(plt_score_rule, PltScoreRule, rule_names)
