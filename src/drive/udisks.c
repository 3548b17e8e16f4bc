/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include "drive/udisks.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "drive/backend.h"
#include "drive/udisks-private.h"

#define SERVICE "org.freedesktop.UDisks2"
#define OBJECT_PATH "/org/freedesktop/UDisks2"
#define PROPERTIES "org.freedesktop.UDisks2."

/* A health log is read from the drive, which may have to wake up. */
#define SMART_TIMEOUT_MS 10000

struct plt_udisks {
    gatomicrefcount references;
    GDBusConnection *connection; /* NULL: not there */
    GVariant *objects;           /* a{oa{sa{sv}}}; NULL: not there */
    char *failure;               /* what went wrong, when it was something else than not being there */
};

gboolean plt_udisks_is_absent(const GError *error)
{
    return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
           g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
           (error->domain == G_DBUS_ERROR && error->code >= G_DBUS_ERROR_SPAWN_EXEC_FAILED &&
            error->code <= G_DBUS_ERROR_SPAWN_NO_MEMORY);
}

GDBusConnection *plt_udisks_connect(const char *address, GError **error)
{
    g_autofree char *system = NULL;

    if (address == NULL)
        address = system = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, NULL, error);
    if (address == NULL)
        return NULL;
    return g_dbus_connection_new_for_address_sync(address,
                                                  G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                      G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                  NULL, NULL, error);
}

static GVariant *call(PltUdisks *udisks, const char *path, const char *interface, const char *method,
                      GVariant *arguments, const char *reply, int timeout, GError **error)
{
    return g_dbus_connection_call_sync(udisks->connection, SERVICE, path, interface, method, arguments,
                                       G_VARIANT_TYPE(reply), G_DBUS_CALL_FLAGS_NONE, timeout, NULL, error);
}

PltUdisks *plt_udisks_new(const char *address)
{
    PltUdisks *udisks = g_new0(PltUdisks, 1);
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = NULL;

    g_atomic_ref_count_init(&udisks->references);
    udisks->connection = plt_udisks_connect(address, NULL);
    if (udisks->connection == NULL)
        return udisks;
    reply = call(udisks, OBJECT_PATH, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", NULL,
                 "(a{oa{sa{sv}}})", PLT_UDISKS_TIMEOUT_MS, &error);
    if (reply != NULL) {
        udisks->objects = g_variant_get_child_value(reply, 0);
    } else if (!plt_udisks_is_absent(error)) {
        g_dbus_error_strip_remote_error(error);
        udisks->failure = g_strdup_printf(_("UDisks2 does not answer: %s"), error->message);
    }
    return udisks;
}

PltUdisks *plt_udisks_ref(PltUdisks *udisks)
{
    g_atomic_ref_count_inc(&udisks->references);
    return udisks;
}

void plt_udisks_unref(PltUdisks *udisks)
{
    if (udisks == NULL || !g_atomic_ref_count_dec(&udisks->references))
        return;
    if (udisks->connection != NULL)
        g_dbus_connection_close_sync(udisks->connection, NULL, NULL);
    g_clear_object(&udisks->connection);
    g_clear_pointer(&udisks->objects, g_variant_unref);
    g_free(udisks->failure);
    g_free(udisks);
}

/* Properties of INTERFACE of the object at PATH; NULL when there is none. */
static GVariant *lookup(PltUdisks *udisks, const char *path, const char *interface)
{
    g_autofree char *full = g_strconcat(PROPERTIES, interface, NULL);
    g_autoptr(GVariant) interfaces =
        g_variant_lookup_value(udisks->objects, path, G_VARIANT_TYPE("a{sa{sv}}"));

    return interfaces != NULL ? g_variant_lookup_value(interfaces, full, G_VARIANT_TYPE_VARDICT) : NULL;
}

/* The path of the object whose Block.Device is /dev/NAME; newly allocated. */
static char *find_block(PltUdisks *udisks, const char *name)
{
    g_autofree char *device = g_strconcat("/dev/", name, NULL);
    GVariantIter iter;
    const char *path;

    g_strdelimit(device, "!", '/');
    g_variant_iter_init(&iter, udisks->objects);
    while (g_variant_iter_next(&iter, "{&o@a{sa{sv}}}", &path, NULL)) {
        g_autoptr(GVariant) block = lookup(udisks, path, "Block");
        const char *found = NULL;

        if (block != NULL && g_variant_lookup(block, "Device", "^&ay", &found) && g_str_equal(found, device))
            return g_strdup(path);
    }
    return NULL;
}

static GVariant *options_new(const char *flag)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    /* Nobody is asked for a password: what needs one is left alone. */
    g_variant_builder_add(&builder, "{sv}", "auth.no_user_interaction", g_variant_new_boolean(TRUE));
    if (flag != NULL)
        g_variant_builder_add(&builder, "{sv}", flag, g_variant_new_boolean(TRUE));
    return g_variant_new("(@a{sv})", g_variant_builder_end(&builder));
}

/* A health log is up to ten minutes old until the service is told to look. It may refuse: then the old one is
 * what there is. "nowakeup" leaves a sleeping disk asleep; NVMe does not know the option and needs none. */
static void refresh(PltUdisks *udisks, const char *path, const char *interface, gboolean ata)
{
    g_autofree char *full = g_strconcat(PROPERTIES, interface, NULL);
    g_autoptr(GVariant) reply = call(udisks, path, full, "SmartUpdate", options_new(ata ? "nowakeup" : NULL),
                                     "()", SMART_TIMEOUT_MS, NULL);
}

static GVariant *fresh_properties(PltUdisks *udisks, const char *path, const char *interface)
{
    g_autofree char *full = g_strconcat(PROPERTIES, interface, NULL);
    g_autoptr(GVariant) reply = call(udisks, path, "org.freedesktop.DBus.Properties", "GetAll",
                                     g_variant_new("(s)", full), "(a{sv})", PLT_UDISKS_TIMEOUT_MS, NULL);

    return reply != NULL ? g_variant_get_child_value(reply, 0) : lookup(udisks, path, interface);
}

static void add_properties(JsonObject *object, const char *member, GVariant *properties)
{
    if (properties != NULL)
        json_object_set_member(object, member, json_gvariant_serialize(properties));
}

/* The members of INTERFACE with its "attributes", which only exist while SMART data were read once. */
static void add_smart(PltUdisks *udisks, JsonObject *object, const char *member, const char *path,
                      const char *interface, gboolean ata)
{
    g_autofree char *full = g_strconcat(PROPERTIES, interface, NULL);
    g_autoptr(GVariant) known = lookup(udisks, path, interface), properties = NULL, reply = NULL, list = NULL;

    if (known == NULL)
        return;
    refresh(udisks, path, interface, ata);
    properties = fresh_properties(udisks, path, interface);
    add_properties(object, member, properties);
    reply = call(udisks, path, full, "SmartGetAttributes", options_new(NULL),
                 ata ? "(a(ysqiiixia{sv}))" : "(a{sv})", SMART_TIMEOUT_MS, NULL);
    if (reply == NULL)
        return;
    list = g_variant_get_child_value(reply, 0);
    add_properties(json_object_get_object_member(object, member), "attributes", list);
}

char *plt_udisks_find_drive(PltUdisks *udisks, const char *name)
{
    g_autofree char *path = udisks->objects != NULL ? find_block(udisks, name) : NULL;
    g_autoptr(GVariant) block = path != NULL ? lookup(udisks, path, "Block") : NULL;
    char *drive = NULL;

    if (block != NULL)
        g_variant_lookup(block, "Drive", "o", &drive);
    return drive;
}

GVariant *plt_udisks_call(PltUdisks *udisks, const char *path, const char *interface, const char *method,
                          GVariant *arguments, const char *reply, int timeout, GError **error)
{
    g_autofree char *full = g_strconcat(PROPERTIES, interface, NULL);

    return call(udisks, path, full, method, arguments, reply, timeout, error);
}

GVariant *plt_udisks_look(PltUdisks *udisks, const char *path, const char *interface)
{
    g_autoptr(GVariant) known = lookup(udisks, path, interface);

    if (known == NULL)
        return NULL;
    refresh(udisks, path, interface, g_str_equal(interface, "Drive.Ata"));
    return fresh_properties(udisks, path, interface);
}

PltAnswer *plt_udisks_ask(PltUdisks *udisks, const char *name)
{
    g_autofree char *path = NULL;
    g_autoptr(GVariant) block = NULL, drive = NULL, namespace = NULL;
    const char *drive_path = NULL;
    JsonObject *object;
    JsonNode *node;

    if (udisks->failure != NULL)
        return plt_answer_new_failure("%s", udisks->failure);
    if (udisks->objects == NULL)
        return plt_answer_new_lack(PLT_LACK_SERVICE);
    path = find_block(udisks, name);
    block = path != NULL ? lookup(udisks, path, "Block") : NULL;
    if (block == NULL || !g_variant_lookup(block, "Drive", "&o", &drive_path))
        return plt_answer_new_lack(PLT_LACK_BUS);
    object = json_object_new();
    namespace = lookup(udisks, path, "NVMe.Namespace");
    add_properties(object, "namespace", namespace);
    drive = lookup(udisks, drive_path, "Drive");
    add_properties(object, "drive", drive);
    add_smart(udisks, object, "nvme", drive_path, "NVMe.Controller", FALSE);
    add_smart(udisks, object, "ata", drive_path, "Drive.Ata", TRUE);
    if (g_str_has_prefix(name, "nvme") && !json_object_has_member(object, "nvme")) {
        json_object_unref(object);
        return plt_answer_new_lack(PLT_LACK_SERVICE_OLD);
    }
    node = json_node_new(JSON_NODE_OBJECT);
    json_node_take_object(node, object);
    return plt_answer_new_document(PLT_SOURCE_UDISKS, node);
}

typedef struct {
    PltInquiryBackend base;
    PltUdisks *udisks; /* NULL until it is needed */
} UdisksBackend;

static PltAnswer *udisks_ask(PltInquiryBackend *backend, PltInquiry *inquiry, PltTopic topic)
{
    UdisksBackend *own = (UdisksBackend *)backend;

    if (topic != PLT_TOPIC_UDISKS)
        return NULL;
    if (own->udisks == NULL)
        own->udisks = plt_udisks_new(NULL);
    return plt_udisks_ask(own->udisks, plt_inquiry_get_name(inquiry));
}

static void udisks_free(PltInquiryBackend *backend)
{
    UdisksBackend *own = (UdisksBackend *)backend;

    plt_udisks_unref(own->udisks);
    g_free(own);
}

PltInquiryBackend *plt_udisks_backend_new(PltUdisks *udisks)
{
    UdisksBackend *own = g_new0(UdisksBackend, 1);

    own->base.ask = udisks_ask;
    own->base.free = udisks_free;
    own->udisks = udisks != NULL ? plt_udisks_ref(udisks) : NULL;
    return &own->base;
}
