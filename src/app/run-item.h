/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

#include "library/library.h"

/*
 * A run of the library as a list shows it. Properties, all read-only and notifying: "title" s (the person's
 * name for it, or the drive's), "drive" s, "suite" s (its name in the program's language), "target" s, "date"
 * s (local time), "status" s (one word; "" for a complete run), "figure" s (the headline, "" until known).
 */
#define PLT_TYPE_RUN_ITEM (plt_run_item_get_type())
G_DECLARE_FINAL_TYPE(PltRunItem, plt_run_item, PLT, RUN_ITEM, GObject)

/* Takes SUMMARY. */
PltRunItem *plt_run_item_new(PltRunSummary *summary);

/* Takes SUMMARY, of the same run; TRUE when what is shown or its status differs from before. */
gboolean plt_run_item_update(PltRunItem *item, PltRunSummary *summary);

gint64 plt_run_item_get_id(PltRunItem *item);
const PltRunSummary *plt_run_item_get_summary(PltRunItem *item);
const char *plt_run_item_get_title(PltRunItem *item);
const char *plt_run_item_get_suite(PltRunItem *item);
const char *plt_run_item_get_date(PltRunItem *item);

/* "" while it is not known: the store fills it in when a row asks (plt_run_store_need_figure). */
const char *plt_run_item_get_figure(PltRunItem *item);
gboolean plt_run_item_has_figure(PltRunItem *item);
void plt_run_item_set_figure(PltRunItem *item, const char *figure);

void plt_run_item_set_title(PltRunItem *item, const char *title);
void plt_run_item_set_note(PltRunItem *item, const char *note);

/* "Stopped", "Failed" …; "" for a complete run. In the program's language. */
const char *plt_run_status_title(PltRunStatus status);

/* The name of a suite in the program's language where it is one that comes with the program. */
const char *plt_run_suite_title(const char *suite_name, const char *suite_id);

/* "14 Mar 2026, 15:09" in the way of the program's language; newly allocated. */
char *plt_run_date_text(gint64 started_us);

/* The headline of RUN: its fastest read and write, "7,012 / 6,480 MB/s"; "" when nothing was measured. */
char *plt_run_headline(const PltRun *run);
