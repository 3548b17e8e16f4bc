/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <errno.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "drive/backend.h"
#include "drive/nvme-identify.h"
#include "drive/self-test-private.h"
#include "drive/smartctl.h"

static void close_descriptor(gpointer fd)
{
    close(GPOINTER_TO_INT(fd));
}

/* By commands: NULL without an error when this user may not, or the drive is no NVMe drive. */
static PltSelfTest *open_nvme(PltInquiry *inquiry, gboolean *has_none)
{
    const char *name = plt_inquiry_get_controller(inquiry);
    PltNvmeController controller;
    int fd;

    if (!plt_inquiry_is_nvme(inquiry) || name == NULL)
        return NULL;
    fd = plt_nvme_open_controller("", name);
    if (fd < 0)
        return NULL;
    if (!plt_nvme_controller_decode(plt_inquiry_bytes(inquiry, PLT_TOPIC_CONTROLLER), &controller) ||
        (controller.oacs & PLT_NVME_OACS_SELF_TEST) == 0) {
        *has_none = TRUE;
        close(fd);
        return NULL;
    }
    return plt_self_test_new_nvme(plt_nvme_submit_setting, GINT_TO_POINTER(fd), close_descriptor,
                                  controller.self_test_minutes);
}

static PltSelfTest *open_smartctl(PltInquiry *inquiry)
{
    g_autofree char *program = NULL, *device = NULL;

    if (geteuid() != 0 || !g_str_has_prefix(plt_inquiry_get_name(inquiry), "sd"))
        return NULL;
    program = plt_smartctl_find();
    device = g_strconcat("/dev/", plt_inquiry_get_name(inquiry), NULL);
    return program != NULL ? plt_self_test_new_smartctl(program, device) : NULL;
}

PltSelfTest *plt_self_test_open(PltInquiry *inquiry, GError **error)
{
    const char *name = plt_inquiry_get_name(inquiry);
    gboolean has_none = FALSE;
    PltSelfTest *test = NULL;

    if (!plt_inquiry_is_replay(inquiry)) {
        test = open_nvme(inquiry, &has_none);
        if (test == NULL && !has_none)
            test = open_smartctl(inquiry);
        if (test == NULL && !has_none)
            test = plt_self_test_new_udisks(NULL, name);
    }
    if (test != NULL)
        return test;
    if (has_none || geteuid() == 0)
        g_set_error(error, PLT_ERROR, PLT_ERROR_UNSUPPORTED,
                    _("%s has no self-test, or there is no way to it: SATA drives need smartctl or UDisks2"),
                    name);
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION,
                    _("you may not ask %s for a self-test; try again as root, or where UDisks2 runs"), name);
    return NULL;
}

void plt_self_test_close(PltSelfTest *test)
{
    if (test != NULL)
        test->free(test);
}

PltSource plt_self_test_source(PltSelfTest *test)
{
    return test->source;
}

guint plt_self_test_minutes(PltSelfTest *test)
{
    return test->minutes;
}

gboolean plt_self_test_look(PltSelfTest *test, PltSelfTestState *state, GError **error)
{
    *state = (PltSelfTestState){.done_percent = -1};
    return test->look(test, state, error);
}

gboolean plt_self_test_start(PltSelfTest *test, PltSelfTestKind kind, gboolean may_ask, GError **error)
{
    PltSelfTestState state;

    if (!plt_self_test_look(test, &state, error))
        return FALSE;
    if (state.running) {
        g_set_error(error, PLT_ERROR, PLT_ERROR_REFUSED,
                    _("a self-test is running already; wait for its end, or abort it"));
        return FALSE;
    }
    return test->start(test, kind, may_ask, error);
}

gboolean plt_self_test_abort(PltSelfTest *test, gboolean may_ask, GError **error)
{
    return test->abort(test, may_ask, error);
}

const char *plt_self_test_outcome_id(PltSelfTestOutcome outcome)
{
    static const char *const ids[] = {
        [PLT_SELF_TEST_NONE] = "none",
        [PLT_SELF_TEST_PASSED] = "passed",
        [PLT_SELF_TEST_ABORTED] = "aborted",
        [PLT_SELF_TEST_FAILED] = "failed",
    };

    return ids[outcome];
}
