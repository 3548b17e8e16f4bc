/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <adwaita.h>

#include "app/quick-cell.h"
#include "bed.h"

static Bed *bed;

/* 3504.012 MB/s in blocks of 1 MiB; best of three. */
static const PltQuickFigures three_runs = {
    .known = TRUE,
    .bandwidth_bps = 3504.012e6,
    .iops = 3341.7,
    .mean_ns = 2392e3,
    .n_runs = 3,
    .median_bps = 3480.2e6,
    .spread_percent = 1.2,
    .p99_ns = 3828e3,
};

static PltQuickCell *cell_new(gboolean access_time)
{
    return PLT_QUICK_CELL(
        g_object_ref_sink(plt_quick_cell_new("SEQ1M Q8T1 Read", PLT_CELL_READ, access_time)));
}

static void free_cell(PltQuickCell *cell)
{
    g_assert_finalize_object(cell);
}

#define assert_value(cell, text) \
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text)

static void test_empty(void)
{
    PltQuickCell *cell = cell_new(FALSE);

    gtk_test_accessible_assert_role(cell, GTK_ACCESSIBLE_ROLE_METER);
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_LABEL, "SEQ1M Q8T1 Read");
    assert_value(cell, "not measured");
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 0.0);
    g_assert_true(gtk_widget_get_focusable(GTK_WIDGET(cell)));
    g_assert_null(gtk_widget_get_tooltip_text(GTK_WIDGET(cell)));
    free_cell(cell);
}

static void test_figures(void)
{
    static const char detail[] = "Best of 3 runs: 3,504 MB/s\n"
                                 "Median: 3,480 MB/s, spread: 1.2 %\n"
                                 "3,342 IOPS · 2,392 µs\n"
                                 "99 % of accesses within 3,828 µs";
    PltQuickCell *cell = cell_new(FALSE);

    plt_quick_cell_set_figures(cell, &three_runs);
    plt_quick_cell_set_state(cell, PLT_QUICK_DONE, NULL);
    assert_value(cell, "3,504 MB/s");
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, detail);
    g_assert_cmpstr(gtk_widget_get_tooltip_text(GTK_WIDGET(cell)), ==, detail);
    plt_quick_cell_set_unit(cell, PLT_FIGURE_GBPS);
    assert_value(cell, "3.504 GB/s");
    plt_quick_cell_set_unit(cell, PLT_FIGURE_IOPS);
    assert_value(cell, "3,342 IOPS");
    plt_quick_cell_set_unit(cell, PLT_FIGURE_US);
    assert_value(cell, "2,392 µs");
    free_cell(cell);
}

/* The time of one access is the figure, whatever the others are shown in. */
static void test_access_time(void)
{
    PltQuickCell *cell = cell_new(TRUE);

    plt_quick_cell_set_figures(cell, &three_runs);
    plt_quick_cell_set_state(cell, PLT_QUICK_DONE, NULL);
    assert_value(cell, "2,392 µs");
    plt_quick_cell_set_unit(cell, PLT_FIGURE_IOPS);
    assert_value(cell, "2,392 µs");
    free_cell(cell);
}

static void test_states(void)
{
    static const char *const classes[] = {"empty", "waiting", "active", "done", "partial", "failed"};
    PltQuickCell *cell = cell_new(FALSE);

    for (guint state = 0; state < G_N_ELEMENTS(classes); state++) {
        plt_quick_cell_set_state(cell, (PltQuickState)state, NULL);
        g_assert_cmpint(plt_quick_cell_get_state(cell), ==, state);
        for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
            g_assert_true(gtk_widget_has_css_class(GTK_WIDGET(cell), classes[i]) == (i == state));
        gtk_test_accessible_assert_state(cell, GTK_ACCESSIBLE_STATE_BUSY, state == PLT_QUICK_ACTIVE);
    }
    plt_quick_cell_set_state(cell, PLT_QUICK_WAITING, "Resting");
    assert_value(cell, "Resting");
    free_cell(cell);
}

/* The grid must not jump: a cell is as high without a figure as with one. */
static void test_height(void)
{
    PltQuickCell *cell = cell_new(FALSE);
    int empty, filled;

    bed_show(bed, GTK_WIDGET(cell));
    gtk_widget_measure(GTK_WIDGET(cell), GTK_ORIENTATION_VERTICAL, -1, &empty, NULL, NULL, NULL);
    plt_quick_cell_set_figures(cell, &three_runs);
    plt_quick_cell_set_state(cell, PLT_QUICK_DONE, NULL);
    gtk_widget_measure(GTK_WIDGET(cell), GTK_ORIENTATION_VERTICAL, -1, &filled, NULL, NULL, NULL);
    g_assert_cmpint(empty, ==, filled);
    bed_hide(bed, GTK_WIDGET(cell));
    g_object_unref(cell);
}

static double bar_width(PltQuickCell *cell, double *x)
{
    GtkWidget *fill = gtk_widget_get_first_child(GTK_WIDGET(cell));
    graphene_rect_t bounds;

    g_assert_true(gtk_widget_compute_bounds(fill, GTK_WIDGET(cell), &bounds));
    *x = bounds.origin.x;
    return bounds.size.width;
}

/* 100 MB/s is half of CrystalDiskMark's scale, from the side where text begins. */
static void check_bar(GtkTextDirection direction)
{
    const PltQuickFigures half = {.known = TRUE, .bandwidth_bps = 1e8, .iops = 95.4, .mean_ns = 1e6};
    PltQuickCell *cell = cell_new(FALSE);
    double x, width, all;

    gtk_widget_set_direction(GTK_WIDGET(cell), direction);
    plt_quick_cell_set_figures(cell, &half);
    bed_show(bed, GTK_WIDGET(cell));
    all = gtk_widget_get_width(GTK_WIDGET(cell));
    width = bar_width(cell, &x);
    g_assert_cmpfloat_with_epsilon(width, all / 2, 1);
    g_assert_cmpfloat_with_epsilon(x, direction == GTK_TEXT_DIR_RTL ? all / 2 : 0, 1);
    bed_hide(bed, GTK_WIDGET(cell));
    g_object_unref(cell);
}

static void test_bar(void)
{
    check_bar(GTK_TEXT_DIR_LTR);
    check_bar(GTK_TEXT_DIR_RTL);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    adw_init();
    bed = bed_new(FALSE);
    g_test_add_func("/app/quick-cell/empty", test_empty);
    g_test_add_func("/app/quick-cell/figures", test_figures);
    g_test_add_func("/app/quick-cell/access-time", test_access_time);
    g_test_add_func("/app/quick-cell/states", test_states);
    g_test_add_func("/app/quick-cell/height", test_height);
    g_test_add_func("/app/quick-cell/bar", test_bar);
    status = g_test_run();
    bed_free(bed);
    return status;
}
