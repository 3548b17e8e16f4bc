/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/application.h"

#include <glib/gi18n-lib.h>

#include "app/window.h"

#define RESOURCE_PATH "/io/github/plateau_bench/Plateau"

struct _PltApplication {
    AdwApplication parent_instance;
    GSettings *settings;
    PltDriveList *drives;
    PltJobList *jobs;
    PltRunStore *store;
};

G_DEFINE_FINAL_TYPE(PltApplication, plt_application, ADW_TYPE_APPLICATION)

static void plt_application_startup(GApplication *base)
{
    PltApplication *application = PLT_APPLICATION(base);

    G_APPLICATION_CLASS(plt_application_parent_class)->startup(base);
    application->settings = g_settings_new("io.github.plateau_bench.Plateau");
}

static void plt_application_activate(GApplication *base)
{
    GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(base));

    if (window == NULL)
        window = GTK_WINDOW(plt_window_new(PLT_APPLICATION(base)));
    gtk_window_present(window);
}

static void plt_application_dispose(GObject *object)
{
    PltApplication *application = PLT_APPLICATION(object);

    g_clear_object(&application->settings);
    G_OBJECT_CLASS(plt_application_parent_class)->dispose(object);
}

static void plt_application_class_init(PltApplicationClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GApplicationClass *application_class = G_APPLICATION_CLASS(klass);

    object_class->dispose = plt_application_dispose;
    application_class->startup = plt_application_startup;
    application_class->activate = plt_application_activate;
}

static void plt_application_init(PltApplication *application)
{
}

PltApplication *plt_application_new(void)
{
    return g_object_new(PLT_TYPE_APPLICATION, "application-id", PLT_APPLICATION_ID, "resource-base-path",
                        RESOURCE_PATH, NULL);
}

PltApplication *plt_application_get_default(void)
{
    GApplication *application = g_application_get_default();

    return PLT_IS_APPLICATION(application) ? PLT_APPLICATION(application) : NULL;
}

PltDriveList *plt_application_get_drives(PltApplication *application)
{
    return application->drives;
}

PltJobList *plt_application_get_jobs(PltApplication *application)
{
    return application->jobs;
}

PltRunStore *plt_application_get_store(PltApplication *application)
{
    return application->store;
}

GSettings *plt_application_get_settings(PltApplication *application)
{
    return application->settings;
}

const char *plt_application_get_library_path(PltApplication *application)
{
    return NULL;
}
