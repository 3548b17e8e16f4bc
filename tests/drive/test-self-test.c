/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "drive/self-test-private.h"
#include "nvme-drive.h"

/* A drive that tests itself: DONE is what byte 1 of its log says, RESULT how the newest test ended. */
typedef struct {
    MockDrive *mock;
    guint8 running, done, result;
    guint32 code; /* of the last Device Self-test */
    guint n_commands;
    int fail;
} Drive;

static int drive_submit(gpointer user, const PltNvmeCommand *command, guint32 *result)
{
    Drive *drive = user;
    int status;

    if (command->opcode == PLT_NVME_SELF_TEST) {
        drive->n_commands++;
        drive->code = command->cdw10;
        g_assert_cmphex(command->nsid, ==, PLT_NVME_BROADCAST);
        if (drive->fail == 0)
            drive->running = command->cdw10 == 0xf ? 0 : (guint8)command->cdw10;
        return drive->fail;
    }
    status = mock_drive_submit(drive->mock, command, result);
    if (status == 0) {
        guint8 *data = command->data;

        data[0] = drive->running;
        data[1] = drive->done;
        data[4] = (guint8)(0x10 | drive->result);
    }
    return status;
}

static PltSelfTest *nvme_new(Drive *drive)
{
    *drive = (Drive){.mock = mock_drive_new_full()};
    return plt_self_test_new_nvme(drive_submit, drive, NULL, 35);
}

static void test_nvme(void)
{
    Drive drive;
    g_autoptr(PltSelfTest) test = nvme_new(&drive);
    g_autoptr(GError) error = NULL;
    PltSelfTestState state;

    g_assert_cmpuint(plt_self_test_minutes(test), ==, 35);
    g_assert_cmpint(plt_self_test_source(test), ==, PLT_SOURCE_DIRECT);
    g_assert_true(plt_self_test_start(test, PLT_SELF_TEST_SHORT, FALSE, &error));
    g_assert_no_error(error);
    g_assert_cmphex(drive.code, ==, 1);
    drive.done = 40;
    g_assert_true(plt_self_test_look(test, &state, NULL));
    g_assert_true(state.running);
    g_assert_cmpint(state.done_percent, ==, 40);
    /* A second one is not even asked for. */
    g_assert_false(plt_self_test_start(test, PLT_SELF_TEST_EXTENDED, FALSE, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_REFUSED);
    g_assert_cmpuint(drive.n_commands, ==, 1);
    g_assert_true(plt_self_test_abort(test, FALSE, NULL));
    g_assert_cmphex(drive.code, ==, 0xf);
    g_assert_true(plt_self_test_start(test, PLT_SELF_TEST_EXTENDED, FALSE, NULL));
    g_assert_cmphex(drive.code, ==, 2);
    mock_drive_free(drive.mock);
}

/* NVM Express Base Specification, Self-test Result. */
static void test_nvme_outcomes(void)
{
    static const struct {
        guint8 result;
        PltSelfTestOutcome outcome;
    } cases[] = {
        {0, PLT_SELF_TEST_PASSED},  {1, PLT_SELF_TEST_ABORTED}, {2, PLT_SELF_TEST_ABORTED},
        {3, PLT_SELF_TEST_ABORTED}, {4, PLT_SELF_TEST_ABORTED}, {5, PLT_SELF_TEST_FAILED},
        {6, PLT_SELF_TEST_FAILED},  {7, PLT_SELF_TEST_FAILED},  {8, PLT_SELF_TEST_ABORTED},
        {9, PLT_SELF_TEST_ABORTED},
    };
    Drive drive;
    g_autoptr(PltSelfTest) test = nvme_new(&drive);

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        PltSelfTestState state;

        drive.result = cases[i].result;
        g_assert_true(plt_self_test_look(test, &state, NULL));
        g_assert_false(state.running);
        g_assert_cmpint(state.outcome, ==, cases[i].outcome);
        g_assert_nonnull(state.text);
    }
    mock_drive_free(drive.mock);
}

static void test_nvme_failures(void)
{
    static const struct {
        int fail, code;
    } cases[] = {
        {0x11d, PLT_ERROR_DEVICE},
        {0x4001, PLT_ERROR_DEVICE},
        {-ENODEV, PLT_ERROR_GONE},
        {-EACCES, PLT_ERROR_PERMISSION},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Drive drive;
        g_autoptr(PltSelfTest) test = nvme_new(&drive);
        g_autoptr(GError) error = NULL, lost = NULL;
        PltSelfTestState state;

        drive.fail = cases[i].fail;
        g_assert_false(plt_self_test_start(test, PLT_SELF_TEST_SHORT, FALSE, &error));
        g_assert_error(error, PLT_ERROR, cases[i].code);
        drive.mock->fail = -ENODEV;
        g_assert_false(plt_self_test_look(test, &state, &lost));
        g_assert_error(lost, PLT_ERROR, PLT_ERROR_GONE);
        mock_drive_free(drive.mock);
    }
}

/* A program that answers with the file "document" beside it and writes its words to "arguments". */
typedef struct {
    char *folder, *program, *document, *arguments;
} Smartctl;

static void smartctl_init(Smartctl *smartctl)
{
    g_autofree char *script = NULL;

    smartctl->folder = g_dir_make_tmp("plateau-self-test-XXXXXX", NULL);
    smartctl->program = g_build_filename(smartctl->folder, "smartctl", NULL);
    smartctl->document = g_build_filename(smartctl->folder, "document", NULL);
    smartctl->arguments = g_build_filename(smartctl->folder, "arguments", NULL);
    script =
        g_strdup_printf("#!/bin/sh\necho \"$@\" > '%s'\ncat '%s'\n", smartctl->arguments, smartctl->document);
    g_assert_true(
        g_file_set_contents_full(smartctl->program, script, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
}

static void smartctl_clear(Smartctl *smartctl)
{
    g_unlink(smartctl->program);
    g_unlink(smartctl->document);
    g_unlink(smartctl->arguments);
    g_assert_cmpint(g_rmdir(smartctl->folder), ==, 0);
    g_free(smartctl->program);
    g_free(smartctl->document);
    g_free(smartctl->arguments);
    g_free(smartctl->folder);
}

/* As `smartctl --json -x` of version 7.4 lays it out. */
static void smartctl_say(Smartctl *smartctl, guint value, guint count)
{
    g_autofree char *text = g_strdup_printf(
        "{\"smartctl\":{\"exit_status\":0},\"ata_smart_data\":{\"self_test\":{\"status\":{\"value\":%u},"
        "\"polling_minutes\":{\"short\":2,\"extended\":85}}},"
        "\"ata_smart_self_test_log\":{\"extended\":{\"revision\":1,\"count\":%u}}}",
        value, count);

    g_assert_true(g_file_set_contents(smartctl->document, text, -1, NULL));
}

static void check_words(Smartctl *smartctl, const char *expected)
{
    g_autofree char *words = NULL;

    g_assert_true(g_file_get_contents(smartctl->arguments, &words, NULL, NULL));
    g_assert_cmpstr(g_strchomp(words), ==, expected);
}

static void test_smartctl(void)
{
    static const struct {
        guint value, count;
        PltSelfTestOutcome outcome;
        int done_percent;
    } cases[] = {
        {0x00, 0, PLT_SELF_TEST_NONE, -1},    {0x00, 3, PLT_SELF_TEST_PASSED, -1},
        {0x18, 3, PLT_SELF_TEST_ABORTED, -1}, {0x29, 3, PLT_SELF_TEST_ABORTED, -1},
        {0x73, 3, PLT_SELF_TEST_FAILED, -1},  {0xf9, 3, PLT_SELF_TEST_NONE, 10},
        {0xf0, 3, PLT_SELF_TEST_NONE, 100},
    };
    Smartctl smartctl;
    g_autoptr(PltSelfTest) test = NULL;
    g_autoptr(GError) error = NULL;
    PltSelfTestState state;

    smartctl_init(&smartctl);
    smartctl_say(&smartctl, 0, 0);
    test = plt_self_test_new_smartctl(smartctl.program, "/dev/sdx");
    g_assert_nonnull(test);
    g_assert_cmpuint(plt_self_test_minutes(test), ==, 85);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        smartctl_say(&smartctl, cases[i].value, cases[i].count);
        g_assert_true(plt_self_test_look(test, &state, NULL));
        g_assert_cmpint(state.running, ==, cases[i].done_percent >= 0);
        g_assert_cmpint(state.done_percent, ==, cases[i].done_percent);
        g_assert_cmpint(state.outcome, ==, cases[i].outcome);
    }
    smartctl_say(&smartctl, 0, 0);
    g_assert_true(plt_self_test_start(test, PLT_SELF_TEST_EXTENDED, FALSE, NULL));
    check_words(&smartctl, "--json=c -t long /dev/sdx");
    g_assert_true(plt_self_test_abort(test, FALSE, NULL));
    check_words(&smartctl, "--json=c -X /dev/sdx");
    g_assert_true(g_file_set_contents(smartctl.document, "{\"smartctl\":{\"exit_status\":4}}", -1, NULL));
    g_assert_false(plt_self_test_abort(test, FALSE, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_DEVICE);
    smartctl_clear(&smartctl);
}

/* A bridge that tells nothing of self-tests, and a program that is not there. */
static void test_smartctl_without(void)
{
    Smartctl smartctl;

    smartctl_init(&smartctl);
    g_assert_true(g_file_set_contents(smartctl.document, "{\"model_name\":\"X\"}", -1, NULL));
    g_assert_null(plt_self_test_new_smartctl(smartctl.program, "/dev/sdx"));
    g_assert_null(plt_self_test_new_smartctl("/nonexistent/smartctl", "/dev/sdx"));
    smartctl_clear(&smartctl);
}

/* The service, on a bus of the test's own: what it says of one drive, and what it was told. */
typedef struct {
    GTestDBus *bus;
    GDBusConnection *connection;
    const char *interface; /* "NVMe.Controller" */
    const char *status;    /* read by the connection's thread, set while nobody asks */
    int left;
    const char *refusal; /* name of an error, or NULL */
    char *told;
} Service;

static GVariant *parse(const char *type, const char *text)
{
    g_autoptr(GError) error = NULL;
    GVariant *value = g_variant_parse(G_VARIANT_TYPE(type), text, NULL, NULL, &error);

    g_assert_no_error(error);
    return value;
}

static GVariant *answer_to(Service *service, GDBusMessage *message)
{
    const char *member = g_dbus_message_get_member(message);
    g_autofree char *text = NULL;
    g_autoptr(GVariant) value = NULL;

    if (g_str_has_prefix(member, "SmartSelftest")) {
        g_free(service->told);
        service->told = g_variant_print(g_dbus_message_get_body(message), FALSE);
        return g_variant_new("()");
    }
    if (g_str_equal(member, "SmartUpdate"))
        return g_variant_new("()");
    if (g_str_equal(member, "GetAll")) {
        text = g_strdup_printf("{'SmartSelftestStatus': <'%s'>, 'SmartSelftestPercentRemaining': <%d>}",
                               service->status, service->left);
        value = parse("a{sv}", text);
        return g_variant_new_tuple(&value, 1);
    }
    text = g_strdup_printf(
        "{'/b/x': {'org.freedesktop.UDisks2.Block': {'Device': <b'/dev/x'>, 'Drive': <objectpath '/d'>}},"
        " '/d': {'org.freedesktop.UDisks2.%s': {'SmartUpdated': <uint64 5>}}}",
        service->interface);
    value = parse("a{oa{sa{sv}}}", text);
    return g_variant_new_tuple(&value, 1);
}

static GDBusMessage *handle(GDBusConnection *connection, GDBusMessage *message, gboolean incoming,
                            gpointer user)
{
    Service *service = user;
    g_autoptr(GDBusMessage) reply = NULL;

    if (!incoming || g_dbus_message_get_message_type(message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL)
        return message;
    if (service->refusal != NULL && g_str_has_prefix(g_dbus_message_get_member(message), "SmartSelftest")) {
        reply = g_dbus_message_new_method_error_literal(message, service->refusal, "no");
    } else {
        reply = g_dbus_message_new_method_reply(message);
        g_dbus_message_set_body(reply, answer_to(service, message));
    }
    g_dbus_connection_send_message(connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
    g_object_unref(message);
    return NULL;
}

static const char *service_start(Service *service, const char *interface)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = NULL;

    *service = (Service){.interface = interface, .status = "success", .left = -1};
    service->bus = g_test_dbus_new(G_TEST_DBUS_NONE);
    g_test_dbus_up(service->bus);
    service->connection = g_dbus_connection_new_for_address_sync(
        g_test_dbus_get_bus_address(service->bus),
        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
        NULL, &error);
    g_assert_no_error(error);
    g_dbus_connection_add_filter(service->connection, handle, service, NULL);
    reply = g_dbus_connection_call_sync(service->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                        "org.freedesktop.DBus", "RequestName",
                                        g_variant_new("(su)", "org.freedesktop.UDisks2", 0), NULL,
                                        G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
    g_assert_no_error(error);
    return g_test_dbus_get_bus_address(service->bus);
}

static void service_stop(Service *service)
{
    g_dbus_connection_close_sync(service->connection, NULL, NULL);
    g_clear_object(&service->connection);
    g_test_dbus_down(service->bus);
    g_clear_object(&service->bus);
    g_free(service->told);
}

static void check_udisks(const char *interface, const char *bad, PltSelfTestOutcome outcome)
{
    Service service;
    const char *address = service_start(&service, interface);
    PltSelfTest *test = plt_self_test_new_udisks(address, "x");
    g_autoptr(GError) error = NULL;
    PltSelfTestState state;

    g_assert_nonnull(test);
    g_assert_true(plt_self_test_start(test, PLT_SELF_TEST_EXTENDED, FALSE, &error));
    g_assert_no_error(error);
    g_assert_cmpstr(service.told, ==, "('extended', {'auth.no_user_interaction': <true>})");
    service.status = "inprogress";
    service.left = 30;
    g_assert_true(plt_self_test_look(test, &state, NULL));
    g_assert_true(state.running);
    g_assert_cmpint(state.done_percent, ==, 70);
    g_assert_true(plt_self_test_abort(test, TRUE, NULL));
    g_assert_cmpstr(service.told, ==, "({'auth.no_user_interaction': <false>},)");
    service.status = bad;
    g_assert_true(plt_self_test_look(test, &state, NULL));
    g_assert_cmpint(state.outcome, ==, outcome);
    service.refusal = "org.freedesktop.UDisks2.Error.NotAuthorizedCanObtain";
    g_assert_false(plt_self_test_start(test, PLT_SELF_TEST_SHORT, FALSE, &error));
    g_assert_error(error, PLT_ERROR, PLT_ERROR_PERMISSION);
    plt_self_test_close(test);
    g_assert_null(plt_self_test_new_udisks(address, "y"));
    service_stop(&service);
}

static void test_udisks(void)
{
    check_udisks("NVMe.Controller", "known_seg_fail", PLT_SELF_TEST_FAILED);
    check_udisks("Drive.Ata", "error_read", PLT_SELF_TEST_FAILED);
    check_udisks("Drive.Ata", "interrupted", PLT_SELF_TEST_ABORTED);
}

static void test_no_service(void)
{
    g_assert_null(plt_self_test_new_udisks("unix:path=/nonexistent/bus", "x"));
}

static void test_recording(void)
{
    g_autoptr(PltInquiry) inquiry = mock_drive_inquiry(mock_drive_new_full());
    g_autoptr(GError) error = NULL;

    g_assert_null(plt_self_test_open(inquiry, &error));
    g_assert_nonnull(error);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/drive/self-test/nvme", test_nvme);
    g_test_add_func("/drive/self-test/nvme-outcomes", test_nvme_outcomes);
    g_test_add_func("/drive/self-test/nvme-failures", test_nvme_failures);
    g_test_add_func("/drive/self-test/smartctl", test_smartctl);
    g_test_add_func("/drive/self-test/smartctl-without", test_smartctl_without);
    g_test_add_func("/drive/self-test/udisks", test_udisks);
    g_test_add_func("/drive/self-test/no-service", test_no_service);
    g_test_add_func("/drive/self-test/recording", test_recording);
    return g_test_run();
}
