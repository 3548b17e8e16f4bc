/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "fixture.h"
#include "report/report.h"

static char *folder;

static char *in_folder(const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static gboolean save(const char *path, PltReportFormat format, const PltReportOptions *options,
                     GError **error)
{
    g_autoptr(PltRun) run = plt_fixture_nvme(FALSE);
    const PltRun *runs[] = {run};

    return plt_report_save(path, format, runs, 1, options, error);
}

static guint32 big_endian(const char *p)
{
    guint32 value;

    memcpy(&value, p, sizeof value);
    return GUINT32_FROM_BE(value);
}

static void test_png(void)
{
    g_autofree char *path = in_folder("card.png"), *data = NULL;
    g_autoptr(GError) error = NULL;
    PltReportOptions options = {.scale = 2.0, .language = "ko", .dark = TRUE};
    gsize length;

    save(path, PLT_REPORT_PNG, &options, &error);
    g_assert_no_error(error);
    g_assert_true(g_file_get_contents(path, &data, &length, NULL));
    g_assert_cmpuint(length, >, 10000);
    g_assert_cmpmem(data, 8, "\x89PNG\r\n\x1a\n", 8);
    g_assert_cmpuint(big_endian(data + 16), ==, 2400);
    g_assert_cmpuint(big_endian(data + 20), ==, 1350);
    g_assert_cmpmem(data + length - 8, 4, "IEND", 4);
}

static void test_svg(void)
{
    g_autofree char *path = in_folder("card.svg"), *data = NULL;
    g_autoptr(GError) error = NULL;
    PltReportOptions options = {.language = "en", .width = 800, .height = 450};
    GMarkupParser parser = {NULL};
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, NULL, NULL);
    gsize length;

    save(path, PLT_REPORT_SVG, &options, &error);
    g_assert_no_error(error);
    g_assert_true(g_file_get_contents(path, &data, &length, NULL));
    g_markup_parse_context_parse(context, data, (gssize)length, &error);
    g_assert_no_error(error);
    g_assert_true(g_markup_parse_context_end_parse(context, &error));
    g_assert_nonnull(strstr(data, "width=\"800px\""));
    g_assert_nonnull(strstr(data, "<title>Example NV4000 4TB</title>"));
    g_assert_nonnull(strstr(data, "SEQ1M Q8T1 read 7,012 MB/s"));
}

static void test_pdf(void)
{
    g_autofree char *path = in_folder("card.pdf"), *data = NULL;
    g_autoptr(GError) error = NULL;
    PltReportOptions options = {.language = "ko"};
    gsize length;

    save(path, PLT_REPORT_PDF, &options, &error);
    g_assert_no_error(error);
    g_assert_true(g_file_get_contents(path, &data, &length, NULL));
    g_assert_cmpuint(length, >, 5000);
    g_assert_cmpmem(data, 5, "%PDF-", 5);
    g_assert_nonnull(g_strrstr_len(data + length - 16, 16, "%%EOF"));
}

static guint count_files(void)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    guint n = 0;

    while (g_dir_read_name(dir))
        n++;
    return n;
}

/* Whole or untouched: a picture that cannot be drawn leaves the old file, and no temporary one. */
static void test_untouched(void)
{
    g_autofree char *path = in_folder("old.png"), *data = NULL;
    g_autoptr(GError) error = NULL;
    PltReportOptions options = {.language = "en", .kind = "time"};
    guint before;

    g_assert_true(g_file_set_contents(path, "old", -1, NULL));
    before = count_files();
    g_assert_false(save(path, PLT_REPORT_PNG, &options, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_assert_true(g_file_get_contents(path, &data, NULL, NULL));
    g_assert_cmpstr(data, ==, "old");
    g_assert_cmpuint(count_files(), ==, before);
    options.kind = "card";
    g_assert_true(save(path, PLT_REPORT_PNG, &options, NULL));
    g_assert_cmpuint(count_files(), ==, before);
}

static void test_places(void)
{
    g_autofree char *nowhere = in_folder("no/such/folder.png"), *fifo = in_folder("fifo.png");
    g_autoptr(GError) error = NULL;
    PltReportOptions options = {.language = "en"};

    g_assert_false(save(nowhere, PLT_REPORT_PNG, &options, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_false(save(folder, PLT_REPORT_PNG, &options, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
    g_assert_false(save(fifo, PLT_REPORT_PNG, &options, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
}

static void test_absurd(void)
{
    static const PltReportOptions absurd[] = {
        {.width = 100, .height = 100},
        {.width = -5, .height = 600},
        {.width = 40000, .height = 675},
        {.width = 30000, .height = 30000},
        {.scale = 100.0},
        {.scale = -1.0},
        {.scale = 0.01},
        {.width = 20000, .height = 600, .scale = 2.0},
        {.language = "xx"},
        {.kind = "pie"},
    };

    for (guint i = 0; i < G_N_ELEMENTS(absurd); i++) {
        g_autofree char *path = in_folder("absurd.png");
        g_autoptr(GError) error = NULL;

        g_assert_false(save(path, PLT_REPORT_PNG, &absurd[i], &error));
        g_assert_error(error, PLT_ERROR, PLT_ERROR_USAGE);
        g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    }
}

static void test_format_for_path(void)
{
    static const char *const none[] = {"card", "card.jpg", ".png", "dir/.png", "card.png.txt", "png", ""};
    PltReportFormat format;

    g_assert_true(plt_report_format_for_path("a.png", &format) && format == PLT_REPORT_PNG);
    g_assert_true(plt_report_format_for_path("/x/한글.SVG", &format) && format == PLT_REPORT_SVG);
    g_assert_true(plt_report_format_for_path("a.b.pdf", &format) && format == PLT_REPORT_PDF);
    for (guint i = 0; i < G_N_ELEMENTS(none); i++)
        g_assert_false(plt_report_format_for_path(none[i], &format));
}

static void test_describe(void)
{
    g_autoptr(PltRun) run = plt_fixture_stopped();
    const PltRun *runs[] = {run};
    PltReportOptions options = {.language = "en"};
    g_autofree char *english = plt_report_describe(runs, 1, &options), *korean = NULL, *none = NULL;

    g_assert_true(g_str_has_prefix(english, "Table of speeds of Example NV4000 4TB. CrystalDiskMark-style"));
    g_assert_nonnull(strstr(english, "RND4K Q1T1 read 87.4 MB/s"));
    g_assert_true(g_str_has_suffix(english, " Stopped."));
    options.language = "ko";
    korean = plt_report_describe(runs, 1, &options);
    g_assert_nonnull(strstr(korean, "SEQ1M Q8T1 읽기 7,012 MB/s"));
    none = plt_report_describe(runs, 0, &options);
    g_assert_cmpstr(none, ==, "");
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) dir = NULL;
    const char *name = NULL;
    int status;

    g_test_init(&argc, &argv, NULL);
    folder = g_dir_make_tmp("plateau-save-XXXXXX", &error);
    g_assert_no_error(error);
    g_test_add_func("/report/save/png", test_png);
    g_test_add_func("/report/save/svg", test_svg);
    g_test_add_func("/report/save/pdf", test_pdf);
    g_test_add_func("/report/save/untouched", test_untouched);
    g_test_add_func("/report/save/places", test_places);
    g_test_add_func("/report/save/absurd", test_absurd);
    g_test_add_func("/report/save/format-for-path", test_format_for_path);
    g_test_add_func("/report/save/describe", test_describe);
    status = g_test_run();
    dir = g_dir_open(folder, 0, NULL);
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = in_folder(name);

        g_remove(path);
    }
    g_rmdir(folder);
    g_free(folder);
    return status;
}
