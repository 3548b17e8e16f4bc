/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/export-format.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "library/export.h"
#include "report/facts.h"
#include "report/language.h"
#include "report/surface.h"

/* Longer names are shortened by file systems and chat programs anyhow. */
#define MAX_NAME 120

/* clang-format off */
static const struct {
    const char *name, *title, *extension, *mime_type;
    char *(*write)(const PltRun *run);
    gboolean samples; /* it wants them loaded */
} formats[PLT_N_EXPORTS] = {
    [PLT_EXPORT_PNG] = { "png", N_("Picture (PNG)"), "png", "image/png", NULL, FALSE },
    [PLT_EXPORT_SVG] = { "svg", N_("Vector picture (SVG)"), "svg", "image/svg+xml", NULL, FALSE },
    [PLT_EXPORT_PDF] = { "pdf", N_("Document (PDF)"), "pdf", "application/pdf", NULL, FALSE },
    [PLT_EXPORT_MARKDOWN] = { "markdown", N_("Table for a review (Markdown)"), "md", "text/markdown",
                              plt_export_markdown, FALSE },
    [PLT_EXPORT_CDM] = { "cdm", N_("CrystalDiskMark text"), "txt", "text/plain", plt_export_cdm_text, FALSE },
    [PLT_EXPORT_CSV] = { "csv", N_("Figures (CSV)"), "csv", "text/csv", plt_export_csv, FALSE },
    [PLT_EXPORT_SAMPLES_CSV] = { "samples-csv", N_("Samples over time (CSV)"), "csv", "text/csv",
                                 plt_export_samples_csv, TRUE },
    [PLT_EXPORT_JSON] = { "json", N_("Everything (JSON)"), "json", "application/json", plt_export_json, TRUE },
};
/* clang-format on */

gboolean plt_export_is_picture(PltExport format)
{
    return formats[format].write == NULL;
}

const char *plt_export_get_name(PltExport format)
{
    return formats[format].name;
}

const char *plt_export_get_title(PltExport format)
{
    return _(formats[format].title);
}

const char *plt_export_get_extension(PltExport format)
{
    return formats[format].extension;
}

const char *plt_export_get_mime_type(PltExport format)
{
    return formats[format].mime_type;
}

PltExport plt_export_from_name(const char *name)
{
    for (guint i = 0; i < PLT_N_EXPORTS; i++) {
        if (g_strcmp0(name, formats[i].name) == 0)
            return (PltExport)i;
    }
    return PLT_EXPORT_PNG;
}

char *plt_export_suggest_name(GPtrArray *runs, PltExport format)
{
    const PltRun *run = runs->pdata[0];
    g_autofree char *drive = plt_facts_drive(run), *name = NULL, *valid = NULL;
    g_autoptr(GDateTime) start = g_date_time_new_from_unix_local_usec(run->started_us);
    g_autofree char *date = start ? g_date_time_format(start, "%Y-%m-%d") : g_strdup("");
    const char *title = run->title && *run->title ? run->title : drive ? drive : "Plateau";
    const char *what = runs->len > 1 ? _("Comparison") : plt_run_suite_title(run->suite_name, run->suite_id);

    name = g_strdup_printf("%s, %s, %s", title, what, date);
    valid = g_utf8_make_valid(name, -1);
    /* What no file system takes, or what would hide the file or lead to another folder. */
    g_strdelimit(valid, "/\\:*?\"<>|\n\r\t", '-');
    if (*valid == '.')
        *valid = '-';
    if (g_utf8_strlen(valid, -1) > MAX_NAME)
        *g_utf8_offset_to_pointer(valid, MAX_NAME) = '\0';
    return g_strdup_printf("%s.%s", valid, formats[format].extension);
}

/* What a task of this file is about. */
struct making {
    PltExport format;
    GPtrArray *runs;
    PltReportOptions options; /* its texts are the three below */
    char *kind, *cell, *language;
    PltPicture *picture;
};

static void free_making(gpointer data)
{
    struct making *making = data;

    g_ptr_array_unref(making->runs);
    g_clear_pointer(&making->picture, plt_picture_free);
    g_free(making->kind);
    g_free(making->cell);
    g_free(making->language);
    g_free(making);
}

/* The first line of CSV is the same for every run. */
static const char *without_heading(const char *text)
{
    const char *end = strchr(text, '\n');

    return end ? end + 1 : text;
}

static char *write_texts(PltExport format, GPtrArray *runs)
{
    gboolean csv = format == PLT_EXPORT_CSV || format == PLT_EXPORT_SAMPLES_CSV;
    gboolean json = format == PLT_EXPORT_JSON && runs->len > 1;
    GString *all = g_string_new(json ? "[\n" : NULL);

    for (guint i = 0; i < runs->len; i++) {
        g_autofree char *text = formats[format].write(runs->pdata[i]);

        if (i > 0 && json)
            g_string_append(all, ",\n");
        else if (i > 0 && !csv)
            g_string_append(all, format == PLT_EXPORT_CDM ? "\r\n" : "\n");
        g_string_append(all, csv && i > 0 ? without_heading(text) : text);
    }
    if (json)
        g_string_append(all, "]\n");
    return g_string_free(all, FALSE);
}

static void write_text(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const struct making *making = data;
    char *text = write_texts(making->format, making->runs);

    g_task_return_pointer(task, g_bytes_new_take(text, strlen(text)), (GDestroyNotify)g_bytes_unref);
}

static void render(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    static const PltReportFormat surfaces[] = {PLT_REPORT_PNG, PLT_REPORT_SVG, PLT_REPORT_PDF};
    const struct making *making = data;
    GError *error = NULL;
    g_autoptr(PltLanguage) language = plt_language_new(making->language, &error);
    g_autofree char *description = NULL;
    struct plt_surface_size size;
    GByteArray *bytes = NULL;

    if (language && plt_surface_size_for(&making->options, &size, &error)) {
        description = plt_report_describe((const PltRun *const *)making->runs->pdata, making->runs->len,
                                          &making->options);
        bytes = plt_surface_render(making->picture, surfaces[making->format], &size, making->options.dark,
                                   plt_language_tag(language), description, &error);
    }
    if (bytes)
        g_task_return_pointer(task, g_byte_array_free_to_bytes(bytes), (GDestroyNotify)g_bytes_unref);
    else
        g_task_return_error(task, error);
}

static void on_drawn(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(GTask) task = data;
    struct making *making = g_task_get_task_data(task);
    GError *error = NULL;

    making->picture = plt_run_store_draw_finish(PLT_RUN_STORE(source), result, &error);
    if (making->picture)
        g_task_run_in_thread(task, render);
    else
        g_task_return_error(task, error);
}

static void on_loaded(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(GTask) task = data;
    struct making *making = g_task_get_task_data(task);
    GError *error = NULL;
    GPtrArray *runs = plt_run_store_load_finish(PLT_RUN_STORE(source), result, &error);

    if (!runs) {
        g_task_return_error(task, error);
        return;
    }
    g_ptr_array_unref(making->runs);
    making->runs = runs;
    g_task_run_in_thread(task, write_text);
}

static GArray *ids_of(GPtrArray *runs)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(gint64));

    for (guint i = 0; i < runs->len; i++)
        g_array_append_val(ids, ((const PltRun *)runs->pdata[i])->id);
    return ids;
}

void plt_export_make_async(PltRunStore *store, GPtrArray *runs, PltExport format,
                           const PltReportOptions *options, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer data)
{
    struct making *making = g_new0(struct making, 1);
    g_autoptr(GTask) task = g_task_new(store, cancellable, callback, data);
    g_autoptr(GArray) ids = ids_of(runs);

    making->format = format;
    making->runs = g_ptr_array_ref(runs);
    making->options = *options;
    making->options.kind = making->kind = g_strdup(options->kind);
    making->options.cell = making->cell = g_strdup(options->cell);
    making->options.language = making->language = g_strdup(options->language);
    g_task_set_task_data(task, making, free_making);
    if (plt_export_is_picture(format))
        plt_run_store_draw_async(store, runs, options, cancellable, on_drawn, g_steal_pointer(&task));
    else if (formats[format].samples)
        plt_run_store_load_async(store, (const gint64 *)ids->data, ids->len, TRUE, cancellable, on_loaded,
                                 g_steal_pointer(&task));
    else
        g_task_run_in_thread(task, write_text);
}

GBytes *plt_export_make_finish(PltRunStore *store, GAsyncResult *result, GError **error)
{
    g_return_val_if_fail(g_task_is_valid(result, store), NULL);
    return g_task_propagate_pointer(G_TASK(result), error);
}
