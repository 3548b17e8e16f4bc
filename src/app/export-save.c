/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/export-save.h"

#include <glib/gi18n-lib.h>

#include "app/export-copy.h"

/* An export from the question for a file to the word that it is written. */
struct saving {
    GtkWidget *widget;
    PltRunStore *store;
    GPtrArray *runs;
    PltExport format;
    PltReportOptions options; /* its texts are the three below */
    char *kind, *cell, *language;
    GFile *file;
};

/* Ends SAVING and says TEXT, if there is something to say. */
static void finish(struct saving *saving, const char *text)
{
    if (text)
        plt_export_toast(saving->widget, text);
    g_object_unref(saving->widget);
    g_object_unref(saving->store);
    g_ptr_array_unref(saving->runs);
    g_clear_object(&saving->file);
    g_free(saving->kind);
    g_free(saving->cell);
    g_free(saving->language);
    g_free(saving);
}

static void finish_file(struct saving *saving, const GError *error)
{
    g_autofree char *name = g_file_get_basename(saving->file), *text = NULL;
    g_autofree char *shown = g_filename_display_name(name);

    text = error ? g_strdup_printf(_("“%s” was not saved: %s"), shown, error->message)
                 : g_strdup_printf(_("Saved as “%s”"), shown);
    finish(saving, text);
}

static void on_written(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(GError) error = NULL;

    g_file_replace_contents_finish(G_FILE(source), result, NULL, &error);
    finish_file(data, error);
}

static void on_made(GObject *source, GAsyncResult *result, gpointer data)
{
    struct saving *saving = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = plt_export_make_finish(PLT_RUN_STORE(source), result, &error);

    if (bytes)
        g_file_replace_contents_bytes_async(saving->file, bytes, NULL, FALSE,
                                            G_FILE_CREATE_REPLACE_DESTINATION, NULL, on_written, saving);
    else
        finish_file(saving, error);
}

static void on_file_chosen(GObject *source, GAsyncResult *result, gpointer data)
{
    struct saving *saving = data;
    g_autoptr(GError) error = NULL;

    saving->file = gtk_file_dialog_save_finish(GTK_FILE_DIALOG(source), result, &error);
    if (saving->file)
        plt_export_make_async(saving->store, saving->runs, saving->format, &saving->options, NULL, on_made,
                              saving);
    else if (g_error_matches(error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED) ||
             g_error_matches(error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_CANCELLED))
        finish(saving, NULL);
    else
        finish(saving, error->message);
}

static GtkFileDialog *make_chooser(GPtrArray *runs, PltExport format)
{
    GtkFileDialog *chooser = gtk_file_dialog_new();
    g_autoptr(GListStore) filters = g_list_store_new(GTK_TYPE_FILE_FILTER);
    g_autoptr(GtkFileFilter) filter = gtk_file_filter_new();
    g_autofree char *name = plt_export_suggest_name(runs, format);

    gtk_file_filter_add_suffix(filter, plt_export_get_extension(format));
    gtk_file_filter_set_name(filter, plt_export_get_title(format));
    g_list_store_append(filters, filter);
    gtk_file_dialog_set_title(chooser, _("Export"));
    gtk_file_dialog_set_initial_name(chooser, name);
    gtk_file_dialog_set_filters(chooser, G_LIST_MODEL(filters));
    return chooser;
}

void plt_export_save(GtkWidget *widget, PltRunStore *store, GPtrArray *runs, PltExport format,
                     const PltReportOptions *options)
{
    struct saving *saving = g_new0(struct saving, 1);
    g_autoptr(GtkFileDialog) chooser = make_chooser(runs, format);
    GtkRoot *root = gtk_widget_get_root(widget);

    saving->widget = g_object_ref(widget);
    saving->store = g_object_ref(store);
    saving->runs = g_ptr_array_ref(runs);
    saving->format = format;
    saving->options = *options;
    saving->options.kind = saving->kind = g_strdup(options->kind);
    saving->options.cell = saving->cell = g_strdup(options->cell);
    saving->options.language = saving->language = g_strdup(options->language);
    gtk_file_dialog_save(chooser, GTK_IS_WINDOW(root) ? GTK_WINDOW(root) : NULL, NULL, on_file_chosen,
                         saving);
}
