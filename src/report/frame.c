/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/format.h"
#include "drive/platform.h"
#include "report/build.h"
#include "report/facts.h"

/* The names of the suites that come with the program, as runs keep them: their pictures are translated too.
 */
/* clang-format off */
static const char *const suite_names[] = {
    N_("CrystalDiskMark-style, Default"),
    N_("CrystalDiskMark-style, NVMe SSD"),
    N_("CrystalDiskMark-style, Flash Memory"),
    N_("CrystalDiskMark-style, Peak"),
    N_("CrystalDiskMark-style, Peak, NVMe SSD"),
    N_("CrystalDiskMark-style, Real World"),
    N_("CrystalDiskMark-style, Demo"),
    N_("AS SSD-style"),
    N_("Block-size sweep"),
    N_("Quick look"),
    N_("Fill the drive"),
    N_("Fill the free space"),
    N_("SLC cache after a rest"),
    N_("Read from start to end"),
    N_("Peak IOPS"),
    N_("Sync writes"),
    N_("Low queue depths by read share"),
    N_("Heat under load"),
};

/* The same for rows that a suite names itself. */
static const char *const row_names[] = {
    N_("Access time 4K"),
    N_("Access time 512B"),
    N_("Pass 1"),
    N_("Pass 2"),
    N_("Fill"),
    N_("Linear"),
};

/* How a run that did not go well is marked. */
static const struct {
    const char *word;
    PltTone tone;
} badges[] = {
    [PLT_RUN_RUNNING] = { N_("Running"), PLT_TONE_MUTED },
    [PLT_RUN_STOPPED] = { N_("Stopped"), PLT_TONE_WARNING },
    [PLT_RUN_FAILED] = { N_("Failed"), PLT_TONE_BAD },
    [PLT_RUN_INTERRUPTED] = { N_("Interrupted"), PLT_TONE_WARNING },
};
/* clang-format on */

const char *plt_report_row_name(const char *label, const PltLanguage *language)
{
    for (guint i = 0; i < G_N_ELEMENTS(row_names); i++) {
        if (g_strcmp0(label, row_names[i]) == 0)
            return plt_language_text(language, row_names[i]);
    }
    return label ? label : "";
}

static const char *suite_name(const PltRun *run, const PltLanguage *language)
{
    for (guint i = 0; i < G_N_ELEMENTS(suite_names); i++) {
        if (g_strcmp0(run->suite_name, suite_names[i]) == 0)
            return plt_language_text(language, suite_names[i]);
    }
    return run->suite_name && *run->suite_name ? run->suite_name : run->suite_id;
}

static void add_part(GString *line, const char *part)
{
    if (!part || !*part)
        return;
    if (line->len > 0)
        g_string_append(line, " · ");
    g_string_append(line, part);
}

static char *finish(GString *line)
{
    if (line->len > 0)
        return g_string_free(line, FALSE);
    g_string_free(line, TRUE);
    return NULL;
}

static char *data_text(const PltRun *run, const PltLanguage *language)
{
    const char *data = plt_facts_data(run);

    if (!data)
        return NULL;
    if (g_str_equal(data, "random"))
        return g_strdup(plt_language_text(language, N_("random data")));
    if (g_str_equal(data, "zero"))
        return g_strdup(plt_language_text(language, N_("all-zero data")));
    return plt_language_format(language, N_("compressible data (%s)"), data, NULL);
}

char *plt_report_duration(const PltLanguage *language, double seconds)
{
    PltQuantity quantity = plt_format_duration(seconds);
    char *text = NULL;

    if (!g_str_equal(quantity.unit, "s"))
        return plt_quantity_join(&quantity);
    /* Translators: seconds */
    text = plt_language_format(language, N_("%s s"), quantity.number, NULL);
    plt_quantity_clear(&quantity);
    return text;
}

/* TRUE when every cell takes its best run; FALSE as soon as one takes its median. */
static gboolean scores_best(const PltRun *run)
{
    for (guint i = 0; i < run->cells->len; i++) {
        if (((const PltCell *)run->cells->pdata[i])->score_rule != PLT_SCORE_BEST)
            return FALSE;
    }
    return TRUE;
}

static char *runs_text(const PltRun *run, const PltLanguage *language)
{
    g_autofree char *seconds = NULL, *count = NULL;
    const char *format = NULL;
    guint runs = plt_facts_runs(run);

    if (!(plt_facts_seconds(run) > 0.0) || runs == 0)
        return NULL;
    seconds = plt_report_duration(language, plt_facts_seconds(run));
    if (runs == 1)
        return plt_language_format(language, N_("one run of %s"), seconds, NULL);
    count = g_strdup_printf("%u", runs);
    format = scores_best(run) ? N_("best of %s runs of %s") : N_("median of %s runs of %s");
    return plt_language_format(language, format, count, seconds, NULL);
}

static char *make_subtitle(const PltRun *run, const PltLanguage *language)
{
    GString *line = g_string_new(NULL);
    g_autofree char *runs = runs_text(run, language), *data = data_text(run, language), *size = NULL;

    add_part(line, suite_name(run, language));
    if (plt_facts_size(run) > 0) {
        PltQuantity quantity = plt_format_size(plt_facts_size(run));

        size = plt_quantity_join(&quantity);
        add_part(line, size);
    }
    add_part(line, runs);
    add_part(line, data);
    return finish(line);
}

static void add_notices(PltPicture *picture, const PltRun *run, const PltLanguage *language)
{
    if (run->status != PLT_RUN_COMPLETE && run->status != PLT_RUN_RUNNING && run->status_detail)
        g_ptr_array_add(picture->notices, g_strdup(run->status_detail));
    for (guint i = 0; i < run->warnings->len; i++) {
        const PltWarning *warning = run->warnings->pdata[i];
        const char *format = plt_warning_format(warning->id);

        if (format)
            g_ptr_array_add(
                picture->notices,
                plt_language_format(language, format, warning->detail ? warning->detail : "", NULL));
        else
            g_ptr_array_add(picture->notices,
                            g_strdup_printf("%s%s%s", warning->id, warning->detail ? ": " : "",
                                            warning->detail ? warning->detail : ""));
    }
}

static void set_badge(PltPicture *picture, const PltRun *run, const PltLanguage *language)
{
    if ((guint)run->status >= G_N_ELEMENTS(badges) || !badges[run->status].word)
        return;
    picture->badge = g_strdup(plt_language_text(language, badges[run->status].word));
    picture->badge_tone = badges[run->status].tone;
}

PltPicture *plt_report_frame(const PltRun *run, const PltLanguage *language)
{
    PltPicture *picture = plt_picture_new();
    g_autofree char *drive = plt_facts_drive(run);
    g_autofree char *details = plt_facts_drive_details(run, language);
    g_autofree char *platform = plt_platform_summary(run->platform);
    GString *line = NULL;

    if (run->title && *run->title)
        picture->title = g_strdup(run->title);
    else
        picture->title = g_strdup(drive ? drive : plt_language_text(language, N_("Unknown drive")));
    picture->subtitle = make_subtitle(run, language);
    picture->corner = plt_facts_date(run);
    picture->source = g_strdup(run->program && *run->program ? run->program : "Plateau " PLT_VERSION);
    set_badge(picture, run, language);
    add_notices(picture, run, language);
    line = g_string_new(NULL);
    /* A title of the person's own may say anything; which drive it was must be said all the same. */
    if (run->title && *run->title)
        add_part(line, drive);
    add_part(line, details);
    add_part(line, platform);
    if (line->len > 0)
        g_ptr_array_add(picture->captions, g_strdup(line->str));
    g_string_free(line, TRUE);
    return picture;
}

void plt_report_set_words(PltChart *chart, const PltLanguage *language)
{
    g_free(chart->log_word);
    g_free(chart->cut_word);
    chart->log_word = g_strdup(plt_language_text(language, N_("logarithmic")));
    chart->cut_word = g_strdup(plt_language_text(language, N_("cut off")));
}
