/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "app/run-item.h"

/* Since when runs are shown. */
typedef enum {
    PLT_PERIOD_ALL,
    PLT_PERIOD_TODAY,
    PLT_PERIOD_WEEK,  /* the last 7 days, today included */
    PLT_PERIOD_MONTH, /* the last 30 days */
    PLT_PERIOD_YEAR,  /* the last 365 days */
    PLT_N_PERIODS,
} PltPeriod;

/* What a run has to be to be shown; texts NULL = any. */
typedef struct {
    char **words; /* casefolded; each has to be somewhere in the run's texts */
    char *drive;  /* its model, exactly */
    char *suite;  /* its title, exactly */
    gint64 since_us;
} PltLibraryFilter;

void plt_library_filter_clear(PltLibraryFilter *filter);

/* The words of SEARCH. */
void plt_library_filter_set_search(PltLibraryFilter *filter, const char *search);

/* PERIOD that ends at NOW_US (Unix time), in days of the local time. */
void plt_library_filter_set_period(PltLibraryFilter *filter, PltPeriod period, gint64 now_us);

gboolean plt_library_filter_matches(const PltLibraryFilter *filter, PltRunItem *item);
gboolean plt_library_filter_is_empty(const PltLibraryFilter *filter);
