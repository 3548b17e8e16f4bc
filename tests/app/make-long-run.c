/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "../report/fixture.h"
#include "library/load.h"
#include "library/recorder.h"

/*
 * make-long-run LIBRARY SAMPLES: adds a run with one write of that many 100 ms samples, as a drive that is
 * written until its cache has run out and beyond gives it. For measuring how long runs open and move.
 */

#define TICK_NS G_GUINT64_CONSTANT(100000000)
#define BLOCK 131072

/* Waits at half of what the recorder keeps before it merges samples: all of them have to be there. */
#define BATCH (PLT_RECORDER_MAX_SAMPLES / 2)

static double scatter(guint64 index)
{
    guint64 x = (index + 1) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    return (double)((x ^ (x >> 27)) >> 11) / (double)(G_GUINT64_CONSTANT(1) << 53);
}

/* Bytes/s at INDEX of N: the cache, the plateau below it with its waves, and now and then a hole. */
static double rate(guint64 index, guint64 n)
{
    double noise = 1.0 + 0.08 * (scatter(index) - 0.5);

    if (index < n / 5)
        return 6.1e9 * noise;
    if (scatter(index * 7 + 3) < 0.0005)
        return 0.0;
    return (1.45e9 + 0.35e9 * sin((double)index * 0.002)) * noise * (scatter(index * 3) < 0.04 ? 0.35 : 1.0);
}

static struct plt_sample sample_at(guint64 index, guint64 n)
{
    struct plt_sample sample = {.index = index, .duration_ns = TICK_NS, .inflight = 8};
    struct plt_sample_op *write = &sample.op[PLT_OP_WRITE];

    write->ios = (guint64)(rate(index, n) / 10.0 / BLOCK);
    write->bytes = write->ios * BLOCK;
    /* No two samples of a real drive have the same latencies, which decides how small they can be stored. */
    if (write->ios > 0) {
        write->lat_min_ns = 40000 + (guint64)(scatter(index * 5 + 1) * 20000);
        write->lat_sum_ns = write->ios * (90000 + (guint64)(scatter(index * 5 + 2) * 20000));
        write->lat_max_ns = 400000 + (guint64)(scatter(index * 5 + 3) * 3000000);
    }
    sample.first_ns = index * TICK_NS + (guint64)(scatter(index * 11) * 100000);
    sample.last_ns = (index + 1) * TICK_NS - 1 - (guint64)(scatter(index * 13) * 100000);
    sample.oldest_ns = (guint64)(scatter(index * 17) * 900000);
    return sample;
}

/* Until the library has N samples of the window that is being recorded. */
static void wait_for(PltDatabase *database, guint64 n)
{
    g_autoptr(GError) error = NULL;
    gint64 window = 0;
    guint64 stored = 0;

    while (stored < n) {
        g_usleep(20000);
        if (!plt_database_number(database, "SELECT max(id) FROM cell_run", &window, &error) ||
            !plt_load_n_samples(database, window, &stored, &error))
            g_error("The library cannot be read: %s", error->message);
    }
}

static void record_window(PltRecorder *recorder, PltDatabase *database, guint64 n)
{
    PltCellRun *run = plt_cell_run_new();
    struct plt_measure *write = &run->op[PLT_OP_WRITE];
    double peak = 0.0;

    plt_recorder_begin_cell_run(recorder, FALSE, g_get_real_time(), TICK_NS);
    for (guint64 i = 0; i < n; i++) {
        struct plt_sample sample = sample_at(i, n);

        plt_recorder_add_sample(recorder, &sample);
        write->ios += sample.op[PLT_OP_WRITE].ios;
        write->bytes += sample.op[PLT_OP_WRITE].bytes;
        peak = MAX(peak, (double)sample.op[PLT_OP_WRITE].bytes);
        if ((i + 1) % BATCH == 0)
            wait_for(database, i + 1 - BATCH / 2);
    }
    *write = plt_analysis_measure(write->ios, write->bytes, n * TICK_NS, NULL);
    run->total = *write;
    run->tick_ns = TICK_NS;
    run->n_samples = n;
    run->complete = TRUE;
    plt_recorder_end_cell_run(recorder, run);
    plt_cell_run_free(run);
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltDatabase) database = NULL;
    g_autoptr(PltRun) run = plt_fixture_run("fill", "Fill the drive", "time");
    PltCellSpec spec = {.id = (char *)"seq128k-q8t1-write",
                        .label = (char *)"SEQ128K Q8T1",
                        .pattern = PLT_PATTERN_SEQUENTIAL,
                        .block = BLOCK,
                        .queue = 8,
                        .threads = 1,
                        .op = PLT_CELL_WRITE,
                        .role = (char *)"fill-pass-1"};
    PltRecorder *recorder = NULL;

    if (argc != 3 || strtoull(argv[2], NULL, 10) == 0) {
        g_printerr("make-long-run LIBRARY SAMPLES\n");
        return 2;
    }
    g_free(run->uuid);
    run->uuid = g_uuid_string_random();
    run->status = PLT_RUN_RUNNING;
    run->started_us = g_get_real_time();
    recorder = plt_recorder_new(argv[1], run, FALSE, &error);
    database = recorder ? plt_database_open(argv[1], &error) : NULL;
    if (!database)
        g_error("%s", error->message);
    g_print("%" G_GINT64_FORMAT "\n", plt_recorder_run_id(recorder));
    plt_recorder_begin_cell(recorder, &spec, PLT_SCORE_BEST);
    record_window(recorder, database, strtoull(argv[2], NULL, 10));
    if (!plt_recorder_finish(recorder, PLT_RUN_COMPLETE, NULL, g_get_real_time(), &error))
        g_error("%s", error->message);
    return 0;
}
