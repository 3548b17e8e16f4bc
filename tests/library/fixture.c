/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <ftw.h>
#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <unistd.h>

char *fixture_folder(void)
{
    g_autoptr(GError) error = NULL;
    char *folder = g_dir_make_tmp("plateau-library-XXXXXX", &error);
    g_assert_no_error(error);
    return folder;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    return remove(path);
}

void fixture_remove(char *folder)
{
    g_assert_cmpint(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), ==, 0);
    g_free(folder);
}

char *fixture_path(const char *folder)
{
    return g_build_filename(folder, "library.db", NULL);
}

static JsonNode *json(const char *text)
{
    g_autoptr(GError) error = NULL;
    JsonNode *node = json_from_string(text, &error);
    g_assert_no_error(error);
    return node;
}

PltCellSpec fixture_spec(void)
{
    return (PltCellSpec){
        .id = (char *)"rnd4k-q32t1-read",
        .label = (char *)"RND4K Q32T1",
        .pattern = PLT_PATTERN_RANDOM,
        .block = 4096,
        .queue = 32,
        .threads = 1,
        .op = PLT_CELL_READ,
        .read_percent = 100,
    };
}

PltRun *fixture_new_run(void)
{
    static guint number;
    PltRun *run = plt_run_new();
    number++;
    run->uuid = g_uuid_string_random();
    run->suite_id = g_strdup("cdm-nvme");
    run->suite_version = 1;
    run->suite_name = g_strdup("CrystalDiskMark-style, NVMe SSD");
    run->chart = g_strdup("quick-card");
    run->status = PLT_RUN_RUNNING;
    run->started_us = G_GINT64_CONSTANT(1780000000000000) + number;
    run->program = g_strdup("Plateau 0.1.0");
    run->parameters = json("{\"size\": 1073741824, \"runs\": 3, \"warmup\": 1, \"seconds\": 5.0,"
                           " \"interval\": 5.0, \"data\": \"random\"}");
    run->target = json("{\"kind\": \"folder\", \"path\": \"/mnt/test\", \"filesystem\": \"ext4\"}");
    run->drive = json("[{\"name\": \"nvme0n1\", \"model\": \"Example SSD 2TB\", \"firmware\": \"1B2QEXM7\","
                      " \"serial\": \"S0001\", \"capacity\": 2000398934016}]");
    run->platform = json("{\"cpu\": {\"model\": \"Example Processor 7\"}, \"kernel\": \"6.12.0\","
                         " \"distribution\": \"Example Linux 13 (test)\"}");
    /* No id of the real table, so that a better wording there changes nothing here. */
    plt_warning_add(run->warnings, "example-warning", "256 MiB");
    return run;
}

static struct plt_measure measure(double mbps, double iops, double mean_us, guint64 ios)
{
    struct plt_measure figures = {
        .ios = ios,
        .bytes = (guint64)llround(mbps * 1e6 * 5),
        .seconds = 5,
        .bandwidth_bps = mbps * 1e6,
        .iops = iops,
        .latency = {.min_ns = (guint64)(mean_us * 500),
                    .max_ns = (guint64)(mean_us * 9000),
                    .mean_ns = mean_us * 1e3},
    };
    static const double share[PLT_N_PERCENTILES] = {0.95, 1.25, 1.5, 2, 3, 4, 5};
    for (int p = 0; p < PLT_N_PERCENTILES; p++) {
        figures.latency.percentile_ns[p] = mean_us * 1e3 * share[p];
        figures.latency.reliable[p] = p <= PLT_P99_9;
    }
    return figures;
}

static PltCellRun *add_run(PltCell *cell, struct plt_measure total)
{
    static const char engine[] = "{\"backend\": \"io_uring\", \"submit_cap\": 16, \"effective_queue\": 7.5}";
    PltCellRun *run = plt_cell_run_new();
    run->warmup = cell->runs->len == 0;
    run->complete = TRUE;
    run->started_us = G_GINT64_CONSTANT(1780000000000000) + 10000000 * (gint64)cell->runs->len;
    run->tick_ns = 100000000;
    run->total = total;
    run->engine = json(engine);
    if (cell->spec.op != PLT_CELL_WRITE)
        run->op[PLT_OP_READ] = total;
    if (cell->spec.op == PLT_CELL_WRITE)
        run->op[PLT_OP_WRITE] = total;
    g_ptr_array_add(cell->runs, run);
    return run;
}

static PltCell *add_cell(PltRun *run, const PltCellSpec *spec, const char *suffix, PltCellOp op)
{
    PltCellSpec own = *spec;
    g_autofree char *id = g_strconcat(spec->id, suffix, NULL);
    own.id = id;
    own.op = op;
    own.read_percent = op == PLT_CELL_READ ? 100 : op == PLT_CELL_WRITE ? 0 : 70;
    PltCell *cell = plt_cell_new(&own, PLT_SCORE_BEST);
    g_ptr_array_add(run->cells, cell);
    return cell;
}

static void add_mix(PltRun *run, const PltCellSpec *spec)
{
    PltCell *cell = add_cell(run, spec, "-mix70", PLT_CELL_MIX);
    PltCellRun *mix = add_run(cell, measure(250.5, 61157.2265625, 16.25, 305786));
    mix->warmup = FALSE;
    mix->op[PLT_OP_READ] = measure(175.35, 42810.05859375, 15.5, 214050);
    mix->op[PLT_OP_WRITE] = measure(75.15, 18347.16796875, 18, 91736);
}

/* The rows that peers.md quotes from CrystalDiskMark's own text, so the layout has a witness outside this
 * code. */
PltRun *fixture_run(void)
{
    const PltCellSpec sequential = {
        (char *)"seq1m-q8t1", (char *)"SEQ1M Q8T1", PLT_PATTERN_SEQUENTIAL, 1 << 20, 8, 1, 0, 0, 0, NULL};
    const PltCellSpec deep = {
        (char *)"rnd4k-q32t1", (char *)"RND4K Q32T1", PLT_PATTERN_RANDOM, 4096, 32, 1, 0, 0, 0, NULL};
    const PltCellSpec single = {
        (char *)"rnd4k-q1t1", (char *)"RND4K Q1T1", PLT_PATTERN_RANDOM, 4096, 1, 1, 0, 0, 0, NULL};
    PltRun *run = fixture_new_run();

    g_free(run->uuid);
    run->uuid = g_strdup("0f0e0d0c-0b0a-4908-8706-050403020100");
    run->id = 12;
    run->started_us = G_GINT64_CONSTANT(1780000000123456);
    run->ended_us = run->started_us + G_GINT64_CONSTANT(195000000);
    run->status = PLT_RUN_STOPPED;
    run->status_detail = g_strdup("stopped in RND4K Q1T1 write");
    run->title = g_strdup("Example *SSD*, “2 TB”");
    run->note = g_strdup("a | b, \"quoted\"\n한국어 메모");
    plt_warning_add(run->warnings, "other-example", "a,b");
    g_ptr_array_add(run->events, plt_event_new(run->started_us + 1, "samples-merged", NULL));

    PltCell *cell = add_cell(run, &sequential, "-read", PLT_CELL_READ);
    add_run(cell, measure(3400, 3242.4927, 2467.5, 16212));
    add_run(cell, measure(3500, 3337.860107421875, 2394.75, 16689));
    add_run(cell, measure(3504.012, 3341.6862487792969, 2392, 16708));
    add_run(cell, measure(3490.5, 3328.800201416, 2403.25, 16644));
    cell = add_cell(run, &deep, "-read", PLT_CELL_READ);
    add_run(cell, measure(300, 73242.1875, 436, 366211));
    PltCellRun *stalled = add_run(cell, measure(354.657, 86586.1816, 352.37, 432931));
    struct plt_stall stall = {.start_ns = 1200000000, .length_ns = 250000000, .inflight = 32};
    g_array_append_val(stalled->stalls, stall);
    cell = add_cell(run, &sequential, "-write", PLT_CELL_WRITE);
    add_run(cell, measure(2900, 2765.655517578125, 2890, 13828));
    add_run(cell, measure(12345.678, 11773.756, 679.4, 58869));
    cell = add_cell(run, &single, "-write", PLT_CELL_WRITE);
    add_run(cell, measure(180, 43945.3125, 22.5, 219727))->complete = FALSE;
    add_mix(run, &single);
    return run;
}

/* A hash of a number (splitmix64's finaliser): digits that repeat in no pattern a coder could profit from. */
static guint64 scatter(guint64 x)
{
    x += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* 86,000 IOPS +- 5 % at depth 32 with latencies that go with them, as a drive in its cache shows. */
struct plt_sample fixture_sample(guint64 index)
{
    struct plt_sample sample = {.index = index, .duration_ns = 100000000, .inflight = 32};
    struct plt_sample_op *op = &sample.op[PLT_OP_READ];
    guint64 start = index * sample.duration_ns;
    op->ios = 8170 + scatter(index * 8) % 860;
    op->bytes = op->ios * 4096;
    op->lat_sum_ns = 32 * sample.duration_ns - scatter(index * 8 + 1) % 2000000;
    op->lat_min_ns = 60000 + scatter(index * 8 + 2) % 20000;
    op->lat_max_ns = 700000 + scatter(index * 8 + 3) % 3000000;
    sample.first_ns = start + scatter(index * 8 + 4) % 12000;
    sample.last_ns = start + sample.duration_ns - 1 - scatter(index * 8 + 5) % 12000;
    sample.oldest_ns = 300000 + scatter(index * 8 + 6) % 400000;
    return sample;
}

static void record_cell(PltRecorder *recorder, const PltCell *cell, guint n_samples)
{
    plt_recorder_begin_cell(recorder, &cell->spec, cell->score_rule);
    for (guint i = 0; i < cell->runs->len; i++) {
        const PltCellRun *run = g_ptr_array_index(cell->runs, i);
        plt_recorder_begin_cell_run(recorder, run->warmup, run->started_us, run->tick_ns);
        for (guint k = 0; k < n_samples; k++) {
            struct plt_sample sample = fixture_sample(k);
            plt_recorder_add_sample(recorder, &sample);
        }
        plt_recorder_end_cell_run(recorder, run);
    }
}

gint64 fixture_store(const char *path, PltRun *run, guint n_samples)
{
    g_autoptr(GError) error = NULL;
    PltRunStatus status = run->status;
    run->status = PLT_RUN_RUNNING;
    PltRecorder *recorder = plt_recorder_new(path, run, FALSE, &error);
    run->status = status;
    g_assert_no_error(error);
    gint64 id = plt_recorder_run_id(recorder);
    for (guint i = 0; i < run->cells->len; i++)
        record_cell(recorder, g_ptr_array_index(run->cells, i), n_samples);
    g_assert_true(plt_recorder_finish(recorder, status, run->status_detail, run->ended_us, &error));
    g_assert_no_error(error);
    return id;
}

PltLibrary *fixture_open(const char *path)
{
    g_autoptr(GError) error = NULL;
    PltLibrary *library = plt_library_open(path, &error);
    g_assert_no_error(error);
    return library;
}

struct plt_sample_op fixture_sum(const GArray *samples, enum plt_op op)
{
    struct plt_sample_op sum = {.lat_min_ns = G_MAXUINT64};
    for (guint i = 0; i < samples->len; i++) {
        const struct plt_sample_op *one = &g_array_index(samples, struct plt_sample, i).op[op];
        sum.ios += one->ios;
        sum.bytes += one->bytes;
        sum.lat_sum_ns += one->lat_sum_ns;
        if (one->ios > 0)
            sum.lat_min_ns = MIN(sum.lat_min_ns, one->lat_min_ns);
        sum.lat_max_ns = MAX(sum.lat_max_ns, one->lat_max_ns);
    }
    return sum;
}

void fixture_assert_same_sample(const struct plt_sample *a, const struct plt_sample *b)
{
    g_assert_cmpuint(a->index, ==, b->index);
    g_assert_cmpuint(a->duration_ns, ==, b->duration_ns);
    g_assert_cmpuint(a->first_ns, ==, b->first_ns);
    g_assert_cmpuint(a->last_ns, ==, b->last_ns);
    g_assert_cmpuint(a->oldest_ns, ==, b->oldest_ns);
    g_assert_cmpuint(a->inflight, ==, b->inflight);
    for (int op = 0; op < PLT_N_OPS; op++)
        g_assert_cmpmem(&a->op[op], sizeof(a->op[op]), &b->op[op], sizeof(b->op[op]));
}

char *fixture_text(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    char *text = NULL;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        text = g_strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return text;
}

gint64 fixture_number(const char *path, const char *sql)
{
    g_autofree char *text = fixture_text(path, sql);
    return text ? g_ascii_strtoll(text, NULL, 10) : -1;
}

void fixture_exec(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    char *message = NULL;
    g_assert_cmpint(sqlite3_open(path, &db), ==, SQLITE_OK);
    sqlite3_exec(db, sql, NULL, NULL, &message);
    g_assert_cmpstr(message, ==, NULL);
    sqlite3_close(db);
}

static void assert_same_number(double a, double b)
{
    if (isnan(a))
        g_assert_true(isnan(b));
    else
        g_assert_cmpfloat(a, ==, b);
}

static void assert_same_measure(const struct plt_measure *a, const struct plt_measure *b)
{
    g_assert_cmpuint(a->ios, ==, b->ios);
    g_assert_cmpuint(a->bytes, ==, b->bytes);
    assert_same_number(a->seconds, b->seconds);
    assert_same_number(a->bandwidth_bps, b->bandwidth_bps);
    assert_same_number(a->iops, b->iops);
    g_assert_cmpuint(a->latency.min_ns, ==, b->latency.min_ns);
    g_assert_cmpuint(a->latency.max_ns, ==, b->latency.max_ns);
    assert_same_number(a->latency.mean_ns, b->latency.mean_ns);
    for (int p = 0; p < PLT_N_PERCENTILES; p++) {
        assert_same_number(a->latency.percentile_ns[p], b->latency.percentile_ns[p]);
        if (a->ios > 0)
            g_assert_cmpint(a->latency.reliable[p], ==, b->latency.reliable[p]);
    }
}

static void assert_same_json(JsonNode *a, JsonNode *b)
{
    g_assert_cmpint(a != NULL, ==, b != NULL);
    if (a)
        g_assert_true(json_node_equal(a, b));
}

static void assert_same_cell_run(const PltCellRun *a, const PltCellRun *b)
{
    g_assert_cmpint(a->warmup, ==, b->warmup);
    g_assert_cmpint(a->complete, ==, b->complete);
    g_assert_cmpint(a->started_us, ==, b->started_us);
    g_assert_cmpuint(a->tick_ns, ==, b->tick_ns);
    assert_same_measure(&a->total, &b->total);
    for (int op = 0; op < PLT_N_OPS; op++) {
        assert_same_measure(&a->op[op], &b->op[op]);
        g_assert_cmpint(a->histogram[op] != NULL, ==, b->histogram[op] != NULL);
        if (a->histogram[op])
            g_assert_cmpmem(a->histogram[op], sizeof(struct plt_histogram), b->histogram[op],
                            sizeof(struct plt_histogram));
    }
    g_assert_cmpuint(a->stalls->len, ==, b->stalls->len);
    for (guint i = 0; i < a->stalls->len; i++) {
        const struct plt_stall *x = &g_array_index(a->stalls, struct plt_stall, i);
        const struct plt_stall *y = &g_array_index(b->stalls, struct plt_stall, i);
        g_assert_cmpuint(x->start_ns, ==, y->start_ns);
        g_assert_cmpuint(x->length_ns, ==, y->length_ns);
        g_assert_cmpuint(x->inflight, ==, y->inflight);
    }
    assert_same_json(a->engine, b->engine);
}

static void assert_same_cell(const PltCell *a, const PltCell *b)
{
    g_assert_cmpstr(a->spec.id, ==, b->spec.id);
    g_assert_cmpstr(a->spec.label, ==, b->spec.label);
    g_assert_cmpint(a->spec.pattern, ==, b->spec.pattern);
    g_assert_cmpuint(a->spec.block, ==, b->spec.block);
    g_assert_cmpuint(a->spec.queue, ==, b->spec.queue);
    g_assert_cmpuint(a->spec.threads, ==, b->spec.threads);
    g_assert_cmpint(a->spec.op, ==, b->spec.op);
    g_assert_cmpuint(a->spec.read_percent, ==, b->spec.read_percent);
    g_assert_cmpint(a->spec.sync, ==, b->spec.sync);
    g_assert_cmpint(a->score_rule, ==, b->score_rule);
    g_assert_cmpuint(a->runs->len, ==, b->runs->len);
    for (guint i = 0; i < a->runs->len; i++)
        assert_same_cell_run(g_ptr_array_index(a->runs, i), g_ptr_array_index(b->runs, i));
}

static void assert_same_notes(const PltRun *a, const PltRun *b)
{
    g_assert_cmpuint(a->warnings->len, ==, b->warnings->len);
    for (guint i = 0; i < a->warnings->len; i++) {
        const PltWarning *x = g_ptr_array_index(a->warnings, i), *y = g_ptr_array_index(b->warnings, i);
        g_assert_cmpstr(x->id, ==, y->id);
        g_assert_cmpstr(x->detail, ==, y->detail);
    }
    g_assert_cmpuint(a->events->len, ==, b->events->len);
    for (guint i = 0; i < a->events->len; i++) {
        const PltEvent *x = g_ptr_array_index(a->events, i), *y = g_ptr_array_index(b->events, i);
        g_assert_cmpint(x->at_us, ==, y->at_us);
        g_assert_cmpstr(x->kind, ==, y->kind);
        g_assert_cmpstr(x->detail, ==, y->detail);
    }
}

void fixture_assert_same_run(const PltRun *a, const PltRun *b)
{
    g_assert_cmpstr(a->uuid, ==, b->uuid);
    g_assert_cmpstr(a->suite_id, ==, b->suite_id);
    g_assert_cmpuint(a->suite_version, ==, b->suite_version);
    g_assert_cmpstr(a->suite_name, ==, b->suite_name);
    g_assert_cmpstr(a->chart, ==, b->chart);
    g_assert_cmpint(a->status, ==, b->status);
    g_assert_cmpstr(a->status_detail, ==, b->status_detail);
    g_assert_cmpint(a->started_us, ==, b->started_us);
    g_assert_cmpint(a->ended_us, ==, b->ended_us);
    g_assert_cmpstr(a->title, ==, b->title);
    g_assert_cmpstr(a->note, ==, b->note);
    g_assert_cmpstr(a->program, ==, b->program);
    assert_same_json(a->parameters, b->parameters);
    assert_same_json(a->target, b->target);
    assert_same_json(a->drive, b->drive);
    assert_same_json(a->platform, b->platform);
    assert_same_notes(a, b);
    g_assert_cmpuint(a->cells->len, ==, b->cells->len);
    for (guint i = 0; i < a->cells->len; i++)
        assert_same_cell(g_ptr_array_index(a->cells, i), g_ptr_array_index(b->cells, i));
}

char *fixture_read(const char *name)
{
    g_autofree char *path = g_test_build_filename(G_TEST_DIST, "fixtures", name, NULL);
    g_autoptr(GError) error = NULL;
    char *text = NULL;
    g_file_get_contents(path, &text, NULL, &error);
    g_assert_no_error(error);
    return text;
}
