/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"

/* The run as a `plateau.run/1` document (docs/run-format.md). Samples are included where they are loaded. */
JsonNode *plt_export_json_node(const PltRun *run);
char *plt_export_json(const PltRun *run); /* pretty-printed, ends with a line feed */

/* One line per cell run and per operation, RFC 4180, header first, English, "." as decimal point. */
char *plt_export_csv(const PltRun *run);

/* The samples that are loaded: one line per tick. */
char *plt_export_samples_csv(const PltRun *run);

/*
 * The analysis (library/analyse.h), one figure a line: "fill.0.cache.bytes,1200000000000". Only the header
 * when there is none.
 */
char *plt_export_analysis_csv(const PltRun *run);

/* A table for a review, GitHub flavour. */
char *plt_export_markdown(const PltRun *run);

/* CrystalDiskMark 9's text layout with CRLF, and Plateau's own lines after "OS:" (peers.md 1.5). */
char *plt_export_cdm_text(const PltRun *run);

/* The table that a terminal shows after a run: aligned, at most 100 columns, no colours. */
char *plt_export_terminal(const PltRun *run);
