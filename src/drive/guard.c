/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/guard.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "drive/device.h"
#include "drive/guard-private.h"

PltDriveSeal *plt_drive_seal_copy(const PltDriveSeal *seal)
{
    PltDriveSeal *copy = g_memdup2(seal, sizeof *seal);

    copy->name = g_strdup(seal->name);
    copy->model = g_strdup(seal->model);
    copy->serial = g_strdup(seal->serial);
    copy->wwid = g_strdup(seal->wwid);
    return copy;
}

static void clear_seal(PltDriveSeal *seal)
{
    g_free(seal->name);
    g_free(seal->model);
    g_free(seal->serial);
    g_free(seal->wwid);
}

void plt_drive_seal_free(PltDriveSeal *seal)
{
    if (seal == NULL)
        return;
    clear_seal(seal);
    g_free(seal);
}

PltGuardDevice *plt_guard_device_new(const char *name, const char *parent)
{
    PltGuardDevice *device = g_new0(PltGuardDevice, 1);

    device->name = g_strdup(name);
    device->parent = g_strdup(parent);
    device->mounts = g_ptr_array_new_with_free_func(g_free);
    device->holders = g_ptr_array_new_with_free_func(g_free);
    device->users = g_ptr_array_new_with_free_func(g_free);
    return device;
}

void plt_guard_device_free(PltGuardDevice *device)
{
    g_free(device->name);
    g_free(device->parent);
    g_free(device->content);
    g_free(device->label);
    g_free(device->member_of);
    g_ptr_array_unref(device->mounts);
    g_ptr_array_unref(device->holders);
    g_ptr_array_unref(device->users);
    g_free(device);
}

PltGuardFacts *plt_guard_facts_new(void)
{
    PltGuardFacts *facts = g_new0(PltGuardFacts, 1);

    facts->devices = g_ptr_array_new_with_free_func((GDestroyNotify)plt_guard_device_free);
    facts->siblings = g_ptr_array_new_with_free_func(g_free);
    return facts;
}

void plt_guard_facts_free(PltGuardFacts *facts)
{
    if (facts == NULL)
        return;
    clear_seal(&facts->seal);
    g_ptr_array_unref(facts->devices);
    g_ptr_array_unref(facts->siblings);
    g_free(facts->unsure_detail);
    g_free(facts);
}

static gboolean refuse(GError **error, PltError code, const char *format, ...) G_GNUC_PRINTF(3, 4);

static gboolean refuse(GError **error, PltError code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (error != NULL)
        *error = g_error_new_valist(PLT_ERROR, (gint)code, format, arguments);
    va_end(arguments);
    return FALSE;
}

static gboolean is_same(const PltDriveSeal *a, const PltDriveSeal *b)
{
    return g_strcmp0(a->name, b->name) == 0 && g_strcmp0(a->model, b->model) == 0 &&
           g_strcmp0(a->serial, b->serial) == 0 && g_strcmp0(a->wwid, b->wwid) == 0 &&
           a->diskseq == b->diskseq && a->size == b->size && a->logical_block == b->logical_block;
}

static gboolean check_identity(const PltGuardFacts *facts, const PltDriveSeal *expected, GError **error)
{
    const char *name = expected != NULL ? expected->name : facts->seal.name;
    g_autofree char *shown = plt_device_display_name(name);

    if (facts->gone)
        return refuse(error, PLT_ERROR_GONE, _("%s is no longer there; choose the drive again"), shown);
    if (expected != NULL && !is_same(&facts->seal, expected))
        return refuse(error, PLT_ERROR_REFUSED,
                      _("%s is not the drive any more that was chosen, or has changed since; look at it and "
                        "choose again"),
                      shown);
    return TRUE;
}

/* Where the running system lives: words that leave no doubt. */
static gboolean is_system(const char *mount)
{
    static const char *const system[] = {"/",    "/boot", "/boot/efi", "/efi", "/usr",
                                         "/var", "/home", "/etc",      "/opt", "/nix"};

    for (gsize i = 0; i < G_N_ELEMENTS(system); i++)
        if (g_str_equal(mount, system[i]))
            return TRUE;
    return FALSE;
}

static const char *find_system(const PltGuardDevice *device)
{
    for (guint i = 0; i < device->mounts->len; i++)
        if (is_system(g_ptr_array_index(device->mounts, i)))
            return g_ptr_array_index(device->mounts, i);
    return NULL;
}

static char *join(GPtrArray *names)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (char *)g_ptr_array_index(names, i));
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Nothing may hold DEVICE. What is worst is said first. */
static gboolean check_device(const PltGuardDevice *device, GError **error)
{
    g_autofree char *name = plt_device_display_name(device->name);
    g_autofree char *list = NULL;
    const char *system = find_system(device);

    if (system != NULL)
        return refuse(error, PLT_ERROR_REFUSED,
                      _("%s holds the running system (%s), which is never overwritten; choose another drive"),
                      name, system);
    if (device->mounts->len > 0) {
        list = join(device->mounts);
        return refuse(error, PLT_ERROR_REFUSED,
                      _("%s is mounted (%s); unmount it first, or choose another drive"), name, list);
    }
    if (device->swap)
        return refuse(error, PLT_ERROR_REFUSED,
                      _("%s is swap space of this computer; turn it off with “swapoff” and take it out of "
                        "/etc/fstab first, or choose another drive"),
                      name);
    if (device->holders->len > 0) {
        list = join(device->holders);
        return refuse(error, PLT_ERROR_REFUSED,
                      _("%s is in use by %s; stop that first, or choose another drive"), name, list);
    }
    if (device->member_of != NULL)
        return refuse(error, PLT_ERROR_REFUSED,
                      _("%s belongs to %s, which is in use; stop that first, or choose another drive"), name,
                      device->member_of);
    if (device->users->len > 0) {
        list = join(device->users);
        return refuse(error, PLT_ERROR_REFUSED,
                      _("%s is open for writing in %s; end that first, or choose another drive"), name, list);
    }
    return TRUE;
}

/* What would be written to itself must let itself be written to. */
static gboolean check_writable(const PltGuardFacts *facts, GError **error)
{
    for (guint i = 0; i < facts->devices->len; i++) {
        const PltGuardDevice *device = g_ptr_array_index(facts->devices, i);

        if (device->parent == NULL && device->read_only) {
            g_autofree char *name = plt_device_display_name(device->name);

            return refuse(error, PLT_ERROR_READ_ONLY,
                          _("%s is read-only: a switch on it, or the drive itself because it is worn out"),
                          name);
        }
    }
    return TRUE;
}

/* What stands on a device is looked at before the device itself: "/ is mounted on dm-1" says more than "sda3
 * is in use by dm-0". */
static gboolean check_devices(const PltGuardFacts *facts, GError **error)
{
    for (guint i = facts->devices->len; i > 0; i--)
        if (find_system(g_ptr_array_index(facts->devices, i - 1)) != NULL)
            return check_device(g_ptr_array_index(facts->devices, i - 1), error);
    for (guint i = facts->devices->len; i > 0; i--)
        if (!check_device(g_ptr_array_index(facts->devices, i - 1), error))
            return FALSE;
    return TRUE;
}

gboolean plt_guard_check(const PltGuardFacts *facts, const PltDriveSeal *expected, PltDriveUse use,
                         GError **error)
{
    g_autofree char *name = plt_device_display_name(facts->seal.name);

    if (!check_identity(facts, expected, error))
        return FALSE;
    if (use == PLT_USE_READ)
        return TRUE;
    if (facts->unsure || facts->devices->len == 0)
        return refuse(error, PLT_ERROR_REFUSED,
                      _("it cannot be told whether %s is in use (%s), so nothing is written to it"), name,
                      facts->unsure_detail != NULL ? facts->unsure_detail : "?");
    if (facts->seal.size == 0)
        return refuse(error, PLT_ERROR_REFUSED, _("there is no medium in %s; insert one"), name);
    return check_devices(facts, error) && check_writable(facts, error);
}

/* How much of a serial number is asked for. */
#define CONFIRMATION_LENGTH 4

char *plt_guard_confirmation(const PltDriveSeal *seal)
{
    glong length = seal->serial != NULL ? g_utf8_strlen(seal->serial, -1) : 0;

    if (length == 0)
        return plt_device_display_name(seal->name);
    return length <= CONFIRMATION_LENGTH ? g_strdup(seal->serial)
                                         : g_utf8_substring(seal->serial, length - CONFIRMATION_LENGTH, -1);
}

static gboolean is_equal(const char *a, const char *b)
{
    g_autofree char *folded_a = g_utf8_casefold(a, -1);
    g_autofree char *folded_b = g_utf8_casefold(b, -1);

    return g_str_equal(folded_a, folded_b);
}

gboolean plt_guard_confirms(const PltDriveSeal *seal, const char *typed)
{
    g_autofree char *wanted = plt_guard_confirmation(seal);
    g_autofree char *text =
        typed != NULL && g_utf8_validate(typed, -1, NULL) ? g_strstrip(g_strdup(typed)) : g_strdup("");

    if (text[0] == '\0')
        return FALSE;
    return is_equal(text, wanted) ||
           (seal->serial != NULL && seal->serial[0] != '\0' && is_equal(text, seal->serial));
}

static void add_text(JsonObject *object, const char *member, const char *text)
{
    if (text != NULL)
        json_object_set_string_member(object, member, text);
}

JsonNode *plt_guard_losses_to_json(const PltGuardFacts *facts)
{
    JsonArray *array = json_array_new();
    JsonNode *node = json_node_new(JSON_NODE_ARRAY);

    for (guint i = 0; i < facts->devices->len; i++) {
        const PltGuardDevice *device = g_ptr_array_index(facts->devices, i);
        g_autofree char *name = plt_device_display_name(device->name);
        JsonObject *object;

        if (device->content == NULL && device->parent == NULL)
            continue;
        object = json_object_new();
        json_object_set_string_member(object, "name", name);
        json_object_set_int_member(object, "size", (gint64)device->size);
        add_text(object, "content", device->content);
        add_text(object, "label", device->label);
        json_array_add_object_element(array, object);
    }
    json_node_take_array(node, array);
    return node;
}
