/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "drive/device.h"
#include "drive/folder-private.h"

static JsonArray *array_of(GStrv texts)
{
    JsonArray *array = json_array_new();

    for (guint i = 0; texts[i] != NULL; i++)
        json_array_add_string_element(array, texts[i]);
    return array;
}

static JsonNode *node_of_object(JsonObject *object)
{
    JsonNode *node = json_node_new(JSON_NODE_OBJECT);

    json_node_take_object(node, object);
    return node;
}

static void add_text(JsonObject *object, const char *member, const char *text)
{
    /* Paths and options are bytes to the kernel; a document holds text. */
    g_autofree char *valid = text != NULL ? g_utf8_make_valid(text, -1) : NULL;

    if (valid != NULL && valid[0] != '\0')
        json_object_set_string_member(object, member, valid);
}

static void add_probe(JsonObject *object, PltFolder *folder)
{
    const PltProbe *probe = &folder->probe;

    /* To describe a place is no reason to write to it: without a test file so far, nothing is said. */
    if (!folder->probed || !probe->made)
        return;
    json_object_set_string_member(object, "direct_io",
                                  !probe->direct    ? "no"
                                  : probe->honoured ? "yes"
                                                    : "emulated");
    if (plt_filesystem_copies_on_write(plt_place_base(folder->place)->fstype))
        json_object_set_boolean_member(object, "copy_on_write", !probe->nocow);
}

JsonNode *plt_folder_to_json(PltFolder *folder)
{
    JsonObject *object = json_object_new();
    const PltPlace *place = folder->place;
    g_auto(GStrv) layers = plt_folder_layers(folder);
    g_auto(GStrv) drives = plt_folder_drives(folder);

    json_object_set_string_member(object, "kind", "folder");
    add_text(object, "path", place->path);
    add_text(object, "filesystem", place->fstype);
    add_text(object, "mount_point", place->mount_point);
    add_text(object, "source", place->source);
    add_text(object, "mount_options", place->options);
    if (place->size > 0) {
        json_object_set_int_member(object, "size", (gint64)place->size);
        json_object_set_int_member(object, "free", (gint64)plt_folder_free_before(folder));
    }
    if (place->block_size > 0)
        json_object_set_int_member(object, "filesystem_block", place->block_size);
    json_object_set_int_member(object, "device_block", plt_folder_device_block(folder));
    json_object_set_boolean_member(object, "in_memory", folder->stack->in_memory);
    add_probe(object, folder);
    json_object_set_array_member(object, "layers", array_of(layers));
    json_object_set_array_member(object, "drives", array_of(drives));
    return node_of_object(object);
}

JsonNode *plt_folder_drives_to_json(PltFolder *folder)
{
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);
    JsonArray *array = json_array_new();

    for (guint i = 0; i < folder->stack->drives->len; i++)
        json_array_add_object_element(
            array, plt_device_to_json(folder->root, g_ptr_array_index(folder->stack->drives, i)));
    json_node_take_array(node, array);
    return node;
}
