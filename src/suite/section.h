/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/keyfile.h"
#include "suite/settings.h"
#include "suite/suite.h"

typedef enum {
    PLT_SECTION_MEASURE,
    PLT_SECTION_REST,
} PltSectionKind;

/* One step of a suite file: a sweep of measured cells, or a rest. */
typedef struct {
    char *name;
    guint line;
    PltSectionKind kind;
    guint64 rest_ms; /* REST */

    struct plt_settings settings; /* MEASURE, as all below */
    enum plt_pattern pattern;
    GArray *blocks;  /* guint32 */
    GArray *queues;  /* guint */
    GArray *threads; /* guint */
    GArray *ops;     /* PltCellOp */
    enum plt_sync sync;
    guint flush_every;
    gboolean separate_streams;
    gboolean slices;
    gboolean optional;
    guint64 rate_bps[2];
    guint64 think_ms;
    guint think_every;
    char *tag;   /* NULL or a word that ids carry */
    char *label; /* NULL or what stands instead of "RND4K Q1T1" */
} PltSection;

PltSection *plt_section_parse(const PltKeyfile *file, const PltKeyfileGroup *group, GError **error);
void plt_section_free(PltSection *section);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltSection, plt_section_free)

/* TRUE when the step destroys what is on a whole drive. */
gboolean plt_section_erases(const PltSection *section);

/* "none", "dsync", …: the word that stands for a sync mode in files. */
const char *plt_section_sync_name(enum plt_sync sync);
