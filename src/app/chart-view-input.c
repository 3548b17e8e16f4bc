/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "app/chart-view-private.h"
#include "chart/readout.h"

/* What one step of a wheel, and one press of + or -, magnifies by. */
#define ZOOM_STEP 1.25

/* Pixels of a touchpad that count as one step of a wheel. */
#define TOUCHPAD_STEP 40.0

/* A pointer that has moved as far is meant for the chart, a shorter drag is a click. */
#define MEANT 5.0

#define PAN_STEP 0.25

/* The place 0..1 in the plot of POINTER, X in the widget. */
static double place_of(PltChartView *view, double pointer)
{
    return (pointer - view->place.plot.x) / MAX(1.0, view->place.plot.width);
}

static gboolean in_plot(PltChartView *view, double x, double y)
{
    const PltRect *plot = &view->place.plot;

    return plt_chart_view_has_place(view) && x >= plot->x && x <= plot->x + plot->width && y >= plot->y &&
           y <= plot->y + plot->height;
}

static void zoom(PltChartView *view, double about, double factor)
{
    if (view->zoomable && plt_viewport_zoom(&view->viewport, about, factor))
        plt_chart_view_scrolled(view);
    plt_chart_view_update_readout(view);
}

static void pan(PltChartView *view, double share)
{
    if (view->zoomable && plt_viewport_pan(&view->viewport, share))
        plt_chart_view_scrolled(view);
    plt_chart_view_update_readout(view);
}

/* Where keys zoom: at the cursor if it is seen, else in the middle. */
static double key_place(PltChartView *view)
{
    double along = isnan(view->cursor) ? NAN : plt_axis_place(&view->place.x, view->cursor);

    return along >= 0.0 && along <= 1.0 ? along : 0.5;
}

static gboolean key_zoom(GtkWidget *widget, GVariant *arguments, gpointer data)
{
    PltChartView *view = PLT_CHART_VIEW(widget);
    double steps = g_variant_get_double(arguments);

    if (!plt_chart_view_has_place(view))
        return FALSE;
    zoom(view, key_place(view), pow(ZOOM_STEP, steps));
    return TRUE;
}

static gboolean key_pan(GtkWidget *widget, GVariant *arguments, gpointer data)
{
    PltChartView *view = PLT_CHART_VIEW(widget);

    if (!plt_chart_view_has_place(view))
        return FALSE;
    pan(view, g_variant_get_double(arguments) * PAN_STEP);
    return TRUE;
}

static void put_cursor(PltChartView *view, double x)
{
    view->pointer = NAN;
    view->cursor = x;
    if (plt_viewport_reveal(&view->viewport, plt_axis_place(&view->x, x)))
        plt_chart_view_scrolled(view);
    plt_chart_view_update_readout(view);
    if (gtk_widget_get_visible(view->readout))
        gtk_accessible_announce(GTK_ACCESSIBLE(view), gtk_label_get_text(GTK_LABEL(view->readout)),
                                GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* To the next point, or the next pixel column where there are more points than pixels. */
static gboolean key_step(GtkWidget *widget, GVariant *arguments, gpointer data)
{
    PltChartView *view = PLT_CHART_VIEW(widget);
    gboolean forward = g_variant_get_boolean(arguments);
    double x, next;

    if (!plt_chart_view_has_place(view))
        return FALSE;
    x = isnan(view->cursor) ? plt_axis_value(&view->place.x, forward ? 0.0 : 1.0) : view->cursor;
    next = plt_chart_step(view->chart, x, isnan(view->cursor) ? 0.0 : plt_chart_view_pixel(view, x), forward);
    if (!isnan(next))
        put_cursor(view, next);
    else
        gtk_widget_error_bell(widget);
    return TRUE;
}

static gboolean key_end(GtkWidget *widget, GVariant *arguments, gpointer data)
{
    PltChartView *view = PLT_CHART_VIEW(widget);
    gboolean last = g_variant_get_boolean(arguments);
    double x = NAN;

    if (plt_chart_view_has_place(view))
        x = plt_chart_step(view->chart, last ? INFINITY : -INFINITY, 0.0, !last);
    if (isnan(x))
        return FALSE;
    put_cursor(view, x);
    return TRUE;
}

static gboolean key_escape(GtkWidget *widget, GVariant *arguments, gpointer data)
{
    PltChartView *view = PLT_CHART_VIEW(widget);

    if (isnan(view->cursor))
        return FALSE;
    view->cursor = NAN;
    plt_chart_view_update_readout(view);
    return TRUE;
}

static void show_menu(PltChartView *view, double x, double y)
{
    if (!view->chart)
        return;
    if (!view->menu) {
        g_autoptr(GMenu) menu = g_menu_new();

        g_menu_append(menu, _("Show as _Table"), "chart.show-table");
        g_menu_append(menu, _("Show _Everything"), "chart.reset");
        view->menu = gtk_popover_menu_new_from_model(G_MENU_MODEL(menu));
        gtk_popover_set_has_arrow(GTK_POPOVER(view->menu), FALSE);
        gtk_widget_set_halign(view->menu, GTK_ALIGN_START);
        gtk_widget_set_parent(view->menu, GTK_WIDGET(view));
    }
    gtk_popover_set_pointing_to(GTK_POPOVER(view->menu), &(GdkRectangle){(int)x, (int)y, 1, 1});
    gtk_popover_popup(GTK_POPOVER(view->menu));
}

static gboolean key_menu(GtkWidget *widget, GVariant *arguments, gpointer data)
{
    PltChartView *view = PLT_CHART_VIEW(widget);

    show_menu(view, view->width / 2.0, view->height / 2.0);
    return view->chart != NULL;
}

static void bind_double(GtkWidgetClass *klass, guint key, GdkModifierType state, GtkShortcutFunc function,
                        double value)
{
    gtk_widget_class_add_binding(klass, key, state, function, "d", value);
}

void plt_chart_view_class_add_input(GtkWidgetClass *klass)
{
    static const struct {
        guint key, keypad;
        double steps;
    } zooms[] = {{GDK_KEY_plus, GDK_KEY_KP_Add, 1.0},
                 {GDK_KEY_equal, GDK_KEY_equal, 1.0},
                 {GDK_KEY_minus, GDK_KEY_KP_Subtract, -1.0}};
    static const guint left[] = {GDK_KEY_Left, GDK_KEY_KP_Left}, right[] = {GDK_KEY_Right, GDK_KEY_KP_Right};

    for (guint i = 0; i < G_N_ELEMENTS(zooms); i++) {
        bind_double(klass, zooms[i].key, 0, key_zoom, zooms[i].steps);
        if (zooms[i].keypad != zooms[i].key)
            bind_double(klass, zooms[i].keypad, 0, key_zoom, zooms[i].steps);
    }
    for (guint i = 0; i < 2; i++) {
        gtk_widget_class_add_binding(klass, left[i], 0, key_step, "b", FALSE);
        gtk_widget_class_add_binding(klass, right[i], 0, key_step, "b", TRUE);
        bind_double(klass, left[i], GDK_CONTROL_MASK, key_pan, -1.0);
        bind_double(klass, right[i], GDK_CONTROL_MASK, key_pan, 1.0);
    }
    gtk_widget_class_add_binding(klass, GDK_KEY_Home, 0, key_end, "b", FALSE);
    gtk_widget_class_add_binding(klass, GDK_KEY_End, 0, key_end, "b", TRUE);
    gtk_widget_class_add_binding(klass, GDK_KEY_Escape, 0, key_escape, NULL);
    gtk_widget_class_add_binding(klass, GDK_KEY_Menu, 0, key_menu, NULL);
    gtk_widget_class_add_binding(klass, GDK_KEY_F10, GDK_SHIFT_MASK, key_menu, NULL);
    gtk_widget_class_add_binding_action(klass, GDK_KEY_0, 0, "chart.reset", NULL);
    gtk_widget_class_add_binding_action(klass, GDK_KEY_KP_0, 0, "chart.reset", NULL);
    gtk_widget_class_add_binding_action(klass, GDK_KEY_t, 0, "chart.show-table", NULL);
}

/* Where the pointer is in the window: it stays the same while a page scrolls under it. */
static gboolean window_position(GtkEventController *controller, double *x, double *y)
{
    GdkEvent *event = gtk_event_controller_get_current_event(controller);

    return event && gdk_event_get_position(event, x, y);
}

static void on_pointer_moved(GtkEventController *controller, double x, double y, PltChartView *view)
{
    double window_x, window_y;

    if (!view->armed && window_position(controller, &window_x, &window_y)) {
        if (isnan(view->entered_x)) {
            view->entered_x = window_x;
            view->entered_y = window_y;
        }
        view->armed = hypot(window_x - view->entered_x, window_y - view->entered_y) > MEANT;
    }
    view->pointer = in_plot(view, x, y) ? x : NAN;
    plt_chart_view_update_readout(view);
}

static void on_pointer_left(GtkEventController *controller, PltChartView *view)
{
    view->armed = FALSE;
    view->entered_x = view->entered_y = NAN;
    view->pointer = NAN;
    plt_chart_view_update_readout(view);
}

/*
 * A page that scrolls must not stop at a chart on its way: without Ctrl the wheel zooms only when the pointer
 * has moved over the chart, or the chart has the focus, and not beyond showing everything.
 */
static gboolean on_scrolled(GtkEventControllerScroll *controller, double dx, double dy, PltChartView *view)
{
    GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(controller));
    gboolean meant = (state & GDK_CONTROL_MASK) || view->armed || gtk_widget_has_focus(GTK_WIDGET(view));
    double about = isnan(view->pointer) ? 0.5 : place_of(view, view->pointer);

    if (gtk_event_controller_scroll_get_unit(controller) == GDK_SCROLL_UNIT_SURFACE) {
        dx /= TOUCHPAD_STEP;
        dy /= TOUCHPAD_STEP;
    }
    if (!meant || !view->zoomable || !plt_chart_view_has_place(view))
        return GDK_EVENT_PROPAGATE;
    if (fabs(dx) > fabs(dy) || (state & GDK_SHIFT_MASK)) {
        pan(view, (fabs(dx) > fabs(dy) ? dx : dy) * 0.1);
        return !plt_viewport_is_whole(&view->viewport);
    }
    if (dy > 0.0 && plt_viewport_is_whole(&view->viewport))
        return GDK_EVENT_PROPAGATE;
    zoom(view, about, pow(ZOOM_STEP, -dy));
    return GDK_EVENT_STOP;
}

static void on_drag_began(GtkGestureDrag *gesture, double x, double y, PltChartView *view)
{
    GdkModifierType state = gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(gesture));

    view->drag_share = 0.0;
    view->selecting = (state & GDK_SHIFT_MASK) || plt_viewport_is_whole(&view->viewport);
    if (!view->zoomable || !in_plot(view, x, y))
        gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_DENIED);
}

static void on_dragged(GtkGestureDrag *gesture, double dx, double dy, PltChartView *view)
{
    double x, y;

    if (view->drag_share == 0.0 && isnan(view->selecting_from)) {
        if (fabs(dx) < MEANT)
            return;
        /* A finger that goes up or down scrolls the page. */
        if (fabs(dy) > fabs(dx)) {
            gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_DENIED);
            return;
        }
        gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    }
    gtk_gesture_drag_get_start_point(gesture, &x, &y);
    if (view->selecting) {
        view->selecting_from = x;
        view->selecting_to = x + dx;
        gtk_widget_queue_draw(GTK_WIDGET(view));
        return;
    }
    pan(view, (view->drag_share - dx) / MAX(1.0, view->place.plot.width));
    view->drag_share = dx;
}

static void on_drag_ended(GtkGestureDrag *gesture, double dx, double dy, PltChartView *view)
{
    double from = view->selecting_from, to = view->selecting_to;

    view->drag_share = 0.0;
    if (isnan(from))
        return;
    view->selecting_from = view->selecting_to = NAN;
    if (fabs(to - from) > MEANT &&
        plt_viewport_select(&view->viewport, place_of(view, from), place_of(view, to)))
        plt_chart_view_scrolled(view);
    gtk_widget_queue_draw(GTK_WIDGET(view));
    plt_chart_view_update_readout(view);
}

static void on_drag_cancelled(GtkGesture *gesture, GdkEventSequence *sequence, PltChartView *view)
{
    view->selecting_from = view->selecting_to = NAN;
    view->drag_share = 0.0;
    gtk_widget_queue_draw(GTK_WIDGET(view));
}

static void on_pressed(GtkGestureClick *gesture, int n, double x, double y, PltChartView *view)
{
    guint button = gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(gesture));

    if (!view->chart)
        return;
    gtk_widget_grab_focus(GTK_WIDGET(view));
    if (button == GDK_BUTTON_SECONDARY) {
        show_menu(view, x, y);
        gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    } else if (button == GDK_BUTTON_PRIMARY && n == 2) {
        plt_chart_view_reset(view);
    } else if (button == GDK_BUTTON_PRIMARY && !isnan(view->marked)) {
        /* The keys go on from here. */
        view->cursor = view->marked;
    }
}

static void on_long_pressed(GtkGestureLongPress *gesture, double x, double y, PltChartView *view)
{
    show_menu(view, x, y);
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void on_pinch_began(GtkGesture *gesture, GdkEventSequence *sequence, PltChartView *view)
{
    view->pinch = 1.0;
}

static void on_pinched(GtkGestureZoom *gesture, double scale, PltChartView *view)
{
    double x, y;

    if (!view->zoomable || !gtk_gesture_get_bounding_box_center(GTK_GESTURE(gesture), &x, &y))
        return;
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    zoom(view, place_of(view, x), scale / view->pinch);
    view->pinch = scale;
}

static void on_focus_changed(PltChartView *view)
{
    if (gtk_widget_has_focus(GTK_WIDGET(view)) || isnan(view->cursor))
        return;
    view->cursor = NAN;
    plt_chart_view_update_readout(view);
}

static void add_pointer(PltChartView *view)
{
    GtkWidget *widget = GTK_WIDGET(view);
    GtkEventController *motion = gtk_event_controller_motion_new();
    GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

    view->entered_x = view->entered_y = NAN;
    g_signal_connect(motion, "enter", G_CALLBACK(on_pointer_moved), view);
    g_signal_connect(motion, "motion", G_CALLBACK(on_pointer_moved), view);
    g_signal_connect(motion, "leave", G_CALLBACK(on_pointer_left), view);
    g_signal_connect(scroll, "scroll", G_CALLBACK(on_scrolled), view);
    gtk_widget_add_controller(widget, motion);
    gtk_widget_add_controller(widget, scroll);
}

void plt_chart_view_add_controllers(PltChartView *view)
{
    GtkWidget *widget = GTK_WIDGET(view);
    GtkGesture *drag = gtk_gesture_drag_new(), *click = gtk_gesture_click_new();
    GtkGesture *press = gtk_gesture_long_press_new(), *pinch = gtk_gesture_zoom_new();

    add_pointer(view);
    g_signal_connect(drag, "drag-begin", G_CALLBACK(on_drag_began), view);
    g_signal_connect(drag, "drag-update", G_CALLBACK(on_dragged), view);
    g_signal_connect(drag, "drag-end", G_CALLBACK(on_drag_ended), view);
    g_signal_connect(drag, "cancel", G_CALLBACK(on_drag_cancelled), view);
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), 0);
    g_signal_connect(click, "pressed", G_CALLBACK(on_pressed), view);
    gtk_gesture_single_set_touch_only(GTK_GESTURE_SINGLE(press), TRUE);
    g_signal_connect(press, "pressed", G_CALLBACK(on_long_pressed), view);
    g_signal_connect(pinch, "begin", G_CALLBACK(on_pinch_began), view);
    g_signal_connect(pinch, "scale-changed", G_CALLBACK(on_pinched), view);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(drag));
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(press));
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(pinch));
    g_signal_connect(view, "notify::has-focus", G_CALLBACK(on_focus_changed), NULL);
}
