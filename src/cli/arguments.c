/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "cli/arguments.h"

#include <string.h>

static gboolean is_assignment(const char *word)
{
    const char *p = word;

    while (g_ascii_isalpha(*p) || (p > word && (*p == '-' || *p == '_')))
        p++;
    return p > word && *p == '=';
}

GStrv plt_arguments_expand(char **argv)
{
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    gboolean after_set = FALSE, only_words = FALSE;

    for (guint i = 0; argv[i] != NULL; i++) {
        gboolean is_set = g_str_equal(argv[i], "--set");

        if (only_words || !(is_set || (after_set && is_assignment(argv[i])))) {
            only_words = only_words || g_str_equal(argv[i], "--");
            after_set = g_str_has_prefix(argv[i], "--set=");
            g_strv_builder_add(words, argv[i]);
            continue;
        }
        g_strv_builder_add(words, "--set");
        after_set = TRUE;
        if (is_set && argv[i + 1] != NULL)
            g_strv_builder_add(words, argv[++i]);
        else if (!is_set)
            g_strv_builder_add(words, argv[i]);
    }
    return g_strv_builder_end(words);
}
