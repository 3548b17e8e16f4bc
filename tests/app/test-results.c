/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <math.h>

#include <glib/gstdio.h>

#include "../report/fixture.h"
#include "app/cell-figures.h"
#include "app/chart-rows.h"
#include "app/export-format.h"
#include "app/library-filter.h"
#include "app/run-facts.h"
#include "app/run-store.h"
#include "library/recorder.h"

/* A library of three runs: the first is the oldest. */
typedef struct {
    char *folder, *path;
    gint64 ids[3];
    PltRunStore *store;
    guint changes, failures;
} Bed;

/* As the runner does it, all at once. */
static gint64 record(const char *path, PltRun *run, PltRunStatus status)
{
    g_autoptr(GError) error = NULL;
    PltRecorder *recorder = NULL;
    gint64 id;

    g_free(run->uuid);
    run->uuid = g_uuid_string_random();
    run->status = PLT_RUN_RUNNING;
    recorder = plt_recorder_new(path, run, FALSE, &error);
    g_assert_no_error(error);
    id = plt_recorder_run_id(recorder);
    for (guint c = 0; c < run->cells->len; c++) {
        const PltCell *cell = run->cells->pdata[c];

        plt_recorder_begin_cell(recorder, &cell->spec, cell->score_rule);
        for (guint r = 0; r < cell->runs->len; r++) {
            const PltCellRun *window = cell->runs->pdata[r];

            plt_recorder_begin_cell_run(recorder, window->warmup, window->started_us, 100000000);
            for (guint i = 0; window->samples && i < window->samples->len; i++)
                plt_recorder_add_sample(recorder, &g_array_index(window->samples, struct plt_sample, i));
            plt_recorder_end_cell_run(recorder, window);
        }
    }
    plt_recorder_finish(recorder, status, NULL, run->started_us + 1000000, &error);
    g_assert_no_error(error);
    return id;
}

static void fill(Bed *bed)
{
    g_autoptr(PltRun) nvme = plt_fixture_nvme(FALSE), blocks = plt_fixture_blocks(),
                      stopped = plt_fixture_stopped();

    for (guint i = 0; i < nvme->cells->len; i++)
        plt_fixture_add_samples(nvme->cells->pdata[i], i == 0 ? 1 : -1);
    nvme->started_us = 1000000000000000;
    blocks->started_us = 1100000000000000;
    stopped->started_us = 1200000000000000;
    bed->ids[0] = record(bed->path, nvme, PLT_RUN_COMPLETE);
    bed->ids[1] = record(bed->path, blocks, PLT_RUN_COMPLETE);
    bed->ids[2] = record(bed->path, stopped, PLT_RUN_STOPPED);
}

static gboolean step(gpointer nothing)
{
    return G_SOURCE_CONTINUE;
}

/* Runs the main loop until CONDITION; a test that waits in vain is ended by its runner. */
#define WAIT_FOR(condition)                         \
    do {                                            \
        guint ticks = g_timeout_add(5, step, NULL); \
        while (!(condition))                        \
            g_main_context_iteration(NULL, TRUE);   \
        g_source_remove(ticks);                     \
    } while (0)

static void on_changed(GListModel *model, guint position, guint removed, guint added, Bed *bed)
{
    bed->changes++;
}

static void on_failed(PltRunStore *store, const char *sentence, Bed *bed)
{
    g_assert_cmpstr(sentence, !=, "");
    bed->failures++;
}

static void open_store(Bed *bed)
{
    bed->store = plt_run_store_new(bed->path);
    g_signal_connect(bed->store, "items-changed", G_CALLBACK(on_changed), bed);
    g_signal_connect(bed->store, "failed", G_CALLBACK(on_failed), bed);
    g_assert_true(plt_run_store_is_loading(bed->store));
    WAIT_FOR(!plt_run_store_is_loading(bed->store));
}

static void set_up_empty(Bed *bed, gconstpointer data)
{
    bed->folder = g_dir_make_tmp("plateau-results-XXXXXX", NULL);
    bed->path = g_build_filename(bed->folder, "library.db", NULL);
}

static void set_up(Bed *bed, gconstpointer data)
{
    set_up_empty(bed, data);
    fill(bed);
    open_store(bed);
}

static void tear_down(Bed *bed, gconstpointer data)
{
    g_autoptr(GDir) dir = NULL;
    const char *name = NULL;

    if (bed->store) {
        plt_run_store_flush(bed->store);
        /* Tasks hold the store until the main loop has told their end. */
        WAIT_FOR(G_OBJECT(bed->store)->ref_count == 1);
        g_assert_finalize_object(bed->store);
    }
    dir = g_dir_open(bed->folder, 0, NULL);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(bed->folder, name, NULL);

        g_unlink(path);
    }
    g_rmdir(bed->folder);
    g_free(bed->folder);
    g_free(bed->path);
}

static guint n_runs(Bed *bed)
{
    return g_list_model_get_n_items(G_LIST_MODEL(bed->store));
}

static gint64 id_at(Bed *bed, guint position)
{
    g_autoptr(PltRunItem) item = g_list_model_get_item(G_LIST_MODEL(bed->store), position);

    return item ? plt_run_item_get_id(item) : 0;
}

/* What the file holds, read past the store. */
static guint n_stored(Bed *bed)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PltLibrary) library = plt_library_open(bed->path, &error);
    g_autoptr(GPtrArray) list = plt_library_list(library, &error);

    g_assert_no_error(error);
    return list->len;
}

static void test_lists(Bed *bed, gconstpointer data)
{
    PltRunItem *item = plt_run_store_find(bed->store, bed->ids[2]);
    guint changes = bed->changes;
    g_autoptr(PltRun) another = plt_fixture_as_ssd();

    g_assert_null(plt_run_store_get_error(bed->store));
    g_assert_cmpuint(n_runs(bed), ==, 3);
    /* Newest first. */
    g_assert_cmpint(id_at(bed, 0), ==, bed->ids[2]);
    g_assert_cmpint(id_at(bed, 2), ==, bed->ids[0]);
    g_assert_cmpint(plt_run_item_get_summary(item)->status, ==, PLT_RUN_STOPPED);
    another->started_us = 1150000000000000;
    record(bed->path, another, PLT_RUN_COMPLETE);
    plt_run_store_refresh(bed->store);
    plt_run_store_refresh(bed->store);
    WAIT_FOR(n_runs(bed) == 4);
    /* One announcement, and the objects that were there are still the same. */
    g_assert_cmpuint(bed->changes, ==, changes + 1);
    g_assert_true(plt_run_store_find(bed->store, bed->ids[2]) == item);
    g_assert_cmpint(id_at(bed, 3), ==, bed->ids[0]);
}

static void test_headline(Bed *bed, gconstpointer data)
{
    PltRunItem *item = plt_run_store_find(bed->store, bed->ids[0]);

    g_assert_cmpstr(plt_run_item_get_figure(item), ==, "");
    plt_run_store_need_figure(bed->store, item);
    WAIT_FOR(*plt_run_item_get_figure(item) != '\0');
    g_assert_true(g_str_has_prefix(plt_run_item_get_figure(item), "7,012 / "));
    g_assert_true(g_str_has_suffix(plt_run_item_get_figure(item), " MB/s"));
}

static void test_names(Bed *bed, gconstpointer data)
{
    PltRunItem *item = plt_run_store_find(bed->store, bed->ids[0]);

    plt_run_store_set_title(bed->store, bed->ids[0], "In the lower slot");
    g_assert_cmpstr(plt_run_item_get_title(item), ==, "In the lower slot");
    plt_run_store_set_note(bed->store, bed->ids[0], "Two lines\nof it");
    plt_run_store_flush(bed->store);
    {
        g_autoptr(PltLibrary) library = plt_library_open(bed->path, NULL);
        g_autoptr(PltRun) run = plt_library_load(library, bed->ids[0], NULL);

        g_assert_cmpstr(run->title, ==, "In the lower slot");
        g_assert_cmpstr(run->note, ==, "Two lines\nof it");
    }
    plt_run_store_set_title(bed->store, bed->ids[0], "");
    g_assert_cmpstr(plt_run_item_get_title(item), !=, "In the lower slot");
    /* A run that is not there: one sentence, and the list as it was. */
    plt_run_store_set_title(bed->store, 999, "x");
    WAIT_FOR(bed->failures == 1);
    g_assert_cmpuint(n_runs(bed), ==, 3);
}

static void test_undo(Bed *bed, gconstpointer data)
{
    guint ticket = plt_run_store_hide(bed->store, bed->ids, 2);

    g_assert_cmpuint(n_runs(bed), ==, 1);
    g_assert_null(plt_run_store_find(bed->store, bed->ids[0]));
    g_assert_cmpuint(n_stored(bed), ==, 3);
    /* Reading anew does not bring back what is hidden. */
    plt_run_store_refresh(bed->store);
    WAIT_FOR(G_OBJECT(bed->store)->ref_count == 1);
    g_assert_cmpuint(n_runs(bed), ==, 1);
    plt_run_store_unhide(bed->store, ticket);
    g_assert_cmpuint(n_runs(bed), ==, 3);
    g_assert_cmpint(id_at(bed, 2), ==, bed->ids[0]);
    plt_run_store_expire(bed->store, ticket);
    plt_run_store_flush(bed->store);
    g_assert_cmpuint(n_stored(bed), ==, 3);
}

/* The next deletion makes the one before final, and its own offer has nothing to do with it. */
static void test_delete(Bed *bed, gconstpointer data)
{
    guint first = plt_run_store_hide(bed->store, &bed->ids[0], 1);
    guint second = plt_run_store_hide(bed->store, &bed->ids[1], 1);

    plt_run_store_unhide(bed->store, first);
    plt_run_store_expire(bed->store, first);
    WAIT_FOR(G_OBJECT(bed->store)->ref_count == 1);
    g_assert_cmpuint(n_runs(bed), ==, 1);
    g_assert_cmpuint(n_stored(bed), ==, 2);
    plt_run_store_unhide(bed->store, second);
    g_assert_cmpuint(n_runs(bed), ==, 2);
    plt_run_store_hide(bed->store, &bed->ids[1], 1);
    plt_run_store_flush(bed->store);
    g_assert_cmpuint(n_stored(bed), ==, 1);
}

static void test_no_library(Bed *bed, gconstpointer data)
{
    open_store(bed);
    g_assert_cmpuint(n_runs(bed), ==, 0);
    g_assert_null(plt_run_store_get_error(bed->store));
    /* Looking does not make one. */
    g_assert_false(g_file_test(bed->path, G_FILE_TEST_EXISTS));
    fill(bed);
    plt_run_store_refresh(bed->store);
    WAIT_FOR(n_runs(bed) == 3);
}

static void test_damaged(Bed *bed, gconstpointer data)
{
    g_file_set_contents(bed->path, "This was a library once.\n", -1, NULL);
    open_store(bed);
    g_assert_cmpuint(n_runs(bed), ==, 0);
    g_assert_nonnull(plt_run_store_get_error(bed->store));
    /* Moved away, a new one can be used at once. */
    g_unlink(bed->path);
    fill(bed);
    plt_run_store_refresh(bed->store);
    WAIT_FOR(n_runs(bed) == 3);
    g_assert_null(plt_run_store_get_error(bed->store));
}

static void keep_result(GObject *source, GAsyncResult *result, gpointer data)
{
    *(GAsyncResult **)data = g_object_ref(result);
}

static GPtrArray *load(Bed *bed, const gint64 *ids, gsize n, gboolean samples, GError **error)
{
    g_autoptr(GAsyncResult) result = NULL;

    plt_run_store_load_async(bed->store, ids, n, samples, NULL, keep_result, &result);
    WAIT_FOR(result);
    return plt_run_store_load_finish(bed->store, result, error);
}

static void test_loads(Bed *bed, gconstpointer data)
{
    const gint64 wanted[] = {bed->ids[2], bed->ids[0]}, missing = 999;
    g_autoptr(GError) error = NULL, no_run = NULL;
    g_autoptr(GPtrArray) runs = load(bed, wanted, 2, FALSE, &error), whole = NULL, none = NULL;
    const PltCell *cell = NULL;

    g_assert_no_error(error);
    g_assert_cmpint(((PltRun *)runs->pdata[0])->id, ==, bed->ids[2]);
    cell = ((PltRun *)runs->pdata[1])->cells->pdata[0];
    g_assert_null(((PltCellRun *)cell->runs->pdata[0])->samples);
    whole = load(bed, &bed->ids[0], 1, TRUE, &error);
    cell = ((PltRun *)whole->pdata[0])->cells->pdata[0];
    g_assert_cmpuint(((PltCellRun *)cell->runs->pdata[0])->samples->len, ==, 50);
    none = load(bed, &missing, 1, FALSE, &no_run);
    g_assert_null(none);
    g_assert_error(no_run, PLT_ERROR, PLT_ERROR_USAGE);
}

static GBytes *make(Bed *bed, GPtrArray *runs, PltExport format, const PltReportOptions *options)
{
    g_autoptr(GAsyncResult) result = NULL;
    g_autoptr(GError) error = NULL;
    GBytes *bytes = NULL;

    plt_export_make_async(bed->store, runs, format, options, NULL, keep_result, &result);
    WAIT_FOR(result);
    bytes = plt_export_make_finish(bed->store, result, &error);
    g_assert_no_error(error);
    return bytes;
}

static gboolean begins_with(GBytes *bytes, const char *text)
{
    gsize size = 0;
    const char *data = g_bytes_get_data(bytes, &size);

    return size > strlen(text) && memcmp(data, text, strlen(text)) == 0;
}

static guint count(GBytes *bytes, const char *text)
{
    g_autofree char *all = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
    g_auto(GStrv) parts = g_strsplit(all, text, -1);

    return g_strv_length(parts) - 1;
}

static void test_exports(Bed *bed, gconstpointer data)
{
    static const char *const beginnings[PLT_N_EXPORTS] = {
        [PLT_EXPORT_PNG] = "\x89PNG\r\n",
        [PLT_EXPORT_SVG] = "<?xml",
        [PLT_EXPORT_PDF] = "%PDF-",
        [PLT_EXPORT_JSON] = "[\n{",
    };
    g_autoptr(GPtrArray) runs = load(bed, bed->ids, 2, FALSE, NULL),
                         one = load(bed, bed->ids, 1, FALSE, NULL);
    PltReportOptions options = {.kind = "ranking", .language = "en"},
                     time = {.kind = "time", .language = "en"};
    g_autoptr(GBytes) curve = NULL, single = NULL, both = NULL;

    for (guint i = 0; i < PLT_N_EXPORTS; i++) {
        g_autoptr(GBytes) bytes = make(bed, runs, (PltExport)i, &options);

        g_assert_cmpuint(g_bytes_get_size(bytes), >, 200);
        if (beginnings[i])
            g_assert_true(begins_with(bytes, beginnings[i]));
        g_assert_cmpint(plt_export_from_name(plt_export_get_name((PltExport)i)), ==, i);
    }
    g_assert_cmpint(plt_export_from_name("no such format"), ==, PLT_EXPORT_PNG);
    /* The samples are read for it though the runs do not have them. */
    curve = make(bed, one, PLT_EXPORT_PNG, &time);
    g_assert_true(begins_with(curve, "\x89PNG"));
    single = make(bed, one, PLT_EXPORT_CSV, &options);
    both = make(bed, runs, PLT_EXPORT_CSV, &options);
    g_assert_cmpuint(count(both, "\n"), >, count(single, "\n"));
    g_assert_cmpuint(count(both, "run_id") + count(both, "suite"), ==,
                     count(single, "run_id") + count(single, "suite"));
}

static void test_file_names(void)
{
    g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify)plt_run_free);
    PltRun *run = plt_fixture_nvme(FALSE);
    g_autofree char *name = NULL, *hostile = NULL, *longest = NULL, *dots = NULL;

    g_ptr_array_add(runs, run);
    name = plt_export_suggest_name(runs, PLT_EXPORT_PNG);
    g_assert_true(g_str_has_suffix(name, ".png"));
    g_set_str(&run->title, "../a/b\\c:d\n\xff");
    hostile = plt_export_suggest_name(runs, PLT_EXPORT_MARKDOWN);
    g_assert_true(g_str_has_suffix(hostile, ".md"));
    g_assert_null(strpbrk(hostile, "/\\:\n"));
    g_assert_true(hostile[0] != '.');
    g_assert_true(g_utf8_validate(hostile, -1, NULL));
    g_free(run->title);
    run->title = g_strnfill(5000, 'x');
    longest = plt_export_suggest_name(runs, PLT_EXPORT_PDF);
    g_assert_cmpuint(strlen(longest), <, 255);
    g_set_str(&run->title, ".hidden");
    dots = plt_export_suggest_name(runs, PLT_EXPORT_SVG);
    g_assert_true(dots[0] == '-');
}

static PltRunItem *make_item(const char *drive, const char *suite, const char *note, gint64 started_us)
{
    PltRunSummary *summary = g_new0(PltRunSummary, 1);

    summary->id = 1;
    summary->status = PLT_RUN_FAILED;
    summary->drive_model = g_strdup(drive);
    summary->suite_name = g_strdup(suite);
    summary->suite_id = g_strdup("id");
    summary->note = g_strdup(note);
    summary->started_us = started_us;
    return plt_run_item_new(summary);
}

static void test_filter(void)
{
    g_autoptr(GDateTime) noon = g_date_time_new_local(2026, 5, 20, 12, 0, 0.0);
    g_autoptr(GDateTime) evening = g_date_time_add_hours(noon, -13);
    gint64 now = g_date_time_to_unix_usec(noon);
    g_autoptr(PltRunItem) item =
        make_item("WD_BLACK SN850X", "Quick look", "Kühler im Gehäuse", g_date_time_to_unix_usec(evening));
    PltLibraryFilter filter = {0};

    g_assert_true(plt_library_filter_is_empty(&filter));
    g_assert_true(plt_library_filter_matches(&filter, item));
    plt_library_filter_set_search(&filter, "  sn850x   LOOK ");
    g_assert_true(plt_library_filter_matches(&filter, item));
    plt_library_filter_set_search(&filter, "KÜHLER failed");
    g_assert_true(plt_library_filter_matches(&filter, item));
    plt_library_filter_set_search(&filter, "sn850x 990");
    g_assert_false(plt_library_filter_matches(&filter, item));
    g_assert_false(plt_library_filter_is_empty(&filter));
    plt_library_filter_set_search(&filter, " ");
    filter.drive = g_strdup("WD_BLACK");
    g_assert_false(plt_library_filter_matches(&filter, item));
    g_set_str(&filter.drive, "WD_BLACK SN850X");
    g_assert_true(plt_library_filter_matches(&filter, item));
    /* 23:00 of the day before is not today, and is within the last seven days. */
    plt_library_filter_set_period(&filter, PLT_PERIOD_TODAY, now);
    g_assert_false(plt_library_filter_matches(&filter, item));
    plt_library_filter_set_period(&filter, PLT_PERIOD_WEEK, now);
    g_assert_true(plt_library_filter_matches(&filter, item));
    plt_library_filter_set_period(&filter, PLT_PERIOD_WEEK, now + 7 * G_TIME_SPAN_DAY);
    g_assert_false(plt_library_filter_matches(&filter, item));
    plt_library_filter_clear(&filter);
    g_assert_true(plt_library_filter_is_empty(&filter));
}

static void assert_figure(PltCellFigures *figures, guint figure, const char *expected)
{
    g_autofree char *text = plt_cell_figures_format(figures, figure);

    g_assert_cmpstr(text, ==, expected);
}

static void test_figures(void)
{
    g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func((GDestroyNotify)plt_run_free);
    g_autoptr(GListStore) list = NULL;
    g_autoptr(PltCellFigures) first = NULL;
    g_autofree char *title = NULL, *name = NULL;
    const PltCell *cell = NULL;

    g_ptr_array_add(runs, plt_fixture_nvme(FALSE));
    g_ptr_array_add(runs, plt_fixture_nvme(FALSE));
    cell = ((PltRun *)runs->pdata[1])->cells->pdata[0];
    for (guint i = 0; i < cell->runs->len; i++) {
        PltCellRun *run = cell->runs->pdata[i];

        run->total.bandwidth_bps *= 0.9;
        run->op[PLT_OP_READ].bandwidth_bps *= 0.9;
    }
    list = plt_cell_figures_list(runs);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(list)), ==,
                     ((PltRun *)runs->pdata[0])->cells->len);
    first = g_list_model_get_item(G_LIST_MODEL(list), 0);
    assert_figure(first, PLT_FIGURE_CELL, "SEQ1M Q8T1");
    assert_figure(first, PLT_FIGURE_OP, "Read");
    assert_figure(first, PLT_FIGURE_BANDWIDTH, "7,012");
    assert_figure(first, PLT_FIGURE_RUN, "7,012 MB/s");
    assert_figure(first, PLT_FIGURE_RUN + 1, "6,311 MB/s (−10.0 %)");
    title = plt_figure_title(PLT_FIGURE_PERCENTILE + PLT_P99_9, runs);
    g_assert_cmpstr(title, ==, "99.9 %");
    /* Two runs of one drive are told apart. */
    name = plt_figure_title(PLT_FIGURE_RUN, runs);
    g_assert_nonnull(strchr(name, ','));
}

static void test_rows(void)
{
    g_autoptr(PltChart) chart = plt_chart_new(PLT_SCALE_LINEAR, PLT_UNIT_TIME, "Time", PLT_SCALE_LINEAR,
                                              PLT_UNIT_BANDWIDTH, "Throughput");
    PltPyramid *read = plt_pyramid_new_uneven(), *write = plt_pyramid_new_uneven();
    g_autoptr(PltChartRows) rows = NULL;
    g_autoptr(PltChartRow) second = NULL, third = NULL;
    g_autofree char *x = NULL, *value = NULL;

    plt_pyramid_append_at(read, 0.05, 1e9);
    plt_pyramid_append_at(read, 0.15, NAN);
    plt_pyramid_append_at(read, 0.25, 3e9);
    plt_pyramid_append_at(write, 0.2, 2e9);
    plt_chart_add_series(chart, PLT_SERIES_LINE, "Read", 0, read);
    plt_chart_add_series(chart, PLT_SERIES_LINE, "Write", 1, write);
    rows = plt_chart_rows_new(chart);
    /* They are copies: the chart may go away. */
    g_clear_pointer(&chart, plt_chart_free);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(rows)), ==, 3);
    second = g_list_model_get_item(G_LIST_MODEL(rows), 1);
    third = g_list_model_get_item(G_LIST_MODEL(rows), 2);
    g_assert_null(g_list_model_get_item(G_LIST_MODEL(rows), 3));
    g_assert_cmpstr(plt_chart_row_get_series(second), ==, "Write");
    g_assert_cmpstr(plt_chart_row_get_series(third), ==, "Read");
    x = plt_chart_row_format_x(second);
    value = plt_chart_row_format_value(second);
    g_assert_cmpstr(x, ==, "0.20 s");
    g_assert_cmpstr(value, ==, "2,000 MB/s");
}

static const PltRunFact *find_fact(GPtrArray *groups, const char *group, const char *title)
{
    for (guint g = 0; g < groups->len; g++) {
        const PltRunFactGroup *facts = groups->pdata[g];

        for (guint i = 0; g_str_equal(facts->title, group) && i < facts->facts->len; i++) {
            const PltRunFact *fact = facts->facts->pdata[i];

            if (g_str_equal(fact->title, title))
                return fact;
        }
    }
    return NULL;
}

static void test_facts(void)
{
    g_autoptr(PltRun) run = plt_fixture_nvme(FALSE), bare = plt_fixture_bare();
    g_autoptr(GPtrArray) groups = NULL, few = NULL;
    JsonObject *platform = json_node_get_object(run->platform);

    json_object_set_string_member(platform, "new_thing", "seen");
    json_object_set_int_member(platform, "memory", 34359738368);
    groups = plt_run_facts(run);
    g_assert_cmpstr(find_fact(groups, "Platform", "Memory")->value, ==, "32 GiB");
    /* A member of a later version shows under its own name. */
    g_assert_cmpstr(find_fact(groups, "Platform", "New thing")->value, ==, "seen");
    g_assert_null(find_fact(groups, "Parameters", "Cells"));
    few = plt_run_facts(bare);
    for (guint i = 0; i < few->len; i++)
        g_assert_cmpuint(((PltRunFactGroup *)few->pdata[i])->facts->len, >, 0);
}

static void add(const char *path, void (*start)(Bed *bed, gconstpointer data),
                void (*test)(Bed *bed, gconstpointer data))
{
    g_test_add(path, Bed, NULL, start, test, tear_down);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add("/app/store/lists", set_up, test_lists);
    add("/app/store/headline", set_up, test_headline);
    add("/app/store/names", set_up, test_names);
    add("/app/store/undo", set_up, test_undo);
    add("/app/store/delete", set_up, test_delete);
    add("/app/store/no-library", set_up_empty, test_no_library);
    add("/app/store/damaged", set_up_empty, test_damaged);
    add("/app/store/loads", set_up, test_loads);
    add("/app/export/formats", set_up, test_exports);
    g_test_add_func("/app/export/file-names", test_file_names);
    g_test_add_func("/app/library/filter", test_filter);
    g_test_add_func("/app/cells/figures", test_figures);
    g_test_add_func("/app/chart/rows", test_rows);
    g_test_add_func("/app/result/facts", test_facts);
    return g_test_run();
}
