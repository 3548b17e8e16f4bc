/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/job.h"

/* What the queue holds at most: a main loop that stands still for long loses live samples, never recorded
 * ones. */
#define QUEUE_LIMIT 4096

#define THERMOMETER_MS 1000

/* The same percentiles twice: a new second when so much time has passed (a tick less than the second). */
#define LATENCY_STEP_S 0.95

/* What the runner's thread says. */
typedef struct {
    PltRunnerProgress progress;
    gboolean has_sample;
    struct plt_sample sample;
    PltCellRun *ended;   /* figures only; owned */
    GPtrArray *warnings; /* or NULL; owned */
} Message;

struct _PltJob {
    GObject parent_instance;
    PltPlan *plan;
    PltTarget *target;
    char *library_path;
    GCancellable *cancellable;
    GMainContext *context;
    GThread *thread;
    gboolean running;

    PltThermometerFunc thermometer_func;
    PltThermometer *thermometer;
    gint64 origin_us; /* monotonic time of the run's start; 0 until it is known */

    PltRunnerProgress progress;
    PltLiveSeries *preparation;
    GPtrArray *windows;
    GArray *latencies;    /* PltLiveLatency */
    GArray *temperatures; /* PltLiveTemperature */
    GArray *readings;     /* PltThermometerReading that wait for origin_us */
    GPtrArray *warnings;  /* PltWarning */
    GPtrArray *cells;     /* PltCell or NULL for each step */
    PltRun *run;
    GError *error;

    GMutex lock;
    GQueue queue;     /* under lock: Message */
    gboolean pending; /* under lock: a source is attached */
    gboolean over;    /* under lock: the thread's last word is in run and error */
    gint64 first_us;  /* under lock: monotonic time of the run's start; 0 until it is known */
};

enum {
    SIGNAL_PROGRESS,
    SIGNAL_WINDOW_ENDED,
    SIGNAL_ENDED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(PltJob, plt_job, G_TYPE_OBJECT)

static void message_free(Message *message)
{
    g_clear_pointer(&message->ended, plt_cell_run_free);
    g_clear_pointer(&message->warnings, g_ptr_array_unref);
    g_free(message);
}

static void live_window_free(gpointer data)
{
    PltLiveWindow *window = data;

    plt_live_series_free(window->series);
    g_free(window);
}

static void clear_cell(gpointer cell)
{
    if (cell != NULL)
        plt_cell_free(cell);
}

static PltLiveWindow *current_window(PltJob *job, const PltRunnerProgress *progress)
{
    PltLiveWindow *window = job->windows->len > 0 ? job->windows->pdata[job->windows->len - 1] : NULL;

    if (window != NULL && window->step == progress->step && window->run == progress->run)
        return window;
    window = g_new0(PltLiveWindow, 1);
    window->step = progress->step;
    window->run = progress->run;
    window->warmup = progress->phase == PLT_RUNNER_WARMUP;
    /* A sample may come late: the window knows how long it has been there. */
    window->start_s = (double)progress->elapsed_ms / 1000 - (double)progress->window_ns / 1e9;
    window->series = plt_live_series_new();
    g_ptr_array_add(job->windows, window);
    return window;
}

/* The runner looks once a second: in between its figures stand still, at a window's start they are 0. */
static void add_latency(PltJob *job, const PltRunnerProgress *progress)
{
    PltLiveLatency latency = {(double)progress->elapsed_ms / 1000, progress->p50_ns, progress->p99_ns,
                              job->windows->len - 1};
    const PltLiveLatency *last = job->latencies->len > 0
                                     ? &g_array_index(job->latencies, PltLiveLatency, job->latencies->len - 1)
                                     : NULL;

    if (latency.p50_ns <= 0)
        return;
    if (last != NULL && last->window == latency.window && last->p50_ns == latency.p50_ns &&
        last->p99_ns == latency.p99_ns && latency.at_s - last->at_s < LATENCY_STEP_S)
        return;
    g_array_append_val(job->latencies, latency);
}

static void add_sample(PltJob *job, const Message *message)
{
    const struct plt_sample *sample = &message->sample;
    PltLiveWindow *window;

    if (message->progress.phase == PLT_RUNNER_PREPARING) {
        plt_live_series_add(job->preparation, sample);
        return;
    }
    window = current_window(job, &message->progress);
    plt_live_series_add(window->series, sample);
    add_latency(job, &message->progress);
    window->duration_ns += sample->duration_ns;
    for (int op = PLT_OP_READ; op <= PLT_OP_WRITE; op++) {
        window->ios += sample->op[op].ios;
        window->bytes += sample->op[op].bytes;
        window->lat_sum_ns += sample->op[op].lat_sum_ns;
    }
}

/* Readings are timed by the clock, and the run by its own start: what was read before it waits. */
static void take_temperatures(PltJob *job)
{
    if (job->thermometer == NULL)
        return;
    plt_thermometer_take(job->thermometer, job->readings);
    if (job->origin_us == 0)
        return;
    for (guint i = 0; i < job->readings->len; i++) {
        const PltThermometerReading *reading = &g_array_index(job->readings, PltThermometerReading, i);
        PltLiveTemperature temperature = {MAX((double)(reading->at_us - job->origin_us) / 1e6, 0),
                                          reading->celsius};

        g_array_append_val(job->temperatures, temperature);
    }
    g_array_set_size(job->readings, 0);
}

static void take_message(PltJob *job, Message *message)
{
    guint step = message->progress.step;
    PltCell *cell = step < job->cells->len ? job->cells->pdata[step] : NULL;

    job->progress = message->progress;
    if (message->warnings != NULL) {
        g_ptr_array_unref(job->warnings);
        job->warnings = g_steal_pointer(&message->warnings);
    }
    if (message->has_sample)
        add_sample(job, message);
    if (message->ended == NULL || cell == NULL)
        return;
    g_ptr_array_add(cell->runs, g_steal_pointer(&message->ended));
    g_signal_emit(job, signals[SIGNAL_WINDOW_ENDED], 0, step);
}

static gboolean drain(gpointer user)
{
    PltJob *job = user;
    GQueue messages;
    gboolean over;

    g_mutex_lock(&job->lock);
    messages = job->queue;
    g_queue_init(&job->queue);
    job->pending = FALSE;
    over = job->over;
    job->origin_us = job->first_us;
    g_mutex_unlock(&job->lock);

    for (Message *message; (message = g_queue_pop_head(&messages)) != NULL; message_free(message))
        take_message(job, message);
    take_temperatures(job);
    g_signal_emit(job, signals[SIGNAL_PROGRESS], 0);
    if (over && job->running) {
        g_thread_join(g_steal_pointer(&job->thread));
        g_clear_pointer(&job->thermometer, plt_thermometer_free);
        job->running = FALSE;
        if (job->run != NULL) {
            g_ptr_array_unref(job->warnings);
            job->warnings = g_ptr_array_ref(job->run->warnings);
        }
        g_signal_emit(job, signals[SIGNAL_ENDED], 0);
        g_object_unref(job);
    }
    return G_SOURCE_REMOVE;
}

/* With the lock held. */
static void arm(PltJob *job)
{
    g_autoptr(GSource) source = NULL;

    if (job->pending)
        return;
    job->pending = TRUE;
    source = g_idle_source_new();
    g_source_set_priority(source, G_PRIORITY_DEFAULT);
    g_source_set_callback(source, drain, g_object_ref(job), g_object_unref);
    g_source_attach(source, job->context);
}

static GPtrArray *copy_warnings(const GPtrArray *from)
{
    GPtrArray *copy = g_ptr_array_new_with_free_func((GDestroyNotify)plt_warning_free);

    for (guint i = 0; i < from->len; i++) {
        const PltWarning *warning = from->pdata[i];

        g_ptr_array_add(copy, plt_warning_new(warning->id, warning->detail));
    }
    return copy;
}

/* Only the figures: histograms and samples are the library's. */
static PltCellRun *copy_figures(const PltCellRun *from)
{
    PltCellRun *copy = plt_cell_run_new();

    copy->warmup = from->warmup;
    copy->complete = from->complete;
    copy->started_us = from->started_us;
    copy->total = from->total;
    for (int op = 0; op < PLT_N_OPS; op++)
        copy->op[op] = from->op[op];
    copy->tick_ns = from->tick_ns;
    copy->n_samples = from->n_samples;
    g_array_append_vals(copy->stalls, from->stalls->data, from->stalls->len);
    return copy;
}

static void on_runner(const PltRunnerProgress *progress, const struct plt_sample *sample, gpointer user)
{
    PltJob *job = user;
    Message *message = g_new0(Message, 1);

    message->progress = *progress;
    message->ended = progress->ended != NULL ? copy_figures(progress->ended) : NULL;
    message->progress.ended = NULL;
    message->warnings = progress->warnings != NULL ? copy_warnings(progress->warnings) : NULL;
    message->progress.warnings = NULL;
    message->has_sample = sample != NULL;
    if (sample != NULL)
        message->sample = *sample;
    g_mutex_lock(&job->lock);
    if (job->first_us == 0)
        job->first_us = g_get_monotonic_time() - (gint64)progress->elapsed_ms * 1000;
    if (sample != NULL && g_queue_get_length(&job->queue) >= QUEUE_LIMIT)
        g_clear_pointer(&message, message_free);
    else
        g_queue_push_tail(&job->queue, message);
    arm(job);
    g_mutex_unlock(&job->lock);
}

static gpointer run_thread(gpointer user)
{
    PltJob *job = user;
    GError *error = NULL;
    PltRun *run = plt_runner_execute(job->plan, job->target, job->library_path, on_runner, job,
                                     job->cancellable, &error);

    g_mutex_lock(&job->lock);
    job->run = run;
    job->error = error;
    job->over = TRUE;
    arm(job);
    g_mutex_unlock(&job->lock);
    return NULL;
}

static void plt_job_finalize(GObject *object)
{
    PltJob *job = PLT_JOB(object);

    g_queue_clear_full(&job->queue, (GDestroyNotify)message_free);
    g_mutex_clear(&job->lock);
    g_clear_pointer(&job->thermometer, plt_thermometer_free);
    g_clear_pointer(&job->plan, plt_plan_free);
    g_clear_pointer(&job->target, plt_target_free);
    g_clear_pointer(&job->run, plt_run_free);
    g_clear_error(&job->error);
    g_clear_object(&job->cancellable);
    g_clear_pointer(&job->context, g_main_context_unref);
    g_clear_pointer(&job->windows, g_ptr_array_unref);
    g_clear_pointer(&job->cells, g_ptr_array_unref);
    plt_live_series_free(job->preparation);
    g_array_unref(job->latencies);
    g_array_unref(job->temperatures);
    g_array_unref(job->readings);
    g_ptr_array_unref(job->warnings);
    g_free(job->library_path);
    G_OBJECT_CLASS(plt_job_parent_class)->finalize(object);
}

static void plt_job_class_init(PltJobClass *klass)
{
    GType type = G_TYPE_FROM_CLASS(klass);

    G_OBJECT_CLASS(klass)->finalize = plt_job_finalize;
    signals[SIGNAL_PROGRESS] =
        g_signal_new("progress", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[SIGNAL_WINDOW_ENDED] = g_signal_new("window-ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                G_TYPE_NONE, 1, G_TYPE_UINT);
    signals[SIGNAL_ENDED] =
        g_signal_new("ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void plt_job_init(PltJob *job)
{
    g_mutex_init(&job->lock);
    g_queue_init(&job->queue);
    job->cancellable = g_cancellable_new();
    job->context = g_main_context_ref_thread_default();
    job->windows = g_ptr_array_new_with_free_func(live_window_free);
    job->cells = g_ptr_array_new_with_free_func(clear_cell);
    job->preparation = plt_live_series_new();
    job->latencies = g_array_new(FALSE, FALSE, sizeof(PltLiveLatency));
    job->temperatures = g_array_new(FALSE, FALSE, sizeof(PltLiveTemperature));
    job->readings = g_array_new(FALSE, FALSE, sizeof(PltThermometerReading));
    job->warnings = g_ptr_array_new_with_free_func((GDestroyNotify)plt_warning_free);
}

PltJob *plt_job_new(PltPlan *plan, PltTarget *target, const char *library_path)
{
    PltJob *job = g_object_new(PLT_TYPE_JOB, NULL);

    job->plan = plan;
    job->target = target;
    job->library_path = g_strdup(library_path);
    for (guint i = 0; i < plan->steps->len; i++) {
        const PltStep *step = g_ptr_array_index(plan->steps, i);
        gboolean is_cell = step->kind == PLT_STEP_MEASURE;

        g_ptr_array_add(job->cells, is_cell ? plt_cell_new(&step->cell, step->score_rule) : NULL);
    }
    return job;
}

void plt_job_set_thermometer(PltJob *job, PltThermometerFunc func)
{
    g_return_if_fail(!job->running && !job->over);
    job->thermometer_func = func;
}

static void start_thermometer(PltJob *job)
{
    g_auto(GStrv) drives = plt_target_get_drives(job->target);

    if (job->thermometer_func != NULL && drives != NULL && drives[0] != NULL)
        job->thermometer = plt_thermometer_new(drives[0], job->thermometer_func, THERMOMETER_MS);
}

void plt_job_start(PltJob *job)
{
    g_return_if_fail(!job->running && !job->over);
    start_thermometer(job);
    job->running = TRUE;
    g_object_ref(job); /* given back when "ended" has been said */
    job->thread = g_thread_new("plateau-runner", run_thread, job);
}

void plt_job_stop(PltJob *job)
{
    g_cancellable_cancel(job->cancellable);
}

gboolean plt_job_is_running(PltJob *job)
{
    return job->running;
}

const PltPlan *plt_job_get_plan(PltJob *job)
{
    return job->plan;
}

PltTarget *plt_job_get_target(PltJob *job)
{
    return job->target;
}

const PltRunnerProgress *plt_job_get_progress(PltJob *job)
{
    return &job->progress;
}

GPtrArray *plt_job_get_windows(PltJob *job)
{
    return job->windows;
}

const PltLiveSeries *plt_job_get_preparation(PltJob *job)
{
    return job->preparation;
}

const GArray *plt_job_get_latencies(PltJob *job)
{
    return job->latencies;
}

const GArray *plt_job_get_temperatures(PltJob *job)
{
    return job->temperatures;
}

const GPtrArray *plt_job_get_warnings(PltJob *job)
{
    return job->warnings;
}

const PltCell *plt_job_get_cell(PltJob *job, guint step)
{
    return step < job->cells->len ? job->cells->pdata[step] : NULL;
}

const PltRun *plt_job_get_run(PltJob *job)
{
    return job->running ? NULL : job->run;
}

const GError *plt_job_get_error(PltJob *job)
{
    return job->running ? NULL : job->error;
}
