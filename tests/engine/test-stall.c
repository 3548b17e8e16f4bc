/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/clock.h"
#include "engine/private.h"
#include "engine/ring.h"

#include "bed.h"
#include "frozen.h"
#include "tap.h"

/* Targets that stop answering: for a while, and for good. */

#define QUEUE 8

static const enum plt_backend backends[] = {PLT_BACKEND_RING, PLT_BACKEND_THREADS};

static void pause_ms(uint64_t ms)
{
    const struct timespec pause = {.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

static void prepare(struct bed *bed, int fd, enum plt_backend backend)
{
    const struct plt_engine_target target = {.fd = fd, .length = 4 * BED_MIB, .logical_block = 512};
    bed_init(bed, &target);
    bed->load.read_percent = 0;
    bed->load.queue = QUEUE;
    bed->load.tick_ns = 50 * BED_MS;
    bed->load.backend = backend;
}

struct weather {
    struct frozen *frozen;
    struct plt_engine *engine;
    uint64_t before_ms, freeze_ms;
    bool cancels;                /* instead of a thaw */
    uint64_t frozen_ns, thaw_ns; /* when it was frozen for sure, and still was */
};

static void *freeze_later(void *data)
{
    struct weather *w = data;
    pause_ms(w->before_ms);
    frozen_freeze(w->frozen);
    w->frozen_ns = plt_clock_now_ns();
    pause_ms(w->freeze_ms);
    w->thaw_ns = plt_clock_now_ns();
    if (w->cancels) {
        plt_engine_cancel(w->engine);
    } else {
        frozen_thaw(w->frozen);
    }
    return NULL;
}

static uint64_t ios_of(const struct plt_sample *sample)
{
    return sample->op[PLT_OP_READ].ios + sample->op[PLT_OP_WRITE].ios;
}

/* Empty ticks that lie in the freeze and were delivered in it: what a person sees while the drive hangs. */
static unsigned count_live(const struct bed *bed, const struct weather *w)
{
    unsigned live = 0;
    for (size_t i = 0; i < bed->n_samples; i++) {
        uint64_t start = bed->engine->t0_ns + i * bed->load.tick_ns;
        live += ios_of(&bed->samples[i]) == 0 && start > w->frozen_ns && bed->delivered_ns[i] < w->thaw_ns;
    }
    return live;
}

/* The one stall that is at least half as long as the freeze; a busy machine may show short ones beside it. */
static const struct plt_stall *find_stall(const struct bed *bed, uint64_t least_ns)
{
    const struct plt_stall *found = NULL;
    unsigned n = 0;
    for (size_t i = 0; i < bed->result.n_stalls; i++) {
        if (bed->result.stalls[i].length_ns >= least_ns) {
            found = &bed->result.stalls[i];
            n++;
        }
    }
    CHECK_INT(n, ==, 1);
    return n == 1 ? found : NULL;
}

/* The end is known well: nothing can have completed before the thaw. */
static void check_stall(const struct bed *bed, const struct weather *w)
{
    const struct plt_stall *stall = find_stall(bed, w->freeze_ms * BED_MS / 2);
    if (stall != NULL) {
        uint64_t start = bed->engine->t0_ns + stall->start_ns;
        CHECK_INT(start, <, w->frozen_ns + w->freeze_ms * BED_MS / 2);
        CHECK_INT(start + stall->length_ns, >=, w->thaw_ns);
        CHECK_INT(start, >=, bed->engine->t0_ns);
        CHECK_INT(stall->inflight, ==, QUEUE);
    }
}

static void run_freeze(struct frozen *frozen, enum plt_backend backend)
{
    struct bed bed;
    pthread_t thread;
    struct weather weather = {.frozen = frozen, .before_ms = 300, .freeze_ms = 900};
    int fd = bed_file(frozen->folder, 4 * BED_MIB);
    prepare(&bed, fd, backend);
    bed.load.duration_ns = 2000 * BED_MS;
    CHECK(bed_make(&bed));
    CHECK(pthread_create(&thread, NULL, freeze_later, &weather) == 0);
    bed_run(&bed);
    pthread_join(thread, NULL);
    bed_check(&bed);
    CHECK_INT(bed.result.end, ==, PLT_END_TIME);
    CHECK_INT(bed.n_samples, ==, 40);
    CHECK_INT(count_live(&bed, &weather), >=, 5); /* of 17 */
    check_stall(&bed, &weather);
    CHECK_INT(bed.result.total[PLT_OP_WRITE].lat_max_ns, >, 450 * BED_MS);
    bed_clear(&bed);
    close(fd);
}

static void test_freeze(void)
{
    struct frozen frozen;
    if (frozen_make(&frozen)) {
        run_freeze(&frozen, PLT_BACKEND_RING);
        run_freeze(&frozen, PLT_BACKEND_THREADS);
        frozen_clear(&frozen);
    }
}

/*
 * A cancel while nothing answers: the run is over at once, what it measured is there, the kernel keeps the
 * I/O until the thaw. With FREE_FIRST the engine is given back while it still does.
 */
static void run_cancel(struct frozen *frozen, enum plt_backend backend, bool free_first)
{
    struct bed bed;
    pthread_t thread;
    struct weather weather = {.frozen = frozen, .before_ms = 200, .freeze_ms = 500, .cancels = true};
    int fd = bed_file(frozen->folder, 4 * BED_MIB);
    prepare(&bed, fd, backend);
    bed.load.duration_ns = 60000 * BED_MS;
    CHECK(bed_make(&bed));
    weather.engine = bed.engine;
    CHECK(pthread_create(&thread, NULL, freeze_later, &weather) == 0);
    bed_run(&bed);
    uint64_t returned_ns = plt_clock_now_ns();
    pthread_join(thread, NULL);
    CHECK_INT(returned_ns - weather.thaw_ns, <, 5000 * BED_MS); /* of the 50 ms that are promised */
    CHECK_INT(bed.result.end, ==, PLT_END_CANCELLED);
    CHECK(!plt_engine_drained(bed.engine, 0));
    if (!atomic_load(&bed.engine->abandoned)) {
        bed_check(&bed);
        const struct plt_stall *stall = find_stall(&bed, weather.freeze_ms * BED_MS / 2);
        CHECK(stall == NULL || stall->inflight == QUEUE);
    }
    if (free_first) {
        bed_clear(&bed);
        close(fd); /* the number is anybody's now, and the I/O goes on */
        frozen_thaw(frozen);
    } else {
        CHECK(!plt_engine_drained(bed.engine, 100));
        frozen_thaw(frozen);
        CHECK(plt_engine_drained(bed.engine, 20000));
        bed_clear(&bed);
        close(fd);
    }
    bed_wait_alone();
}

static void test_cancel(void)
{
    struct frozen frozen;
    if (frozen_make(&frozen)) {
        for (int i = 0; i < 4; i++) {
            run_cancel(&frozen, backends[i % 2], i >= 2);
        }
        frozen_clear(&frozen);
    }
}

/* Reading from an empty pipe takes for ever, until somebody writes or the other end is closed. */
struct pipe {
    int ends[2];
    struct bed bed;
    uint64_t took_ns;
};

static void make_pipe(struct pipe *p)
{
    CHECK(pipe2(p->ends, O_CLOEXEC) == 0);
    prepare(&p->bed, p->ends[0], PLT_BACKEND_RING);
    p->bed.load.read_percent = 100;
    p->bed.load.duration_ns = 100 * BED_MS;
}

static bool has_rings(struct pipe *p)
{
    if (!plt_ring_available()) {
        tap_skip("io_uring is not available here");
        return false;
    }
    make_pipe(p);
    return true;
}

static void *cancel_later(void *data)
{
    pause_ms(400);
    plt_engine_cancel(data);
    return NULL;
}

/* The window is over, and the engine waits for what is in flight: a cancel ends that as well. */
static void test_cancel_the_drain(void)
{
    struct pipe p;
    pthread_t thread;
    if (!has_rings(&p)) {
        return;
    }
    CHECK(bed_make(&p.bed));
    uint64_t start = plt_clock_now_ns();
    CHECK(pthread_create(&thread, NULL, cancel_later, p.bed.engine) == 0);
    bed_run(&p.bed);
    CHECK_INT(plt_clock_now_ns() - start, <, 7000 * BED_MS); /* alone it would be 10 s */
    pthread_join(thread, NULL);
    CHECK_INT(p.bed.result.end, ==, PLT_END_CANCELLED);
    CHECK_INT(p.bed.result.window_ns, ==, 100 * BED_MS);
    CHECK(!plt_engine_drained(p.bed.engine, 0));
    close(p.ends[1]);
    CHECK(plt_engine_drained(p.bed.engine, 20000));
    bed_clear(&p.bed);
    close(p.ends[0]);
    bed_wait_alone();
}

static void *run_pipe(void *data)
{
    struct pipe *p = data;
    uint64_t start = plt_clock_now_ns();
    bed_run(&p->bed);
    p->took_ns = plt_clock_now_ns() - start;
    return NULL;
}

static void check_no_answer(const struct bed *bed, uint64_t took_ns)
{
    char text[128];
    CHECK_INT(bed->result.end, ==, PLT_END_ERROR);
    CHECK_INT(bed->result.error.phase, ==, PLT_PHASE_DRAIN);
    CHECK_TEXT(plt_engine_error_text(&bed->result.error, text, sizeof text), "the drive does not respond");
    CHECK_INT(took_ns, >=, bed->load.duration_ns + 10000 * BED_MS);
    CHECK_INT(took_ns, <, bed->load.duration_ns + 18000 * BED_MS); /* not 10 s for each of two things */
    CHECK(!plt_engine_drained(bed->engine, 0));
}

/* Plain threads that hang in their calls, at the same time as the pipe because each takes 10 s. */
static void run_without_answer(struct frozen *frozen)
{
    struct bed bed;
    int fd = bed_file(frozen->folder, 4 * BED_MIB);
    prepare(&bed, fd, PLT_BACKEND_THREADS);
    bed.load.duration_ns = 1000 * BED_MS;
    CHECK(bed_make(&bed));
    frozen_freeze(frozen);
    uint64_t start = plt_clock_now_ns();
    bed_run(&bed);
    check_no_answer(&bed, plt_clock_now_ns() - start);
    bed_check(&bed);
    CHECK_INT(bed.n_samples, ==, 20);
    CHECK_INT(bed.result.n_stalls, ==, 1);
    if (bed.result.n_stalls == 1) {
        CHECK_INT(bed.result.stalls[0].inflight, ==, QUEUE);
        CHECK_INT(bed.result.stalls[0].start_ns + bed.result.stalls[0].length_ns, ==, 1000 * BED_MS);
    }
    frozen_thaw(frozen);
    CHECK(plt_engine_drained(bed.engine, 20000));
    bed_clear(&bed);
    close(fd);
}

static void test_no_answer(void)
{
    struct pipe p;
    struct frozen frozen;
    pthread_t thread;
    bool can_freeze = frozen_make(&frozen); /* first: its process must not inherit the pipe */
    if (!has_rings(&p)) {
        if (can_freeze) {
            frozen_clear(&frozen);
        }
        return;
    }
    CHECK(bed_make(&p.bed));
    CHECK(pthread_create(&thread, NULL, run_pipe, &p) == 0);
    if (can_freeze) {
        run_without_answer(&frozen);
    }
    pthread_join(thread, NULL);
    check_no_answer(&p.bed, p.took_ns);
    bed_check(&p.bed);
    CHECK_INT(p.bed.n_samples, ==, 2);
    /* Given back while the kernel has the buffers: the worker frees them when the pipe ends. */
    bed_clear(&p.bed);
    close(p.ends[0]);
    close(p.ends[1]);
    bed_wait_alone();
    if (can_freeze) {
        frozen_clear(&frozen);
    }
}

/* A load by amount has no end of its own when nothing comes any more: patience gives it one. */
static void test_silence(void)
{
    struct pipe p;
    if (!has_rings(&p)) {
        return;
    }
    p.bed.load.duration_ns = 0;
    p.bed.load.bytes = 4 * BED_MIB;
    p.bed.load.patience_ns = 500 * BED_MS;
    CHECK(bed_make(&p.bed));
    run_pipe(&p);
    CHECK_INT(p.bed.result.end, ==, PLT_END_ERROR);
    CHECK_INT(p.bed.result.error.phase, ==, PLT_PHASE_DRAIN);
    CHECK_INT(p.bed.n_samples, >=, 10); /* of 50 ms */
    CHECK_INT(p.took_ns, >=, 500 * BED_MS);
    CHECK_INT(p.took_ns, <, 7000 * BED_MS); /* and not the 10 s of a drain besides */
    CHECK_INT(p.bed.result.n_stalls, ==, 1);
    CHECK(!plt_engine_drained(p.bed.engine, 0));
    bed_clear(&p.bed);
    close(p.ends[0]);
    close(p.ends[1]);
    bed_wait_alone();
}

/* A freeze that ends within the patience is a stall, and nothing more. */
static void test_patience(void)
{
    struct frozen frozen;
    if (frozen_make(&frozen)) {
        struct bed bed;
        pthread_t thread;
        struct weather weather = {.frozen = &frozen, .before_ms = 100, .freeze_ms = 500};
        int fd = bed_file(frozen.folder, 4 * BED_MIB);
        prepare(&bed, fd, PLT_BACKEND_RING);
        bed.load.duration_ns = 1000 * BED_MS;
        bed.load.patience_ns = 60000 * BED_MS;
        CHECK(bed_make(&bed));
        CHECK(pthread_create(&thread, NULL, freeze_later, &weather) == 0);
        bed_run(&bed);
        pthread_join(thread, NULL);
        CHECK_INT(bed.result.end, ==, PLT_END_TIME);
        bed_clear(&bed);
        close(fd);
        frozen_clear(&frozen);
    }
}

static const struct tap_case cases[] = {
    {"/engine/stall/freeze", test_freeze},
    {"/engine/stall/cancel", test_cancel},
    {"/engine/stall/cancel-the-drain", test_cancel_the_drain},
    {"/engine/stall/no-answer", test_no_answer},
    {"/engine/stall/silence", test_silence},
    {"/engine/stall/patience", test_patience},
};

TAP_MAIN(cases)
