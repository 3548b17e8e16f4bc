/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "cli/match.h"

#include <string.h>

/* Longer words are compared by their beginning only: nobody types a name of this length by mistake. */
#define MAX_LENGTH 64
#define MAX_NAMES 4

guint plt_match_distance(const char *a, const char *b)
{
    gsize n_a = MIN(strlen(a), MAX_LENGTH), n_b = MIN(strlen(b), MAX_LENGTH);
    guint8 d[MAX_LENGTH + 1][MAX_LENGTH + 1];

    for (gsize i = 0; i <= n_a; i++)
        d[i][0] = (guint8)i;
    for (gsize j = 0; j <= n_b; j++)
        d[0][j] = (guint8)j;
    for (gsize i = 1; i <= n_a; i++) {
        for (gsize j = 1; j <= n_b; j++) {
            guint replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            guint least = MIN(MIN(d[i - 1][j], d[i][j - 1]) + 1u, replaced);

            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                least = MIN(least, d[i - 2][j - 2] + 1u);
            d[i][j] = (guint8)least;
        }
    }
    return d[n_a][n_b];
}

typedef struct {
    const char *name;
    guint distance;
} Candidate;

static int compare_candidates(gconstpointer a, gconstpointer b)
{
    const Candidate *x = a, *y = b;

    return (x->distance > y->distance) - (x->distance < y->distance);
}

char *plt_match_close(const char *text, const char *const *names)
{
    g_autofree char *lower = g_ascii_strdown(text, -1);
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Candidate));
    g_autoptr(GString) joined = g_string_new(NULL);

    for (guint i = 0; names[i] != NULL; i++) {
        Candidate candidate = {names[i], plt_match_distance(lower, names[i])};
        /* A third of the letters may be wrong; a part of a name is as good as one wrong letter. */
        guint limit = MAX(1, (guint)strlen(names[i]) / 3);

        if (strlen(lower) >= 2 && strstr(names[i], lower) != NULL)
            candidate.distance = 1;
        if (candidate.distance <= limit)
            g_array_append_val(found, candidate);
    }
    g_array_sort(found, compare_candidates);
    for (guint i = 0; i < MIN(found->len, MAX_NAMES); i++)
        g_string_append_printf(joined, "%s%s", i > 0 ? ", " : "", g_array_index(found, Candidate, i).name);
    return joined->len > 0 ? g_string_free_and_steal(g_steal_pointer(&joined)) : NULL;
}
