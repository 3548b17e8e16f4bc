/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "library/run.h"

/* One line of what a run was made with or what happened in it. */
typedef struct {
    char *title;
    char *value;
} PltRunFact;

/* Facts that belong together, with a word or two about all of them. */
typedef struct {
    char *title;
    char *summary; /* "" where there is nothing short to say */
    GPtrArray *facts;
} PltRunFactGroup;

void plt_run_fact_group_free(PltRunFactGroup *group);

/*
 * What is recorded beside the figures: parameters, target, drives, platform and events, as GPtrArray of
 * PltRunFactGroup in the program's language, without empty ones. A member that the program does not know
 * shows under its own name.
 */
GPtrArray *plt_run_facts(const PltRun *run);
