/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/run-store.h"

#include <glib/gi18n-lib.h>

#include "app/library-worker.h"
#include "app/store-work.h"

struct _PltRunStore {
    GObject parent_instance;
    PltLibraryWorker *worker;
    char *path, *error;
    GPtrArray *items;  /* PltRunItem: the list as it is seen */
    GHashTable *known; /* id -> PltRunItem, also of hidden runs */
    GHashTable *gone;  /* ids that are hidden or being deleted */
    GArray *hidden;    /* gint64: hidden and not yet deleted */
    guint ticket;      /* of the last hiding */
    gboolean loading, reading, read_again;
};

typedef enum {
    PROP_LOADING = 1,
    PROP_ERROR,
} RunStoreProperty;

static GParamSpec *properties[PROP_ERROR + 1];

enum { FAILED, N_SIGNALS };

static guint signals[N_SIGNALS];

static void list_model_init(GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE(PltRunStore, plt_run_store, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static GType get_item_type(GListModel *model)
{
    return PLT_TYPE_RUN_ITEM;
}

static guint get_n_items(GListModel *model)
{
    return PLT_RUN_STORE(model)->items->len;
}

static gpointer get_item(GListModel *model, guint position)
{
    PltRunStore *store = PLT_RUN_STORE(model);

    return position < store->items->len ? g_object_ref(store->items->pdata[position]) : NULL;
}

static void list_model_init(GListModelInterface *iface)
{
    iface->get_item_type = get_item_type;
    iface->get_n_items = get_n_items;
    iface->get_item = get_item;
}

static gint64 *copy_id(gint64 id)
{
    return g_memdup2(&id, sizeof id);
}

/* Shows ITEMS (taken) instead of what was there: only the stretch that differs is announced as changed. */
static void replace_items(PltRunStore *store, GPtrArray *items)
{
    g_autoptr(GPtrArray) old = store->items;
    guint head = 0, tail = 0;

    store->items = items;
    while (head < MIN(old->len, items->len) && old->pdata[head] == items->pdata[head])
        head++;
    while (tail < MIN(old->len, items->len) - head &&
           old->pdata[old->len - 1 - tail] == items->pdata[items->len - 1 - tail])
        tail++;
    if (head + tail < MAX(old->len, items->len))
        g_list_model_items_changed(G_LIST_MODEL(store), head, old->len - head - tail,
                                   items->len - head - tail);
}

static int compare_items(gconstpointer a, gconstpointer b, gpointer nothing)
{
    const PltRunSummary *left = plt_run_item_get_summary(*(PltRunItem *const *)a);
    const PltRunSummary *right = plt_run_item_get_summary(*(PltRunItem *const *)b);

    if (left->started_us != right->started_us)
        return left->started_us > right->started_us ? -1 : 1;
    return left->id > right->id ? -1 : left->id < right->id;
}

/* Makes the list anew from what is known and not gone. */
static void show_known(PltRunStore *store)
{
    GPtrArray *items = g_ptr_array_new_with_free_func(g_object_unref);
    GHashTableIter iter;
    gpointer id, item;

    g_hash_table_iter_init(&iter, store->known);
    while (g_hash_table_iter_next(&iter, &id, &item)) {
        if (!g_hash_table_contains(store->gone, id))
            g_ptr_array_add(items, g_object_ref(item));
    }
    g_ptr_array_sort_with_data(items, compare_items, NULL);
    replace_items(store, items);
}

/* Takes over what the library listed: an item that is known stays the same object. */
static void take_list(PltRunStore *store, GPtrArray *summaries)
{
    g_autoptr(GHashTable) old = g_steal_pointer(&store->known);

    store->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_object_unref);
    g_ptr_array_set_free_func(summaries, NULL);
    for (guint i = 0; i < summaries->len; i++) {
        PltRunSummary *summary = summaries->pdata[i];
        PltRunItem *item = g_hash_table_lookup(old, &summary->id);
        gint64 *id = copy_id(summary->id);

        if (item)
            plt_run_item_update(g_object_ref(item), summary);
        else
            item = plt_run_item_new(summary);
        g_hash_table_insert(store->known, id, item);
    }
    show_known(store);
}

static void set_state(PltRunStore *store, gboolean loading, const char *error)
{
    if (store->loading != loading) {
        store->loading = loading;
        g_object_notify_by_pspec(G_OBJECT(store), properties[PROP_LOADING]);
    }
    if (g_set_str(&store->error, error))
        g_object_notify_by_pspec(G_OBJECT(store), properties[PROP_ERROR]);
}

static void on_listed(GObject *source, GAsyncResult *result, gpointer data)
{
    PltRunStore *store = PLT_RUN_STORE(source);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) list = g_task_propagate_pointer(G_TASK(result), &error);

    store->reading = FALSE;
    if (list)
        take_list(store, list);
    set_state(store, FALSE, error ? error->message : NULL);
    if (store->read_again)
        plt_run_store_refresh(store);
}

void plt_run_store_refresh(PltRunStore *store)
{
    g_return_if_fail(PLT_IS_RUN_STORE(store));
    store->read_again = store->reading;
    if (store->reading)
        return;
    store->reading = TRUE;
    plt_library_worker_push(store->worker, g_task_new(store, NULL, on_listed, NULL), plt_store_list);
}

static void plt_run_store_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltRunStore *store = PLT_RUN_STORE(object);

    switch ((RunStoreProperty)id) {
    case PROP_LOADING:
        g_value_set_boolean(value, store->loading);
        break;
    case PROP_ERROR:
        g_value_set_string(value, store->error);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_run_store_finalize(GObject *object)
{
    PltRunStore *store = PLT_RUN_STORE(object);

    g_clear_pointer(&store->worker, plt_library_worker_free);
    g_ptr_array_unref(store->items);
    g_hash_table_unref(store->known);
    g_hash_table_unref(store->gone);
    g_array_unref(store->hidden);
    g_free(store->path);
    g_free(store->error);
    G_OBJECT_CLASS(plt_run_store_parent_class)->finalize(object);
}

static void plt_run_store_class_init(PltRunStoreClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);

    object_class->get_property = plt_run_store_get_property;
    object_class->finalize = plt_run_store_finalize;
    properties[PROP_LOADING] =
        g_param_spec_boolean("loading", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    properties[PROP_ERROR] =
        g_param_spec_string("error", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
    signals[FAILED] = g_signal_new("failed", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void plt_run_store_init(PltRunStore *store)
{
    store->items = g_ptr_array_new_with_free_func(g_object_unref);
    store->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_object_unref);
    store->gone = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    store->hidden = g_array_new(FALSE, FALSE, sizeof(gint64));
    store->loading = TRUE;
}

PltRunStore *plt_run_store_new(const char *path)
{
    PltRunStore *store = g_object_new(PLT_TYPE_RUN_STORE, NULL);

    store->path = path ? g_strdup(path) : plt_library_default_path();
    store->worker = plt_library_worker_new(store->path);
    plt_run_store_refresh(store);
    return store;
}

gboolean plt_run_store_is_loading(PltRunStore *store)
{
    g_return_val_if_fail(PLT_IS_RUN_STORE(store), FALSE);
    return store->loading;
}

const char *plt_run_store_get_error(PltRunStore *store)
{
    g_return_val_if_fail(PLT_IS_RUN_STORE(store), NULL);
    return store->error;
}

const char *plt_run_store_get_path(PltRunStore *store)
{
    g_return_val_if_fail(PLT_IS_RUN_STORE(store), NULL);
    return store->path;
}

gboolean plt_run_store_is_read_only(PltRunStore *store)
{
    g_return_val_if_fail(PLT_IS_RUN_STORE(store), FALSE);
    return plt_library_worker_is_read_only(store->worker);
}

PltRunItem *plt_run_store_find(PltRunStore *store, gint64 id)
{
    g_return_val_if_fail(PLT_IS_RUN_STORE(store), NULL);
    return g_hash_table_contains(store->gone, &id) ? NULL : g_hash_table_lookup(store->known, &id);
}

static void on_headline(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(PltRunItem) item = data;
    g_autofree char *figure = g_task_propagate_pointer(G_TASK(result), NULL);

    /* A run that cannot be read has no headline; opening it says why. */
    plt_run_item_set_figure(item, figure ? figure : "");
}

void plt_run_store_need_figure(PltRunStore *store, PltRunItem *item)
{
    gint64 id = plt_run_item_get_id(item);

    g_return_if_fail(PLT_IS_RUN_STORE(store) && PLT_IS_RUN_ITEM(item));
    if (plt_run_item_has_figure(item))
        return;
    /* Empty and known: it is asked for once. */
    plt_run_item_set_figure(item, "");
    plt_library_worker_push(store->worker,
                            plt_store_task_new(store, &id, 1, NULL, on_headline, g_object_ref(item)),
                            plt_store_headline);
}

static void on_written(GObject *source, GAsyncResult *result, gpointer data)
{
    g_autoptr(GError) error = NULL;

    if (!g_task_propagate_boolean(G_TASK(result), &error))
        g_signal_emit(source, signals[FAILED], 0, error->message);
    plt_run_store_refresh(PLT_RUN_STORE(source));
}

static void push_text(PltRunStore *store, gint64 id, const char *text,
                      gboolean (*set)(PltLibrary *, gint64, const char *, GError **))
{
    GTask *task = plt_store_task_new(store, &id, 1, NULL, on_written, NULL);
    PltStoreRequest *request = plt_store_task_get(task);

    request->text = g_strdup(text);
    request->set = set;
    plt_library_worker_push(store->worker, task, plt_store_write);
}

void plt_run_store_set_title(PltRunStore *store, gint64 id, const char *title)
{
    PltRunItem *item = plt_run_store_find(store, id);

    /* Written first: who reads the run again when its name notifies gets the new one. */
    push_text(store, id, title, plt_library_set_title);
    if (item)
        plt_run_item_set_title(item, title);
}

void plt_run_store_set_note(PltRunStore *store, gint64 id, const char *note)
{
    PltRunItem *item = plt_run_store_find(store, id);

    if (item)
        plt_run_item_set_note(item, note);
    push_text(store, id, note, plt_library_set_note);
}

static void on_deleted(GObject *source, GAsyncResult *result, gpointer data)
{
    PltRunStore *store = PLT_RUN_STORE(source);
    const PltStoreRequest *request = plt_store_task_get(G_TASK(result));

    for (gsize i = 0; i < request->n_ids; i++) {
        g_hash_table_remove(store->known, &request->ids[i]);
        g_hash_table_remove(store->gone, &request->ids[i]);
    }
    on_written(source, result, data);
}

guint plt_run_store_hide(PltRunStore *store, const gint64 *ids, gsize n_ids)
{
    g_return_val_if_fail(PLT_IS_RUN_STORE(store), 0);
    plt_run_store_commit(store);
    for (gsize i = 0; i < n_ids; i++)
        g_hash_table_add(store->gone, copy_id(ids[i]));
    g_array_append_vals(store->hidden, ids, (guint)n_ids);
    show_known(store);
    return ++store->ticket;
}

void plt_run_store_expire(PltRunStore *store, guint ticket)
{
    g_return_if_fail(PLT_IS_RUN_STORE(store));
    if (ticket == store->ticket)
        plt_run_store_commit(store);
}

void plt_run_store_unhide(PltRunStore *store, guint ticket)
{
    g_return_if_fail(PLT_IS_RUN_STORE(store));
    if (ticket != store->ticket)
        return;
    for (guint i = 0; i < store->hidden->len; i++)
        g_hash_table_remove(store->gone, &g_array_index(store->hidden, gint64, i));
    g_array_set_size(store->hidden, 0);
    show_known(store);
}

void plt_run_store_commit(PltRunStore *store)
{
    g_return_if_fail(PLT_IS_RUN_STORE(store));
    if (store->hidden->len == 0)
        return;
    plt_library_worker_push(store->worker,
                            plt_store_task_new(store, (const gint64 *)store->hidden->data, store->hidden->len,
                                               NULL, on_deleted, NULL),
                            plt_store_delete);
    g_array_set_size(store->hidden, 0);
}

void plt_run_store_flush(PltRunStore *store)
{
    g_return_if_fail(PLT_IS_RUN_STORE(store));
    plt_run_store_commit(store);
    plt_library_worker_wait(store->worker);
}

void plt_run_store_load_async(PltRunStore *store, const gint64 *ids, gsize n_ids, gboolean with_samples,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
    GTask *task = NULL;

    g_return_if_fail(PLT_IS_RUN_STORE(store) && n_ids > 0);
    task = plt_store_task_new(store, ids, n_ids, cancellable, callback, data);
    plt_store_task_get(task)->with_samples = with_samples;
    plt_library_worker_push(store->worker, task, plt_store_load);
}

GPtrArray *plt_run_store_load_finish(PltRunStore *store, GAsyncResult *result, GError **error)
{
    g_return_val_if_fail(g_task_is_valid(result, store), NULL);
    return g_task_propagate_pointer(G_TASK(result), error);
}

void plt_run_store_draw_async(PltRunStore *store, GPtrArray *runs, const PltReportOptions *options,
                              GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
    GTask *task = NULL;
    PltStoreRequest *request = NULL;

    g_return_if_fail(PLT_IS_RUN_STORE(store) && runs->len > 0);
    task = plt_store_task_new(store, NULL, 0, cancellable, callback, data);
    request = plt_store_task_get(task);
    request->runs = g_ptr_array_ref(runs);
    request->options = *options;
    request->options.kind = request->kind = g_strdup(options->kind);
    request->options.cell = request->cell = g_strdup(options->cell);
    request->options.language = request->language = g_strdup(options->language);
    plt_library_worker_push(store->worker, task, plt_store_draw);
}

PltPicture *plt_run_store_draw_finish(PltRunStore *store, GAsyncResult *result, GError **error)
{
    g_return_val_if_fail(g_task_is_valid(result, store), NULL);
    return g_task_propagate_pointer(G_TASK(result), error);
}
