/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/recorder.h"

#include "library/blob.h"
#include "library/lock.h"
#include "library/store.h"
#include "library/writer.h"

/* A commit each half second: what was given a second ago is then in the file even if the commit took a while.
 */
#define COMMIT_INTERVAL_US (G_USEC_PER_SEC / 2)

struct plt_recorder {
    gint64 run_id;
    PltLock *lock;
    GThread *thread;
    PltWriter *writer; /* the thread's */
    GError *failure;   /* the thread's: the first */
    gboolean written;  /* the thread's: the last transaction succeeded */

    GMutex mutex;
    GCond cond;
    GQueue queue; /* PltEntry */
    guint n_samples;
    gboolean finishing;
};

static gint64 insert_run(PltDatabase *database, const PltRun *run, GError **error)
{
    if (!plt_database_begin(database, error))
        return 0;
    gint64 id = plt_store_add_run(database, run, error);
    gboolean stored = id != 0;
    for (guint i = 0; stored && i < run->warnings->len; i++) {
        const PltWarning *warning = g_ptr_array_index(run->warnings, i);
        stored = plt_store_add_warning(database, id, warning->id, warning->detail, error);
    }
    for (guint i = 0; stored && i < run->events->len; i++) {
        const PltEvent *event = g_ptr_array_index(run->events, i);
        stored = plt_store_add_event(database, id, event->at_us, event->kind, event->detail, error);
    }
    if (!stored) {
        plt_database_rollback(database);
        return 0;
    }
    return plt_database_commit(database, error) ? id : 0;
}

/* Halves the samples that wait, and keeps a record of having done so. Called with the mutex held. */
static void merge_waiting(PltRecorder *recorder)
{
    recorder->n_samples = 0;
    for (GList *link = recorder->queue.head; link; link = link->next) {
        PltEntry *entry = link->data;
        if (entry->kind != PLT_ENTRY_SAMPLES)
            continue;
        plt_entry_merge_samples(entry->samples);
        recorder->n_samples += entry->samples->len;
    }
    PltEntry *event = plt_entry_new(PLT_ENTRY_EVENT);
    event->name = g_strdup("samples-merged");
    event->at_us = g_get_real_time();
    g_queue_push_tail(&recorder->queue, event);
}

static void push(PltRecorder *recorder, PltEntry *entry)
{
    g_mutex_lock(&recorder->mutex);
    g_queue_push_tail(&recorder->queue, entry);
    recorder->finishing = recorder->finishing || entry->kind == PLT_ENTRY_FINISH;
    g_cond_signal(&recorder->cond);
    g_mutex_unlock(&recorder->mutex);
}

/*
 * Waits for entries, then until NEXT_US so that more come together, and takes all that there are. None when
 * nothing came until IDLE_US; 0 waits for ever.
 */
static GQueue take(PltRecorder *recorder, gint64 next_us, gint64 idle_us)
{
    GQueue taken = G_QUEUE_INIT;
    gboolean idle = FALSE;
    g_mutex_lock(&recorder->mutex);
    while (g_queue_is_empty(&recorder->queue) && !idle) {
        if (idle_us == 0)
            g_cond_wait(&recorder->cond, &recorder->mutex);
        else
            idle = !g_cond_wait_until(&recorder->cond, &recorder->mutex, idle_us);
    }
    if (!g_queue_is_empty(&recorder->queue)) {
        while (!recorder->finishing && g_cond_wait_until(&recorder->cond, &recorder->mutex, next_us))
            ;
        taken = recorder->queue;
        g_queue_init(&recorder->queue);
        recorder->n_samples = 0;
    }
    g_mutex_unlock(&recorder->mutex);
    return taken;
}

/* What could not be written goes back before what has come since. */
static void give_back(PltRecorder *recorder, GQueue *taken)
{
    g_mutex_lock(&recorder->mutex);
    while (!g_queue_is_empty(taken)) {
        PltEntry *entry = g_queue_pop_tail(taken);
        if (entry->kind == PLT_ENTRY_SAMPLES)
            recorder->n_samples += entry->samples->len;
        g_queue_push_head(&recorder->queue, entry);
    }
    if (recorder->n_samples > PLT_RECORDER_MAX_SAMPLES)
        merge_waiting(recorder);
    g_mutex_unlock(&recorder->mutex);
}

/* Writes ENTRIES or gives them back, and frees what is left of them. */
static void write_entries(PltRecorder *recorder, GQueue *entries, gboolean finished)
{
    g_autoptr(GError) error = NULL;
    recorder->written = plt_writer_write(recorder->writer, entries, &error);
    if (!recorder->written && !recorder->failure)
        recorder->failure = g_steal_pointer(&error);
    if (!recorder->written && !finished)
        give_back(recorder, entries);
    g_queue_clear_full(entries, (GDestroyNotify)plt_entry_free);
}

static gpointer write_in_thread(gpointer data)
{
    PltRecorder *recorder = data;
    gint64 next_us = 0, idle_us = 0;
    PltEntryKind last = PLT_ENTRY_CELL;
    gboolean resting = FALSE;
    while (last != PLT_ENTRY_FINISH) {
        GQueue entries = take(recorder, next_us, idle_us);
        if (g_queue_is_empty(&entries)) {
            plt_writer_checkpoint(recorder->writer, TRUE);
            idle_us = 0;
            continue;
        }
        last = ((PltEntry *)g_queue_peek_tail(&entries))->kind;
        write_entries(recorder, &entries, last == PLT_ENTRY_FINISH);
        /* Nothing for a while after a measured window: a rest, in which flushing the disk disturbs nobody.
         * Temperatures go on during a rest: when nothing else came, the while is over. */
        plt_writer_checkpoint(recorder->writer, resting && last == PLT_ENTRY_HEAT);
        next_us = g_get_monotonic_time() + COMMIT_INTERVAL_US;
        resting = last == PLT_ENTRY_END || (resting && last == PLT_ENTRY_HEAT);
        idle_us = resting ? next_us : 0;
    }
    return NULL;
}

PltRecorder *plt_recorder_new(const char *path, const PltRun *run, gboolean durable, GError **error)
{
    g_return_val_if_fail(run->uuid != NULL, NULL);

    g_autofree char *real_path = path ? g_strdup(path) : plt_library_default_path();
    g_autoptr(PltDatabase) database = plt_database_open(real_path, error);
    if (!database || (durable && !plt_database_exec(database, "PRAGMA synchronous = FULL", error)))
        return NULL;
    /* Before the run is in the library: a run that says "running" always has had a lock. */
    g_autoptr(PltLock) lock = plt_lock_take(database->path, run->uuid, error);
    if (!lock)
        return NULL;
    gint64 id = insert_run(database, run, error);
    if (id == 0)
        return NULL;

    PltRecorder *recorder = g_new0(PltRecorder, 1);
    recorder->run_id = id;
    recorder->lock = g_steal_pointer(&lock);
    recorder->writer = plt_writer_new(g_steal_pointer(&database), id);
    g_mutex_init(&recorder->mutex);
    g_cond_init(&recorder->cond);
    g_queue_init(&recorder->queue);
    recorder->thread = g_thread_new("recorder", write_in_thread, recorder);
    return recorder;
}

gint64 plt_recorder_run_id(PltRecorder *recorder)
{
    return recorder->run_id;
}

void plt_recorder_begin_cell(PltRecorder *recorder, const PltCellSpec *spec, PltScoreRule rule)
{
    PltEntry *entry = plt_entry_new(PLT_ENTRY_CELL);
    plt_cell_spec_copy(spec, &entry->spec);
    entry->rule = rule;
    push(recorder, entry);
}

void plt_recorder_begin_cell_run(PltRecorder *recorder, gboolean warmup, gint64 started_us, guint64 tick_ns)
{
    PltEntry *entry = plt_entry_new(PLT_ENTRY_CELL_RUN);
    entry->warmup = warmup;
    entry->at_us = started_us;
    entry->tick_ns = tick_ns;
    push(recorder, entry);
}

void plt_recorder_add_sample(PltRecorder *recorder, const struct plt_sample *sample)
{
    g_mutex_lock(&recorder->mutex);
    PltEntry *last = g_queue_peek_tail(&recorder->queue);
    if (!last || last->kind != PLT_ENTRY_SAMPLES) {
        last = plt_entry_new(PLT_ENTRY_SAMPLES);
        last->samples = g_array_new(FALSE, FALSE, sizeof(struct plt_sample));
        g_queue_push_tail(&recorder->queue, last);
        g_cond_signal(&recorder->cond);
    }
    g_array_append_val(last->samples, *sample);
    if (++recorder->n_samples > PLT_RECORDER_MAX_SAMPLES)
        merge_waiting(recorder);
    g_mutex_unlock(&recorder->mutex);
}

/* The histogram of OP that still waits for the same cell run, which a newer one makes useless; or NULL. */
static PltEntry *waiting_histogram(PltRecorder *recorder, enum plt_op op)
{
    for (GList *link = recorder->queue.tail; link; link = link->prev) {
        PltEntry *entry = link->data;
        if (entry->kind == PLT_ENTRY_CELL_RUN)
            return NULL;
        if (entry->kind == PLT_ENTRY_HISTOGRAM && entry->op == op)
            return entry;
    }
    return NULL;
}

void plt_recorder_set_histogram(PltRecorder *recorder, enum plt_op op, const struct plt_histogram *histogram)
{
    GByteArray *blob = plt_blob_write_histogram(histogram);
    g_mutex_lock(&recorder->mutex);
    PltEntry *entry = waiting_histogram(recorder, op);
    if (!entry) {
        entry = plt_entry_new(PLT_ENTRY_HISTOGRAM);
        entry->op = op;
        g_queue_push_tail(&recorder->queue, entry);
        g_cond_signal(&recorder->cond);
    }
    g_clear_pointer(&entry->histogram, g_byte_array_unref);
    entry->histogram = blob;
    g_mutex_unlock(&recorder->mutex);
}

void plt_recorder_end_cell_run(PltRecorder *recorder, const PltCellRun *run)
{
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (run->histogram[op])
            plt_recorder_set_histogram(recorder, (enum plt_op)op, run->histogram[op]);
    }
    push(recorder, plt_entry_new_end(run));
}

void plt_recorder_add_warning(PltRecorder *recorder, const char *id, const char *detail)
{
    PltEntry *entry = plt_entry_new(PLT_ENTRY_WARNING);
    entry->name = g_strdup(id);
    entry->detail = g_strdup(detail);
    push(recorder, entry);
}

void plt_recorder_add_event(PltRecorder *recorder, const char *kind, const char *detail)
{
    PltEntry *entry = plt_entry_new(PLT_ENTRY_EVENT);
    entry->name = g_strdup(kind);
    entry->detail = g_strdup(detail);
    entry->at_us = g_get_real_time();
    push(recorder, entry);
}

void plt_recorder_add_temperature(PltRecorder *recorder, gint64 at_us, double celsius)
{
    PltEntry *entry = plt_entry_new(PLT_ENTRY_HEAT);
    entry->at_us = at_us;
    entry->celsius = celsius;
    push(recorder, entry);
}

gboolean plt_recorder_finish(PltRecorder *recorder, PltRunStatus status, const char *detail, gint64 ended_us,
                             GError **error)
{
    PltEntry *entry = plt_entry_new(PLT_ENTRY_FINISH);
    entry->status = status;
    entry->detail = g_strdup(detail);
    entry->at_us = ended_us;
    push(recorder, entry);
    g_thread_join(recorder->thread);

    gboolean written = recorder->written;
    if (!written)
        g_propagate_error(error, g_steal_pointer(&recorder->failure));
    g_clear_error(&recorder->failure);
    plt_writer_free(recorder->writer);
    plt_lock_release(recorder->lock);
    g_mutex_clear(&recorder->mutex);
    g_cond_clear(&recorder->cond);
    g_free(recorder);
    return written;
}
