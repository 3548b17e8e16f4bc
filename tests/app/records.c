/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "records.h"

#include <math.h>
#include <string.h>

#include "../report/fixture.h"
#include "analysis/measure.h"
#include "engine/histogram.h"
#include "library/recorder.h"

#define TICK_NS G_GUINT64_CONSTANT(100000000)

/* A number in 0..1 that is the same for the same INDEX (splitmix64's finaliser). */
static double scatter(guint64 index)
{
    guint64 x = index + G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) / (double)(G_GUINT64_CONSTANT(1) << 53);
}

/*
 * Latencies of IOS I/Os about MEAN_NS: most near it, one in a hundred four times as long, one in ten thousand
 * thirty times. At most 20,000 are drawn; each stands for several.
 */
static struct plt_histogram *latencies(guint64 ios, double mean_ns, guint64 seed)
{
    struct plt_histogram *h = g_new0(struct plt_histogram, 1);
    guint64 draws = CLAMP(ios, 1, 20000), weight = MAX(ios / draws, 1);

    plt_histogram_reset(h);
    for (guint64 i = 0; i < draws; i++) {
        double dice = scatter(seed + 2 * i), spread = 0.75 + 0.4 * scatter(seed + 2 * i + 1);
        double factor = dice < 0.0001 ? 30 : dice < 0.01 ? 4 : 1;
        guint64 ns = (guint64)(mean_ns * spread * factor);

        plt_histogram_add(h, ns);
        h->bucket[plt_histogram_index(ns)] += weight - 1;
        h->count += weight - 1;
        h->sum_ns += ns * (weight - 1);
    }
    return h;
}

static struct plt_sample sample_at(guint index, double bps, double mean_ns, const PltCellSpec *spec,
                                   guint64 seed)
{
    struct plt_sample s = {.index = index, .duration_ns = TICK_NS, .inflight = spec->queue * spec->threads};
    double share[PLT_N_OPS] = {0};
    double noise = 1 + 0.05 * (scatter(seed + index) - 0.5) + 0.02 * sin(index * 0.31);

    share[PLT_OP_READ] = spec->read_percent / 100.0;
    share[PLT_OP_WRITE] = 1 - share[PLT_OP_READ];
    for (guint op = 0; op < PLT_N_OPS; op++) {
        struct plt_sample_op *o = &s.op[op];

        o->ios = (guint64)(bps * noise * share[op] / 10 / spec->block);
        if (o->ios == 0)
            continue;
        o->bytes = o->ios * spec->block;
        o->lat_sum_ns = (guint64)(o->ios * mean_ns / noise);
        o->lat_min_ns = (guint64)(mean_ns * 0.6);
        o->lat_max_ns = (guint64)(mean_ns * (4 + 26 * scatter(seed + 7 * index)));
    }
    s.first_ns = index * TICK_NS + 20000;
    s.last_ns = (index + 1) * TICK_NS - 20000;
    s.oldest_ns = (guint64)mean_ns;
    return s;
}

/* Figures, histogram and samples that belong together, at the bandwidth that RUN has. */
static void flesh_out(PltCellRun *run, const PltCellSpec *spec, guint64 seed)
{
    double bps = run->total.bandwidth_bps, seconds = run->total.seconds;
    double mean_ns = run->total.iops > 0 ? spec->queue * spec->threads / run->total.iops * 1e9 : 0;
    guint ticks = (guint)lround(seconds * 10);
    guint64 sum_ios[PLT_N_OPS] = {0};

    run->tick_ns = TICK_NS;
    run->samples = g_array_new(FALSE, FALSE, sizeof(struct plt_sample));
    for (guint i = 0; i < ticks; i++) {
        struct plt_sample s = sample_at(i, bps, mean_ns, spec, seed);

        g_array_append_val(run->samples, s);
        for (guint op = 0; op < PLT_N_OPS; op++)
            sum_ios[op] += s.op[op].ios;
    }
    for (guint op = 0; op < PLT_N_OPS; op++) {
        if (sum_ios[op] == 0)
            continue;
        run->histogram[op] = latencies(sum_ios[op], mean_ns, seed + 1000 * op);
        run->op[op] =
            plt_analysis_measure(sum_ios[op], sum_ios[op] * spec->block, ticks * TICK_NS, run->histogram[op]);
    }
    if (spec->read_percent == 100 || spec->read_percent == 0)
        run->total = run->op[spec->read_percent == 100 ? PLT_OP_READ : PLT_OP_WRITE];
    run->n_samples = run->samples->len;
}

static void record_cell(PltRecorder *recorder, const PltCell *cell, guint64 seed)
{
    plt_recorder_begin_cell(recorder, &cell->spec, cell->score_rule);
    for (guint i = 0; i < cell->runs->len; i++) {
        PltCellRun *run = cell->runs->pdata[i];

        flesh_out(run, &cell->spec, seed + 100000 * i);
        plt_recorder_begin_cell_run(recorder, run->warmup, run->started_us, run->tick_ns);
        for (guint k = 0; k < run->samples->len; k++)
            plt_recorder_add_sample(recorder, &g_array_index(run->samples, struct plt_sample, k));
        plt_recorder_end_cell_run(recorder, run);
    }
}

static gint64 record(const char *path, PltRun *run)
{
    g_autoptr(GError) error = NULL;
    PltRunStatus status = run->status;
    PltRecorder *recorder;
    gint64 id;

    run->status = PLT_RUN_RUNNING;
    recorder = plt_recorder_new(path, run, FALSE, &error);
    g_assert_no_error(error);
    id = plt_recorder_run_id(recorder);
    for (guint i = 0; i < run->cells->len; i++)
        record_cell(recorder, run->cells->pdata[i], i * 1000003);
    plt_recorder_finish(recorder, status, run->status_detail, run->ended_us, &error);
    g_assert_no_error(error);
    return id;
}

/* As fast as FACTOR times the run that the fixture gave. */
static void scale(PltRun *run, double factor)
{
    for (guint i = 0; i < run->cells->len; i++) {
        PltCell *cell = run->cells->pdata[i];

        for (guint r = 0; r < cell->runs->len; r++) {
            PltCellRun *cell_run = cell->runs->pdata[r];

            cell_run->total.bandwidth_bps *= factor;
            cell_run->total.iops *= factor;
        }
    }
}

typedef struct {
    PltRun *(*make)(void);
    PltRunStatus status;
    double factor;
    double hours_ago;
    const char *place; /* a mount of the machine; NULL: the drive without one, measured on another machine */
    const char *title, *note;
} Entry;

static PltRun *nvme(void)
{
    return plt_fixture_nvme(FALSE);
}

static PltRun *mix(void)
{
    return plt_fixture_nvme(TRUE);
}

static PltRun *quick(void)
{
    PltRun *run = plt_fixture_nvme(FALSE);

    g_set_str(&run->suite_id, "quick");
    g_set_str(&run->suite_name, "Quick look");
    for (guint i = 0; i < run->cells->len; i++)
        g_ptr_array_set_size(((PltCell *)run->cells->pdata[i])->runs, 1);
    return run;
}

static const Entry entries[] = {
    {nvme, PLT_RUN_COMPLETE, 1.02, 2, "/home", NULL, NULL},
    {quick, PLT_RUN_COMPLETE, 0.98, 3, "/home", NULL, NULL},
    {plt_fixture_stopped, PLT_RUN_STOPPED, 1, 4, "/home", NULL, NULL},
    {mix, PLT_RUN_COMPLETE, 1.04, 26, NULL, "SN850X with the new firmware",
     "After the update to 620361WD.\nHeat sink on, door of the case open, 22 °C in the room."},
    {plt_fixture_failed, PLT_RUN_FAILED, 0.05, 30, "/run/media/mina/STICK", NULL, NULL},
    {quick, PLT_RUN_COMPLETE, 0.041, 31, "/run/media/mina/STICK", NULL, "At the front port"},
    {plt_fixture_blocks, PLT_RUN_COMPLETE, 1, 50, "/home", NULL, NULL},
    {plt_fixture_as_ssd, PLT_RUN_COMPLETE, 0.09, 75, "/srv/archive", NULL, NULL},
    {quick, PLT_RUN_INTERRUPTED, 0.079, 99, "/srv/archive", NULL, NULL},
    {plt_fixture_long_names, PLT_RUN_COMPLETE, 0.6, 800, NULL,
     "A name that is much longer than any list is wide, since people write whole sentences into such fields",
     NULL},
    {nvme, PLT_RUN_COMPLETE, 0.97, 900, "/home", "Before the move to the new case", NULL},
};

static void set_place(PltRun *run, const Entry *entry, Fixture *machine)
{
    g_autoptr(PltFolder) folder = entry->place != NULL ? fixture_folder(machine, entry->place) : NULL;
    JsonArray *drives;

    if (folder != NULL) {
        g_clear_pointer(&run->drive, json_node_unref);
        g_clear_pointer(&run->target, json_node_unref);
        run->drive = __real_plt_folder_drives_to_json(folder);
        run->target = __real_plt_folder_to_json(folder);
        return;
    }
    drives = json_node_get_array(run->drive);
    if (!g_str_has_prefix(json_object_get_string_member(json_array_get_object_element(drives, 0), "model"),
                          "Example"))
        return;
    json_object_set_string_member(json_array_get_object_element(drives, 0), "model",
                                  "WD_BLACK SN850X 4000GB");
    json_object_set_string_member(json_array_get_object_element(drives, 0), "firmware", "620361WD");
}

void records_store(const char *path, Fixture *machine)
{
    gint64 now = g_get_real_time();

    for (gsize i = G_N_ELEMENTS(entries); i > 0; i--) {
        const Entry *entry = &entries[i - 1];
        g_autoptr(PltRun) run = entry->make();

        g_free(run->uuid);
        run->uuid = g_uuid_string_random();
        run->status = entry->status;
        run->started_us = now - (gint64)(entry->hours_ago * 3600) * G_USEC_PER_SEC;
        run->ended_us = run->started_us + 200 * G_USEC_PER_SEC;
        run->title = g_strdup(entry->title);
        run->note = g_strdup(entry->note);
        scale(run, entry->factor);
        set_place(run, entry, machine);
        record(path, run);
    }
}

void records_damage(const char *path)
{
    g_autoptr(GError) error = NULL;

    g_file_set_contents(path, "This was a library once.\n", -1, &error);
    g_assert_no_error(error);
}
