/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "suite/content.h"

/* A suite's cells and rests in the order of measuring, before any setting is applied. */
typedef struct {
    const PltSection *section; /* the suite's */
    char *id;                  /* MEASURE: "rnd4k-q32t16-read"; NULL for a rest */
    char *row;                 /* MEASURE: the id without the operation, "rnd4k-q32t16" */
    guint32 block;
    guint queue;
    guint threads;
    PltCellOp op;
} PltItem;

/* More cells than this are no suite that anybody waits for. */
#define PLT_CELLS_MAX 4096

/*
 * Spells out all steps of SUITE: GPtrArray of PltItem. On error CULPRIT (may be NULL) is the step that is
 * wrong: two cells with one id, too many of them, more I/Os in flight than the engine takes.
 */
GPtrArray *plt_cells_expand(const PltSuite *suite, const PltSection **culprit, GError **error);

/* "RND4K Q32T16", or the step's own label. Newly allocated. */
char *plt_cells_label(const PltItem *item);
