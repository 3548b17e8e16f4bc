/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/inquiry.h"

/*
 * What an inquiry found out, as a person reads it in the program's language: groups of facts and tables, in
 * the order of a report. The command line prints them and the window shows them. What is not known is not
 * among them: why that is stands once for all in plt_drive_facts_missing.
 */
typedef struct {
    char *title, *value;
} PltFact;

typedef struct {
    const char *id; /* "drive", "link", "formats", …: stable */
    char *title;
    char *source;      /* "sysfs", "direct", "udisks", "smartctl": where it comes from, or came from … */
    gboolean replayed; /* … when this is out of a recording */
    GPtrArray *facts;  /* PltFact */
    char *align;     /* of the table, a letter a column: 'l', 'r', 'f' (flexible); NULL where there is none */
    GPtrArray *rows; /* GStrv; the first is the heading */
    GPtrArray *notes; /* char *: sentences, what a reader must know */
} PltFactGroup;

void plt_fact_group_free(PltFactGroup *group);

/* GPtrArray of PltFactGroup, none of them empty. Asks whatever it needs. */
GPtrArray *plt_drive_facts_of(PltInquiry *inquiry);

/* Things of one reason. */
typedef struct {
    char *reason; /* a sentence without its full stop */
    char *titles; /* "error log, firmware slots" */
} PltMissing;

void plt_missing_free(PltMissing *missing);

/* GPtrArray of PltMissing: what this drive might have and what stands in the way. */
GPtrArray *plt_drive_facts_missing(PltInquiry *inquiry);

/* Everything with the standards' own names and raw values: "plateau.drive/1", see docs/drive-report.md. */
JsonNode *plt_drive_facts_to_json(PltInquiry *inquiry);
