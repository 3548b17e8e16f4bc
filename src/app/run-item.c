/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-item.h"

#include <glib/gi18n-lib.h>

#include "chart/format.h"
#include "report/cell.h"

struct _PltRunItem {
    GObject parent_instance;
    PltRunSummary *summary;
    char *date, *figure;
};

typedef enum {
    PROP_TITLE = 1,
    PROP_DRIVE,
    PROP_SUITE,
    PROP_TARGET,
    PROP_DATE,
    PROP_STATUS,
    PROP_FIGURE,
} RunItemProperty;

static GParamSpec *properties[PROP_FIGURE + 1];

G_DEFINE_FINAL_TYPE(PltRunItem, plt_run_item, G_TYPE_OBJECT)

const char *plt_run_status_title(PltRunStatus status)
{
    switch (status) {
    case PLT_RUN_RUNNING:
        return _("Running");
    case PLT_RUN_STOPPED:
        return _("Stopped");
    case PLT_RUN_FAILED:
        return _("Failed");
    case PLT_RUN_INTERRUPTED:
        return _("Interrupted");
    case PLT_RUN_COMPLETE:
    default:
        return "";
    }
}

const char *plt_run_suite_title(const char *suite_name, const char *suite_id)
{
    /* The empty text has the catalog's own header as its translation. */
    if (suite_name && *suite_name)
        return g_dgettext(GETTEXT_PACKAGE, suite_name);
    return suite_id ? suite_id : "";
}

char *plt_run_date_text(gint64 started_us)
{
    g_autoptr(GDateTime) start = g_date_time_new_from_unix_local_usec(started_us);

    /* Translators: a date and a time in a list, as strftime has it: "14 Mar 2026, 15:09" */
    return start ? g_date_time_format(start, _("%-d %b %Y, %H:%M")) : g_strdup("");
}

static double fastest(const PltRun *run, PltCellOp op)
{
    double bps = 0.0;

    for (guint i = 0; i < run->cells->len; i++) {
        const PltCell *cell = run->cells->pdata[i];
        const struct plt_measure *measure = plt_report_cell_measure(cell);

        if (measure && cell->spec.op == op && !plt_report_cell_is_access_time(cell))
            bps = MAX(bps, measure->bandwidth_bps);
    }
    return bps;
}

char *plt_run_headline(const PltRun *run)
{
    double read = fastest(run, PLT_CELL_READ), write = fastest(run, PLT_CELL_WRITE);
    g_auto(PltQuantity) first = {0}, second = {0};

    if (!(read > 0.0) && !(write > 0.0))
        read = fastest(run, PLT_CELL_MIX);
    if (!(read > 0.0) && !(write > 0.0))
        return g_strdup("");
    first = plt_format_bandwidth(read > 0.0 ? read : write);
    if (!(read > 0.0 && write > 0.0))
        return g_strdup_printf("%s %s", first.number, first.unit);
    second = plt_format_bandwidth(write);
    return g_strdup_printf("%s / %s %s", first.number, second.number, second.unit);
}

const char *plt_run_item_get_title(PltRunItem *item)
{
    const PltRunSummary *summary = item->summary;

    if (summary->title && *summary->title)
        return summary->title;
    if (summary->drive_model && *summary->drive_model)
        return summary->drive_model;
    return _("Unknown drive");
}

const char *plt_run_item_get_suite(PltRunItem *item)
{
    return plt_run_suite_title(item->summary->suite_name, item->summary->suite_id);
}

static void plt_run_item_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltRunItem *item = PLT_RUN_ITEM(object);

    switch ((RunItemProperty)id) {
    case PROP_TITLE:
        g_value_set_string(value, plt_run_item_get_title(item));
        break;
    case PROP_DRIVE:
        g_value_set_string(value, item->summary->drive_model);
        break;
    case PROP_SUITE:
        g_value_set_string(value, plt_run_item_get_suite(item));
        break;
    case PROP_TARGET:
        g_value_set_string(value, item->summary->target_text);
        break;
    case PROP_DATE:
        g_value_set_string(value, item->date);
        break;
    case PROP_STATUS:
        g_value_set_string(value, plt_run_status_title(item->summary->status));
        break;
    case PROP_FIGURE:
        g_value_set_string(value, plt_run_item_get_figure(item));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_run_item_finalize(GObject *object)
{
    PltRunItem *item = PLT_RUN_ITEM(object);

    plt_run_summary_free(item->summary);
    g_free(item->date);
    g_free(item->figure);
    G_OBJECT_CLASS(plt_run_item_parent_class)->finalize(object);
}

static void plt_run_item_class_init(PltRunItemClass *klass)
{
    static const char *const names[] = {
        [PROP_TITLE] = "title", [PROP_DRIVE] = "drive",   [PROP_SUITE] = "suite",   [PROP_TARGET] = "target",
        [PROP_DATE] = "date",   [PROP_STATUS] = "status", [PROP_FIGURE] = "figure",
    };
    GObjectClass *object_class = G_OBJECT_CLASS(klass);

    object_class->get_property = plt_run_item_get_property;
    object_class->finalize = plt_run_item_finalize;
    for (guint i = PROP_TITLE; i <= PROP_FIGURE; i++)
        properties[i] =
            g_param_spec_string(names[i], NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
}

static void plt_run_item_init(PltRunItem *item)
{
}

static void notify(PltRunItem *item, RunItemProperty property)
{
    g_object_notify_by_pspec(G_OBJECT(item), properties[property]);
}

PltRunItem *plt_run_item_new(PltRunSummary *summary)
{
    PltRunItem *item = g_object_new(PLT_TYPE_RUN_ITEM, NULL);

    item->summary = summary;
    item->date = plt_run_date_text(summary->started_us);
    return item;
}

gboolean plt_run_item_update(PltRunItem *item, PltRunSummary *summary)
{
    g_autoptr(PltRunSummary) old = item->summary;
    gboolean ended = old->status != summary->status || old->n_cells != summary->n_cells;
    gboolean renamed = g_strcmp0(old->title, summary->title) != 0;

    item->summary = summary;
    if (ended) {
        /* There are more figures than when the headline was made. */
        g_clear_pointer(&item->figure, g_free);
        notify(item, PROP_STATUS);
        notify(item, PROP_FIGURE);
    }
    if (renamed)
        notify(item, PROP_TITLE);
    return ended || renamed || g_strcmp0(old->note, summary->note) != 0;
}

gint64 plt_run_item_get_id(PltRunItem *item)
{
    return item->summary->id;
}

const PltRunSummary *plt_run_item_get_summary(PltRunItem *item)
{
    return item->summary;
}

const char *plt_run_item_get_date(PltRunItem *item)
{
    return item->date;
}

const char *plt_run_item_get_figure(PltRunItem *item)
{
    return item->figure ? item->figure : "";
}

gboolean plt_run_item_has_figure(PltRunItem *item)
{
    return item->figure != NULL;
}

void plt_run_item_set_figure(PltRunItem *item, const char *figure)
{
    if (g_set_str(&item->figure, figure))
        notify(item, PROP_FIGURE);
}

void plt_run_item_set_title(PltRunItem *item, const char *title)
{
    if (g_set_str(&item->summary->title, title && *title ? title : NULL))
        notify(item, PROP_TITLE);
}

void plt_run_item_set_note(PltRunItem *item, const char *note)
{
    g_set_str(&item->summary->note, note && *note ? note : NULL);
}
