/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/quick-cell.h"

#include <math.h>

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "chart/format.h"
#include "chart/meter.h"

struct _PltQuickCell {
    GtkWidget parent_instance;
    GtkWidget *fill, *content;
    GtkLabel *number, *note;

    gboolean access_time;
    gboolean narrow;
    PltFigureUnit unit;
    PltQuickState state;
    char *state_note; /* or NULL */
    PltQuickFigures figures;
    double fraction; /* of the bar */
};

/* Assistive technologies are told the value of nothing but a range. */
G_DEFINE_FINAL_TYPE_WITH_CODE(PltQuickCell, plt_quick_cell, GTK_TYPE_WIDGET,
                              G_IMPLEMENT_INTERFACE(GTK_TYPE_ACCESSIBLE_RANGE, NULL))

static const char *const state_classes[] = {
    [PLT_QUICK_EMPTY] = "empty", [PLT_QUICK_WAITING] = "waiting", [PLT_QUICK_ACTIVE] = "active",
    [PLT_QUICK_DONE] = "done",   [PLT_QUICK_PARTIAL] = "partial", [PLT_QUICK_FAILED] = "failed",
};

static PltFigureUnit shown_unit(const PltQuickCell *cell)
{
    return cell->access_time ? PLT_FIGURE_US : cell->unit;
}

static char *figure_text(const PltQuickCell *cell, PltFigureUnit unit)
{
    const PltQuickFigures *f = &cell->figures;

    return plt_words_figure(unit, f->bandwidth_bps, f->iops, f->mean_ns);
}

/* "855,471 IOPS · 598 µs": what the large number does not say; BRIEF: the first of it. */
static char *other_figures(const PltQuickCell *cell, gboolean brief)
{
    PltFigureUnit unit = shown_unit(cell);
    PltFigureUnit others[] = {PLT_FIGURE_MBPS, PLT_FIGURE_IOPS, PLT_FIGURE_US};
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *figure = NULL;

        if (others[i] == unit || (others[i] == PLT_FIGURE_MBPS && unit == PLT_FIGURE_GBPS))
            continue;
        if (brief && text->len > 0)
            break;
        figure = figure_text(cell, others[i]);
        g_string_append_printf(text, "%s%s %s", text->len > 0 ? " · " : "", figure,
                               plt_words_unit(others[i]));
    }
    return g_string_free_and_steal(g_steal_pointer(&text));
}

/* The value as a whole, with its unit; what stands there instead where there is none. */
static char *value_text(const PltQuickCell *cell)
{
    PltFigureUnit unit = shown_unit(cell);
    g_autofree char *figure = NULL;

    if (!cell->figures.known)
        return g_strdup(cell->state_note != NULL ? cell->state_note : _("not measured"));
    figure = figure_text(cell, unit);
    return g_strdup_printf("%s %s", figure, plt_words_unit(unit));
}

static char *mbps_text(double bps)
{
    PltQuantity quantity = plt_format_bandwidth(bps);

    return plt_quantity_join(&quantity);
}

/* Best, median and spread of several runs, and the latency: what a hover or a screen reader adds. */
static char *detail_text(const PltQuickCell *cell)
{
    const PltQuickFigures *f = &cell->figures;
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *best = mbps_text(f->bandwidth_bps);
    g_autofree char *others = other_figures(cell, FALSE);

    if (!f->known)
        return NULL;
    if (f->n_runs > 1) {
        g_autofree char *median = mbps_text(f->median_bps);
        PltQuantity quantity = plt_format_percent(f->spread_percent);
        g_autofree char *spread = plt_quantity_join(&quantity);

        g_string_append_printf(text, _("Best of %u runs: %s"), f->n_runs, best);
        g_string_append_c(text, '\n');
        g_string_append_printf(text, _("Median: %s, spread: %s"), median, spread);
        g_string_append_c(text, '\n');
    }
    g_string_append(text, others);
    if (f->p99_ns > 0) {
        PltQuantity quantity = plt_format_latency(f->p99_ns);
        g_autofree char *p99 = plt_quantity_join(&quantity);

        g_string_append_c(text, '\n');
        g_string_append_printf(text, _("99 %% of accesses within %s"), p99);
    }
    return g_string_free_and_steal(g_steal_pointer(&text));
}

static void set_text(GtkLabel *label, const char *text)
{
    if (g_strcmp0(gtk_label_get_label(label), text) != 0)
        gtk_label_set_label(label, text);
}

static void update_accessible(PltQuickCell *cell)
{
    g_autofree char *value = value_text(cell);
    g_autofree char *detail =
        cell->state == PLT_QUICK_DONE || cell->state == PLT_QUICK_PARTIAL ? detail_text(cell) : NULL;

    gtk_widget_set_tooltip_text(GTK_WIDGET(cell), detail);
    gtk_accessible_update_property(GTK_ACCESSIBLE(cell), GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
                                   cell->fraction * 100, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, value,
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, detail != NULL ? detail : "", -1);
}

static double fraction_of(const PltQuickCell *cell)
{
    const PltQuickFigures *f = &cell->figures;

    if (!f->known)
        return 0;
    return shown_unit(cell) == PLT_FIGURE_US ? plt_meter_latency(f->mean_ns)
                                             : plt_meter_bandwidth(f->bandwidth_bps);
}

/* Less than this cannot be seen in a cell of any size. */
#define FRACTION_STEP 0.002

static void update_bar(PltQuickCell *cell)
{
    double fraction = fraction_of(cell);

    if (fraction == cell->fraction || (fabs(fraction - cell->fraction) < FRACTION_STEP && fraction > 0))
        return;
    cell->fraction = fraction;
    gtk_widget_queue_allocate(GTK_WIDGET(cell));
}

static void update_labels(PltQuickCell *cell)
{
    g_autofree char *number = cell->figures.known ? figure_text(cell, shown_unit(cell)) : NULL;
    g_autofree char *others = NULL;

    set_text(cell->number, number != NULL ? number : "–");
    if (cell->state_note == NULL && cell->figures.known)
        others = other_figures(cell, cell->narrow);
    set_text(cell->note, cell->state_note != NULL ? cell->state_note : others != NULL ? others : "");
    /* A cell is high enough for both lines, so the grid does not jump when a figure comes. */
    gtk_widget_set_visible(GTK_WIDGET(cell->note), cell->state_note != NULL || others != NULL);
}

static void update(PltQuickCell *cell)
{
    update_labels(cell);
    update_bar(cell);
    /* Once a figure stands, not at every tick on the way to it. */
    if (cell->state != PLT_QUICK_ACTIVE)
        update_accessible(cell);
}

static void plt_quick_cell_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                                   int *natural, int *minimum_baseline, int *natural_baseline)
{
    PltQuickCell *cell = PLT_QUICK_CELL(widget);

    gtk_widget_measure(cell->content, orientation, for_size, minimum, natural, minimum_baseline,
                       natural_baseline);
}

static void plt_quick_cell_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
    PltQuickCell *cell = PLT_QUICK_CELL(widget);
    int filled = (int)lround(width * cell->fraction);
    gboolean mirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL;
    GtkAllocation bar = {.x = mirrored ? width - filled : 0, .width = filled, .height = height};
    GtkAllocation all = {.width = width, .height = height};

    gtk_widget_set_child_visible(cell->fill, filled > 0);
    if (filled > 0)
        gtk_widget_size_allocate(cell->fill, &bar, -1);
    gtk_widget_size_allocate(cell->content, &all, baseline);
}

static void plt_quick_cell_dispose(GObject *object)
{
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_QUICK_CELL);
    G_OBJECT_CLASS(plt_quick_cell_parent_class)->dispose(object);
}

static void plt_quick_cell_finalize(GObject *object)
{
    g_free(PLT_QUICK_CELL(object)->state_note);
    G_OBJECT_CLASS(plt_quick_cell_parent_class)->finalize(object);
}

static void plt_quick_cell_class_init(PltQuickCellClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->dispose = plt_quick_cell_dispose;
    object_class->finalize = plt_quick_cell_finalize;
    widget_class->measure = plt_quick_cell_measure;
    widget_class->size_allocate = plt_quick_cell_size_allocate;
    gtk_widget_class_set_css_name(widget_class, "quickcell");
    gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_METER);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/quick-cell.ui");
    gtk_widget_class_bind_template_child(widget_class, PltQuickCell, fill);
    gtk_widget_class_bind_template_child(widget_class, PltQuickCell, content);
    gtk_widget_class_bind_template_child(widget_class, PltQuickCell, number);
    gtk_widget_class_bind_template_child(widget_class, PltQuickCell, note);
}

static void plt_quick_cell_init(PltQuickCell *cell)
{
    gtk_widget_init_template(GTK_WIDGET(cell));
    gtk_widget_add_css_class(GTK_WIDGET(cell), state_classes[PLT_QUICK_EMPTY]);
}

GtkWidget *plt_quick_cell_new(const char *name, PltCellOp op, gboolean access_time)
{
    PltQuickCell *cell = g_object_new(PLT_TYPE_QUICK_CELL, NULL);

    cell->access_time = access_time;
    gtk_widget_add_css_class(GTK_WIDGET(cell), plt_cell_op_name(op));
    gtk_accessible_update_property(GTK_ACCESSIBLE(cell), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                   GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX,
                                   100.0, -1);
    update(cell);
    return GTK_WIDGET(cell);
}

void plt_quick_cell_set_unit(PltQuickCell *cell, PltFigureUnit unit)
{
    if (cell->unit == unit)
        return;
    cell->unit = unit;
    update(cell);
}

void plt_quick_cell_set_narrow(PltQuickCell *cell, gboolean narrow)
{
    if (cell->narrow == narrow)
        return;
    cell->narrow = narrow;
    if (narrow)
        gtk_widget_add_css_class(GTK_WIDGET(cell), "narrow");
    else
        gtk_widget_remove_css_class(GTK_WIDGET(cell), "narrow");
    update_labels(cell);
}

void plt_quick_cell_set_state(PltQuickCell *cell, PltQuickState state, const char *note)
{
    gboolean changed = cell->state != state;

    if (!changed && g_strcmp0(cell->state_note, note) == 0)
        return;
    if (changed) {
        gtk_widget_remove_css_class(GTK_WIDGET(cell), state_classes[cell->state]);
        gtk_widget_add_css_class(GTK_WIDGET(cell), state_classes[state]);
        gtk_accessible_update_state(GTK_ACCESSIBLE(cell), GTK_ACCESSIBLE_STATE_BUSY,
                                    state == PLT_QUICK_ACTIVE, -1);
    }
    cell->state = state;
    g_free(cell->state_note);
    cell->state_note = g_strdup(note);
    update(cell);
    if (changed)
        update_accessible(cell);
}

PltQuickState plt_quick_cell_get_state(PltQuickCell *cell)
{
    return cell->state;
}

void plt_quick_cell_set_figures(PltQuickCell *cell, const PltQuickFigures *figures)
{
    cell->figures = *figures;
    update(cell);
}
