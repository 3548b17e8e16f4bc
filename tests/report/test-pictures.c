/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

/* Every picture in every size, theme and language: nothing overlaps, nothing leaves, what matters is there.
 */

#include "config.h"

#include <string.h>

#include "boxes.h"
#include "chart/table.h"
#include "fixture.h"
#include "report/build.h"

static PltRun *nvme(void)
{
    return plt_fixture_nvme(FALSE);
}

static PltRun *mix(void)
{
    return plt_fixture_nvme(TRUE);
}

static PltRun *rows1(void)
{
    return plt_fixture_rows(1);
}

static PltRun *rows12(void)
{
    return plt_fixture_rows(12);
}

static PltRun *rows16(void)
{
    return plt_fixture_rows(16);
}

static PltRun *timed(void)
{
    PltRun *run = plt_fixture_nvme(TRUE);

    for (guint i = 0; i < run->cells->len; i++)
        plt_fixture_add_samples(run->cells->pdata[i], i == 5 ? 1 : -1);
    return run;
}

static PltRun *timed_one(void)
{
    PltRun *run = plt_fixture_nvme(FALSE);

    plt_fixture_add_samples(run->cells->pdata[5], 1);
    return run;
}

static const struct {
    const char *name, *kind;
    PltRun *(*make)(void);
} subjects[] = {
    {"card", "card", nvme},
    {"mix", "card", mix},
    {"rows1", "card", rows1},
    {"rows12", "card", rows12},
    {"rows16", "card", rows16},
    {"as-ssd", "card", plt_fixture_as_ssd},
    {"stopped", "card", plt_fixture_stopped},
    {"failed", "card", plt_fixture_failed},
    {"long-names", "card", plt_fixture_long_names},
    {"bare", "card", plt_fixture_bare},
    {"time", "time", timed},
    {"time-one", "time", timed_one},
    {"blocksize", "blocksize", plt_fixture_blocks},
};

static PltPicture *build(const PltRun *run, const char *kind, const char *language, PltLanguage **words)
{
    g_autoptr(GError) error = NULL;
    PltReportOptions options = {.kind = kind};
    PltPicture *picture = NULL;

    *words = plt_language_new(language, &error);
    g_assert_no_error(error);
    picture = plt_report_build(&run, 1, &options, *words, &error);
    g_assert_no_error(error);
    return picture;
}

static void test_subject(gconstpointer data)
{
    static const int sizes[][2] = {{1200, 675}, {400, 300},   {1080, 1350},
                                   {240, 160},  {1920, 1080}, {1200, 400}};
    guint subject = GPOINTER_TO_UINT(data);
    g_autoptr(PltRun) run = subjects[subject].make();

    for (int korean = 0; korean < 2; korean++) {
        const char *tag = korean ? "ko" : "en";
        g_autoptr(PltLanguage) words = NULL;
        g_autoptr(PltPicture) picture = build(run, subjects[subject].kind, tag, &words);

        for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
            g_autofree char *name =
                g_strdup_printf("%s, %d x %d, %s", subjects[subject].name, sizes[s][0], sizes[s][1], tag);
            g_autoptr(GArray) boxes = plt_boxes_draw(picture, sizes[s][0], sizes[s][1], korean, tag, name);

            g_assert_true(plt_boxes_have(boxes, picture->source));
        }
    }
}

/* The figures of the fixture, as they have to stand on the card. */
static void test_card_says(void)
{
    static const char *const texts[] = {
        "Example NV4000 4TB",
        "CrystalDiskMark-style, NVMe SSD · 1 GiB · best of 3 runs of 5 s",
        "SEQ1M",
        "Q8T1",
        "Read",
        "Write",
        "6,984",
        "6,561",
        "87.1",
        "252",
        "MB/s",
        "6,661 IOPS",
        "1,201 µs",
        "median 6,970, spread 0.4 %",
        "Firmware 4B2QEXM7 · 4 TB · PCIe 4.0 x4 · ext4",
        "Bars: logarithmic",
        "Plateau " PLT_VERSION,
    };
    g_autoptr(PltRun) run = plt_fixture_run("cdm-nvme", "CrystalDiskMark-style, NVMe SSD", "quick-card");
    g_autoptr(PltLanguage) words = NULL;
    g_autoptr(PltPicture) picture = NULL;
    g_autoptr(GArray) boxes = NULL;

    plt_fixture_add_cell(run, "SEQ1M Q8T1", PLT_PATTERN_SEQUENTIAL, 1 << 20, 8, 1, PLT_CELL_READ, 7012.4e6,
                         2);
    plt_fixture_add_cell(run, "SEQ1M Q8T1", PLT_PATTERN_SEQUENTIAL, 1 << 20, 8, 1, PLT_CELL_WRITE, 6587.2e6,
                         2);
    plt_fixture_add_cell(run, "RND4K Q1T1", PLT_PATTERN_RANDOM, 4096, 1, 1, PLT_CELL_READ, 87.4e6, 2);
    plt_fixture_add_cell(run, "RND4K Q1T1", PLT_PATTERN_RANDOM, 4096, 1, 1, PLT_CELL_WRITE, 253.1e6, 2);
    picture = build(run, "card", "en", &words);
    boxes = plt_boxes_draw(picture, 1200, 675, FALSE, "en", "card");
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        if (!plt_boxes_have(boxes, texts[i]))
            g_error("the card does not say “%s”", texts[i]);
    }
    g_assert_cmpuint(plt_boxes_shortened(boxes), ==, 0);
}

/* CrystalDiskMark's meter: six decades from 0.1 MB/s. */
static void test_meter(void)
{
    static const struct {
        double mbps, fill;
    } points[] = {{0.05, 0.0}, {0.1, 0.0}, {1.0, 1.0 / 6.0}, {100.0, 0.5}, {1e5, 1.0}, {3e5, 1.0}};

    for (guint i = 0; i < G_N_ELEMENTS(points); i++) {
        g_autoptr(PltRun) run = plt_fixture_run("mine", "Mine", NULL);
        g_autoptr(PltLanguage) words = NULL;
        g_autoptr(PltPicture) picture = NULL;
        PltCell *cell = plt_fixture_add_cell(run, "X", PLT_PATTERN_RANDOM, 4096, 1, 1, PLT_CELL_READ, 1e6, 1);
        PltCellRun *one = cell->runs->pdata[0];

        one->total.bandwidth_bps = one->op[PLT_OP_READ].bandwidth_bps = points[i].mbps * 1e6;
        picture = build(run, "card", "en", &words);
        g_assert_cmpfloat_with_epsilon(plt_table_cell(picture->table, 0, 0)->fill, points[i].fill, 1e-9);
    }
}

static void test_missing_cells(void)
{
    g_autoptr(PltRun) stopped = plt_fixture_stopped();
    g_autoptr(PltRun) failed = plt_fixture_failed();
    g_autoptr(PltLanguage) words = NULL, more = NULL;
    g_autoptr(PltPicture) a = build(stopped, "card", "en", &words);
    g_autoptr(PltPicture) b = build(failed, "card", "en", &more);

    g_assert_cmpstr(a->badge, ==, "Stopped");
    g_assert_cmpstr(plt_table_cell(a->table, 2, 1)->note, ==, "stopped after 2.1 s");
    g_assert_cmpint(plt_table_cell(a->table, 2, 1)->tone, ==, PLT_TONE_MUTED);
    g_assert_true(plt_table_cell(a->table, 2, 1)->warned);
    g_assert_cmpstr(plt_table_cell(a->table, 3, 1)->value, ==, "not measured");
    g_assert_cmpfloat(plt_table_cell(a->table, 3, 1)->fill, <, 0.0);
    g_assert_cmpstr(b->badge, ==, "Failed");
    g_assert_cmpstr(plt_table_cell(b->table, 1, 1)->value, ==, "failed");
    g_assert_cmpint(plt_table_cell(b->table, 1, 1)->tone, ==, PLT_TONE_BAD);
    g_assert_cmpstr(plt_table_cell(b->table, 2, 1)->value, ==, "not measured");
    g_assert_nonnull(strstr(b->notices->pdata[0], "byte 402,653,184"));
    g_assert_nonnull(strstr(b->notices->pdata[1], "45 %"));
}

/* All that fits is said; of what does not, how much there is. */
static void test_notices(void)
{
    g_autoptr(PltRun) run = nvme();
    g_autoptr(PltLanguage) words = NULL;
    g_autoptr(PltPicture) picture = NULL;
    g_autoptr(GArray) large = NULL, small = NULL;

    plt_warning_add(run->warnings, "compression", "zstd");
    plt_warning_add(run->warnings, "encryption", "LUKS2");
    plt_warning_add(run->warnings, "battery", "45 %");
    plt_warning_add(run->warnings, "lvm", NULL);
    plt_warning_add(run->warnings, "not-an-id", "of today");
    picture = build(run, "card", "en", &words);
    g_assert_cmpuint(picture->notices->len, ==, 5);
    large = plt_boxes_draw(picture, 1200, 675, FALSE, "en", "notices");
    small = plt_boxes_draw(picture, 400, 300, FALSE, "en", "notices, small");
    g_assert_true(plt_boxes_have(large, "The file system compresses data (zstd)"));
    g_assert_true(plt_boxes_have(large, "not-an-id: of today"));
    g_assert_false(plt_boxes_have(large, "+ "));
    g_assert_true(plt_boxes_have(small, "The file system compresses data (zstd)"));
    g_assert_true(plt_boxes_have(small, "+ "));
}

/* AS SSD's weights on whole figures: 6000/80/2000 and 5000/200/1500 MB/s. */
static void test_score(void)
{
    g_autoptr(PltRun) run = plt_fixture_as_ssd();
    static const double mbps[] = {6000, 80, 2000, 5000, 200, 1500};
    g_autoptr(PltLanguage) words = NULL, more = NULL;
    g_autoptr(PltPicture) picture = NULL, without = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(mbps); i++) {
        PltCell *cell = run->cells->pdata[i];
        PltCellRun *one = cell->runs->pdata[0];

        one->total.bandwidth_bps = one->op[i < 3 ? PLT_OP_READ : PLT_OP_WRITE].bandwidth_bps = mbps[i] * 1e6;
    }
    picture = build(run, "card", "en", &words);
    /* 600 + 750 + 160 + 200 + 3000 + 1500 */
    g_assert_cmpstr(picture->figure, ==, "6,210");
    g_assert_cmpstr(picture->figure_label, ==, "Score (read 2,680, write 2,200)");
    g_assert_cmpstr(plt_table_cell(picture->table, 3, 0)->unit, ==, "µs");
    g_ptr_array_set_size(((PltCell *)run->cells->pdata[1])->runs, 0);
    without = build(run, "card", "en", &more);
    g_assert_null(without->figure);
}

static void test_time_says(void)
{
    g_autoptr(PltRun) run = timed_one();
    g_autoptr(PltLanguage) words = NULL;
    g_autoptr(PltPicture) picture = build(run, "time", "en", &words);
    g_autoptr(GArray) boxes = plt_boxes_draw(picture, 1200, 675, FALSE, "en", "time");

    g_assert_true(plt_boxes_have(boxes, "SEQ128K Q32T1 · Write"));
    g_assert_true(plt_boxes_have(boxes, "Throughput, MB/s"));
    g_assert_true(plt_boxes_have(boxes, "Measured time, s"));
    g_assert_true(plt_boxes_have(boxes, "Run 3"));
    g_assert_true(plt_boxes_have(boxes, "stall, 1 s"));
    g_assert_true(plt_boxes_have(boxes, "Stalls of 200 ms or more: 1 (1 s in total)"));
}

static void test_blocksize_says(void)
{
    g_autoptr(PltRun) run = plt_fixture_blocks();
    g_autoptr(PltLanguage) words = NULL;
    g_autoptr(PltPicture) picture = build(run, "blocksize", "en", &words);
    g_autoptr(GArray) boxes = plt_boxes_draw(picture, 1200, 675, FALSE, "en", "blocksize");

    g_assert_true(plt_boxes_have(boxes, "512B"));
    g_assert_true(plt_boxes_have(boxes, "64M"));
    g_assert_true(plt_boxes_have(boxes, "7,022"));
    g_assert_true(plt_boxes_have(boxes, "Read: best 7,022 MB/s, 95 % of it from 512K on"));
}

static void expect_error(const PltRun *const *runs, gsize n, const char *kind, const char *cell)
{
    g_autoptr(PltLanguage) words = plt_language_new("en", NULL);
    g_autoptr(GError) error = NULL;
    PltReportOptions options = {.kind = kind, .cell = cell};

    g_assert_null(plt_report_build(runs, n, &options, words, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

static void test_refused(void)
{
    g_autoptr(PltRun) run = nvme(), none = plt_run_new(), sampled = timed_one();
    const PltRun *const runs[] = {run, run}, *const empty[] = {none}, *const one[] = {sampled};

    expect_error(runs, 0, "card", NULL);
    expect_error(runs, 2, "card", NULL);
    expect_error(runs, 2, "time", NULL);
    expect_error(runs, 2, "blocksize", NULL);
    expect_error(runs, 1, "pie", NULL);
    expect_error(runs, 1, "time", NULL);
    expect_error(runs, 1, "blocksize", NULL);
    expect_error(one, 1, "time", "no-such-cell");
    expect_error(one, 1, "time", "seq1m-q8t1-read");
    expect_error(empty, 1, "card", NULL);
}

/* What the suite asks for is drawn when nobody asks for anything else. */
static void test_kind_of_suite(void)
{
    g_autoptr(PltRun) blocks = plt_fixture_blocks(), card = nvme();
    g_autoptr(PltLanguage) words = NULL, more = NULL;
    g_autoptr(PltPicture) a = build(blocks, NULL, "en", &words), b = build(card, NULL, "en", &more);

    g_assert_cmpuint(a->charts->len, ==, 1);
    g_assert_null(a->table);
    g_assert_nonnull(b->table);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(subjects); i++) {
        g_autofree char *path = g_strconcat("/report/pictures/", subjects[i].name, NULL);

        g_test_add_data_func(path, GUINT_TO_POINTER(i), test_subject);
    }
    g_test_add_func("/report/pictures/card-says", test_card_says);
    g_test_add_func("/report/pictures/meter", test_meter);
    g_test_add_func("/report/pictures/missing-cells", test_missing_cells);
    g_test_add_func("/report/pictures/notices", test_notices);
    g_test_add_func("/report/pictures/score", test_score);
    g_test_add_func("/report/pictures/time-says", test_time_says);
    g_test_add_func("/report/pictures/blocksize-says", test_blocksize_says);
    g_test_add_func("/report/pictures/refused", test_refused);
    g_test_add_func("/report/pictures/kind-of-suite", test_kind_of_suite);
    return g_test_run();
}
