/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

/* What widgets tell assistive technologies: roles, names, values and states. */

#include "config.h"

#include <locale.h>
#include <math.h>

#include "app/chart-view.h"
#include "app/drive-page.h"
#include "app/drive-row.h"
#include "app/quick-cell.h"
#include "app/run-view.h"
#include "app/sensor-row.h"
#include "app/suite-row.h"
#include "app/target-row.h"
#include "app/window.h"
#include "bed.h"

static Bed *bed;

static void assert_label(gpointer widget, const char *label)
{
    gtk_test_accessible_assert_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label);
}

static void test_drive_row(void)
{
    GtkWidget *row = g_object_ref_sink(plt_drive_row_new(bed_drive(bed, "nvme0n1")));

    gtk_test_accessible_assert_role(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_ROLE_LIST_ITEM);
    assert_label(row, "Samsung SSD 990 PRO 2TB, 2.0\302\240TB · PCIe 4.0 ×4, 42 °C");
    gtk_test_accessible_assert_property(row, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
    plt_drive_row_set_running(PLT_DRIVE_ROW(row), TRUE);
    gtk_test_accessible_assert_property(row, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "A benchmark is running");
    plt_drive_row_set_running(PLT_DRIVE_ROW(row), FALSE);
    gtk_test_accessible_assert_property(row, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
    g_assert_finalize_object(row);
}

static void test_usb_row(void)
{
    GtkWidget *row = g_object_ref_sink(plt_drive_row_new(bed_drive(bed, "sdb")));

    assert_label(row, "SanDisk Ultra USB 3.0, 123.0\302\240GB · USB 5 Gbit/s");
    g_assert_finalize_object(row);
}

static void test_quick_cell(void)
{
    GtkWidget *widget = g_object_ref_sink(plt_quick_cell_new("RND4K Q1T1 Read", PLT_CELL_READ, FALSE));
    PltQuickCell *cell = PLT_QUICK_CELL(widget);
    /* 61.44 MB/s in blocks of 4096 bytes are 15,000 I/Os a second, of 66.7 µs each. */
    PltQuickFigures figures = {.known = TRUE,
                               .bandwidth_bps = 61.44e6,
                               .iops = 15000,
                               .mean_ns = 66667,
                               .n_runs = 3,
                               .median_bps = 61e6,
                               .spread_percent = 1.5,
                               .p99_ns = 91000};
    /* The assertion's macro has what it compares in its format. */
    const char *detail = "Best of 3 runs: 61.4 MB/s\nMedian: 61.0 MB/s, spread: 1.5 %\n"
                         "15,000 IOPS · 66.7 µs\n99 % of accesses within 91.0 µs";

    gtk_test_accessible_assert_role(cell, GTK_ACCESSIBLE_ROLE_METER);
    assert_label(cell, "RND4K Q1T1 Read");
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 0.0);
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "not measured");
    plt_quick_cell_set_state(cell, PLT_QUICK_ACTIVE, "Measuring");
    gtk_test_accessible_assert_state(cell, GTK_ACCESSIBLE_STATE_BUSY, TRUE);
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "Measuring");
    plt_quick_cell_set_figures(cell, &figures);
    plt_quick_cell_set_state(cell, PLT_QUICK_DONE, NULL);
    gtk_test_accessible_assert_state(cell, GTK_ACCESSIBLE_STATE_BUSY, FALSE);
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "61.4 MB/s");
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, detail);
    plt_quick_cell_set_unit(cell, PLT_FIGURE_IOPS);
    gtk_test_accessible_assert_property(cell, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "15,000 IOPS");
    g_assert_finalize_object(widget);
}

/* Somewhere in it stands TEXT. */
static gboolean shows(GtkWidget *widget, const char *text)
{
    if (GTK_IS_LABEL(widget) && g_str_equal(gtk_label_get_label(GTK_LABEL(widget)), text))
        return TRUE;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        if (shows(child, text))
            return TRUE;
    }
    return FALSE;
}

static void test_sensor_row(void)
{
    GtkWidget *row = g_object_ref_sink(plt_sensor_row_new());
    PltSensor sensor = {.label = (char *)"Composite", .celsius = 41.85, .warning = 81.85, .critical = 84.85};

    plt_sensor_row_update(PLT_SENSOR_ROW(row), &sensor);
    assert_label(row, "Whole drive, 42 °C, Warning at 82 °C, critical at 85 °C");
    g_assert_true(shows(row, "42 °C so far"));
    sensor.celsius = 42.3;
    plt_sensor_row_update(PLT_SENSOR_ROW(row), &sensor);
    g_assert_true(shows(row, "42 °C so far"));
    sensor = (PltSensor){.label = (char *)"Sensor 2", .celsius = 39.4, .warning = NAN, .critical = NAN};
    plt_sensor_row_update(PLT_SENSOR_ROW(row), &sensor);
    assert_label(row, "Sensor 2, 39 °C, The drive names no limits");
    g_assert_true(shows(row, "39 – 42 °C so far"));
    g_assert_finalize_object(row);
}

static void test_suite_row(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltSuite) suite = plt_suite_find("quick", &error);
    g_autoptr(PltSuiteItem) item = plt_suite_item_new(suite, NULL);
    GtkWidget *row = g_object_ref_sink(plt_suite_row_new(item));
    GtkWidget *first = bed_find(row, "GtkButton");

    g_assert_no_error(error);
    gtk_test_accessible_assert_role(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_ROLE_LIST_ITEM);
    assert_label(first, "Settings of Quick look");
    assert_label(gtk_widget_get_next_sibling(first), "Start Quick look");
    g_assert_finalize_object(row);
}

static gboolean is_checked(gpointer data)
{
    return plt_target_row_get_error(data) != NULL;
}

/* What must not be measured is said at once, in an alert, and the list is invalid. */
static void test_target_row(void)
{
    GtkWidget *widget = g_object_ref_sink(g_object_new(PLT_TYPE_TARGET_ROW, NULL));
    PltTargetRow *row = PLT_TARGET_ROW(widget);
    GtkWidget *list = bed_find(widget, "GtkDropDown"), *alert;

    plt_target_row_set_drive(row, bed_drive(bed, "nvme0n1"));
    g_assert_cmpstr(plt_target_row_get_path(row), ==, "/home");
    gtk_test_accessible_assert_role(GTK_ACCESSIBLE(list), GTK_ACCESSIBLE_ROLE_COMBO_BOX);
    plt_target_row_set_error(row, "There is no room.");
    bed_wait(is_checked, row);
    gtk_test_accessible_assert_state(GTK_ACCESSIBLE(list), GTK_ACCESSIBLE_STATE_INVALID,
                                     GTK_ACCESSIBLE_INVALID_TRUE);
    alert = gtk_widget_get_last_child(gtk_widget_get_first_child(widget));
    gtk_test_accessible_assert_role(GTK_ACCESSIBLE(alert), GTK_ACCESSIBLE_ROLE_ALERT);
    g_assert_true(gtk_widget_get_visible(alert));
    plt_target_row_set_error(row, NULL);
    gtk_test_accessible_assert_state(GTK_ACCESSIBLE(list), GTK_ACCESSIBLE_STATE_INVALID,
                                     GTK_ACCESSIBLE_INVALID_FALSE);
    g_assert_false(gtk_widget_get_visible(alert));
    plt_target_row_set_drive(row, NULL);
    g_object_unref(widget);
}

static void test_chart_view(void)
{
    GtkWidget *widget = g_object_ref_sink(plt_chart_view_new());
    PltChartView *view = PLT_CHART_VIEW(widget);

    gtk_test_accessible_assert_role(view, GTK_ACCESSIBLE_ROLE_IMG);
    plt_chart_view_set_label(view, "Throughput over time");
    plt_chart_view_set_description(view, "Between 6,100 and 7,000 MB/s.");
    assert_label(view, "Throughput over time");
    gtk_test_accessible_assert_property(view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                        "Between 6,100 and 7,000 MB/s.");
    plt_chart_view_set_label(view, NULL);
    g_assert_false(gtk_test_accessible_has_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL));
    g_assert_finalize_object(widget);
}

static void test_run_view(void)
{
    GtkWidget *view = g_object_ref_sink(g_object_new(PLT_TYPE_RUN_VIEW, NULL));
    GtkWidget *bar = bed_find(view, "GtkProgressBar");

    gtk_test_accessible_assert_role(GTK_ACCESSIBLE(bar), GTK_ACCESSIBLE_ROLE_PROGRESS_BAR);
    assert_label(bar, "Progress of the run");
    g_assert_finalize_object(view);
}

static void test_window(void)
{
    GtkWidget *window = g_object_ref_sink(GTK_WIDGET(plt_window_new(bed->application)));
    GtkWidget *sidebar;

    bed_show(bed, window);
    sidebar = bed_find(bed_find(window, "AdwNavigationSplitView"), "GtkListBox");
    gtk_test_accessible_assert_role(GTK_ACCESSIBLE(sidebar), GTK_ACCESSIBLE_ROLE_LIST);
    assert_label(sidebar, "Drives and library");
    bed_hide(bed, window);
    g_object_unref(window);
}

/* Each of the buttons that only have a picture has a name. */
static void assert_named(GtkWidget *widget)
{
    if (!gtk_widget_get_visible(widget))
        return;
    if (GTK_IS_BUTTON(widget) && gtk_button_get_label(GTK_BUTTON(widget)) == NULL &&
        gtk_button_get_icon_name(GTK_BUTTON(widget)) != NULL) {
        const char *tooltip = gtk_widget_get_tooltip_text(widget);

        if (tooltip == NULL &&
            !gtk_test_accessible_has_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL))
            g_error("A button with the icon %s has no name.", gtk_button_get_icon_name(GTK_BUTTON(widget)));
    }
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child))
        assert_named(child);
}

static void test_every_button_has_a_name(void)
{
    GtkWidget *page = g_object_ref_sink(GTK_WIDGET(
        plt_drive_page_new(bed_drive(bed, "nvme0n1"), plt_application_get_store(bed->application))));

    bed_show(bed, page);
    assert_named(page);
    bed_hide(bed, page);
    g_object_unref(page);
}

int main(int argc, char **argv)
{
    int status;

    g_test_init(&argc, &argv, NULL);
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    gtk_disable_setlocale();
    gtk_init();
    bed = bed_new(FALSE);
    g_test_add_func("/app/access/drive-row", test_drive_row);
    g_test_add_func("/app/access/usb-row", test_usb_row);
    g_test_add_func("/app/access/quick-cell", test_quick_cell);
    g_test_add_func("/app/access/sensor-row", test_sensor_row);
    g_test_add_func("/app/access/suite-row", test_suite_row);
    g_test_add_func("/app/access/target-row", test_target_row);
    g_test_add_func("/app/access/chart-view", test_chart_view);
    g_test_add_func("/app/access/run-view", test_run_view);
    g_test_add_func("/app/access/window", test_window);
    g_test_add_func("/app/access/every-button-has-a-name", test_every_button_has_a_name);
    status = g_test_run();
    bed_free(bed);
    return status;
}
