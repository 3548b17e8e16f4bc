/* SPDX-License-Identifier: GPL-3.0-or-later */
#define G_LOG_DOMAIN "plateau-drive"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "drive/self-test-private.h"
#include "drive/smart-private.h"
#include "drive/smartctl.h"

/* ATA SMART READ DATA, self-test execution status: how the last one ended, or that one runs, in bits 7:4; the
 * tenths that are left in bits 3:0. */
#define STATUS_RUNNING 15

typedef struct {
    PltSelfTest base;
    char *program, *device;
} SmartctlTest;

/* By bits 7:4. */
static const struct {
    PltSelfTestOutcome outcome;
    const char *text;
} ends[] = {
    {PLT_SELF_TEST_PASSED, N_("passed")},
    {PLT_SELF_TEST_ABORTED, N_("aborted by a command")},
    {PLT_SELF_TEST_ABORTED, N_("interrupted by a reset")},
    {PLT_SELF_TEST_FAILED, N_("could not be completed: fatal error")},
    {PLT_SELF_TEST_FAILED, N_("failed, part of the drive unknown")},
    {PLT_SELF_TEST_FAILED, N_("failed: electrical part")},
    {PLT_SELF_TEST_FAILED, N_("failed: servo or seek part")},
    {PLT_SELF_TEST_FAILED, N_("failed: read part")},
    {PLT_SELF_TEST_FAILED, N_("failed: handling damage suspected")},
};

static gboolean fail(GError **error, const PltAnswer *answer)
{
    g_autofree char *reason = plt_answer_reason(answer);

    g_set_error_literal(error, PLT_ERROR, PLT_ERROR_DEVICE,
                        reason != NULL ? reason : _("smartctl could not read the drive"));
    return FALSE;
}

static JsonObject *self_test_object(const PltAnswer *answer)
{
    JsonObject *document = plt_answer_object(answer);
    JsonObject *data = document != NULL ? plt_json_object_member(document, "ata_smart_data") : NULL;

    return data != NULL ? plt_json_object_member(data, "self_test") : NULL;
}

/* A status of 0 is a test that passed, or none at all: the drive's log knows which. */
static gboolean was_none(const PltAnswer *answer)
{
    static const char *const logs[] = {"extended", "standard"};
    JsonObject *log = plt_json_object_member(plt_answer_object(answer), "ata_smart_self_test_log");

    for (gsize i = 0; log != NULL && i < G_N_ELEMENTS(logs); i++) {
        JsonObject *kind = plt_json_object_member(log, logs[i]);

        if (kind != NULL)
            return json_object_get_int_member_with_default(kind, "count", 1) == 0;
    }
    return FALSE;
}

static gboolean read_status(const PltAnswer *answer, PltSelfTestState *state)
{
    JsonObject *test = self_test_object(answer);
    JsonObject *status = test != NULL ? plt_json_object_member(test, "status") : NULL;
    gint64 value = status != NULL ? json_object_get_int_member_with_default(status, "value", -1) : -1;
    guint end = (guint)value >> 4;

    if (value < 0 || value > 255)
        return FALSE;
    state->running = end == STATUS_RUNNING;
    if (state->running)
        state->done_percent = 100 - 10 * (int)MIN(value & 15, 10);
    else if (end < G_N_ELEMENTS(ends) && !(end == 0 && was_none(answer))) {
        state->outcome = ends[end].outcome;
        state->text = _(ends[end].text);
    }
    return TRUE;
}

static gboolean smartctl_look(PltSelfTest *test, PltSelfTestState *state, GError **error)
{
    SmartctlTest *own = (SmartctlTest *)test;
    g_autoptr(PltAnswer) answer = plt_smartctl_run(own->program, own->device);

    return plt_answer_is_there(answer) && read_status(answer, state) ? TRUE : fail(error, answer);
}

/* smartctl(8): bit 2 of the exit status, a command to the drive failed. */
static gboolean was_refused(const PltAnswer *answer)
{
    JsonObject *own = plt_json_object_member(plt_answer_object(answer), "smartctl");

    return own != NULL && (json_object_get_int_member_with_default(own, "exit_status", 0) & 4) != 0;
}

static gboolean command(SmartctlTest *own, const char *option, const char *value, GError **error)
{
    const char *const arguments[] = {option, value != NULL ? value : own->device,
                                     value != NULL ? own->device : NULL, NULL};
    g_autoptr(PltAnswer) answer = plt_smartctl_run_with(own->program, arguments);

    if (!plt_answer_is_there(answer))
        return fail(error, answer);
    if (!was_refused(answer))
        return TRUE;
    g_set_error(error, PLT_ERROR, PLT_ERROR_DEVICE, _("the drive refused the command of smartctl"));
    return FALSE;
}

static gboolean smartctl_start(PltSelfTest *test, PltSelfTestKind kind, gboolean may_ask, GError **error)
{
    return command((SmartctlTest *)test, "-t", kind == PLT_SELF_TEST_SHORT ? "short" : "long", error);
}

static gboolean smartctl_abort(PltSelfTest *test, gboolean may_ask, GError **error)
{
    return command((SmartctlTest *)test, "-X", NULL, error);
}

static void smartctl_free(PltSelfTest *test)
{
    SmartctlTest *own = (SmartctlTest *)test;

    g_free(own->program);
    g_free(own->device);
    g_free(own);
}

PltSelfTest *plt_self_test_new_smartctl(const char *program, const char *device)
{
    g_autoptr(PltAnswer) answer = plt_smartctl_run(program, device);
    PltSelfTestState state = {0};
    JsonObject *minutes;
    SmartctlTest *own;

    if (!plt_answer_is_there(answer) || !read_status(answer, &state))
        return NULL;
    minutes = plt_json_object_member(self_test_object(answer), "polling_minutes");
    own = g_new0(SmartctlTest, 1);
    own->base = (PltSelfTest){
        .source = PLT_SOURCE_SMARTCTL,
        .minutes =
            minutes != NULL
                ? (guint)CLAMP(json_object_get_int_member_with_default(minutes, "extended", 0), 0, 65535)
                : 0,
        .look = smartctl_look,
        .start = smartctl_start,
        .abort = smartctl_abort,
        .free = smartctl_free};
    own->program = g_strdup(program);
    own->device = g_strdup(device);
    return &own->base;
}
