/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <locale.h>
#include <math.h>

#include "library/export.h"
#include "library/grid.h"

typedef struct {
    const char *file;
    char *(*export)(const PltRun *run);
} Format;

static const Format formats[] = {
    {"run.json", plt_export_json},
    {"run.csv", plt_export_csv},
    {"run.md", plt_export_markdown},
    {"run-cdm.txt", plt_export_cdm_text},
    {"run-terminal.txt", plt_export_terminal},
};

static void test_golden(void)
{
    g_autoptr(PltRun) run = fixture_run();
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_autofree char *expected = fixture_read(formats[i].file);
        g_autofree char *text = formats[i].export(run);
        g_assert_cmpstr(text, ==, expected);
        g_assert_true(g_utf8_validate(text, -1, NULL));
    }
}

/* A language that writes 3,5 for three and a half must not get into a file. */
static void test_decimal_point(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8", "pl_PL.UTF-8",
                                        "es_ES.UTF-8"};
    const char *found = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(names) && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]);
    if (!found || localeconv()->decimal_point[0] != ',') {
        setlocale(LC_NUMERIC, "C");
        g_test_skip("no locale with a decimal comma is installed");
        return;
    }
    test_golden();
    setlocale(LC_NUMERIC, "C");
}

/* A run with one cell and one complete run of it, for details. */
static PltRun *small_run(PltCellOp op, guint32 block, struct plt_measure total)
{
    PltRun *run = fixture_new_run();
    PltCellSpec spec = fixture_spec();
    spec.op = op;
    spec.block = block;
    PltCell *cell = plt_cell_new(&spec, PLT_SCORE_BEST);
    PltCellRun *cell_run = plt_cell_run_new();
    cell_run->complete = TRUE;
    cell_run->total = total;
    cell_run->op[op == PLT_CELL_WRITE ? PLT_OP_WRITE : PLT_OP_READ] = total;
    g_ptr_array_add(cell->runs, cell_run);
    g_ptr_array_add(run->cells, cell);
    return run;
}

static PltCellSpec *only_spec(PltRun *run)
{
    return &((PltCell *)run->cells->pdata[0])->spec;
}

static PltCellRun *only_cell_run(PltRun *run)
{
    return ((PltCell *)run->cells->pdata[0])->runs->pdata[0];
}

static const struct plt_measure plain = {
    .ios = 100,
    .bytes = 409600,
    .seconds = 1,
    .bandwidth_bps = 409600,
    .iops = 100,
    .latency = {.min_ns = 1000, .max_ns = 9000, .mean_ns = 2000},
};

static JsonObject *object_at(JsonObject *object, const char *member)
{
    g_assert_true(json_object_has_member(object, member));
    return json_object_get_object_member(object, member);
}

static JsonObject *element(JsonObject *object, const char *member, guint number)
{
    g_assert_true(json_object_has_member(object, member));
    return json_array_get_object_element(json_object_get_array_member(object, member), number);
}

static void assert_figures(JsonObject *figures)
{
    static const char *const members[] = {"bandwidth_bps", "iops", "latency_ns", "ios", "bytes", "seconds"};
    static const char *const latencies[] = {"min", "mean", "p50", "p90", "p99", "p99_9", "p99_99", "max"};
    for (guint i = 0; i < G_N_ELEMENTS(members); i++)
        g_assert_true(json_object_has_member(figures, members[i]));
    for (guint i = 0; i < G_N_ELEMENTS(latencies); i++)
        g_assert_true(json_object_has_member(object_at(figures, "latency_ns"), latencies[i]));
}

static void test_json_members(void)
{
    static const char *const members[] = {"schema",     "id",     "uuid",  "suite",    "status",   "started",
                                          "parameters", "target", "drive", "platform", "warnings", "cells"};
    static const char *const cell_members[] = {"id",      "label", "pattern",      "block", "queues",
                                               "threads", "op",    "read_percent", "runs",  "score"};
    g_autoptr(PltRun) run = fixture_run();
    g_autoptr(JsonNode) node = plt_export_json_node(run);
    JsonObject *root = json_node_get_object(node);
    for (guint i = 0; i < G_N_ELEMENTS(members); i++)
        g_assert_true(json_object_has_member(root, members[i]));
    g_assert_cmpstr(json_object_get_string_member(root, "schema"), ==, "plateau.run/1");
    g_assert_cmpstr(json_object_get_string_member(object_at(root, "suite"), "id"), ==, "cdm-nvme");

    JsonObject *cell = element(root, "cells", 0);
    for (guint i = 0; i < G_N_ELEMENTS(cell_members); i++)
        g_assert_true(json_object_has_member(cell, cell_members[i]));
    assert_figures(object_at(cell, "score"));
    assert_figures(element(cell, "runs", 0));
    g_assert_cmpint(json_object_get_int_member(object_at(cell, "score"), "run"), ==, 2);
    g_assert_true(json_object_get_boolean_member(element(cell, "runs", 0), "warmup"));
    g_assert_cmpfloat(json_object_get_double_member(cell, "median_bps"), ==, 3500e6);

    JsonObject *mix = object_at(element(element(root, "cells", 4), "runs", 0), "ops");
    assert_figures(object_at(mix, "read"));
    assert_figures(object_at(mix, "write"));
    g_assert_true(json_object_get_null_member(element(root, "cells", 3), "score"));
}

/* What is not known or not reliable is null, never 0 and never a word that JSON does not have. */
static void test_json_unknown(void)
{
    struct plt_measure measure = plain;
    for (int p = 0; p < PLT_N_PERCENTILES; p++)
        measure.latency.percentile_ns[p] = NAN;
    measure.latency.percentile_ns[PLT_P50] = 1500;
    measure.latency.percentile_ns[PLT_P90] = 1800;
    measure.latency.reliable[PLT_P50] = TRUE;
    g_autoptr(PltRun) run = small_run(PLT_CELL_READ, 4096, measure);
    g_autoptr(JsonNode) node = plt_export_json_node(run);
    JsonObject *latency =
        object_at(object_at(element(json_node_get_object(node), "cells", 0), "score"), "latency_ns");
    g_assert_cmpfloat(json_object_get_double_member(latency, "p50"), ==, 1500);
    g_assert_true(json_object_get_null_member(latency, "p90"));
    g_assert_true(json_object_get_null_member(latency, "p99"));

    only_cell_run(run)->total.latency = (struct plt_latency){0};
    only_cell_run(run)->total.bandwidth_bps = INFINITY;
    g_autofree char *text = plt_export_json(run);
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) back = json_from_string(text, &error);
    g_assert_no_error(error);
    JsonObject *score = object_at(element(json_node_get_object(back), "cells", 0), "score");
    g_assert_true(json_object_get_null_member(score, "bandwidth_bps"));
    g_assert_true(json_object_get_null_member(object_at(score, "latency_ns"), "min"));
    g_assert_true(json_object_get_null_member(object_at(score, "latency_ns"), "mean"));
}

static void load_three_samples(PltCellRun *run)
{
    run->samples = g_array_new(FALSE, FALSE, sizeof(struct plt_sample));
    run->n_samples = 3;
    for (guint i = 0; i < 3; i++) {
        struct plt_sample sample = fixture_sample(i);
        g_array_append_val(run->samples, sample);
    }
}

static void test_json_samples(void)
{
    g_autoptr(PltRun) run = small_run(PLT_CELL_READ, 4096, plain);
    load_three_samples(only_cell_run(run));
    g_autoptr(JsonNode) node = plt_export_json_node(run);
    JsonObject *samples =
        object_at(element(element(json_node_get_object(node), "cells", 0), "runs", 0), "samples");
    JsonArray *columns = json_object_get_array_member(samples, "columns");
    JsonArray *rows = json_object_get_array_member(samples, "rows");
    g_assert_cmpuint(json_array_get_length(rows), ==, 3);
    JsonArray *row = json_array_get_array_element(rows, 2);
    g_assert_cmpuint(json_array_get_length(row), ==, json_array_get_length(columns));
    g_assert_cmpstr(json_array_get_string_element(columns, 5), ==, "read_bytes");
    g_assert_cmpint(json_array_get_int_element(row, 0), ==, 2);
    g_assert_cmpint(json_array_get_int_element(row, 5), ==, (gint64)fixture_sample(2).op[PLT_OP_READ].bytes);
}

/* The text is made another way than the nodes, and says the same. */
static void test_json_text_equals_nodes(void)
{
    g_autoptr(PltRun) run = fixture_run();
    load_three_samples(((PltCell *)run->cells->pdata[0])->runs->pdata[1]);
    load_three_samples(((PltCell *)run->cells->pdata[4])->runs->pdata[0]);
    g_array_set_size(((PltCellRun *)((PltCell *)run->cells->pdata[4])->runs->pdata[0])->samples, 0);
    g_autofree char *text = plt_export_json(run);
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) parsed = json_from_string(text, &error);
    g_assert_no_error(error);
    g_autoptr(JsonNode) node = plt_export_json_node(run);
    g_autofree char *a = json_to_string(parsed, TRUE), *b = json_to_string(node, TRUE);
    g_assert_cmpstr(a, ==, b);
}

/* Splits by RFC 4180 and nothing else; every record ends with CR LF. */
static GPtrArray *parse_csv(const char *text)
{
    GPtrArray *records = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    GPtrArray *record = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) field = g_string_new(NULL);
    gboolean quoted = FALSE;
    for (const char *c = text; *c; c++) {
        if (*c == '"' && quoted && c[1] == '"') {
            g_string_append_c(field, *c++);
        } else if (*c == '"') {
            quoted = !quoted;
        } else if (!quoted && (*c == ',' || *c == '\r')) {
            g_ptr_array_add(record, g_strdup(field->str));
            g_string_truncate(field, 0);
            if (*c == ',')
                continue;
            g_assert_cmpint(*++c, ==, '\n');
            g_ptr_array_add(records, record);
            record = g_ptr_array_new_with_free_func(g_free);
        } else {
            g_assert_true(quoted || *c != '\n');
            g_string_append_c(field, *c);
        }
    }
    g_assert_false(quoted);
    g_assert_cmpuint(record->len + field->len, ==, 0);
    g_ptr_array_unref(record);
    return records;
}

static const char *field_of(GPtrArray *records, guint line, const char *column)
{
    GPtrArray *head = records->pdata[0], *record = records->pdata[line];
    for (guint i = 0; i < head->len; i++) {
        if (g_str_equal(head->pdata[i], column))
            return record->pdata[i];
    }
    g_assert_not_reached();
}

static void test_csv(void)
{
    g_autoptr(PltRun) run = small_run(PLT_CELL_READ, 4096, plain);
    g_free(only_spec(run)->label);
    only_spec(run)->label = g_strdup("a \"b\", c\r\nd");
    g_autofree char *text = plt_export_csv(run);
    g_autoptr(GPtrArray) records = parse_csv(text);
    g_assert_cmpuint(records->len, ==, 2);
    g_assert_cmpuint(((GPtrArray *)records->pdata[1])->len, ==, ((GPtrArray *)records->pdata[0])->len);
    g_assert_cmpstr(field_of(records, 1, "label"), ==, "a \"b\", c\r\nd");
    g_assert_cmpstr(field_of(records, 1, "op"), ==, "read");
    g_assert_cmpstr(field_of(records, 1, "score"), ==, "1");
    g_assert_cmpstr(field_of(records, 1, "latency_mean_ns"), ==, "2000.0");
    g_assert_cmpstr(field_of(records, 1, "latency_p99_ns"), ==, "");
    g_assert_cmpstr(field_of(records, 1, "seconds"), ==, "1.000000000");
}

static void test_csv_of_all(void)
{
    g_autoptr(PltRun) run = fixture_run();
    g_autofree char *text = plt_export_csv(run);
    g_autoptr(GPtrArray) records = parse_csv(text);
    g_assert_cmpuint(records->len, ==, 1 + 4 + 2 + 2 + 1 + 3);
    for (guint i = 1; i < records->len; i++)
        g_assert_cmpuint(((GPtrArray *)records->pdata[i])->len, ==, ((GPtrArray *)records->pdata[0])->len);
}

static void test_samples_csv(void)
{
    g_autoptr(PltRun) run = small_run(PLT_CELL_READ, 4096, plain);
    g_autofree char *nothing = plt_export_samples_csv(run);
    g_autoptr(GPtrArray) head = parse_csv(nothing);
    g_assert_cmpuint(head->len, ==, 1);
    load_three_samples(only_cell_run(run));
    g_autofree char *text = plt_export_samples_csv(run);
    g_autoptr(GPtrArray) records = parse_csv(text);
    g_assert_cmpuint(records->len, ==, 4);
    g_autofree char *bytes = g_strdup_printf("%" G_GUINT64_FORMAT, fixture_sample(2).op[PLT_OP_READ].bytes);
    g_assert_cmpstr(field_of(records, 3, "read_bytes"), ==, bytes);
    g_assert_cmpstr(field_of(records, 3, "tick"), ==, "2");
}

/* The expression with which importers read CrystalDiskMark's rows. */
#define CDM_ROW                                                                                              \
    "(SEQ|Sequential|RND|Random)\\s+(\\d+)\\s*(KiB|MiB)\\s*\\(Q=\\s*(\\d+),\\s*T=\\s*(\\d+)\\):\\s*([\\d.]+" \
    ") "                                                                                                     \
    "MB/s\\s*(\\[\\s*([\\d.]+) IOPS\\])?\\s*(<\\s*([\\d.]+) us>)?"

static void test_cdm_layout(void)
{
    g_autoptr(PltRun) run = fixture_run();
    g_autofree char *text = plt_export_cdm_text(run);
    g_auto(GStrv) lines = g_strsplit(text, "\r\n", -1);
    g_autoptr(GRegex) row = g_regex_new(CDM_ROW, 0, 0, NULL);
    guint rows = 0;
    for (guint i = 0; lines[i]; i++) {
        g_assert_null(strpbrk(lines[i], "\r\n"));
        if (!g_regex_match(row, lines[i], 0, NULL))
            continue;
        g_assert_cmpuint(strlen(lines[i]), ==, 75);
        rows++;
    }
    g_assert_cmpuint(rows, ==, 9);
    g_assert_cmpuint(strlen(lines[0]), ==, 78);
    g_assert_cmpuint(strlen(lines[2]), ==, 78);
    g_assert_true(g_str_has_prefix(lines[1], "Plateau "));
    /* Two rows as CrystalDiskMark itself has printed them. */
    g_assert_nonnull(
        strstr(text, "\r\n  SEQ    1MiB (Q=  8, T= 1):  3504.012 MB/s [   3341.7 IOPS] <  2392.00 us>\r\n"));
    g_assert_nonnull(
        strstr(text, "\r\n  RND    4KiB (Q= 32, T= 1):   354.657 MB/s [  86586.2 IOPS] <   352.37 us>\r\n"));
    g_assert_nonnull(strstr(text, "\r\n   Test: 1 GiB (x3)\r\n   Mode:\r\n"
                                  "   Time: Measure 5 sec / Interval 5 sec \r\n"
                                  "   Date: 2026/05/28 20:26:40\r\n     OS: Example Linux 13 (test)\r\n"));
}

static void test_cdm_odd_blocks(void)
{
    g_autoptr(PltRun) half = small_run(PLT_CELL_WRITE, 512, plain);
    g_autoptr(PltRun) odd = small_run(PLT_CELL_WRITE, 1536 * 1024, plain);
    g_autofree char *half_text = plt_export_cdm_text(half), *odd_text = plt_export_cdm_text(odd);
    g_assert_nonnull(strstr(half_text, "\r\n  RND  512B   (Q= 32, T= 1):     0.410 MB/s [    100.0 IOPS]"));
    g_assert_nonnull(strstr(odd_text, "\r\n  RND 1536KiB (Q= 32, T= 1):     0.410 MB/s [    100.0 IOPS]"));
}

/* Nothing is known but that a run was begun. */
static void test_bare_run(void)
{
    g_autoptr(PltRun) run = plt_run_new();
    run->uuid = g_strdup("x");
    run->suite_id = g_strdup("own");
    run->suite_name = g_strdup("Own");
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_autofree char *text = formats[i].export(run);
        g_assert_cmpuint(strlen(text), >, 10);
    }
}

static void assert_width(const char *text, guint width)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++) {
        if (plt_grid_text_width(lines[i]) > width)
            g_error("%u columns: %s", plt_grid_text_width(lines[i]), lines[i]);
        g_assert_false(g_str_has_suffix(lines[i], " "));
    }
}

static void test_terminal_width(void)
{
    g_autoptr(PltRun) run = fixture_run();
    for (guint i = 0; i < run->cells->len; i++) {
        PltCell *cell = run->cells->pdata[i];
        for (guint k = 0; k < cell->runs->len; k++) {
            struct plt_measure *total = &((PltCellRun *)cell->runs->pdata[k])->total;
            total->bandwidth_bps *= 1000;
            total->iops *= 1e6;
            total->latency.mean_ns *= 1e7;
            for (int p = 0; p < PLT_N_PERCENTILES; p++)
                total->latency.percentile_ns[p] *= 1e7;
        }
        g_free(cell->spec.label);
        cell->spec.label = g_strdup("아주 긴 이름의 셀 RND4K Q32T16 with more words than fit into a line");
    }
    g_free(run->note);
    run->note = g_strnfill(300, 'x');
    g_autofree char *text = plt_export_terminal(run);
    assert_width(text, 100);
    g_assert_nonnull(strstr(text, "3,504,012.0"));

    g_autoptr(PltRun) usual = fixture_run();
    g_autofree char *usual_text = plt_export_terminal(usual);
    assert_width(usual_text, 100);
}

static void test_grid(void)
{
    g_autoptr(PltGrid) grid = plt_grid_new(2);
    g_autoptr(GString) text = g_string_new(NULL);
    plt_grid_add(grid, "셀");
    plt_grid_add(grid, "n");
    plt_grid_add(grid, "a");
    plt_grid_add(grid, "123");
    plt_grid_append(grid, text);
    g_assert_cmpuint(plt_grid_width(grid), ==, 7);
    g_assert_cmpstr(text->str, ==, "셀    n\n───────\na   123\n");
    g_assert_cmpuint(plt_grid_text_width("e\xcc\x81µ드"), ==, 4); /* a combining accent takes no column */
}

static void test_wrapping(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "\n"},
        {"one two", "one two\n"},
        {"one two three", "one two\n  three\n"},
        {"  one\n two ", "one two\n"},
        {"abcdefghijklmnop", "abcdefgh\n  ijklmnop\n"},
        {"a abcdefghijk", "a\n  abcdefgh\n  ijk\n"},
        {"가나다라마", "가나다라\n  마\n"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        plt_grid_append_wrapped(out, cases[i].text, 10, 2);
        g_assert_cmpstr(out->str, ==, cases[i].expected);
    }
    g_autofree char *cut = plt_grid_shorten("가나다라", 6), *whole = plt_grid_shorten("가나다", 6);
    g_assert_cmpstr(cut, ==, "가나…");
    g_assert_cmpstr(whole, ==, "가나다");
}

static void test_markdown_is_one_table_cell_each(void)
{
    g_autoptr(PltRun) run = small_run(PLT_CELL_READ, 4096, plain);
    g_free(only_spec(run)->label);
    only_spec(run)->label = g_strdup("a|b\n<i>*c*");
    g_autofree char *text = plt_export_markdown(run);
    g_assert_nonnull(strstr(text, "\n| a\\|b \\<i\\>\\*c\\* | 0.41 | 100 | 2.00 | – |\n"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/library/export/golden", test_golden);
    g_test_add_func("/library/export/decimal-point", test_decimal_point);
    g_test_add_func("/library/export/json-members", test_json_members);
    g_test_add_func("/library/export/json-unknown", test_json_unknown);
    g_test_add_func("/library/export/json-samples", test_json_samples);
    g_test_add_func("/library/export/json-text-equals-nodes", test_json_text_equals_nodes);
    g_test_add_func("/library/export/csv", test_csv);
    g_test_add_func("/library/export/csv-of-all", test_csv_of_all);
    g_test_add_func("/library/export/samples-csv", test_samples_csv);
    g_test_add_func("/library/export/cdm-layout", test_cdm_layout);
    g_test_add_func("/library/export/cdm-odd-blocks", test_cdm_odd_blocks);
    g_test_add_func("/library/export/bare-run", test_bare_run);
    g_test_add_func("/library/export/terminal-width", test_terminal_width);
    g_test_add_func("/library/export/grid", test_grid);
    g_test_add_func("/library/export/wrapping", test_wrapping);
    g_test_add_func("/library/export/markdown-is-one-table-cell-each", test_markdown_is_one_table_cell_each);
    return g_test_run();
}
