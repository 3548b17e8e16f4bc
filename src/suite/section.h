/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/purge.h"
#include "suite/keyfile.h"
#include "suite/settings.h"
#include "suite/suite.h"

typedef enum {
    PLT_SECTION_MEASURE,
    PLT_SECTION_REST,
    PLT_SECTION_FILL,      /* a measured sequential write over a share of the target, once */
    PLT_SECTION_READ_ALL,  /* likewise a read */
    PLT_SECTION_PURGE,     /* the whole drive is erased */
    PLT_SECTION_FILL_FREE, /* a measured write over all the free space, in as many files as that takes */
    PLT_SECTION_VERIFY,    /* all of the target is written and read back, each block with its position */
} PltSectionKind;

/* One step of a suite file: a sweep of measured cells, a pass over the target, a rest, a purge. */
typedef struct {
    char *name;
    guint line;
    PltSectionKind kind;
    guint64 rest_ms;             /* REST */
    PltPurgeMethod purge_method; /* PURGE */
    guint share_percent;         /* FILL, READ_ALL: of the target, from its beginning */

    struct plt_settings settings; /* MEASURE, FILL, READ_ALL, as all below */
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
    guint64 bytes; /* MEASURE: ends after so much too; 0 = by time only */
    guint64 think_ms;
    guint think_every;
    char *tag;   /* NULL or a word that ids carry */
    char *label; /* NULL or what stands instead of "RND4K Q1T1" */
    char *role;  /* NULL or what its cells are for: library/role.h, docs/suites.md */
} PltSection;

PltSection *plt_section_parse(const PltKeyfile *file, const PltKeyfileGroup *group, GError **error);
/* TRUE for kinds that make cells. */
gboolean plt_section_measures(const PltSection *section);

void plt_section_free(PltSection *section);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltSection, plt_section_free)

/* TRUE when the step destroys what is on a whole drive. */
gboolean plt_section_erases(const PltSection *section);

/* "none", "dsync", …: the word that stands for a sync mode in files. */
const char *plt_section_sync_name(enum plt_sync sync);
