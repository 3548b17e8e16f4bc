/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

typedef struct {
    double red, green, blue; /* sRGB, 0..1 */
} PltColour;

/* What a thing says by its colour. A tone is never the only sign of it: a word or a shape says the same. */
typedef enum {
    PLT_TONE_NORMAL,
    PLT_TONE_MUTED,
    PLT_TONE_GOOD,
    PLT_TONE_WARNING,
    PLT_TONE_BAD,
} PltTone;

/* How a series is told apart without colour. */
typedef enum {
    PLT_SHAPE_CIRCLE,
    PLT_SHAPE_SQUARE,
    PLT_SHAPE_DIAMOND,
    PLT_SHAPE_TRIANGLE,
} PltShape;

#define PLT_N_SERIES_STYLES 8

typedef struct {
    PltColour colour;
    PltShape shape;
    gboolean hollow;
    double dash[4]; /* lengths in units; all 0 = a full line */
} PltSeriesStyle;

typedef struct {
    gboolean dark;
    PltColour background;
    PltColour surface; /* tracks of bars, the plot's ground */
    PltColour grid;
    PltColour axis;
    PltColour text;      /* figures and headings */
    PltColour secondary; /* everything that explains them */
    PltColour good, warning, bad;
    PltSeriesStyle series[PLT_N_SERIES_STYLES];
} PltTheme;

const PltTheme *plt_theme_get(gboolean dark);

/* The colour of a text or sign in TONE. */
PltColour plt_theme_tone(const PltTheme *theme, PltTone tone);

/* WCAG 2 contrast ratio, 1..21. */
double plt_colour_contrast(PltColour a, PltColour b);
