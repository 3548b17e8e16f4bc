/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-library"

#include "library/writer.h"

#include "library/blob.h"
#include "library/store.h"

/*
 * Samples in a chunk. The last chunk is written anew with each commit, so the size bounds what a commit
 * writes (about 6 KB), and it spreads the cost of a blob's first sample, of a row and of its index entry.
 */
#define CHUNK_SAMPLES 256
G_STATIC_ASSERT(CHUNK_SAMPLES <= PLT_BLOB_MAX_SAMPLES);

/*
 * Pages in the log at which it is moved into the file. Between measured windows early, to keep it short;
 * inside one only when it has grown to 64 MB, because it costs a flush: at two commits of two or three pages
 * a second that is once in an hour.
 */
#define CHECKPOINT_PAGES_IDLE 256
#define CHECKPOINT_PAGES_BUSY 16384

/* Where the next row belongs. */
typedef struct {
    gint64 cell_id, cell_run_id;
    guint64 tick_ns;
    guint64 first; /* samples before the last chunk */
    GArray *chunk; /* struct plt_sample: the last chunk, not full */
} Place;

struct plt_writer {
    PltDatabase *database;
    gint64 run_id;
    Place place;
    int log_pages;
};

static int note_log_pages(void *user, sqlite3 *db, const char *name, int pages)
{
    PltWriter *writer = user;
    writer->log_pages = pages;
    return SQLITE_OK;
}

PltWriter *plt_writer_new(PltDatabase *database, gint64 run_id)
{
    PltWriter *writer = g_new0(PltWriter, 1);
    writer->database = database;
    writer->run_id = run_id;
    writer->place.chunk = g_array_new(FALSE, FALSE, sizeof(struct plt_sample));
    /* Takes the place of SQLite's own automatic checkpoint. */
    sqlite3_wal_hook(database->db, note_log_pages, writer);
    return writer;
}

void plt_writer_free(PltWriter *writer)
{
    g_array_unref(writer->place.chunk);
    plt_database_close(writer->database);
    g_free(writer);
}

static gboolean write_chunk(PltWriter *writer, GError **error)
{
    Place *place = &writer->place;
    return plt_store_put_samples(writer->database, place->cell_run_id, place->first,
                                 &g_array_index(place->chunk, struct plt_sample, 0), place->chunk->len,
                                 place->tick_ns, error);
}

static gboolean write_samples(PltWriter *writer, const GArray *samples, GError **error)
{
    Place *place = &writer->place;
    for (guint i = 0; i < samples->len;) {
        guint n = MIN(samples->len - i, CHUNK_SAMPLES - place->chunk->len);
        g_array_append_vals(place->chunk, &g_array_index(samples, struct plt_sample, i), n);
        i += n;
        if (!write_chunk(writer, error))
            return FALSE;
        if (place->chunk->len == CHUNK_SAMPLES) {
            place->first += CHUNK_SAMPLES;
            g_array_set_size(place->chunk, 0);
        }
    }
    return TRUE;
}

static gboolean begin_cell_run(PltWriter *writer, const PltEntry *entry, GError **error)
{
    Place *place = &writer->place;
    place->cell_run_id = plt_store_add_cell_run(writer->database, place->cell_id, entry->warmup, entry->at_us,
                                                entry->tick_ns, error);
    place->tick_ns = entry->tick_ns;
    place->first = 0;
    g_array_set_size(place->chunk, 0);
    return place->cell_run_id != 0;
}

static gboolean write_temperature(PltWriter *writer, const PltEntry *entry, GError **error)
{
    PltTemperature temperature = {entry->at_us, entry->celsius};
    return plt_store_add_temperature(writer->database, writer->run_id, &temperature, error);
}

static gboolean write_entry(PltWriter *writer, const PltEntry *entry, GError **error)
{
    PltDatabase *database = writer->database;
    Place *place = &writer->place;
    switch (entry->kind) {
    case PLT_ENTRY_CELL:
        place->cell_id = plt_store_add_cell(database, writer->run_id, &entry->spec, entry->rule, error);
        return place->cell_id != 0;
    case PLT_ENTRY_CELL_RUN:
        return begin_cell_run(writer, entry, error);
    case PLT_ENTRY_SAMPLES:
        return write_samples(writer, entry->samples, error);
    case PLT_ENTRY_HISTOGRAM:
        return plt_store_put_histogram(database, place->cell_run_id, entry->op, entry->histogram, error);
    case PLT_ENTRY_END:
        return plt_store_end_cell_run(database, place->cell_run_id, entry->figures, entry->engine, error);
    case PLT_ENTRY_WARNING:
        return plt_store_add_warning(database, writer->run_id, entry->name, entry->detail, error);
    case PLT_ENTRY_EVENT:
        return plt_store_add_event(database, writer->run_id, entry->at_us, entry->name, entry->detail, error);
    case PLT_ENTRY_HEAT:
        return write_temperature(writer, entry, error);
    case PLT_ENTRY_FINISH:
        return plt_store_end_run(database, writer->run_id, entry->status, entry->detail, entry->at_us, error);
    }
    g_return_val_if_reached(FALSE);
}

static gboolean write_all(PltWriter *writer, GQueue *entries, GError **error)
{
    if (!plt_database_begin(writer->database, error))
        return FALSE;
    for (GList *link = entries->head; link; link = link->next) {
        if (!write_entry(writer, link->data, error)) {
            plt_database_rollback(writer->database);
            return FALSE;
        }
    }
    return plt_database_commit(writer->database, error);
}

gboolean plt_writer_write(PltWriter *writer, GQueue *entries, GError **error)
{
    Place before = writer->place;
    before.chunk = g_array_copy(writer->place.chunk);
    gboolean written = write_all(writer, entries, error);
    if (!written) {
        GArray *changed = writer->place.chunk;
        writer->place = before;
        before.chunk = changed;
    }
    g_array_unref(before.chunk);
    return written;
}

/*
 * The first commit after the log was emptied flushes the log's new head. Better now than at the beginning of
 * the next measured window: so one is made, which changes nothing.
 */
static void renew_log(PltWriter *writer)
{
    g_autoptr(sqlite3_stmt) statement =
        plt_database_prepare(writer->database, "UPDATE run SET started_us = started_us WHERE id = ?1", NULL);
    if (!statement)
        return;
    sqlite3_bind_int64(statement, 1, writer->run_id);
    plt_database_done(writer->database, statement, NULL);
}

void plt_writer_checkpoint(PltWriter *writer, gboolean idle)
{
    if (writer->log_pages < (idle ? CHECKPOINT_PAGES_IDLE : CHECKPOINT_PAGES_BUSY))
        return;
    /* PASSIVE waits for nobody: what a reader still needs stays in the log until the next time. */
    sqlite3_wal_checkpoint_v2(writer->database->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    renew_log(writer);
}
