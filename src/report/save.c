/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-report"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "report/build.h"
#include "report/surface.h"

gboolean plt_report_format_for_path(const char *path, PltReportFormat *format)
{
    static const struct {
        const char *ending;
        PltReportFormat format;
    } endings[] = {{".png", PLT_REPORT_PNG}, {".svg", PLT_REPORT_SVG}, {".pdf", PLT_REPORT_PDF}};
    gsize length = strlen(path);

    for (guint i = 0; i < G_N_ELEMENTS(endings); i++) {
        gsize n = strlen(endings[i].ending);

        if (length > n && path[length - n - 1] != G_DIR_SEPARATOR &&
            g_ascii_strcasecmp(path + length - n, endings[i].ending) == 0) {
            *format = endings[i].format;
            return TRUE;
        }
    }
    return FALSE;
}

static PltError code_for(const GError *error)
{
    switch (error->code) {
    case G_FILE_ERROR_NOSPC:
        return PLT_ERROR_NO_SPACE;
    case G_FILE_ERROR_ACCES:
    case G_FILE_ERROR_PERM:
        return PLT_ERROR_PERMISSION;
    case G_FILE_ERROR_ROFS:
        return PLT_ERROR_READ_ONLY;
    case G_FILE_ERROR_NOENT:
    case G_FILE_ERROR_NOTDIR:
    case G_FILE_ERROR_ISDIR:
        return PLT_ERROR_USAGE;
    default:
        return PLT_ERROR_FAILED;
    }
}

static gboolean write_file(const char *path, const GByteArray *bytes, GError **error)
{
    g_autoptr(GError) local = NULL;

    /* What stands at PATH may be replaced only if it is a file: a rename over a device node would destroy it.
     */
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_USAGE,
                    _("“%s” is not a file: choose another name for the picture."), path);
        return FALSE;
    }
    if (g_file_set_contents_full(path, (const char *)bytes->data, bytes->len, G_FILE_SET_CONTENTS_CONSISTENT,
                                 0666, &local))
        return TRUE;
    g_set_error(error, PLT_ERROR, code_for(local), _("The picture could not be saved: %s"), local->message);
    return FALSE;
}

gboolean plt_report_save(const char *path, PltReportFormat format, const PltRun *const *runs, gsize n_runs,
                         const PltReportOptions *options, GError **error)
{
    g_autoptr(PltLanguage) language = NULL;
    g_autoptr(PltPicture) picture = NULL;
    g_autoptr(GByteArray) bytes = NULL;
    g_autofree char *description = NULL;
    struct plt_surface_size size;

    picture = plt_report_prepare(runs, n_runs, options, &size, &language, error);
    if (!picture)
        return FALSE;
    description = plt_report_describe(runs, n_runs, options);
    bytes = plt_surface_render(picture, format, &size, options->dark, plt_language_tag(language), description,
                               error);
    return bytes && write_file(path, bytes, error);
}
