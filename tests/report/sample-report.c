/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-test"

/* Draws every fixture in the sizes, themes and languages that people look at: sample-report FOLDER [SCALE].
 */

#include "config.h"

#include <stdlib.h>

#include "fixture.h"
#include "report/report.h"

static PltRun *nvme(void)
{
    return plt_fixture_nvme(FALSE);
}

static PltRun *mix(void)
{
    return plt_fixture_nvme(TRUE);
}

static PltRun *rows1(void)
{
    return plt_fixture_rows(1);
}

static PltRun *rows12(void)
{
    return plt_fixture_rows(12);
}

static PltRun *rows16(void)
{
    return plt_fixture_rows(16);
}

static PltRun *timed(void)
{
    PltRun *run = plt_fixture_nvme(FALSE);

    for (guint i = 0; i < run->cells->len; i++)
        plt_fixture_add_samples(run->cells->pdata[i], i == 5 ? 1 : -1);
    return run;
}

static PltRun *timed_one(void)
{
    PltRun *run = plt_fixture_nvme(FALSE);

    plt_fixture_add_samples(run->cells->pdata[5], 1);
    return run;
}

static const struct {
    const char *name;
    PltRun *(*make)(void);
    const char *kind;
} subjects[] = {
    {"card", nvme, "card"},
    {"mix", mix, "card"},
    {"rows1", rows1, "card"},
    {"rows12", rows12, "card"},
    {"rows16", rows16, "card"},
    {"as-ssd", plt_fixture_as_ssd, "card"},
    {"stopped", plt_fixture_stopped, "card"},
    {"failed", plt_fixture_failed, "card"},
    {"long", plt_fixture_long_names, "card"},
    {"bare", plt_fixture_bare, "card"},
    {"time", timed, "time"},
    {"time-one", timed_one, "time"},
    {"blocks", plt_fixture_blocks, "blocksize"},
};

static const struct {
    const char *name;
    int width, height;
} sizes[] = {{"wide", 1200, 675}, {"small", 400, 300}, {"tall", 1080, 1350}};

static gboolean save(const char *folder, guint subject, guint size, gboolean dark, const char *language,
                     double scale)
{
    g_autoptr(PltRun) run = subjects[subject].make();
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_strdup_printf("%s/%s-%s-%s-%s.png", folder, subjects[subject].name,
                                            sizes[size].name, dark ? "dark" : "light", language);
    PltReportOptions options = {
        .width = sizes[size].width,
        .height = sizes[size].height,
        .scale = scale,
        .dark = dark,
        .language = language,
        .kind = subjects[subject].kind,
    };
    const PltRun *runs[] = {run};

    if (plt_report_save(path, PLT_REPORT_PNG, runs, 1, &options, &error))
        return TRUE;
    g_printerr("%s: %s\n", path, error->message);
    return FALSE;
}

int main(int argc, char **argv)
{
    gboolean ok = TRUE;
    double scale = argc > 2 ? g_ascii_strtod(argv[2], NULL) : 1.0;

    if (argc < 2) {
        g_printerr("usage: sample-report FOLDER [SCALE]\n");
        return 2;
    }
    for (guint subject = 0; subject < G_N_ELEMENTS(subjects); subject++) {
        for (guint size = 0; size < G_N_ELEMENTS(sizes); size++) {
            ok = save(argv[1], subject, size, FALSE, "en", scale) && ok;
            ok = save(argv[1], subject, size, TRUE, "ko", scale) && ok;
        }
        ok = save(argv[1], subject, 0, TRUE, "en", scale) && ok;
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
