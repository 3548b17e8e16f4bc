/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>

#include "app/chart-view-private.h"
#include "report/report.h"

/* What was announced last: in the place of GTK's function, which its test backend (4.18) does not have. */
static char *announced;

void __wrap_gtk_accessible_announce(GtkAccessible *self, const char *message,
                                    GtkAccessibleAnnouncementPriority priority);

void __wrap_gtk_accessible_announce(GtkAccessible *self, const char *message,
                                    GtkAccessibleAnnouncementPriority priority)
{
    g_set_str(&announced, message);
}

typedef struct {
    GtkWidget *window;
    PltChartView *view;
} Bed;

static gboolean step(gpointer nothing)
{
    return G_SOURCE_CONTINUE;
}

/* Until the view has drawn all that has changed. */
static void wait_drawn(Bed *bed)
{
    guint ticks = g_timeout_add(5, step, NULL);
    gboolean drawn = FALSE;

    while (!drawn) {
        g_main_context_iteration(NULL, TRUE);
        drawn = bed->view->ground != NULL;
        for (guint i = 0; drawn && i < bed->view->curves->len; i++)
            drawn = bed->view->curves->pdata[i] != NULL;
    }
    g_source_remove(ticks);
}

static void set_up(Bed *bed, gconstpointer data)
{
    bed->window = gtk_window_new();
    bed->view = PLT_CHART_VIEW(plt_chart_view_new());
    gtk_window_set_default_size(GTK_WINDOW(bed->window), 800, 400);
    gtk_window_set_child(GTK_WINDOW(bed->window), GTK_WIDGET(bed->view));
    gtk_window_present(GTK_WINDOW(bed->window));
}

static void tear_down(Bed *bed, gconstpointer data)
{
    g_object_add_weak_pointer(G_OBJECT(bed->view), (gpointer *)&bed->view);
    gtk_window_destroy(GTK_WINDOW(bed->window));
    g_assert_null(bed->view);
}

static PltChart *make_chart(guint n)
{
    PltChart *chart = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_TIME, "Time", PLT_SCALE_LINEAR,
                                    PLT_UNIT_BANDWIDTH, "Throughput");
    PltPyramid *data = plt_pyramid_new_uneven();

    for (guint i = 0; i < n; i++)
        plt_pyramid_append_at(data, i * 0.1, 1e9 + i % 7 * 1e7);
    plt_chart_add_series(chart, PLT_SERIES_LINE, "Read", 0, data);
    return chart;
}

/* Presses KEY as the widget's own shortcuts hear it. */
static gboolean press(Bed *bed, guint key, GdkModifierType state)
{
    g_autoptr(GListModel) controllers = gtk_widget_observe_controllers(GTK_WIDGET(bed->view));

    for (guint i = 0; i < g_list_model_get_n_items(controllers); i++) {
        g_autoptr(GtkEventController) controller = g_list_model_get_item(controllers, i);

        if (!GTK_IS_SHORTCUT_CONTROLLER(controller))
            continue;
        for (guint s = 0; s < g_list_model_get_n_items(G_LIST_MODEL(controller)); s++) {
            g_autoptr(GtkShortcut) shortcut = g_list_model_get_item(G_LIST_MODEL(controller), s);
            GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger(shortcut);

            if (GTK_IS_KEYVAL_TRIGGER(trigger) &&
                gtk_keyval_trigger_get_keyval(GTK_KEYVAL_TRIGGER(trigger)) == key &&
                gtk_keyval_trigger_get_modifiers(GTK_KEYVAL_TRIGGER(trigger)) == state)
                return gtk_shortcut_action_activate(gtk_shortcut_get_action(shortcut), 0,
                                                    GTK_WIDGET(bed->view),
                                                    gtk_shortcut_get_arguments(shortcut));
        }
    }
    g_assert_not_reached();
}

static void test_accessible(Bed *bed, gconstpointer data)
{
    GtkAccessible *accessible = GTK_ACCESSIBLE(bed->view);

    gtk_test_accessible_assert_role(accessible, GTK_ACCESSIBLE_ROLE_IMG);
    g_assert_false(gtk_widget_get_focusable(GTK_WIDGET(bed->view)));
    plt_chart_view_set_chart(bed->view, make_chart(100));
    plt_chart_view_set_label(bed->view, "Throughput over time");
    plt_chart_view_set_description(bed->view, "Read: 1,000 MB/s to 1,060 MB/s.");
    g_assert_true(gtk_widget_get_focusable(GTK_WIDGET(bed->view)));
    gtk_test_accessible_assert_property(accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, "Throughput over time");
    gtk_test_accessible_assert_property(accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                        "Read: 1,000 MB/s to 1,060 MB/s.");
    plt_chart_view_set_label(bed->view, NULL);
    plt_chart_view_set_description(bed->view, NULL);
}

static const char *readout(Bed *bed)
{
    return gtk_label_get_text(GTK_LABEL(bed->view->readout));
}

static void test_cursor(Bed *bed, gconstpointer data)
{
    plt_chart_view_set_chart(bed->view, make_chart(100));
    wait_drawn(bed);
    g_assert_false(gtk_widget_get_visible(bed->view->readout));
    g_assert_true(press(bed, GDK_KEY_Home, 0));
    g_assert_cmpstr(readout(bed), ==, "0.00 s · Read 1,000 MB/s");
    g_assert_true(gtk_widget_get_visible(bed->view->readout));
    g_assert_cmpstr(announced, ==, readout(bed));
    g_assert_true(press(bed, GDK_KEY_Right, 0));
    g_assert_cmpstr(readout(bed), ==, "0.10 s · Read 1,010 MB/s");
    g_assert_true(press(bed, GDK_KEY_Left, 0));
    g_assert_cmpstr(readout(bed), ==, "0.00 s · Read 1,000 MB/s");
    g_assert_true(press(bed, GDK_KEY_End, 0));
    g_assert_cmpstr(readout(bed), ==, "9.90 s · Read 1,010 MB/s");
    g_assert_true(press(bed, GDK_KEY_Escape, 0));
    g_assert_false(gtk_widget_get_visible(bed->view->readout));
    /* Nothing left for it to do: the key goes on to the page. */
    g_assert_false(press(bed, GDK_KEY_Escape, 0));
}

static void test_zoom(Bed *bed, gconstpointer data)
{
    plt_chart_view_set_chart(bed->view, make_chart(1000));
    wait_drawn(bed);
    g_assert_true(plt_viewport_is_whole(&bed->view->viewport));
    for (guint i = 0; i < 4; i++)
        g_assert_true(press(bed, GDK_KEY_plus, 0));
    g_assert_cmpfloat_with_epsilon(bed->view->viewport.to - bed->view->viewport.from, pow(1.25, -4.0), 1e-9);
    wait_drawn(bed);
    /* The last value is out of view; going there brings it in. */
    g_assert_true(press(bed, GDK_KEY_End, 0));
    g_assert_cmpfloat_with_epsilon(bed->view->viewport.to, 1.0, 1e-9);
    wait_drawn(bed);
    g_assert_true(press(bed, GDK_KEY_Left, GDK_CONTROL_MASK));
    g_assert_cmpfloat(bed->view->viewport.to, <, 1.0);
    g_assert_true(press(bed, GDK_KEY_0, 0));
    g_assert_true(plt_viewport_is_whole(&bed->view->viewport));
    wait_drawn(bed);
}

static guint count_kept(Bed *bed)
{
    guint n = 0;

    for (guint i = 0; i < bed->view->curves->len; i++)
        n += bed->view->curves->pdata[i] != NULL;
    return n;
}

/* A new value costs one or two strips; what was drawn before is kept. */
static void test_grows(Bed *bed, gconstpointer data)
{
    GdkTexture *ground = NULL;
    guint n;

    plt_chart_view_set_chart(bed->view, make_chart(0));
    for (guint i = 0; i < 40; i++)
        plt_chart_view_append(bed->view, 0, i * 0.1, 1e9);
    wait_drawn(bed);
    ground = bed->view->ground;
    n = bed->view->curves->len;
    g_assert_cmpuint(n, >, 4);
    g_assert_cmpfloat(bed->view->x.to, ==, 10.0);
    plt_chart_view_append(bed->view, 0, 4.0, 1e9);
    g_assert_true(bed->view->ground == ground);
    g_assert_cmpuint(count_kept(bed), <, n);
    g_assert_cmpuint(count_kept(bed), >=, 3);
    wait_drawn(bed);
    /* A value that needs another axis draws all of it anew. */
    plt_chart_view_append(bed->view, 0, 4.1, 9e9);
    g_assert_null(bed->view->ground);
    wait_drawn(bed);
    plt_chart_view_append(bed->view, 0, 12.0, 1e9);
    g_assert_cmpfloat(bed->view->x.to, ==, 15.0);
    plt_chart_view_add_band(bed->view, 5.0, 6.0, PLT_TONE_BAD, "stall", NULL);
    plt_chart_view_add_mark(bed->view, FALSE, 2e9, PLT_TONE_NORMAL, NULL);
    plt_chart_view_set_range(bed->view, 0.0, 60.0);
    g_assert_cmpfloat(bed->view->x.to, ==, 60.0);
    wait_drawn(bed);
    plt_chart_view_replace(bed->view, 0, plt_pyramid_new_uneven());
    wait_drawn(bed);
    g_assert_true(isnan(bed->view->newest));
}

/* Charts without time, without data, and pictures draw too. */
static void test_others(Bed *bed, gconstpointer data)
{
    PltChart *bars = plt_chart_new(PLT_SCALE_CATEGORY, PLT_UNIT_NUMBER, NULL, PLT_SCALE_LINEAR,
                                   PLT_UNIT_BANDWIDTH, "Throughput");
    PltPyramid *values = plt_pyramid_new(0.0, 1.0);
    PltPicture *picture = plt_picture_new();

    plt_axis_add_category(&bars->x, "first");
    plt_pyramid_append(values, 1e9);
    plt_chart_add_series(bars, PLT_SERIES_BARS, NULL, 0, values);
    plt_chart_view_set_chart(bed->view, bars);
    wait_drawn(bed);
    g_assert_false(bed->view->zoomable);
    plt_chart_view_set_chart(bed->view, make_chart(0));
    wait_drawn(bed);
    g_assert_false(press(bed, GDK_KEY_End, 0));
    picture->title = g_strdup("A picture");
    g_ptr_array_add(picture->charts, make_chart(10));
    plt_chart_view_set_picture(bed->view, picture, "ko");
    wait_drawn(bed);
    g_assert_true(gtk_widget_has_css_class(GTK_WIDGET(bed->view), "picture"));
    g_assert_null(plt_chart_view_get_chart(bed->view));
    plt_chart_view_set_chart(bed->view, NULL);
    g_assert_false(gtk_widget_has_css_class(GTK_WIDGET(bed->view), "picture"));
}

static void add(const char *path, void (*test)(Bed *bed, gconstpointer data))
{
    g_test_add(path, Bed, NULL, set_up, test, tear_down);
}

int main(int argc, char **argv)
{
    gtk_test_init(&argc, &argv, NULL);
    adw_init();
    add("/app/chart-view/accessible", test_accessible);
    add("/app/chart-view/cursor", test_cursor);
    add("/app/chart-view/zoom", test_zoom);
    add("/app/chart-view/grows", test_grows);
    add("/app/chart-view/others", test_others);
    return g_test_run();
}
