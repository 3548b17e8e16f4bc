/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/drive.h"

/* One fact about a drive, as a person reads it. */
typedef struct {
    char *title;
    char *value;  /* NULL: not known … */
    char *reason; /* … because of this, one sentence; NULL for a value */
} PltDetail;

typedef struct {
    char *title;
    GPtrArray *details; /* PltDetail */
} PltDetailGroup;

void plt_detail_group_free(PltDetailGroup *group);

/* What is known about DRIVE: GPtrArray of PltDetailGroup without empty ones, in the program's language. */
GPtrArray *plt_details_of_drive(PltDrive *drive);

/* The same as text: "Title: value" a line, a group's title above it. */
char *plt_details_to_text(GPtrArray *groups);
