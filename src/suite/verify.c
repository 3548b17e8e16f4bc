/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-suite"

#include "config.h"

#include "suite/verify.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Memory that every drive and file system takes for direct I/O. */
#define ALIGNMENT 4096

/* A drive that refuses so many blocks one after the other takes no more. */
#define FAILURES_MAX 64

struct plt_verify {
    gatomicrefcount references; /* the owner's, and one of each thread */
    PltVerifyRange range;
    enum plt_op op;

    GMutex lock;
    GCond changed;
    guint n_running; /* under lock, as all below */
    gboolean stop;
    guint64 cursor; /* next position to be taken */
    guint64 end;    /* of what can be had */
    guint inflight;
    guint failures; /* in a row */
    gint64 started_ns, taken_ns, last_ns, ended_ns;
    struct plt_sample sample; /* of the tick under way */
    struct plt_sample_op total;
    guint64 ticks;
    struct plt_histogram histogram;
    GArray *stalls;
    struct plt_engine_error error;
    PltStampTally tally;
};

static gint64 now_ns(void)
{
    return g_get_monotonic_time() * 1000;
}

static void verify_unref(PltVerify *verify)
{
    if (!g_atomic_ref_count_dec(&verify->references))
        return;
    g_array_unref(verify->range.files);
    g_array_unref(verify->stalls);
    g_mutex_clear(&verify->lock);
    g_cond_clear(&verify->changed);
    g_free(verify);
}

/* The next block of the pass; FALSE when there is none. Under lock. */
static gboolean take_block(PltVerify *verify, guint64 *position, gsize *size)
{
    if (verify->stop || verify->cursor >= verify->end)
        return FALSE;
    *position = verify->cursor;
    *size = MIN(PLT_VERIFY_BLOCK, verify->end - verify->cursor);
    verify->cursor += *size;
    verify->inflight++;
    return TRUE;
}

/* 0, or an errno value. */
static int transfer(const PltVerify *verify, guint8 *buffer, gsize size, guint64 position)
{
    const PltVerifyRange *range = &verify->range;
    const PltTestFile *file = &g_array_index(range->files, PltTestFile, (guint)(position / range->file_size));
    guint64 offset = range->offset + position % range->file_size;

    for (gsize done = 0; done < size;) {
        gssize n = verify->op == PLT_OP_WRITE
                       ? pwrite(file->fd, buffer + done, size - done, (off_t)(offset + done))
                       : pread(file->fd, buffer + done, size - done, (off_t)(offset + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : EIO; /* a file that has become shorter has lost its end */
        done += (gsize)n;
    }
    return 0;
}

static void note_completion(PltVerify *verify, gsize size, gint64 begun, gint64 done)
{
    struct plt_sample_op *const ops[] = {&verify->sample.op[verify->op], &verify->total};
    guint64 latency = (guint64)(done - begun);

    for (guint i = 0; i < G_N_ELEMENTS(ops); i++) {
        ops[i]->lat_min_ns = ops[i]->ios > 0 ? MIN(ops[i]->lat_min_ns, latency) : latency;
        ops[i]->lat_max_ns = MAX(ops[i]->lat_max_ns, latency);
        ops[i]->lat_sum_ns += latency;
        ops[i]->bytes += size;
        ops[i]->ios++;
    }
    plt_histogram_add(&verify->histogram, latency);
    if (verify->sample.op[verify->op].ios == 1)
        verify->sample.first_ns = (guint64)(done - verify->started_ns);
    verify->sample.last_ns = (guint64)(done - verify->started_ns);
}

static void note_stall(PltVerify *verify, gint64 done)
{
    struct plt_stall stall = {.start_ns = (guint64)(verify->last_ns - verify->started_ns),
                              .length_ns = (guint64)(done - verify->last_ns),
                              .inflight = verify->inflight};

    if (stall.length_ns >= PLT_STALL_MIN_NS)
        g_array_append_val(verify->stalls, stall);
    verify->last_ns = MAX(verify->last_ns, done);
}

/* Whether there is any point in going on after an error at POSITION. */
static void note_error(PltVerify *verify, int code, gsize size, guint64 position)
{
    if (code == ENOSPC || code == EDQUOT) {
        verify->end = MIN(verify->end, position);
        return;
    }
    plt_stamp_fail(&verify->tally, size, position);
    verify->failures++;
    if (code != ENODEV && code != ENXIO && code != ESHUTDOWN && code != EROFS) {
        verify->stop |= verify->failures >= FAILURES_MAX && verify->op == PLT_OP_WRITE;
        return;
    }
    verify->stop = TRUE;
    verify->error = (struct plt_engine_error){.phase = PLT_PHASE_IO,
                                              .code = code,
                                              .op = verify->op,
                                              .offset = position,
                                              .at_ns = (guint64)(now_ns() - verify->started_ns)};
}

/* Under lock. */
static void note(PltVerify *verify, int code, gsize size, guint64 position, gint64 begun, gint64 done)
{
    note_stall(verify, done);
    verify->inflight--;
    if (code != 0) {
        note_error(verify, code, size, position);
        return;
    }
    verify->failures = 0;
    note_completion(verify, size, begun, done);
}

static void work(PltVerify *verify, guint8 *buffer, PltStampTally *found)
{
    guint64 position;
    gsize size;

    while (take_block(verify, &position, &size)) {
        gint64 begun, done;
        int code;

        g_mutex_unlock(&verify->lock);
        if (verify->op == PLT_OP_WRITE)
            plt_stamp_fill(buffer, size, position, verify->range.seed);
        begun = now_ns();
        code = transfer(verify, buffer, size, position);
        done = now_ns();
        if (verify->op == PLT_OP_READ && code == 0)
            plt_stamp_check(buffer, size, position, verify->range.seed, found);
        g_mutex_lock(&verify->lock);
        note(verify, code, size, position, begun, done);
    }
}

static gpointer run_thread(gpointer user)
{
    PltVerify *verify = user;
    guint8 *buffer = g_aligned_alloc0(1, PLT_VERIFY_BLOCK, ALIGNMENT);
    PltStampTally *found = g_new(PltStampTally, 1);

    plt_stamp_tally_init(found, verify->range.total);
    g_mutex_lock(&verify->lock);
    work(verify, buffer, found);
    plt_stamp_tally_add(&verify->tally, found);
    if (--verify->n_running == 0) {
        verify->ended_ns = now_ns();
        g_cond_signal(&verify->changed);
    }
    g_mutex_unlock(&verify->lock);
    g_aligned_free(buffer);
    g_free(found);
    verify_unref(verify);
    return NULL;
}

PltVerify *plt_verify_start(const PltVerifyRange *range, enum plt_op op, guint threads)
{
    PltVerify *verify = g_new0(PltVerify, 1);

    g_atomic_ref_count_init(&verify->references);
    g_mutex_init(&verify->lock);
    g_cond_init(&verify->changed);
    verify->range = *range;
    g_array_ref(range->files);
    verify->op = op;
    verify->end = range->total;
    verify->stalls = g_array_new(FALSE, FALSE, sizeof(struct plt_stall));
    plt_histogram_reset(&verify->histogram);
    plt_stamp_tally_init(&verify->tally, range->total);
    verify->started_ns = verify->taken_ns = verify->last_ns = now_ns();
    verify->n_running = threads;
    for (guint i = 0; i < threads; i++) {
        g_atomic_ref_count_inc(&verify->references);
        g_thread_unref(g_thread_new("verify", run_thread, verify));
    }
    return verify;
}

gboolean plt_verify_wait(PltVerify *verify, gint64 us)
{
    gint64 until = g_get_monotonic_time() + us;
    gboolean over, waiting = TRUE;

    g_mutex_lock(&verify->lock);
    while (verify->n_running > 0 && waiting)
        waiting = g_cond_wait_until(&verify->changed, &verify->lock, until);
    over = verify->n_running == 0;
    g_mutex_unlock(&verify->lock);
    return over;
}

void plt_verify_take_sample(PltVerify *verify, struct plt_sample *sample)
{
    gint64 now;

    g_mutex_lock(&verify->lock);
    now = verify->n_running == 0 ? verify->ended_ns : now_ns();
    *sample = verify->sample;
    sample->index = verify->ticks++;
    sample->duration_ns = (guint64)(now - verify->taken_ns);
    sample->inflight = verify->inflight;
    verify->taken_ns = now;
    verify->sample = (struct plt_sample){0};
    g_mutex_unlock(&verify->lock);
}

void plt_verify_stop(PltVerify *verify)
{
    g_mutex_lock(&verify->lock);
    verify->stop = TRUE;
    g_mutex_unlock(&verify->lock);
}

void plt_verify_get_result(PltVerify *verify, struct plt_engine_result *result)
{
    gint64 ended;

    g_mutex_lock(&verify->lock);
    ended = verify->n_running == 0 ? verify->ended_ns : now_ns();
    *result = (struct plt_engine_result){.end = PLT_END_BYTES, .backend = PLT_BACKEND_THREADS};
    result->error = verify->error;
    if (verify->error.phase != PLT_PHASE_NONE)
        result->end = PLT_END_ERROR;
    result->window_ns = (guint64)(ended - verify->started_ns);
    result->ticks = verify->ticks;
    result->total[verify->op] = verify->total;
    result->histogram[verify->op] = verify->total.ios > 0 ? &verify->histogram : NULL;
    result->stalls = (const struct plt_stall *)(void *)verify->stalls->data;
    result->n_stalls = verify->stalls->len;
    if (result->window_ns > 0)
        result->effective_queue = (double)verify->total.lat_sum_ns / (double)result->window_ns;
    g_mutex_unlock(&verify->lock);
}

const PltStampTally *plt_verify_get_tally(PltVerify *verify)
{
    return &verify->tally;
}

guint64 plt_verify_get_end(PltVerify *verify)
{
    return verify->end;
}

void plt_verify_free(PltVerify *verify)
{
    verify_unref(verify);
}
