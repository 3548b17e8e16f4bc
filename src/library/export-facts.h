/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"

/* What stands under a table: one line about each thing that a reader of the figures needs. */
typedef struct {
    char *label; /* "Drive" */
    char *text;
} PltExportFact;

/* GPtrArray of PltExportFact, without those that are not known. */
GPtrArray *plt_export_facts(const PltRun *run);

/* "Samsung SSD 990 PRO 2TB (firmware 4B2QJXD7), 2.0 TB"; NULL when no model is known. */
char *plt_export_drive(const PltRun *run);

/* The name in the language of the program; "" for a run without. */
const char *plt_export_suite_name(const PltRun *run);

/* "CrystalDiskMark-style, NVMe SSD (cdm-nvme, version 1)". */
char *plt_export_suite(const PltRun *run);

/* "1 GiB, 3 runs of 5 s, 5 s apart, random data"; NULL when the parameters say none of it. */
char *plt_export_parameters(const PltRun *run);

/* A number in the run's parameters, NAN when it is not there. */
double plt_export_parameter(const PltRun *run, const char *name);

/* SECONDS with a decimal only where one is needed: "5", "2.5". */
char *plt_export_seconds(double seconds);

/* The words for how the run ended: "stopped: …"; NULL for a complete one. */
char *plt_export_status(const PltRun *run);
