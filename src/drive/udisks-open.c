/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "drive/error.h"
#include "drive/udisks-private.h"

GVariant *plt_udisks_options(gboolean may_ask, gint32 flags)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&builder, "{sv}", "auth.no_user_interaction", g_variant_new_boolean(!may_ask));
    if (flags != 0)
        g_variant_builder_add(&builder, "{sv}", "flags", g_variant_new_int32(flags));
    return g_variant_builder_end(&builder);
}

gboolean plt_udisks_is_error(const GError *error, const char *name)
{
    g_autofree char *remote = g_dbus_error_get_remote_error(error);

    return remote != NULL && g_str_has_prefix(remote, "org.freedesktop.UDisks2.Error.") &&
           g_str_has_prefix(remote + strlen("org.freedesktop.UDisks2.Error."), name);
}

/* What the service says is for programmers: the person is told what to do. */
static void translate(GError **error, GError *from, const char *path)
{
    const char *name = path + strlen("/dev/");

    if (plt_udisks_is_absent(from))
        g_set_error(
            error, PLT_ERROR, PLT_ERROR_PERMISSION,
            _("you may not open %s, and UDisks2, which could do it for you, is not there; try again as "
              "root"),
            name);
    else if (plt_udisks_is_error(from, "NotAuthorized"))
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION,
                    _("you may not open %s: an administrator's password is needed"), name);
    else if (plt_udisks_is_error(from, "DeviceBusy"))
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("%s is claimed by the system or another program; stop what uses it, or choose another "
                      "drive"),
                    name);
    else if (g_error_matches(from, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        g_propagate_error(error, g_error_copy(from));
    } else {
        g_dbus_error_strip_remote_error(from);
        g_set_error(error, PLT_ERROR, PLT_ERROR_FAILED, _("UDisks2 could not open %s: %s"), name,
                    from->message);
    }
    g_error_free(from);
}

/* The service's object for the device node PATH. */
static char *resolve(GDBusConnection *bus, const char *path, GCancellable *cancellable, GError **error)
{
    GVariantBuilder spec;
    g_autoptr(GVariant) reply = NULL, objects = NULL;
    char *object = NULL;

    g_variant_builder_init(&spec, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&spec, "{sv}", "path", g_variant_new_string(path));
    reply = g_dbus_connection_call_sync(
        bus, "org.freedesktop.UDisks2", "/org/freedesktop/UDisks2/Manager", "org.freedesktop.UDisks2.Manager",
        "ResolveDevice",
        g_variant_new("(@a{sv}@a{sv})", g_variant_builder_end(&spec), plt_udisks_options(FALSE, 0)),
        G_VARIANT_TYPE("(ao)"), G_DBUS_CALL_FLAGS_NONE, PLT_UDISKS_TIMEOUT_MS, cancellable, error);
    if (reply == NULL)
        return NULL;
    objects = g_variant_get_child_value(reply, 0);
    if (g_variant_n_children(objects) == 1)
        g_variant_get_child(objects, 0, "o", &object);
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s",
                    g_variant_n_children(objects) == 0 ? _("it does not know the drive")
                                                       : _("it knows several drives of that name"));
    return object;
}

static int open_object(GDBusConnection *bus, const char *object, gboolean write, gboolean may_ask,
                       GCancellable *cancellable, GError **error)
{
    gint32 flags = O_DIRECT | O_CLOEXEC | (write ? O_EXCL : 0);
    g_autoptr(GUnixFDList) fds = NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_with_unix_fd_list_sync(
        bus, "org.freedesktop.UDisks2", object, "org.freedesktop.UDisks2.Block", "OpenDevice",
        g_variant_new("(s@a{sv})", write ? "rw" : "r", plt_udisks_options(may_ask, flags)),
        G_VARIANT_TYPE("(h)"), G_DBUS_CALL_FLAGS_NONE,
        /* A person looks for the password as long as it takes. */
        may_ask ? G_MAXINT : PLT_UDISKS_TIMEOUT_MS, NULL, &fds, cancellable, error);
    gint32 handle;

    if (reply == NULL)
        return -1;
    g_variant_get(reply, "(h)", &handle);
    if (fds == NULL) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", _("it gave no descriptor"));
        return -1;
    }
    return g_unix_fd_list_get(fds, handle, error);
}

int plt_udisks_open_device(const char *address, const char *path, gboolean write, gboolean may_ask,
                           GCancellable *cancellable, GError **error)
{
    GError *failure = NULL;
    g_autoptr(GDBusConnection) bus = plt_udisks_connect(address, NULL);
    g_autofree char *object = NULL;
    int fd = -1;

    if (bus == NULL)
        failure = g_error_new_literal(G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN, "");
    else
        object = resolve(bus, path, cancellable, &failure);
    if (object != NULL)
        fd = open_object(bus, object, write, may_ask, cancellable, &failure);
    if (bus != NULL)
        g_dbus_connection_close_sync(bus, NULL, NULL);
    if (fd < 0)
        translate(error, failure, path);
    return fd;
}
