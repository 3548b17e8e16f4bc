/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/stack-tree.h"

#include "drive/device.h"
#include "drive/stack-private.h"
#include "drive/sysfs.h"

/* Deeper than any real stack; a damaged tree of sysfs ends here. */
#define MAX_DEPTH 24

static void add_text(JsonObject *object, const char *member, const char *text)
{
    if (text != NULL)
        json_object_set_string_member(object, member, text);
}

static JsonArray *mounts_to_json(const PltGuardDevice *device)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; i < device->mounts->len; i++) {
        g_autofree char *point = g_utf8_make_valid(g_ptr_array_index(device->mounts, i), -1);

        json_array_add_string_element(array, point);
    }
    return array;
}

/* PARENT is the one that DEVICE was found by; the kernel names all that it holds. */
static gboolean stands_on(const char *root, const PltGuardDevice *device, const PltGuardDevice *below)
{
    return g_strcmp0(device->parent, below->name) == 0 ||
           plt_sysfs_exists(root, "/sys/class/block/%s/holders/%s", below->name, device->name);
}

static JsonObject *device_to_json(const char *root, const PltGuardFacts *facts, const PltGuardDevice *device,
                                  guint depth)
{
    JsonObject *object = json_object_new();
    JsonArray *children = json_array_new();
    g_autofree char *name = plt_device_display_name(device->name);
    g_autofree char *kind = plt_stack_kind(root, device->name);
    g_autofree char *map = plt_sysfs_read(root, "/sys/class/block/%s/dm/name", device->name);

    json_object_set_string_member(object, "name", name);
    add_text(object, "map", map);
    json_object_set_string_member(object, "kind", kind);
    json_object_set_int_member(object, "size", (gint64)device->size);
    add_text(object, "content", device->content);
    add_text(object, "label", device->label);
    add_text(object, "member_of", device->member_of);
    json_object_set_array_member(object, "mounts", mounts_to_json(device));
    json_object_set_boolean_member(object, "swap", device->swap);
    for (guint i = 0; depth < MAX_DEPTH && i < facts->devices->len; i++) {
        const PltGuardDevice *other = g_ptr_array_index(facts->devices, i);

        if (other != device && stands_on(root, other, device))
            json_array_add_object_element(children, device_to_json(root, facts, other, depth + 1));
    }
    json_object_set_array_member(object, "children", children);
    return object;
}

JsonNode *plt_stack_tree(const char *root, const PltGuardFacts *facts)
{
    JsonNode *node = NULL;

    if (facts->gone || facts->devices->len == 0)
        return NULL;
    node = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(node, device_to_json(root, facts, g_ptr_array_index(facts->devices, 0), 0));
    return node;
}
