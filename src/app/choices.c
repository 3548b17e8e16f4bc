/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/choices.h"

#include <glib/gi18n-lib.h>

#include "drive/size.h"
#include "suite/value.h"

#define SMALLEST_SIZE (G_GUINT64_CONSTANT(16) << 20)
#define N_SIZES 13 /* up to 64 GiB */
#define N_RUNS 9

static PltChoices *choices_new(void)
{
    PltChoices *choices = g_new0(PltChoices, 1);

    choices->model = gtk_string_list_new(NULL);
    choices->values = g_ptr_array_new_with_free_func(g_free);
    return choices;
}

void plt_choices_free(PltChoices *choices)
{
    if (choices == NULL)
        return;
    g_object_unref(choices->model);
    g_ptr_array_unref(choices->values);
    g_free(choices);
}

gboolean plt_choices_equal(const PltChoices *a, const PltChoices *b)
{
    if (a->values->len != b->values->len)
        return FALSE;
    for (guint i = 0; i < a->values->len; i++)
        if (!g_str_equal(a->values->pdata[i], b->values->pdata[i]))
            return FALSE;
    return TRUE;
}

const char *plt_choices_value(const PltChoices *choices, guint index)
{
    return choices != NULL && index < choices->values->len ? choices->values->pdata[index] : NULL;
}

/* Takes TEXT and VALUE. */
static void add(PltChoices *choices, char *text, char *value, gboolean selected)
{
    if (selected)
        choices->selected = choices->values->len;
    gtk_string_list_take(choices->model, text);
    g_ptr_array_add(choices->values, value);
}

static void add_size(PltChoices *choices, guint64 bytes, guint64 now)
{
    add(choices, plt_size_text(bytes), plt_value_block_name(bytes), bytes == now);
}

PltChoices *plt_choices_sizes(guint64 size)
{
    PltChoices *choices = choices_new();
    gboolean there = size == 0;

    for (guint i = 0; i < N_SIZES; i++) {
        guint64 next = SMALLEST_SIZE << i;

        /* In its place among the others. */
        if (!there && size < next)
            add_size(choices, size, size);
        there |= size <= next;
        add_size(choices, next, size);
    }
    if (!there)
        add_size(choices, size, size);
    return choices;
}

static void add_runs(PltChoices *choices, guint runs, guint now)
{
    add(choices, g_strdup_printf(ngettext("%u run", "%u runs", runs), runs), g_strdup_printf("%u", runs),
        runs == now);
}

PltChoices *plt_choices_runs(guint runs)
{
    PltChoices *choices = choices_new();

    for (guint i = 1; i <= N_RUNS; i++)
        add_runs(choices, i, runs);
    if (runs > N_RUNS)
        add_runs(choices, runs, runs);
    return choices;
}

static char *data_text(const char *data)
{
    if (g_str_equal(data, "random"))
        return g_strdup(_("Random"));
    if (g_str_equal(data, "zero"))
        return g_strdup(_("Zeros"));
    /* Translators: “50% zeros”: this share of what is written is zeros, the rest is random. */
    return g_strdup_printf(_("%s zeros"), data);
}

PltChoices *plt_choices_data(const char *data)
{
    static const char *const usual[] = {"random", "zero", "25%", "50%", "75%"};
    PltChoices *choices = choices_new();
    gboolean there = FALSE;

    for (guint i = 0; i < G_N_ELEMENTS(usual); i++) {
        gboolean now = g_strcmp0(usual[i], data) == 0;

        there |= now;
        add(choices, data_text(usual[i]), g_strdup(usual[i]), now);
    }
    if (!there && data != NULL)
        add(choices, data_text(data), g_strdup(data), TRUE);
    return choices;
}
