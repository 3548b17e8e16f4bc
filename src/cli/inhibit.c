/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-cli"

#include "config.h"

#include "cli/inhibit.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>

/* Nobody waits long for a courtesy. */
#define TIME_LIMIT_MS 1000

int plt_inhibit_sleep(const char *why)
{
    g_autoptr(GDBusConnection) bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, NULL, NULL);
    g_autoptr(GUnixFDList) fds = NULL;
    g_autoptr(GVariant) answer = NULL;
    gint32 handle;

    if (bus == NULL)
        return -1;
    answer = g_dbus_connection_call_with_unix_fd_list_sync(
        bus, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "Inhibit",
        g_variant_new("(ssss)", "sleep:idle:shutdown", "Plateau", why, "block"), G_VARIANT_TYPE("(h)"),
        G_DBUS_CALL_FLAGS_NO_AUTO_START, TIME_LIMIT_MS, NULL, &fds, NULL, NULL);
    if (answer == NULL || fds == NULL)
        return -1;
    g_variant_get(answer, "(h)", &handle);
    return g_unix_fd_list_get(fds, handle, NULL);
}
