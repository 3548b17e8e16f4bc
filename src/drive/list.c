/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/list.h"

#include "drive/drive-private.h"
#include "drive/sensor.h"
#include "drive/watch.h"

/* One plug makes a burst of events, for the drive and each partition, and udev's word comes a little later.
 */
#define SETTLE_MS 200

struct _PltDriveList {
    GObject parent_instance;
    char *root;
    gboolean with_virtual;
    GListStore *drives;
    PltWatch *watch;
    guint settle_source;

    gboolean loading;  /* not yet looked at drives and mounts once */
    gboolean scanning; /* a look is under way … */
    gboolean again;    /* … and something has changed since it began */

    guint watchers;
    guint temperature_source;
    gboolean reading; /* temperatures */
};

typedef enum {
    PROP_LOADING = 1,
    PROP_WITH_VIRTUAL,
} PltDriveListProperty;

static GParamSpec *properties[PROP_WITH_VIRTUAL + 1];

enum {
    SIGNAL_REFRESHED,
    N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void list_model_init(GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE(PltDriveList, plt_drive_list, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

/* What a look needs, for its thread. */
typedef struct {
    char *root;
    gboolean with_virtual;
    GStrv names; /* temperatures: sysfs names */
} Request;

static void request_free(gpointer data)
{
    Request *request = data;

    g_free(request->root);
    g_strfreev(request->names);
    g_free(request);
}

static GType list_get_item_type(GListModel *model)
{
    return PLT_TYPE_DRIVE;
}

static guint list_get_n_items(GListModel *model)
{
    return g_list_model_get_n_items(G_LIST_MODEL(PLT_DRIVE_LIST(model)->drives));
}

static gpointer list_get_item(GListModel *model, guint position)
{
    return g_list_model_get_item(G_LIST_MODEL(PLT_DRIVE_LIST(model)->drives), position);
}

static void list_model_init(GListModelInterface *interface)
{
    interface->get_item_type = list_get_item_type;
    interface->get_n_items = list_get_n_items;
    interface->get_item = list_get_item;
}

static void drives_changed(GListModel *drives, guint position, guint removed, guint added, gpointer user)
{
    g_list_model_items_changed(G_LIST_MODEL(user), position, removed, added);
}

/* Borrowed. */
static PltDrive *drive_at(PltDriveList *list, guint position)
{
    g_autoptr(PltDrive) drive = g_list_model_get_item(G_LIST_MODEL(list->drives), position);

    return drive;
}

static void run_in_thread(PltDriveList *list, GStrv names, GTaskThreadFunc func, GAsyncReadyCallback done)
{
    g_autoptr(GTask) task = g_task_new(list, NULL, done, NULL);
    Request *request = g_new0(Request, 1);

    request->root = g_strdup(list->root);
    request->with_virtual = list->with_virtual;
    request->names = names;
    g_task_set_task_data(task, request, request_free);
    g_task_run_in_thread(task, func);
}

static void scan_drives_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Request *request = data;

    g_task_return_pointer(task, plt_scan_drives(request->root, request->with_virtual),
                          (GDestroyNotify)g_ptr_array_unref);
}

static void scan_mounts_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Request *request = data;

    g_task_return_pointer(task, plt_scan_mounts(request->root), (GDestroyNotify)g_hash_table_unref);
}

static gboolean is_listed(GPtrArray *states, PltDrive *drive)
{
    for (guint i = 0; i < states->len; i++) {
        if (plt_drive_is_same(drive, states->pdata[i]))
            return TRUE;
    }
    return FALSE;
}

/* The drive that STATE is of, with a reference, taken out of the list if it stands after POSITION. */
static PltDrive *take_drive(PltDriveList *list, const PltDriveState *state, guint position)
{
    for (guint i = position; i < g_list_model_get_n_items(G_LIST_MODEL(list->drives)); i++) {
        PltDrive *drive = drive_at(list, i);

        if (!plt_drive_is_same(drive, state))
            continue;
        g_object_ref(drive);
        if (i > position)
            g_list_store_remove(list->drives, i);
        return drive;
    }
    return NULL;
}

/* The list gets the order of STATES; drives that stay keep their objects. */
static void merge(PltDriveList *list, GPtrArray *states)
{
    gsize n_states = 0;
    g_autofree gpointer *stolen = NULL;

    for (guint i = g_list_model_get_n_items(G_LIST_MODEL(list->drives)); i > 0; i--) {
        if (!is_listed(states, drive_at(list, i - 1)))
            g_list_store_remove(list->drives, i - 1);
    }
    stolen = g_ptr_array_steal(states, &n_states);
    for (guint i = 0; i < n_states; i++) {
        PltDriveState *state = stolen[i];
        g_autoptr(PltDrive) drive = take_drive(list, state, i);

        if (drive == NULL)
            drive = plt_drive_new(state);
        else
            plt_drive_update(drive, state);
        if (i >= g_list_model_get_n_items(G_LIST_MODEL(list->drives)) || drive_at(list, i) != drive)
            g_list_store_insert(list->drives, i, drive);
    }
}

static void take_mounts(PltDriveList *list, GHashTable *mounts)
{
    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(list->drives)); i++) {
        PltDrive *drive = drive_at(list, i);

        plt_drive_update_folders(drive, g_hash_table_lookup(mounts, plt_drive_get_sysfs_name(drive)));
    }
}

static void mounts_scanned(GObject *source, GAsyncResult *result, gpointer user)
{
    PltDriveList *list = PLT_DRIVE_LIST(source);
    g_autoptr(GHashTable) mounts = g_task_propagate_pointer(G_TASK(result), NULL);

    take_mounts(list, mounts);
    list->scanning = FALSE;
    if (list->loading) {
        list->loading = FALSE;
        g_object_notify_by_pspec(source, properties[PROP_LOADING]);
    }
    if (list->again)
        plt_drive_list_refresh(list);
    else
        g_signal_emit(list, signals[SIGNAL_REFRESHED], 0);
}

static void drives_scanned(GObject *source, GAsyncResult *result, gpointer user)
{
    PltDriveList *list = PLT_DRIVE_LIST(source);
    g_autoptr(GPtrArray) states = g_task_propagate_pointer(G_TASK(result), NULL);

    merge(list, states);
    run_in_thread(list, NULL, scan_mounts_in_thread, mounts_scanned);
}

void plt_drive_list_refresh(PltDriveList *list)
{
    list->again = list->scanning;
    if (list->scanning)
        return;
    list->scanning = TRUE;
    run_in_thread(list, NULL, scan_drives_in_thread, drives_scanned);
}

static void settled(gpointer user)
{
    PltDriveList *list = user;

    list->settle_source = 0;
    plt_drive_list_refresh(list);
}

static void something_changed(gpointer user)
{
    PltDriveList *list = user;

    if (list->settle_source == 0)
        list->settle_source = g_timeout_add_once(SETTLE_MS, settled, list);
}

static void read_temperatures_in_thread(GTask *task, gpointer source, gpointer data,
                                        GCancellable *cancellable)
{
    const Request *request = data;
    GHashTable *sensors =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);

    for (guint i = 0; request->names[i] != NULL; i++)
        g_hash_table_insert(sensors, g_strdup(request->names[i]),
                            plt_sensors_read(request->root, request->names[i]));
    g_task_return_pointer(task, sensors, (GDestroyNotify)g_hash_table_unref);
}

static void temperatures_read(GObject *source, GAsyncResult *result, gpointer user)
{
    PltDriveList *list = PLT_DRIVE_LIST(source);
    g_autoptr(GHashTable) sensors = g_task_propagate_pointer(G_TASK(result), NULL);

    list->reading = FALSE;
    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(list->drives)); i++) {
        PltDrive *drive = drive_at(list, i);
        GPtrArray *now = g_hash_table_lookup(sensors, plt_drive_get_sysfs_name(drive));

        if (now != NULL)
            plt_drive_update_sensors(drive, g_ptr_array_ref(now));
    }
}

/* Only drives that have a sensor are asked; one that appears later makes an event of its own. */
static gboolean read_temperatures(gpointer user)
{
    PltDriveList *list = user;
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    g_auto(GStrv) found = NULL;

    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(list->drives)); i++) {
        if (plt_drive_get_sensors(drive_at(list, i))->len > 0)
            g_strv_builder_add(names, plt_drive_get_sysfs_name(drive_at(list, i)));
    }
    found = g_strv_builder_end(names);
    if (found[0] != NULL && !list->reading) {
        list->reading = TRUE;
        run_in_thread(list, g_steal_pointer(&found), read_temperatures_in_thread, temperatures_read);
    }
    return G_SOURCE_CONTINUE;
}

void plt_drive_list_watch_temperatures(PltDriveList *list)
{
    if (list->watchers++ > 0)
        return;
    read_temperatures(list);
    list->temperature_source = g_timeout_add_seconds(1, read_temperatures, list);
}

void plt_drive_list_unwatch_temperatures(PltDriveList *list)
{
    g_return_if_fail(list->watchers > 0);

    if (--list->watchers == 0)
        g_clear_handle_id(&list->temperature_source, g_source_remove);
}

static void plt_drive_list_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltDriveList *list = PLT_DRIVE_LIST(object);

    switch ((PltDriveListProperty)id) {
    case PROP_LOADING:
        g_value_set_boolean(value, list->loading);
        break;
    case PROP_WITH_VIRTUAL:
        g_value_set_boolean(value, list->with_virtual);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_drive_list_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    PltDriveList *list = PLT_DRIVE_LIST(object);

    switch ((PltDriveListProperty)id) {
    case PROP_WITH_VIRTUAL:
        if (list->with_virtual == g_value_get_boolean(value))
            return;
        list->with_virtual = g_value_get_boolean(value);
        g_object_notify_by_pspec(object, pspec);
        plt_drive_list_refresh(list);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_drive_list_dispose(GObject *object)
{
    PltDriveList *list = PLT_DRIVE_LIST(object);

    g_clear_pointer(&list->watch, plt_watch_free);
    g_clear_handle_id(&list->settle_source, g_source_remove);
    g_clear_handle_id(&list->temperature_source, g_source_remove);
    G_OBJECT_CLASS(plt_drive_list_parent_class)->dispose(object);
}

static void plt_drive_list_finalize(GObject *object)
{
    PltDriveList *list = PLT_DRIVE_LIST(object);

    g_object_unref(list->drives);
    g_free(list->root);
    G_OBJECT_CLASS(plt_drive_list_parent_class)->finalize(object);
}

static void plt_drive_list_class_init(PltDriveListClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    const GParamFlags flags = G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

    object_class->get_property = plt_drive_list_get_property;
    object_class->set_property = plt_drive_list_set_property;
    object_class->dispose = plt_drive_list_dispose;
    object_class->finalize = plt_drive_list_finalize;
    properties[PROP_LOADING] = g_param_spec_boolean("loading", NULL, NULL, TRUE, flags | G_PARAM_READABLE);
    properties[PROP_WITH_VIRTUAL] =
        g_param_spec_boolean("with-virtual", NULL, NULL, FALSE, flags | G_PARAM_READWRITE);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
    signals[SIGNAL_REFRESHED] = g_signal_new("refreshed", PLT_TYPE_DRIVE_LIST, G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 0);
}

static void plt_drive_list_init(PltDriveList *list)
{
    list->loading = TRUE;
    list->drives = g_list_store_new(PLT_TYPE_DRIVE);
    g_signal_connect_object(list->drives, "items-changed", G_CALLBACK(drives_changed), list, 0);
}

PltDriveList *plt_drive_list_new(const char *root, gboolean with_virtual)
{
    PltDriveList *list = g_object_new(PLT_TYPE_DRIVE_LIST, NULL);

    list->root = g_strdup(root != NULL && !g_str_equal(root, "/") ? root : "");
    list->with_virtual = with_virtual;
    if (list->root[0] == '\0')
        list->watch = plt_watch_new(something_changed, list);
    plt_drive_list_refresh(list);
    return list;
}

PltDrive *plt_drive_list_find(PltDriveList *list, const char *name)
{
    for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(list->drives)); i++) {
        PltDrive *drive = drive_at(list, i);

        if (g_strcmp0(plt_drive_get_name(drive), name) == 0)
            return drive;
    }
    return NULL;
}

gboolean plt_drive_list_is_loading(PltDriveList *list)
{
    return list->loading;
}
