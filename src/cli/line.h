/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#define PLT_LINE_HISTORY 32

/* All that the progress line says; how it says it depends on the width and the style. */
typedef struct {
    guint cell, n_cells;  /* from 1; 0 before the first */
    const char *label;    /* "RND4K Q32T16 read" */
    guint label_width;    /* columns of the longest label, so that nothing jumps */
    const char *stage;    /* "warm-up", "run 2/3", "rest" */
    double bandwidth_bps; /* < 0: nothing is being measured */
    double fraction;      /* of the whole plan */
    guint64 elapsed_ms, left_ms;
    double history[PLT_LINE_HISTORY]; /* bytes/s of the last ticks, oldest first */
    guint n_history;
} PltLineView;

typedef struct {
    gboolean unicode; /* blocks and lines may be drawn, else ASCII */
    gboolean color;   /* SGR codes may be used */
} PltLineStyle;

/*
 * The line for a terminal of WIDTH columns: never wider, and what matters less is left out first (the
 * curve, the time gone, the bar, the stage, the time left). Newly allocated.
 */
char *plt_line_format(const PltLineView *view, guint width, PltLineStyle style);
