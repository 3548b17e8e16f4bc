/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"

/* The analysis of a run as people read it: tables that every text format shows in its own way. */
typedef struct {
    char *title; /* "SLC cache and what comes after it" */
    guint n_columns;
    GPtrArray *cells; /* char *, row by row; the first row has the titles of the columns */
    GPtrArray *notes; /* char *: whole sentences below it */
} PltExportTable;

/* GPtrArray of PltExportTable; empty for a run without an analysis. */
GPtrArray *plt_export_analysis(const PltRun *run);

/* "1.20 TB", "50.0 GB", "512 MB": decimal, three digits; "–" for NAN. */
char *plt_export_bytes(double bytes);
