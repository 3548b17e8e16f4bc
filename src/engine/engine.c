/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/private.h"
#include "engine/ring.h"

/* Plain threads: each is a whole kernel task, so a depth beyond this is cut, and effective_queue shows it. */
#define MOST_PLAIN_THREADS 1024

#define WORKER_STACK ((size_t)256 << 10)

void plt_engine_signal(struct plt_engine *e)
{
    pthread_mutex_lock(&e->lock);
    e->changes++;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
}

void plt_engine_stop_at(struct plt_engine *e, uint64_t ns)
{
    uint64_t old = atomic_load(&e->stop_ns);
    while (ns < old && !atomic_compare_exchange_weak(&e->stop_ns, &old, ns)) {
    }
    eventfd_write(e->wake_fd, 1);
    plt_engine_signal(e);
}

bool plt_engine_pass_gate(struct plt_engine *e)
{
    pthread_mutex_lock(&e->lock);
    e->n_ready++;
    e->changes++;
    pthread_cond_broadcast(&e->changed);
    while (e->gate == PLT_GATE_CLOSED) {
        pthread_cond_wait(&e->changed, &e->lock);
    }
    bool open = e->gate == PLT_GATE_OPEN;
    pthread_mutex_unlock(&e->lock);
    return open;
}

static void free_engine(struct plt_engine *e)
{
    for (unsigned i = 0; e->workers != NULL && i < e->n_workers; i++) {
        plt_worker_clear(&e->workers[i]);
    }
    for (int op = 0; op < PLT_N_OPS; op++) {
        free(e->merged[op]);
    }
    plt_pool_clear(&e->pool);
    pthread_mutex_destroy(&e->lock);
    pthread_cond_destroy(&e->changed);
    if (e->wake_fd >= 0) {
        close(e->wake_fd);
    }
    if (e->target.fd >= 0) {
        close(e->target.fd);
    }
    free(e->workers);
    free(e->shared);
    free(e->stalls);
    free(e);
}

static void unref(struct plt_engine *e)
{
    pthread_mutex_lock(&e->lock);
    bool last = atomic_fetch_sub(&e->references, 1) == 1;
    pthread_mutex_unlock(&e->lock);
    if (last) {
        free_engine(e);
    }
}

static void choose_backend(struct plt_engine *e)
{
    const struct plt_workload *w = &e->workload;
    bool flushes = w->sync == PLT_SYNC_FSYNC || w->sync == PLT_SYNC_FDATASYNC;
    e->backend = PLT_BACKEND_RING;
    if (w->backend != PLT_BACKEND_AUTO) {
        e->backend = w->backend;
    } else if (!plt_ring_available()) {
        e->backend = PLT_BACKEND_THREADS;
        e->notes |= PLT_NOTE_THREADS_REFUSED;
    } else if (w->nop) {
        return;
    } else if (flushes) {
        /* io_uring hands every fsync to a kernel thread: a plain call is the shorter way. */
        e->backend = PLT_BACKEND_THREADS;
    } else if (plt_engine_falls_into_iowq(&e->target)) {
        e->backend = PLT_BACKEND_THREADS;
        e->notes |= PLT_NOTE_THREADS_IOWQ;
    }
}

static int make_workers(struct plt_engine *e)
{
    const struct plt_workload *w = &e->workload;
    unsigned per_stream = e->backend == PLT_BACKEND_RING ? 1 : w->queue;
    if (per_stream * w->threads > MOST_PLAIN_THREADS) {
        per_stream = MOST_PLAIN_THREADS / w->threads;
    }
    size_t shared_size = (1 + w->threads) * sizeof *e->shared;
    e->shared = aligned_alloc(_Alignof(struct plt_shared_counts), shared_size);
    unsigned n = per_stream * w->threads;
    e->workers = aligned_alloc(_Alignof(struct plt_worker), n * sizeof *e->workers);
    if (e->shared == NULL || e->workers == NULL) {
        return -ENOMEM;
    }
    memset(e->shared, 0, shared_size);
    memset(e->workers, 0, n * sizeof *e->workers);
    e->n_workers = n;
    for (unsigned i = 0; i < n; i++) {
        int error = plt_worker_init(&e->workers[i], e, i, i / per_stream);
        if (error != 0) {
            return error;
        }
    }
    return 0;
}

static struct plt_engine *fail(struct plt_engine_error *error, enum plt_phase phase, int code)
{
    *error = (struct plt_engine_error){.phase = phase, .code = code};
    return NULL;
}

/*
 * Of a registered buffer the kernel (seen with 6.12) looks at every page's part by itself: one that begins
 * inside a logical block makes the first part no whole number of blocks, and the I/O is refused (EINVAL).
 */
uint32_t plt_engine_pool_align(const struct plt_engine_target *target)
{
    return target->memory_align > target->logical_block ? target->memory_align : target->logical_block;
}

struct plt_engine *plt_engine_new(const struct plt_workload *workload, const struct plt_engine_target *target,
                                  struct plt_engine_error *error)
{
    char text[256];
    if (plt_workload_check(workload, target, text, sizeof text) != NULL) {
        return fail(error, PLT_PHASE_CHECK, EINVAL);
    }
    struct plt_engine *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return fail(error, PLT_PHASE_MEMORY, ENOMEM);
    }
    plt_clock_init();
    e->workload = *workload;
    e->target = *target;
    e->references = 1;
    e->stop_ns = UINT64_MAX;
    /*
     * A worker that is held up may use its descriptor after the engine was given up and the caller's closed,
     * when the number could already stand for another file: hence one of its own.
     */
    e->target.fd = fcntl(target->fd, F_DUPFD_CLOEXEC, 0);
    int code = e->target.fd < 0 ? -errno : 0;
    e->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&e->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&e->lock, NULL);
    code = code == 0 && e->wake_fd < 0 ? -errno : code;
    if (code == 0 && workload->read_percent < 100) {
        code = plt_pool_init(&e->pool, workload, plt_engine_pool_align(target));
    }
    if (code == 0) {
        choose_backend(e);
        code = make_workers(e);
    }
    if (code != 0) {
        unref(e);
        return fail(error, code == -EBADF ? PLT_PHASE_CHECK : PLT_PHASE_MEMORY, -code);
    }
    return e;
}

uint64_t plt_engine_elapsed_ns(const struct plt_engine *e)
{
    uint64_t now = plt_clock_now_ns();
    return e->t0_ns != 0 && now > e->t0_ns ? now - e->t0_ns : 0;
}

void plt_engine_set_sample_func(struct plt_engine *e, plt_sample_func func, void *user)
{
    e->sample_func = func;
    e->sample_user = user;
}

static void *worker_main(void *data)
{
    struct plt_worker *w = data;
    struct plt_engine *e = w->engine;
    w->thread = gettid();
    if (e->backend == PLT_BACKEND_RING) {
        plt_ring_worker_run(w);
    } else {
        plt_thread_worker_run(w);
    }
    atomic_store(&w->finished, true);
    pthread_mutex_lock(&e->lock);
    e->n_finished++;
    e->changes++;
    pthread_cond_broadcast(&e->changed);
    /* Under the lock, so that the owner who sees all finished frees at once: the target's descriptor too. */
    bool last = atomic_fetch_sub(&e->references, 1) == 1;
    pthread_mutex_unlock(&e->lock);
    if (last) {
        free_engine(e);
    }
    return NULL;
}

static void set_gate(struct plt_engine *e, enum plt_gate gate)
{
    pthread_mutex_lock(&e->lock);
    e->gate = gate;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
}

/*
 * Signals are the program's own business, so the workers take none; above all not SIGXFSZ, which would end
 * the program where a write beyond the limit on file sizes is to fail with EFBIG. What a fault raises stays.
 */
static void block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        sigdelset(&all, faults[i]);
    }
    pthread_sigmask(SIG_SETMASK, &all, before);
}

/* Starts all threads; 0 or the errno of the one that could not be had, with *STARTED threads running. */
static int start_threads(struct plt_engine *e, unsigned *started)
{
    sigset_t before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, WORKER_STACK);
    block_signals(&before);
    int error = 0;
    for (*started = 0; *started < e->n_workers && error == 0; *started += error == 0) {
        pthread_t thread;
        atomic_fetch_add(&e->references, 1);
        error = pthread_create(&thread, &attributes, worker_main, &e->workers[*started]);
        if (error != 0) {
            atomic_fetch_sub(&e->references, 1);
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

static void wait_for(struct plt_engine *e, const unsigned *count, unsigned wanted)
{
    pthread_mutex_lock(&e->lock);
    while (*count < wanted) {
        pthread_cond_wait(&e->changed, &e->lock);
    }
    pthread_mutex_unlock(&e->lock);
}

static bool first_error(const struct plt_engine *e, struct plt_engine_error *error)
{
    for (unsigned i = 0; i < e->n_workers; i++) {
        if (e->workers[i].error.phase != PLT_PHASE_NONE) {
            *error = e->workers[i].error;
            return true;
        }
    }
    return false;
}

/* Brings all workers to the gate and opens it. False when the load cannot start: ERROR says why. */
static bool start(struct plt_engine *e, struct plt_engine_error *error)
{
    unsigned started;
    int code = start_threads(e, &started);
    wait_for(e, &e->n_ready, started);
    if (code != 0) {
        *error = (struct plt_engine_error){.phase = PLT_PHASE_MEMORY, .code = code};
    }
    if (code != 0 || first_error(e, error)) {
        set_gate(e, PLT_GATE_ABORT);
        wait_for(e, &e->n_finished, started);
        return false;
    }
    e->suspended_ns = plt_clock_suspended_ns();
    e->start_ns = plt_clock_verify();
    e->t0_ns = e->start_ns + e->workload.ramp_ns;
    set_gate(e, PLT_GATE_OPEN);
    return true;
}

bool plt_engine_drained(struct plt_engine *e, unsigned timeout_ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    int error = 0;
    pthread_mutex_lock(&e->lock);
    while (e->gate == PLT_GATE_OPEN && e->n_finished < e->n_workers && error == 0) {
        error = pthread_cond_timedwait(&e->changed, &e->lock, &until);
    }
    bool drained = e->gate != PLT_GATE_OPEN || e->n_finished == e->n_workers;
    pthread_mutex_unlock(&e->lock);
    return drained;
}

static uint64_t window_length(const struct plt_engine *e)
{
    uint64_t end = 0;
    for (unsigned i = 0; i < e->n_workers; i++) {
        const struct plt_worker *w = &e->workers[i];
        if (atomic_load(&w->window_over)) {
            end = w->t_end > end ? w->t_end : end;
        }
    }
    uint64_t stop = atomic_load(&e->stop_ns);
    end = end == 0 ? stop : end;
    return end > e->t0_ns && end != UINT64_MAX ? end - e->t0_ns : 0;
}

static void merge_histograms(struct plt_engine *e, struct plt_engine_result *result)
{
    for (int op = 0; op < PLT_N_OPS; op++) {
        for (unsigned i = 0; i < e->n_workers; i++) {
            const struct plt_histogram *from = e->workers[i].histogram[op];
            if (from == NULL || !atomic_load(&e->workers[i].window_over) || result->window_ns == 0) {
                continue;
            }
            if (e->merged[op] == NULL && (e->merged[op] = malloc(sizeof **e->merged)) != NULL) {
                plt_histogram_reset(e->merged[op]);
            }
            if (e->merged[op] != NULL) {
                plt_histogram_merge(e->merged[op], from);
            }
        }
        const struct plt_histogram *h = e->merged[op];
        if (h == NULL || h->count == 0) {
            continue;
        }
        result->histogram[op] = e->merged[op];
        result->total[op] = (struct plt_sample_op){
            .ios = h->count,
            .bytes = op == PLT_OP_FLUSH ? 0 : h->count * e->workload.block,
            .lat_sum_ns = h->sum_ns,
            .lat_min_ns = h->min_ns,
            .lat_max_ns = h->max_ns,
        };
    }
}

static void add_worker_facts(const struct plt_worker *w, struct plt_engine_result *result, uint64_t *area_ns,
                             uint64_t *busy_ns)
{
    if (!atomic_load(&w->window_over)) {
        return;
    }
    *area_ns += w->area_ns;
    *busy_ns += w->busy_ns;
    result->user_ns += w->user_ns;
    result->system_ns += w->system_ns;
    result->submit_cap = w->cap > result->submit_cap ? w->cap : result->submit_cap;
    result->notes |= w->kernel_workers ? PLT_NOTE_KERNEL_WORKERS : 0;
    result->notes |= w->ticks_late ? PLT_NOTE_TICKS_LATE : 0;
    result->notes |= w->plain_buffers ? PLT_NOTE_PLAIN_BUFFERS : 0;
    if (atomic_load(&w->finished)) {
        result->late_ios += w->late_ios;
        result->late_max_ns = w->late_max_ns > result->late_max_ns ? w->late_max_ns : result->late_max_ns;
    }
}

/* Above this share of the window in which the I/O threads ran or wanted to, the host sets the pace. */
#define BUSY_LIMIT 0.9

/* The two clocks behind it are read one after the other: a millisecond is none. */
static bool was_suspended(const struct plt_engine *e)
{
    return plt_clock_suspended_ns() > e->suspended_ns + UINT64_C(1000000);
}

static void fill_result(struct plt_engine *e, struct plt_engine_result *result)
{
    uint64_t area_ns = 0, busy_ns = 0;
    result->window_ns = window_length(e);
    result->ticks = e->ticks;
    result->backend = e->backend;
    result->notes |= e->notes | (plt_clock_global.counter ? 0 : PLT_NOTE_CLOCK_SYSTEM);
    result->notes |= was_suspended(e) ? PLT_NOTE_SUSPENDED : 0;
    result->stalls = e->stalls;
    result->n_stalls = e->n_stalls;
    result->n_stalls_dropped = e->n_stalls_dropped;
    merge_histograms(e, result);
    for (unsigned i = 0; i < e->n_workers; i++) {
        add_worker_facts(&e->workers[i], result, &area_ns, &busy_ns);
    }
    if (result->window_ns > 0) {
        double window = (double)result->window_ns;
        result->effective_queue = (double)area_ns / window;
        result->busy = (double)busy_ns / (window * e->n_workers);
        result->notes |= result->busy > BUSY_LIMIT ? PLT_NOTE_HOST_LIMITED : 0;
    }
}

static enum plt_end how_it_ended(struct plt_engine *e, struct plt_engine_error *error)
{
    if (first_error(e, error)) {
        return PLT_END_ERROR;
    }
    if (atomic_load(&e->cancelled)) {
        return PLT_END_CANCELLED;
    }
    if (atomic_load(&e->silent)) {
        *error = (struct plt_engine_error){.phase = PLT_PHASE_DRAIN, .code = ETIMEDOUT};
        return PLT_END_ERROR;
    }
    if (atomic_load(&e->condition)) {
        return PLT_END_CONDITION;
    }
    bool by_time = e->workload.duration_ns != 0 && window_length(e) >= e->workload.duration_ns;
    return by_time ? PLT_END_TIME : PLT_END_BYTES;
}

void plt_engine_run(struct plt_engine *e, struct plt_engine_result *result)
{
    *result = (struct plt_engine_result){.end = PLT_END_ERROR};
    if (!start(e, &result->error)) {
        return;
    }
    plt_engine_sample_until_end(e);
    bool drained = plt_engine_wait_drained(e);
    bool cancelled = atomic_load(&e->cancelled);
    fill_result(e, result);
    result->end = how_it_ended(e, &result->error);
    if (!drained && result->end != PLT_END_ERROR && !cancelled) {
        result->end = PLT_END_ERROR;
        result->error = (struct plt_engine_error){.phase = PLT_PHASE_DRAIN, .code = ETIMEDOUT};
    }
}

void plt_engine_cancel(struct plt_engine *e)
{
    atomic_store(&e->cancelled, true);
    plt_engine_stop_at(e, plt_clock_now_ns());
}

void plt_engine_peek(struct plt_engine *e, enum plt_op op, struct plt_histogram *into)
{
    for (unsigned i = 0; i < e->n_workers; i++) {
        const struct plt_histogram *from = e->workers[i].histogram[op];
        for (unsigned b = 0; from != NULL && b < PLT_HISTOGRAM_BUCKETS; b++) {
            uint64_t n = __atomic_load_n(&from->bucket[b], __ATOMIC_RELAXED);
            if (n == 0) {
                continue;
            }
            uint64_t lower = plt_histogram_lower_ns(b);
            uint64_t upper = lower + plt_histogram_width_ns(b) - 1;
            into->bucket[b] += n;
            into->count += n;
            into->sum_ns += n * (lower + (upper - lower) / 2);
            into->min_ns = lower < into->min_ns ? lower : into->min_ns;
            into->max_ns = upper > into->max_ns ? upper : into->max_ns;
        }
    }
}

void plt_engine_free(struct plt_engine *e)
{
    if (e != NULL) {
        unref(e);
    }
}

double plt_engine_ceiling(const struct plt_workload *workload, uint64_t duration_ns)
{
    struct plt_workload w = {
        .pattern = PLT_PATTERN_RANDOM,
        .block = workload->block,
        .queue = workload->queue,
        .threads = workload->threads,
        .read_percent = 100,
        .ramp_ns = duration_ns,
        .duration_ns = duration_ns,
        .tick_ns = 100000000,
        .submit_cap = workload->submit_cap,
        .backend = PLT_BACKEND_RING,
        .nop = true,
    };
    struct plt_engine_target nowhere = {
        .fd = eventfd(0, EFD_CLOEXEC), /* any descriptor: a NOP looks it up and leaves it alone */
        .length = (uint64_t)w.block << 20,
        .logical_block = 512,
    };
    struct plt_engine_error error;
    struct plt_engine_result result;
    struct plt_engine *e = plt_ring_available() ? plt_engine_new(&w, &nowhere, &error) : NULL;
    double rate = 0;
    if (e != NULL) {
        plt_engine_run(e, &result);
        rate = result.window_ns != 0 ? (double)result.total[PLT_OP_READ].ios * 1e9 / (double)result.window_ns
                                     : 0;
        plt_engine_free(e);
    }
    close(nowhere.fd);
    return rate;
}
