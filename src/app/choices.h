/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* What a setting of a suite can be in a list: what people read, and the values as overrides take them. */
typedef struct {
    GtkStringList *model;
    GPtrArray *values; /* char *, one for each string of MODEL */
    guint selected;    /* of the value of now, which is always in the list */
} PltChoices;

/* 16 MiB to 64 GiB, as CrystalDiskMark offers them, and SIZE. */
PltChoices *plt_choices_sizes(guint64 size);

/* 1 to 9, and RUNS: "1 run", "3 runs". */
PltChoices *plt_choices_runs(guint runs);

/* Random, zeros, shares of zeros, and DATA. */
PltChoices *plt_choices_data(const char *data);

void plt_choices_free(PltChoices *choices);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltChoices, plt_choices_free)

/* TRUE when both offer the same, whatever is selected. */
gboolean plt_choices_equal(const PltChoices *a, const PltChoices *b);

/* The value at INDEX; NULL beyond the end. Belongs to CHOICES. */
const char *plt_choices_value(const PltChoices *choices, guint index);
