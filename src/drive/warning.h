/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * A fact about the environment or the run that a reader of the figures must know. It is stored as an id and
 * a detail, and becomes a sentence in the reader's language only when it is shown.
 */
typedef struct {
    char *id;     /* "compression", "small-test-file", … : one of the table in warning.c */
    char *detail; /* what the sentence names: "zstd", "btrfs", "45 %"; NULL where it names nothing */
} PltWarning;

PltWarning *plt_warning_new(const char *id, const char *detail);
void plt_warning_free(PltWarning *warning);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltWarning, plt_warning_free)

/* Adds one to LIST (GPtrArray of PltWarning with free func) unless the same is already there. */
void plt_warning_add(GPtrArray *list, const char *id, const char *detail);

/* The untranslated format string of ID, with at most one %s for the detail; NULL for an unknown id. */
const char *plt_warning_format(const char *id);

/* The sentence in the program's language, newly allocated. An unknown id gives "id: detail". */
char *plt_warning_text(const PltWarning *warning);
