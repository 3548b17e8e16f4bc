/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include "bed.h"

#include <ftw.h>
#include <unistd.h>

#include "records.h"

/* No test waits for time: this only ends one that has failed. */
#define MAX_S 60

static gboolean wake_up(gpointer data)
{
    return G_SOURCE_CONTINUE;
}

void bed_wait(gboolean (*check)(gpointer data), gpointer data)
{
    gint64 end = g_get_monotonic_time() + MAX_S * G_USEC_PER_SEC;
    guint timer = g_timeout_add(10, wake_up, NULL);

    while (!check(data) && g_get_monotonic_time() < end)
        g_main_context_iteration(NULL, TRUE);
    g_source_remove(timer);
    g_assert_true(check(data));
}

static gboolean is_loaded(gpointer data)
{
    Bed *bed = data;

    return !plt_drive_list_is_loading(plt_application_get_drives(bed->application)) &&
           !plt_run_store_is_loading(plt_application_get_store(bed->application));
}

Bed *bed_new(gboolean with_results)
{
    Bed *bed = g_new0(Bed, 1);
    g_autoptr(GError) error = NULL;

    bed->folder = g_dir_make_tmp("plateau-bed-XXXXXX", &error);
    g_assert_no_error(error);
    g_setenv("XDG_DATA_HOME", bed->folder, TRUE);
    bed->machine = machine_new(bed->folder);
    if (with_results) {
        g_autofree char *path = plt_library_default_path(), *parent = g_path_get_dirname(path);

        g_assert_cmpint(g_mkdir_with_parents(parent, 0700), ==, 0);
        records_store(path, bed->machine);
    }
    bed->application = plt_application_new();
    g_application_set_flags(G_APPLICATION(bed->application), G_APPLICATION_NON_UNIQUE);
    g_application_register(G_APPLICATION(bed->application), NULL, &error);
    g_assert_no_error(error);
    g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
    bed_wait(is_loaded, bed);
    return bed;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    return remove(path);
}

void bed_free(Bed *bed)
{
    g_assert_null(bed->window);
    plt_run_store_flush(plt_application_get_store(bed->application));
    g_object_unref(bed->application);
    g_assert_cmpint(nftw(bed->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
    fixture_free(bed->machine);
    g_free(bed->folder);
    g_free(bed);
}

PltDrive *bed_drive(Bed *bed, const char *name)
{
    PltDrive *drive = plt_drive_list_find(plt_application_get_drives(bed->application), name);

    g_assert_nonnull(drive);
    return drive;
}

static void count_frame(GdkFrameClock *clock, guint *frames)
{
    (*frames)++;
}

static gboolean is_drawn(gpointer data)
{
    return *(guint *)data > 0;
}

static void wait_for_frame(GtkWidget *widget)
{
    GdkFrameClock *clock = gtk_widget_get_frame_clock(widget);
    guint frames = 0;
    gulong handler = g_signal_connect(clock, "after-paint", G_CALLBACK(count_frame), &frames);

    gtk_widget_queue_draw(widget);
    bed_wait(is_drawn, &frames);
    g_signal_handler_disconnect(clock, handler);
}

static GtkWidget *content_for(GtkWidget *widget)
{
    GtkWidget *view;

    if (GTK_IS_LIST_BOX_ROW(widget)) {
        GtkWidget *list = gtk_list_box_new();

        gtk_list_box_append(GTK_LIST_BOX(list), widget);
        return list;
    }
    if (!ADW_IS_NAVIGATION_PAGE(widget))
        return widget;
    view = adw_navigation_view_new();
    adw_navigation_view_add(ADW_NAVIGATION_VIEW(view), ADW_NAVIGATION_PAGE(widget));
    return view;
}

void bed_show(Bed *bed, GtkWidget *widget)
{
    if (GTK_IS_WINDOW(widget)) {
        bed->window = g_object_ref(GTK_WINDOW(widget));
    } else {
        bed->window = g_object_ref_sink(GTK_WINDOW(adw_window_new()));
        gtk_window_set_default_size(bed->window, 800, 600);
        if (!ADW_IS_DIALOG(widget))
            adw_window_set_content(ADW_WINDOW(bed->window), content_for(widget));
        else
            adw_window_set_content(ADW_WINDOW(bed->window), adw_bin_new());
    }
    gtk_window_present(bed->window);
    if (ADW_IS_DIALOG(widget))
        adw_dialog_present(ADW_DIALOG(widget), GTK_WIDGET(bed->window));
    wait_for_frame(GTK_WIDGET(bed->window));
}

void bed_hide(Bed *bed, GtkWidget *widget)
{
    if (ADW_IS_DIALOG(widget))
        adw_dialog_force_close(ADW_DIALOG(widget));
    gtk_window_destroy(bed->window);
    g_clear_object(&bed->window);
}

static GtkWidget *find(GtkWidget *widget, const char *type)
{
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

GtkWidget *bed_find(GtkWidget *from, const char *type)
{
    GtkWidget *found = find(from, type);

    if (found == NULL)
        g_error("%s has no %s.", G_OBJECT_TYPE_NAME(from), type);
    return found;
}
