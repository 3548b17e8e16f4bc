/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "chart/axis.h"
#include "chart/picture.h"
#include "chart/pyramid.h"

typedef enum {
    PLT_SERIES_LINE,   /* median per pixel column and a band from minimum to maximum where points are dense */
    PLT_SERIES_STEPS,  /* each value holds until the next one; filled down to the axis */
    PLT_SERIES_BARS,   /* side by side with the other series of bars at the same X */
    PLT_SERIES_POINTS, /* markers joined by a line, each with its label where there is room */
} PltSeriesKind;

typedef struct {
    PltSeriesKind kind;
    char *name; /* in the legend; NULL = not there */
    guint style;
    gboolean right; /* counts on the right axis */
    gboolean solid; /* no dashes: something else, such as named sections, tells it apart without colour */
    PltPyramid *data;
    GPtrArray *labels; /* char * or NULL for each value; NULL = none */
    gint highlight;    /* BARS: the one bar that is the subject, the others are paler; -1 = all alike */
    gboolean
        labels_always; /* the labels stand in a strip under the axis where they do not fit at the values */
} PltSeries;

/*
 * A stretch of X. With tone NORMAL or MUTED it is a section: named in a line over the plot, MUTED ones shaded
 * so that neighbours are told apart. Any other tone marks something that happened, such as a stall.
 */
typedef struct {
    double from, to;
    PltTone tone;
    char *label;  /* or NULL */
    char *detail; /* a second line under a section's name, where it fits; or NULL */
} PltBand;

/* A reference line across the plot. */
typedef struct {
    gboolean vertical; /* at an X; else at a value of the left axis, or the right one */
    gboolean right;
    double at;
    double from, to; /* not vertical: the stretch of X that it spans; NAN = all */
    PltTone tone;
    char *label; /* or NULL */
} PltMark;

struct plt_chart {
    PltAxis x, y, y2;
    gboolean has_y2;
    gboolean horizontal; /* X runs down the left side: rankings */
    gboolean grid_x;
    char *log_word;    /* how an axis says that it is logarithmic: "log" */
    char *cut_word;    /* how an axis says that it does not show all: "cut" */
    GPtrArray *series; /* PltSeries */
    GArray *bands;     /* PltBand */
    GArray *marks;     /* PltMark */
};

PltChart *plt_chart_new(PltScale x, PltUnit x_unit, const char *x_title, PltScale y, PltUnit y_unit,
                        const char *y_title);
void plt_chart_free(PltChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltChart, plt_chart_free)

/* Takes DATA. The series belongs to CHART. */
PltSeries *plt_chart_add_series(PltChart *chart, PltSeriesKind kind, const char *name, guint style,
                                PltPyramid *data);
void plt_series_add_label(PltSeries *series, const char *label);

void plt_chart_add_band(PltChart *chart, double from, double to, PltTone tone, const char *label,
                        const char *detail);
PltMark *plt_chart_add_mark(PltChart *chart, gboolean vertical, double at, PltTone tone, const char *label);

/* Fits the axes that have no ends yet to the data. plt_chart_draw does it on a copy; reports may ask before.
 */
void plt_chart_fit(const PltChart *chart, PltAxis *x, PltAxis *y, PltAxis *y2);

void plt_chart_draw(const PltChart *chart, PltCanvas *canvas, PltRect area);

/* Where plt_chart_draw puts things, for a view that has to tell what is under a pointer. */
typedef struct {
    PltRect plot;     /* inside the axes */
    PltAxis x, y, y2; /* with their ends; the texts in them belong to the chart */
} PltChartPlace;

void plt_chart_locate(const PltChart *chart, PltCanvas *canvas, PltRect area, PltChartPlace *place);
