/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/clock.h"
#include "engine/private.h"

/* Puts the workers' ticks together, finds stalls, and hands samples over, on the thread that runs the engine.
 */

#define MOST_STALLS 65536

/* Workers publish a tick within microseconds of its end; waiting a little longer saves a second look. */
#define GRACE_NS UINT64_C(1000000)

struct sampler {
    struct plt_engine *engine;
    uint64_t last_completion_ns; /* since t0 */
    uint32_t depth;              /* I/Os in flight in the last tick without a completion */
    uint64_t waiting_ns;         /* since when, from t0 */
    bool listening;              /* the sample function has not asked to end */
};

static void merge_op(struct plt_sample_op *into, const struct plt_sample_op *from)
{
    if (from->ios == 0) {
        return;
    }
    into->lat_min_ns =
        into->ios == 0 || from->lat_min_ns < into->lat_min_ns ? from->lat_min_ns : into->lat_min_ns;
    into->lat_max_ns = from->lat_max_ns > into->lat_max_ns ? from->lat_max_ns : into->lat_max_ns;
    into->ios += from->ios;
    into->bytes += from->bytes;
    into->lat_sum_ns += from->lat_sum_ns;
}

static uint64_t completions(const struct plt_sample *sample)
{
    uint64_t sum = 0;
    for (int op = 0; op < PLT_N_OPS; op++) {
        sum += sample->op[op].ios;
    }
    return sum;
}

static void merge_sample(struct plt_sample *into, const struct plt_sample *from)
{
    if (completions(from) != 0) {
        bool first = completions(into) == 0;
        into->first_ns = first || from->first_ns < into->first_ns ? from->first_ns : into->first_ns;
        into->last_ns = from->last_ns > into->last_ns ? from->last_ns : into->last_ns;
    }
    for (int op = 0; op < PLT_N_OPS; op++) {
        merge_op(&into->op[op], &from->op[op]);
    }
    into->duration_ns = from->duration_ns > into->duration_ns ? from->duration_ns : into->duration_ns;
    into->oldest_ns = from->oldest_ns > into->oldest_ns ? from->oldest_ns : into->oldest_ns;
    into->inflight += from->inflight;
}

/* A tick is ready when each worker has closed it or will close none any more; and has ended when all are of
 * the second kind. */
static bool is_ready(struct plt_engine *e, bool *ended)
{
    *ended = true;
    for (unsigned i = 0; i < e->n_workers; i++) {
        struct plt_worker *w = &e->workers[i];
        /* In this order: a worker closes its last tick before it says that its window is over. */
        bool over = atomic_load(&w->window_over);
        bool has = atomic_load_explicit(&w->tick_head, memory_order_acquire) > e->ticks;
        if (!has && !over) {
            *ended = false;
            return false;
        }
        *ended = *ended && !has;
    }
    return true;
}

static struct plt_sample take_tick(struct plt_engine *e)
{
    struct plt_sample sample = {.index = e->ticks};
    for (unsigned i = 0; i < e->n_workers; i++) {
        struct plt_worker *w = &e->workers[i];
        if (atomic_load_explicit(&w->tick_head, memory_order_acquire) > e->ticks) {
            merge_sample(&sample, &w->tick[e->ticks % PLT_TICK_RING]);
            atomic_store_explicit(&w->tick_tail, e->ticks + 1, memory_order_release);
        }
    }
    e->ticks++;
    return sample;
}

static void add_stall(struct plt_engine *e, uint64_t start, uint64_t end, uint32_t depth)
{
    if (depth == 0 || end < start || end - start < PLT_STALL_MIN_NS) {
        return;
    }
    if (e->n_stalls % 256 == 0 && e->n_stalls < MOST_STALLS) {
        struct plt_stall *grown = realloc(e->stalls, (e->n_stalls + 256) * sizeof *grown);
        if (grown != NULL) {
            e->stalls = grown;
        } else {
            e->n_stalls_dropped++;
            return;
        }
    }
    if (e->n_stalls == MOST_STALLS) {
        e->n_stalls_dropped++;
        return;
    }
    e->stalls[e->n_stalls++] = (struct plt_stall){start, end - start, depth};
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/*
 * A stall is at least as long as two ticks, so it holds a whole tick without a completion, whose depth
 * counts. It begins with the last completion before, to the ns; or, when nothing was asked for at that time,
 * with the issue of what then waited longest. It ends with the first completion after.
 */
static void look_for_stall(struct sampler *s, const struct plt_sample *sample)
{
    uint64_t end = sample->index * s->engine->workload.tick_ns + sample->duration_ns;
    if (completions(sample) == 0) {
        s->depth = sample->inflight;
        s->waiting_ns = end > sample->oldest_ns ? end - sample->oldest_ns : 0;
        return;
    }
    add_stall(s->engine, later(s->last_completion_ns, s->waiting_ns), sample->first_ns, s->depth);
    s->last_completion_ns = sample->last_ns;
    s->depth = 0;
}

/* A load by time ends all the same, but a window of hours should not be waited for either. */
static void look_for_silence(struct sampler *s, const struct plt_sample *sample)
{
    const struct plt_workload *w = &s->engine->workload;
    uint64_t end = sample->index * w->tick_ns + sample->duration_ns;
    uint64_t since = later(s->last_completion_ns, s->waiting_ns);
    uint64_t patience = w->patience_ns != 0 ? w->patience_ns : PLT_PATIENCE_NS;
    if (s->depth != 0 && end > since && end - since >= patience &&
        !atomic_exchange(&s->engine->silent, true)) {
        plt_engine_stop_at(s->engine, plt_clock_now_ns());
    }
}

static void deliver(struct sampler *s)
{
    struct plt_sample sample = take_tick(s->engine);
    look_for_stall(s, &sample);
    look_for_silence(s, &sample);
    if (s->engine->sample_func != NULL && s->listening &&
        !s->engine->sample_func(&sample, s->engine->sample_user)) {
        s->listening = false;
        atomic_store(&s->engine->condition, true);
        /* A moment ahead, so that every worker knows before it comes. */
        plt_engine_stop_at(s->engine, plt_clock_now_ns() + GRACE_NS);
    }
}

/* Deliver until nothing is ready; true when no tick will come any more. */
static bool deliver_ready(struct sampler *s)
{
    bool ended;
    while (is_ready(s->engine, &ended)) {
        if (ended) {
            return true;
        }
        deliver(s);
    }
    return false;
}

static unsigned changes_so_far(struct plt_engine *e)
{
    pthread_mutex_lock(&e->lock);
    unsigned changes = e->changes;
    pthread_mutex_unlock(&e->lock);
    return changes;
}

/* Until something was signalled after SEEN, at most NS. */
static void wait_for_change(struct plt_engine *e, unsigned seen, uint64_t ns)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    uint64_t nsec = (uint64_t)until.tv_nsec + ns;
    until.tv_sec += (time_t)(nsec / 1000000000);
    until.tv_nsec = (long)(nsec % 1000000000);
    pthread_mutex_lock(&e->lock);
    int error = 0;
    while (e->changes == seen && error == 0) {
        error = pthread_cond_timedwait(&e->changed, &e->lock, &until);
    }
    pthread_mutex_unlock(&e->lock);
}

static uint64_t planned_end(const struct plt_engine *e)
{
    uint64_t stop = atomic_load(&e->stop_ns);
    uint64_t time = e->workload.duration_ns != 0 ? e->t0_ns + e->workload.duration_ns : UINT64_MAX;
    return stop < time ? stop : time;
}

/* How long past its end the window may stay open, because a thread sits in a call that does not return. */
static uint64_t patience_ns(const struct plt_engine *e)
{
    return (atomic_load(&e->cancelled) || atomic_load(&e->silent) ? PLT_CANCEL_LIMIT_MS
                                                                  : PLT_DRAIN_LIMIT_MS) *
           UINT64_C(1000000);
}

/*
 * A worker that only waits for a processor will end its window as soon as it has one, so that is worth a
 * second: giving it up would leave its figures out.
 */
#define PROCESSOR_LIMIT_NS UINT64_C(1000000000)

static bool is_given_up(struct plt_engine *e, uint64_t now)
{
    uint64_t end = planned_end(e);
    if (end == UINT64_MAX || now <= end || now - end <= patience_ns(e)) {
        return false;
    }
    for (unsigned i = 0; i < e->n_workers && now - end <= patience_ns(e) + PROCESSOR_LIMIT_NS; i++) {
        struct plt_worker *w = &e->workers[i];
        if (!atomic_load(&w->window_over) && plt_engine_is_runnable(w->thread)) {
            return false;
        }
    }
    return true;
}

/* A plain thread that is held up in a call closes no tick: it is done for it, so that none comes late. */
static void stand_in(struct plt_engine *e, bool give_up)
{
    for (unsigned i = 0; i < e->n_workers && e->backend == PLT_BACKEND_THREADS; i++) {
        struct plt_worker *w = &e->workers[i];
        if (!atomic_load(&w->window_over) &&
            (give_up || atomic_load_explicit(&w->tick_head, memory_order_acquire) <= e->ticks)) {
            plt_thread_worker_stand_in(w, give_up);
        }
    }
}

/* The rest of the window, if nothing completed in it any more. */
static void look_for_last_stall(struct sampler *s)
{
    uint64_t end = planned_end(s->engine);
    if (end != UINT64_MAX && end > s->engine->t0_ns) {
        add_stall(s->engine, later(s->last_completion_ns, s->waiting_ns), end - s->engine->t0_ns, s->depth);
    }
}

void plt_engine_sample_until_end(struct plt_engine *e)
{
    struct sampler s = {.engine = e, .listening = true};
    for (;;) {
        unsigned seen = changes_so_far(e);
        if (deliver_ready(&s)) {
            break;
        }
        uint64_t now = plt_clock_now_ns();
        if (is_given_up(e, now)) {
            stand_in(e, true);
            if (deliver_ready(&s)) {
                break;
            }
            atomic_store(&e->abandoned, true);
            break;
        }
        uint64_t next = e->t0_ns + (e->ticks + 1) * e->workload.tick_ns + GRACE_NS;
        if (now >= next + GRACE_NS) {
            stand_in(e, false);
        }
        uint64_t pause = next > now ? next - now : GRACE_NS;
        wait_for_change(e, seen, pause > e->workload.tick_ns ? e->workload.tick_ns : pause);
    }
    look_for_last_stall(&s);
}

bool plt_engine_wait_drained(struct plt_engine *e)
{
    uint64_t began = plt_clock_now_ns();
    for (;;) {
        unsigned seen = changes_so_far(e);
        if (plt_engine_drained(e, 0)) {
            return true;
        }
        uint64_t now = plt_clock_now_ns();
        uint64_t end = planned_end(e);
        uint64_t limit = (end < began ? end : began) + patience_ns(e);
        if (now >= limit) {
            return false;
        }
        wait_for_change(e, seen, limit - now);
    }
}
