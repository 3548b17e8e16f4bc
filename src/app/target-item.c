/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-app"

#include "config.h"

#include "app/target-item.h"

struct _PltTargetItem {
    GObject parent_instance;
    char *path, *title, *detail;
};

enum {
    PROP_PATH = 1,
    PROP_TITLE,
    PROP_DETAIL,
    N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE(PltTargetItem, plt_target_item, G_TYPE_OBJECT)

static void plt_target_item_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    PltTargetItem *item = PLT_TARGET_ITEM(object);

    switch (id) {
    case PROP_PATH:
        g_value_set_string(value, item->path);
        break;
    case PROP_TITLE:
        g_value_set_string(value, item->title);
        break;
    case PROP_DETAIL:
        g_value_set_string(value, item->detail);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_target_item_finalize(GObject *object)
{
    PltTargetItem *item = PLT_TARGET_ITEM(object);

    g_free(item->path);
    g_free(item->title);
    g_free(item->detail);
    G_OBJECT_CLASS(plt_target_item_parent_class)->finalize(object);
}

static void plt_target_item_class_init(PltTargetItemClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

    object_class->get_property = plt_target_item_get_property;
    object_class->finalize = plt_target_item_finalize;
    properties[PROP_PATH] = g_param_spec_string("path", NULL, NULL, NULL, flags);
    properties[PROP_TITLE] = g_param_spec_string("title", NULL, NULL, NULL, flags);
    properties[PROP_DETAIL] = g_param_spec_string("detail", NULL, NULL, NULL, flags);
    g_object_class_install_properties(object_class, N_PROPS, properties);
}

static void plt_target_item_init(PltTargetItem *item)
{
}

PltTargetItem *plt_target_item_new(const char *path, const char *title, const char *detail)
{
    PltTargetItem *item = g_object_new(PLT_TYPE_TARGET_ITEM, NULL);

    item->path = g_strdup(path);
    item->title = g_strdup(title);
    item->detail = g_strdup(detail != NULL ? detail : "");
    return item;
}

const char *plt_target_item_get_path(PltTargetItem *item)
{
    return item->path;
}
