/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/drive-private.h"

struct _PltMount {
    GObject parent_instance;
    PltMountState *state;
};

typedef enum {
    PROP_PATH = 1,
    PROP_POINT,
    PROP_FSTYPE,
    PROP_SOURCE,
    PROP_LAYERS,
    PROP_FREE,
    PROP_SIZE,
    PROP_WRITABLE,
} PltMountProperty;

static GParamSpec *properties[PROP_WRITABLE + 1];

G_DEFINE_FINAL_TYPE(PltMount, plt_mount, G_TYPE_OBJECT)

static void plt_mount_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    const PltMountState *state = PLT_MOUNT(object)->state;

    switch ((PltMountProperty)id) {
    case PROP_PATH:
        g_value_set_string(value, state->path);
        break;
    case PROP_POINT:
        g_value_set_string(value, state->point);
        break;
    case PROP_FSTYPE:
        g_value_set_string(value, state->fstype);
        break;
    case PROP_SOURCE:
        g_value_set_string(value, state->source);
        break;
    case PROP_LAYERS:
        g_value_set_boxed(value, state->layers);
        break;
    case PROP_FREE:
        g_value_set_uint64(value, state->free);
        break;
    case PROP_SIZE:
        g_value_set_uint64(value, state->size);
        break;
    case PROP_WRITABLE:
        g_value_set_boolean(value, state->writable);
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void plt_mount_finalize(GObject *object)
{
    plt_mount_state_free(PLT_MOUNT(object)->state);
    G_OBJECT_CLASS(plt_mount_parent_class)->finalize(object);
}

static void plt_mount_class_init(PltMountClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

    object_class->get_property = plt_mount_get_property;
    object_class->finalize = plt_mount_finalize;
    properties[PROP_PATH] = g_param_spec_string("path", NULL, NULL, NULL, flags);
    properties[PROP_POINT] = g_param_spec_string("point", NULL, NULL, NULL, flags);
    properties[PROP_FSTYPE] = g_param_spec_string("fstype", NULL, NULL, NULL, flags);
    properties[PROP_SOURCE] = g_param_spec_string("source", NULL, NULL, NULL, flags);
    properties[PROP_LAYERS] = g_param_spec_boxed("layers", NULL, NULL, G_TYPE_STRV, flags);
    properties[PROP_FREE] = g_param_spec_uint64("free", NULL, NULL, 0, G_MAXUINT64, 0, flags);
    properties[PROP_SIZE] = g_param_spec_uint64("size", NULL, NULL, 0, G_MAXUINT64, 0, flags);
    properties[PROP_WRITABLE] = g_param_spec_boolean("writable", NULL, NULL, FALSE, flags);
    g_object_class_install_properties(object_class, G_N_ELEMENTS(properties), properties);
}

static void plt_mount_init(PltMount *mount)
{
}

PltMount *plt_mount_new(PltMountState *state)
{
    PltMount *mount = g_object_new(PLT_TYPE_MOUNT, NULL);

    mount->state = state;
    return mount;
}

gboolean plt_mount_update(PltMount *mount, const PltMountState *state)
{
    PltMountState *own = mount->state;

    if (g_strcmp0(own->path, state->path) != 0 || g_strcmp0(own->point, state->point) != 0 ||
        g_strcmp0(own->fstype, state->fstype) != 0 || g_strcmp0(own->source, state->source) != 0 ||
        own->writable != state->writable ||
        !g_strv_equal((const char *const *)own->layers, (const char *const *)state->layers))
        return FALSE;
    if (own->free != state->free) {
        own->free = state->free;
        g_object_notify_by_pspec(G_OBJECT(mount), properties[PROP_FREE]);
    }
    if (own->size != state->size) {
        own->size = state->size;
        g_object_notify_by_pspec(G_OBJECT(mount), properties[PROP_SIZE]);
    }
    return TRUE;
}

const char *plt_mount_get_path(PltMount *mount)
{
    return mount->state->path;
}

const char *plt_mount_get_point(PltMount *mount)
{
    return mount->state->point;
}

const char *plt_mount_get_fstype(PltMount *mount)
{
    return mount->state->fstype;
}

const char *plt_mount_get_source(PltMount *mount)
{
    return mount->state->source;
}

const char *const *plt_mount_get_layers(PltMount *mount)
{
    return (const char *const *)mount->state->layers;
}

guint64 plt_mount_get_free_bytes(PltMount *mount)
{
    return mount->state->free;
}

guint64 plt_mount_get_size_bytes(PltMount *mount)
{
    return mount->state->size;
}

gboolean plt_mount_is_writable(PltMount *mount)
{
    return mount->state->writable;
}
