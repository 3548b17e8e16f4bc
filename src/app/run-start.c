/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-start.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "app/erase-dialog.h"
#include "app/run-words.h"

#define KEY "start-without-asking"

/* A start on its way. Belongs to its task. */
typedef struct {
    PltJobList *jobs;
    PltDrive *drive;
    GSettings *settings; /* or NULL */
    PltPlan *plan;       /* until it is started */
    PltTarget *target;   /* once it is found, until it is started */
    JsonNode *losses;    /* what is on a drive that would be erased; or NULL */
    char *path;
    char *suite_id;
    GtkCheckButton *again; /* in the dialog; NULL = not asked about */
} Start;

static void start_free(gpointer data)
{
    Start *start = data;

    g_object_unref(start->jobs);
    g_object_unref(start->drive);
    g_clear_object(&start->settings);
    g_clear_pointer(&start->plan, plt_plan_free);
    g_clear_pointer(&start->target, plt_target_free);
    g_clear_pointer(&start->losses, json_node_unref);
    g_clear_object(&start->again);
    g_free(start->path);
    g_free(start->suite_id);
    g_free(start);
}

static PltTarget *find_folder(const Start *start, GError **error)
{
    PltFolder *folder = plt_folder_open(start->path, FALSE, error);

    return folder != NULL ? plt_target_new_folder(folder) : NULL;
}

/* A suite that erases acts on the whole drive, if nothing on it is in use. */
static PltTarget *find_drive(Start *start, GError **error)
{
    const char *name = plt_drive_get_name(start->drive);
    PltDriveUse use = plt_purge_use("", name, start->plan->purge_method);
    g_autoptr(PltGuardFacts) facts = plt_guard_look("", name, use);

    if (!plt_guard_check(facts, NULL, use, error))
        return NULL;
    start->losses = plt_guard_losses_to_json(facts);
    return plt_target_new_drive(&facts->seal, 0, 0, error);
}

/* Nobody else has the start meanwhile. */
static void open_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    Start *start = data;
    GError *error = NULL;
    gboolean erases = plt_suite_erases(start->plan->suite);
    g_autoptr(PltTarget) target = erases ? find_drive(start, &error) : find_folder(start, &error);

    if (target == NULL) {
        g_task_return_error(task, error);
        return;
    }
    plt_plan_fit(start->plan, plt_target_get_room(target, start->plan), erases);
    /* A drive is only asked for when the person has agreed. */
    if (!erases && !plt_target_check(target, start->plan, &error))
        g_task_return_error(task, error);
    else
        g_task_return_pointer(task, g_steal_pointer(&target), (GDestroyNotify)plt_target_free);
}

static void start_now(GTask *task)
{
    Start *start = g_task_get_task_data(task);
    GError *error = NULL;
    PltJob *job = plt_job_list_start(start->jobs, g_steal_pointer(&start->plan),
                                     g_steal_pointer(&start->target), start->drive, &error);

    if (job == NULL)
        g_task_return_error(task, error);
    else
        g_task_return_pointer(task, g_object_ref(job), g_object_unref);
}

static gboolean is_remembered(const Start *start)
{
    g_auto(GStrv) ids = start->settings != NULL ? g_settings_get_strv(start->settings, KEY) : NULL;

    return ids != NULL && g_strv_contains((const char *const *)ids, start->suite_id);
}

static void remember(const Start *start)
{
    g_auto(GStrv) ids = g_settings_get_strv(start->settings, KEY);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_auto(GStrv) more = NULL;

    g_strv_builder_addv(builder, (const char **)ids);
    g_strv_builder_add(builder, start->suite_id);
    more = g_strv_builder_end(builder);
    g_settings_set_strv(start->settings, KEY, (const char *const *)more);
}

/* Which of the running jobs shares the machine with a run on another drive; NULL if none. */
static const char *other_drive(const Start *start)
{
    g_autoptr(PltJob) job = g_list_model_get_item(G_LIST_MODEL(start->jobs), 0);

    return job != NULL ? plt_job_list_get_drive_title(start->jobs, job) : NULL;
}

static void on_answer(GObject *source, GAsyncResult *result, gpointer user)
{
    g_autoptr(GTask) task = user;
    Start *start = g_task_get_task_data(task);
    const char *response = adw_alert_dialog_choose_finish(ADW_ALERT_DIALOG(source), result);

    if (g_strcmp0(response, "start") != 0) {
        g_task_return_new_error_literal(task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "not started");
        return;
    }
    if (start->again != NULL && gtk_check_button_get_active(start->again) && start->settings != NULL)
        remember(start);
    start_now(task);
}

static char *question_body(const Start *start, gboolean much, const char *other)
{
    g_autofree char *time = plt_words_time(start->plan->estimated_ms / 1000 * 1000);
    g_autofree char *bytes = plt_words_bytes(start->plan->estimated_written);
    g_autofree char *writes = g_strdup_printf(
        _("It takes about %s and writes about %s to %s, more on a faster drive. Writing wears a drive."),
        time, bytes, plt_drive_get_title(start->drive));
    g_autofree char *shares = NULL;

    if (other == NULL)
        return g_steal_pointer(&writes);
    shares = g_strdup_printf(_("A benchmark is running on %s: both share the processor and the bus, so the "
                               "figures of both may be lower than alone."),
                             other);
    return much ? g_strdup_printf("%s\n\n%s", writes, shares) : g_steal_pointer(&shares);
}

/* Takes TASK. */
static void ask(GTask *task, gboolean much, const char *other)
{
    Start *start = g_task_get_task_data(task);
    g_autofree char *body = question_body(start, much, other);
    AdwDialog *dialog = adw_alert_dialog_new(_("Start the Benchmark?"), body);
    AdwAlertDialog *alert = ADW_ALERT_DIALOG(dialog);

    adw_alert_dialog_add_responses(alert, "cancel", _("_Cancel"), "start", _("_Start"), NULL);
    adw_alert_dialog_set_response_appearance(alert, "start", ADW_RESPONSE_SUGGESTED);
    adw_alert_dialog_set_default_response(alert, "start");
    adw_alert_dialog_set_close_response(alert, "cancel");
    if (much) {
        GtkWidget *again = gtk_check_button_new_with_mnemonic(_("_Do not ask again for this suite"));

        start->again = g_object_ref_sink(GTK_CHECK_BUTTON(again));
        adw_alert_dialog_set_extra_child(alert, again);
    }
    adw_alert_dialog_choose(alert, g_task_get_source_object(task), NULL, on_answer, task);
}

static void on_erase_answer(GObject *source, GAsyncResult *result, gpointer user)
{
    g_autoptr(GTask) task = user;
    Start *start = g_task_get_task_data(task);
    AdwAlertDialog *dialog = ADW_ALERT_DIALOG(source);
    const char *response = adw_alert_dialog_choose_finish(dialog, result);
    GError *error = NULL;

    if (g_strcmp0(response, "start") != 0)
        g_task_return_new_error_literal(task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "not started");
    else if (!plt_target_confirm(start->target, plt_erase_dialog_get_text(dialog), &error))
        g_task_return_error(task, error);
    else
        start_now(task);
}

/* Takes TASK. */
static void ask_to_erase(GTask *task)
{
    Start *start = g_task_get_task_data(task);

    adw_alert_dialog_choose(
        plt_erase_dialog_new(start->plan, plt_target_get_seal(start->target), start->losses),
        g_task_get_source_object(task), NULL, on_erase_answer, task);
}

static void on_opened(GObject *source, GAsyncResult *result, gpointer user)
{
    g_autoptr(GTask) task = user;
    Start *start = g_task_get_task_data(task);
    GError *error = NULL;
    const char *other;
    gboolean much;

    start->target = g_task_propagate_pointer(G_TASK(result), &error);
    if (start->target == NULL) {
        g_task_return_error(task, error);
        return;
    }
    if (plt_target_get_seal(start->target) != NULL) {
        ask_to_erase(g_steal_pointer(&task));
        return;
    }
    other = other_drive(start);
    much = start->plan->estimated_written > PLT_RUN_START_ASK_BYTES && !is_remembered(start);
    /* A second run on the same drive is refused below, without a question. */
    if ((!much && other == NULL) ||
        plt_job_list_find_for_drive(start->jobs, plt_drive_get_name(start->drive)) != NULL)
        start_now(task);
    else
        ask(g_steal_pointer(&task), much, other);
}

void plt_run_start_async(GtkWidget *parent, PltJobList *jobs, PltDrive *drive, PltPlan *plan,
                         const char *path, GSettings *settings, GAsyncReadyCallback callback, gpointer user)
{
    GTask *task = g_task_new(parent, NULL, callback, user);
    Start *start = g_new0(Start, 1);
    g_autoptr(GTask) opening = NULL;

    start->jobs = g_object_ref(jobs);
    start->drive = g_object_ref(drive);
    start->settings = settings != NULL ? g_object_ref(settings) : NULL;
    start->plan = plan;
    start->path = g_strdup(path);
    start->suite_id = g_strdup(plt_suite_id(plan->suite));
    g_task_set_task_data(task, start, start_free);
    opening = g_task_new(parent, NULL, on_opened, task);
    g_task_set_task_data(opening, start, NULL);
    g_task_run_in_thread(opening, open_in_thread);
}

PltJob *plt_run_start_finish(GAsyncResult *result, GError **error)
{
    PltJob *job = g_task_propagate_pointer(G_TASK(result), error);

    /* The list holds it. */
    if (job != NULL)
        g_object_unref(job);
    return job;
}
