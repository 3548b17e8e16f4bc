/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "drive/self-test-private.h"
#include "drive/udisks-private.h"

typedef struct {
    PltSelfTest base;
    PltUdisks *udisks;
    char *path; /* of the drive's object */
    const char *interface;
} UdisksTest;

/* What the service calls the ends of a self-test, of NVMe (first) and ATA drives. */
static const struct {
    const char *status;
    PltSelfTestOutcome outcome;
    const char *text;
} ends[] = {
    {"success", PLT_SELF_TEST_PASSED, N_("passed")},
    {"aborted", PLT_SELF_TEST_ABORTED, N_("aborted by a command")},
    {"ctrl_reset", PLT_SELF_TEST_ABORTED, N_("aborted by a reset of the controller")},
    {"ns_removed", PLT_SELF_TEST_ABORTED, N_("aborted because a namespace was removed")},
    {"aborted_format", PLT_SELF_TEST_ABORTED, N_("aborted by a format")},
    {"aborted_unknown", PLT_SELF_TEST_ABORTED, N_("aborted, reason unknown")},
    {"aborted_sanitize", PLT_SELF_TEST_ABORTED, N_("aborted by sanitize")},
    {"fatal_error", PLT_SELF_TEST_FAILED, N_("could not be completed: fatal error")},
    {"unknown_seg_fail", PLT_SELF_TEST_FAILED, N_("failed, part of the drive unknown")},
    {"known_seg_fail", PLT_SELF_TEST_FAILED, N_("failed")},
    {"interrupted", PLT_SELF_TEST_ABORTED, N_("interrupted by a reset")},
    {"fatal", PLT_SELF_TEST_FAILED, N_("could not be completed: fatal error")},
    {"error_unknown", PLT_SELF_TEST_FAILED, N_("failed, part of the drive unknown")},
    {"error_electrical", PLT_SELF_TEST_FAILED, N_("failed: electrical part")},
    {"error_servo", PLT_SELF_TEST_FAILED, N_("failed: servo or seek part")},
    {"error_read", PLT_SELF_TEST_FAILED, N_("failed: read part")},
    {"error_handling", PLT_SELF_TEST_FAILED, N_("failed: handling damage suspected")},
};

static gboolean fail(GError **error, GError *from)
{
    if (plt_udisks_is_error(from, "NotAuthorized"))
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION,
                    _("you may not test the drive: an administrator's password is needed"));
    else if (plt_udisks_is_absent(from))
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED, _("UDisks2 is no longer there"));
    else {
        g_dbus_error_strip_remote_error(from);
        g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE, _("UDisks2 could not test the drive: %s"),
                    from->message);
    }
    g_error_free(from);
    return FALSE;
}

static void find_end(PltSelfTestState *state, const char *status)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        if (g_str_equal(ends[i].status, status)) {
            state->outcome = ends[i].outcome;
            state->text = _(ends[i].text);
        }
    }
}

static gboolean udisks_look(PltSelfTest *test, PltSelfTestState *state, GError **error)
{
    UdisksTest *own = (UdisksTest *)test;
    g_autoptr(GVariant) properties = plt_udisks_look(own->udisks, own->path, own->interface);
    const char *status = NULL;
    gint32 left = -1;

    if (properties == NULL || !g_variant_lookup(properties, "SmartSelftestStatus", "&s", &status)) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE, _("UDisks2 says nothing about self-tests"));
        return FALSE;
    }
    state->running = g_str_equal(status, "inprogress");
    if (state->running && g_variant_lookup(properties, "SmartSelftestPercentRemaining", "i", &left) &&
        left >= 0 && left <= 100)
        state->done_percent = 100 - left;
    find_end(state, status);
    return TRUE;
}

static gboolean call(UdisksTest *own, const char *method, const char *kind, gboolean may_ask, GError **error)
{
    GVariant *options = plt_udisks_options(may_ask, 0);
    GError *failure = NULL;
    g_autoptr(GVariant) reply = plt_udisks_call(own->udisks, own->path, own->interface, method,
                                                kind != NULL ? g_variant_new("(s@a{sv})", kind, options)
                                                             : g_variant_new("(@a{sv})", options),
                                                "()", may_ask ? G_MAXINT : PLT_UDISKS_TIMEOUT_MS, &failure);

    return reply != NULL ? TRUE : fail(error, failure);
}

static gboolean udisks_start(PltSelfTest *test, PltSelfTestKind kind, gboolean may_ask, GError **error)
{
    return call((UdisksTest *)test, "SmartSelftestStart", kind == PLT_SELF_TEST_SHORT ? "short" : "extended",
                may_ask, error);
}

static gboolean udisks_abort(PltSelfTest *test, gboolean may_ask, GError **error)
{
    return call((UdisksTest *)test, "SmartSelftestAbort", NULL, may_ask, error);
}

static void udisks_free(PltSelfTest *test)
{
    UdisksTest *own = (UdisksTest *)test;

    plt_udisks_unref(own->udisks);
    g_free(own->path);
    g_free(own);
}

PltSelfTest *plt_self_test_new_udisks(const char *address, const char *name)
{
    g_autoptr(PltUdisks) udisks = plt_udisks_new(address);
    g_autofree char *path = plt_udisks_find_drive(udisks, name);
    static const char *const interfaces[] = {"NVMe.Controller", "Drive.Ata"};

    for (gsize i = 0; path != NULL && i < G_N_ELEMENTS(interfaces); i++) {
        g_autoptr(GVariant) properties = plt_udisks_look(udisks, path, interfaces[i]);
        UdisksTest *own;

        if (properties == NULL || !g_variant_lookup(properties, "SmartSelftestStatus", "&s", NULL))
            continue;
        own = g_new0(UdisksTest, 1);
        own->base = (PltSelfTest){.source = PLT_SOURCE_UDISKS,
                                  .look = udisks_look,
                                  .start = udisks_start,
                                  .abort = udisks_abort,
                                  .free = udisks_free};
        own->udisks = g_steal_pointer(&udisks);
        own->path = g_steal_pointer(&path);
        own->interface = interfaces[i];
        return &own->base;
    }
    return NULL;
}
