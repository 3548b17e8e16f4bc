/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>

#include "chart/format.h"
#include "fixture.h"

#define SECONDS 5.0
#define TICKS 50

/* 2026-03-14 15:09:26 UTC */
#define STARTED_US G_GINT64_CONSTANT(1773500966000000)

static JsonNode *json(const char *text)
{
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(text, &error);

    g_assert_no_error(error);
    return node;
}

PltRun *plt_fixture_run(const char *suite_id, const char *suite_name, const char *chart)
{
    PltRun *run = plt_run_new();

    run->id = 7;
    run->uuid = g_strdup("5f6b1d0e-6c0f-4b43-9a53-0b8c1f8f2a10");
    run->suite_id = g_strdup(suite_id);
    run->suite_version = 1;
    run->suite_name = g_strdup(suite_name);
    run->chart = g_strdup(chart);
    run->status = PLT_RUN_COMPLETE;
    run->started_us = STARTED_US;
    run->ended_us = STARTED_US + 200 * G_USEC_PER_SEC;
    run->program = g_strdup("Plateau " PLT_VERSION);
    run->parameters = json("{\"size\":1073741824,\"runs\":3,\"warmup\":1,\"seconds\":5,\"interval\":5,"
                           "\"data\":\"random\",\"mix_percent\":70}");
    run->target = json("{\"kind\":\"folder\",\"path\":\"/home/reviewer\",\"filesystem\":\"ext4\"}");
    run->drive = json("[{\"name\":\"nvme0n1\",\"model\":\"Example NV4000 4TB\",\"firmware\":\"4B2QEXM7\","
                      "\"capacity\":4000787030016,\"bus\":\"nvme\",\"link\":\"PCIe 4.0 x4\"}]");
    run->platform =
        json("{\"cpu\":{\"model\":\"AMD Ryzen 7 7800X3D 8-Core Processor\"},"
             "\"kernel\":\"6.12.43+deb13-amd64\",\"distribution\":\"Debian GNU/Linux 13 (trixie)\","
             "\"distribution_short\":\"Debian 13\"}");
    return run;
}

/* Figures that belong together: Little's law gives the latency. */
static struct plt_measure measure(double bps, double seconds, const PltCellSpec *spec)
{
    struct plt_measure m = {.seconds = seconds, .bandwidth_bps = bps};

    m.iops = bps / spec->block;
    m.ios = (guint64)(m.iops * seconds);
    m.bytes = m.ios * spec->block;
    m.latency.mean_ns = spec->queue * spec->threads / m.iops * 1e9;
    m.latency.min_ns = (guint64)(m.latency.mean_ns * 0.6);
    m.latency.max_ns = (guint64)(m.latency.mean_ns * 14.0);
    return m;
}

static PltCellRun *add_run(PltCell *cell, double bps, double seconds, gboolean complete)
{
    PltCellRun *run = plt_cell_run_new();

    run->complete = complete;
    run->started_us = STARTED_US;
    run->tick_ns = 100000000;
    run->total = measure(bps, seconds, &cell->spec);
    if (cell->spec.op == PLT_CELL_MIX)
        run->op[PLT_OP_READ] = measure(bps * 0.7, seconds, &cell->spec);
    else
        run->op[cell->spec.op == PLT_CELL_WRITE ? PLT_OP_WRITE : PLT_OP_READ] = run->total;
    g_ptr_array_add(cell->runs, run);
    return run;
}

static char *cell_id(const char *label, PltCellOp op)
{
    g_autofree char *id = g_strconcat(label, "-", plt_cell_op_name(op), NULL);
    g_autofree char *lower = g_ascii_strdown(id, -1);

    return g_strdelimit(g_steal_pointer(&lower), " ", '-');
}

PltCell *plt_fixture_add_cell(PltRun *run, const char *label, enum plt_pattern pattern, guint32 block,
                              guint queue, guint threads, PltCellOp op, double bps, guint n_runs)
{
    PltCellSpec spec = {.pattern = pattern, .block = block, .queue = queue, .threads = threads, .op = op};
    PltCell *cell = NULL;

    spec.read_percent = op == PLT_CELL_READ ? 100 : op == PLT_CELL_MIX ? 70 : 0;
    spec.id = cell_id(label, op);
    spec.label = g_strdup(label);
    cell = plt_cell_new(&spec, PLT_SCORE_BEST);
    plt_cell_spec_clear(&spec);
    for (guint i = 0; i < n_runs; i++)
        add_run(cell, bps * (1.0 - 0.004 * ((i + 1) % 3)), SECONDS, TRUE);
    g_ptr_array_add(run->cells, cell);
    return cell;
}

/* A sample of bandwidth BPS; a little noise that is the same in every run of the test. */
static struct plt_sample sample(guint index, double bps, enum plt_op op, guint32 block)
{
    struct plt_sample s = {.index = index, .duration_ns = 100000000, .inflight = 8};
    double noise = sin(index * 1.7) * 0.012 + sin(index * 0.31) * 0.02;

    s.op[op].bytes = (guint64)(bps * (1.0 + noise) / 10.0);
    s.op[op].ios = s.op[op].bytes / block;
    return s;
}

void plt_fixture_add_samples(PltCell *cell, int stall_run)
{
    enum plt_op op = cell->spec.op == PLT_CELL_WRITE ? PLT_OP_WRITE : PLT_OP_READ;

    for (guint r = 0; r < cell->runs->len; r++) {
        PltCellRun *run = cell->runs->pdata[r];

        run->samples = g_array_new(FALSE, FALSE, sizeof(struct plt_sample));
        run->n_samples = TICKS;
        for (guint i = 0; i < TICKS; i++) {
            gboolean still = (int)r == stall_run && i >= 20 && i < 30;
            struct plt_sample s = sample(i, still ? 0.0 : run->total.bandwidth_bps, op, cell->spec.block);

            g_array_append_val(run->samples, s);
        }
        if ((int)r == stall_run) {
            struct plt_stall stall = {.start_ns = 2000000000, .length_ns = 1000000000, .inflight = 8};

            g_array_append_val(run->stalls, stall);
        }
    }
}

struct line {
    const char *label;
    enum plt_pattern pattern;
    guint32 block;
    guint queue, threads;
    double mbps[3];
};

static const struct line nvme_lines[] = {
    {"SEQ1M Q8T1", PLT_PATTERN_SEQUENTIAL, 1048576, 8, 1, {7012.4, 6587.2, 5893.0}},
    {"SEQ128K Q32T1", PLT_PATTERN_SEQUENTIAL, 131072, 32, 1, {6840.9, 6561.8, 5710.3}},
    {"RND4K Q32T16", PLT_PATTERN_RANDOM, 4096, 32, 16, {4631.7, 4205.5, 4380.1}},
    {"RND4K Q1T1", PLT_PATTERN_RANDOM, 4096, 1, 1, {87.4, 253.1, 103.6}},
};

PltRun *plt_fixture_nvme(gboolean mix)
{
    PltRun *run = plt_fixture_run("cdm-nvme", "CrystalDiskMark-style, NVMe SSD", "quick-card");

    for (guint op = 0; op < (mix ? 3 : 2); op++) {
        for (guint i = 0; i < G_N_ELEMENTS(nvme_lines); i++) {
            const struct line *l = &nvme_lines[i];

            plt_fixture_add_cell(run, l->label, l->pattern, l->block, l->queue, l->threads, op,
                                 l->mbps[op] * 1e6, 3);
        }
    }
    return run;
}

PltRun *plt_fixture_rows(guint rows)
{
    PltRun *run = plt_fixture_run("mine", "Queue depths and block sizes", "quick-card");

    for (guint op = 0; op < 2; op++) {
        for (guint i = 0; i < rows; i++) {
            guint queue = 1u << (i % 8);
            guint32 block = i < 8 ? 4096 : 131072;
            g_autofree char *label = g_strdup_printf("%s Q%uT1", i < 8 ? "RND4K" : "RND128K", queue);
            double bps = block * 21000.0 * pow(queue, 0.82) * (op ? 2.4 : 1.0) / (i < 8 ? 1.0 : 9.0);

            plt_fixture_add_cell(run, label, PLT_PATTERN_RANDOM, block, queue, 1, op, bps, 1);
        }
    }
    return run;
}

PltRun *plt_fixture_as_ssd(void)
{
    PltRun *run = plt_fixture_run("as-ssd", "AS SSD-style", "as-ssd");
    static const double mbps[2][3] = {{6200.0, 82.0, 2400.0}, {5900.0, 190.0, 1900.0}};

    for (guint op = 0; op < 2; op++) {
        plt_fixture_add_cell(run, "SEQ16M Q1T1", PLT_PATTERN_SEQUENTIAL, 16777216, 1, 1, op,
                             mbps[op][0] * 1e6, 1);
        plt_fixture_add_cell(run, "RND4K Q1T1", PLT_PATTERN_RANDOM, 4096, 1, 1, op, mbps[op][1] * 1e6, 1);
        plt_fixture_add_cell(run, "RND4K Q1T64", PLT_PATTERN_RANDOM, 4096, 1, 64, op, mbps[op][2] * 1e6, 1);
    }
    plt_fixture_add_cell(run, "Access time 4K", PLT_PATTERN_RANDOM, 4096, 1, 1, PLT_CELL_READ, 80e6, 1);
    plt_fixture_add_cell(run, "Access time 512B", PLT_PATTERN_RANDOM, 512, 1, 1, PLT_CELL_WRITE, 24e6, 1);
    return run;
}

PltRun *plt_fixture_blocks(void)
{
    PltRun *run = plt_fixture_run("blocksize-sweep", "Block-size sweep", "blocksize");

    for (guint32 block = 512; block <= 64u << 20; block *= 2) {
        g_autofree char *name = plt_format_block(block);
        g_autofree char *label = g_strdup_printf("SEQ%s Q4T1", name);
        double read = 7050e6 * (1.0 - exp(-(double)block / 90000.0)),
               write = 6600e6 * (1.0 - exp(-(double)block / 41000.0));

        plt_fixture_add_cell(run, label, PLT_PATTERN_SEQUENTIAL, block, 4, 1, PLT_CELL_WRITE, write, 1);
        plt_fixture_add_cell(run, label, PLT_PATTERN_SEQUENTIAL, block, 4, 1, PLT_CELL_READ, read, 1);
    }
    return run;
}

/* The cells from FROM on have no runs; cell FROM itself was cut short after 2.1 s where PARTIAL. */
static void cut_short(PltRun *run, guint from, gboolean partial)
{
    for (guint i = from; i < run->cells->len; i++) {
        PltCell *cell = run->cells->pdata[i];
        double bps = ((PltCellRun *)cell->runs->pdata[0])->total.bandwidth_bps;

        g_ptr_array_set_size(cell->runs, 0);
        if (i == from && partial)
            add_run(cell, bps * 0.97, 2.1, FALSE);
    }
}

PltRun *plt_fixture_stopped(void)
{
    PltRun *run = plt_fixture_nvme(FALSE);

    cut_short(run, 6, TRUE);
    run->status = PLT_RUN_STOPPED;
    return run;
}

PltRun *plt_fixture_failed(void)
{
    PltRun *run = plt_fixture_nvme(FALSE);
    PltCell *cell = run->cells->pdata[5];

    cut_short(run, 5, FALSE);
    add_run(cell, 0.0, 0.0, FALSE);
    run->status = PLT_RUN_FAILED;
    run->status_detail =
        g_strdup("Writing SEQ128K Q32T1 failed at byte 402,653,184 after 1.3 s: No such device");
    plt_warning_add(run->warnings, "battery", "45 %");
    return run;
}

PltRun *plt_fixture_long_names(void)
{
    PltRun *run = plt_fixture_nvme(TRUE);

    json_node_unref(run->drive);
    run->drive = json("[{\"model\":\"Hewlett Packard Enterprise MO012800PXVRU Mixed Use Self-Encrypting "
                      "Multi Vendor Solid State Drive 12.8TB 아주 긴 이름의 드라이브\",\"firmware\":\"HPK7\","
                      "\"capacity\":12800000000000,\"link\":\"PCIe 4.0 x4\"}]");
    plt_warning_add(run->warnings, "compression", "zstd:3");
    plt_warning_add(run->warnings, "encryption", "LUKS2 aes-xts-plain64 over LVM over md raid1");
    plt_warning_add(run->warnings, "battery", "45 %");
    plt_fixture_add_cell(run, "Random 4K aligned, synchronous, one after another Q1T1", PLT_PATTERN_RANDOM,
                         4096, 1, 1, PLT_CELL_WRITE, 11.9e6, 3);
    return run;
}

PltRun *plt_fixture_bare(void)
{
    PltRun *run = plt_run_new();

    run->status = PLT_RUN_COMPLETE;
    plt_fixture_add_cell(run, "RND4K Q1T1", PLT_PATTERN_RANDOM, 4096, 1, 1, PLT_CELL_READ, 0.62e6, 1);
    return run;
}
