/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plateau-load: one load of the engine, described by options, its result as JSON. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "invariants.h"
#include "options.h"
#include "print.h"
#include "target.h"

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_WRONG_USAGE = 2,
    EXIT_REFUSED = 3,
    EXIT_BROKEN = 4,
};

struct load {
    struct load_options options;
    struct load_target target;
    struct plt_engine *engine;
    struct load_tally tally;
    struct plt_sample *samples;
    size_t n_samples, room;
    uint64_t last_sample_ns, live_gap_max_ns;
    _Atomic uint64_t signal_ns;
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void keep_sample(struct load *load, const struct plt_sample *sample)
{
    if (load->n_samples == load->room) {
        size_t room = load->room ? 2 * load->room : 64;
        struct plt_sample *samples = realloc(load->samples, room * sizeof *samples);
        if (!samples) {
            perror("plateau-load");
            exit(EXIT_FAILED);
        }
        load->samples = samples;
        load->room = room;
    }
    load->samples[load->n_samples++] = *sample;
}

static bool on_sample(const struct plt_sample *sample, void *user)
{
    struct load *load = user;
    uint64_t now = now_ns();

    if (load->last_sample_ns && now - load->last_sample_ns > load->live_gap_max_ns)
        load->live_gap_max_ns = now - load->last_sample_ns;
    load->last_sample_ns = now;
    load_tally_add(&load->tally, sample);
    if (load->options.samples)
        keep_sample(load, sample);
    return true;
}

static void stop_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

/* A signal ends the load as the program's own stop button would: from another thread. */
static void *wait_for_signal(void *user)
{
    struct load *load = user;
    sigset_t set;
    int number;

    stop_signals(&set);
    if (!sigwait(&set, &number)) {
        atomic_store(&load->signal_ns, now_ns());
        plt_engine_cancel(load->engine);
    }
    return NULL;
}

static bool start_signal_thread(struct load *load, pthread_t *thread)
{
    int e = pthread_create(thread, NULL, wait_for_signal, load);
    if (e)
        fprintf(stderr, "plateau-load: no thread for signals: %s\n", strerror(e));
    return !e;
}

static void report_broken(const struct load_invariant *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!list[i].ok)
            fprintf(stderr, "plateau-load: broken invariant %s: %.12g, expected %.12g\n", list[i].name,
                    list[i].value, list[i].expected);
}

static int judge(const struct load *load, const struct plt_engine_result *result,
                 const struct load_invariant *list, size_t n)
{
    char text[256];

    if (result->end == PLT_END_ERROR) {
        fprintf(stderr, "plateau-load: %s\n", plt_engine_error_text(&result->error, text, sizeof text));
        return EXIT_FAILED;
    }
    report_broken(list, n);
    for (size_t i = 0; load->options.check && i < n; i++)
        if (!list[i].ok)
            return EXIT_BROKEN;
    return EXIT_DONE;
}

static int run(struct load *load)
{
    struct load_invariant invariants[LOAD_MAX_INVARIANTS];
    struct plt_engine_result result = {0};
    struct load_outcome outcome = {.options = &load->options, .target = &load->target, .result = &result};
    pthread_t thread;
    uint64_t signal_ns;

    if (!start_signal_thread(load, &thread))
        return EXIT_FAILED;
    load_tally_init(&load->tally, load->options.workload.tick_ns);
    plt_engine_set_sample_func(load->engine, on_sample, load);
    plt_engine_run(load->engine, &result);
    signal_ns = atomic_load(&load->signal_ns);
    outcome.stop_ns = signal_ns ? now_ns() - signal_ns : 0;
    pthread_cancel(thread);
    pthread_join(thread, NULL);

    outcome.invariants = invariants;
    if (result.end != PLT_END_ERROR)
        outcome.n_invariants =
            load_invariants_check(invariants, &load->options.workload, &result, &load->tally);
    outcome.samples = load->samples;
    outcome.n_samples = load->n_samples;
    outcome.live_gap_max_ns = load->live_gap_max_ns;
    load_print(stdout, &outcome);
    fflush(stdout);
    return judge(load, &result, invariants, outcome.n_invariants);
}

static int open_and_run(struct load *load)
{
    struct plt_engine_error error = {0};
    char text[512];
    int status;

    if (!load_target_open(&load->target, &load->options, text, sizeof text)) {
        fprintf(stderr, "plateau-load: %s\n", text);
        return EXIT_REFUSED;
    }
    if (plt_workload_check(&load->options.workload, &load->target.engine, text, sizeof text)) {
        fprintf(stderr, "plateau-load: %s\n", text);
        load_target_close(&load->target);
        return EXIT_REFUSED;
    }
    load->engine = plt_engine_new(&load->options.workload, &load->target.engine, &error);
    if (!load->engine) {
        fprintf(stderr, "plateau-load: %s\n", plt_engine_error_text(&error, text, sizeof text));
        load_target_close(&load->target);
        return EXIT_FAILED;
    }
    status = run(load);
    plt_engine_free(load->engine);
    load_target_close(&load->target);
    free(load->samples);
    return status;
}

int main(int argc, char **argv)
{
    static struct load load;
    sigset_t set;

    switch (load_options_parse(&load.options, argc, argv)) {
    case LOAD_PARSE_HELP:
        return EXIT_DONE;
    case LOAD_PARSE_WRONG:
        return EXIT_WRONG_USAGE;
    case LOAD_PARSE_RUN:
        break;
    }
    /* Blocked here, so that every thread inherits it and only wait_for_signal takes them. */
    stop_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return open_and_run(&load);
}
