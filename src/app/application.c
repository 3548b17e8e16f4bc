/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/application-private.h"

#include <glib/gi18n-lib.h>

#include "app/window.h"

#define RESOURCE_PATH "/io/github/plateau_bench/Plateau"
#define SCHEMA "io.github.plateau_bench.Plateau"

struct _PltApplication {
    AdwApplication parent_instance;
    GSettings *settings;
    PltDriveList *drives;
    PltJobList *jobs;
    PltRunStore *store;
};

G_DEFINE_FINAL_TYPE(PltApplication, plt_application, ADW_TYPE_APPLICATION)

/* GSettings ends the program when its schema is missing; a sentence says more than its stack. */
static gboolean has_schema(void)
{
    GSettingsSchemaSource *source = g_settings_schema_source_get_default();
    g_autoptr(GSettingsSchema) schema =
        source != NULL ? g_settings_schema_source_lookup(source, SCHEMA, TRUE) : NULL;

    return schema != NULL;
}

static void job_ended(PltJobList *jobs, PltJob *job, PltApplication *application)
{
    plt_run_store_refresh(application->store);
}

static void plt_application_startup(GApplication *base)
{
    PltApplication *application = PLT_APPLICATION(base);

    G_APPLICATION_CLASS(plt_application_parent_class)->startup(base);
    gtk_window_set_default_icon_name(PLT_APPLICATION_ID);
    application->settings = g_settings_new(SCHEMA);
    /* A recorded tree of /sys and /proc stands for this machine: tests, pictures, someone else's report. */
    application->drives = plt_drive_list_new(g_getenv("PLATEAU_DRIVES_ROOT"), FALSE);
    g_settings_bind(application->settings, "show-virtual-drives", application->drives, "with-virtual",
                    G_SETTINGS_BIND_GET);
    application->jobs = plt_job_list_new(GTK_APPLICATION(application));
    application->store = plt_run_store_new(plt_application_get_library_path(application));
    g_signal_connect_object(application->jobs, "job-ended", G_CALLBACK(job_ended), application, 0);
    plt_application_add_actions(application);
}

static void plt_application_activate(GApplication *base)
{
    GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(base));

    if (window == NULL)
        window = GTK_WINDOW(plt_window_new(PLT_APPLICATION(base)));
    gtk_window_present(window);
}

static void plt_application_shutdown(GApplication *base)
{
    PltApplication *application = PLT_APPLICATION(base);

    if (application->store != NULL)
        plt_run_store_flush(application->store);
    G_APPLICATION_CLASS(plt_application_parent_class)->shutdown(base);
}

static int plt_application_handle_local_options(GApplication *base, GVariantDict *options)
{
    if (g_variant_dict_contains(options, "version")) {
        g_print("Plateau %s\n", PLT_VERSION);
        return 0;
    }
    if (!has_schema()) {
        g_printerr(_("Plateau is not installed completely: its settings schema %s is missing. Install it "
                     "again, or start a build with “./dev run”.\n"),
                   SCHEMA);
        return 1;
    }
    return -1;
}

static void plt_application_dispose(GObject *object)
{
    PltApplication *application = PLT_APPLICATION(object);

    g_clear_object(&application->jobs);
    g_clear_object(&application->store);
    g_clear_object(&application->drives);
    g_clear_object(&application->settings);
    G_OBJECT_CLASS(plt_application_parent_class)->dispose(object);
}

static void plt_application_class_init(PltApplicationClass *klass)
{
    GApplicationClass *application_class = G_APPLICATION_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_application_dispose;
    application_class->startup = plt_application_startup;
    application_class->activate = plt_application_activate;
    application_class->shutdown = plt_application_shutdown;
    application_class->handle_local_options = plt_application_handle_local_options;
}

static void plt_application_init(PltApplication *application)
{
    g_application_add_main_option(G_APPLICATION(application), "version", 0, G_OPTION_FLAG_NONE,
                                  G_OPTION_ARG_NONE, _("Show the version and exit"), NULL);
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
