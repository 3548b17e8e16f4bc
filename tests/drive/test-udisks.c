/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drive/udisks.h"

#include <gio/gio.h>
#include <string.h>

#include "drive/smart.h"

#define BLOCKS "/org/freedesktop/UDisks2/block_devices/"
#define DRIVES "/org/freedesktop/UDisks2/drives/"

/* A service that answers as UDisks2 2.10 does, on a bus of the test's own, from the connection's own thread.
 */
typedef struct {
    GTestDBus *bus;
    GDBusConnection *connection;
    gboolean refuses_update, fails;
    gint n_updates; /* atomic */
} Service;

static const char objects_text[] =
    "{'" BLOCKS "nvme0n1': {'org.freedesktop.UDisks2.Block': {'Device': <b'/dev/nvme0n1'>,"
    " 'Drive': <objectpath '" DRIVES "Everything'>},"
    " 'org.freedesktop.UDisks2.NVMe.Namespace': {'NSID': <uint32 1>,"
    " 'LBAFormats': <[(uint16 512, uint16 0, byte 1), (4096, 0, 0)]>,"
    " 'FormattedLBASize': <(uint16 512, uint16 0, byte 1)>}},"
    " '" BLOCKS "sda': {'org.freedesktop.UDisks2.Block': {'Device': <b'/dev/sda'>,"
    " 'Drive': <objectpath '" DRIVES "Disk'>}},"
    " '" BLOCKS "loop0': {'org.freedesktop.UDisks2.Block': {'Device': <b'/dev/loop0'>,"
    " 'Drive': <objectpath '/'>}},"
    " '" DRIVES "Everything': {'org.freedesktop.UDisks2.Drive': {'Model': <'Everything SSD 2TB'>},"
    " 'org.freedesktop.UDisks2.NVMe.Controller': {'NVMeRevision': <'2.0'>, 'SmartUpdated': <uint64 5>}},"
    " '" DRIVES "Disk': {'org.freedesktop.UDisks2.Drive': {'Model': <'Disk'>},"
    " 'org.freedesktop.UDisks2.Drive.Ata': {'SmartUpdated': <uint64 5>}}}";

static const char nvme_text[] = "{'NVMeRevision': <'2.0'>, 'SmartUpdated': <uint64 1700000000>,"
                                " 'SmartCriticalWarning': <@as []>, 'SmartTemperature': <uint16 318>,"
                                " 'SmartPowerOnHours': <uint64 4096>}";
static const char nvme_attributes_text[] =
    "{'avail_spare': <byte 0x64>, 'spare_thresh': <byte 0x0a>, 'percent_used': <byte 0x03>,"
    " 'total_data_written': <uint64 1280000000000>, 'power_cycles': <uint64 321>,"
    " 'temp_sensors': <[uint16 318, 331, 0, 0, 0, 0, 0, 0]>}";
static const char ata_text[] = "{'SmartUpdated': <uint64 1700000000>, 'SmartFailing': <false>}";
static const char ata_attributes_text[] =
    "[(byte 0x05, 'reallocated-sector-count', uint16 51, 100, 100, 10, int64 0, 3, @a{sv} {}),"
    " (byte 0xc2, 'temperature-celsius-2', uint16 34, 60, 50, 0, int64 313150, 4, @a{sv} {})]";

static GVariant *parse(const char *type, const char *text)
{
    g_autoptr(GError) error = NULL;
    GVariant *value = g_variant_parse(G_VARIANT_TYPE(type), text, NULL, NULL, &error);

    g_assert_no_error(error);
    return value;
}

static GVariant *answer_to(Service *service, const char *path, const char *member)
{
    gboolean ata = g_str_has_suffix(path, "Disk");
    g_autoptr(GVariant) value = NULL;

    if (g_str_equal(member, "GetManagedObjects"))
        value = parse("a{oa{sa{sv}}}", objects_text);
    else if (g_str_equal(member, "GetAll"))
        value = parse("a{sv}", ata ? ata_text : nvme_text);
    else if (g_str_equal(member, "SmartGetAttributes"))
        value = ata ? parse("a(ysqiiixia{sv})", ata_attributes_text) : parse("a{sv}", nvme_attributes_text);
    else if (g_str_equal(member, "SmartUpdate"))
        return g_variant_new("()");
    g_assert_nonnull(value);
    return g_variant_new_tuple(&value, 1);
}

/* Nobody may be asked for a password. */
static void check_options(GDBusMessage *message)
{
    GVariant *body = g_dbus_message_get_body(message);
    g_autoptr(GVariant) options = g_variant_get_child_value(body, 0);
    gboolean flag = FALSE;

    g_assert_true(g_variant_lookup(options, "auth.no_user_interaction", "b", &flag));
    g_assert_true(flag);
}

static GDBusMessage *handle(GDBusConnection *connection, GDBusMessage *message, gboolean incoming,
                            gpointer user)
{
    Service *service = user;
    const char *member = g_dbus_message_get_member(message);
    g_autoptr(GDBusMessage) reply = NULL;

    if (!incoming || g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL)
        return message;
    if (g_str_has_prefix(member, "Smart"))
        check_options(message);
    if (g_str_equal(member, "SmartUpdate"))
        g_atomic_int_inc(&service->n_updates);
    if (service->fails || (service->refuses_update && g_str_equal(member, "SmartUpdate"))) {
        reply = g_dbus_message_new_method_error_literal(message, "org.freedesktop.UDisks2.Error.Failed",
                                                        "broken");
    } else {
        reply = g_dbus_message_new_method_reply(message);
        g_dbus_message_set_body(reply, answer_to(service, g_dbus_message_get_path(message), member));
    }
    g_dbus_connection_send_message(connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
    g_object_unref(message);
    return NULL;
}

static void service_start(Service *service, gboolean with_name)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = NULL;

    service->bus = g_test_dbus_new(G_TEST_DBUS_NONE);
    g_test_dbus_up(service->bus);
    service->connection = g_dbus_connection_new_for_address_sync(
        g_test_dbus_get_bus_address(service->bus),
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
        NULL, &error);
    g_assert_no_error(error);
    g_dbus_connection_add_filter(service->connection, handle, service, NULL);
    if (!with_name)
        return;
    reply = g_dbus_connection_call_sync(service->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                        "org.freedesktop.DBus", "RequestName",
                                        g_variant_new("(su)", "org.freedesktop.UDisks2", 0), NULL,
                                        G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
    g_assert_no_error(error);
}

static void service_stop(Service *service)
{
    g_dbus_connection_close_sync(service->connection, NULL, NULL);
    g_clear_object(&service->connection);
    g_test_dbus_down(service->bus);
    g_clear_object(&service->bus);
}

static void test_nvme(void)
{
    Service service = {0};
    g_autoptr(PltUdisks) udisks = NULL;
    g_autoptr(PltAnswer) answer = NULL;
    g_autoptr(PltSmart) smart = NULL;
    guint64 value = 0;

    service_start(&service, TRUE);
    udisks = plt_udisks_new(g_test_dbus_get_bus_address(service.bus));
    answer = plt_udisks_ask(udisks, "nvme0n1");
    g_assert_true(plt_answer_is_there(answer));
    g_assert_cmpint(answer->source, ==, PLT_SOURCE_UDISKS);
    g_assert_cmpint(g_atomic_int_get(&service.n_updates), ==, 1);
    smart = plt_smart_from_udisks(plt_answer_object(answer));
    /* What it says after the update, not before. */
    g_assert_cmpint(smart->taken_us, ==, 1700000000000000);
    g_assert_true(plt_smart_get(smart, "percent_used", &value));
    g_assert_cmpuint(value, ==, 3);
    g_assert_true(plt_smart_get(smart, "data_units_written", &value));
    g_assert_cmpuint(value, ==, 2500000);
    g_assert_true(plt_smart_get(smart, "temperature_sensor_2", &value));
    g_assert_cmpuint(value, ==, 331);
    service_stop(&service);
}

static void test_ata(void)
{
    Service service = {.refuses_update = TRUE};
    g_autoptr(PltUdisks) udisks = NULL;
    g_autoptr(PltAnswer) answer = NULL;
    g_autoptr(PltSmart) smart = NULL;

    service_start(&service, TRUE);
    udisks = plt_udisks_new(g_test_dbus_get_bus_address(service.bus));
    answer = plt_udisks_ask(udisks, "sda");
    smart = plt_smart_from_udisks(plt_answer_object(answer));
    g_assert_nonnull(smart);
    g_assert_cmpint(smart->passed, ==, 1);
    g_assert_cmpuint(plt_smart_find(smart, "ata_194")->raw.low, ==, 40);
    service_stop(&service);
}

static void check_lack(PltUdisks *udisks, const char *name, PltLack lack)
{
    g_autoptr(PltAnswer) answer = plt_udisks_ask(udisks, name);

    g_assert_cmpint(answer->lack, ==, lack);
}

static void test_unknown(void)
{
    Service service = {0};
    g_autoptr(PltUdisks) udisks = NULL;

    service_start(&service, TRUE);
    udisks = plt_udisks_new(g_test_dbus_get_bus_address(service.bus));
    check_lack(udisks, "sdz", PLT_LACK_BUS);
    service_stop(&service);
}

static void test_absent(void)
{
    Service service = {0};
    g_autoptr(PltUdisks) udisks = NULL, no_bus = plt_udisks_new("unix:path=/nonexistent/bus"),
                         nonsense = NULL;

    check_lack(no_bus, "sda", PLT_LACK_SERVICE);
    nonsense = plt_udisks_new("nonsense");
    check_lack(nonsense, "sda", PLT_LACK_SERVICE);
    service_start(&service, FALSE);
    udisks = plt_udisks_new(g_test_dbus_get_bus_address(service.bus));
    check_lack(udisks, "sda", PLT_LACK_SERVICE);
    service_stop(&service);
}

static void test_fails(void)
{
    Service service = {.fails = TRUE};
    g_autoptr(PltUdisks) udisks = NULL;
    g_autoptr(PltAnswer) answer = NULL;

    service_start(&service, TRUE);
    udisks = plt_udisks_new(g_test_dbus_get_bus_address(service.bus));
    answer = plt_udisks_ask(udisks, "sda");
    g_assert_cmpint(answer->lack, ==, PLT_LACK_FAILED);
    g_assert_cmpstr(answer->detail, ==, "UDisks2 does not answer: broken");
    service_stop(&service);
}

/* It goes away between the snapshot and the question: what the snapshot knows is what there is. */
static void test_goes_away(void)
{
    Service service = {0};
    g_autoptr(PltUdisks) udisks = NULL;
    g_autoptr(PltAnswer) answer = NULL;

    service_start(&service, TRUE);
    udisks = plt_udisks_new(g_test_dbus_get_bus_address(service.bus));
    service_stop(&service);
    answer = plt_udisks_ask(udisks, "sda");
    g_assert_true(plt_answer_is_there(answer));
    g_assert_null(plt_smart_from_udisks(plt_answer_object(answer)));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/udisks/absent", test_absent);
    g_test_add_func("/drive/udisks/nvme", test_nvme);
    g_test_add_func("/drive/udisks/ata", test_ata);
    g_test_add_func("/drive/udisks/unknown", test_unknown);
    g_test_add_func("/drive/udisks/fails", test_fails);
    g_test_add_func("/drive/udisks/goes-away", test_goes_away);
    return g_test_run();
}
