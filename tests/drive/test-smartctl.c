/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/smartctl.h"

#include <glib/gstdio.h>
#include <string.h>

/* A program that says TEXT and ends with STATUS; its arguments go to a file beside it. */
static char *make_program(const char *folder, const char *text, int status)
{
    char *path = g_build_filename(folder, "smartctl", NULL);
    g_autofree char *script = g_strdup_printf(
        "#!/bin/sh\necho \"$@\" > '%s/arguments'\ncat <<'END'\n%s\nEND\nexit %d\n", folder, text, status);

    g_assert_true(g_file_set_contents_full(path, script, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
    return path;
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {"smartctl", "arguments"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);

        g_unlink(path);
    }
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

static void test_runs(void)
{
    g_autofree char *folder = g_dir_make_tmp("plateau-smartctl-XXXXXX", NULL), *arguments = NULL;
    /* Bits above the second are about the drive, not about smartctl. */
    g_autofree char *program = make_program(folder, "{\"model_name\":\"X\"}", 64 | 8);
    g_autofree char *list = g_build_filename(folder, "arguments", NULL);
    g_autoptr(PltAnswer) answer = plt_smartctl_run(program, "/dev/sdx");

    g_assert_true(plt_answer_is_there(answer));
    g_assert_cmpint(answer->source, ==, PLT_SOURCE_SMARTCTL);
    g_assert_cmpstr(json_object_get_string_member(plt_answer_object(answer), "model_name"), ==, "X");
    g_assert_true(g_file_get_contents(list, &arguments, NULL, NULL));
    g_assert_cmpstr(arguments, ==, "--json=c -x /dev/sdx\n");
    remove_folder(folder);
}

static void check_failure(PltAnswer *answer, const char *reason)
{
    g_autoptr(PltAnswer) taken = answer;
    g_autofree char *text = plt_answer_reason(taken);

    g_assert_cmpint(taken->lack, ==, PLT_LACK_FAILED);
    g_assert_cmpstr(text, ==, reason);
}

static void test_fails(void)
{
    static const char opened[] =
        "{\"smartctl\":{\"messages\":[{\"string\":\"Unknown USB bridge\",\"severity\":\"error\"}]}}";
    static const char mute[] = "{\"smartctl\":{\"messages\":[]}}";
    g_autoptr(PltAnswer) absent = plt_smartctl_run("/nonexistent/smartctl", "/dev/sdx");

    g_assert_cmpint(absent->lack, ==, PLT_LACK_FAILED);
    check_failure(plt_smartctl_parse(opened, strlen(opened), 1),
                  "smartctl could not read the drive: Unknown USB bridge");
    check_failure(plt_smartctl_parse(mute, strlen(mute), 2), "smartctl could not read the drive");
    check_failure(plt_smartctl_parse("", 0, 0), "smartctl said nothing that could be understood");
    check_failure(plt_smartctl_parse("[1]", 3, 0), "smartctl said nothing that could be understood");
    check_failure(plt_smartctl_parse("{\"a\":", 5, 0), "smartctl said nothing that could be understood");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/smartctl/runs", test_runs);
    g_test_add_func("/drive/smartctl/fails", test_fails);
    return g_test_run();
}
