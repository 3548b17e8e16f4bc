/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/export-dialog.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "app/cell-list.h"
#include "app/export-copy.h"
#include "app/export-save.h"
#include "report/language.h"

/* A preview is drawn at most this wide. */
#define PREVIEW_WIDTH 1200.0

/* More text than anybody reads in a preview makes it slow. */
#define PREVIEW_TEXT 20000

static const struct {
    int width, height;
} sizes[] = {{1200, 675}, {1080, 1350}, {1920, 1080}, {1080, 1080}};

/* Where text runs from right to left, "1200 × 675" would become "675 × 1200" without its isolates. */
#define LTR(text) "\u2066" text "\u2069"

#define CUSTOM G_N_ELEMENTS(sizes)

static const double scales[] = {1.0, 2.0, 3.0, 4.0};

/* Language tags for PltReportOptions, after the program's own. */
static const char *const languages[] = {"", "en", "ko"};

struct kind {
    const char *id; /* of PltReportOptions; NULL = what the suite asks for */
    const char *title;
    gboolean cells; /* a cell is chosen */
};

static const struct kind kinds_of_one[] = {
    {NULL, N_("As the suite shows it"), FALSE},
    {"card", N_("Table of speeds"), FALSE},
    {"time", N_("Over time"), TRUE},
};
static const struct kind kinds_of_several[] = {
    {"ranking", N_("Ranking"), TRUE},
    {"overlay", N_("Over time"), TRUE},
};

struct _PltExportDialog {
    AdwDialog parent_instance;
    GtkWidget *copy_button, *save_button, *picture_group, *spinner;
    GtkStack *preview;
    GtkPicture *picture;
    GtkTextView *text;
    AdwStatusPage *message;
    AdwComboRow *format_row, *kind_row, *cell_row, *size_row, *scale_row, *theme_row, *language_row;
    AdwSpinRow *width_row, *height_row;

    PltRunStore *store;
    GPtrArray *runs;
    GSettings *settings;
    GPtrArray *cell_ids; /* char *, of the entries of cell_row; NULL = all */
    GCancellable *making;
    guint idle; /* a new preview is due */
    gboolean restoring;
};

G_DEFINE_FINAL_TYPE(PltExportDialog, plt_export_dialog, ADW_TYPE_DIALOG)

static PltExport chosen_format(PltExportDialog *dialog)
{
    guint selected = adw_combo_row_get_selected(dialog->format_row);

    return selected < PLT_N_EXPORTS ? (PltExport)selected : PLT_EXPORT_PNG;
}

static const struct kind *chosen_kind(PltExportDialog *dialog)
{
    guint selected = adw_combo_row_get_selected(dialog->kind_row);

    if (dialog->runs->len > 1)
        return &kinds_of_several[MIN(selected, (guint)G_N_ELEMENTS(kinds_of_several) - 1)];
    return &kinds_of_one[MIN(selected, (guint)G_N_ELEMENTS(kinds_of_one) - 1)];
}

static const char *chosen_cell(PltExportDialog *dialog)
{
    guint selected = adw_combo_row_get_selected(dialog->cell_row);

    return chosen_kind(dialog)->cells && selected < dialog->cell_ids->len ? dialog->cell_ids->pdata[selected]
                                                                          : NULL;
}

static PltReportOptions chosen_options(PltExportDialog *dialog)
{
    guint scale = adw_combo_row_get_selected(dialog->scale_row);
    guint language = adw_combo_row_get_selected(dialog->language_row);

    return (PltReportOptions){
        .width = (int)adw_spin_row_get_value(dialog->width_row),
        .height = (int)adw_spin_row_get_value(dialog->height_row),
        .scale = scales[MIN(scale, (guint)G_N_ELEMENTS(scales) - 1)],
        .dark = adw_combo_row_get_selected(dialog->theme_row) == 1,
        .language = language > 0 && language < G_N_ELEMENTS(languages) ? languages[language] : NULL,
        .kind = chosen_kind(dialog)->id,
        .cell = chosen_cell(dialog),
    };
}

static void show_message(PltExportDialog *dialog, const char *icon, const char *title, const char *text)
{
    g_autofree char *escaped = g_markup_escape_text(text, -1);

    adw_status_page_set_icon_name(dialog->message, icon);
    adw_status_page_set_title(dialog->message, title);
    adw_status_page_set_description(dialog->message, escaped);
    gtk_stack_set_visible_child_name(dialog->preview, "message");
}

static GdkTexture *draw_texture(const PltPicture *picture, const PltReportOptions *options)
{
    g_autoptr(PltLanguage) language = plt_language_new(options->language, NULL);
    double scale =
        MIN(1.0, PREVIEW_WIDTH / options->width) * (options->width <= PREVIEW_WIDTH / 2.0 ? 2.0 : 1.0);
    int width = MAX(1, (int)(options->width * scale)), height = MAX(1, (int)(options->height * scale));
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    cairo_t *cr = cairo_create(surface);
    g_autoptr(GBytes) bytes = NULL;
    gsize stride = (gsize)cairo_image_surface_get_stride(surface);

    cairo_scale(cr, scale, scale);
    plt_picture_draw(picture, cr, options->width, options->height, options->dark,
                     language ? plt_language_tag(language) : NULL, NULL);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    bytes = g_bytes_new_with_free_func(cairo_image_surface_get_data(surface), stride * (gsize)height,
                                       (GDestroyNotify)cairo_surface_destroy, surface);
    return gdk_memory_texture_new(width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}

static void set_ready(PltExportDialog *dialog, gboolean ready)
{
    gtk_widget_set_visible(dialog->spinner, FALSE);
    gtk_widget_set_sensitive(dialog->copy_button, ready);
    gtk_widget_set_sensitive(dialog->save_button, ready);
}

static void on_preview_drawn(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(PltExportDialog) dialog = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(PltPicture) picture = plt_run_store_draw_finish(PLT_RUN_STORE(source), result, &error);
    g_autoptr(GdkTexture) texture = NULL;
    g_autofree char *description = NULL;
    PltReportOptions options;

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    set_ready(dialog, picture != NULL);
    if (!picture) {
        show_message(dialog, "image-missing-symbolic", _("No Such Picture"), error->message);
        return;
    }
    options = chosen_options(dialog);
    texture = draw_texture(picture, &options);
    description =
        plt_report_describe((const PltRun *const *)dialog->runs->pdata, dialog->runs->len, &options);
    gtk_picture_set_paintable(dialog->picture, GDK_PAINTABLE(texture));
    gtk_picture_set_alternative_text(dialog->picture, description);
    gtk_stack_set_visible_child_name(dialog->preview, "picture");
}

static void on_preview_made(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(PltExportDialog) dialog = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = plt_export_make_finish(PLT_RUN_STORE(source), result, &error);
    g_autofree char *text = NULL;
    gsize size = 0;

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    set_ready(dialog, bytes != NULL);
    if (!bytes) {
        show_message(dialog, "dialog-error-symbolic", _("No Preview"), error->message);
        return;
    }
    text = g_strndup(g_bytes_get_data(bytes, &size), MIN(g_bytes_get_size(bytes), PREVIEW_TEXT));
    if (g_bytes_get_size(bytes) > PREVIEW_TEXT) {
        g_autofree char *valid = g_utf8_make_valid(text, -1);

        g_free(text);
        text = g_strconcat(valid, "…", NULL);
    }
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(dialog->text), text, -1);
    gtk_stack_set_visible_child_name(dialog->preview, "text");
}

static gboolean make_preview(gpointer data)
{
    PltExportDialog *dialog = data;
    PltExport format = chosen_format(dialog);
    PltReportOptions options = chosen_options(dialog);

    dialog->idle = 0;
    g_cancellable_cancel(dialog->making);
    g_set_object(&dialog->making, NULL);
    dialog->making = g_cancellable_new();
    if (format == PLT_EXPORT_JSON || format == PLT_EXPORT_SAMPLES_CSV) {
        set_ready(dialog, TRUE);
        show_message(dialog, "text-x-generic-symbolic", _("Large File"),
                     _("This format holds every sample of the run, so there is no preview."));
        return G_SOURCE_REMOVE;
    }
    gtk_widget_set_visible(dialog->spinner, TRUE);
    if (plt_export_is_picture(format))
        plt_run_store_draw_async(dialog->store, dialog->runs, &options, dialog->making, on_preview_drawn,
                                 g_object_ref(dialog));
    else
        plt_export_make_async(dialog->store, dialog->runs, format, &options, dialog->making, on_preview_made,
                              g_object_ref(dialog));
    return G_SOURCE_REMOVE;
}

static void queue_preview(PltExportDialog *dialog)
{
    if (dialog->idle == 0)
        dialog->idle = g_idle_add(make_preview, dialog);
}

/* Rows that do not count for what is chosen are not there. */
static void update_rows(PltExportDialog *dialog)
{
    gboolean custom = adw_combo_row_get_selected(dialog->size_row) >= CUSTOM;
    PltExport format = chosen_format(dialog);

    gtk_widget_set_visible(dialog->picture_group, plt_export_is_picture(format));
    gtk_widget_set_visible(GTK_WIDGET(dialog->cell_row),
                           chosen_kind(dialog)->cells && dialog->cell_ids->len > 1);
    gtk_widget_set_visible(GTK_WIDGET(dialog->width_row), custom);
    gtk_widget_set_visible(GTK_WIDGET(dialog->height_row), custom);
    gtk_widget_set_visible(GTK_WIDGET(dialog->scale_row), format == PLT_EXPORT_PNG);
    gtk_button_set_label(GTK_BUTTON(dialog->copy_button),
                         plt_export_is_picture(format) ? _("_Copy Picture") : _("_Copy Text"));
}

static void remember(PltExportDialog *dialog)
{
    PltReportOptions options = chosen_options(dialog);
    GSettings *settings = dialog->settings;

    if (!settings)
        return;
    g_settings_set_string(settings, "export-format", plt_export_get_name(chosen_format(dialog)));
    g_settings_set_int(settings, "export-width", options.width);
    g_settings_set_int(settings, "export-height", options.height);
    g_settings_set_double(settings, "export-scale", options.scale);
    g_settings_set_boolean(settings, "export-dark", options.dark);
    g_settings_set_string(settings, "export-language", options.language ? options.language : "");
}

static void changed(PltExportDialog *dialog)
{
    if (dialog->restoring || !dialog->store)
        return;
    update_rows(dialog);
    remember(dialog);
    queue_preview(dialog);
}

static void on_format_changed(PltExportDialog *dialog)
{
    changed(dialog);
}

static void on_choice_changed(PltExportDialog *dialog)
{
    changed(dialog);
}

static void on_size_changed(PltExportDialog *dialog)
{
    guint selected = adw_combo_row_get_selected(dialog->size_row);
    gboolean restoring = dialog->restoring;

    if (selected < CUSTOM && !restoring) {
        dialog->restoring = TRUE;
        adw_spin_row_set_value(dialog->width_row, sizes[selected].width);
        adw_spin_row_set_value(dialog->height_row, sizes[selected].height);
        dialog->restoring = FALSE;
    }
    changed(dialog);
}

static void on_copy(PltExportDialog *dialog)
{
    GtkWidget *inside = GTK_WIDGET(dialog->preview);
    PltExport format = chosen_format(dialog);
    PltReportOptions options = chosen_options(dialog);

    if (plt_export_is_picture(format))
        plt_export_copy_picture_with(inside, dialog->store, dialog->runs, &options);
    else
        plt_export_copy_text(inside, dialog->store, dialog->runs, format);
}

static void on_save(PltExportDialog *dialog)
{
    PltReportOptions options = chosen_options(dialog);

    plt_export_save(GTK_WIDGET(dialog->preview), dialog->store, dialog->runs, chosen_format(dialog),
                    &options);
}

static void set_strings(AdwComboRow *row, GtkStringList *strings)
{
    adw_combo_row_set_model(row, G_LIST_MODEL(strings));
    g_object_unref(strings);
}

static void fill_formats(PltExportDialog *dialog)
{
    GtkStringList *strings = gtk_string_list_new(NULL);

    for (guint i = 0; i < PLT_N_EXPORTS; i++)
        gtk_string_list_append(strings, plt_export_get_title((PltExport)i));
    set_strings(dialog->format_row, strings);
}

static void fill_kinds(PltExportDialog *dialog)
{
    gboolean several = dialog->runs->len > 1;
    const struct kind *kinds = several ? kinds_of_several : kinds_of_one;
    GtkStringList *strings = gtk_string_list_new(NULL);

    for (guint i = 0; i < (several ? G_N_ELEMENTS(kinds_of_several) : G_N_ELEMENTS(kinds_of_one)); i++)
        gtk_string_list_append(strings, _(kinds[i].title));
    set_strings(dialog->kind_row, strings);
}

static void fill_cells(PltExportDialog *dialog)
{
    g_clear_pointer(&dialog->cell_ids, g_ptr_array_unref);
    set_strings(dialog->cell_row,
                plt_cell_list_new(dialog->runs, FALSE, dialog->runs->len == 1, &dialog->cell_ids));
}

static void fill_sizes(PltExportDialog *dialog)
{
    GtkStringList *strings = gtk_string_list_new(NULL);
    GtkStringList *factors = gtk_string_list_new(NULL);
    const char *names[] = {_("Program’s language"), "English", "한국어", NULL};

    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *name = g_strdup_printf(LTR("%d × %d"), sizes[i].width, sizes[i].height);

        gtk_string_list_append(strings, name);
    }
    gtk_string_list_append(strings, _("Custom"));
    set_strings(dialog->size_row, strings);
    for (guint i = 0; i < G_N_ELEMENTS(scales); i++) {
        g_autofree char *name = g_strdup_printf(LTR("%g×"), scales[i]);

        gtk_string_list_append(factors, name);
    }
    set_strings(dialog->scale_row, factors);
    set_strings(dialog->language_row, gtk_string_list_new(names));
}

static void restore(PltExportDialog *dialog)
{
    PltReportOptions options = plt_export_options(dialog->settings, dialog->runs->len);
    g_autofree char *format =
        dialog->settings ? g_settings_get_string(dialog->settings, "export-format") : NULL;
    guint size = CUSTOM, scale = 1, language = 0;

    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if (sizes[i].width == options.width && sizes[i].height == options.height)
            size = i;
    }
    for (guint i = 0; i < G_N_ELEMENTS(scales); i++) {
        if (scales[i] == options.scale)
            scale = i;
    }
    for (guint i = 0; i < G_N_ELEMENTS(languages); i++) {
        if (options.language && g_str_equal(options.language, languages[i]))
            language = i;
    }
    adw_combo_row_set_selected(dialog->format_row, plt_export_from_name(format));
    adw_combo_row_set_selected(dialog->size_row, size);
    adw_spin_row_set_value(dialog->width_row, options.width);
    adw_spin_row_set_value(dialog->height_row, options.height);
    adw_combo_row_set_selected(dialog->scale_row, scale);
    adw_combo_row_set_selected(dialog->theme_row, options.dark ? 1 : 0);
    adw_combo_row_set_selected(dialog->language_row, language);
}

static void plt_export_dialog_dispose(GObject *object)
{
    PltExportDialog *dialog = PLT_EXPORT_DIALOG(object);

    if (dialog->making)
        g_cancellable_cancel(dialog->making);
    g_clear_object(&dialog->making);
    g_clear_handle_id(&dialog->idle, g_source_remove);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_EXPORT_DIALOG);
    g_clear_object(&dialog->store);
    g_clear_object(&dialog->settings);
    g_clear_pointer(&dialog->runs, g_ptr_array_unref);
    g_clear_pointer(&dialog->cell_ids, g_ptr_array_unref);
    G_OBJECT_CLASS(plt_export_dialog_parent_class)->dispose(object);
}

static void bind_children(GtkWidgetClass *klass)
{
    gtk_widget_class_bind_template_child(klass, PltExportDialog, copy_button);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, save_button);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, picture_group);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, spinner);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, preview);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, picture);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, text);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, message);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, format_row);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, kind_row);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, cell_row);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, size_row);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, scale_row);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, theme_row);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, language_row);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, width_row);
    gtk_widget_class_bind_template_child(klass, PltExportDialog, height_row);
}

static void plt_export_dialog_class_init(PltExportDialogClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = plt_export_dialog_dispose;
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/export-dialog.ui");
    bind_children(widget_class);
    gtk_widget_class_bind_template_callback(widget_class, on_copy);
    gtk_widget_class_bind_template_callback(widget_class, on_save);
    gtk_widget_class_bind_template_callback(widget_class, on_format_changed);
    gtk_widget_class_bind_template_callback(widget_class, on_choice_changed);
    gtk_widget_class_bind_template_callback(widget_class, on_size_changed);
}

static void plt_export_dialog_init(PltExportDialog *dialog)
{
    dialog->restoring = TRUE;
    dialog->cell_ids = g_ptr_array_new_with_free_func(g_free);
    gtk_widget_init_template(GTK_WIDGET(dialog));
}

PltExportDialog *plt_export_dialog_new(PltRunStore *store, GPtrArray *runs, GSettings *settings)
{
    PltExportDialog *dialog = NULL;

    g_return_val_if_fail(PLT_IS_RUN_STORE(store) && runs->len > 0, NULL);
    dialog = g_object_new(PLT_TYPE_EXPORT_DIALOG, NULL);
    dialog->store = g_object_ref(store);
    dialog->runs = g_ptr_array_ref(runs);
    g_set_object(&dialog->settings, settings);
    fill_formats(dialog);
    fill_kinds(dialog);
    fill_cells(dialog);
    fill_sizes(dialog);
    restore(dialog);
    dialog->restoring = FALSE;
    update_rows(dialog);
    queue_preview(dialog);
    return dialog;
}
