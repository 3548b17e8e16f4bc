/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/job-list.h"

#include <glib/gi18n-lib.h>

#include "app/application.h"

/* Runs of a drive that can still be looked at when they have ended: their live series take up to some MB. */
#define HISTORY_PER_DRIVE 12

/* A run and what it is about. */
typedef struct {
    PltJob *job;
    char *drive_name, *drive_title;
    guint inhibit_cookie;
    gboolean ended;
} Entry;

struct _PltJobList {
    GObject parent_instance;
    GtkApplication *application; /* owns us; not held */
    char *library_path;
    GPtrArray *entries; /* Entry, oldest first; also those that have ended */
    guint n_running;
};

enum {
    SIGNAL_JOB_STARTED,
    SIGNAL_JOB_ENDED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void list_model_init(GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE(PltJobList, plt_job_list, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static void entry_free(gpointer data)
{
    Entry *entry = data;

    g_object_unref(entry->job);
    g_free(entry->drive_name);
    g_free(entry->drive_title);
    g_free(entry);
}

static GType get_item_type(GListModel *model)
{
    return PLT_TYPE_JOB;
}

static guint get_n_items(GListModel *model)
{
    return PLT_JOB_LIST(model)->n_running;
}

static gpointer get_item(GListModel *model, guint position)
{
    PltJobList *list = PLT_JOB_LIST(model);

    for (guint i = 0; i < list->entries->len; i++) {
        const Entry *entry = list->entries->pdata[i];

        if (!entry->ended && position-- == 0)
            return g_object_ref(entry->job);
    }
    return NULL;
}

static void list_model_init(GListModelInterface *iface)
{
    iface->get_item_type = get_item_type;
    iface->get_n_items = get_n_items;
    iface->get_item = get_item;
}

static Entry *find_entry(PltJobList *list, PltJob *job)
{
    for (guint i = 0; i < list->entries->len; i++) {
        Entry *entry = list->entries->pdata[i];

        if (entry->job == job)
            return entry;
    }
    return NULL;
}

/* Place of ENTRY among those that run. */
static guint position_of(PltJobList *list, const Entry *entry)
{
    guint position = 0;

    for (guint i = 0; list->entries->pdata[i] != entry; i++)
        position += !((const Entry *)list->entries->pdata[i])->ended;
    return position;
}

static GtkWindow *front_window(PltJobList *list)
{
    return list->application != NULL ? gtk_application_get_active_window(list->application) : NULL;
}

static void announce(PltJobList *list, const char *text, GtkAccessibleAnnouncementPriority priority)
{
    GtkWindow *window = front_window(list);

    if (window != NULL && gtk_widget_get_mapped(GTK_WIDGET(window)))
        gtk_accessible_announce(GTK_ACCESSIBLE(window), text, priority);
}

/* One sentence that says how ENTRY ended. */
static char *end_text(const Entry *entry)
{
    const PltRun *run = plt_job_get_run(entry->job);
    const GError *error = plt_job_get_error(entry->job);
    const char *suite = plt_suite_name(plt_job_get_plan(entry->job)->suite);

    if (run == NULL)
        return error != NULL ? g_strdup(error->message) : g_strdup_printf(_("%s did not start."), suite);
    switch (run->status) {
    case PLT_RUN_COMPLETE:
        /* Translators: the name of a benchmark, then of a drive. */
        return g_strdup_printf(_("%s on %s is complete."), suite, entry->drive_title);
    case PLT_RUN_STOPPED:
        return g_strdup_printf(_("%s on %s was stopped; what was measured is kept."), suite,
                               entry->drive_title);
    case PLT_RUN_FAILED:
    case PLT_RUN_INTERRUPTED:
    case PLT_RUN_RUNNING:
    default:
        break;
    }
    return g_strdup_printf(_("%s on %s failed: %s."), suite, entry->drive_title,
                           run->status_detail != NULL ? run->status_detail : _("the reason is not known"));
}

static gboolean is_in_front(PltJobList *list)
{
    GtkWindow *window = front_window(list);

    return window != NULL && gtk_window_is_active(window);
}

static void notify_end(PltJobList *list, const Entry *entry, const char *text)
{
    g_autoptr(GNotification) notification = NULL;
    g_autofree char *id = g_strconcat("run-", entry->drive_name, NULL);
    const PltRun *run = plt_job_get_run(entry->job);
    gboolean complete = run != NULL && run->status == PLT_RUN_COMPLETE;

    /* Without a session bus there is nobody to tell. */
    if (is_in_front(list) || g_application_get_dbus_connection(G_APPLICATION(list->application)) == NULL)
        return;
    notification = g_notification_new(complete ? _("Benchmark Complete") : _("Benchmark Ended"));
    g_notification_set_body(notification, text);
    if (run != NULL && run->id > 0)
        g_notification_set_default_action_and_target(notification, "app.show-run", "x", run->id);
    g_application_send_notification(G_APPLICATION(list->application), id, notification);
}

static void hold(PltJobList *list, Entry *entry)
{
    g_autofree char *text = NULL;

    if (list->application == NULL)
        return;
    g_application_hold(G_APPLICATION(list->application));
    entry->inhibit_cookie = gtk_application_inhibit(
        list->application, front_window(list),
        GTK_APPLICATION_INHIBIT_SUSPEND | GTK_APPLICATION_INHIBIT_LOGOUT, _("A benchmark is running"));
    text = g_strdup_printf(_("%s started on %s."), plt_suite_name(plt_job_get_plan(entry->job)->suite),
                           entry->drive_title);
    announce(list, text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void let_go(PltJobList *list, Entry *entry)
{
    g_autofree char *text = NULL;
    const PltRun *run = plt_job_get_run(entry->job);
    gboolean well = run != NULL && (run->status == PLT_RUN_COMPLETE || run->status == PLT_RUN_STOPPED);

    if (list->application == NULL)
        return;
    text = end_text(entry);
    announce(list, text,
             well ? GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM : GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH);
    notify_end(list, entry, text);
    if (entry->inhibit_cookie != 0)
        gtk_application_uninhibit(list->application, entry->inhibit_cookie);
    entry->inhibit_cookie = 0;
    g_application_release(G_APPLICATION(list->application));
}

/* The oldest ended runs of a drive go when there are too many. */
static void trim(PltJobList *list, const char *drive_name)
{
    guint n = 0;

    for (guint i = list->entries->len; i-- > 0;) {
        const Entry *entry = list->entries->pdata[i];

        if (!g_str_equal(entry->drive_name, drive_name) || ++n <= HISTORY_PER_DRIVE || !entry->ended)
            continue;
        g_ptr_array_remove_index(list->entries, i);
    }
}

static void on_job_ended(PltJob *job, PltJobList *list)
{
    Entry *entry = find_entry(list, job);
    guint position;

    g_return_if_fail(entry != NULL && !entry->ended);
    g_object_ref(list);
    position = position_of(list, entry);
    entry->ended = TRUE;
    list->n_running--;
    g_list_model_items_changed(G_LIST_MODEL(list), position, 1, 0);
    g_signal_emit(list, signals[SIGNAL_JOB_ENDED], 0, job);
    let_go(list, entry);
    g_object_unref(list);
}

static void plt_job_list_finalize(GObject *object)
{
    PltJobList *list = PLT_JOB_LIST(object);

    g_ptr_array_unref(list->entries);
    g_free(list->library_path);
    if (list->application != NULL)
        g_object_remove_weak_pointer(G_OBJECT(list->application), (gpointer *)&list->application);
    G_OBJECT_CLASS(plt_job_list_parent_class)->finalize(object);
}

static void plt_job_list_class_init(PltJobListClass *klass)
{
    GType type = G_TYPE_FROM_CLASS(klass);

    G_OBJECT_CLASS(klass)->finalize = plt_job_list_finalize;
    signals[SIGNAL_JOB_STARTED] = g_signal_new("job-started", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                               G_TYPE_NONE, 1, PLT_TYPE_JOB);
    signals[SIGNAL_JOB_ENDED] =
        g_signal_new("job-ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, PLT_TYPE_JOB);
}

static void plt_job_list_init(PltJobList *list)
{
    list->entries = g_ptr_array_new_with_free_func(entry_free);
}

PltJobList *plt_job_list_new(GtkApplication *application)
{
    PltJobList *list = g_object_new(PLT_TYPE_JOB_LIST, NULL);

    list->application = application;
    if (application != NULL)
        g_object_add_weak_pointer(G_OBJECT(application), (gpointer *)&list->application);
    return list;
}

void plt_job_list_set_library_path(PltJobList *list, const char *path)
{
    g_free(list->library_path);
    list->library_path = g_strdup(path);
}

/* A folder may lie on several drives, and a run on any of them would disturb the other. */
static Entry *find_rival(PltJobList *list, PltTarget *target, const char *drive_name)
{
    g_auto(GStrv) names = plt_target_get_drives(target);

    for (guint i = 0; i < list->entries->len; i++) {
        Entry *entry = list->entries->pdata[i];
        g_auto(GStrv) others = plt_target_get_drives(plt_job_get_target(entry->job));

        if (entry->ended)
            continue;
        if (g_str_equal(entry->drive_name, drive_name))
            return entry;
        for (guint j = 0; names != NULL && others != NULL && names[j] != NULL; j++)
            if (g_strv_contains((const char *const *)others, names[j]))
                return entry;
    }
    return NULL;
}

static const char *library_path(PltJobList *list)
{
    if (list->library_path != NULL || !PLT_IS_APPLICATION(list->application))
        return list->library_path;
    return plt_application_get_library_path(PLT_APPLICATION(list->application));
}

PltJob *plt_job_list_start(PltJobList *list, PltPlan *plan, PltTarget *target, PltDrive *drive,
                           GError **error)
{
    const char *name = plt_drive_get_name(drive);
    const Entry *rival = find_rival(list, target, name);
    Entry *entry;

    if (rival != NULL) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("A benchmark is running on %s already; wait for its end or stop it."),
                    rival->drive_title);
        plt_plan_free(plan);
        plt_target_free(target);
        return NULL;
    }
    entry = g_new0(Entry, 1);
    entry->job = plt_job_new(plan, target, library_path(list));
    plt_job_set_thermometer(entry->job, plt_drive_read_temperature);
    entry->drive_name = g_strdup(name);
    entry->drive_title = g_strdup(plt_drive_get_title(drive));
    g_ptr_array_add(list->entries, entry);
    list->n_running++;
    trim(list, name);
    g_signal_connect_object(entry->job, "ended", G_CALLBACK(on_job_ended), list, G_CONNECT_DEFAULT);
    hold(list, entry);
    plt_job_start(entry->job);
    g_list_model_items_changed(G_LIST_MODEL(list), list->n_running - 1, 0, 1);
    g_signal_emit(list, signals[SIGNAL_JOB_STARTED], 0, entry->job);
    return entry->job;
}

PltJob *plt_job_list_find_for_drive(PltJobList *list, const char *name)
{
    for (guint i = 0; i < list->entries->len; i++) {
        const Entry *entry = list->entries->pdata[i];

        if (!entry->ended && g_strcmp0(entry->drive_name, name) == 0)
            return entry->job;
    }
    return NULL;
}

GPtrArray *plt_job_list_get_history(PltJobList *list, const char *name)
{
    GPtrArray *history = g_ptr_array_new_with_free_func(g_object_unref);

    for (guint i = 0; i < list->entries->len; i++) {
        const Entry *entry = list->entries->pdata[i];

        if (g_strcmp0(entry->drive_name, name) == 0)
            g_ptr_array_add(history, g_object_ref(entry->job));
    }
    return history;
}

const char *plt_job_list_get_drive_name(PltJobList *list, PltJob *job)
{
    const Entry *entry = find_entry(list, job);

    return entry != NULL ? entry->drive_name : NULL;
}

const char *plt_job_list_get_drive_title(PltJobList *list, PltJob *job)
{
    const Entry *entry = find_entry(list, job);

    return entry != NULL ? entry->drive_title : NULL;
}
