/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/step-item.h"

#include <glib/gi18n-lib.h>

#include "app/run-words.h"
#include "chart/format.h"
#include "report/cell.h"

#define LONG_REST_MS 60000

typedef enum {
    STATE_WAITING,
    STATE_ACTIVE,
    STATE_DONE,
    STATE_SKIPPED,
    STATE_STOPPED,
    STATE_FAILED,
    STATE_NOT_REACHED,
} State;

struct _PltStepItem {
    GObject parent_instance;
    guint step;
    char *title;
    State state;
    char *state_text;
    char *figure;
};

enum {
    PROP_TITLE = 1,
    PROP_STATE,
    PROP_FIGURE,
    PROP_ICON_NAME,
    PROP_ACTIVE,
    PROP_FAILED,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltStepItem, plt_step_item, G_TYPE_OBJECT)

static const char *icon_name(State state)
{
    static const char *const names[] = {
        [STATE_WAITING] = "content-loading-symbolic",     [STATE_ACTIVE] = "media-playback-start-symbolic",
        [STATE_DONE] = "object-select-symbolic",          [STATE_SKIPPED] = "go-next-symbolic",
        [STATE_STOPPED] = "media-playback-stop-symbolic", [STATE_FAILED] = "dialog-error-symbolic",
        [STATE_NOT_REACHED] = "content-loading-symbolic",
    };

    return names[state];
}

static void plt_step_item_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltStepItem *item = PLT_STEP_ITEM(object);

    switch (id) {
    case PROP_TITLE:
        g_value_set_string(value, item->title);
        break;
    case PROP_STATE:
        g_value_set_string(value, item->state_text);
        break;
    case PROP_FIGURE:
        g_value_set_string(value, item->figure);
        break;
    case PROP_ICON_NAME:
        g_value_set_string(value, icon_name(item->state));
        break;
    case PROP_ACTIVE:
        g_value_set_boolean(value, item->state == STATE_ACTIVE);
        break;
    case PROP_FAILED:
        g_value_set_boolean(value, item->state == STATE_FAILED);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_step_item_finalize(GObject *object)
{
    PltStepItem *item = PLT_STEP_ITEM(object);

    g_free(item->title);
    g_free(item->state_text);
    g_free(item->figure);
    G_OBJECT_CLASS(plt_step_item_parent_class)->finalize(object);
}

static void plt_step_item_class_init(PltStepItemClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

    object_class->get_property = plt_step_item_get_property;
    object_class->finalize = plt_step_item_finalize;
    properties[PROP_TITLE] = g_param_spec_string("title", NULL, NULL, NULL, flags);
    properties[PROP_STATE] = g_param_spec_string("state", NULL, NULL, NULL, flags);
    properties[PROP_FIGURE] = g_param_spec_string("figure", NULL, NULL, NULL, flags);
    properties[PROP_ICON_NAME] = g_param_spec_string("icon-name", NULL, NULL, NULL, flags);
    properties[PROP_ACTIVE] = g_param_spec_boolean("active", NULL, NULL, FALSE, flags);
    properties[PROP_FAILED] = g_param_spec_boolean("failed", NULL, NULL, FALSE, flags);
    g_object_class_install_properties(object_class, N_PROPS, properties);
}

static void plt_step_item_init(PltStepItem *item)
{
}

static char *title_of(const PltPlan *plan, guint index)
{
    const PltStep *step;
    g_autofree char *text = NULL;

    if (index == PLT_STEP_PREPARATION) {
        PltQuantity size = plt_format_size(plan->size);

        text = plt_quantity_join(&size);
        return g_strdup_printf(_("Test file, %s"), text);
    }
    step = plan->steps->pdata[index];
    if (step->kind == PLT_STEP_MEASURE)
        return plt_words_cell(&step->cell);
    text = plt_words_time(step->rest_ms);
    return g_strdup_printf(_("Pause, %s"), text);
}

PltStepItem *plt_step_item_new(const PltPlan *plan, guint step)
{
    PltStepItem *item = g_object_new(PLT_TYPE_STEP_ITEM, NULL);

    item->step = step;
    item->title = title_of(plan, step);
    item->state_text = g_strdup(_("Waiting"));
    item->figure = g_strdup("");
    return item;
}

guint plt_step_item_get_step(PltStepItem *item)
{
    return item->step;
}

gboolean plt_step_item_is_active(PltStepItem *item)
{
    return item->state == STATE_ACTIVE;
}

GListStore *plt_step_item_list(const PltPlan *plan)
{
    GListStore *list = g_list_store_new(PLT_TYPE_STEP_ITEM);
    g_autoptr(PltStepItem) preparation = plt_step_item_new(plan, PLT_STEP_PREPARATION);

    g_list_store_append(list, preparation);
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = plan->steps->pdata[i];
        g_autoptr(PltStepItem) item = NULL;

        if (step->kind == PLT_STEP_REST && step->rest_ms < LONG_REST_MS)
            continue;
        item = plt_step_item_new(plan, i);
        g_list_store_append(list, item);
    }
    return list;
}

/* Takes FIGURE. */
static void set(PltStepItem *item, State state, const char *text, char *figure)
{
    gboolean same_state = item->state == state;

    item->state = state;
    if (g_strcmp0(item->state_text, text) != 0) {
        g_free(item->state_text);
        item->state_text = g_strdup(text);
        g_object_notify_by_pspec(G_OBJECT(item), properties[PROP_STATE]);
    }
    if (g_strcmp0(item->figure, figure) != 0) {
        g_free(item->figure);
        item->figure = g_steal_pointer(&figure);
        g_object_notify_by_pspec(G_OBJECT(item), properties[PROP_FIGURE]);
    }
    g_free(figure);
    if (same_state)
        return;
    g_object_notify_by_pspec(G_OBJECT(item), properties[PROP_ICON_NAME]);
    g_object_notify_by_pspec(G_OBJECT(item), properties[PROP_ACTIVE]);
    g_object_notify_by_pspec(G_OBJECT(item), properties[PROP_FAILED]);
}

static char *figure_of(const PltCell *cell)
{
    const struct plt_measure *score = cell != NULL ? plt_report_cell_measure(cell) : NULL;
    PltQuantity quantity;

    if (score == NULL)
        return g_strdup("");
    quantity = plt_report_cell_is_access_time(cell) ? plt_format_latency(score->latency.mean_ns)
                                                    : plt_format_bandwidth(score->bandwidth_bps);
    return plt_quantity_join(&quantity);
}

/* The run has gone on past the step, or is over: what became of it. */
static void set_past(PltStepItem *item, PltJob *job)
{
    const PltCell *cell = plt_job_get_cell(job, item->step);
    const PltStep *step = plt_job_get_plan(job)->steps->pdata[item->step];

    if (step->kind == PLT_STEP_MEASURE && (cell == NULL || cell->runs->len == 0))
        set(item, STATE_SKIPPED, _("Skipped"), g_strdup(""));
    else
        set(item, STATE_DONE, _("Done"), figure_of(cell));
}

static void set_active(PltStepItem *item, PltJob *job)
{
    g_autofree char *text = plt_words_phase(plt_job_get_plan(job), plt_job_get_progress(job));

    set(item, STATE_ACTIVE, text, g_strdup(""));
}

/* The step at which a run ended that did not come to its end. */
static void set_last(PltStepItem *item, PltJob *job)
{
    const PltRun *run = plt_job_get_run(job);

    if (run == NULL || run->status == PLT_RUN_FAILED)
        set(item, STATE_FAILED, _("Failed"), g_strdup(""));
    else
        set(item, STATE_STOPPED, _("Stopped"), figure_of(plt_job_get_cell(job, item->step)));
}

/* What became of the steps is told by their windows: the progress of an ended run stands at its last one. */
static void update_ended(PltStepItem *item, PltJob *job)
{
    const PltRun *run = plt_job_get_run(job);
    const GPtrArray *windows = plt_job_get_windows(job);
    guint last = plt_job_get_progress(job)->step;

    if (run != NULL && run->status == PLT_RUN_COMPLETE) {
        if (item->step == PLT_STEP_PREPARATION)
            set(item, STATE_DONE, _("Done"), g_strdup(""));
        else
            set_past(item, job);
    } else if (item->step == PLT_STEP_PREPARATION) {
        if (windows->len > 0)
            set(item, STATE_DONE, _("Done"), g_strdup(""));
        else
            set_last(item, job);
    } else if (item->step < last) {
        set_past(item, job);
    } else if (item->step == last && windows->len > 0) {
        set_last(item, job);
    } else {
        set(item, STATE_NOT_REACHED, _("Not measured"), g_strdup(""));
    }
}

void plt_step_item_update(PltStepItem *item, PltJob *job)
{
    const PltRunnerProgress *progress = plt_job_get_progress(job);
    gboolean preparing = progress->phase == PLT_RUNNER_PREPARING;

    if (!plt_job_is_running(job)) {
        update_ended(item, job);
    } else if (item->step == PLT_STEP_PREPARATION) {
        if (preparing)
            set_active(item, job);
        else
            set(item, STATE_DONE, _("Done"), g_strdup(""));
    } else if (preparing || item->step > progress->step) {
        set(item, STATE_WAITING, _("Waiting"), g_strdup(""));
    } else if (item->step == progress->step) {
        set_active(item, job);
    } else {
        set_past(item, job);
    }
}
