/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/canvas.h"

typedef struct plt_chart PltChart;
typedef struct plt_table PltTable;

/*
 * A whole picture: a heading, a body of charts or tables, and the lines under it that say how it was made.
 * A model only; any text may be NULL. Texts are plain UTF-8 in the picture's language, never markup.
 */
typedef struct {
    char *title;
    char *subtitle;
    char *badge; /* how the run ended, if not well: "Stopped" */
    PltTone badge_tone;
    char *corner;        /* top right, small: the date */
    char *figure;        /* top right, large: the one number that sums up the picture; or NULL */
    char *figure_label;  /* under it */
    GPtrArray *notices;  /* char *: what a reader must know, each with a warning sign */
    GPtrArray *captions; /* char *: parameters, platform, scale; in order of weight */
    char *source;        /* bottom right: program and version */
    GPtrArray *charts;   /* PltChart: the body, in a grid of COLUMNS columns ... */
    PltTable *table;     /* ... or a table; exactly one of the two */
    guint columns;
} PltPicture;

PltPicture *plt_picture_new(void);
void plt_picture_free(PltPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltPicture, plt_picture_free)

/*
 * Draws PICTURE over WIDTH x HEIGHT units from the origin of CR. LANGUAGE is a tag ("ko") for shaping. What a
 * size has no room for is left out in this order: notices beyond two rows (their number is shown instead),
 * captions from the last, notices beyond the first row, subtitle.
 * BOXES (may be NULL) receives a PltTextBox for every text that was drawn.
 */
void plt_picture_draw(const PltPicture *picture, cairo_t *cr, double width, double height, gboolean dark,
                      const char *language, GArray *boxes);
