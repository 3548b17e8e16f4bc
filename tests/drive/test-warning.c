/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixture.h"

#include <string.h>

/* Ids that other modules raise by agreement; every one of them is stored in results. */
static const char *const agreed[] = {
    "threads-refused", "threads-iowq",          "kernel-workers",
    "host-limited",    "plain-buffers",         "clock-system",
    "shallow-queue",   "library-shares-drive",  "too-fast",
    "stalls",          "not-written-extents",   "queue-beyond-tags",
    "no-response",     "test-file-not-removed", "suspended",
    "raw-content",
};

static void check_format(const char *id)
{
    const char *format = plt_warning_format(id);
    const char *percent;
    guint places = 0;

    if (format == NULL)
        g_error("no sentence for the warning %s", id);
    g_assert_cmpint(format[strlen(format) - 1], ==, '.');
    for (percent = strchr(format, '%'); percent != NULL; percent = strchr(percent + 1, '%')) {
        g_assert_cmpint(percent[1], ==, 's');
        places++;
    }
    g_assert_cmpuint(places, <=, 1);
}

static void test_agreed(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(agreed); i++)
        check_format(agreed[i]);
    g_assert_null(plt_warning_format("no-such-warning"));
}

static guint check_calls(const char *text)
{
    g_autoptr(GRegex) regex =
        g_regex_new("(?:plt_warning_add|plt_warning_new|plt_recorder_add_warning|plt_runner_remark)"
                    "\\s*\\(\\s*(?:[^,;\"{}()]+,\\s*)?\"([^\"]+)\"",
                    0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    guint found = 0;

    g_regex_match(regex, text, 0, &match);
    while (g_match_info_matches(match)) {
        g_autofree char *id = g_match_info_fetch(match, 1);

        check_format(id);
        found++;
        g_match_info_next(match, NULL);
    }
    return found;
}

static guint check_folder(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    guint found = 0;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_autofree char *text = NULL;

        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            found += check_folder(path);
        else if (g_str_has_suffix(name, ".c") && g_file_get_contents(path, &text, NULL, NULL))
            found += check_calls(text);
    }
    return found;
}

/* Whatever the sources raise has a sentence. */
static void test_sources(void)
{
    /* The folder and platform warnings alone are more than 20: the search really finds them. */
    g_assert_cmpuint(check_folder(TEST_SOURCE_DIR "/src"), >, 20);
}

static void check_text(const char *id, const char *detail, const char *expected)
{
    g_autoptr(PltWarning) warning = plt_warning_new(id, detail);
    g_autofree char *text = plt_warning_text(warning);

    g_assert_cmpstr(text, ==, expected);
}

static void test_text(void)
{
    check_text("shallow-queue", "29.1 of 32",
               "The queue was not kept full (I/Os in flight on average: 29.1 of 32).");
    check_text(
        "nearly-full", "94 %",
        "The file system is 94 % full with the test file: drives and file systems slow down when little "
        "space is free.");
    check_text("lvm", NULL, "The folder is on a logical volume (LVM).");
    /* A library written by a later version may hold ids that this one does not know. */
    check_text("from-the-future", "%s %n", "from-the-future: %s %n");
    check_text("from-the-future", NULL, "from-the-future: –");
    /* A detail is never read as a format. */
    check_text("scheduler", "%d%s",
               "The I/O scheduler of an NVMe drive is %d%s instead of “none”: it costs processor time and "
               "limits small random I/O.");
}

static void test_add_once(void)
{
    g_autoptr(GPtrArray) warnings = fixture_warnings_new();

    plt_warning_add(warnings, "loop", NULL);
    plt_warning_add(warnings, "loop", NULL);
    plt_warning_add(warnings, "raid", "md raid0");
    plt_warning_add(warnings, "raid", "md raid1");
    plt_warning_add(warnings, "raid", "md raid0");
    g_assert_cmpuint(warnings->len, ==, 3);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/warning/agreed-ids", test_agreed);
    g_test_add_func("/drive/warning/ids-in-sources", test_sources);
    g_test_add_func("/drive/warning/text", test_text);
    g_test_add_func("/drive/warning/add-once", test_add_once);
    return g_test_run();
}
