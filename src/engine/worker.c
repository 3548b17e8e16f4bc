/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/clock.h"
#include "engine/private.h"

/*
 * Submit caps: a worker starts with 4 SQEs per enter, because the kernel holds a batch back until its last
 * I/O is prepared, which made a latency-bound drive 12 % slower at depth 32. A worker that its processor
 * limits gains from larger batches (loop device, depth 256: +30 %), so those are tried, up to 32.
 */
#define CAP_START 4
#define CAP_MOST 32
#define CAP_BUSY 0.9 /* share of a processor above which a worker counts as limited by it */
#define CAP_GAIN 1.02

#define FOREVER UINT64_MAX

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

int plt_worker_init(struct plt_worker *w, struct plt_engine *engine, unsigned index, unsigned stream_index)
{
    const struct plt_workload *load = &engine->workload;
    w->engine = engine;
    w->index = index;
    pthread_mutex_init(&w->lock, NULL);
    w->tick = calloc(PLT_TICK_RING, sizeof *w->tick);
    if (w->tick == NULL) {
        return -ENOMEM;
    }
    bool flushes = load->sync == PLT_SYNC_FSYNC || load->sync == PLT_SYNC_FDATASYNC;
    bool used[PLT_N_OPS] = {load->read_percent > 0, load->read_percent < 100, load->trim, flushes};
    for (int op = 0; op < PLT_N_OPS; op++) {
        if (used[op] && (w->histogram[op] = malloc(sizeof *w->histogram[op])) == NULL) {
            return -ENOMEM;
        }
        if (used[op]) {
            plt_histogram_reset(w->histogram[op]);
        }
    }
    plt_stream_init(&w->stream, load, &engine->target, stream_index, index, engine->shared);
    if (engine->pool.data != NULL) {
        plt_pool_walk_init(&w->walk, &engine->pool, load->seed, index, engine->n_workers);
    }
    w->cap = load->submit_cap != 0 ? load->submit_cap : CAP_START;
    w->cap = w->cap > load->queue ? load->queue : w->cap;
    return 0;
}

void plt_worker_clear(struct plt_worker *w)
{
    for (int op = 0; op < PLT_N_OPS; op++) {
        free(w->histogram[op]);
    }
    free(w->tick);
    if (w->engine != NULL) {
        pthread_mutex_destroy(&w->lock);
    }
}

/* plt_engine_peek may be reading. */
static void reset_histograms(struct plt_worker *w)
{
    for (int op = 0; op < PLT_N_OPS; op++) {
        struct plt_histogram *h = w->histogram[op];
        for (unsigned i = 0; h != NULL && i < PLT_HISTOGRAM_BUCKETS; i++) {
            __atomic_store_n(&h->bucket[i], 0, __ATOMIC_RELAXED);
        }
    }
}

static void open_tick(struct plt_sample *open)
{
    memset(open, 0, sizeof *open);
    open->first_ns = UINT64_MAX;
    for (int op = 0; op < PLT_N_OPS; op++) {
        open->op[op].lat_min_ns = UINT64_MAX;
    }
}

static void stop_tuning(struct plt_worker *w, unsigned cap)
{
    w->cap = cap;
    w->tuner.trial_length = 0;
    w->tuner.trial_end = FOREVER;
}

static void begin_window(struct plt_worker *w, uint64_t now)
{
    struct plt_open_ios open;
    if (w->tuner.trial_length != 0) {
        stop_tuning(w, w->tuner.best);
    }
    reset_histograms(w);
    open_tick(&w->open);
    w->look(w, now, w->t0, &open);
    w->area_ns = open.area_ns;
    w->phase = PLT_WORKER_MEASURE;
    w->tick_end = w->t0 + w->engine->workload.tick_ns;
    w->last_completion_ns = w->t0;
}

/* Closed ticks must not be lost: a sampler that is 100 s behind is waited for, and the result says so. */
static void push_tick(struct plt_worker *w)
{
    uint64_t head = atomic_load_explicit(&w->tick_head, memory_order_relaxed);
    while (head - atomic_load_explicit(&w->tick_tail, memory_order_acquire) >= PLT_TICK_RING) {
        if (atomic_load(&w->engine->abandoned)) {
            return;
        }
        struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
        w->ticks_late = true;
    }
    w->tick[head % PLT_TICK_RING] = w->open;
    atomic_store_explicit(&w->tick_head, head + 1, memory_order_release);
}

/* What plt_worker_count left for later. */
static void complete_op(const struct plt_worker *w, enum plt_op op, struct plt_sample_op *o)
{
    struct plt_histogram *h = w->histogram[op];
    if (o->ios == 0) {
        o->lat_min_ns = 0;
        return;
    }
    o->bytes = op == PLT_OP_FLUSH ? 0 : o->ios * w->engine->workload.block;
    h->count += o->ios;
    h->sum_ns += o->lat_sum_ns;
    h->min_ns = least(h->min_ns, o->lat_min_ns);
    h->max_ns = o->lat_max_ns > h->max_ns ? o->lat_max_ns : h->max_ns;
}

static uint64_t tick_start(const struct plt_worker *w)
{
    return w->tick_end - w->engine->workload.tick_ns;
}

static void close_tick(struct plt_worker *w, uint64_t end, uint64_t now)
{
    struct plt_sample *open = &w->open;
    struct plt_open_ios ios;
    w->look(w, now, now, &ios);
    open->index = (tick_start(w) - w->t0) / w->engine->workload.tick_ns;
    open->duration_ns = end - tick_start(w);
    open->inflight = ios.count;
    open->oldest_ns = ios.oldest_ns > now - end ? ios.oldest_ns - (now - end) : 0;
    if (open->last_ns != 0) {
        w->last_completion_ns = open->last_ns;
        open->first_ns -= w->t0;
        open->last_ns -= w->t0;
    } else {
        open->first_ns = 0;
    }
    for (int op = 0; op < PLT_N_OPS; op++) {
        complete_op(w, op, &open->op[op]);
    }
    push_tick(w);
    open_tick(open);
    w->tick_end += w->engine->workload.tick_ns;
}

static void start_times(struct plt_worker *w)
{
    plt_engine_thread_time(&w->user_ns, &w->system_ns);
    w->busy_ns = plt_engine_thread_busy_ns();
    w->timed = true;
}

static void stop_times(struct plt_worker *w)
{
    uint64_t user, system;
    plt_engine_thread_time(&user, &system);
    w->user_ns = user - w->user_ns;
    w->system_ns = system - w->system_ns;
    w->busy_ns = plt_engine_thread_busy_ns() - w->busy_ns;
}

/* OWN: on the worker's thread, whose processor time counts. */
static void end_window(struct plt_worker *w, uint64_t now, bool own)
{
    struct plt_open_ios open;
    if (w->phase == PLT_WORKER_MEASURE) {
        if (w->t_end > tick_start(w)) {
            close_tick(w, w->t_end, now);
        }
        w->look(w, now, w->t_end, &open);
        w->area_ns -= least(w->area_ns, open.area_ns);
    } else {
        reset_histograms(w);
        w->area_ns = 0;
    }
    if (own && w->timed) {
        stop_times(w);
    } else {
        w->user_ns = w->system_ns = w->busy_ns = 0;
    }
    w->kernel_workers = w->engine->backend == PLT_BACKEND_RING && plt_engine_count_kernel_workers() > 0;
    w->phase = PLT_WORKER_DRAIN;
    w->edge = FOREVER;
    atomic_store(&w->window_over, true);
    plt_engine_signal(w->engine);
}

static uint64_t completed(const struct plt_worker *w)
{
    uint64_t sum = 0;
    for (int op = 0; op < PLT_N_OPS; op++) {
        sum += w->open.op[op].ios; /* a ramp has no ticks: all of it is open */
    }
    return sum;
}

static void begin_trial(struct plt_worker *w, uint64_t now)
{
    w->tuner.started_ns = now;
    w->tuner.started_busy_ns = plt_engine_thread_busy_ns();
    w->tuner.started_ios = completed(w);
    w->tuner.trial_end = now + w->tuner.trial_length;
}

/* One trial has ended: a doubled cap stays only if the processor is the limit and the rate rose. */
static void tune(struct plt_worker *w, uint64_t now)
{
    struct plt_tuner *t = &w->tuner;
    double elapsed = (double)(now - t->started_ns);
    double rate = (double)(completed(w) - t->started_ios) / elapsed;
    double busy = (double)(plt_engine_thread_busy_ns() - t->started_busy_ns) / elapsed;
    if (!t->settled) {
        t->settled = true;
        begin_trial(w, now);
        return;
    }
    if (rate < t->best_rate * CAP_GAIN) {
        stop_tuning(w, t->best);
        return;
    }
    t->best = w->cap;
    t->best_rate = rate;
    unsigned next = w->cap * 2;
    if (busy < CAP_BUSY || next > CAP_MOST || next > w->engine->workload.queue) {
        stop_tuning(w, t->best);
        return;
    }
    w->cap = next;
    begin_trial(w, now);
}

void plt_worker_start(struct plt_worker *w, uint64_t now)
{
    const struct plt_workload *load = &w->engine->workload;
    w->t0 = w->engine->t0_ns;
    w->t_end = load->duration_ns != 0 ? w->t0 + load->duration_ns : FOREVER;
    w->phase = PLT_WORKER_RAMP;
    open_tick(&w->open);
    w->tuner.trial_end = FOREVER;
    if (load->submit_cap == 0 && load->ramp_ns != 0 && load->queue > CAP_START) {
        /* One part to fill the queue, then caps 4, 8, 16 and 32. */
        w->tuner.trial_length = load->ramp_ns / 6;
        w->tuner.best = w->cap;
        begin_trial(w, now);
    }
    w->edge = least(w->t0, w->tuner.trial_end);
    plt_worker_take_stop(w);
}

/*
 * What was counted stays counted, and what was delivered stays delivered: a stop that was decided a moment
 * before it reached this worker moves behind both.
 */
static void keep_counted(struct plt_worker *w)
{
    uint64_t least_end = tick_start(w);
    if (w->open.last_ns != 0) {
        least_end = w->open.last_ns > least_end ? w->open.last_ns : least_end + 1;
    }
    w->t_end = w->t_end > least_end ? w->t_end : least_end;
}

/* Does all until NOW but the window's end; true when that has come. */
static bool advance(struct plt_worker *w, uint64_t now)
{
    w->t_end = least(w->t_end, atomic_load(&w->engine->stop_ns));
    if (w->phase == PLT_WORKER_RAMP) {
        if (w->t_end <= w->t0 || now < w->t0) {
            return now >= w->t_end;
        }
        begin_window(w, now);
    }
    keep_counted(w);
    for (uint64_t end; now >= (end = least(w->tick_end, w->t_end));) {
        if (end == w->t_end) {
            return true;
        }
        close_tick(w, end, now);
    }
    return false;
}

bool plt_worker_edge(struct plt_worker *w, uint64_t now)
{
    bool over = advance(w, now);
    if (w->phase == PLT_WORKER_MEASURE && !w->timed) {
        start_times(w);
    }
    if (over) {
        end_window(w, now, true);
        return true;
    }
    if (w->phase == PLT_WORKER_RAMP) {
        if (now >= w->tuner.trial_end) {
            tune(w, now);
        }
        w->edge = least(least(w->t0, w->t_end), w->tuner.trial_end);
    } else {
        w->edge = least(w->tick_end, w->t_end);
    }
    return false;
}

void plt_worker_stand_in(struct plt_worker *w, uint64_t now, bool give_up)
{
    if (advance(w, now) && give_up) {
        end_window(w, now, false);
    }
}

void plt_worker_take_stop(struct plt_worker *w)
{
    w->t_end = least(w->t_end, atomic_load(&w->engine->stop_ns));
    w->edge = least(w->edge, w->t_end);
}

void plt_worker_end(struct plt_worker *w, uint64_t now)
{
    w->t_end = least(w->t_end, now);
    if (w->phase == PLT_WORKER_MEASURE) {
        keep_counted(w);
    }
    plt_worker_edge(w, w->t_end > now ? w->t_end : now);
}

void plt_worker_fail(struct plt_worker *w, int code, enum plt_op op, uint64_t offset, uint64_t now)
{
    if (w->error.phase != PLT_PHASE_NONE) {
        return;
    }
    w->error = (struct plt_engine_error){
        .phase = PLT_PHASE_IO,
        .code = code,
        .op = op,
        .offset = offset,
        .at_ns = now - w->engine->start_ns,
    };
    atomic_store(&w->engine->failed, true);
    plt_engine_stop_at(w->engine, now);
    plt_worker_take_stop(w);
}
