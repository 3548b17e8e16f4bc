/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <math.h>

#include "library/analyse.h"
#include "library/export.h"
#include "library/role.h"

#define GB 1e9
#define MBPS 1e6

typedef struct {
    char *folder, *path;
    PltRun *run; /* its head */
    PltRecorder *recorder;
    guint64 index; /* of the next sample */
    gint64 now_us; /* Unix time */
    double celsius;
} Place;

static void set_up(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    place->folder = fixture_folder();
    place->path = fixture_path(place->folder);
    place->run = fixture_new_run();
    g_clear_pointer(&place->run->drive, json_node_unref);
    place->run->drive =
        json_from_string("[{\"model\": \"Example SSD\", \"temperature_warning_c\": 80}]", NULL);
    place->recorder = plt_recorder_new(place->path, place->run, FALSE, &error);
    g_assert_no_error(error);
    place->now_us = place->run->started_us;
    place->celsius = 45;
}

static void tear_down(Place *place, gconstpointer data)
{
    plt_run_free(place->run);
    fixture_remove(place->folder);
    g_free(place->path);
}

static void begin(Place *place, const char *id, const char *role)
{
    PltCellSpec spec = fixture_spec();
    spec.id = (char *)id;
    spec.role = (char *)role;
    spec.op = g_str_has_suffix(id, "read") ? PLT_CELL_READ : PLT_CELL_WRITE;
    plt_recorder_begin_cell(place->recorder, &spec, PLT_SCORE_BEST);
    plt_recorder_begin_cell_run(place->recorder, FALSE, place->now_us, 100000000);
    place->index = 0;
}

/* BYTES at BPS, in samples of 100 ms with a temperature each second. */
static void move(Place *place, double bytes, double bps)
{
    guint n = (guint)lround(bytes / bps * 10);
    for (guint i = 0; i < n; i++) {
        struct plt_sample sample = {.index = place->index, .duration_ns = 100000000};
        sample.op[PLT_OP_WRITE].ios = 1;
        sample.op[PLT_OP_WRITE].bytes = (guint64)(bps / 10 / 512) * 512;
        plt_recorder_add_sample(place->recorder, &sample);
        if (place->index % 10 == 0)
            plt_recorder_add_temperature(place->recorder, place->now_us, place->celsius);
        place->index++;
        place->now_us += 100000;
    }
}

static void end(Place *place, double bytes, gboolean complete)
{
    PltCellRun *run = plt_cell_run_new();
    run->complete = complete;
    run->total.bytes = (guint64)bytes;
    run->total.seconds = (double)place->index / 10;
    run->total.bandwidth_bps = bytes / run->total.seconds;
    plt_recorder_end_cell_run(place->recorder, run);
    plt_cell_run_free(run);
    place->now_us += 5000000;
}

static PltRun *finish(Place *place, PltRunStatus status)
{
    g_autoptr(GError) error = NULL;
    gint64 id = plt_recorder_run_id(place->recorder);
    g_assert_true(plt_recorder_finish(place->recorder, status, NULL, place->now_us, &error));
    g_autoptr(PltLibrary) library = fixture_open(place->path);
    PltRun *run = plt_library_load(library, id, &error);
    g_assert_no_error(error);
    return run;
}

static JsonObject *entry(const PltRun *run, const char *group, guint i)
{
    g_assert_nonnull(run->analysis);
    JsonArray *array = json_object_get_array_member(json_node_get_object(run->analysis), group);
    g_assert_nonnull(array);
    g_assert_cmpuint(json_array_get_length(array), >, i);
    return json_array_get_object_element(array, i);
}

static double number(JsonObject *object, const char *part, const char *member)
{
    JsonObject *inner = part ? json_object_get_object_member(object, part) : object;
    g_assert_nonnull(inner);
    return json_object_get_double_member(inner, member);
}

static void assert_near(double value, double wanted, double share)
{
    g_assert_cmpfloat_with_epsilon(value, wanted, fabs(wanted) * share);
}

static void assert_shows(const char *text, const char *wanted)
{
    if (!strstr(text, wanted))
        g_error("“%s” is not in:\n%s", wanted, text);
}

/* Two passes of a 400 GB drive with a cache of 120 and of 6.6 GB. */
static void record_two_passes(Place *place)
{
    begin(place, "fill-1-write", "fill-pass-1");
    move(place, 120 * GB, 6600 * MBPS);
    for (int i = 0; i < 10; i++) {
        move(place, 22 * GB, 1650 * MBPS);
        move(place, 6 * GB, 3000 * MBPS);
    }
    end(place, 400 * GB, TRUE);
    begin(place, "fill-2-write", "fill-pass-2");
    move(place, 6.6 * GB, 6600 * MBPS);
    move(place, 393.4 * GB, 2980 * MBPS);
    end(place, 400 * GB, TRUE);
}

static void test_fill(Place *place, gconstpointer data)
{
    record_two_passes(place);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    JsonObject *first = entry(run, "fill", 0), *second = entry(run, "fill", 1);
    g_assert_cmpstr(json_object_get_string_member(first, "verdict"), ==, "found");
    g_assert_cmpstr(json_object_get_string_member(first, "role"), ==, "fill-pass-1");
    assert_near(number(first, "cache", "bytes"), 120 * GB, 0.01);
    assert_near(number(first, "cache", "average_bps"), 6600 * MBPS, 0.01);
    assert_near(number(json_object_get_object_member(first, "phases"), "slow", "average_bps"), 1650 * MBPS,
                0.02);
    assert_near(number(json_object_get_object_member(first, "phases"), "fast", "average_bps"), 3000 * MBPS,
                0.02);
    assert_near(number(second, "cache", "bytes"), 6.6 * GB, 0.02);
    assert_near(number(second, "after", "median_bps"), 2980 * MBPS, 0.01);
    assert_near(number(second, "thermal", "max_c"), 45, 1e-9);
    double seconds = number(first, "all", "seconds") + number(second, "all", "seconds");
    assert_near(json_object_get_double_member(json_node_get_object(run->analysis), "fill_average_bps"),
                800 * GB / seconds, 0.01);

    g_autofree char *text = plt_export_terminal(run);
    g_test_message("%s", text);
    assert_shows(text, "SLC cache");
    assert_shows(text, "120 GB");
    assert_shows(text, "Pass 2");
    g_autofree char *markdown = plt_export_markdown(run);
    assert_shows(markdown, "| SLC cache | 120 GB |");
    g_autofree char *csv = plt_export_analysis_csv(run);
    assert_shows(csv, "figure,value\r\n");
    assert_shows(csv, "fill.1.cell,fill-2-write\r\n");
    assert_shows(csv, "fill.0.cache.bytes,1");
    g_autofree char *json = plt_export_json(run);
    assert_shows(json, "\"fill_average_bps\"");
}

/* A hard disk with shingled tracks has a cache too; it is not called one of flash. */
static void test_hard_disk(Place *place, gconstpointer data)
{
    record_two_passes(place);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    g_clear_pointer(&run->drive, json_node_unref);
    run->drive = json_from_string("[{\"model\": \"Example Disk\", \"rotational\": true}]", NULL);
    g_autofree char *text = plt_export_terminal(run);
    assert_shows(text, "Write cache");
    g_assert_null(strstr(text, "SLC cache"));
}

/* Stopped in the first pass, before any cliff: figures of what there is, and no cache is claimed. */
static void test_stopped(Place *place, gconstpointer data)
{
    begin(place, "fill-1-write", "fill-pass-1");
    move(place, 50 * GB, 5000 * MBPS);
    end(place, 50 * GB, FALSE);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_STOPPED);
    JsonObject *pass = entry(run, "fill", 0);
    g_assert_cmpstr(json_object_get_string_member(pass, "verdict"), ==, "none");
    g_assert_true(json_object_get_null_member(pass, "cache"));
    g_assert_false(json_object_has_member(json_node_get_object(run->analysis), "fill_average_bps"));
    g_autofree char *text = plt_export_terminal(run);
    g_test_message("%s", text);
    assert_shows(text, "Pass 1: no cliff found.");
    assert_shows(text, "Pass 1 was not finished");
    g_assert_null(strstr(text, "SLC cache"));
}

/* The same fall of speed, but the drive was at its limit: it is not called a cache. */
static void test_heat(Place *place, gconstpointer data)
{
    begin(place, "fill-1-write", "fill-pass-1");
    move(place, 60 * GB, 3000 * MBPS);
    place->celsius = 79;
    move(place, 60 * GB, 3000 * MBPS);
    move(place, 120 * GB, 1500 * MBPS);
    end(place, 240 * GB, TRUE);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    JsonObject *pass = entry(run, "fill", 0);
    g_assert_cmpstr(json_object_get_string_member(pass, "verdict"), ==, "heat");
    g_assert_true(json_object_get_null_member(pass, "cache"));
    g_autofree char *text = plt_export_terminal(run);
    g_test_message("%s", text);
    assert_shows(text, "while the drive was hot");
    g_assert_null(strstr(text, "SLC cache"));
}

static void test_reclaim_and_ratio(Place *place, gconstpointer data)
{
    static const char *const roles[] = {"reclaim-10s", "reclaim-2min"};
    for (guint i = 0; i < G_N_ELEMENTS(roles); i++) {
        double cache = i * 60 * GB;
        begin(place, i ? "b-write" : "a-write", roles[i]);
        move(place, cache, 6000 * MBPS);
        move(place, (60 - cache / 6e9) * 1500 * MBPS, 1500 * MBPS);
        end(place, cache + (60 - cache / 6e9) * 1500 * MBPS, TRUE);
    }
    for (guint i = 0; i < 9; i++) {
        g_autofree char *role = g_strdup_printf("ratio-q%u-r%u", 1u << i / 3, i % 3 * 50);
        g_autofree char *id = g_strdup_printf("%u-write", i);
        begin(place, id, role);
        move(place, 1 * GB, 100 * MBPS * (1 + i / 3));
        end(place, 1 * GB, TRUE);
    }
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    JsonObject *none = entry(run, "reclaim", 0), *some = entry(run, "reclaim", 1);
    g_assert_cmpstr(json_object_get_string_member(none, "recovered"), ==, "none");
    g_assert_cmpstr(json_object_get_string_member(some, "recovered"), ==, "part");
    assert_near(json_object_get_double_member(some, "recovered_bytes"), 60 * GB, 0.02);
    assert_near(json_object_get_double_member(some, "rest_s"), 120, 1e-9);
    JsonObject *ratio = json_object_get_object_member(json_node_get_object(run->analysis), "ratio");
    JsonObject *weighted = json_array_get_object_element(json_object_get_array_member(ratio, "weighted"), 0);
    /* 100, 200, 300 MB/s at queue depths 1, 2, 4 */
    assert_near(json_object_get_double_member(weighted, "mixed_bps"), 125 * MBPS, 0.01);
    g_autofree char *text = plt_export_terminal(run);
    g_test_message("%s", text);
    assert_shows(text, "none seen");
    assert_shows(text, "80/15/5");
    assert_shows(text, "2 min 0 s");
}

static void test_throttling_and_map(Place *place, gconstpointer data)
{
    begin(place, "hot-write", "thermal-write");
    move(place, 120 * GB, 2000 * MBPS);
    place->celsius = 78;
    for (int i = 0; i < 3; i++) {
        move(place, 20 * GB, 1000 * MBPS);
        move(place, 40 * GB, 2000 * MBPS);
    }
    end(place, 300 * GB, TRUE);
    begin(place, "all-read", "linear-read");
    move(place, 30 * GB, 300 * MBPS);
    move(place, 30 * GB, 200 * MBPS);
    move(place, 30 * GB, 100 * MBPS);
    end(place, 90 * GB, TRUE);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    JsonObject *heat = json_object_get_object_member(entry(run, "thermal", 0), "thermal");
    g_assert_cmpint(json_object_get_int_member(heat, "n_events"), ==, 3);
    assert_near(json_object_get_double_member(heat, "throttled_s"), 60, 0.05);
    JsonArray *thirds = json_object_get_array_member(entry(run, "map", 0), "thirds");
    assert_near(number(json_array_get_object_element(thirds, 2), NULL, "average_bps"), 100 * MBPS, 0.01);
    g_autofree char *text = plt_export_terminal(run);
    g_test_message("%s", text);
    assert_shows(text, "Times it throttled");
    assert_shows(text, "Last third");
}

/* Many passes stand in several tables, none wider than a terminal; writes before a rest are not shown. */
static void test_many_passes(Place *place, gconstpointer data)
{
    for (guint i = 1; i <= 10; i++) {
        g_autofree char *id = g_strdup_printf("fill-%u-write", i), *role = g_strdup_printf("fill-pass-%u", i);
        begin(place, id, role);
        move(place, 10 * GB, 1000 * MBPS);
        end(place, 10 * GB, TRUE);
    }
    begin(place, "before-write", "reclaim-fill");
    move(place, 7 * GB, 1000 * MBPS);
    end(place, 7 * GB, TRUE);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    g_assert_cmpstr(json_object_get_string_member(entry(run, "fill", 10), "role"), ==, "reclaim-fill");
    g_autofree char *text = plt_export_terminal(run);
    assert_shows(text, "Pass 10");
    assert_shows(text, "All passes together: 1,000 MB/s");
    g_assert_null(strstr(text, "7.00 GB"));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        g_assert_cmpint(g_utf8_strlen(*line, -1), <=, 100);
}

/* Cells without a role have no such figures, and a library without them has nothing stored. */
static void test_without_roles(Place *place, gconstpointer data)
{
    begin(place, "seq-write", NULL);
    move(place, 10 * GB, 1000 * MBPS);
    end(place, 10 * GB, TRUE);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    g_assert_null(run->analysis);
    g_assert_cmpint(fixture_number(place->path, "SELECT count(*) FROM analysis"), ==, 0);
}

/* Stored once, taken from there, made anew when another version made it, and gone with its run. */
static void test_stored(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    record_two_passes(place);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    g_assert_cmpint(fixture_number(place->path, "SELECT count(*) FROM analysis"), ==, 1);
    fixture_exec(place->path, "UPDATE analysis SET document = '{\"version\": 1, \"mark\": 7}'");
    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(PltRun) again = plt_library_load(library, run->id, &error);
    g_assert_true(json_object_has_member(json_node_get_object(again->analysis), "mark"));
    fixture_exec(place->path, "UPDATE analysis SET version = 0");
    g_autoptr(PltRun) anew = plt_library_load(library, run->id, &error);
    g_assert_false(json_object_has_member(json_node_get_object(anew->analysis), "mark"));
    g_assert_cmpint(fixture_number(place->path, "SELECT version FROM analysis"), ==, PLT_ANALYSE_VERSION);
    g_assert_true(plt_library_delete(library, run->id, &error));
    g_assert_cmpint(fixture_number(place->path, "SELECT count(*) FROM analysis"), ==, 0);
    g_assert_cmpint(fixture_number(place->path, "SELECT count(*) FROM temperature"), ==, 0);
}

/* The run in memory gets what the library has. */
static void test_recorded(Place *place, gconstpointer data)
{
    record_two_passes(place);
    g_autoptr(PltRun) stored = finish(place, PLT_RUN_COMPLETE);
    place->run->id = stored->id;
    plt_library_analyse_recorded(place->path, place->run);
    g_assert_nonnull(place->run->analysis);
    g_assert_true(json_node_equal(place->run->analysis, stored->analysis));
    g_assert_cmpuint(stored->temperatures->len, >, 0);
    g_assert_cmpuint(place->run->temperatures->len, ==, stored->temperatures->len);
}

/* Damaged samples take the analysis away, not the run. */
static void test_damaged(Place *place, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    record_two_passes(place);
    g_autoptr(PltRun) run = finish(place, PLT_RUN_COMPLETE);
    fixture_exec(place->path, "DELETE FROM analysis; UPDATE sample_chunk SET data = x'00' WHERE first = 0");
    g_autoptr(PltLibrary) library = fixture_open(place->path);
    g_autoptr(PltRun) again = plt_library_load(library, run->id, &error);
    g_assert_no_error(error);
    g_assert_null(again->analysis);
    g_assert_null(plt_analyse_run(library, again, &error));
    g_assert_nonnull(error);
}

static void test_roles(void)
{
    guint a = 0, b = 0;
    double seconds = 0;
    g_assert_true(plt_role_number("fill-pass-12", "fill-pass-", &a));
    g_assert_cmpuint(a, ==, 12);
    g_assert_false(plt_role_number("fill-pass-", "fill-pass-", &a));
    g_assert_false(plt_role_number("fill-pass-1x", "fill-pass-", &a));
    g_assert_false(plt_role_number("fill-pass-99999999999", "fill-pass-", &a));
    g_assert_false(plt_role_number(NULL, "fill-pass-", &a));
    g_assert_true(plt_role_ratio("ratio-q4-r70", &a, &b));
    g_assert_cmpuint(a, ==, 4);
    g_assert_cmpuint(b, ==, 70);
    g_assert_false(plt_role_ratio("ratio-q4-r101", &a, &b));
    g_assert_false(plt_role_ratio("ratio-q4", &a, &b));
    g_assert_true(plt_role_reclaim("reclaim-30s", &seconds));
    g_assert_cmpfloat(seconds, ==, 30);
    g_assert_true(plt_role_reclaim("reclaim-5min", &seconds));
    g_assert_cmpfloat(seconds, ==, 300);
    g_assert_false(plt_role_reclaim("reclaim-fill", &seconds));
    g_assert_false(plt_role_reclaim("reclaim-5", &seconds));
    g_assert_true(plt_role_is("thermal", "thermal"));
    g_assert_true(plt_role_is("thermal-read", "thermal"));
    g_assert_false(plt_role_is("thermals", "thermal"));
    g_assert_false(plt_role_is(NULL, "thermal"));
}

#define ADD(name, function) g_test_add("/library/analyse/" name, Place, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("fill", test_fill);
    ADD("hard-disk", test_hard_disk);
    ADD("stopped", test_stopped);
    ADD("heat", test_heat);
    ADD("reclaim-and-ratio", test_reclaim_and_ratio);
    ADD("throttling-and-map", test_throttling_and_map);
    ADD("many-passes", test_many_passes);
    ADD("without-roles", test_without_roles);
    ADD("stored", test_stored);
    ADD("recorded", test_recorded);
    ADD("damaged", test_damaged);
    g_test_add_func("/library/analyse/roles", test_roles);
    return g_test_run();
}
