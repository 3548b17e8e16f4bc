/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/plan.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "suite/cells.h"
#include "suite/check.h"
#include "suite/content.h"
#include "suite/estimate.h"
#include "suite/overrides.h"
#include "suite/parameters.h"
#include "suite/seed.h"
#include "suite/value.h"

/* Thirty days: longer plans are slips of a unit. */
#define PLAN_MAX_MS (G_GUINT64_CONSTANT(30) * 86400 * 1000)

static void step_free(gpointer data)
{
    PltStep *step = data;

    plt_cell_spec_clear(&step->cell);
    g_free(step);
}

void plt_plan_free(PltPlan *plan)
{
    if (plan == NULL)
        return;
    plt_suite_unref(plan->suite);
    g_ptr_array_unref(plan->steps);
    g_clear_pointer(&plan->parameters, json_node_unref);
    g_free(plan);
}

guint64 plt_step_run_seed(const PltStep *step, guint run)
{
    return plt_seed_splitmix64(step->workload.seed, run);
}

/* The suite's settings, the step's own over them, the person's over both. */
static struct plt_settings settings_for(const PltSuite *suite, const PltSection *section,
                                        const PltOverrides *overrides)
{
    struct plt_settings settings = suite->settings;

    if (section != NULL)
        plt_settings_merge(&settings, &section->settings);
    if (overrides != NULL)
        plt_settings_merge(&settings, &overrides->settings);
    return settings;
}

static guint read_percent_of(PltCellOp op, const struct plt_settings *settings)
{
    switch (op) {
    case PLT_CELL_READ:
        return 100;
    case PLT_CELL_WRITE:
        return 0;
    case PLT_CELL_MIX:
        return settings->mix_percent;
    }
    g_return_val_if_reached(100);
}

/* A sweep's role "ratio" becomes that of each of its cells. A pass has one without being told. */
static char *role_of(const PltItem *item, guint read_percent)
{
    const PltSection *section = item->section;

    if (g_strcmp0(section->role, "ratio") == 0)
        return g_strdup_printf("ratio-q%u-r%u", item->queue * item->threads, read_percent);
    if (section->kind == PLT_SECTION_VERIFY)
        return g_strdup(item->op == PLT_CELL_WRITE ? "verify-write" : "verify-read");
    if (section->role == NULL &&
        (section->kind == PLT_SECTION_FILL || section->kind == PLT_SECTION_FILL_FREE))
        return g_strdup("fill");
    if (section->role == NULL && section->kind == PLT_SECTION_READ_ALL)
        return g_strdup("read-all");
    return g_strdup(section->role);
}

static void fill_spec(PltCellSpec *spec, const PltItem *item, const struct plt_settings *settings)
{
    spec->id = g_strdup(item->id);
    spec->label = plt_cells_label(item);
    spec->pattern = item->section->pattern;
    spec->block = item->block;
    spec->queue = item->queue;
    spec->threads = item->threads;
    spec->op = item->op;
    spec->read_percent = read_percent_of(item->op, settings);
    spec->sync = item->section->sync;
    spec->role = role_of(item, spec->read_percent);
}

static void fill_workload(struct plt_workload *load, const PltItem *item, const struct plt_settings *settings,
                          guint64 seed)
{
    const PltSection *section = item->section;

    *load = (struct plt_workload){
        .pattern = section->pattern,
        .block = item->block,
        .queue = item->queue,
        .threads = item->threads,
        .read_percent = read_percent_of(item->op, settings),
        .sync = section->sync,
        .flush_every = section->flush_every,
        .data = settings->data,
        .zero_percent = settings->zero_percent,
        .generator = settings->generator,
        .seed = plt_seed_for_cell(seed, item->id),
        .separate_streams = section->separate_streams,
        .slices = section->slices,
        .duration_ns = section->kind == PLT_SECTION_MEASURE ? settings->duration_ms * 1000000 : 0,
        .tick_ns = settings->tick_ms * 1000000,
        .rate_bps = {section->rate_bps[0], section->rate_bps[1]},
        .think_ns = section->think_ms * 1000000,
        .think_every = section->think_every,
        .bytes = section->bytes / item->block * item->block,
        .backend = PLT_BACKEND_AUTO,
    };
}

static PltWork work_of(const PltSection *section)
{
    return section->kind == PLT_SECTION_FILL_FREE ? PLT_WORK_FILL_FREE
           : section->kind == PLT_SECTION_VERIFY  ? PLT_WORK_VERIFY
                                                  : PLT_WORK_TARGET;
}

static PltStep *step_new_measure(const PltItem *item, const struct plt_settings *settings, guint64 seed)
{
    PltStep *step = g_new0(PltStep, 1);

    step->kind = PLT_STEP_MEASURE;
    fill_spec(&step->cell, item, settings);
    fill_workload(&step->workload, item, settings, seed);
    step->score_rule = settings->score;
    step->warmup_runs = settings->warmup;
    step->runs = settings->runs;
    step->optional = item->section->optional;
    step->work = work_of(item->section);
    if (item->section->kind != PLT_SECTION_MEASURE) {
        step->share_percent = item->section->share_percent;
        step->warmup_runs = step->work == PLT_WORK_FILL_FREE ? step->warmup_runs : 0;
        step->runs = step->work == PLT_WORK_FILL_FREE ? step->runs : 1;
    }
    return step;
}

static PltStep *step_new_rest(guint64 ms)
{
    PltStep *step = g_new0(PltStep, 1);

    step->kind = PLT_STEP_REST;
    step->rest_ms = ms;
    return step;
}

static PltStep *step_new_purge(PltPurgeMethod method)
{
    PltStep *step = g_new0(PltStep, 1);

    step->kind = PLT_STEP_PURGE;
    step->purge_method = method;
    return step;
}

static gboolean last_is_measure(const PltPlan *plan)
{
    return plan->steps->len > 0 &&
           ((PltStep *)g_ptr_array_index(plan->steps, plan->steps->len - 1))->kind == PLT_STEP_MEASURE;
}

static gboolean add_item(PltPlan *plan, const PltItem *item, const PltOverrides *overrides, guint64 seed,
                         GError **error)
{
    struct plt_settings settings = settings_for(plan->suite, item->section, overrides);

    if (item->id == NULL) {
        g_ptr_array_add(plan->steps, item->section->kind == PLT_SECTION_PURGE
                                         ? step_new_purge(item->section->purge_method)
                                         : step_new_rest(item->section->rest_ms));
        return TRUE;
    }
    if (!plt_check_cell(item, &settings, error))
        return FALSE;
    if (settings.interval_ms > 0 && last_is_measure(plan))
        g_ptr_array_add(plan->steps, step_new_rest(settings.interval_ms));
    g_ptr_array_add(plan->steps, step_new_measure(item, &settings, seed));
    return TRUE;
}

static gboolean add_items(PltPlan *plan, GPtrArray *items, const PltOverrides *overrides, guint64 seed,
                          const PltSection **culprit, GError **error)
{
    g_autofree gboolean *chosen = plt_check_choice(plan->suite, items, overrides, error);

    if (chosen == NULL)
        return FALSE;
    for (guint i = 0; i < items->len; i++) {
        const PltItem *item = g_ptr_array_index(items, i);

        if (!chosen[i])
            continue;
        if (!add_item(plan, item, overrides, seed, error)) {
            if (culprit != NULL)
                *culprit = item->section;
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean is_full_write(const PltStep *step)
{
    return step->share_percent == 100 && step->workload.read_percent == 0;
}

static void take_measure(PltPlan *plan, const PltStep *step, guint32 *needed, guint32 *largest)
{
    if (!step->optional)
        *needed = MIN(*needed, step->workload.block);
    *largest = MAX(*largest, step->workload.block);
    plan->makes_files |= step->work != PLT_WORK_TARGET;
    plan->any_read |= step->workload.read_percent > 0;
    plan->writes |= step->workload.read_percent < 100;
    if (step->cell.op == PLT_CELL_MIX && plan->mix_percent == 0)
        plan->mix_percent = step->cell.read_percent;
}

/* What the runner must know before the first step. */
static void sum_up(PltPlan *plan)
{
    guint32 needed = G_MAXUINT32;
    guint32 largest = 0;
    gboolean touched = FALSE;

    plan->prepare = TRUE;
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind == PLT_STEP_PURGE) {
            plan->purges = plan->writes = TRUE;
            plan->purge_method = step->purge_method;
        }
        if (step->kind != PLT_STEP_MEASURE)
            continue;
        take_measure(plan, step, &needed, &largest);
        if (!touched)
            plan->prepare = !is_full_write(step);
        touched = TRUE;
    }
    plan->smallest_block = needed != G_MAXUINT32 ? needed : largest;
}

/* A pass covers whole blocks. */
static guint64 bytes_of_pass(const PltPlan *plan, const PltStep *step)
{
    guint64 size = plan->size != PLT_SIZE_ALL ? plan->size : 0;
    guint64 part = size / 100 * step->share_percent + size % 100 * step->share_percent / 100;

    return part / step->workload.block * step->workload.block;
}

static void estimate(PltPlan *plan)
{
    guint64 size = plan->prepare && plan->size != PLT_SIZE_ALL ? plan->size : 0;

    plan->estimated_written = size;
    plan->estimated_ms = plt_estimate_write_ms(size, plan->speed_guess);
    for (guint i = 0; i < plan->steps->len; i++) {
        PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->share_percent != 0)
            step->workload.bytes = bytes_of_pass(plan, step);
        plt_estimate_step(step, plan->speed_guess);
        plan->estimated_ms += step->estimated_ms;
        plan->estimated_written += step->estimated_written;
    }
}

void plt_plan_fit(PltPlan *plan, guint64 length, gboolean drive)
{
    if (drive)
        plan->prepare = plan->prepare && plan->writes && plan->any_read;
    if (plan->size == PLT_SIZE_ALL) {
        plan->size = length;
        json_object_set_int_member(json_node_get_object(plan->parameters), "size", (gint64)length);
    }
    estimate(plan);
}

/* Files that take all the space leave none for a test file beside them. */
static gboolean check_mixture(const PltPlan *plan, GError **error)
{
    for (guint i = 0; plan->makes_files && i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);

        if (step->kind != PLT_STEP_MEASURE || step->work != PLT_WORK_TARGET)
            continue;
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("steps that take all the free space cannot stand beside %s, which needs a test file; "
                      "make two suites"),
                    step->cell.id);
        return FALSE;
    }
    return TRUE;
}

static gboolean check_time(const PltPlan *plan, GError **error)
{
    guint64 days = plan->estimated_ms / (86400 * 1000);

    if (plan->estimated_ms <= PLAN_MAX_MS)
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                _("the suite would take %" PRIu64 " days, and %d are the limit; measure fewer cells, or each "
                  "for fewer seconds"),
                days, (int)(PLAN_MAX_MS / (86400 * 1000)));
    return FALSE;
}

PltPlan *plt_plan_make(PltSuite *suite, const PltOverrides *overrides, guint64 speed_guess, guint64 seed,
                       const PltSection **culprit, GError **error)
{
    struct plt_settings settings = settings_for(suite, NULL, overrides);
    g_autoptr(GPtrArray) items = plt_cells_expand(suite, culprit, error);
    g_autoptr(PltPlan) plan = NULL;

    if (items == NULL)
        return NULL;
    if (overrides != NULL && overrides->has_seed)
        seed = overrides->seed;
    plan = g_new0(PltPlan, 1);
    plan->suite = plt_suite_ref(suite);
    plan->size = settings.size;
    plan->leave = settings.leave;
    plan->data = settings.data;
    plan->data_zero_percent = settings.zero_percent;
    plan->speed_guess = speed_guess != 0 ? speed_guess : PLT_SPEED_GUESS;
    plan->steps = g_ptr_array_new_with_free_func(step_free);

    if (!add_items(plan, items, overrides, seed, culprit, error))
        return NULL;
    sum_up(plan);
    estimate(plan);
    if (!check_mixture(plan, error))
        return NULL;
    if (!check_time(plan, error))
        return NULL;
    plan->parameters =
        plt_parameters_to_json(plan, &settings, overrides != NULL ? overrides->only : NULL, seed);
    return g_steal_pointer(&plan);
}

PltPlan *plt_plan_new(PltSuite *suite, const PltOverrides *overrides, guint64 speed_guess, guint64 seed,
                      GError **error)
{
    return plt_plan_make(suite, overrides, speed_guess, seed, NULL, error);
}
