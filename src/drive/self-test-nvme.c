/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <errno.h>

#include <glib/gi18n-lib.h>

#include "drive/nvme-log.h"
#include "drive/self-test-private.h"

/* Device Self-test, dword 10: Self-test Code. */
#define CODE_SHORT 0x1u
#define CODE_EXTENDED 0x2u
#define CODE_ABORT 0xfu

#define LOG_SIZE 564

/* Results of the log: 0 passed, 5 to 7 failed, the others say who ended it. */
#define RESULT_FATAL 5
#define RESULT_FAILED_SEGMENT 7

typedef struct {
    PltSelfTest base;
    PltNvmeSubmit submit;
    gpointer user;
    GDestroyNotify user_free;
} NvmeTest;

static gboolean fail(GError **error, int status)
{
    g_autofree char *text = status > 0 ? plt_nvme_status_text(status) : g_strdup(g_strerror(-status));

    if (status == -ENODEV || status == -ENXIO)
        g_set_error(error, PLT_ERROR, PLT_ERROR_GONE, _("the drive was removed or does not answer"));
    else if (status == -EACCES || status == -EPERM)
        g_set_error(error, PLT_ERROR, PLT_ERROR_PERMISSION, _("only root can test the drive: use sudo"));
    else
        g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE, _("the drive refused: %s"), text);
    return FALSE;
}

static PltSelfTestOutcome outcome_of(guint result)
{
    if (result == 0)
        return PLT_SELF_TEST_PASSED;
    return result >= RESULT_FATAL && result <= RESULT_FAILED_SEGMENT ? PLT_SELF_TEST_FAILED
                                                                     : PLT_SELF_TEST_ABORTED;
}

static gboolean nvme_look(PltSelfTest *test, PltSelfTestState *state, GError **error)
{
    NvmeTest *nvme = (NvmeTest *)test;
    guint8 data[LOG_SIZE] = {0};
    PltNvmeCommand command;
    PltNvmeSelfTests tests;
    guint32 result;
    int status;

    g_return_val_if_fail(plt_nvme_command_for(PLT_TOPIC_SELF_TEST_LOG, 0, &command), FALSE);
    command.data = data;
    status = nvme->submit(nvme->user, &command, &result);
    if (status != 0)
        return fail(error, status);
    if (!plt_nvme_self_tests_decode((PltBytes){data, sizeof data}, &tests))
        return fail(error, -EIO);
    state->running = tests.running != 0;
    if (state->running)
        state->done_percent = (int)tests.done_percent;
    if (tests.n_results == 0)
        return TRUE;
    state->outcome = outcome_of(tests.results[0].result);
    state->text = plt_nvme_self_test_result_text(tests.results[0].result);
    return TRUE;
}

static gboolean send(NvmeTest *nvme, guint32 code, GError **error)
{
    PltNvmeCommand command = {.opcode = PLT_NVME_SELF_TEST, .nsid = PLT_NVME_BROADCAST, .cdw10 = code};
    guint32 result;
    int status = nvme->submit(nvme->user, &command, &result);

    return status == 0 ? TRUE : fail(error, status);
}

static gboolean nvme_start(PltSelfTest *test, PltSelfTestKind kind, gboolean may_ask, GError **error)
{
    return send((NvmeTest *)test, kind == PLT_SELF_TEST_SHORT ? CODE_SHORT : CODE_EXTENDED, error);
}

static gboolean nvme_abort(PltSelfTest *test, gboolean may_ask, GError **error)
{
    return send((NvmeTest *)test, CODE_ABORT, error);
}

static void nvme_free(PltSelfTest *test)
{
    NvmeTest *nvme = (NvmeTest *)test;

    if (nvme->user_free != NULL)
        nvme->user_free(nvme->user);
    g_free(nvme);
}

PltSelfTest *plt_self_test_new_nvme(PltNvmeSubmit submit, gpointer user, GDestroyNotify free, guint minutes)
{
    NvmeTest *nvme = g_new0(NvmeTest, 1);

    nvme->base = (PltSelfTest){.source = PLT_SOURCE_DIRECT,
                               .minutes = minutes,
                               .look = nvme_look,
                               .start = nvme_start,
                               .abort = nvme_abort,
                               .free = nvme_free};
    nvme->submit = submit;
    nvme->user = user;
    nvme->user_free = free;
    return &nvme->base;
}
