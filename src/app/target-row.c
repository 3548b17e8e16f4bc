/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/target-row.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "app/run-words.h"
#include "app/target-item.h"
#include "drive/folder.h"

struct _PltTargetRow {
    AdwBin parent_instance;
    GtkDropDown *drop_down;
    GtkLabel *error_label;

    PltDrive *drive;
    GListModel *mounts; /* the drive's */
    GListStore *items;  /* PltTargetItem: mounts, then the folder that was chosen beside them */
    char *other;        /* that folder; NULL = none */
    char *path;         /* what is selected */
    char *error;        /* why it cannot be measured */
    guint64 size;       /* of the test file; 0 = not known yet */
    guint32 block;
    GCancellable *checks; /* of the last path */
    gboolean filling;     /* the list is made anew: selections are not the person's */
};

enum {
    PROP_DRIVE = 1,
    PROP_PATH,
    PROP_ERROR,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltTargetRow, plt_target_row, ADW_TYPE_BIN)

void plt_target_row_set_error(PltTargetRow *row, const char *message)
{
    gtk_widget_set_visible(GTK_WIDGET(row->error_label), message != NULL);
    if (g_strcmp0(row->error, message) == 0)
        return;
    g_free(row->error);
    row->error = g_strdup(message);
    gtk_label_set_label(row->error_label, message != NULL ? message : "");
    gtk_accessible_update_state(GTK_ACCESSIBLE(row->drop_down), GTK_ACCESSIBLE_STATE_INVALID,
                                message != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE,
                                -1);
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_ERROR]);
}

/* What a check needs, away from the widget. */
typedef struct {
    char *path;
    char *drive_name;  /* NULL: a folder of the drive's own list, whose drive needs no check */
    GPtrArray *points; /* char *: where file systems of the drive are mounted */
    guint64 size;      /* of the test file; 0 = not known */
    guint32 block;
} Check;

static void check_free(gpointer data)
{
    Check *check = data;

    g_free(check->path);
    g_free(check->drive_name);
    g_ptr_array_unref(check->points);
    g_free(check);
}

/* On the very file system that is mounted at one of POINTS. */
static gboolean is_at_point(const Check *check)
{
    GStatBuf folder, point;

    if (g_stat(check->path, &folder) != 0)
        return FALSE;
    for (guint i = 0; i < check->points->len; i++)
        if (g_stat(check->points->pdata[i], &point) == 0 && point.st_dev == folder.st_dev)
            return TRUE;
    return FALSE;
}

/*
 * What is underneath a folder is the last drive of a pile: for a loop device, the one that holds its file. So
 * the file system counts first. A drive that cannot be told is taken as it is: the person knows.
 */
static gboolean is_on_drive(const Check *check, PltFolder *folder)
{
    g_auto(GStrv) drives = plt_folder_drives(folder);

    return check->drive_name == NULL || drives == NULL || drives[0] == NULL || is_at_point(check) ||
           g_strv_contains((const char *const *)drives, check->drive_name);
}

static void check_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Check *check = data;
    GError *error = NULL;
    g_autoptr(PltFolder) folder = plt_folder_open(check->path, FALSE, &error);

    if (folder == NULL) {
        g_task_return_error(task, error);
    } else if (!is_on_drive(check, folder)) {
        g_autofree char *shown = g_filename_display_name(check->path);
        g_auto(GStrv) names = plt_folder_drives(folder);
        g_autofree char *drives = g_strjoinv(", ", names);

        g_task_return_new_error(
            task, PLT_ERROR, PLT_ERROR_REFUSED,
            _("“%s” lies on another drive (%s): choose that drive in the list of drives, or "
              "another folder"),
            shown, drives);
    } else if (check->size > 0 && !plt_folder_check_size(folder, check->size, check->block, &error)) {
        g_task_return_error(task, error);
    } else {
        g_task_return_boolean(task, TRUE);
    }
}

static void on_checked(GObject *source, GAsyncResult *result, gpointer user)
{
    PltTargetRow *row = PLT_TARGET_ROW(source);
    g_autoptr(GError) error = NULL;

    if (!g_task_propagate_boolean(G_TASK(result), &error) &&
        g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    plt_target_row_set_error(row, error != NULL ? error->message : NULL);
}

static GPtrArray *mount_points(PltTargetRow *row)
{
    GPtrArray *points = g_ptr_array_new_with_free_func(g_free);
    guint n = row->mounts != NULL ? g_list_model_get_n_items(row->mounts) : 0;

    for (guint i = 0; i < n; i++) {
        g_autoptr(PltMount) mount = g_list_model_get_item(row->mounts, i);

        g_ptr_array_add(points, g_strdup(plt_mount_get_point(mount)));
    }
    return points;
}

/* Folders can be slow to answer: a thread asks. */
static void check_path(PltTargetRow *row)
{
    g_autoptr(GTask) task = NULL;
    Check *check;

    g_cancellable_cancel(row->checks);
    g_set_object(&row->checks, NULL);
    if (row->path == NULL)
        return;
    row->checks = g_cancellable_new();
    check = g_new0(Check, 1);
    check->path = g_strdup(row->path);
    check->points = mount_points(row);
    check->size = row->size;
    check->block = row->block;
    if (row->drive != NULL && g_strcmp0(row->path, row->other) == 0)
        check->drive_name = g_strdup(plt_drive_get_name(row->drive));
    task = g_task_new(row, row->checks, on_checked, NULL);
    g_task_set_task_data(task, check, check_free);
    g_task_run_in_thread(task, check_in_thread);
}

void plt_target_row_set_need(PltTargetRow *row, guint64 size, guint32 block)
{
    if (row->size == size && row->block == block)
        return;
    row->size = size;
    row->block = block;
    check_path(row);
}

static void set_path(PltTargetRow *row, const char *path)
{
    if (g_strcmp0(row->path, path) == 0)
        return;
    g_free(row->path);
    row->path = g_strdup(path);
    plt_target_row_set_error(row, NULL);
    check_path(row);
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_PATH]);
}

static void on_selected(PltTargetRow *row)
{
    PltTargetItem *item = gtk_drop_down_get_selected_item(row->drop_down);

    if (!row->filling)
        set_path(row, item != NULL ? plt_target_item_get_path(item) : NULL);
}

static PltTargetItem *item_for_mount(PltMount *mount)
{
    g_autofree char *shown = g_filename_display_name(plt_mount_get_path(mount));
    g_autofree char *free_text = plt_words_bytes(plt_mount_get_free_bytes(mount));
    g_autofree char *size_text = plt_words_bytes(plt_mount_get_size_bytes(mount));
    /* Translators: a folder and how much space is free there. */
    g_autofree char *title = g_strdup_printf(_("%s · %s free"), shown, free_text);
    /* Translators: a file system and its size. */
    g_autofree char *detail = g_strdup_printf(_("%s, %s"), plt_mount_get_fstype(mount), size_text);

    return plt_target_item_new(plt_mount_get_path(mount), title, detail);
}

static guint find_path(PltTargetRow *row, const char *path)
{
    guint n = g_list_model_get_n_items(G_LIST_MODEL(row->items));

    for (guint i = 0; i < n; i++) {
        g_autoptr(PltTargetItem) item = g_list_model_get_item(G_LIST_MODEL(row->items), i);

        if (g_strcmp0(plt_target_item_get_path(item), path) == 0)
            return i;
    }
    return GTK_INVALID_LIST_POSITION;
}

/* What was selected stays so, as long as it is there. */
static void fill(PltTargetRow *row)
{
    guint n = row->mounts != NULL ? g_list_model_get_n_items(row->mounts) : 0;
    guint selected;

    row->filling = TRUE;
    g_list_store_remove_all(row->items);
    for (guint i = 0; i < n; i++) {
        g_autoptr(PltMount) mount = g_list_model_get_item(row->mounts, i);
        g_autoptr(PltTargetItem) item = NULL;

        if (!plt_mount_is_writable(mount))
            continue;
        item = item_for_mount(mount);
        g_list_store_append(row->items, item);
    }
    if (row->other != NULL && find_path(row, row->other) == GTK_INVALID_LIST_POSITION) {
        g_autofree char *shown = g_filename_display_name(row->other);
        g_autoptr(PltTargetItem) item = plt_target_item_new(row->other, shown, NULL);

        g_list_store_append(row->items, item);
    }
    selected = find_path(row, row->path);
    if (selected == GTK_INVALID_LIST_POSITION && g_list_model_get_n_items(G_LIST_MODEL(row->items)) > 0)
        selected = 0;
    gtk_drop_down_set_selected(row->drop_down, selected);
    row->filling = FALSE;
    on_selected(row);
}

static void on_folder_chosen(GObject *source, GAsyncResult *result, gpointer user)
{
    g_autoptr(PltTargetRow) row = user;
    g_autoptr(GError) error = NULL;
    g_autoptr(GFile) file = gtk_file_dialog_select_folder_finish(GTK_FILE_DIALOG(source), result, &error);

    if (file == NULL) {
        if (!g_error_matches(error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_DISMISSED) &&
            !g_error_matches(error, GTK_DIALOG_ERROR, GTK_DIALOG_ERROR_CANCELLED))
            plt_target_row_set_error(row, error->message);
        return;
    }
    if (g_file_peek_path(file) == NULL) {
        plt_target_row_set_error(row,
                                 _("This folder is not on a drive of this computer: choose another one"));
        return;
    }
    g_free(row->other);
    row->other = g_strdup(g_file_peek_path(file));
    /* The choice stands even where it is what was there: its check is made anew. */
    g_clear_pointer(&row->path, g_free);
    row->path = g_strdup(row->other);
    fill(row);
    plt_target_row_set_error(row, NULL);
    check_path(row);
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_PATH]);
}

void plt_target_row_choose_folder(PltTargetRow *row)
{
    g_autoptr(GtkFileDialog) dialog = gtk_file_dialog_new();
    GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(row));

    gtk_file_dialog_set_title(dialog, _("Choose a Folder to Measure"));
    if (row->path != NULL) {
        g_autoptr(GFile) folder = g_file_new_for_path(row->path);

        gtk_file_dialog_set_initial_folder(dialog, folder);
    }
    gtk_file_dialog_select_folder(dialog, GTK_IS_WINDOW(root) ? GTK_WINDOW(root) : NULL, NULL,
                                  on_folder_chosen, g_object_ref(row));
}

static void choose_clicked(PltTargetRow *row)
{
    plt_target_row_choose_folder(row);
}

static gboolean has_text(GObject *item, const char *text)
{
    return text != NULL && *text != '\0';
}

void plt_target_row_set_drive(PltTargetRow *row, PltDrive *drive)
{
    GListModel *mounts = drive != NULL ? plt_drive_get_folders(drive) : NULL;

    if (row->drive == drive)
        return;
    if (row->mounts != NULL)
        g_signal_handlers_disconnect_by_data(row->mounts, row);
    g_clear_pointer(&row->other, g_free);
    g_set_object(&row->drive, drive);
    g_set_object(&row->mounts, mounts);
    if (row->mounts != NULL)
        g_signal_connect_object(row->mounts, "items-changed", G_CALLBACK(fill), row, G_CONNECT_SWAPPED);
    fill(row);
    g_object_notify_by_pspec(G_OBJECT(row), properties[PROP_DRIVE]);
}

const char *plt_target_row_get_path(PltTargetRow *row)
{
    return row->path;
}

const char *plt_target_row_get_error(PltTargetRow *row)
{
    return row->error;
}

static void plt_target_row_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltTargetRow *row = PLT_TARGET_ROW(object);

    switch (id) {
    case PROP_DRIVE:
        g_value_set_object(value, row->drive);
        break;
    case PROP_PATH:
        g_value_set_string(value, row->path);
        break;
    case PROP_ERROR:
        g_value_set_string(value, row->error);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_target_row_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    if (id == PROP_DRIVE)
        plt_target_row_set_drive(PLT_TARGET_ROW(object), g_value_get_object(value));
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
}

static void plt_target_row_dispose(GObject *object)
{
    PltTargetRow *row = PLT_TARGET_ROW(object);

    g_cancellable_cancel(row->checks);
    g_clear_object(&row->checks);
    if (row->mounts != NULL)
        g_signal_handlers_disconnect_by_data(row->mounts, row);
    g_clear_object(&row->mounts);
    g_clear_object(&row->drive);
    gtk_widget_dispose_template(GTK_WIDGET(object), PLT_TYPE_TARGET_ROW);
    G_OBJECT_CLASS(plt_target_row_parent_class)->dispose(object);
}

static void plt_target_row_finalize(GObject *object)
{
    PltTargetRow *row = PLT_TARGET_ROW(object);

    g_clear_object(&row->items);
    g_free(row->other);
    g_free(row->path);
    g_free(row->error);
    G_OBJECT_CLASS(plt_target_row_parent_class)->finalize(object);
}

static void plt_target_row_class_init(PltTargetRowClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    object_class->get_property = plt_target_row_get_property;
    object_class->set_property = plt_target_row_set_property;
    object_class->dispose = plt_target_row_dispose;
    object_class->finalize = plt_target_row_finalize;
    properties[PROP_DRIVE] =
        g_param_spec_object("drive", NULL, NULL, PLT_TYPE_DRIVE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    properties[PROP_PATH] =
        g_param_spec_string("path", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    properties[PROP_ERROR] =
        g_param_spec_string("error", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPS, properties);
    g_type_ensure(PLT_TYPE_TARGET_ITEM);
    gtk_widget_class_set_template_from_resource(widget_class,
                                                "/io/github/plateau_bench/Plateau/target-row.ui");
    gtk_widget_class_bind_template_child(widget_class, PltTargetRow, drop_down);
    gtk_widget_class_bind_template_child(widget_class, PltTargetRow, error_label);
    gtk_widget_class_bind_template_callback(widget_class, choose_clicked);
    gtk_widget_class_bind_template_callback(widget_class, has_text);
}

static void plt_target_row_init(PltTargetRow *row)
{
    gtk_widget_init_template(GTK_WIDGET(row));
    row->items = g_list_store_new(PLT_TYPE_TARGET_ITEM);
    gtk_drop_down_set_model(row->drop_down, G_LIST_MODEL(row->items));
    g_signal_connect_object(row->drop_down, "notify::selected", G_CALLBACK(on_selected), row,
                            G_CONNECT_SWAPPED);
}
