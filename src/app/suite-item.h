/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "suite/plan.h"

/*
 * A suite as the window shows it: with the settings that a person has given it, which are kept from session
 * to session (GSettings "suite-settings"), and the plan that comes of them.
 *
 * Properties (read-only, notify): "name" s, "description" s, "summary" s ("About 3 min · writes about
 * 41 GB", or why its settings cannot be used), "changed" b (it has settings other than its own), "valid" b.
 */
#define PLT_TYPE_SUITE_ITEM (plt_suite_item_get_type())
G_DECLARE_FINAL_TYPE(PltSuiteItem, plt_suite_item, PLT, SUITE_ITEM, GObject)

/* SETTINGS may be NULL: changes live as long as the item then. */
PltSuiteItem *plt_suite_item_new(PltSuite *suite, GSettings *settings);

PltSuite *plt_suite_item_get_suite(PltSuiteItem *item);
const char *plt_suite_item_get_id(PltSuiteItem *item);
const char *plt_suite_item_get_name(PltSuiteItem *item);
const char *plt_suite_item_get_summary(PltSuiteItem *item);

/* TRUE when its figures are shown as CrystalDiskMark's grid: rows by read, write, mix. */
gboolean plt_suite_item_has_grid(PltSuiteItem *item);

/* The plan of all cells with the settings of now; NULL when they do not go together. */
const PltPlan *plt_suite_item_get_plan(PltSuiteItem *item);

/* Every row of the suite, also those with only mixed cells while they are off. */
const PltPlan *plt_suite_item_get_full_plan(PltSuiteItem *item);

/* A plan to run, of the cells that ONLY names (a row, a cell, an operation; NULL or "" = all). */
PltPlan *plt_suite_item_make_plan(PltSuiteItem *item, const char *only, GError **error);

/* KEY=VALUE as plt_overrides_set takes it; VALUE NULL = the suite's own. Kept when it can be used. */
gboolean plt_suite_item_set(PltSuiteItem *item, const char *key, const char *value, GError **error);
void plt_suite_item_reset(PltSuiteItem *item);

/* What holds now: size in bytes, runs, seconds (0 where the steps have their own), pause, share of reads in a
 * mix (0 = off), data as in files ("random", "zero", "50%"; belongs to ITEM). */
guint64 plt_suite_item_get_size(PltSuiteItem *item);
guint plt_suite_item_get_runs(PltSuiteItem *item);
double plt_suite_item_get_seconds(PltSuiteItem *item);
double plt_suite_item_get_interval(PltSuiteItem *item);
guint plt_suite_item_get_mix(PltSuiteItem *item);
const char *plt_suite_item_get_data(PltSuiteItem *item);

/* TRUE when the suite has mixed cells that can be switched on. */
gboolean plt_suite_item_has_mix(PltSuiteItem *item);
