/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/inhibit.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <poll.h>
#include <unistd.h>

/* A login manager on a bus of the test's own, which answers from a thread of its own. */
typedef struct {
    GTestDBus *bus;
    GThread *thread;
    GMainLoop *loop;
    GMainContext *context;
    gboolean refuses;
    char *what, *why, *mode;
    int held; /* our end of the pipe whose other end the caller holds */
    GMutex lock;
    GCond changed;
    gboolean ready;
} Manager;

static const char interface_text[] = "<node><interface name='org.freedesktop.login1.Manager'>"
                                     "<method name='Inhibit'><arg type='s' direction='in'/>"
                                     "<arg type='s' direction='in'/><arg type='s' direction='in'/>"
                                     "<arg type='s' direction='in'/><arg type='h' direction='out'/></method>"
                                     "</interface></node>";

static void on_call(GDBusConnection *connection, const char *sender, const char *path, const char *interface,
                    const char *method, GVariant *parameters, GDBusMethodInvocation *invocation,
                    gpointer data)
{
    Manager *manager = data;
    g_autoptr(GUnixFDList) fds = g_unix_fd_list_new();
    int ends[2];

    g_variant_get(parameters, "(ssss)", &manager->what, NULL, &manager->why, &manager->mode);
    if (manager->refuses) {
        g_dbus_method_invocation_return_dbus_error(invocation, "org.freedesktop.DBus.Error.AccessDenied",
                                                   "no");
        return;
    }
    g_assert_true(g_unix_open_pipe(ends, O_CLOEXEC, NULL));
    manager->held = ends[0];
    g_unix_fd_list_append(fds, ends[1], NULL);
    close(ends[1]);
    g_dbus_method_invocation_return_value_with_unix_fd_list(invocation, g_variant_new("(h)", 0), fds);
}

static gpointer serve(gpointer data)
{
    static const GDBusInterfaceVTable table = {.method_call = on_call};
    Manager *manager = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(interface_text, &error);
    g_autoptr(GDBusConnection) connection = NULL;
    g_autoptr(GVariant) name = NULL;

    g_assert_no_error(error);
    g_main_context_push_thread_default(manager->context);
    connection = g_dbus_connection_new_for_address_sync(g_test_dbus_get_bus_address(manager->bus),
                                                        G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                            G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                        NULL, NULL, &error);
    g_assert_no_error(error);
    g_dbus_connection_register_object(connection, "/org/freedesktop/login1", node->interfaces[0], &table,
                                      manager, NULL, &error);
    g_assert_no_error(error);
    name = g_dbus_connection_call_sync(
        connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        g_variant_new("(su)", "org.freedesktop.login1", 0), NULL, 0, -1, NULL, &error);
    g_assert_no_error(error);
    g_mutex_lock(&manager->lock);
    manager->ready = TRUE;
    g_cond_signal(&manager->changed);
    g_mutex_unlock(&manager->lock);
    g_main_loop_run(manager->loop);
    g_dbus_connection_close_sync(connection, NULL, NULL);
    g_main_context_pop_thread_default(manager->context);
    return NULL;
}

static void start(Manager *manager)
{
    *manager = (Manager){.held = -1};
    manager->bus = g_test_dbus_new(G_TEST_DBUS_NONE);
    g_test_dbus_up(manager->bus);
    g_setenv("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address(manager->bus), TRUE);
    manager->context = g_main_context_new();
    manager->loop = g_main_loop_new(manager->context, FALSE);
    manager->thread = g_thread_new("manager", serve, manager);
    g_mutex_lock(&manager->lock);
    while (!manager->ready)
        g_cond_wait(&manager->changed, &manager->lock);
    g_mutex_unlock(&manager->lock);
}

static void stop(Manager *manager)
{
    g_main_loop_quit(manager->loop);
    g_thread_join(manager->thread);
    g_main_loop_unref(manager->loop);
    g_main_context_unref(manager->context);
    g_test_dbus_stop(manager->bus);
    g_object_unref(manager->bus);
    g_free(manager->what);
    g_free(manager->why);
    g_free(manager->mode);
    if (manager->held >= 0)
        close(manager->held);
}

/* True when the other end of the pipe is closed. */
static gboolean is_let_go(const Manager *manager)
{
    struct pollfd look = {.fd = manager->held};

    return poll(&look, 1, 20000) == 1 && (look.revents & POLLHUP) != 0;
}

static void test_held_until_closed(void)
{
    Manager manager;
    struct pollfd look = {0};
    int fd;

    start(&manager);
    fd = plt_inhibit_sleep("A drive is being measured");
    g_assert_cmpint(fd, >=, 0);
    g_assert_cmpstr(manager.what, ==, "sleep:idle:shutdown");
    g_assert_cmpstr(manager.why, ==, "A drive is being measured");
    g_assert_cmpstr(manager.mode, ==, "block");
    look.fd = manager.held;
    g_assert_cmpint(poll(&look, 1, 0), ==, 0);
    close(fd);
    g_assert_true(is_let_go(&manager));
    stop(&manager);
}

static void test_refused(void)
{
    Manager manager;

    start(&manager);
    manager.refuses = TRUE;
    g_assert_cmpint(plt_inhibit_sleep("why"), ==, -1);
    stop(&manager);
}

static void test_nobody_there(void)
{
    g_autoptr(GTestDBus) bus = g_test_dbus_new(G_TEST_DBUS_NONE);

    g_test_dbus_up(bus);
    g_setenv("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address(bus), TRUE);
    g_assert_cmpint(plt_inhibit_sleep("why"), ==, -1);
    g_test_dbus_stop(bus);
}

static void test_no_bus(void)
{
    g_setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
    g_assert_cmpint(plt_inhibit_sleep("why"), ==, -1);
}

/* The system bus is opened once in a process, so each case is one of its own. */
static void in_child(gconstpointer path)
{
    g_test_trap_subprocess(path, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
    g_test_trap_assert_passed();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/inhibit/subprocess/held", test_held_until_closed);
    g_test_add_func("/cli/inhibit/subprocess/refused", test_refused);
    g_test_add_func("/cli/inhibit/subprocess/nobody", test_nobody_there);
    g_test_add_func("/cli/inhibit/subprocess/no-bus", test_no_bus);
    g_test_add_data_func("/cli/inhibit/held-until-closed", "/cli/inhibit/subprocess/held", in_child);
    g_test_add_data_func("/cli/inhibit/refused", "/cli/inhibit/subprocess/refused", in_child);
    g_test_add_data_func("/cli/inhibit/nobody-there", "/cli/inhibit/subprocess/nobody", in_child);
    g_test_add_data_func("/cli/inhibit/no-bus", "/cli/inhibit/subprocess/no-bus", in_child);
    return g_test_run();
}
