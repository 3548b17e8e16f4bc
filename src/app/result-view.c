/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/result-view.h"

struct _PltResultView {
    AdwNavigationPage parent_instance;
    PltRunStore *store;
    GArray *ids; /* gint64 */
};

G_DEFINE_FINAL_TYPE(PltResultView, plt_result_view, ADW_TYPE_NAVIGATION_PAGE)

static void plt_result_view_dispose(GObject *object)
{
    PltResultView *view = PLT_RESULT_VIEW(object);

    g_clear_object(&view->store);
    g_clear_pointer(&view->ids, g_array_unref);
    G_OBJECT_CLASS(plt_result_view_parent_class)->dispose(object);
}

static void plt_result_view_class_init(PltResultViewClass *klass)
{
    G_OBJECT_CLASS(klass)->dispose = plt_result_view_dispose;
}

static void plt_result_view_init(PltResultView *view)
{
    view->ids = g_array_new(FALSE, FALSE, sizeof(gint64));
}

PltResultView *plt_result_view_new(PltRunStore *store)
{
    PltResultView *view = g_object_new(PLT_TYPE_RESULT_VIEW, NULL);

    view->store = g_object_ref(store);
    return view;
}

void plt_result_view_set_run_id(PltResultView *view, gint64 id)
{
    plt_result_view_set_run_ids(view, &id, 1);
}

void plt_result_view_set_run_ids(PltResultView *view, const gint64 *ids, gsize n_ids)
{
    g_array_set_size(view->ids, 0);
    g_array_append_vals(view->ids, ids, (guint)n_ids);
}
