/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "drive/self-test.h"

/* One way to test. Each function as the public one of its name; the ways are freed by FREE. */
struct plt_self_test {
    PltSource source;
    guint minutes;
    gboolean (*look)(PltSelfTest *test, PltSelfTestState *state, GError **error);
    gboolean (*start)(PltSelfTest *test, PltSelfTestKind kind, gboolean may_ask, GError **error);
    gboolean (*abort)(PltSelfTest *test, gboolean may_ask, GError **error);
    void (*free)(PltSelfTest *test);
};

/* Commands through SUBMIT; takes USER, which FREE (may be NULL) frees. MINUTES as the controller says. */
PltSelfTest *plt_self_test_new_nvme(PltNvmeSubmit submit, gpointer user, GDestroyNotify free, guint minutes);

/*
 * The service on the bus at ADDRESS (NULL = the system's), for the block device NAME. NULL when the service
 * is not there, or knows no self-test of the drive.
 */
PltSelfTest *plt_self_test_new_udisks(const char *address, const char *name);

/* PROGRAM is smartctl, DEVICE a path. NULL when the program is not there or the drive tells of no self-test.
 */
PltSelfTest *plt_self_test_new_smartctl(const char *program, const char *device);
