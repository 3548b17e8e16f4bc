/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include "stage.h"

/* Nothing drawn for this long: what loads in threads here takes a few milliseconds. */
#define QUIET_MS 250
#define SETTLE_MAX_MS 4000
#define START_MAX_S 30

static gboolean wake_up(gpointer data)
{
    return G_SOURCE_CONTINUE;
}

gboolean stage_wait(gboolean (*check)(gpointer data), gpointer data, double seconds)
{
    gint64 end = g_get_monotonic_time() + (gint64)(seconds * G_USEC_PER_SEC);
    guint timer = g_timeout_add(20, wake_up, NULL);
    gboolean done;

    while (!(done = check(data)) && g_get_monotonic_time() < end)
        g_main_context_iteration(NULL, TRUE);
    g_source_remove(timer);
    return done;
}

static void on_after_paint(GdkFrameClock *clock, gint64 *last)
{
    *last = g_get_monotonic_time();
}

static gboolean is_quiet(gpointer data)
{
    const gint64 *last = data;

    return g_get_monotonic_time() - *last > QUIET_MS * 1000;
}

void stage_settle(Stage *stage)
{
    GdkFrameClock *clock = gtk_widget_get_frame_clock(GTK_WIDGET(stage->window));
    gint64 last = g_get_monotonic_time();
    gulong handler = g_signal_connect(clock, "after-paint", G_CALLBACK(on_after_paint), &last);

    stage_wait(is_quiet, &last, SETTLE_MAX_MS / 1000.0);
    g_signal_handler_disconnect(clock, handler);
}

static gboolean is_loaded(gpointer data)
{
    Stage *stage = data;

    return !plt_drive_list_is_loading(plt_application_get_drives(stage->application)) &&
           !plt_run_store_is_loading(plt_application_get_store(stage->application)) &&
           gtk_widget_get_mapped(GTK_WIDGET(stage->window));
}

/* Where no compositor makes a shadow GTK draws a frame, which belongs to no page. */
static void take_off_frame(void)
{
    g_autoptr(GtkCssProvider) provider = gtk_css_provider_new();

    gtk_css_provider_load_from_string(provider, "window.solid-csd {"
                                                " border: none; box-shadow: none; margin: 0; padding: 0;"
                                                "}");
    gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(provider),
                                               GTK_STYLE_PROVIDER_PRIORITY_USER);
}

Stage *stage_new(int width, int height)
{
    Stage *stage = g_new0(Stage, 1);
    g_autoptr(GSettings) settings = g_settings_new("io.github.plateau_bench.Plateau");
    g_autoptr(GError) error = NULL;

    g_settings_set_int(settings, "window-width", width);
    g_settings_set_int(settings, "window-height", height);
    stage->scale = 1;
    stage->application = plt_application_new();
    g_application_set_flags(G_APPLICATION(stage->application), G_APPLICATION_NON_UNIQUE);
    g_application_register(G_APPLICATION(stage->application), NULL, &error);
    g_assert_no_error(error);
    take_off_frame();
    g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
    g_application_activate(G_APPLICATION(stage->application));
    stage->window = PLT_WINDOW(gtk_application_get_active_window(GTK_APPLICATION(stage->application)));
    if (!stage_wait(is_loaded, stage, START_MAX_S))
        g_error("The window did not come up within %d s.", START_MAX_S);
    stage_settle(stage);
    return stage;
}

void stage_free(Stage *stage)
{
    gtk_window_destroy(GTK_WINDOW(stage->window));
    plt_run_store_flush(plt_application_get_store(stage->application));
    g_object_unref(stage->application);
    g_free(stage);
}

void stage_resize(Stage *stage, int width, int height)
{
    gtk_window_set_default_size(GTK_WINDOW(stage->window), width, height);
    stage_settle(stage);
}

static GtkWidget *find(GtkWidget *widget, const char *type)
{
    if (!gtk_widget_get_mapped(widget))
        return NULL;
    if (g_str_equal(G_OBJECT_TYPE_NAME(widget), type))
        return widget;
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        GtkWidget *found = find(child, type);

        if (found != NULL)
            return found;
    }
    return NULL;
}

GtkWidget *stage_find(Stage *stage, GtkWidget *from, const char *type)
{
    return find(from != NULL ? from : GTK_WIDGET(stage->window), type);
}

void stage_activate(Stage *stage, const char *name, const char *format, ...)
{
    GVariant *argument = NULL;

    if (format != NULL) {
        va_list arguments;

        va_start(arguments, format);
        argument = g_variant_new_va(format, NULL, &arguments);
        va_end(arguments);
    }
    if (!gtk_widget_activate_action_variant(GTK_WIDGET(stage->window), name, argument))
        g_error("There is no action %s.", name);
    stage_settle(stage);
}

gboolean stage_activate_in(Stage *stage, const char *type, const char *name, GVariant *argument)
{
    GtkWidget *widget = stage_find(stage, NULL, type);

    if (widget == NULL || !gtk_widget_activate_action_variant(widget, name, argument))
        return FALSE;
    stage_settle(stage);
    return TRUE;
}

gboolean stage_show_tab(Stage *stage, const char *name)
{
    GtkWidget *stack = stage_find(stage, NULL, "AdwViewStack");

    if (stack == NULL || adw_view_stack_get_child_by_name(ADW_VIEW_STACK(stack), name) == NULL)
        return FALSE;
    adw_view_stack_set_visible_child_name(ADW_VIEW_STACK(stack), name);
    stage_settle(stage);
    return TRUE;
}

void stage_close_dialog(Stage *stage)
{
    AdwDialog *dialog = adw_application_window_get_visible_dialog(ADW_APPLICATION_WINDOW(stage->window));

    if (dialog != NULL)
        adw_dialog_force_close(dialog);
    stage_settle(stage);
}

/* NULL while a part of the window is going to be drawn anew: while a run is on its way that is often so. */
static GskRenderNode *try_snap(Stage *stage, int width, int height)
{
    g_autoptr(GdkPaintable) paintable = gtk_widget_paintable_new(GTK_WIDGET(stage->window));
    GtkSnapshot *snapshot = gtk_snapshot_new();

    gtk_snapshot_scale(snapshot, (float)stage->scale, (float)stage->scale);
    gdk_paintable_snapshot(paintable, snapshot, width, height);
    return gtk_snapshot_free_to_node(snapshot);
}

void stage_snap(Stage *stage, const char *path)
{
    GtkWidget *window = GTK_WIDGET(stage->window);
    int width = gtk_widget_get_width(window), height = gtk_widget_get_height(window);
    g_autoptr(GskRenderNode) node = NULL;
    g_autoptr(GdkTexture) texture = NULL;
    graphene_rect_t area =
        GRAPHENE_RECT_INIT(0, 0, (float)(width * stage->scale), (float)(height * stage->scale));

    while ((node = try_snap(stage, width, height)) == NULL)
        g_main_context_iteration(NULL, TRUE);
    texture = gsk_renderer_render_texture(gtk_native_get_renderer(GTK_NATIVE(window)), node, &area);
    if (!gdk_texture_save_to_png(texture, path))
        g_error("The picture %s could not be written.", path);
}
