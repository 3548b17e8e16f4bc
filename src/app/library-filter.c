/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/library-filter.h"

#include <string.h>

void plt_library_filter_clear(PltLibraryFilter *filter)
{
    g_clear_pointer(&filter->words, g_strfreev);
    g_clear_pointer(&filter->drive, g_free);
    g_clear_pointer(&filter->suite, g_free);
    filter->since_us = 0;
}

static char *fold(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
    g_autofree char *normal = g_utf8_normalize(valid, -1, G_NORMALIZE_ALL);

    return g_utf8_casefold(normal, -1);
}

void plt_library_filter_set_search(PltLibraryFilter *filter, const char *search)
{
    g_autofree char *folded = fold(search);
    g_auto(GStrv) words = g_strsplit_set(folded, " \t\n", -1);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();

    for (guint i = 0; words[i]; i++) {
        if (*words[i])
            g_strv_builder_add(builder, words[i]);
    }
    g_strfreev(filter->words);
    filter->words = g_strv_builder_end(builder);
}

void plt_library_filter_set_period(PltLibraryFilter *filter, PltPeriod period, gint64 now_us)
{
    static const int days[PLT_N_PERIODS] = {0, 1, 7, 30, 365};
    g_autoptr(GDateTime) now = g_date_time_new_from_unix_local_usec(now_us);
    g_autoptr(GDateTime) midnight = NULL, since = NULL;

    filter->since_us = 0;
    if (period == PLT_PERIOD_ALL || period >= PLT_N_PERIODS || !now)
        return;
    midnight = g_date_time_new_local(g_date_time_get_year(now), g_date_time_get_month(now),
                                     g_date_time_get_day_of_month(now), 0, 0, 0.0);
    since = g_date_time_add_days(midnight, 1 - days[period]);
    filter->since_us = g_date_time_to_unix_usec(since);
}

static gboolean has_all_words(const PltLibraryFilter *filter, PltRunItem *item)
{
    const PltRunSummary *run = plt_run_item_get_summary(item);
    g_autofree char *joined = NULL, *folded = NULL;

    if (!filter->words || !filter->words[0])
        return TRUE;
    joined = g_strjoin("\n", plt_run_item_get_title(item), run->drive_model ? run->drive_model : "",
                       plt_run_item_get_suite(item), run->suite_id ? run->suite_id : "",
                       run->target_text ? run->target_text : "", run->note ? run->note : "",
                       plt_run_item_get_date(item), plt_run_status_title(run->status), NULL);
    folded = fold(joined);
    for (guint i = 0; filter->words[i]; i++) {
        if (!strstr(folded, filter->words[i]))
            return FALSE;
    }
    return TRUE;
}

gboolean plt_library_filter_matches(const PltLibraryFilter *filter, PltRunItem *item)
{
    const PltRunSummary *run = plt_run_item_get_summary(item);

    if (run->started_us < filter->since_us)
        return FALSE;
    if (filter->drive && g_strcmp0(filter->drive, run->drive_model) != 0)
        return FALSE;
    if (filter->suite && g_strcmp0(filter->suite, plt_run_item_get_suite(item)) != 0)
        return FALSE;
    return has_all_words(filter, item);
}

gboolean plt_library_filter_is_empty(const PltLibraryFilter *filter)
{
    return !filter->drive && !filter->suite && filter->since_us == 0 && (!filter->words || !filter->words[0]);
}
