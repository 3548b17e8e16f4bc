/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"
#include "report/language.h"

/*
 * What the documents of a run say, read with care: a document of an older or newer version may lack anything,
 * and one that was imported may hold anything. NULL, 0 or NAN where it says nothing.
 */

/* The names of the drives underneath: "WD_BLACK SN850X 4000GB", "2 × …", or two joined by " + ". */
char *plt_facts_drive(const PltRun *run);

/* "620361WD · 4 TB · PCIe 4.0 x4 · ext4": firmware, capacity and link of a single drive, file system. */
char *plt_facts_drive_details(const PltRun *run, const PltLanguage *language);

/* Bytes of the test file, seconds of a measured window, its number of scored runs, share of reads in a mix.
 */
guint64 plt_facts_size(const PltRun *run);
double plt_facts_seconds(const PltRun *run);
guint plt_facts_runs(const PltRun *run);
guint plt_facts_mix(const PltRun *run);

/* "random", "zero", "60%" as the run's parameters have it; belongs to RUN. */
const char *plt_facts_data(const PltRun *run);

/* "2026-03-14 15:09", local time; the same in every language. */
char *plt_facts_date(const PltRun *run);
