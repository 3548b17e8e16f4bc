/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/error.h"
#include "engine/workload.h"
#include "library/run.h"

/* A suite file, parsed: docs/suites.md is the format. Immutable. */
typedef struct plt_suite PltSuite;

/* Parses one file. An error names the file, the line, and what is allowed. */
PltSuite *plt_suite_load(const char *path, GError **error);
PltSuite *plt_suite_parse(const char *data, gssize length, const char *name_for_errors, GError **error);
PltSuite *plt_suite_ref(PltSuite *suite);
void plt_suite_unref(PltSuite *suite);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PltSuite, plt_suite_unref)

const char *plt_suite_id(const PltSuite *suite);
guint plt_suite_version(const PltSuite *suite);
const char *plt_suite_name(const PltSuite *suite); /* in the program's language */
const char *
plt_suite_original_name(const PltSuite *suite); /* what a run keeps: pictures translate it themselves */
const char *plt_suite_description(const PltSuite *suite); /* one sentence */
const char *plt_suite_group(const PltSuite *suite);       /* "quick", "fill", "client", "steady", "tools" */
const char *plt_suite_chart(const PltSuite *suite);       /* the report it asks for */
gboolean plt_suite_erases(const PltSuite *suite);         /* needs a whole drive */

/*
 * All suites that can be had, shipped and the person's own ($XDG_DATA_HOME/plateau/suites), by group and
 * place: GPtrArray of PltSuite. A file that does not parse is left out and its error added to ERRORS
 * (GPtrArray of char *, may be NULL). A person's own suite with a shipped id replaces it. PLATEAU_SUITES_DIR
 * overrides where the shipped ones are.
 */
GPtrArray *plt_suite_list(GPtrArray *errors);
PltSuite *plt_suite_find(const char *id, GError **error);
