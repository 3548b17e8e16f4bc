/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include <glib.h>

#include "suite/plan.h"
#include "suite/settings.h"

/* docs/suites.md is what people copy from: its examples must work, and it must know every key. */

static char *document;

static void test_examples(void)
{
    const char *start = document;
    guint n = 0;

    while ((start = strstr(start, "```ini\n")) != NULL) {
        const char *end;
        g_autoptr(GError) error = NULL;
        g_autoptr(PltSuite) suite = NULL;

        start += strlen("```ini\n");
        end = strstr(start, "```");
        g_assert_nonnull(end);
        suite = plt_suite_parse(start, end - start, "example", &error);
        g_assert_no_error(error);
        g_assert_nonnull(suite);
        n++;
    }
    g_assert_cmpuint(n, ==, 2);
}

static void test_first_example(void)
{
    const char *start = strstr(document, "```ini\n") + strlen("```ini\n");
    g_autoptr(PltSuite) suite = plt_suite_parse(start, strstr(start, "```") - start, "example", NULL);
    g_autoptr(PltPlan) plan = plt_plan_new(suite, NULL, 0, 1, NULL);
    const PltStep *first = g_ptr_array_index(plan->steps, 0);
    const PltStep *last = g_ptr_array_index(plan->steps, plan->steps->len - 1);

    g_assert_cmpuint(plan->steps->len, ==, 13);
    g_assert_cmpstr(first->cell.id, ==, "rnd4k-q1t1-read");
    g_assert_cmpstr(last->cell.id, ==, "rnd4k-q64t1-read");
}

/* The keys are taken from the errors that list them: the same that a person sees. */
static void assert_documents(const char *suite)
{
    g_autoptr(GError) error = NULL;
    const char *list;
    g_auto(GStrv) keys = NULL;

    g_assert_null(plt_suite_parse(suite, -1, "f", &error));
    list = strstr(error->message, "which has: ");
    g_assert_nonnull(list);
    keys = g_strsplit(list + strlen("which has: "), ", ", -1);
    g_assert_cmpuint(g_strv_length(keys), >, 1);
    for (guint i = 0; keys[i] != NULL; i++) {
        g_autofree char *code = g_strdup_printf("`%s`", keys[i]);

        if (strstr(document, code) == NULL && strcmp(keys[i], "kind") != 0)
            g_error("docs/suites.md does not have %s", code);
    }
}

static void test_keys(void)
{
    static const char head[] = "[suite]\nid=a\nname=a\ndescription=a\nsize=1M\n";
    g_autofree char *measure = g_strconcat(head, "[a]\nxyz=1\n", NULL);
    g_autofree char *rest = g_strconcat(head, "[a]\nkind=rest\nxyz=1\n", NULL);

    assert_documents("[suite]\nxyz=1\n");
    assert_documents(measure);
    assert_documents(rest);
}

static void test_overrides(void)
{
    g_autoptr(PltOverrides) overrides = plt_overrides_new();
    g_autoptr(GError) error = NULL;
    const char *section = strstr(document, "\n## Changing a suite for one run");
    g_auto(GStrv) keys = NULL;

    g_assert_false(plt_overrides_set(overrides, "xyz=1", &error));
    keys = g_strsplit(strstr(error->message, "what can: ") + strlen("what can: "), ", ", -1);
    for (guint i = 0; keys[i] != NULL; i++) {
        g_autofree char *code = g_strdup_printf("`%s`", keys[i]);

        if (strstr(section, code) == NULL)
            g_error("docs/suites.md does not say that %s can be set", code);
    }
}

/* Every suite stands in the table with its time. */
static void test_shipped(void)
{
    g_autoptr(GPtrArray) suites = plt_suite_list(NULL);
    const char *section = strstr(document, "\n## The suites that come with Plateau");

    g_assert_cmpuint(suites->len, ==, 19);
    for (guint i = 0; i < suites->len; i++) {
        g_autoptr(PltPlan) plan = plt_plan_new(g_ptr_array_index(suites, i), NULL, G_MAXUINT64, 1, NULL);
        guint64 seconds = plan->estimated_ms / 1000;
        g_autofree char *row = g_strdup_printf("\n| `%s` |", plt_suite_id(plan->suite));
        g_autofree char *short_time = g_strdup_printf("| %" G_GUINT64_FORMAT " s |", seconds);
        g_autofree char *long_time = g_strdup_printf("| %" G_GUINT64_FORMAT " min %" G_GUINT64_FORMAT " s |",
                                                     seconds / 60, seconds % 60);
        g_autofree char *round_time = g_strdup_printf("| %" G_GUINT64_FORMAT " min |", seconds / 60);
        /* How long it takes to cover a drive depends on the drive. */
        const char *time = plan->size == PLT_SIZE_ALL ? "| all |"
                           : seconds < 60             ? short_time
                           : seconds % 60 == 0        ? round_time
                                                      : long_time;
        const char *found = strstr(section, row);
        g_autofree char *line = NULL;

        if (found == NULL)
            g_error("docs/suites.md does not have%s", row);
        line = g_strndup(found + 1, strcspn(found + 1, "\n"));
        if (strstr(line, time) == NULL)
            g_error("docs/suites.md: %s lacks %s", line, time);
    }
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    int result;

    g_test_init(&argc, &argv, NULL);
    g_setenv("XDG_DATA_HOME", "/nonexistent", TRUE);
    if (argc != 2 || !g_file_get_contents(argv[1], &document, NULL, &error))
        g_error("give the path of suites.md%s%s", error != NULL ? ": " : "",
                error != NULL ? error->message : "");
    g_test_add_func("/suite/document/examples", test_examples);
    g_test_add_func("/suite/document/first-example", test_first_example);
    g_test_add_func("/suite/document/keys", test_keys);
    g_test_add_func("/suite/document/overrides", test_overrides);
    g_test_add_func("/suite/document/shipped", test_shipped);
    result = g_test_run();
    g_free(document);
    return result;
}
